"""The command as a person runs it: what it prints, what it returns, what it leaves behind."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve

ROOT = Path(__file__).parent.parent
OFFICE = str(ROOT / "tests/data/office")
QUESTION = "invoice export steps and permission"
Command = Callable[..., subprocess.CompletedProcess[str]]


def test_the_default_question(bareloop: Command):
    done = bareloop("ask", "--json", QUESTION)
    record = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (record["status"], record["stop_reason"]) == ("complete", "answered")
    assert [search["query"] for search in record["searches"]] == [
        "invoice export", "authorization", "billing permission",
    ]  # fmt: skip
    assert {each["id"] for each in record["citations"] if each["ok"]} == {"steps-1", "permission-1"}
    assert record["usage"]["requests"] == 4 and record["usage"]["cost_usd"] is None
    assert set(record) >= {
        "request_id", "question", "answer", "message", "steps", "model", "route", "sub_questions",
        "sources", "rounds", "sufficiency", "evidence", "missing", "latency", "seconds", "trace",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        ([QUESTION], 0, "complete"),
        (["--docs", OFFICE, "노트북을 잃어버리면?"], 0, "open"),
        (["--max-searches", "2", QUESTION], 3, "incomplete"),
        (["--max-steps", "3", QUESTION], 3, "complete"),
        (["--docs", OFFICE, "점심 메뉴?"], 3, "incomplete"),
        (["weather"], 4, "unsupported"),
        (["--corpus", "billing", "날씨"], 4, "unsupported"),
        (["--corpus", str(ROOT / "tools/corpora/billing"), QUESTION], 0, "complete"),
    ],
)
def test_exit_codes(bareloop: Command, arguments: list[str], code: int, status: str):
    done = bareloop("ask", "--json", *arguments)
    assert (done.returncode, json.loads(done.stdout)["status"]) == (code, status)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--max-searches", "0", QUESTION], "1~5"),
        (["--max-searches", "6", QUESTION], "1~5"),
        (["--max-searches", "100", QUESTION], "1~5"),
        (["--max-steps", "0", QUESTION], "max_steps"),
        (["--corpus", "nowhere", QUESTION], "billing"),
        (["--docs", "/nowhere/at/all", QUESTION], "폴더"),
        (["--model", "gemini", QUESTION], "GEMINI_API_KEY"),
        (["--model", "no such model", QUESTION], "모델"),
        (["--trace", "/nowhere/at/all/t.jsonl", QUESTION], "t.jsonl"),
        ([" "], "질문"),
    ],
)
def test_a_mistake_is_one_sentence(bareloop: Command, arguments: list[str], part: str):
    done = bareloop("ask", *arguments, BARELOOP_LANG="ko")
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [["ask"], ["fly"], [], ["ask", "--corpus", "a", "--docs", "b", "q"]]
)
def test_wrong_usage_returns_2(bareloop: Command, arguments: list[str]):
    done = bareloop(*arguments)
    assert done.returncode == 2 and "usage" in done.stderr and "Traceback" not in done.stderr


def test_messages_follow_the_setting_then_the_locale_then_the_question(bareloop: Command):
    def told(question: str, **variables: str) -> str:
        return bareloop("ask", question, **variables).stdout

    assert told("weather").startswith("No corpus")
    assert told("날씨").startswith("이 질문에")
    assert told("날씨", LANG="en_US.UTF-8").startswith("No corpus")
    assert told("weather", LC_ALL="ko_KR.UTF-8").startswith("이 질문에")
    assert told("weather", LC_ALL="ko_KR.UTF-8", BARELOOP_LANG="en").startswith("No corpus")


def test_a_question_from_a_pipe(bareloop: Command):
    long = bareloop("ask", "-", stdin="가" * 80_001, BARELOOP_LANG="ko")
    assert long.returncode == 2 and "최대 20000자" in long.stderr and long.stdout == ""
    done = bareloop("ask", "--docs", OFFICE, "-", stdin="병가는 며칠부터 진단서를 내나요?\n")
    assert done.returncode == 0 and "[휴가.md:11]" in done.stdout


def test_a_cp949_console_is_answered_and_never_crashes(bareloop: Command):
    done = bareloop("ask", "--docs", OFFICE, "노트북을 잃어버리면?", PYTHONIOENCODING="cp949")
    assert done.returncode == 0 and "보안팀" in done.stdout


def test_a_cp949_question_from_a_pipe():
    done = subprocess.run(
        [sys.executable, "-m", "agent.cli", "ask", "--docs", OFFICE, "-"],
        input="노트북을 잃어버리면?".encode("cp949"),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0 and "보안.txt:2" in done.stdout.decode()


def test_a_trace_has_every_event_and_is_for_its_owner_only(bareloop: Command, tmp_path: Path):
    trace = tmp_path / "t.jsonl"
    for _ in range(2):
        done = bareloop("ask", "--json", "--trace", str(trace), QUESTION)
    events = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600
    assert [event["event"] for event in events].count("end") == 2
    record = json.loads(done.stdout)
    assert record["trace"] == str(trace) and events[-1]["record"] == record


def test_verbose_shows_the_turns_on_stderr_and_keeps_json_pure(bareloop: Command):
    done = bareloop("ask", "--json", "--verbose", QUESTION)
    assert json.loads(done.stdout)["status"] == "complete"
    assert '"functionCall"' in done.stderr and '"thoughtSignature"' in done.stderr


def shell(line: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m agent.cli"
    return subprocess.run(
        ["bash", "-c", line.replace("bareloop", command)],
        capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "code", "printed"),
    [
        ("bareloop ask invoice export 2>/dev/full", 0, "complete"),
        ("bareloop ask invoice export 2>&-", 0, "complete"),
        ("bareloop ask invoice export >/dev/full", 1, ""),
        ("bareloop ask - <&-", 2, ""),
        ("bareloop chat <&-", 0, ""),
        ("bareloop ask invoice export | head -n 1", 0, "offline"),
        ("cd $(mktemp -d) && rmdir $PWD && PYTHONPATH=$OLDPWD bareloop ask --docs . x", 1, ""),
    ],
)
def test_broken_pipes_and_full_disks(line: str, code: int, printed: str):
    done = shell(line)
    assert done.returncode == code and printed in done.stdout
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp949", "utf-8"])
def test_json_loses_nothing_to_the_console(bareloop: Command, encoding: str):
    done = bareloop("ask", "--json", "--docs", OFFICE, "병가 진단서", PYTHONIOENCODING=encoding)
    record = json.loads(done.stdout)
    assert record["question"] == "병가 진단서" and "[휴가.md:11]" in record["answer"]


def test_a_folder_with_nothing_to_read_is_told_as_such(bareloop: Command, tmp_path: Path):
    done = bareloop("ask", "--docs", str(tmp_path), "연차?", BARELOOP_LANG="ko")
    assert done.returncode == 3 and done.stdout.startswith("관련 근거를 찾지 못했습니다.")


@pytest.mark.parametrize(
    ("question", "status", "replaced"),
    [
        ("청구서를 내보내려면 어떤 단계와 권한이 필요한가요?".encode(), "complete", False),
        ("청구서를 내보내려면 어떤 단계와 권한이 필요한가요?".encode("cp949"), "complete", False),
        (b"invoice export steps \xff and permission", "complete", True),
    ],
)
@pytest.mark.parametrize("utf8", ["0", "1"])
def test_a_question_is_read_from_the_command_line_in_any_locale(
    question: bytes, status: str, replaced: bool, utf8: str, tmp_path: Path
) -> None:
    locale = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": utf8, "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "agent.cli", "ask", "--json", "--corpus", "billing"]
    done = subprocess.run(
        [*map(os.fsencode, command), question],
        cwd=ROOT,
        env={**os.environ, **locale, "BARELOOP_DATA": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    record = json.loads(done.stdout)
    assert record["status"] == status and ("\ufffd" in record["question"]) is replaced
    assert (b"Send UTF-8" in done.stderr) is replaced


CHAT = """\
이 질문에 맞는 자료가 없어 답하지 않습니다. 자료가 있는 질문을 하거나 --docs 로 폴더를 지정하세요.

