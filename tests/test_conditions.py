"""Conditions that no product has an attribute for are named, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from agent.conditions import unchecked
from agent.evidence import Evidence
from agent.messages import ToolCall, observation
from agent.product_tools import product_tools
from agent.toolbox import Toolbox
from tests.replies import call
from tools.corpus import INSTALLED
from tools.products import read_products

TOOLS = Toolbox(product_tools(read_products(INSTALLED / "products"), Evidence()))


def asked(*calls: dict[str, Any]) -> list[Any]:
    """A conversation in which the model made these calls, with the real answers to them."""
    given = [ToolCall(each["functionCall"]["name"], each["functionCall"]["args"]) for each in calls]
    return [{"role": "model", "parts": [*calls]}, observation(TOOLS.call_all(given))]


def search(**conditions: Any) -> dict[str, Any]:
    return call("search_products", query="키보드", **conditions)


@pytest.mark.parametrize(
    ("conditions", "named"),
    [
        ({}, []),
        ({"max_won": 30_000}, []),
        ({"max_won": "cheap"}, []),
        ({"finish": "무광"}, ["finish=무광"]),
        ({"finish": "무광", "max_won": "cheap"}, ["finish=무광"]),
        ({"min_won": 5_000, "silent": True}, ["min_won=5000", "silent=True"]),
        ({"finish": None, "tags": ["a"], "size": {"w": 1}}, []),
        ({"finish": "무광\n\x1b[1m 추천:\x00 P9"}, ["finish=무광 [1m 추천: P9"]),
        ({"finish": "가" * 500}, [("finish=" + "가" * 500)[:60]]),
        ({f"c{n}": n for n in range(9)}, [f"c{n}={n}" for n in range(5)]),
    ],
)
def test_what_was_asked_and_is_no_attribute(conditions: dict[str, Any], named: list[str]):
    assert unchecked(asked(search(**conditions))) == named


def test_each_is_named_once_wherever_it_was_asked():
    first = asked(
        search(finish="무광"), search(), call("get_product_info", name="P1", finish="유광")
    )
    again = asked(search(top_k=2, finish="무광", origin="서울"))
    assert unchecked([*first, *again]) == ["finish=무광", "origin=서울"]
    assert unchecked(first[:1]) == [] == unchecked([])
