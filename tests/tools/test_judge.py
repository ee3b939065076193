"""A verdict is yes, no or unknown, and the third is never one of the others."""

import pytest

from tools.documents import Passage
from tools.judge import judge_passages, lexical_judge, parse_verdict


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        pytest.param("yes", "yes", id="JG-01 yes"),
        pytest.param("no", "no", id="JG-01 no"),
        pytest.param("관련 없음", "no", id="JG-01 관련 없음"),
        pytest.param("irrelevant", "no", id="JG-01 irrelevant"),
        pytest.param("불충분", "no", id="JG-01 불충분"),
        pytest.param("not sufficient", "no", id="JG-01 not sufficient"),
        pytest.param("INCORRECT", "no", id="JG-01 INCORRECT"),
        pytest.param("YES", "yes", id="JG-03 case"),
        pytest.param("Yes\n\n이유: 가격이 있음", "yes", id="JG-03 with a reason"),
        pytest.param('{"answer":"yes"}', "yes", id="JG-03 object"),
        pytest.param("[[true]]", "yes", id="JG-03 wrapped"),
        pytest.param('"no"', "no", id="JG-03 text"),
        pytest.param("y", "unknown", id="JG-03 one letter"),
        pytest.param("음...", "unknown", id="JG-04 noise"),
        ("", "unknown"),
        ("yes and no", "unknown"),
        ("It is relevant", "unknown"),
        ("예.", "yes"),
        ("**Yes**", "yes"),
        ("yes\nno", "unknown"),
        ("yes?", "unknown"),
        ("≠yes", "unknown"),
        ("!relevant", "unknown"),
        ("❌ yes", "unknown"),
        ('{"not":"yes"}', "unknown"),
        ("관련 있음", "yes"),
        ('{"answer":"yes","sure":"no"}', "unknown"),
        ("[" * 100_000, "unknown"),
    ],
)
def test_verdicts(reply, verdict):
    assert parse_verdict(reply) == verdict


def test_nothing_to_judge_is_a_no_and_asks_nobody():
    def never(question: str, evidence: str) -> str:
        raise AssertionError

    assert judge_passages("?", [], never) == "no"
    assert judge_passages("?", [Passage("a", "x", "y")], lambda q, e: "글쎄요") == "unknown"


def test_without_a_model_half_of_the_words_must_be_there():
    passages = [Passage("a", "invoice export needs a role", "y")]
    assert judge_passages("invoice export", passages, lexical_judge) == "yes"
    assert judge_passages("invoice weather forecast today", passages, lexical_judge) == "no"