상태: unsupported · 끝난 이유: unsupported · 0단계 · 검색 0회 · 토큰 0 · offline
오프라인 모델(LLM 없음)입니다. 찾은 근거를 그대로 인용할 뿐, 글을 지어내지 않습니다.
Invoice export: open Billing, select an invoice, then choose Export. [steps-1]
Billing permission: invoice export requires the billing_admin role. [permission-1]

근거
[steps-1] Invoice export: open Billing, select an invoice, then choose Export.
[permission-1] Billing permission: invoice export requires the billing_admin role.

상태: complete · 끝난 이유: answered · 4단계 · 검색 3회 · 토큰 {tokens} · offline
"""


def test_a_whole_conversation(bareloop: Command):
    """The second question is answered though the first was not; leaving ends with 0."""
    lines = "날씨는?\n\n청구서를 내보내려면?\n/quit\nnever asked\n"
    done = bareloop("chat", stdin=lines)
    assert done.returncode == 0
    tokens = done.stdout.rpartition("토큰 ")[2].partition(" ")[0]
    assert done.stdout == CHAT.format(tokens=tokens)
    assert bareloop("chat", stdin="날씨는?\n").returncode == 0


def test_a_bad_line_does_not_end_the_conversation(bareloop: Command):
    done = bareloop("chat", stdin="\x1b\n청구서를 내보내려면?\n", BARELOOP_LANG="ko")
    assert "상태: complete" in done.stdout and "비어" in done.stdout


def interrupted(
    arguments: list[str], environ: dict[str, str], stdin: bytes = b""
) -> tuple[int, str]:
    """Run the command, interrupt it once it waits for the model, and see how it ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environ},
        cwd=ROOT,
    )
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.flush()
    yield_until = time.monotonic() + 30
    gemini = INTERRUPTED[0]
    while not gemini.requests and time.monotonic() < yield_until:
        time.sleep(0.02)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert b"Traceback" not in err
    return process.returncode, out.decode()


