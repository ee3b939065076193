"""Scripts that are broken, that check nothing, that would hang or that would destroy a file: each
is told, and the others are run."""

from __future__ import annotations

import json
import os
import time
import xml.etree.ElementTree as ET
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from agent.smoke.expectations import texts_of
from tests.smoke_runner.conftest import Smoke, Write
from tests.smoke_runner.test_runner import GOOD

EXPECTING = """\
version: 1
corpus: billing
turns:
  - ask: invoice export
    expect:
      {}
"""

CHECK_NOTHING = {
    "status:": "status has no value",
    "stop: null": "stop has no value",
    "route: ~": "route has no value",
    "missing: null": "missing has no value",
    "evidence: null": "evidence has no value",
    "evidence: {not: []}": "The value of not is empty",
    "evidence: {contains: null}": "contains has no value",
    "searches: null": "searches has no value",
    "searches: {at_least: 0}": "at_least: 0 always holds",
    "searches: {at_least: 3, at_most: 2}": "No number is at least 3.0 and at most 2.0",
    "searches: {at_most: null}": "at_most has no value",
    "steps: {}": "Nothing is said here",
    "cost: {at_most: .inf}": "at_most cannot be",
    "cost: .nan": "cost cannot be",
    "tools: {any_order: []}": "The value of any_order is empty",
    "tools: {in_order: []}": "The value of in_order is empty",
    "tools: {exact: null}": "exact has no value",
    "tools: {at_most: {}}": "The value of at_most is empty",
    "tools: null": "tools has no value",
    "args: {}": "The value of args is empty",
    "args: {find_steps: []}": "The value of find_steps is empty",
    "args: {find_steps: {query: {}}}": "Nothing is said here",
    "args: {find_steps: {query: {number: .inf}}}": "number cannot be",
    "args: {find_steps: {query: {regex: null}}}": "regex has no value",
    "answer: {contains: []}": "The value of contains is empty",
    "answer: {not: null}": "not has no value",
    "answer: ''": "The value of answer is empty",
    "message: null": "message has no value",
    "citations: null": "citations has no value",
    "never: []": "The value of never is empty",
    "never: null": "never has no value",
    "never: ['']": "The value of never is empty",
    "answer: {regex: 'a{99999999999}'}": "This is no regular expression",
    "answer: {regex: '" + "(" * 3000 + ")" * 3000 + "'}": "This is no regular expression",
}
CHECK_SOMETHING = [
    "evidence: [steps-1, permission-1]",
    "missing: []",
    "searches: {at_least: 1}",
    "searches: {at_least: 0, at_most: 3}",
    "searches: 3.0",
    "tools: {at_most: {find_steps: 1, search_web: 0}}",
    "args: {find_steps: {}}",
    "args: {find_steps: [{}]}",
    "cost: null",
    "answer: {regex: '^This is the (offline|online) model .*quotes'}",
]


@pytest.fixture(scope="module")
def schema() -> Any:
    from agent.smoke.runner import schema_text

    return jsonschema.Draft202012Validator(json.loads(schema_text()))


@pytest.mark.parametrize("expectation", CHECK_NOTHING, ids=str)
def test_an_expectation_that_checks_nothing_is_a_mistake(
    smoke: Smoke, write: Write, schema: Any, expectation: str
) -> None:
    text = EXPECTING.replace("{}", expectation, 1)
    write(text)
    write(GOOD, "z.yaml")
    done = smoke(".")
    head, told, *rest = done.out.splitlines()
    assert told.startswith(f"  talk.yaml:6: {CHECK_NOTHING[expectation]}"), done.out
    assert (done.code, head) == (2, "ERROR   talk.yaml")
    assert rest == ["passed  z.yaml", "1 passed, 1 with errors"]
    korean = smoke("talk.yaml", "--lang", "ko").out
    assert korean.startswith("오류") and "talk.yaml:6: " in korean
    if not any(each in expectation for each in ("regex: '", "at_least", ".inf", ".nan")):
        assert not schema.is_valid(yaml.safe_load(text))


@pytest.mark.parametrize("expectation", CHECK_SOMETHING)
def test_the_nearest_that_checks_something(
    smoke: Smoke, write: Write, schema: Any, expectation: str
) -> None:
    text = EXPECTING.replace("{}", expectation, 1)
    write(text)
    assert smoke("talk.yaml").code == 0
    schema.validate(yaml.safe_load(text))


