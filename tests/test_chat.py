"""The chat through a pipe: commands, conversations on disk, and what comes of them."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.catalogue import SENTENCES
from agent.chat.commands import COMMANDS
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve

ROOT = Path(__file__).parent.parent
OFFICE = str(ROOT / "tests/data/office")
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def chat(bareloop: Command, data: Path) -> Command:
    """Say these lines to the chat, in Korean: chat("질문", "/why", arguments=["--docs", ...])."""

    def run(*lines: str, arguments: list[str] | None = None, **variables: Any) -> Any:
        environ = {"BARELOOP_LANG": "ko", "BARELOOP_DATA": str(data), **variables}
        said = "".join(f"{line}\n" for line in lines)
        done = bareloop("chat", *(arguments or []), stdin=said, **environ)
        assert "Traceback" not in done.stderr
        return done

    return run


def sessions(data: Path) -> list[Path]:
    return sorted((data / "sessions").glob("*.jsonl"))


def told(done: subprocess.CompletedProcess[str]) -> str:
    """What stands after the last answer's line of figures, or everything."""
    return done.stdout.rpartition("· offline\n")[2]


def test_help_tells_every_command_in_both_languages(chat: Command) -> None:
    for language in ("ko", "en"):
        done = chat("/help", BARELOOP_LANG=language)
        assert re.findall(r"^/(\w+)", done.stdout, re.MULTILINE) == list(COMMANDS)
        assert {f"chat.help.{name}" for name in COMMANDS} <= set(SENTENCES)
        assert ("답 찾기를 멈춤" in done.stdout) == (language == "ko")


@pytest.mark.parametrize(
    ("given", "nearest"),
    [("/evidnce", "/evidence"), ("/quti", "/quit"), ("/exprot md", "/export"), ("/zzz", "/help")],
)
def test_an_unknown_command_names_the_nearest(chat: Command, given: str, nearest: str) -> None:
    done = chat(given)
    assert done.stdout.endswith(f"없는 명령입니다. 혹시 {nearest}?\n") and done.returncode == 0


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("/evidence", "아직 찾은 근거가 없습니다"),
        ("/why", "아직 질문이 없습니다"),
        ("/trace", "아직 질문이 없습니다"),
        ("/history", "아직 질문이 없습니다"),
        ("/save 제목", "아직 질문이 없습니다"),
        ("/export md", "아직 질문이 없습니다"),
        ("/export html", "/export md"),
        ("/smoke", "파일 이름"),
        ("/docs", "폴더를 적어"),
        ("/docs /nowhere/at/all", "폴더가 없습니다"),
        ("/corpus nowhere", "billing"),
        ("/lang fr", "/lang ko"),
        ("/resume", "저장된 대화가 없습니다"),
        ("/resume 2026", "저장된 대화가 없습니다"),
    ],
)
def test_what_a_command_cannot_do_is_one_sentence(chat: Command, line: str, part: str) -> None:
    done = chat(line, "/lang en")
    first, *_ = done.stdout.splitlines()
    assert part in first and done.stdout.endswith("Messages are in English now.\n")


def test_the_place_can_be_changed(chat: Command) -> None:
    done = chat("/corpus", "/corpus billing", "노트북?", f"/docs {OFFICE}", "노트북을 잃어버리면?")
    assert "billing" in done.stdout.splitlines()[0]
    assert f"찾을 곳: {OFFICE}" in done.stdout
    assert "상태: unsupported" in done.stdout and "[보안.txt:2]" in done.stdout
    again = chat("/corpus", arguments=["--continue"])
    assert again.stdout.endswith(f"지금 찾는 곳: {OFFICE}\n")
    moved = chat("/corpus", arguments=["--continue", "--corpus", "billing"])
    assert moved.stdout.endswith("지금 찾는 곳: billing\n")


EVIDENCE = """\
[steps-1] Invoice export: open Billing, select an invoice, then choose Export.
"""


