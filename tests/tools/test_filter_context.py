"""The selector's numbers: read leniently, never beyond the lines that were there."""

from __future__ import annotations

import json
import random

import pytest

from tools.documents import Passage
from tools.filter_context import (
    MAX_CHARACTERS,
    MAX_CHUNKS,
    Selection,
    filter_lines,
    lexical_selector,
    numbered,
    parse_numbers,
    split_lines,
)

PASSAGES = [
    Passage("steps-1", "차례\n\n1. 청구서를 고른다.\n---\n2. 내보내기를 누른다.", "billing"),
    Passage("role-1", "권한은 billing_admin 이다.", "billing"),
]


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        pytest.param("0,1", (1,), id="IX-01 zero beside one"),
        pytest.param("5", (5,), id="IX-01 the last"),
        pytest.param("-2, 1", (1,), id="IX-01 negative beside one"),
        ("5,6", (5,)),
        pytest.param("【3】", (3,), id="IX-05 brackets"),
        pytest.param("３, ４", (3, 4), id="IX-05 full width"),
        pytest.param("③", (3,), id="IX-05 circled"),
        pytest.param("1，2、3", (1, 2, 3), id="IX-05 separators"),
        pytest.param("1,2,3.", (1, 2, 3), id="IX-05 full stop"),
        pytest.param("3 4 5", (3, 4, 5), id="IX-05 spaces"),
        pytest.param("3\n4\n5", (3, 4, 5), id="IX-05 lines"),
        pytest.param("3,3,4", (3, 4), id="IX-05 repeats"),
        pytest.param("3-5", (3, 4, 5), id="IX-05 range"),
        pytest.param("3~5", (3, 4, 5), id="IX-05 wave"),
        pytest.param("`3,4`", (3, 4), id="IX-05 code"),
        pytest.param("```\n3\n```", (3,), id="IX-05 fence"),
        ("```json\n[3, 4]\n```", (3, 4)),
        ('{"lines": [1, 3]}', (1, 3)),
        ("4, 2", (4, 2)),
        ("[2.0, 5.0]", (2, 5)),
        ('["1", "2"]', (1, 2)),
        ("[1] [2]", (1, 2)),
        ("1번, 3번", (1, 3)),
        ("4-99999999999999999999", None),
        ("4-9", (4, 5)),
        ("4-10", None),  # longer than a range of these lines can be
        ("3 - 5", (3, 4, 5)),
        ("3 ~ 4, 1", (3, 4, 1)),
        ("all", (1, 2, 3, 4, 5)),
        ("All lines.", (1, 2, 3, 4, 5)),
        ("모두", (1, 2, 3, 4, 5)),
        ("all but 3", None),
    ],
)
def test_numbers_among_five(reply, numbers):
    expected = Selection("lines", numbers) if numbers else Selection("unreadable")
    assert parse_numbers(reply, 5) == expected


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        ("９, １９", (9, 19)),
        ("⑳", (20,)),
        ('{"lines": ["３", "④"]}', (3, 4)),
        ("⑴", None),  # in brackets, and no number from 1 to 20 in a circle
        ("㉑", None),
    ],
)
def test_numbers_in_other_digits_among_thirty(reply, numbers):
    expected = Selection("lines", numbers) if numbers else Selection("unreadable")
    assert parse_numbers(reply, 30) == expected


@pytest.mark.parametrize(
    "reply",
    [
        "없음",
        "없음.",
        "None",
        "none",
        "[]",
        "해당하는 줄이 없습니다",
        "관련 있는 줄이 없음",
        "관련 있는 줄: 없음",
        '{"lines": []}',
    ],
)
def test_ix_02_an_explicit_none_is_none(reply):
    assert parse_numbers(reply, 5) == Selection("none")


@pytest.mark.parametrize(
    "reply",
    [
        "", "   ", "0", "-2", "6", "²", "page_label", "3,a,4", "NaN", "1e3", "三", "line 3",
        "3번 (89,000원)", "3: 2024년 5월", "3 - 배터리 4개월", "Doc: 3, Relevance: 9", "3.5", "007",
        "The lines 3 and 4 matter.", "관련 있는 줄은 3번입니다",
    ],
)  # fmt: skip
def test_ix_01_ix_02_ix_04_ix_07_anything_else_is_unreadable(reply):
    assert parse_numbers(reply, 5) == Selection("unreadable")
    assert parse_numbers(reply, 100).outcome != "none"