INTERRUPTED: list[ScriptedGemini] = []


@pytest.fixture
def hanging() -> dict[str, str]:
    gemini = ScriptedGemini({"responses": [{"fault": "hang"}]})
    with serve(responder=gemini) as server:
        INTERRUPTED[:] = [gemini]
        yield {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": server.url, "BARELOOP_LANG": "ko"}


def test_an_interrupt_while_the_model_thinks_is_told_and_returns_130(hanging: dict[str, str]):
    code, out = interrupted(["ask", QUESTION], hanging)
    assert code == 130 and out.startswith("중단했습니다")


def test_an_interrupted_chat_takes_the_next_question(hanging: dict[str, str]):
    code, out = interrupted(["chat"], hanging, (QUESTION + "\n날씨?\n").encode())
    assert code == 0 and "중단했습니다" in out and "이 질문에 맞는 자료가 없어" in out


def test_serve_tells_where_and_stops_when_asked():
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", "serve"], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    url = re.search(r"http://127\.0\.0\.1:\d+", line)[0]  # type: ignore[index]
    done = subprocess.run(
        [sys.executable, "-m", "agent.cli", "ask", "--json", QUESTION],
        env={**os.environ, "GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url},
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 0
    assert json.loads(done.stdout)["status"] == "complete"


def test_serve_refuses_other_machines(bareloop: Command):
    done = bareloop("serve", "--host", "0.0.0.0")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_what_differs_between_documents_is_told_beside_the_answer(
    bareloop: Command, tmp_path: Path
):
    (tmp_path / "a.md").write_text("가온 키보드의 가격은 29,000원입니다.\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("가온 키보드의 가격은 35,000원입니다.\n", encoding="utf-8")
    printed = bareloop("ask", "--docs", str(tmp_path), "가온 키보드 가격은?").stdout
    beside = printed.split("\n\n")[-1]
    assert "29,000원" in beside and "35,000원" in beside and "a.md:1" in beside