def test_evidence_and_plan(chat: Command) -> None:
    arguments = ["--max-searches", "2"]
    done = chat("청구서를 내보내려면?", "/evidence", arguments=arguments)
    assert told(done) == EVIDENCE
    done = chat("청구서를 내보내려면?", "/evidence [steps-1]", arguments=arguments)
    assert told(done) == (
        "[steps-1] billing\nInvoice export: open Billing, select an invoice, then choose Export.\n"
    )
    done = chat("청구서를 내보내려면?", "/evidence step-1", arguments=arguments)
    assert told(done) == "[step-1] 근거는 없습니다. 비슷한 것: steps-1\n"
    done = chat("청구서를 내보내려면?", "/plan", arguments=arguments)
    lines = told(done).splitlines()
    assert lines[:2] == ["마지막 질문: steps = [steps-1]", "마지막 질문: permission 없음"]
    assert "billing: invoice, export" in lines
    assert "permission: Which role the task needs (authorization / billing permission)" in (
        told(done)
    )


WHY = """\
질문: 청구서를 내보내려면?
검색 예산 2회를 다 써서 멈췄습니다. 부족한 근거: permission.
상태 incomplete: 필요한 근거가 모자라거나 제대로 인용되지 않았습니다.
1. find_steps(invoice export) -> steps-1; 부족: permission
2. find_permission(authorization) -> 없음; 부족: permission
쓴 것: 8단계 가운데 2, 검색 2회 가운데 2
"""


def test_why_and_trace(chat: Command) -> None:
    done = chat("청구서를 내보내려면?", "/why", arguments=["--max-searches", "2"])
    assert told(done) == WHY
    done = chat("청구서를 내보내려면?", "/trace", arguments=["--max-searches", "2"])
    kinds = [re.sub(r" · \d+자$", "", line) for line in told(done).splitlines()]
    assert kinds == [
        "1. 질문",
        "2. 모델의 호출 find_steps",
        "3. 도구의 결과 find_steps",
        "4. 모델의 호출 find_permission",
        "5. 도구의 결과 find_permission",
        "6. 모델의 글",
    ]
    english = chat("weather?", "/why", BARELOOP_LANG="")
    assert "status unsupported: no corpus fits, and no model was asked." in english.stdout


@pytest.mark.parametrize(
    ("question", "arguments", "used"),
    [
        ("연차와 병가, 출장 식비를 알려줘", ["--docs", OFFICE], "검색 15회 가운데 3"),
        (
            "연차와 병가, 출장 식비를 알려줘",
            ["--docs", OFFICE, "--max-rounds", "2"],
            "10회 가운데 3",
        ),
        ("병가 진단서는?", ["--docs", OFFICE], "검색 3회 가운데 1"),
        ("병가 진단서는?", ["--docs", OFFICE, "--route", "simple"], "검색 1회 가운데 1"),
        ("병가 진단서는?", ["--docs", OFFICE, "--route", "complex"], "검색 15회 가운데 1"),
        ("청구서를 내보내려면?", [], "검색 3회 가운데 3"),
        ("프로젝트 X의 서버 사양은?", [], "검색 15회 가운데 2"),
    ],
)
def test_why_counts_against_the_budget_of_the_question(
    chat: Command, question: str, arguments: list[str], used: str
) -> None:
    assert used in chat(question, "/why", arguments=arguments).stdout


def test_what_is_only_polite_is_answered_in_kind_and_searches_nothing(chat: Command) -> None:
    done = chat("안녕하세요!", "노트북을 잃어버리면 어디에 알리나요?", "고마워", "/trace",
                arguments=["--docs", OFFICE])  # fmt: skip
    hello = SENTENCES["stop.unsupported.courtesy"][0]
    assert done.stdout.count(hello) == 2 and "보안팀 내선 119번" in done.stdout
    assert done.stdout.count("검색 0회") == 2 and "찾지 못했습니다" not in done.stdout
    assert [line[:8] for line in told(done).splitlines()] == ["1. 질문 · ", "2. 모델의 글"]


def test_a_conversation_is_kept_and_goes_on(chat: Command, data: Path) -> None:
    """For its owner only, readable Hangul, under a title; ids stay valid and budgets begin anew."""
    done = chat("노트북을 잃어버리면?", arguments=["--docs", OFFICE, "--max-searches", "1"])
    assert done.returncode == 0
    (path,) = sessions(data)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "노트북을 잃어버리면?" in path.read_text(encoding="utf-8")
    listed = chat(arguments=["--list"]).stdout
    assert listed.startswith(path.stem) and listed.endswith("질문 1개  노트북을 잃어버리면?\n")
    again = chat(
        "/evidence 보안.txt:2", "병가 진단서는?", "/evidence 보안.txt:2", "/save 휴가와 보안",
        arguments=["--resume", path.stem[:-2], "--max-searches", "1"],
    ).stdout  # fmt: skip
    assert again.startswith(f"이어서: 노트북을 잃어버리면? (질문 1개, {path.stem})\n")
    assert again.count("보안.txt\n노트북을 잃어버리면 한 시간 안에") == 2
    assert "검색 1회" in again and "[휴가.md:11]" in again
    assert sessions(data) == [path]
    assert "질문 2개  휴가와 보안" in chat("/resume").stdout


