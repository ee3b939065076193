"""The measures of the cases themselves: what they let through, no case could find."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest

from agent.chat.telling import result
from agent.loop import run_agent
from agent.toolbox import Toolbox
from tests.cases.case import BadCase, Expect, Sent, case_of
from tests.cases.legality import faults
from tests.cases.measure import differences
from tests.cases.play import Played
from tests.replies import Replies, turn

CALL = {"functionCall": {"name": "a", "args": {}, "id": "1"}}
RESPONSE = {"functionResponse": {"name": "a", "id": "1", "response": {"output": 1}}}
ASKED = {"role": "user", "parts": [{"text": "q"}]}
CALLED = {"role": "model", "parts": [CALL]}
ANSWERED = {"role": "user", "parts": [RESPONSE]}


def responding(**changes: Any) -> dict[str, Any]:
    return {"functionResponse": {**RESPONSE["functionResponse"], **changes}}


def test_a_legal_history_has_no_faults():
    said = {"role": "model", "parts": [{"text": "a"}]}
    assert faults([ASKED]) == []
    assert faults([ASKED, CALLED, ANSWERED]) == []
    assert faults([ASKED, CALLED, ANSWERED, said, ASKED]) == []


@pytest.mark.parametrize(
    "contents",
    [
        [],
        [CALLED, ANSWERED],
        [ANSWERED],
        [ASKED, CALLED],
        [ASKED, ASKED],
        [ASKED, CALLED, ASKED],
        [ASKED, CALLED, CALLED, ANSWERED],
        [ASKED, CALLED, ANSWERED, ANSWERED],
        [ASKED, {"role": "model", "parts": [{"text": "a"}]}, ANSWERED],
        [ASKED, {"role": "model", "parts": [CALL, CALL]}, ANSWERED],
        [ASKED, CALLED, {"role": "user", "parts": [RESPONSE, RESPONSE]}],
        [ASKED, CALLED, {"role": "user", "parts": [RESPONSE, {"text": "hurry"}]}],
        [ASKED, CALLED, {"role": "user", "parts": [responding(name="b")]}],
        [ASKED, CALLED, {"role": "user", "parts": [responding(id="2")]}],
        [ASKED, CALLED, {"role": "user", "parts": [responding(response=[1])]}],
        [ASKED, {"role": "model", "parts": [CALL, RESPONSE]}, ANSWERED],
        [ASKED, {"role": "model", "parts": []}, ASKED],
        [ASKED, {"role": "model", "parts": [{}]}, ASKED],
        [ASKED, {"role": "model", "parts": [{"text": " "}]}, ASKED],
        [ASKED, {"role": "model"}, ASKED],
        [{"role": "user", "parts": [CALL]}],
        [{"role": "function", "parts": [{"text": "q"}]}],
    ],
)
def test_an_illegal_history_is_seen(contents: Any):
    assert faults(contents)


def test_swapped_responses_are_seen():
    calls = [{"functionCall": {"name": name, "args": {}}} for name in "ab"]
    answers = [{"functionResponse": {"name": name, "response": {"output": 1}}} for name in "ba"]
    history = [ASKED, {"role": "model", "parts": calls}, {"role": "user", "parts": answers}]
    assert faults(history)
    answers.reverse()
    assert faults(history) == []


GOOD = {
    "id": "TO-99",
    "area": "turn-order",
    "source": "https://github.com/nobody/nothing/issues/1",
    "about": "nothing",
    "documents": {"a.md": ["a", "b"]},
    "questions": ["q"],
    "script": {"responses": []},
    "expect": {"sent": [{"request": 0, "path": "contents", "lacks": "x"}]},
}


def test_a_case_is_read():
    case = case_of(GOOD)
    assert (case.documents, case.expect[0].sent) == (
        {"a.md": "a\nb"}, (Sent(0, "contents", "lacks", "x"),),
    )  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"abuot": "typo"},
        {"id": "EB-99"},
        {"id": "TO-9"},
        {"area": "weather"},
        {"source": "somewhere"},
        {"about": ""},
        {"corpus": "billing"},
        {"where": ["max_won<=1"]},
        {"documents": None},
        {"documents": {"a.md": 1}},
        {"questions": []},
        {"questions": ["q", "r"]},
        {"limits": {"max_stepz": 1}},
        {"timeout_s": 0},
        {"script": {"answers": []}},
        {"expect": {}},
        {"expect": {"shwon": ["a"]}},
        {"expect": {"shown": "a"}},
        {"expect": {"steps": "2"}},
        {"expect": {"requests": {"at_least": 1}}},
        {"expect": {"waits": ["1"]}},
        {"expect": {"sent": [{"request": 0, "path": "contents"}]}},
        {"expect": {"sent": [{"path": "contents", "contains": "x"}]}},
        {"expect": {"sent": [{"request": 0, "path": "x", "contains": "x", "lacks": "y"}]}},
        {"expect": {"sent": [{"request": 0, "path": "x", "absent": False}]}},
    ],
    ids=json.dumps,
)
def test_what_a_case_file_gets_wrong_is_an_error(change: dict[str, Any]):
    with pytest.raises(BadCase):
        case_of({**copy.deepcopy(GOOD), **change})


RUN = run_agent("정말?", Replies(turn("그렇습니다.")), Toolbox())
REQUESTS = [{"contents": [{"role": "user", "parts": [{"text": "정말?"}]}]}]
PLAYED = Played(RUN, REQUESTS, result(RUN), [], 0, '{"finish_reason": "STOP"}')


@pytest.mark.parametrize(
    ("expected", "met"),
    [
        ({"requests": 1}, True),
        ({"requests": 2}, False),
        ({"requests": {"at_most": 1}}, True),
        ({"requests": {"at_most": 0}}, False),
        ({"waits": []}, True),
        ({"waits": [1]}, False),
        ({"shown": ["그렇습니다."], "hidden": ["아닙니다"], "retries": 0}, True),
        ({"shown": ["아닙니다"]}, False),
        ({"hidden": ["그렇"]}, False),
        ({"evidence": [], "disagreements": [], "unchecked": []}, True),
        ({"disagreements": [{"a-1": "1원"}]}, False),
        ({"unchecked": ["a=1"]}, False),
        ({"told": ["."]}, True),
        ({"told": ["아닙니다"]}, False),
        ({"evidence": ["a-1"]}, False),
        ({"withheld": ["아닙니다"]}, True),
        ({"withheld": ["그렇"]}, False),
        ({"stop": "answered", "answer": "그렇습니다.", "steps": 1, "exit": 0}, True),
        ({"stop": "empty"}, False),
        ({"trace_has": ["finish_reason"], "trace_lacks": ["functionCall"]}, True),
        ({"trace_has": ["functionCall"]}, False),
        ({"trace_lacks": ["finish_reason"]}, False),
        ({"sent": [{"request": 0, "path": "contents.0.parts.0.text", "equals": "정말?"}]}, True),
        ({"sent": [{"request": 0, "path": "contents.0.parts.0.text", "equals": "왜?"}]}, False),
        ({"sent": [{"request": 0, "path": "contents.1", "absent": True}]}, True),
        ({"sent": [{"request": 0, "path": "contents.0", "absent": True}]}, False),
        ({"sent": [{"request": 0, "path": "contents", "contains": "정말"}]}, True),
        ({"sent": [{"request": 0, "path": "contents", "lacks": "정말"}]}, False),
        ({"sent": [{"request": 0, "path": "nowhere", "lacks": "정말"}]}, False),
        ({"sent": [{"request": 0, "path": "nowhere", "contains": "정말"}]}, False),
    ],
    ids=json.dumps,
)
def test_an_expectation_is_met_or_not(expected: dict[str, Any], met: bool):
    (expectation,) = case_of({**GOOD, "expect": expected}).expect
    assert (differences(PLAYED, expectation) == []) == met


def test_a_wait_may_be_longer_by_less_than_a_second():
    for waits, met in (([3.0], True), ([3.9], True), ([4.0], False), ([2.9], False), ([], False)):
        expected = Expect({"waits": [3]})
        assert (differences(replace(PLAYED, waits=waits), expected) == []) == met
