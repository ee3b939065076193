"""``bareloop break`` without a terminal: what a newcomer, a script and a teacher do with it."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len

from agent.cli import main
from agent.lessons.anchors import MARKS, loop_file
from agent.lessons.exercises import Idea, exercises, find_exercise, read_exercises
from agent.lessons.signatures import Signature
from agent.lessons.verifying import faults, verify

Break = Callable[..., tuple[int, str]]
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("BARELOOP_DATA", str(folder))
    return folder


@pytest.fixture
def broken(data: Path, capsys: pytest.CaptureFixture[str]) -> Break:
    """``bareloop break`` with these arguments: its exit code and everything it says."""

    def run(*arguments: str, lang: str = "en") -> tuple[int, str]:
        code = main(["break", *arguments, "--lang", lang])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def kept(data: Path) -> dict[str, dict[str, object]]:
    return json.loads((data / "lessons" / "progress.json").read_text("utf-8"))["exercises"]


def plain(text: str) -> str:
    """Text without its line ends and columns, to look for sentences in a table."""
    return " ".join(text.split())


FIRST = """\
Exercise 5 · ⑤ Record the model's decision
⑤ records what the model just said, unchanged. Its request for a tool, with the values, is in there.

 23       run = run or Run()
 24       # ① the conversation starts with the question
 25       run.record(user(question))
 26       # ② a bounded number of steps
 27       for step in range(1, limits.max_steps + 1):
 28           # ③ think: the model gets the whole history, every time
 29           reply = model.generate(run.contents, tools.declarations)
 30           # ④ no tool call means it can answer: stop
 31           if not reply.calls:
 32               return run.finish(reply)
 33           # ⑤ record the model's decision, verbatim
 34 ▶         run.record(reply.content, reply)
 35           # ⑥ act: our code runs the tools
 36           results = tools.call_all(reply.calls)
 37           # ⑦ record the observation: one content, one response per call
 38           run.record(observation(results))
 39       # ⑧ the cap: say so, never invent an answer
 40       return run.finish(stopped("max_steps"))

Question: Without the line at ⑤, how many steps will it take? How will it end, and why?

   the whole loop                         without ⑤
   ─────────────────────────────────────  ─────────────────────────────────────
   ① question recorded · history 1        ① question recorded · history 1
   ③ sent to the model: history 1         ③ sent to the model: history 1
     model asks for find_steps(invoice      model asks for find_steps(invoice
   export)                                export)
▶  ⑤ decision recorded · history 2
   ⑥ find_steps(invoice export) runs ->   ⑥ find_steps(invoice export) runs ->
   steps-1                                steps-1
   ⑦ results recorded: 1 · history 3      ⑦ results recorded: 1 · history 2
   ③ sent to the model: history 3         ③ sent to the model: history 2
     model asks for                         API refuses: 400 INVALID_ARGUMENT.
   find_permission(authorization)         Please ensure that function response
                                          turn comes immediately after a
                                          function call turn.
   ⑤ decision recorded · history 4        ④ end: rejected, incomplete, no
                                          answer
   ⑥ find_permission(authorization) runs
   -> none
   ⑦ results recorded: 1 · history 5
   ③ sent to the model: history 5
   … 5 lines left out …
     model answers without a call
   ④ end: answered, complete, an answer
     the reader sees: This is the           the reader sees: Gemini refused the
   offline model (no LLM): quotes, does   request (HTTP 400); the conversation
   not compose.                           before it is kept, so ask again in
   Invoice export: open Billing, select   other words. Still missing:
   an invoice, then choose Export.        permission.
   [steps-1]
   Billing permission: invoice export
   requires the billing_admin role.
   [permission-1]

▶ where they part, unchanged: ⑤ decision recorded · history 2
▶ where they part, changed: ⑥ find_steps(invoice export) runs -> steps-1
Your prediction: It answers at step 2.
The changed side ends: ④ end: rejected, incomplete, no answer
"Ask again" is said to users of bareloop. Here the API refuses the history that we sent, and other words would change nothing.
Next, explain why: bareloop break 5 --explain "..."
"""  # noqa: E501


def test_a_newcomer_needs_four_commands(bareloop, tmp_path: Path) -> None:
    """``make setup`` is the first; then predict, explain and repair."""

    def run(*arguments: str) -> str:
        done = bareloop("break", "5", *arguments, BARELOOP_DATA=str(tmp_path), COLUMNS="80")
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert run("--predict", "It answers at step 2.") == FIRST
    told = run("--explain", "The API remembers nothing, so the result comes without its call.")
    assert told == (
        "Words of this idea are in it: the API remembers nothing and sees only the history\n"
        "Words of this idea are in it: a result must follow the call it answers\n"
        "Words of every idea that matters were there. No grade: only words were looked at.\n"
        'Next, write the line below ⑤: bareloop break 5 --repair "..."\n'
    )
    assert run("--repair", "run.record(reply.content, reply)") == (
        "Repaired: with the line below ⑤ back, both sides are the same.\n"
        "Exercise 5 is done.\n"
        "Next exercise: bareloop break 6\n"
    )
    listed = bareloop("break", BARELOOP_DATA=str(tmp_path)).stdout
    assert "  5 ⑤  Record the model's decision  [done]\n" in listed


ANOTHER = """\
연습 14 · 번호 0
줄의 번호는 1부터입니다. 여기서는 양쪽 모두에서 고르는 모델이 첫 줄을 0이라고 부릅니다.

바꾸는 것: 받은 번호를 확인하지 않고 lines[int(번호) - 1]로 꺼냅니다.
질문: 번호 0을 그대로 쓰면 어느 줄이 나올까요? 오류가 날까요?

   그대로                                 바뀐 쪽
   ─────────────────────────────────────  ─────────────────────────────────────
   … 5줄 생략 …                           … 5줄 생략 …
   ⑦ 관찰 1개를 적음 · history 3          ⑦ 관찰 1개를 적음 · history 3
   ③ 모델에게 보냄: history 3             ③ 모델에게 보냄: history 3
     모델의 요청: filter_context(청구서     모델의 요청: filter_context(청구서
   역할)                                  역할)
   ⑤ 모델의 결정을 적음 · history 4       ⑤ 모델의 결정을 적음 · history 4
