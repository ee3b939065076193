"""Which scripts run, what is told of them, and how the command ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.smoke_runner.conftest import Smoke, Write
from tests.test_web_source import QUESTIONS, written

ROOT = Path(__file__).parent.parent.parent

GOOD = """\
version: 1
corpus: billing
turns:
  - ask: invoice export
    expect: {status: complete}
"""
BAD = """\
version: 1
corpus: billing
limits: {max_searches: 2}
turns:
  - ask: 청구서 내보내기
    expect:
      status: complete
      tools: [find_steps, find_steps]
      answer: "50%, 다"
  - ask: invoice export
    expect: {searches: 2}
"""
WRONG = "version: 1\nturnz: []\n"
LIVE = "version: 1\nmodel: live\ncorpus: billing\nturns: [{ask: invoice export}]\n"
WEB = "version: 1\nweb: true\nturns: [{ask: '달빛 도서관은?'}]\n"

TOLD = """\
passed  a_good.yaml
FAILED  b_bad.yaml
  b_bad.yaml:5: 청구서 내보내기
    b_bad.yaml:7: status: expected complete, got incomplete
    b_bad.yaml:8: tools: expected find_steps, find_steps, got find_steps, find_permission \
(differs from step 2 on)
    b_bad.yaml:9: answer: expected "50%, 다", got null
    what happened:
      1. find_steps(invoice export) -> steps-1; missing: permission
    > 2. find_permission(authorization) -> none; missing: permission
      검색 예산 2회를 다 써서 멈췄습니다. 부족한 근거: permission.
      status: incomplete · stopped: max_searches · 2 steps · 2 searches · TOKENS tokens · offline
ERROR   c_wrong.yaml
  c_wrong.yaml:1: turns is missing.
  c_wrong.yaml:2: turnz is unknown; did you mean: turns