def test_clear_begins_anew_and_resume_goes_back(chat: Command, data: Path) -> None:
    done = chat("노트북을 잃어버리면?", "/clear", "/evidence", arguments=["--docs", OFFICE])
    (path,) = sessions(data)
    assert told(done) == (
        f"새 대화입니다. 앞의 대화는 저장되어 있습니다: /resume {path.stem}\n"
        "아직 찾은 근거가 없습니다.\n"
    )
    done = chat("날씨?", f"/resume {path.stem}", "/history", f"/resume {path.stem}")
    assert "1. 노트북을 잃어버리면? · open · answered" in done.stdout
    assert done.stdout.endswith("지금 그 대화를 하고 있습니다.\n")
    assert len(sessions(data)) == 2
    assert chat("/resume 20").stdout.startswith("번호가 20으로 시작하는 대화가 여럿입니다")
    assert chat("/resume 19").stdout.startswith("번호가 19로 시작하는 대화가 없습니다")


@pytest.mark.parametrize("cut", [20, 1])
def test_a_damaged_last_line_is_dropped_with_a_notice(chat: Command, data: Path, cut: int) -> None:
    arguments = ["--docs", OFFICE]
    chat("노트북을 잃어버리면?", "병가 진단서는?", arguments=arguments)
    (path,) = sessions(data)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    done = chat("연차는 며칠?", "/history", arguments=["--continue"])
    if cut == 1:  # only the end of the line is missing
        assert "질문 2개" in done.stdout
    else:
        assert "읽을 수 없는 줄 1개를 빼고 이어 갑니다." in done.stdout
        assert "이 질문은 끝나기 전에 끊겼습니다." in done.stdout
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)
    again = chat(arguments=["--continue"]).stdout
    assert "읽을 수 없는 줄" not in again and "질문 3개" in again


def test_a_conversation_that_another_window_has(chat: Command, data: Path) -> None:
    import fcntl

    chat("노트북을 잃어버리면?", arguments=["--docs", OFFICE])
    (path,) = sessions(data)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = chat("질문", arguments=["--continue"])
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "다른 창에서" in done.stderr
    assert chat("/history", arguments=["--continue"]).returncode == 0


def test_a_conversation_that_cannot_be_saved_goes_on(chat: Command, data: Path) -> None:
    data.write_text("no folder", encoding="utf-8")
    done = chat("청구서를 내보내려면?")
    assert done.returncode == 0 and "상태: complete" in done.stdout
    assert "끝까지 저장되지 않았습니다" in done.stderr


def test_conversations_that_cannot_be_listed_are_not_none(chat: Command, data: Path) -> None:
    assert "저장된 대화가 없습니다" in chat(arguments=["--list"]).stderr
    data.write_text("no folder", encoding="utf-8")
    for arguments in (["--list"], ["--continue"]):
        done = chat(arguments=arguments)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert "sessions를 열 수 없습니다" in done.stderr


@pytest.mark.parametrize("given", ["", " "])
def test_an_empty_id_is_not_the_latest_conversation(chat: Command, given: str) -> None:
    chat("노트북을 잃어버리면?", arguments=["--docs", OFFICE])
    done = chat("/history", arguments=["--resume", given])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("이어서 할 대화의 번호가 비어 있습니다")


def test_export(chat: Command, data: Path, tmp_path: Path) -> None:
    markdown, text = tmp_path / "대화.md", tmp_path / "대화.json"
    lines = ["청구서를 내보내려면?", "날씨는?", f"/export md {markdown}", f"/export json {text}"]
    done = chat(*lines, f"/export md {markdown}")
    assert f"{markdown} 파일을 썼습니다." in done.stdout
    assert done.stdout.endswith("이미 있어 그대로 두었습니다. 다른 이름을 적어 주세요.\n")
    assert stat.S_IMODE(markdown.stat().st_mode) == 0o600
    written = markdown.read_text(encoding="utf-8")
    assert written.startswith("# 청구서를 내보내려면?\n\n## 청구서를 내보내려면?\n\n오프라인 모델")
    assert "\n- [steps-1] Invoice export" in written and "\n`unsupported` · " in written
    records = json.loads(text.read_text(encoding="utf-8"))
    assert [record["status"] for record in records] == ["complete", "unsupported"]