SAME_AS_THE_SCHEMA = [
    "version: true", "version: 1.0", "version: '1'", "version: 2", "searches: 3.0", "searches: 3.5",
    "limits: {max_searches: 3.0}", "limits: {max_steps: true}", "today: 2026-11-30",
    "today: 20261130", "today: 0", "narrow: 1", "confirm: 'yes'", "cost: 1",
    "steps: {at_most: 9.0}",
    "where: []", "web: {pages: []}", "web: {}", "expect: {}", "tools: {exact: []}",
]  # fmt: skip


@pytest.mark.parametrize("line", SAME_AS_THE_SCHEMA)
def test_the_runner_and_the_schema_agree(
    smoke: Smoke, write: Write, schema: Any, line: str
) -> None:
    data: dict[str, Any] = {"version": 1, "turns": [{"ask": "invoice export", "expect": {}}]}
    name, value = next(iter(yaml.safe_load(line).items()))
    value = value.isoformat() if isinstance(value, date) else value
    if name in ("searches", "cost", "steps", "tools"):
        data["turns"][0]["expect"][name] = value
    elif name in ("confirm", "expect"):
        data["turns"][0][name] = value
        data["turns"][0].setdefault("expect", {"status": "complete"})
    else:
        data[name] = value
    if data["turns"][0]["expect"] == {} and name != "expect":
        data["turns"][0]["expect"] = {"status": "complete"}
    write(json.dumps(data, ensure_ascii=False))
    assert (smoke("talk.yaml").code == 2) == (not schema.is_valid(data)), smoke("talk.yaml").out


def test_every_key_of_the_format_is_described(schema: Any) -> None:
    shapes = {"Script": schema.schema, **schema.schema["$defs"]}
    bare = [
        f"{shape}.{name}"
        for shape, each in shapes.items()
        for name, about in each["properties"].items()
        if len(about.get("description", "")) < 8
    ]
    assert bare == []
    page = (Path(__file__).parent.parent.parent / "agent/README.md").read_text("utf-8")
    for shape in ("Script", "Turn", "Expect", "Limited", "TextMatch", "ValueMatch", "Calls",
                  "Response", "When"):  # fmt: skip
        for name in shapes[shape]["properties"]:
            assert f"`{name}`" in page, f"{shape}.{name}"


# tools


@pytest.mark.parametrize(
    ("expectation", "place", "told"),
    [
        ("tools: [find_stepz]", 6, "find_stepz; did you mean: find_steps"),
        ("tools: {in_order: [find_steps, find_permision]}", 6, "did you mean: find_permission"),
        ("tools: {at_most: {find_stepz: 2}}", 6, "did you mean: find_steps"),
        ("args: {lookup: {}}", 6, "lookup; there are: find_steps, find_permission"),
    ],
)
def test_a_tool_that_is_not_there_is_a_mistake(
    smoke: Smoke, write: Write, expectation: str, place: int, told: str
) -> None:
    write(EXPECTING.replace("{}", expectation, 1))
    done = smoke("talk.yaml")
    assert done.code == 2 and f"  talk.yaml:{place}: This question has no tool " in done.out
    assert told in done.out
    assert "라는 도구는 없습니다" in smoke("talk.yaml", "--lang", "ko").out


def test_a_tool_that_only_the_model_knows_may_be_named(smoke: Smoke, write: Write) -> None:
    write("""\
        version: 1
        corpus: billing
        model: scripted
        responses: [{calls: [{name: send_mail}]}, {calls: [{name: send_mail, args: {to: a}}]}]
        turns: [{ask: invoice export, expect: {tools: [send_mail, send_mail]}}]
        """)
    assert smoke("talk.yaml").code == 0


def test_where_no_tool_is_offered_calls_fail_or_hold(smoke: Smoke, write: Write) -> None:
    write("version: 1\ncorpus: billing\nturns: [{ask: weather, expect: {tools: [find_steps]}}]")
    assert smoke("talk.yaml").code == 1


@pytest.mark.parametrize(
    ("response", "code", "stop"),
    [
        ("{status: 400}", 1, "rejected"),
        ("{status: 429, daily: true}", 1, "quota"),
        ("{fault: reset, repeat: always}", 1, "network"),
        ("{text: '', repeat: 3}", 0, ""),
        ("{text: nothing is cited, repeat: 2}", 0, ""),
    ],
)
def test_a_question_of_which_nothing_is_expected_must_have_reached_the_model(
    smoke: Smoke, write: Write, response: str, code: int, stop: str
) -> None:
    write(f"version: 1\ncorpus: billing\nmodel: scripted\nresponses: [{response}]\n"
          "limits: {max_steps: 1}\nturns:\n- ask: invoice export\n")  # fmt: skip
    done = smoke("talk.yaml")
    told = f"    talk.yaml:7: stop: expected not {stop}, got {stop}\n"
    assert (told in done.out) == bool(stop) == ("stop: expected" in done.out)
    assert done.code == code