skipped d_live.yaml: it asks Gemini; --live lets it
1 passed, 1 failed, 1 skipped, 1 with errors
"""


@pytest.fixture
def four(write: Write) -> None:
    write(GOOD, "a_good.yaml")
    write(BAD, "b_bad.yaml")
    write(WRONG, "c_wrong.yaml")
    write(LIVE, "d_live.yaml")


def counted(text: str) -> str:
    return re.sub(r"\d+ tokens", "TOKENS tokens", text)


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_everything_that_is_told(smoke: Smoke, four: None, jobs: str) -> None:
    done = smoke(".", "--jobs", jobs)
    assert (counted(done.out), done.err) == (TOLD, "")


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["a_good"], 0),
        (["a_good", "d_live"], 0),
        (["b_bad"], 1),
        (["a_good", "b_bad", "d_live"], 1),
        (["c_wrong"], 2),
        (["a_good", "b_bad", "c_wrong"], 2),
        (["d_live"], 3),
    ],
)
def test_exit_codes(smoke: Smoke, four: None, names: list[str], code: int) -> None:
    assert smoke(*(f"{name}.yaml" for name in names)).code == code


def test_nothing_to_run(smoke: Smoke, four: None, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert smoke("empty") == (3, "Nothing ran.\n", "")
    assert smoke("a_good.yaml", "-k", "없는 말") == (3, "Nothing ran.\n", "")
    assert smoke("a_good.yaml", "-k", "없는 말", "--lang", "ko").out == "실행한 대본이 없습니다.\n"


def test_usage(smoke: Smoke, four: None) -> None:
    assert smoke("nowhere.yaml") == (
        2, "", "There is no file or folder nowhere.yaml; check the path.\n",
    )  # fmt: skip
    assert smoke().code == 2 and "Name scripts" in smoke().err
    assert smoke("a_good.yaml", "--jobs", "0").code == 2
    assert smoke("a_good.yaml", "--json", "--github").code == 2


def test_only_those_with_a_word(smoke: Smoke, write: Write) -> None:
    write(GOOD, "one/invoice.yaml")
    write(BAD.replace("status: complete", "status: incomplete"), "one/b.yml")
    assert smoke("one", "-k", "청구서").out.splitlines()[0] == "FAILED  one/b.yml"
    assert smoke("one", "-k", "INVOICE.").out.splitlines() == [
        "passed  one/invoice.yaml", "1 passed",
    ]  # fmt: skip
    assert smoke("one", "-k", "invoice  export").out.endswith("1 passed, 1 failed\n")
    write(WRONG, "one/wrong.yaml")
    assert smoke("one", "-k", "없는 말").code == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_stop_at_the_first_failure(smoke: Smoke, four: None, write: Write, jobs: str) -> None:
    for number in range(40):
        write(GOOD, f"e{number}.yaml")
    done = smoke(".", "-x", "--jobs", jobs)
    assert done.out.endswith("\n1 passed, 1 failed, 42 not run\n") and done.code == 1


def test_a_script_that_is_named_twice_runs_once(smoke: Smoke, four: None, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "a_good.yaml").rename(tmp_path / "one/a.yaml")
    assert smoke("one/a.yaml", "./one/a.yaml", "one").out == "passed  one/a.yaml\n1 passed\n"


def test_json(smoke: Smoke, four: None) -> None:
    done = smoke(".", "--json")
    record = json.loads(done.out)
    scripts = record.pop("scripts")
    assert record == {"passed": 1, "failed": 1, "skipped": 1, "error": 1, "not_run": 0}
    assert [each["outcome"] for each in scripts] == ["passed", "failed", "error", "skipped"]
    bad, wrong, live = scripts[1:]
    assert [(each["ask"], each["line"]) for each in bad["turns"]] == [
        ("청구서 내보내기", 5), ("invoice export", 10),
    ]  # fmt: skip
    assert bad["turns"][0]["failures"] == [
        {"line": 7, "expectation": "status", "expected": "complete", "got": "incomplete",
         "step": None},
        {"line": 8, "expectation": "tools", "expected": "find_steps, find_steps",
         "got": "find_steps, find_permission", "step": 2},
        {"line": 9, "expectation": "answer", "expected": '"50%, 다"', "got": "null",
         "step": None},
    ]  # fmt: skip
    assert bad["turns"][0]["record"]["stop_reason"] == "max_searches"
    assert bad["turns"][1]["failures"] == [] and 0 <= bad["seconds"] < 60
    assert wrong["mistakes"][1] == {
        "file": "c_wrong.yaml", "line": 2, "message": "turnz is unknown; did you mean: turns",
    }  # fmt: skip
    assert live["mistakes"][0]["message"] == "it asks Gemini; --live lets it"
    assert (done.code, done.err) == (2, "")


def test_junit(smoke: Smoke, four: None, tmp_path: Path) -> None:
    done = smoke(".", "--junit", "reports/smoke.xml")
    assert done.code == 2 and counted(done.out) == TOLD
    text = (tmp_path / "reports/smoke.xml").read_text("utf-8")
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>\n<testsuites ')
    root = ET.fromstring(text)
    (suite,) = root
    for each in (root, suite):
        numbers = {name: each.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert numbers == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    assert [(case.get("name"), case.get("file"), case.get("line")) for case in suite] == [
        ("a_good", "a_good.yaml", "4"),
        ("b_bad", "b_bad.yaml", "5"),
        ("c_wrong", "c_wrong.yaml", "1"),
        ("d_live", "d_live.yaml", "1"),
    ]
    told = [(child.tag, child.get("message")) for case in suite for child in case]
    assert told == [
        ("failure", "status: expected complete, got incomplete"),
        ("error", "turns is missing."),
        ("skipped", "it asks Gemini; --live lets it"),
    ]
    failure = suite.find(".//failure")
    assert failure is not None
    assert counted(failure.text or "").splitlines() == TOLD.splitlines()[2:11]
    assert all(float(each.get("time", "-1")) >= 0 for each in (root, suite, *suite))


def test_junit_holds_what_xml_cannot(smoke: Smoke, write: Write, tmp_path: Path) -> None:
    write("노트북", "a.txt")
    write("""\
        version: 1
        docs: .
        model: scripted
        responses:
          - calls: [{name: search_documents, args: {query: "a<b>&\\u0001\\uffff"}}]
        turns:
          - ask: "노트북 <b> ]]>"
            expect: {tools: []}
        """)
    assert smoke("talk.yaml", "--junit", "out.xml").code == 1
    told = ET.parse(tmp_path / "out.xml").find(".//failure")
    assert told is not None and "노트북 <b> ]]>" in (told.text or "")


def test_a_report_that_cannot_be_written(smoke: Smoke, four: None, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    done = smoke("a_good.yaml", "--junit", "out")
    assert done.code == 2 and "out" in done.err and "Traceback" not in done.err


def test_github(smoke: Smoke, four: None) -> None:
    lines = [each for each in smoke(".", "--github").out.splitlines() if each.startswith("::")]
    assert lines == [
        "::error file=b_bad.yaml,line=7,title=bareloop smoke::"
        "status: expected complete, got incomplete",
        "::error file=b_bad.yaml,line=8,title=bareloop smoke::"
        "tools: expected find_steps, find_steps, got find_steps, find_permission "
        "(differs from step 2 on)",
        "::error file=b_bad.yaml,line=9,title=bareloop smoke::"
        'answer: expected "50%25, 다", got null',
        "::error file=c_wrong.yaml,line=1,title=bareloop smoke::turns is missing.",
        "::error file=c_wrong.yaml,line=2,title=bareloop smoke::"
        "turnz is unknown; did you mean: turns",
        "::notice file=d_live.yaml,line=2,title=bareloop smoke::it asks Gemini; --live lets it",
    ]


def test_github_escapes_a_path(smoke: Smoke, write: Write) -> None:
    write(WRONG, "a,b.yaml")
    assert "::error file=a%2Cb.yaml,line=1," in smoke(".", "--github").out


def test_a_document_steers_no_terminal(smoke: Smoke, write: Write) -> None:
    write("노트북을 잃어버리면 \x1b[2J119번\n", "a.txt")
    write('version: 1\ndocs: .\nturns: [{ask: "노트북을 \\e[2J잃어버리면?", expect: {steps: 9}}]')
    done = smoke("talk.yaml")
    assert done.code == 1 and "119번" in done.out and "\x1b" not in done.out


def test_responses_that_nobody_asked_for(smoke: Smoke, write: Write) -> None:
    write("""\
        version: 1
        corpus: billing
        model: scripted
        responses:
          - calls:
              - {name: find_steps, args: {query: invoice export}}
              - {name: find_permission, args: {query: billing permission}}
          - {text: "Export [steps-1] as billing_admin [permission-1]"}
          - {text: never}
          - {text: as often as it fits, repeat: always}
        turns: [{ask: invoice export, expect: {status: complete}}]
        """)
    done = smoke("talk.yaml")
    assert done.code == 1
    assert "  talk.yaml:4: Responses that were not used: 1.\n" in done.out


def test_the_web_is_closed_and_pages_stand_in_for_it(smoke: Smoke, write: Write) -> None:
    write(WEB)
    done = smoke("talk.yaml")
    assert (done.code, done.out.splitlines()[0]) == (
        3,
        "skipped talk.yaml: it searches the web; --live lets it, and pages under web stand in "
        "for it",
    )
    write(WEB.replace("true", "{pages: [{url: https://a.example, snippet: 달빛 도서관은 9시}]}"))
    assert smoke("talk.yaml").code == 0


def test_a_corpus_that_searches_the_web_says_what_stands_in_for_it(
    smoke: Smoke, write: Write, tmp_path: Path
) -> None:
    written(tmp_path / "machines")
    script = f"version: 1\ncorpus: ./machines\nturns: [{{ask: '{QUESTIONS[1]}'}}]\n"
    write(script)
    done = smoke("talk.yaml")
    assert done.code == 2 and "talk.yaml:2: It searches the web too: add web" in done.out
    write(script + "web: true\n")
    assert smoke("talk.yaml").code == 3  # left out without --live
    page = "{url: https://maker.example/77, snippet: MK-77 recall 리콜}"
    write(script.replace("}]", ", expect: {status: complete}}]") + f"web: {{pages: [{page}]}}\n")
    assert smoke("talk.yaml").code == 0
    write(script.replace("./machines", "billing") + "web: true\n")
    done = smoke("--live", "talk.yaml")
    assert done.code == 2 and "talk.yaml:4: This corpus does not search the web" in done.out


LEAVING = """
import socket, sys
from agent.smoke.closed import Closed, closed

