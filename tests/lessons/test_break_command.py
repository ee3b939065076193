"""``bareloop break`` without a terminal: what a newcomer, a script and a teacher do with it."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agent.cli import main
from agent.lessons.anchors import MARKS, loop_file
from agent.lessons.exercises import Idea, exercises, find_exercise, read_exercises
from agent.lessons.explaining import mentioned
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
Next, explain why: bareloop break 5 --explain "..."
"""


def test_a_newcomer_needs_four_commands(bareloop, tmp_path: Path) -> None:
    """``make setup`` is the first; then predict, explain and repair."""

    def run(*arguments: str) -> str:
        done = bareloop("break", "5", *arguments, BARELOOP_DATA=str(tmp_path), COLUMNS="80")
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert run("--predict", "It answers at step 2.") == FIRST
    told = run("--explain", "The API remembers nothing, so the result comes without its call.")
    assert told == (
        "You said that the API remembers nothing and sees only the history\n"
        "You said that a result must follow the call it answers\n"
        "The ideas that matter are in it. No grade: only words were looked at.\n"
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
    assert kept(data)["decision"]["runs"] == 0

    copy.write_bytes(b"".join(lines[:33] + lines[34:]))
    _, said = broken("5", "--edit")
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
    for damaged in ("", "{}", "[]", '{"exercises": {"act": {"runs": "2"}}, "earlier": []}'):
        (data / "lessons" / "progress.json").write_text(damaged, "utf-8")
        code, said = broken("5")
        assert code == 2 and "is damaged" in said
        assert (data / "lessons" / "progress.json").read_text("utf-8") == damaged


def test_a_place_that_takes_nothing_is_said_in_a_sentence(
    broken: Break, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "file"))
    code, said = broken("5")
    assert code == 2 and said.startswith("What was done so far cannot be read: ")


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
    assert (row["말한 생각"], row["힌트"], row["실행"]) == ("1/2", "1", "1")
    assert "이름" not in row
    body = ElementTree.fromstring(page.read_text("utf-8").partition("\n")[2])
    cells = [cell.text for cell in body.iter("{http://www.w3.org/1999/xhtml}td")]
    assert "=1+1 <b>" in cells and "김하나" not in page.read_text("utf-8")

    broken("--report", str(page), "--name", "김하나", lang="ko")
    assert "김하나" in page.read_text("utf-8")
    assert next(csv.DictReader(table.read_text("utf-8-sig").splitlines()))["이름"] == "김하나"
    code, said = broken("--report", str(tmp_path / "nowhere" / "x.html"))
    assert code == 2 and "Name another folder." in said


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("API는 기억이 없다", [True, False]),
        ("결과보다 호출이 먼저다", [False, True]),
        ("stateless", [True, False]),
        ("I recall nothing", [False, False]),
        ("calling comes first, MEMORY second", [True, True]),
        ("", [False, False]),
    ],
)
def test_an_explanation_is_read_for_words(said: str, found: list[bool]) -> None:
    assert mentioned(said, find_exercise("5").ideas) == found


def test_a_number_is_no_part_of_another() -> None:
    idea = Idea({"ko": "둘", "en": "two"}, ("2",))
    assert mentioned("2개", [idea]) == [True] and mentioned("12, 20", [idea]) == [False]


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