def test_never_looks_at_what_was_said_and_not_at_names_of_the_trace(
    smoke: Smoke, write: Write
) -> None:
    names = "[run, event, request, reply, functionCall, thoughtSignature, prompt_tokens, at]"
    write(EXPECTING.replace("{}", f"never: {names.replace('at]', 'stop_reason]')}", 1))
    assert smoke("talk.yaml").code == 0
    write(EXPECTING.replace("{}", "never: [user, EmJhcmVsb29w]", 1))  # a role, and a signature
    assert smoke("talk.yaml").code == 0
    start = {"event": "start", "request_id": "d4dc", "conversation": "c0", "question": "연차는?"}
    assert list(texts_of([start])) == [(0, "연차는?")]
    for said in ("invoice export", "steps-1", "find_permission", "answered"):
        write(EXPECTING.replace("{}", f"never: [{said}]", 1))
        assert smoke("talk.yaml").code == 1, said


# whatever goes wrong is the script's


def test_a_recording_of_something_else_fails_its_script_alone(
    smoke: Smoke, write: Write, tmp_path: Path
) -> None:
    write(
        "version: 1\nweb: true\nmodel: replay\nturns: [{ask: 'x', expect: {status: open}}]",
        "a.yaml",
    )
    write("version: 1\nmodel: x\ntoday: '2026-11-30'\nexchanges: []\nsearches: [{query: x}]",
          "a.recording.yaml")  # fmt: skip
    write(GOOD, "b.yaml")
    done = smoke(".", "--junit", "out.xml")
    assert done.out.splitlines()[-1] == "1 passed, 1 failed"
    suite = ET.parse(tmp_path / "out.xml").getroot()
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["2", "1", "0"]