def test_a_conversation_as_a_smoke_script(chat: Command, tmp_path: Path) -> None:
    script = tmp_path / "billing.yaml"
    done = chat("청구서를 내보내려면?", "날씨는?", f"/smoke {script}",
                arguments=["--max-searches", "2"])  # fmt: skip
    assert done.stdout.endswith("질문 2개와 그 결과를 썼습니다.\n")
    text = script.read_text(encoding="utf-8")
    assert "ask: 청구서를 내보내려면?" in text
    assert yaml.safe_load(text) == {
        "version": 1,
        "corpus": "billing",
        "model": "offline",
        "limits": {"max_steps": 8, "max_searches": 2},
        "turns": [
            {
                "ask": "청구서를 내보내려면?",
                "expect": {
                    "status": "incomplete",
                    "stop": "max_searches",
                    "missing": ["permission"],
                    "searches": 2,
                },
            },
            {
                "ask": "날씨는?",
                "expect": {
                    "status": "unsupported",
                    "stop": "unsupported",
                    "missing": [],
                    "searches": 0,
                },
            },
        ],
    }
    done = chat("청구서를 내보내려면?", f"/docs {OFFICE}", "노트북?", f"/smoke {tmp_path}/two.yaml")
    assert "대본 하나로 쓸 수 없습니다" in done.stdout and not (tmp_path / "two.yaml").exists()


def playing(*responses: dict[str, Any]) -> Any:
    return serve(responder=ScriptedGemini({"responses": [*responses]}))


