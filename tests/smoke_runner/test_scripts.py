"""The format: what is wrong in a script is told by file and line, with the nearest name."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.smoke_mutants import FAULTS, ROOT
from tests.smoke_runner.conftest import Smoke, Write

SHIPPED = sorted((Path(__file__).parent.parent / "smoke").glob("*.yaml"))

MISTAKES = {
    "turns: [{ask: a}]": "1: version is missing.",
    "version: 1": "1: turns is missing.",
    "version: 1\nturns: []": "2: The value of turns is empty or too small: []",
    "version: 2\nturns: [{ask: a}]": "1: version cannot be 2; it takes: 1",
    "version: 1\nmodl: offline\nturns: [{ask: a}]": "2: modl is unknown; did you mean: model",
    "version: 1\nmodel: scriptd\nturns: [{ask: a}]": (
        "2: model cannot be scriptd; did you mean: scripted"
    ),
    "version: 1\nturns:\n  - ask: yes": "3: ask must be text; quotes around yes make it one.",
    "version: 1\nturns:\n  - ask: 12:30": "3: ask must be text; quotes around 12:30 make it one.",
    "version: 1\nturns:\n  - ask: ''": "3: The value of ask is empty or too small: ",
    "version: 1\nturns:\n  - aks: a\n    ask: b": "3: aks is unknown; did you mean: ask",
    "version: 1\nturns:\n  - ask: a\n    expect:\n      status: open\n      stopp: answered": (
        "6: stopp is unknown; did you mean: stop"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    status: compleet": (
        "5: status cannot be compleet; did you mean: complete"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    stop: max_search": (
        "5: stop cannot be max_search; did you mean: max_searches"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    missing: permission": (
        "5: missing cannot be permission."
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    searches: two": "5: searches cannot be two.",
    "version: 1\nturns:\n- ask: a\n  expect:\n    searches: on": "5: searches cannot be on.",
    "version: 1\nturns:\n- ask: a\n  expect:\n    never: [a, No]": (
        "5: never must be text; quotes around No make it one."
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    searches: -1": (
        "5: The value of searches is empty or too small: -1"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    searches: {at_most: true}": (
        "5: at_most cannot be true."
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    searches: {most: 1}": (
        "5: most is unknown; did you mean: at_most"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    cost: {}": (
        "5: Nothing is said here; it takes: at_least, at_most"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    tools:\n      in_ordr: [a]": (
        "6: in_ordr is unknown; did you mean: in_order"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    tools: [1]": (
        "5: tools must be text; quotes around 1 make it one."
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    args:\n      find_a:\n        q: {regx: a}": (
        "7: regx is unknown; did you mean: regex"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    args: {find_a: {q: {regex: '('}}}": (
        "5: This is no regular expression (missing ), unterminated subpattern)."
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    args: {find_a: {q: {tolerance: 1}}}": (
        "5: tolerance needs a number."
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    answer: {contain: a}": (
        "5: contain is unknown; did you mean: contains"
    ),
    "version: 1\nturns:\n- ask: a\n  expect:\n    citations: all_okay": (
        "5: citations cannot be all_okay; did you mean: all_ok"
    ),
    "version: 1\nlimits: {max_serches: 2}\nturns: [{ask: a}]": (
        "2: max_serches is unknown; did you mean: max_searches"
    ),
    "version: 1\nlimits: {max_searches: 6}\nturns: [{ask: a}]": (
        "2: The search budget must be 1 to 5 (given: 6)."
    ),
    "version: 1\nweb: false\nturns: [{ask: a}]": "2: web cannot be false; it takes: true",
    "version: 1\nweb: {unavailable: busy}\nturns: [{ask: a}]": (
        "2: unavailable cannot be busy; it takes: rate_limited, timed_out, blocked, failed, unclear"
    ),
    "version: 1\ncorpus: billing\ndocs: .\nturns: [{ask: a}]": (
        "3: Name one of corpus, docs and web."
    ),
    "version: 1\nmodel: scripted\nturns: [{ask: a}]": (
        "2: responses go with model: scripted, and only with it."
    ),
    "version: 1\ncorpus: billing\nresponses: []\nturns: [{ask: a}]": (
        "3: responses go with model: scripted, and only with it."
    ),
    "version: 1\nmodel: scripted\nresponses:\n- text: a\n- txt: b\nturns: [{ask: a}]": (
        "5: txt is unknown; did you mean: text"
    ),
    "version: 1\nversion: 1\nturns: [{ask: a}]": "2: version is there twice.",
    "version: 1\nturns: [{ask: a,": "2: This is no YAML (expected the node content, but found",
    "- ask: a": "1: This is no script: it needs the keys version and turns.",
    "": "1: This is no script: it needs the keys version and turns.",
    "version: 1\nturns: &turns [*turns]": "2: The value is nested too deeply.",
    "version: 1\nturns: " + "[" * 60 + "]" * 60: "2: The value is nested too deeply.",
    "version: 1\ntoday: 2026-02-30\nturns: [{ask: a}]": (
        "2: 2026-02-30 is no day; write it like 2026-11-30."
    ),
    "version: 1\ntoday: 20261130\nturns: [{ask: a}]": (
        "2: 20261130 is no day; write it like 2026-11-30."
    ),
    "version: 1\nlimits: {max_tokens: " + "9" * 5000 + "}\nturns: [{ask: a}]": (
        "2: " + "9" * 60 + " is no value that can be used; quotes make it text."
    ),
    "version: 1\nturns: [{ask: !!int a}]": "2: a is no value that can be used; quotes make it",
    "version: 1\nturns: [{ask: !!timestamp a}]": "2: This is no YAML (could not determine a",
    "version: 1\nturns: [{ask: !!set {a}}]": "2: This is no YAML (could not determine a",
    "version: 1\nturns: " + "[" * 5000: "2: The value is nested too deeply.",
    "version: 1\nturns: [{ask: a}]\n1: a": "3: A key must be text; quotes around 1 make it one.",
    "version: 1\nturns:\n- ask: a\n  yes: b": (
        "4: A key must be text; quotes around yes make it one."
    ),
    "version: 1\nturns:\n- ask: a\n  ? [a, b]\n  : c": (
        "4: A key must be text; quotes around [...] make it one."
    ),
    "version: true\nturns: [{ask: a}]": "1: version cannot be true; it takes: 1",
    "version: '1'\nturns: [{ask: a}]": '1: version cannot be "1"; did you mean: 1',
    "version: 1\nlimits:\n  max_steps: 8\n  max_searches: 6\nturns: [{ask: a}]": (
        "4: The search budget must be 1 to 5 (given: 6)."
    ),
    "version: 1\nlimits: {max_seconds: .inf}\nturns: [{ask: a}]": "2: max_seconds cannot be",
    "version: 1\nlimits:\nturns: [{ask: a}]": "2: limits has no value; give it one, or take the",
    "version: 1\nmodel: scripted\nresponses:\n- {text: a, delay_s: 11}\nturns: [{ask: a}]": (
        "4: The value of delay_s is too large: 11 (at the most 10.0)"
    ),
    "version: 1\nmodel: scripted\nresponses:\n- {text: a, status: 200}\nturns: [{ask: a}]": (
        "4: Response 1 of the script"
    ),
    "version: 1\nmodel: scripted\nresponses:\n- calls: [{name: a, arg: {}}]\nturns: [{ask: a}]": (
        "4: arg is unknown; did you mean: args"
    ),
    "version: 1\ncorpus: biling\nturns: [{ask: a}]": "2: There is no corpus named biling",
    "version: 1\ndocs: nowhere\nturns: [{ask: a}]": "2: There is no folder",
    "version: 1\nwhere: [max_won<=1]\ncorpus: billing\nturns: [{ask: a}]": "3: --where",
    "version: 1\nturns:\n- ask: invoice export\n- ask: ㅎㅎ": "4: ",
}
BEYOND_A_SCHEMA = (
    "regular", "needs a number", "go with model", "Name one of", "Nothing is said", "twice",
    "no YAML", "too deeply", "search budget", "Response 1", "no value that",
    "no day", "key must", "max_seconds cannot", "no corpus", "no folder", "--where", "4: ",
)  # fmt: skip
"""Mistakes that only the runner can see."""


@pytest.fixture(scope="module")
def schema() -> Any:
    from agent.smoke.runner import schema_text

    made = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


@pytest.mark.parametrize("text", MISTAKES, ids=list(MISTAKES.values()))
def test_a_mistake_is_told_by_its_line(smoke: Smoke, write: Write, text: str) -> None:
    write(text)
    done = smoke("talk.yaml")
    head, told, last = done.out.splitlines()
    assert (done.code, head, last) == (2, "ERROR   talk.yaml", "1 with errors")
    assert told.startswith(f"  talk.yaml:{MISTAKES[text]}")
    assert smoke("talk.yaml", "--lang", "ko").out.startswith("오류")


@pytest.mark.parametrize("text", MISTAKES, ids=list(MISTAKES.values()))
def test_an_editor_sees_it_too(schema: Any, text: str) -> None:
    if any(each in MISTAKES[text] for each in BEYOND_A_SCHEMA):
        return
    assert not schema.is_valid(yaml.safe_load(text))


def test_every_mistake_of_a_file_is_told_at_once(smoke: Smoke, write: Write) -> None:
    write("version: 1\nmodl: offline\nturns:\n- ask: 3\n  expect: {status: opn, step: 1}\n")
    assert smoke("talk.yaml").out.splitlines()[1:-1] == [
        "  talk.yaml:2: modl is unknown; did you mean: model",
        "  talk.yaml:4: ask must be text; quotes around 3 make it one.",
        "  talk.yaml:5: status cannot be opn; did you mean: open",
        "  talk.yaml:5: step is unknown; did you mean: steps",
    ]


def test_bytes_that_are_no_text(smoke: Smoke, tmp_path: Path) -> None:
    (tmp_path / "talk.yaml").write_bytes("version: 1 # 대본".encode("cp949"))
    assert smoke("talk.yaml").out.splitlines()[1] == "  talk.yaml:1: The file is not UTF-8."


def test_a_file_may_begin_with_a_mark(smoke: Smoke, write: Write) -> None:
    write("\ufeffversion: 1\ncorpus: billing\nturns: [{ask: invoice export}]")
    assert smoke("talk.yaml").code == 0


def test_there_are_scripts_for_the_project_itself() -> None:
    assert len(SHIPPED) >= 25


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_script_fits_the_schema(schema: Any, path: Path) -> None:
    def plain(value: Any) -> Any:  # JSON has no dates
        return value.isoformat() if isinstance(value, date) else value

    given = {name: plain(each) for name, each in yaml.safe_load(path.read_text("utf-8")).items()}
    schema.validate(given)


def test_each_has_a_fault_that_the_code_has_a_place_for() -> None:
    """``make smoke-mutants`` makes them; here no fault is lost when the code changes."""
    assert FAULTS.keys() == {path.stem for path in SHIPPED}
    for name, fault in FAULTS.items():
        assert (ROOT / fault.file).read_text("utf-8").count(fault.before) == 1, name


def test_every_status_and_nearly_every_reason_is_expected_somewhere() -> None:
    from typing import get_args

    from agent.messages import StopReason
    from agent.run import Status

    turns = [
        turn.get("expect", {})
        for path in SHIPPED
        for turn in yaml.safe_load(path.read_text("utf-8"))["turns"]
    ]
    assert {each.get("status") for each in turns} >= {*get_args(Status)}
    # nobody presses Ctrl-C in a script
    assert {each.get("stop") for each in turns} >= {*get_args(StopReason)} - {"interrupted"}


def test_the_schema_is_printed(smoke: Smoke, schema: Any) -> None:
    done = smoke("--schema")
    assert done.code == 0 and json.loads(done.out) == schema.schema


def test_paths_are_those_beside_the_script(smoke: Smoke, write: Write) -> None:
    write("노트북을 잃어버리면 119번\n", "deep/docs/a.txt")
    write(
        'name = "mine"\nprepared_only = true\n[[plan]]\nall_words = ["열쇠"]\nslots = ["where"]\n'
        '[slots.where]\ndescription = "where"\nqueries = ["열쇠"]\n',
        "deep/mine/corpus.toml",
    )
    write("열쇠는 책상 위에 있다.\n", "deep/mine/a.md")
    write(
        """\
        version: 1
        docs: docs
        turns: [{ask: "노트북을 잃어버리면?", expect: {evidence: ["a.txt:1"]}}]
        """,
        "deep/one.yaml",
    )
    write(
        """\
        version: 1
        corpus: ../deep/mine
        turns: [{ask: "열쇠는 어디에?", expect: {status: complete, evidence: [a]}}]
        """,
        "deep/two.yaml",
    )
    write(
        """\
        version: 1
        corpus: ./mine
        turns: [{ask: "열쇠는 어디에?", expect: {status: complete}}]
        """,
        "deep/three.yaml",
    )
    done = smoke("deep")
    assert (done.code, done.out.splitlines()[-1]) == (0, "3 passed")


def test_settings_of_the_person_do_not_change_what_a_script_means(
    smoke: Smoke, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BARELOOP_MAX_SEARCHES", "1")
    monkeypatch.setenv("BARELOOP_LANG", "ko")
    monkeypatch.setenv("GEMINI_API_KEY", "AIzaSyOFNOBODY-only-for-tests-000000000")
    write('max_steps = 1\ncorpus = "products"\n', "bareloop.toml")
    write("""\
        version: 1
        turns:
          - ask: invoice export
            expect: {status: complete, searches: 3, answer: offline model, cost: null}
        """)
    assert smoke("talk.yaml", "--lang", "en").code == 0