def test_a_failure_of_the_program_is_told_with_its_script(
    smoke: Smoke, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search service of somebody else's that brings what nobody foresaw."""
    module = "raising_search_of_a_test"
    write("def __getattr__(name):\n    raise RecursionError('와')\n", f"{module}.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("BARELOOP_SEARCH", f"{module}:Search")
    write("version: 1\nweb: true\nturns: [{ask: x, expect: {status: open}}]", "a.yaml")
    write(GOOD, "b.yaml")
    done = smoke("a.yaml", "b.yaml", "--live")
    assert (done.code, done.err) == (2, "")
    assert "ERROR   a.yaml" in done.out and "passed  b.yaml" in done.out


# hangs


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_a_file_that_blows_up_is_told_at_once(smoke: Smoke, write: Write) -> None:
    write(BOMB)
    started = time.monotonic()
    done = smoke("talk.yaml")
    assert done.code == 2 and time.monotonic() - started < 5
    assert ": The file is too large, or becomes so" in done.out
    write(
        "version: 1\nwhere: [" + "a<=1, " * 30_000 + "]\ncorpus: products\nturns: [{ask: 키보드}]"
    )
    assert "too large" not in smoke("talk.yaml").out


@pytest.mark.parametrize(("size", "is_told"), [(20_000_000, False), (20_000_001, True)])
def test_a_file_has_a_greatest_size(smoke: Smoke, write: Write, size: int, is_told: bool) -> None:
    os.truncate(write(""), size)
    done = smoke("talk.yaml")
    assert done.code == 2 and (": The file is too large, or becomes so" in done.out) is is_told


@pytest.mark.parametrize("regex", ["(a+)+$", "(a|a)*b", "(?:a?){41}a{41}", "(\\w+\\s?)*:"])
def test_a_regular_expression_that_never_ends_is_given_up(
    smoke: Smoke, write: Write, regex: str
) -> None:
    write(f"""\
        version: 1
        docs: .
        model: scripted
        responses:
          - calls: [{{name: search_documents, args: {{query: "{'a' * 40}!"}}}}]
        limits: {{max_steps: 1}}
        turns:
          - ask: 노트북
            expect:
              args: {{search_documents: {{query: {{regex: '{regex}'}}}}}}
        """)  # fmt: skip
    write("노트북\n", "a.txt")
    write(GOOD, "z.yaml")
    started = time.monotonic()
    done = smoke("talk.yaml", "z.yaml")
    assert time.monotonic() - started < 10 and "passed  z.yaml" in done.out
    assert done.code == 2 and f"talk.yaml:9: The regular expression {regex} took" in done.out


def test_what_is_no_file_is_not_read(smoke: Smoke, write: Write, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    write(GOOD)
    assert smoke(".").out == "passed  talk.yaml\n1 passed\n"
    for name in ("pipe.yaml", "/dev/zero"):
        done = smoke(name, "talk.yaml")
        assert done.code == 2 and ":1: This is no ordinary file" in done.out
        assert "passed  talk.yaml" in done.out


# files


def test_a_report_is_written_over_nothing_else(smoke: Smoke, write: Write, tmp_path: Path) -> None:
    path = write(GOOD)
    for inside in (
        smoke("talk.yaml", "--junit", "talk.yaml"),
        smoke(".", "--junit", "./talk.yaml"),
    ):
        assert (inside.code, inside.out) == (2, "")
        assert "is the file to read, so nothing was written over it" in inside.err
    assert path.read_text("utf-8") == GOOD
    (tmp_path / "other.xml").write_text("<project/>", "utf-8")
    done = smoke("talk.yaml", "--junit", "other.xml")
    assert done.code == 2 and "not of this command" in done.err
    assert (tmp_path / "other.xml").read_text("utf-8") == "<project/>"
    (tmp_path / "empty.xml").touch()
    for name in ("new/deep/out.xml", "new/deep/out.xml", "empty.xml"):
        assert smoke("talk.yaml", "--junit", name).code == 0
        assert ET.parse(tmp_path / name).getroot().get("tests") == "1"


def test_small_things(smoke: Smoke, write: Write) -> None:
    write(GOOD, "A.YAML")
    write(GOOD, "b.Yml")
    write("x", "c.RECORDING.yaml")
    assert smoke(".").out.splitlines()[-1] == "2 passed"
    told = smoke("--schema", "A.YAML")
    assert told == (2, "", "--schema stands alone; leave it out to run scripts.\n")
    done = smoke("A.YAML", "--jobs", "0")
    assert done.code == 2 and "0 will not do; give a number from 1 on" in done.err
    assert "_count" not in done.err and "_count" not in smoke("A.YAML", "--jobs", "한 개").err


def test_a_name_is_a_corpus_and_a_folder_has_a_slash(smoke: Smoke, write: Write) -> None:
    mine = ('name = "mine"\n[[plan]]\nall_words = ["열쇠"]\nslots = ["where"]\n[slots.where]\n'
            'description = "where"\nqueries = ["열쇠"]\n')  # fmt: skip
    for folder in ("billing", "mine"):
        write(mine, f"{folder}/corpus.toml")
        write("열쇠는 책상 위에 있다.\n", f"{folder}/a.md")
    write(GOOD)
    assert smoke("talk.yaml").code == 0  # the built-in corpus
    for name in ("./billing", "billing/", "./mine"):
        write(f"version: 1\ncorpus: {name}\nturns: [{{ask: '열쇠는?', expect: {{evidence: [a]}}}}]")
        assert smoke("talk.yaml").code == 0, name
    write("version: 1\ncorpus: mine\nturns: [{ask: '열쇠는?', expect: {evidence: [a]}}]")
    done = smoke("talk.yaml")
    assert done.code == 2
    assert "talk.yaml:2: There is no corpus named mine; the folder beside the script is written " \
        "./mine." in done.out  # fmt: skip
    write("version: 1\ncorpus: biling\nturns: [{ask: '열쇠는?', expect: {evidence: [a]}}]")
    assert "biling이라는 자료가 없습니다" in smoke("talk.yaml", "--lang", "ko").out


def test_korean_names_where_the_locale_has_none(python, write: Write, tmp_path: Path) -> None:
    write(GOOD, "대본/청구서.yaml")
    write("열쇠는 책상 위에 있다.\n", "대본/문서/a.txt")
    text = "version: 1\ndocs: 문서\nturns: [{ask: 열쇠 어디, expect: {evidence: ['a.txt:1']}}]"
    write(text, "대본/열쇠.yaml")
    done = python(
        "-m", "agent.cli", "smoke", str(tmp_path / "대본"), "--junit", str(tmp_path / "결과.xml"),
        LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="",
    )  # fmt: skip
    assert (done.returncode, str(done.stderr or "")) == (0, ""), done.stdout
    cases = ET.parse(tmp_path / "결과.xml").iter("testcase")
    assert [each.get("name") for each in cases] == ["열쇠", "청구서"]