def test_the_cost_is_that_of_the_price_list_or_said_to_be_unknown(chat: Command) -> None:
    def answer(model: str) -> dict[str, Any]:
        part = {"text": "내선 119번 [보안.txt:2]"}
        return {
            "body": {
                "candidates": [
                    {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
                ],
                "usageMetadata": {"promptTokenCount": 1_000_000, "candidatesTokenCount": 100_000},
                "modelVersion": model,
            }
        }

    for model, cost in (("gemini-3.8-flash", "· 약 $2.2500\n"), ("gemini-99", "· 비용 모름\n")):
        with playing(answer(model), answer(model)) as server:
            done = chat("노트북?", arguments=["--docs", OFFICE], GEMINI_API_KEY="x",
                        GOOGLE_GEMINI_BASE_URL=server.url)  # fmt: skip
        assert cost in done.stdout and "$0.0000" not in done.stdout


def test_quiet_json_and_events(bareloop: Command) -> None:
    question = "청구서를 내보내려면?"
    quiet = bareloop("ask", "--quiet", "-", stdin=question)
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert quiet.stdout.startswith("오프라인 모델") and "상태:" not in quiet.stdout
    missing = bareloop("ask", "--quiet", "--max-searches", "2", question)
    assert missing.stdout == "검색 예산 2회를 다 써서 멈췄습니다. 부족한 근거: permission.\n"
    lines = bareloop("ask", "--jsonl", question)
    events = [json.loads(line) for line in lines.stdout.splitlines()]
    assert (lines.returncode, lines.stderr) == (0, "")
    assert [each["event"] for each in events].count("search") == 3
    assert events[-1]["event"] == "end" and events[-1]["record"]["status"] == "complete"
    assert bareloop("ask", "--json", "--jsonl", question).returncode == 2


def test_events_come_while_it_runs(data: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", "ask", "--web", "--jsonl", "느린 버스"],
        stdout=subprocess.PIPE, cwd=ROOT,
        env={
            **{name: each for name, each in os.environ.items() if name != "PYTHONUNBUFFERED"},
            "BARELOOP_SEARCH": "tests.slow_web:Slow",
            "BARELOOP_DATA": str(data),
        },
    )  # fmt: skip
    assert process.stdout is not None
    started = time.monotonic()
    kinds = [json.loads(process.stdout.readline())["event"] for _ in range(6)]
    assert kinds == ["start", "route", "content", "request", "reply", "content"]
    assert process.poll() is None
    assert time.monotonic() - started < 10  # the search alone takes 15
    process.kill()
    process.wait()


def test_help_has_examples(bareloop: Command) -> None:
    for arguments in ([], ["ask"], ["chat"]):
        english = bareloop(*arguments, "--help", BARELOOP_LANG="en").stdout
        korean = bareloop(*arguments, "--help", BARELOOP_LANG="ko").stdout
        assert "\nexamples:\n  bareloop " in english and "\n예:\n  bareloop " in korean


def test_a_language_flag(bareloop: Command) -> None:
    assert bareloop("ask", "weather", "--lang", "ko").stdout.startswith("이 질문에")
    assert bareloop("ask", "날씨", "--lang", "en").stdout.startswith("No corpus")


def test_settings_of_the_folder_count(bareloop: Command, tmp_path: Path) -> None:
    (tmp_path / "bareloop.toml").write_text(f'docs = "{OFFICE}"\nlang = "en"\n', encoding="utf-8")
    done = bareloop("ask", "노트북을 잃어버리면?", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 0 and "stopped: answered" in done.stdout
    done = bareloop("ask", "--corpus", "billing", "노트북?", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 4
    (tmp_path / "bareloop.toml").write_text("max_step = 1\n", encoding="utf-8")
    done = bareloop("ask", "질문", cwd=tmp_path, PYTHONPATH=str(ROOT), BARELOOP_LANG="ko")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "max_step 항목은 없는 설정입니다" in done.stderr


def test_a_text_is_a_text(bareloop: Command, tmp_path: Path) -> None:
    (tmp_path / "bareloop.toml").write_text("model = 5\n", encoding="utf-8")
    done = bareloop("ask", "hi", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 2 and "bareloop.toml: model" in done.stderr


def test_a_kept_turn_that_is_none_is_left_out(data: Path, chat: Command) -> None:
    chat("invoice export steps")
    (kept,) = (data / "sessions").glob("*.jsonl")
    kept.write_text(kept.read_text("utf-8").replace('"parts"', '"prts"'), "utf-8")
    done = chat("invoice export steps", arguments=["--continue"])
    assert "Billing permission" in done.stdout and "읽을 수 없는 줄 1개" in done.stdout


def test_an_interrupt_while_the_command_is_loaded_is_no_traceback(python: Command) -> None:
    done = python(
        "-c",
        "import sys\n"
        "from agent.__main__ import main\n"
        "class Interrupted:\n"
        "    def find_spec(self, *_):\n"
        "        raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "sys.exit(main())\n",
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_file_without_a_line_is_no_conversation(chat: Command, data: Path) -> None:
    chat("노트북을 잃어버리면?", arguments=["--docs", OFFICE])
    (data / "sessions" / "20991231-000000-aaaa.jsonl").touch()
    assert "노트북을 잃어버리면?" in chat(arguments=["--continue"]).stdout
    assert len(chat(arguments=["--list"]).stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Standard output is closed"), ("ko", "표준 출력이 닫혀")]
)
@pytest.mark.parametrize(
    "arguments",
    [
        "ask --json 'invoice export steps'",
        "eval hotpotqa100 --data tests/data/eval_small --limit 1 --out $BARELOOP_DATA/out",
    ],
)
def test_a_closed_output_is_told_and_no_traceback(
    tmp_path: Path, arguments: str, language: str, told: str
) -> None:
    command = f"{sys.executable} -m agent.cli {arguments} --lang {language} >&-"
    variables = {**os.environ, "BARELOOP_DATA": str(tmp_path)}
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith(told)


def test_the_first_prompt_needs_neither_sources_nor_a_model(python: Command) -> None:
    """What it does need is measured with ``make bench-start``."""
    done = python(
        "-c",
        "import sys, pathlib\n"
        "from agent.chat import prompt, room, talk\n"
        "from agent.settings import read_settings\n"
        "data = pathlib.Path('data')\n"
        "talk._Talk(read_settings(), None, data, True, False, None, None, False, None)\n"
        "print(*sorted(each for each in sys.modules if each.startswith(('tools', 'agent'))))\n",
    )
    assert done.stdout.splitlines()[-1].split() == [
        "agent", "agent.catalogue", "agent.chat", "agent.chat.interrupts", "agent.chat.place",
        "agent.chat.prompt", "agent.chat.room", "agent.chat.talk", "agent.console",
        "agent.json_safe", "agent.layers", "agent.limits", "agent.messages", "agent.prices",
        "agent.settings", "tools", "tools.hidden", "tools.home", "tools.loopback", "tools.patterns",
        "tools.problems",
    ]  # fmt: skip
