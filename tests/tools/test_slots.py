"""Queries and patterns that wait for a value found elsewhere."""

import pytest

from tools.slots import Slot, fill_in, values_in

SERVER = {"server_id": r"srv-[a-z]+-\d+"}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], []),
        (["no id here"], []),
        (["runs on srv-prod-17"], ["srv-prod-17 spec"]),
        (["srv-prod-17 and srv-db-2", "srv-prod-17"], ["srv-prod-17 spec", "srv-db-2 spec"]),
    ],
)
def test_a_query_waits_for_its_value(texts, expected):
    assert fill_in(["{server_id} spec"], SERVER, texts) == expected


def test_a_query_without_needs_is_ready():
    assert fill_in(["a", "b", "a"], {}, []) == ["a", "b"]


def test_the_group_of_a_pattern_is_the_value():
    assert fill_in(["{owner}?"], {"owner": r"owner: (\w+)"}, ["owner: kim"]) == ["kim?"]


@pytest.mark.parametrize(
    ("pattern", "values"),
    [
        ("project ([A-Z])|([A-Z]) project", ["X", "Y"]),
        ("project( [A-Z])?", [" X"]),
        ("project ?([A-Z]?)", ["X"]),
        ("[A-Z]*", ["X", "Y"]),
        ("(q)?project", []),
    ],
)
def test_the_first_group_that_holds_something_is_the_value_and_nothing_is_none(pattern, values):
    assert values_in(pattern, ["project X, the Y project"]) == values


def test_values_are_inserted_escaped_and_counts_in_braces_stay():
    slot = Slot("spec", "find_spec", needs={"id": r"v[\d.]+"}, must_match=r"^{id} \w{2}$")
    pattern = slot.pattern([{"id": "v1.5"}])
    assert pattern is not None
    assert pattern.search("v1.5 ok")
    assert not pattern.search("v1x5 ok")
    assert not pattern.search("v1.5 okay")


def test_no_pattern_takes_every_text():
    assert Slot("a", "find_a").pattern([{}]) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("srv-pay-1 spec", True),
        ("srv-pay-1에서 돈다", True),
        ("(srv-pay-1).", True),
        ("srv-pay-10 spec", False),
        ("xsrv-pay-1 spec", False),
        ("srv-pay-1-old spec", False),
        ("old-srv-pay-1 spec", False),
        ("srv-pay-1_b", False),
    ],
)
def test_a_value_is_found_whole_or_not_at_all(text, found):
    slot = Slot("spec", "find_spec", needs={"id": "srv-.*"}, must_match="{id}")
    pattern = slot.pattern([{"id": "srv-pay-1"}])
    assert pattern is not None and bool(pattern.search(text)) is found