def test_ix_04_a_price_is_never_a_line():
    for reply in ("3번 (89,000원)", "3: 2024년 5월", "3 - 배터리 4개월", "Doc: 3, Relevance: 9"):
        assert set(parse_numbers(reply, 100).numbers) <= {3}


def test_lines_are_numbered_over_all_passages_and_named_by_their_parent():
    lines = split_lines(PASSAGES)
    assert [line.id for line in lines] == ["steps-1#L1", "steps-1#L3", "steps-1#L5", "role-1#L1"]
    assert numbered(lines).splitlines()[3] == "[4] 권한은 billing_admin 이다."


def test_the_chosen_lines_come_back_verbatim():
    filtered = filter_lines("?", PASSAGES, lambda question, lines: "4, 2")
    assert filtered.outcome == "lines"
    assert [(line.id, line.text) for line in filtered.lines] == [
        ("role-1#L1", "권한은 billing_admin 이다."),
        ("steps-1#L3", "1. 청구서를 고른다."),
    ]


def test_an_unreadable_reply_keeps_every_line_and_is_flagged():
    filtered = filter_lines("?", PASSAGES, lambda question, lines: "I would say the third one")
    assert (filtered.outcome, len(filtered.lines)) == ("unreadable", 4)
    assert filter_lines("?", PASSAGES, lambda q, lines: "없음").lines == ()
    assert filter_lines("?", [], lambda q, lines: "1").outcome == "none"


def test_ix_07_no_reply_can_bring_a_line_that_was_not_there():
    chance = random.Random(14)
    alphabet = "0123456789-~,.;[]{}()\"'`번원줄없음 \n\t①②⑳²③三３\ud800\u200b\x00eENa가:\\/"
    there = {(line.id, line.text) for line in split_lines(PASSAGES)}
    for count in range(20_000):
        length = chance.randrange(12) if count % 1_000 else 5_000
        reply = "".join(chance.choices(alphabet, k=length))
        filtered = filter_lines("?", PASSAGES, lambda question, lines, reply=reply: reply)
        assert {(line.id, line.text) for line in filtered.lines} <= there
        if filtered.outcome == "unreadable":
            assert len(filtered.lines) == len(there)


def test_deep_nesting_is_no_trap():
    assert parse_numbers("[" * 100_000, 5).outcome == "unreadable"
    assert parse_numbers('{"a":' * 100_000, 5).outcome == "unreadable"


def test_without_a_model_lines_are_chosen_by_shared_words():
    filtered = filter_lines("어떤 권한이 필요해?", PASSAGES, lexical_selector)
    assert [line.id for line in filtered.lines] == ["role-1#L1"]
    assert json.loads(lexical_selector("weather", "[1] invoice")) == []


@pytest.mark.parametrize(("more", "left_out"), [(0, ()), (1, ("last",))])
def test_a_selection_reads_so_many_passages_and_names_the_rest(
    more: int, left_out: tuple[str, ...]
):
    passages = [Passage(f"p{n}", "가\n나", "x") for n in range(MAX_CHUNKS - 1 + more)]
    filtered = filter_lines("?", [*passages, Passage("last", "다", "x")], lambda q, lines: "1")
    assert (filtered.left_out, filtered.read) == (left_out, 2 * MAX_CHUNKS - 1 + more)


@pytest.mark.parametrize(("more", "left_out"), [(0, ()), (1, ("long",))])
def test_a_selection_reads_so_many_characters(more: int, left_out: tuple[str, ...]):
    room = MAX_CHARACTERS - 2 * len("[1] ") - 1
    long = Passage("long", "가" * (room + more), "x")
    filtered = filter_lines("?", [Passage("a", "나", "x"), long], lambda q, lines: "1")
    assert filtered.left_out == left_out
    after = filter_lines("?", [long, Passage("a", "나", "x")], lambda q, lines: "[1]")
    assert after.lines[0].id == "long#L1" and after.left_out == (("a",) if more else ())