def tried(*, host=None, address=None):
    try:
        socket.getaddrinfo(host, 443) if host else socket.socket().connect(address)
    except Closed:
        return "closed"
    except Left:
        return "left"
    return "open"

class Left(Exception):
    pass

def stay(event, args):
    if event == "socket.getaddrinfo" and args[0] != "localhost":
        raise Left

server = socket.create_server(("127.0.0.1", 0))
with closed(False):
    sys.addaudithook(stay)  # after the watch, so that what it lets through goes no further
    print(tried(address=("203.0.113.1", 9)), tried(host="gateway.example"))
    print(tried(address=server.getsockname()), tried(host="localhost"))
    with closed(True):
        print(tried(host="gateway.example"))
    print(tried(host="gateway.example"))
print(tried(host="gateway.example"))
"""


WHILE_A_SCRIPT_RUNS = """
from pathlib import Path
from agent.smoke.runner import Wanted, main

def write(text):
    print(text.splitlines()[0].split()[0], tried(host="gateway.example"))

main(Wanted([Path("tests/smoke/unsupported.yaml")]), "en", write)
"""


def test_no_socket_leaves_this_machine(python) -> None:
    done = python("-c", LEAVING)
    assert done.stdout.split() == [
        "closed", "closed", "open", "open", "left", "closed", "left",
    ], done.stderr  # fmt: skip
    done = python("-c", LEAVING + WHILE_A_SCRIPT_RUNS)
    assert done.stdout.split()[7:] == ["passed", "closed", "1", "left"], done.stderr


def test_a_person_sees_how_far_it_is(four: None, tmp_path: Path) -> None:
    import os
    import pty

    main, other = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", "smoke", str(tmp_path / "a_good.yaml")],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=other, text=True,
    )  # fmt: skip
    out, _ = done.communicate(timeout=60)
    os.close(other)
    shown = os.read(main, 10_000).decode()
    os.close(main)
    assert "[1/1] a_good.yaml" in shown and shown.endswith("\x1b[K")
    assert out.endswith("a_good.yaml\n1 passed\n") and "\x1b" not in out


def test_several_at_a_time(smoke: Smoke, write: Write) -> None:
    for number in range(4):
        write(
            """\
            version: 1
            corpus: billing
            model: scripted
            responses:
              - {text: nothing, delay_s: 0.5, repeat: 2}
            turns: [{ask: invoice export}]
            """,
            f"{number}.yaml",
        )
    started = time.monotonic()
    done = smoke(".", "--jobs", "4")
    assert done.out.splitlines()[-1] == "4 passed"
    assert [line[-6:] for line in done.out.splitlines()[:-1]] == [f"{n}.yaml" for n in range(4)]
    assert time.monotonic() - started < 3


def test_the_shipped_scripts_pass(python) -> None:
    done = python("-m", "agent.cli", "smoke", "tests/smoke", HTTPS_PROXY="http://127.0.0.1:9")
    assert done.returncode == 0, done.stdout
    assert re.fullmatch(r"\d+ passed", done.stdout.splitlines()[-1])