▶    고른 결과: unreadable
     남긴 줄: 청구서를 내보내려면           남긴 줄: 2019년까지 청구서를 내보낸
   billing_admin 역할이 필요하다.,        역할은 billing_clerk이다.
   역할은 설정의 사람 화면에서 준다.,
   2019년까지 청구서를 내보낸 역할은
   billing_clerk이다.
   ⑦ 관찰 1개를 적음 · history 5          ⑦ 관찰 1개를 적음 · history 5
   ③ 모델에게 보냄: history 5             ③ 모델에게 보냄: history 5
     모델이 도구 없이 답함                  모델이 도구 없이 답함
   ④ 끝: answered, open, 답 있음          ④ 끝: answered, open, 답 있음
     사람이 보는 것: 청구서를 내보내려면    사람이 보는 것: 2019년까지 청구서를
   billing_admin 역할이 필요하다.         내보낸 역할은 billing_clerk이다.

▶ 처음 갈라지는 곳, 온전한 쪽: 고른 결과: unreadable
▶ 처음 갈라지는 곳, 바뀐 쪽: 남긴 줄: 2019년까지 청구서를 내보낸 역할은 billing_clerk이다.
내 예측: IndexError가 난다
바뀐 쪽의 결말: ④ 끝: answered, open, 답 있음
다음: 왜 그런지 설명하기: bareloop break 14 --explain "..."
"""


def test_an_exercise_that_lies_and_does_not_crash(bareloop, tmp_path: Path) -> None:
    """One that breaks no line of the loop, in Korean."""
    environ = {"BARELOOP_DATA": str(tmp_path), "BARELOOP_LANG": "ko"}
    done = bareloop("break", "index-zero", "--predict", "IndexError가 난다", **environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, ANOTHER, "")


def test_the_list_shows_what_was_done(broken: Break) -> None:
    broken("1", "--predict", "nothing")
    broken("2", "--explain", "It never stops by itself and costs money.")
    broken("10", "--explain", "It stops; the next step would read the result.")
    head, *lines, last = broken()[1].splitlines()
    assert head == "Break a line of the loop: predict, run, explain, repair."
    assert last == "Next exercise: bareloop break 1"
    told = {
        1: "①  Where the conversation starts  [predicted, run]",
        2: "②  A bounded number of steps  [run, explained]",
        10: "·  MAX_STEPS = 1  [done]",
    }
    assert lines == [
        f"{each.number:>3} " + told.get(each.number, f"{each.mark or '·'}  {each.title['en']}")
        for each in exercises()
    ]


def test_the_other_doors_are_the_same(python, bareloop, tmp_path: Path) -> None:
    environ = {"BARELOOP_DATA": str(tmp_path), "BARELOOP_LANG": "ko"}
    script = python(str(ROOT / "code/break_a_line.py"), "5", cwd=tmp_path, **environ)
    assert script.returncode == 0 and script.stdout == bareloop("break", "5", **environ).stdout
    assert "연습 5 · ⑤ 모델의 결정을 적는다" in script.stdout


@pytest.mark.parametrize("mark", MARKS)
def test_the_loop_that_is_shown_is_the_file(broken: Break, mark: str) -> None:
    """Byte for byte, from the line above the first anchor to the end of the file; the lines below
    the anchor are marked."""
    _, said = broken(mark)
    shown = re.findall(rb"^ *(\d+) (?:\xe2\x96\xb6|\x20)(?: (.*))?$", said.encode(), re.MULTILINE)
    anchor = find_exercise(mark).anchor
    assert anchor is not None
    marked = [int(number) for number in re.findall(r"^ *(\d+) ▶", said, re.MULTILINE)]
    assert marked == [*range(anchor.first, anchor.last + 1)]
    lines = loop_file().read_bytes().splitlines()
    start = next(n for n, line in enumerate(lines) if "①".encode() in line)
    numbers = [*range(start, len(lines) + 1)]
    assert [(int(n), line) for n, line in shown] == [(n, lines[n - 1]) for n in numbers]


def test_the_file_is_never_written_to(broken: Break, data: Path) -> None:
    before = loop_file().read_bytes(), loop_file().stat().st_mtime_ns
    for mark in MARKS:
        broken(mark, "--repair", "pass")
        broken(mark, "--edit")
        assert (data / "lessons" / find_exercise(mark).name / "loop.py").read_bytes() == before[0]
    assert (loop_file().read_bytes(), loop_file().stat().st_mtime_ns) == before


def test_a_run_without_a_prediction_says_so(broken: Break, data: Path) -> None:
    code, said = broken("7", lang="ko")
    assert code == 0
    assert '예측을 남기려면: bareloop break 7 --predict "..."' in said
    assert "내 예측" not in said
    assert "Please ensure that multiturn requests ends with a user role" in plain(said)
    assert kept(data)["observation"]["runs"] == 1


def test_a_prediction_stays_as_it_was_before_the_run(broken: Break, data: Path) -> None:
    broken("5", "--predict", " first ")
    _, said = broken("5", "--predict", "second")
    assert "The prediction that was made before the run stays." in said
    assert "Your prediction: first\n" in said
    work = kept(data)["decision"]
    assert (work["prediction"], work["runs"]) == ("first", 2)
    broken("6")
    assert "It was run before this prediction" in broken("6", "--predict", "late")[1]
    assert kept(data)["act"]["prediction"] == "late"


def test_an_explanation_alone_does_not_run_it_again(broken: Break, data: Path) -> None:
    assert "the whole loop" in broken("5", "--explain", "It fails.")[1]
    code, said = broken("5", "--explain", "It fails.")
    assert code == 0 and "the whole loop" not in said
    assert said.startswith("Ideas still to mention: 2.")
    assert kept(data)["decision"]["runs"] == 1


def test_hints_go_from_the_first_to_the_last(broken: Break, data: Path) -> None:
    told = [broken("5", "--hint")[1] for _ in range(4)]
    hints = find_exercise("5").hints["en"]
    assert told == [f"Hint {n}/3: {hints[n - 1]}\n" for n in (1, 2, 3, 3)]
    assert kept(data)["decision"]["hints"] == 3


@pytest.mark.parametrize(
    ("number", "line", "code", "said"),
    [
        ("5", "run.record(reply.content, reply)", 0, "Repaired: with the line below ⑤ back"),
        ("5", "run.record(reply.content)", 0, "Repaired"),
        ("5", "run.record(user('?'))", 1, "repaired: ① question recorded · history 2"),
        ("5", "run.record(", 1, "Python cannot read this line: "),
        ("5", "nonsense()", 1, "crash: NameError: name 'nonsense' is not defined (line 34)"),
        ("5", "while True: pass", 1, "the fuse blows: no end after 12 steps"),
        ("5", "await x", 1, "Python cannot read this line: 'await' outside async function"),
        ("5", "nonlocal q", 1, "Python cannot read this line: no binding for nonlocal 'q' found"),
        ("5", "(" * 9000, 1, "Python cannot read this line: "),
        ("5", "exit()", 1, "crash: SystemExit"),
        ("5", "raise GeneratorExit", 1, "crash: GeneratorExit"),
        ("5", "del run_agent", 1, "crash: UnboundLocalError"),
        ("8", "pass\ndel run_agent", 1, "There is no run_agent left in the file"),
        ("8", "pass\nexit(3)", 1, "before anything was asked: SystemExit 3"),
        ("2", "for step in range(limits.max_steps):", 0, "Repaired"),
        ("2", "for step in range(4):", 1, "It is still different."),
        ("4", "if not reply.calls: return run.finish(reply)", 0, "Repaired"),
        ("8", 'return run.finish(stopped("max_steps"))', 0, "Repaired"),
        ("8", "return run", 1, "It is still different."),
    ],
)
def test_a_repair_is_what_makes_both_sides_the_same(
    broken: Break, number: str, line: str, code: int, said: str
) -> None:
    assert broken(number, "--explain", "why")[0] == 0
    found = broken(number, "--repair", line)
    assert found[0] == code and said in found[1]


def test_a_line_that_cannot_be_read_gets_the_hint_for_it(broken: Break) -> None:
    broken("4")
    code, said = broken("4", "--repair", "if not reply.calls:")
    assert code == 1
    assert said.splitlines()[1] == (
        "With no calls, finish with the reply. One line will do: if not ...: return ..."
    )


@pytest.mark.parametrize(("columns", "lang"), [("24", "en"), ("40", "ko"), ("59", "en")])
def test_both_sides_stay_beside_each_other_on_a_narrow_screen(
    bareloop: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
    columns: str,
    lang: str,
) -> None:
    said = bareloop(
        "break", "5", "--lang", lang, BARELOOP_DATA=str(tmp_path), COLUMNS=columns
    ).stdout.splitlines()
    rule = next(place for place, line in enumerate(said) if "───" in line)
    shown = said[rule : said.index("", rule)]
    assert len(shown) > 40
    assert max(map(cell_len, shown)) <= int(columns)


def test_an_exercise_without_a_line_says_what_puts_it_right(broken: Break, data: Path) -> None:
    _, said = broken("one-step", "--explain", "The next step would read the result; it stops.")
    assert "What puts it right: Give it the steps that the question needs" in said
    assert "Exercise 10 is done." in said
    assert kept(data)["one-step"]["repaired_at"]


def test_the_working_copy(broken: Break, data: Path) -> None:
    """The wrong line, the right line, and the line put back."""
    copy = data / "lessons" / "decision" / "loop.py"
    code, said = broken("5", "--edit", "--predict", "400")
    original = loop_file().read_bytes()
    assert code == 0 and copy.read_bytes() == original
    assert said.endswith(
        f"The working copy:\n{copy}\nDelete line 34 and save: run.record(reply.content, reply)\n"
    )
    assert "the whole loop" not in said

    lines = original.splitlines(True)
    copy.write_bytes(b"".join(lines[:37] + lines[38:]))
    assert broken("5", "--edit")[1].endswith(
        "Line 38 was changed: run.record(observation(results)) (this exercise changes only line "
        "34, below ⑤; put the other back and save again.)\n"
    )
    assert broken("5", "--edit")[0] == 1
    assert kept(data)["decision"]["runs"] == 0

    copy.write_bytes(b"".join(lines[:33] + lines[34:]))
    code, said = broken("5", "--edit")
    assert code == 0
    assert "turn comes immediately after a function call turn." in plain(said)
    assert "Your prediction: 400\n" in said
    assert said.endswith("Now write the line below ⑤ again and save: that repairs it.\n")

    copy.write_bytes(original)
    _, said = broken("5", "--edit", "--explain", "The API remembers nothing of the call.")
    assert "Repaired: with the line below ⑤ back, both sides are the same.\n" in said
    assert said.endswith("Exercise 5 is done.\nNext exercise: bareloop break 6\n")
    assert kept(data)["decision"]["edits"] == 1


def test_a_copy_may_be_repaired_in_other_words(broken: Break, data: Path) -> None:
    copy = data / "lessons" / "decision" / "loop.py"
    broken("5", "--edit")
    original = loop_file().read_text("utf-8")
    line = "run.record(reply.content, reply)"
    other = original.replace(line, "run.record(reply=reply, content=reply.content)")
    copy.write_text(other, "utf-8")
    assert broken("5", "--edit")[1].endswith(
        "\nBoth sides are the same.\nThe changed side ends: ④ end: answered, complete, an answer\n"
    )
    assert kept(data)["decision"]["repaired_at"] == ""
    copy.write_text(original.replace(line, ""), "utf-8")
    broken("5", "--edit")
    copy.write_text(other, "utf-8")
    assert "Repaired: with the line below ⑤ back" in broken("5", "--edit")[1]
    assert kept(data)["decision"]["repair"] == "run.record(reply=reply, content=reply.content)"


def test_reset_puts_the_copy_back_and_keeps_what_was_done_apart(broken: Break, data: Path) -> None:
    copy = data / "lessons" / "decision" / "loop.py"
    broken("5", "--edit", "--predict", "one")
    copy.write_text("broken", "utf-8")
    assert broken("5", "--reset") == (
        0,
        f"The working copy is as the original again:\n{copy}\n"
        "Exercise 5 starts anew. What was written before is kept apart.\n",
    )
    assert copy.read_bytes() == loop_file().read_bytes() and kept(data) == {}
    earlier = json.loads((data / "lessons" / "progress.json").read_text("utf-8"))["earlier"]
    assert [(each["name"], each["prediction"]) for each in earlier] == [("decision", "one")]
    broken("5", "--predict", "two")
    assert kept(data)["decision"]["prediction"] == "two"


def test_what_cannot_be_used_is_said_in_a_sentence(
    broken: Break, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for wanted in ("0", "99", "⑨", "nothing"):
        code, said = broken(wanted)
        assert code == 2 and said.startswith(f"There is no exercise {wanted}: give a number")
    for option in (("--edit",), ("--repair", "pass")):
        code, said = broken("9", *option)
        assert code == 2 and said.startswith("Exercise 9 changes no line of the loop")
    copy = data / "lessons" / "decision" / "loop.py"
    broken("5", "--edit")
    copy.write_bytes(b"\xff\xfe\xff")
    assert "The working copy is not UTF-8" in broken("5", "--edit")[1]


def test_a_place_that_takes_nothing_is_said_in_a_sentence(
    broken: Break, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "file"))
    code, said = broken("5")
    assert code == 2 and said.startswith("What was done so far cannot be read: ")


def test_windows_that_write_at_once_lose_nothing(data: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from agent.lessons.progress import Progress\n"
        "progress = Progress.read(Path(sys.argv[1]))\n"
        "print(flush=True); input()\n"
        "for count in range(1, 101): progress.keep(sys.argv[2], hints=count)"
    )
    names = [each.name for each in exercises()][:4]
    windows = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(data), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )
        for name in names
    ]  # fmt: skip
    for each in windows:
        assert each.stdout and each.stdout.readline() == "\n"
    for each in windows:
        assert each.stdin and each.stdin.write("\n") and each.stdin.flush() is None
    for each in windows:
        each.communicate()
    assert [each.returncode for each in windows] == [0] * 4
    assert {name: work["hints"] for name, work in kept(data).items()} == dict.fromkeys(names, 100)


def test_two_windows_do_not_lose_each_others_work(broken: Break, data: Path) -> None:
    from agent.lessons.progress import Progress

    other = Progress.read(data)
    broken("5", "--predict", "here")
    other.keep("act", prediction="there")
    assert kept(data)["decision"]["prediction"] == "here"
    assert kept(data)["act"]["prediction"] == "there"


def test_a_report_for_the_teacher(broken: Break, data: Path, tmp_path: Path) -> None:
    broken("5", "--predict", "=1+1 <b>", "--explain", "API는 기억이 없다", lang="ko")
    broken("5", "--hint", lang="ko")
    page, table = tmp_path / "class.html", tmp_path / "class.csv"
    told = broken("--report", str(tmp_path / "class.html"), lang="ko")
    assert told == (0, f"썼습니다: {page}\n썼습니다: {table}\n")
    rows = [*csv.DictReader(table.read_text("utf-8-sig").splitlines())]
    assert [row["번호"] for row in rows] == [str(each.number) for each in exercises()]
    row = rows[4]
    assert row["예측"] == "'=1+1 <b>" and row["설명"] == "API는 기억이 없다"
    assert (row["낱말이 나온 생각"], row["힌트"], row["실행"]) == ("1/2", "1", "1")
    assert "이름" not in row
    body = ElementTree.fromstring(page.read_text("utf-8").partition("\n")[2])
    cells = [cell.text for cell in body.iter("{http://www.w3.org/1999/xhtml}td")]
    assert "=1+1 <b>" in cells and "김하나" not in page.read_text("utf-8")

    broken("--report", str(page), "--name", "김하나", lang="ko")
    assert "김하나" in page.read_text("utf-8")
    assert next(csv.DictReader(table.read_text("utf-8-sig").splitlines()))["이름"] == "김하나"
    code, said = broken("--report", str(tmp_path / "nowhere" / "x.html"))
    assert code == 2 and "Name another folder." in said


@pytest.mark.parametrize("ending", [".html", ".csv"])
def test_a_report_is_written_over_nothing_else(broken: Break, tmp_path: Path, ending: str) -> None:
    """A table with our page beside it is ours, whatever a spreadsheet made of it."""
    mine = tmp_path / f"class{ending}"
    mine.write_text("\ufeffname\n김하나\n", "utf-8")
    code, said = broken("--report", str(tmp_path / "class"))
    assert code == 2 and said.count("\n") == 1 and f"{mine} is there already" in said
    assert [*tmp_path.glob("class*")] == [mine] and "김하나" in mine.read_text("utf-8")
    mine.unlink()
    assert broken("--report", str(tmp_path / "class"))[0] == 0
    (tmp_path / "class.csv").write_text("1;2", "utf-8")
    assert broken("--report", str(tmp_path / "class"))[0] == 0
    assert "1;2" not in (tmp_path / "class.csv").read_text("utf-8")


def test_ideas_add_up_over_sentences(broken: Break, data: Path) -> None:
    """Nothing that was written is lost: not by a worse sentence, and not by none."""
    assert "Ideas still to mention: 1." in broken("5", "--explain", "API는 기억이 없다")[1]
    broken("5", "--explain", "so what")
    assert broken("5", "--explain", " ", lang="ko") == (
        2,
        "--explain 뒤가 비어 있습니다. 앞서 적은 것은 그대로이니, 적을 말을 따옴표 안에 써 "
        "주세요.\n",
    )
    work = kept(data)["decision"]
    assert (work["explanation"], work["mentioned"]) == ("API는 기억이 없다\nso what", 1)
    said = broken("5", "--explain", "A result must follow its call.")[1]
    assert "Words of every idea that matters were there." in said
    broken("5", "--explain", "so what")
    assert kept(data)["decision"]["mentioned"] == 2


def test_a_misconception_is_told_as_a_thought_to_look_at_again(broken: Break, data: Path) -> None:
    _, said = broken("5", "--explain", "같은 도구를 또 부른다", lang="ko")
    assert "이 생각은 다시 살펴보세요: 같은 도구를 또 부른다.\n" in said
    assert "이 생각의 낱말이" not in said and kept(data)["decision"]["mentioned"] == 0


def test_a_repair_that_is_done_stays(broken: Break, data: Path) -> None:
    right = "run.record(reply.content, reply)"
    broken("5", "--explain", "why")
    broken("5", "--repair", "pass")
    assert kept(data)["decision"]["repair"] == "pass"
    broken("5", "--repair", right)
    done = kept(data)["decision"]
    for wrong in ("pass", "run.record("):
        code, said = broken("5", "--repair", wrong)
        assert code == 1 and f"The line that repaired it before stays: {right}\n" in said
    assert broken("5", "--repair", "run.record(reply.content)")[0] == 0
    assert kept(data)["decision"] == done and done["repair"] == right


def test_the_next_exercise_is_one_that_is_not_done(broken: Break) -> None:
    for number in ("5", "7"):
        broken(number, "--explain", "why")
        anchor = find_exercise(number).anchor
        assert anchor is not None
        said = broken(number, "--repair", anchor.text)[1]
    assert said.endswith("Next exercise: bareloop break 8\n")
    assert broken()[1].endswith("Next exercise: bareloop break 1\n")
    broken("5")
    assert broken("5", "--explain", "why")[1].endswith("Next exercise: bareloop break 6\n")
    last = len(exercises())
    assert broken(str(last), "--explain", "why")[1].endswith("Next exercise: bareloop break 1\n")


@pytest.mark.parametrize("wanted", ["5", "05", "５", " 5 ", "⑤", "decision"])
def test_a_number_is_a_number_however_it_is_written(broken: Break, wanted: str) -> None:
    assert "Exercise 5 · ⑤" in broken(wanted)[1]


def test_the_report_says_when_a_prediction_was_made(
    broken: Break, data: Path, tmp_path: Path
) -> None:
    broken("5", "--predict", "before")
    first = kept(data)["decision"]["ran_at"]
    broken("6")
    broken("6", "--predict", "after")
    broken("7")
    progress = data / "lessons" / "progress.json"
    progress.write_text(progress.read_text("utf-8").replace(str(first), "2026-01-01T00:00:00"))
    broken("5")
    assert kept(data)["decision"]["ran_at"] == "2026-01-01T00:00:00"
    for language, heading, told in (
        ("en", "predicted", ["before the run", "after the run", ""]),
        ("ko", "예측의 때", ["실행 전", "실행 후", ""]),
    ):
        broken("--report", str(tmp_path / "x.html"), lang=language)
        rows = [*csv.DictReader((tmp_path / "x.csv").read_text("utf-8-sig").splitlines())]
        assert [row[heading] for row in rows[4:7]] == told
        assert "before the run." not in (tmp_path / "x.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (".", "report"),
        ("", None),
        (" ", None),
        ("folder", "folder/report"),
        ("folder/", "folder/report"),
        ("class.3-2", "class.3-2"),
        ("class.html", "class"),
        ("class.CSV", "class"),
        ("반 1", "반 1"),
        ("new/", None),
        ("class.html/x", None),
        ("x" * 300, None),
    ],
)
def test_where_a_report_goes(
    broken: Break, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, written: str | None
) -> None:
    place = tmp_path / "place"
    (place / "folder").mkdir(parents=True)
    (place / "class.html").write_text("", "utf-8")
    monkeypatch.chdir(place)
    code, said = broken("--report", given)
    if written is None:
        assert code == 2 and said.count("\n") == 1
        assert not [*place.rglob("*.csv")]
    else:
        assert (code, said) == (0, f"Written: {written}.html\nWritten: {written}.csv\n")
        assert (place / f"{written}.html").stat().st_size > 1000


def test_a_name_that_is_no_text_does_not_stop_a_report(broken: Break, tmp_path: Path) -> None:
    assert broken("--report", str(tmp_path), "--name", "\udcff")[0] == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("--reset", "--reset needs the number of an exercise"),
        ("--hint", "--hint needs the number of an exercise"),
        ("--edit", "--edit needs the number of an exercise"),
        ("--predict x", "--predict needs the number of an exercise"),
        ("--explain x", "--explain needs the number of an exercise"),
        ("--repair x", "--repair needs the number of an exercise"),
        ("--name x", "--name is for a report"),
        ("5 --name x", "--name is for a report"),
        ("5 --report x", "These do not go together: --report, 5."),
        ("--report x --verify", "These do not go together: --verify, --report."),
        ("--report x --predict y", "These do not go together: --report, --predict."),
        ("5 --verify --hint", "These do not go together: --verify, --hint."),
        ("5 --reset --edit", "These do not go together: --reset, --edit."),
        ("5 --hint --explain x", "These do not go together: --hint, --explain."),
        ("5 --edit --repair x", "These do not go together: --edit, --repair."),
        ("5 --predict ? --explain x", "These do not go together: --predict, --explain."),
        ("5 --repair bareloop", "--repair was given a bareloop command"),
    ],
)
def test_no_option_is_dropped_silently(
    broken: Break, data: Path, tmp_path: Path, given: str, told: str
) -> None:
    code, said = broken(*given.split())
    assert code == 2 and said.startswith(told) and said.count("\n") == 1
    assert not data.exists()
    assert re.search("[가-힣]", broken(*given.split(), lang="ko")[1])


def test_options_that_go_together(broken: Break, data: Path) -> None:
    said = broken("5", "--predict", "a", "--explain", "b", "--repair", "pass")[1]
    assert "Your prediction: a" in said and "Ideas still to mention" in said
    said = broken("6", "--edit", "--predict", "a", "--explain", "bareloops are loops")[1]
    assert "Ideas still to mention" in said and "The working copy" in said
    assert kept(data)["act"]["explanation"] == "bareloops are loops"


def test_a_command_or_a_question_mark_is_no_answer(broken: Break, data: Path) -> None:
    for option in ("--predict", "--explain", "--repair"):
        for given in ("bareloop break 7 --hint", "$ bareloop break"):
            code, said = broken("5", option, given)
            assert code == 2 and said.startswith(f"{option} was given a bareloop command")
    assert not data.exists()
    for given in ("?", " ？ "):
        assert broken("5", "--predict", given)[1].startswith("Hint ")
    assert kept(data)["decision"]["prediction"] == "" and kept(data)["decision"]["runs"] == 0


@pytest.mark.parametrize(
    ("environ", "given"),
    [
        ({}, ["99"]),
        ({}, ["--report", "/dev/null/x"]),
        ({"BARELOOP_DATA": "/dev/null/x"}, ["5"]),
        ({"BARELOOP_DATA": "/proc/1/nothing"}, ["5", "--hint"]),
    ],
)
def test_an_error_is_told_in_the_language_that_was_asked_for(
    broken: Break, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], given: list[str]
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    for preferred, lang in (("en", "ko"), ("ko", "en")):
        monkeypatch.setenv("BARELOOP_LANG", preferred)
        code, said = broken(*given, lang=lang)
        assert code == 2 and bool(re.search("[가-힣]", said)) is (lang == "ko")


DEEP = "[" * 100_000 + "]" * 100_000
EMPTY = '{"version": 1, "exercises": {}, "earlier": []}'


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "{}",
        "[]",
        DEEP,
        EMPTY.replace('"version": 1, ', ""),
        EMPTY.replace("1", '"1"'),
        EMPTY.replace("[]", '{"a": 1}'),
        EMPTY.replace("[]", "[1]"),
        EMPTY.replace("{}", '{"act": {"runs": "2"}}'),
        EMPTY.replace("{}", '{"act": {"hints": -9}}'),
        EMPTY.replace("{}", '{"act": {"other": 1}}'),
        EMPTY.replace("{}", '{"act": []}'),
    ],
)
def test_a_damaged_file_is_left_as_it_is_until_a_reset(
    broken: Break, data: Path, damaged: str
) -> None:
    progress = data / "lessons" / "progress.json"
    progress.parent.mkdir(parents=True)
    progress.write_text(damaged, "utf-8")
    for given in ([], ["5"], ["5", "--hint"], ["--report", "x"]):
        code, said = broken(*given)
        assert code == 2 and "is damaged" in said
    assert progress.read_text("utf-8") == damaged
    for number in (1, 2):
        aside = progress.with_name(f"progress-damaged-{number}.json")
        code, said = broken("5", "--reset")
        assert code == 0 and f"Every exercise starts anew:\n{aside}\n" in said
        assert aside.read_text("utf-8") == damaged
        progress.write_text(damaged, "utf-8")


def test_a_file_that_is_fine_is_no_damage(broken: Break, data: Path) -> None:
    progress = data / "lessons" / "progress.json"
    progress.parent.mkdir(parents=True)
    for fine in (EMPTY, EMPTY.replace("[]", '[{"a": 1}]').replace("{}", '{"new": {"runs": 2}}')):
        progress.write_text(fine, "utf-8")
        assert broken("5", "--hint")[0] == 0
        now, before = json.loads(progress.read_text("utf-8")), json.loads(fine)
        assert now["earlier"] == before["earlier"]
        assert all(now["exercises"][name]["runs"] == 2 for name in before["exercises"])


def test_the_file_of_a_newer_bareloop_is_not_touched(broken: Break, data: Path) -> None:
    progress = data / "lessons" / "progress.json"
    progress.parent.mkdir(parents=True)
    for newer in ('{"version": 2}', EMPTY.replace("1", "99")):
        progress.write_text(newer, "utf-8")
        for given in (["5", "--hint"], ["5", "--reset"], []):
            code, said = broken(*given)
            assert code == 2 and "by a newer bareloop (version " in said
        assert progress.read_text("utf-8") == newer


def test_a_reset_that_cannot_be_kept_starts_nothing_anew(
    broken: Break, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BARELOOP_DATA", "/proc/1/nothing")
    code, said = broken("5", "--reset")
    assert code == 2 and said.startswith("What you did could not be kept")


def test_a_reset_of_nothing_says_so(broken: Break) -> None:
    said = "Nothing was written for exercise 5 yet; it starts from the beginning.\n"
    assert broken("5", "--reset") == (0, said)


def test_a_copy_of_what_is_repaired_can_be_broken_again(broken: Break, data: Path) -> None:
    copy = data / "lessons" / "decision" / "loop.py"
    right = "run.record(reply.content, reply)"
    broken("5", "--repair", right)
    code, said = broken("5", "--edit")
    assert code == 0 and said.endswith(
        f"This was repaired already: {right}. To do it again:\nDelete line 34 and save: {right}\n"
    )
    assert "Repaired" not in said
    copy.write_text(copy.read_text("utf-8").replace(right, ""), "utf-8")
    assert broken("5", "--edit")[1].endswith(
        "Now write the line below ⑤ again and save: that repairs it.\n"
    )
    copy.write_bytes(loop_file().read_bytes())
    assert "Repaired: with the line below ⑤ back" in broken("5", "--edit")[1]


def test_a_repaired_line_is_kept_wherever_it_stands(broken: Break, data: Path) -> None:
    """A copy without its comments is shorter than the original."""
    copy = data / "lessons" / "cap" / "loop.py"
    broken("8", "--edit")
    lines = loop_file().read_text("utf-8").splitlines()
    kept_lines = [line for line in lines if "#" not in line]
    copy.write_text("\n".join(kept_lines[:-1]), "utf-8")
    assert "Now write the line" in broken("8", "--edit")[1]
    copy.write_text("\n".join(kept_lines), "utf-8")
    broken("8", "--edit")
    assert kept(data)["cap"]["repair"] == 'return run.finish(stopped("max_steps"))'


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("run.record(reply.content, reply)", "await x", "Python cannot read line 34: await x ("),
        ("run.record(reply.content, reply)", "x = \0", "Python cannot read line 34: x ="),
        ("run.record(reply.content, reply)", "(" * 9000, "Python cannot read line 34: ((("),
        ("a retry is a model around", "a retry is around", "Line 21 was changed: calls, a retry"),
        ("    model: Model,", "    model,", "Line 13 was changed: model: Model, ("),
        ("", "", "There is no code in the working copy."),
    ],
)
def test_a_wrong_copy_without_a_terminal_is_no_success(
    broken: Break, data: Path, old: str, new: str, told: str
) -> None:
    copy = data / "lessons" / "decision" / "loop.py"
    broken("5", "--edit")
    copy.write_text(
        loop_file().read_text("utf-8").replace(old, new) if old else "# gone\n", "utf-8"
    )
    code, said = broken("5", "--edit")
    assert code == 1 and told in said and len(said.splitlines()[-1]) < 300
    assert re.search("[가-힣]", broken("5", "--edit", lang="ko")[1])


def test_a_loop_without_its_head_is_told_how_to_lose_the_bound(broken: Break, data: Path) -> None:
    copy = data / "lessons" / "bound" / "loop.py"
    broken("2", "--edit")
    whole = loop_file().read_text("utf-8")
    head = next(line for line in whole.splitlines(True) if line.startswith("    for step"))
    copy.write_text(whole.replace(head, ""), "utf-8")
    code, said = broken("2", "--edit")
    assert code == 1
    told = said.splitlines()[-2:]
    assert told[0].startswith("Python cannot read line 28: ")
    assert told[1] == f"Make line 27 while True: and save: {head.strip()}"
    copy.write_text(whole.replace(head, "    while True:\n"), "utf-8")
    assert "the fuse blows" in broken("2", "--edit")[1]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("    break", "Python cannot read line 40: break ("),
        ("exit()", "before anything was asked: SystemExit None"),
        ("raise GeneratorExit", "before anything was asked: GeneratorExit"),
        ("while True: pass", "before anything was asked: FuseBlown"),
        ("del run_agent", "There is no run_agent left in the file"),
    ],
)
def test_a_copy_that_cannot_be_loaded_is_told(
    broken: Break, data: Path, line: str, told: str
) -> None:
    copy = data / "lessons" / "cap" / "loop.py"
    broken("8", "--edit")
    copy.write_text(
        copy.read_text("utf-8").replace('    return run.finish(stopped("max_steps"))', line),
        "utf-8",
    )
    code, said = broken("8", "--edit")
    assert code == 1 and told in said


def test_lines_are_lines(broken: Break) -> None:
    assert "Delete lines 31-32 and save" in broken("4", "--edit")[1]
    assert "31~32번째 줄을 지우고" in broken("4", "--edit", lang="ko")[1]


def test_the_advice_for_users_is_explained_where_the_history_is_refused(broken: Break) -> None:
    said = {number: broken(number, lang="ko")[1] for number in ("1", "5", "9", "3", "4", "8")}
    told = [number for number, text in said.items() if "'다시 물어 주세요'는" in text]
    assert told == ["1", "5", "9"]


EDITED = [
    ("        run.record(reply.content, reply)\n", "\n", "the line below ⑤ is missing"),
    ("    # ② a bounded", "    # a bounded", "the line below ② is missing"),
    ("    for step in", "    for step", "cannot run it (agent/loop.py:27, SyntaxError: "),
    (
        "from agent.run import Run",
        "from agent.run import Ran",
        "cannot run it (agent/loop.py:7, ImportError: cannot import name 'Ran'",
    ),
    ("reply.content, reply)", "None)", "so that the whole loop ends otherwise"),
]


def copied_loop(tmp_path: Path) -> Path:
    for folder in ("agent", "tools"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path / "agent" / "loop.py"


def test_an_original_in_another_encoding_is_told(python, tmp_path: Path) -> None:
    """Python runs it; what is shown, and compared with a copy, is UTF-8."""
    loop = copied_loop(tmp_path)
    loop.write_bytes(b"# coding: cp949\n" + loop.read_text("utf-8").encode("cp949"))
    environ = {"BARELOOP_DATA": str(tmp_path / "data"), "PYTHONPATH": str(tmp_path)}
    done = python("-m", "agent.cli", "break", "5", cwd=tmp_path, BARELOOP_LANG="en", **environ)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "cannot run it (agent/loop.py:1, UnicodeDecodeError: 'utf-8' codec" in done.stderr


@pytest.mark.parametrize(("old", "new", "told"), EDITED)
def test_an_original_that_was_edited_is_told(
    python, tmp_path: Path, old: str, new: str, told: str
) -> None:
    loop = copied_loop(tmp_path)
    source = loop.read_text("utf-8")
    assert source.count(old) == 1
    loop.write_text(source.replace(old, new), "utf-8")
    environ = {"BARELOOP_DATA": str(tmp_path / "data"), "PYTHONPATH": str(tmp_path)}
    done = python("-m", "agent.cli", "break", "5", cwd=tmp_path, BARELOOP_LANG="en", **environ)
    assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") == 1
    assert "git checkout agent/loop.py" in done.stderr
    korean = python("-m", "agent.cli", "break", "5", "--lang", "ko", cwd=tmp_path, **environ)
    assert korean.stderr.startswith("원본 agent/loop.py가 바뀌어") and korean.returncode == 2


def test_a_reader_who_saw_enough_is_no_fault(tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m agent.cli break 5 | head -n 1; echo ${{PIPESTATUS[0]}}'
    environ = {"BARELOOP_DATA": str(tmp_path), "PATH": "/usr/bin:/bin", "BARELOOP_LANG": "en"}
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, encoding="utf-8", cwd=ROOT, env=environ
    )
    assert done.stdout == "Exercise 5 · ⑤ Record the model's decision\n0\n" and done.stderr == ""
    full = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m agent.cli break 5 >/dev/full'],
        capture_output=True, encoding="utf-8", cwd=ROOT, env=environ,
    )  # fmt: skip
    assert full.returncode == 1
    assert full.stderr == "Something could not be read or written (No space left on device).\n"


def test_verify_speaks_for_every_exercise(broken: Break) -> None:
    code, said = broken("--verify")
    assert code == 0
    assert said.splitlines() == [f"{each.number} {each.name}: fine" for each in exercises()]
    assert broken("5", "--verify") == (0, "5 decision: fine\n")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"hints": {"ko": ["하나", "둘", "셋"], "en": ["one", "two"]}}, "hints.en is not written"),
        ({"hints": {"ko": ["하나", " ", "셋"], "en": ["1", "2", "3"]}}, "hints.ko is not written"),
        ({"question": {"ko": "", "en": "?"}}, "question.ko is not written"),
        ({"question": {"ko": "?", "en": ""}}, "question.en is not written"),
        ({"sound": Signature({})}, "sound is not written"),
        ({"broken": Signature({})}, "broken is not written"),
        ({"ideas": ()}, "ideas.ko is not written; ideas.en is not written"),
        (
            {"misconceptions": ()},
            "misconceptions.ko is not written; misconceptions.en is not written",
        ),
        ({"explained": {"ko": "", "en": "?"}}, "explained.ko is not written"),
        (
            {
                "ideas": (
                    Idea({"ko": "기억", "en": "memory"}, {"ko": ("API|기억",), "en": ("a", "b")}),
                )
            },
            "ideas.words.ko is not written",
        ),
        ({"scenario": "nothing"}, "scenario is not written"),
        ({"mark": "⑨"}, "anchor is not written"),
        (
            {"sound": Signature({"requests": 3})},
            "ko: sound.requests: 4, not 3; en: sound.requests: 4, not 3",
        ),
        (
            {"broken": Signature({"end": "returned"})},
            "ko: the broken signature holds for the other side too; "
            "en: the broken signature holds for the other side too",
        ),
        (
            {"sound": Signature({"end": "returned"})},
            "ko: the sound signature holds for the other side too; "
            "en: the sound signature holds for the other side too",
        ),
    ],
)
def test_verify_refuses_what_is_not_whole(change: dict[str, object], told: str) -> None:
    lines: list[str] = []
    exercise = replace(find_exercise("5"), **change)
    assert verify([exercise], "en", lines.append) is False
    assert lines == [f"5 decision: wrong: {told}"]


def five(**change: object) -> list[str]:
    return list(faults(replace(find_exercise("5"), **change), "en"))


def test_verify_reads_the_examples() -> None:
    """Just outside what is fine: an idea that is not heard, a misconception in what is right, one
    that is credited or not seen, and a word of one syllable."""
    whole = find_exercise("5")
    assert five() == []
    for language, said in (("ko", "API는 기억이 없다."), ("en", "The API remembers nothing.")):
        less = {**whole.explained, language: said}
        assert five(explained=less) == [f"lacks an idea, or is taken for a misconception: {said}"]
        wrong = f"{whole.explained[language]} {whole.misconceptions[0].told[language]}"
        assert len(five(explained={**whole.explained, language: wrong})) == 1
        both = f"{whole.misconceptions[0].told[language]} {whole.explained[language]}"
        for taken in (whole.explained[language], "?", both):
            first = whole.misconceptions[0]
            told = replace(first, told={**first.told, language: taken})
            assert five(misconceptions=(told,)) == [
                f"is taken for no misconception, or for an idea: {taken}"
            ]
    idea = whole.ideas[0]
    short = replace(idea, words={**idea.words, "ko": (*idea.words["ko"], "API|비")})
    assert "this word is too short: 비" in five(ideas=(short, whole.ideas[1]))
    long = replace(idea, words={**idea.words, "ko": ("API|비가", *idea.words["ko"][1:])})
    assert five(ideas=(long, whole.ideas[1])) == []


def test_a_break_that_goes_unnoticed_is_refused() -> None:
    """⑧ in a run that never comes to it."""
    unnoticed = replace(
        find_exercise("⑧"),
        scenario="invoice",
        sound=Signature({"stop_reason": "answered"}),
        broken=Signature({"stop_reason": "answered"}),
    )
    assert "ko: both sides are the same" in list(faults(unnoticed, "en"))


def test_an_empty_file_of_exercises_has_none(tmp_path: Path) -> None:
    path = tmp_path / "exercises.toml"
    path.write_text("", "utf-8")
    assert read_exercises(path) == []
    path.write_text("[[exercise]]\n", "utf-8")
    (bare,) = read_exercises(path)
    assert {"question.ko", "question.en", "hints.ko", "sound", "broken"} <= {*bare.faults()}


def test_break_loads_nothing_heavy_for_its_list(tmp_path: Path) -> None:
    heavy = re.compile(r"\b(google\.genai|duckduckgo_search|prompt_toolkit|tantivy|rich)\b")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "agent.cli", "break"],
        env={"BARELOOP_DATA": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert heavy.findall(done.stderr) == []
