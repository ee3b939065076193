"""What the model may call: declared flat, checked, answered every time."""

from __future__ import annotations

import json
import math
import types
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal
from unicodedata import normalize

import pytest

from agent.json_safe import MAX_CHARACTERS, json_safe
from agent.messages import ToolCall
from agent.toolbox import MAX_TURN_CHARACTERS, Toolbox
from tools.arguments import Bounds
from tools.problems import ToolProblem

Price = Annotated[int, "highest price in won", Bounds(0)]


def search_products(
    name: Annotated[str, "words in the name"],
    max_price: Price | None = None,
    order: Annotated[Literal["price", "name"], "how to sort"] = "price",
    in_stock: Annotated[bool, "only what is there"] = True,
    weight: Annotated[float, "heaviest, in kg"] = 1.5,
) -> dict[str, Any]:
    """Find products."""
    return {"saw": [name, max_price, order, in_stock, weight]}


def today() -> str:
    """The date."""
    return "2026-11-30"


def answer(tool: Any, **args: Any) -> dict[str, Any]:
    """The response of one tool to one call."""
    return Toolbox([tool]).call(ToolCall(tool.__name__, args)).response


def test_declarations_are_flat_described_and_without_defaults():
    declared = Toolbox([search_products, today]).declarations
    assert declared == [
        {
            "name": "search_products",
            "description": "Find products.",
            "parametersJsonSchema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "words in the name"},
                    "max_price": {
                        "type": "integer",
                        "description": "highest price in won",
                        "minimum": 0,
                    },
                    "order": {
                        "type": "string",
                        "enum": ["price", "name"],
                        "description": "how to sort",
                    },
                    "in_stock": {"type": "boolean", "description": "only what is there"},
                    "weight": {"type": "number", "description": "heaviest, in kg"},
                },
                "required": ["name"],
            },
        },
        {"name": "today", "description": "The date."},
    ]


def bad_list(names: Annotated[list[str], "x"]) -> str:
    """x"""
    return ""


def bad_enum(size: Annotated[Literal[1, 2], "x"]) -> str:
    """x"""
    return ""


def bad_silent(name: str) -> str:
    """x"""
    return ""


def bad_undescribed(name: Annotated[str, "x"]) -> str:
    return ""


@pytest.mark.parametrize("tool", [bad_list, bad_enum, bad_silent, bad_undescribed])
def test_what_the_api_could_misread_cannot_be_declared(tool):
    with pytest.raises(TypeError, match=tool.__name__):
        Toolbox([tool])


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({"max_price": 30000}, 30000),
        ({"max_price": 3.0}, 3),
        ({"max_price": "3"}, 3),
        ({"max_price": "150,000"}, 150_000),
        ({"max_price": "9007199254740993"}, 9_007_199_254_740_993),
        ({"max_price": 0}, 0),
        ({"max_price": None}, None),
        ({}, None),
    ],
)
def test_integers_are_coerced(given, seen):
    assert answer(search_products, name="a", **given)["output"]["saw"][1] == seen


@pytest.mark.parametrize(
    "bad",
    [2.5, True, "many", "1_000", "１２", "1e3", "1,00", 1e30, -5, [3], {"a": 1}, "", math.nan],
)
def test_what_is_no_price_is_refused(bad):
    error = answer(search_products, name="a", max_price=bad)["error"]
    assert error["code"] == "invalid_arguments"
    assert error["expected"]["max_price"]["type"] == "integer"


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({}, "missing arguments: name"),
        ({"name": None}, "missing arguments: name"),
        ({"name": "a", "filters[0].field": "price"}, "unknown arguments: filters[0].field"),
        ({"name": "a", "order": "가격"}, "order must be one of price, name"),
        ({"name": ["a"]}, "name must be of type string"),
        ({"name": "a", "in_stock": 1}, "in_stock must be of type boolean"),
    ],
)
def test_the_error_says_what_was_wrong(given, part):
    error = answer(search_products, **given)["error"]
    assert error["code"] == "invalid_arguments" and part in error["message"]


def test_other_types():
    saw = answer(search_products, name=7, in_stock="false", weight="2")["output"]["saw"]
    assert saw == ["7", None, "price", False, 2.0]


def test_an_unknown_tool_names_the_known_ones_and_runs_nothing():
    tools = Toolbox([search_products, today])
    for name in ("search", "default_api.today", "Today"):
        error = tools.call(ToolCall(name, {})).response["error"]
        assert error["code"] == "unknown_tool"
        assert error["tools"] == ["search_products", "today"]


def test_a_repeat_runs_nothing_and_is_counted():
    ran: list[str] = []

    def look(query: Annotated[str, "words"]) -> str:
        """Look."""
        ran.append(query)
        return "x"

    tools = Toolbox([look])
    written = ["무선 키보드", "무선  키보드 ", normalize("NFD", "무선 키보드"), "키보드 무선"]
    codes = [
        tools.call(ToolCall("look", {"query": query})).response.get("error", {}).get("code")
        for query in written
    ]
    assert codes == [None, "repeated_call", "repeated_call", None]
    assert ran == ["무선 키보드", "키보드 무선"]
    assert tools.repeats == 2


def test_idle_counts_steps_that_bring_nothing():
    tools = Toolbox([today])
    assert tools.idle == 0
    tools.call_all([ToolCall("nothing", {})])
    assert tools.idle == 1
    tools.call_all([ToolCall("nothing", {"a": 1}), ToolCall("today", {})])
    assert tools.idle == 0


def failing(kind: Annotated[str, "which"]) -> str:
    """Fail."""
    if kind == "refused":
        raise ToolProblem("not_now", "Come back later.", after=3)
    raise ConnectionError("http://user:pw@proxy:3128 refused /home/me/x.py")


def test_a_failing_tool_tells_no_paths_and_no_credentials():
    error = answer(failing, kind="broken")["error"]
    assert error == {"code": "tool_failed", "message": "The tool failed (ConnectionError)."}
    assert answer(failing, kind="refused")["error"] == {
        "code": "not_now",
        "message": "Come back later.",
        "after": 3,
    }


def test_a_tool_that_leaves_the_program_is_a_tool_that_failed():
    def leave() -> None:
        """Leave."""
        raise SystemExit(3)

    assert answer(leave)["error"]["code"] == "tool_failed"


def test_an_interrupt_keeps_what_finished_and_answers_the_rest():
    def slow(name: Annotated[str, "x"]) -> str:
        """Take time."""
        if name == "b":
            raise KeyboardInterrupt
        return name

    tools = Toolbox([slow])
    results = tools.call_all([ToolCall("slow", {"name": name}) for name in "abc"])
    assert [result.response.get("output") for result in results] == ["a", None, None]
    assert [result.is_error for result in results] == [False, True, True]
    assert tools.interrupted


@dataclass
class Hit:
    id: str
    body: bytes


def loop() -> dict[str, Any]:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    return circle


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        (None, None),
        ([1, "둘"], [1, "둘"]),
        ((1,), [1]),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (2**70, str(2**70)),
        (b"%PDF-1.7\xff", "(binary, 9 bytes)"),
        (datetime(2026, 11, 30, tzinfo=UTC), "2026-11-30T00:00:00+00:00"),
        (Decimal("1.50"), "(Decimal)"),
        (Path("/home/me"), "(PosixPath)"),
        ({3, 1}, [1, 3]),
        ({1: "a"}, {"1": "a"}),
        (types.MappingProxyType({"a": {1}}), {"a": [1]}),
        (Hit("a", b"x"), {"id": "a", "body": "(binary, 1 bytes)"}),
        (ValueError("secret"), "(ValueError)"),
        (loop(), {"self": "(circular)"}),
        (normalize("NFD", "한글"), "한글"),
        ("a\ud800b\x00\x1b[31m", "a\ufffdb[31m"),
    ],
)
def test_results_are_made_json_safe(value, safe):
    assert json_safe(value) == safe
    json.dumps(json_safe(value), allow_nan=False).encode("utf-8")


def test_depth_ends():
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert "(too deep)" in json.dumps(json_safe(deep))


@pytest.mark.parametrize("size", [MAX_CHARACTERS, MAX_CHARACTERS + 1, 5_000_000])
def test_one_result_is_capped_with_a_visible_mark(size):
    def big() -> dict[str, str]:
        """Much."""
        return {"t": "가" * size, "after": "b"}

    text = json.dumps(answer(big)["output"], ensure_ascii=False)
    assert len(text) < MAX_CHARACTERS + 300
    assert ("truncated" in text) == (size + 1 > MAX_CHARACTERS - len("after"))


def test_one_step_is_capped_too():
    def big(name: Annotated[str, "x"]) -> str:
        """Much."""
        return "가" * 1_000_000

    results = Toolbox([big]).call_all([ToolCall("big", {"name": str(n)}) for n in range(30)])
    total = sum(len(json.dumps(each.response, ensure_ascii=False)) for each in results)
    assert total < MAX_TURN_CHARACTERS + 30 * 200
    assert all("truncated" in result.response["output"] for result in results)


def test_a_cut_leaves_the_keys_whole():
    cut = json_safe({"hits": [{"id": "a:1", "text": "x" * 30_000, "source": "a"}] * 3})
    assert set(cut["hits"][0]) == {"id", "text", "source"} and cut["hits"][0]["id"] == "a:1"


def nest(depth: int) -> Any:
    return {str(n): nest(depth - 1) for n in range(20)} if depth else "x" * 30


def shared(depth: int) -> Any:
    child = shared(depth - 1) if depth else "x"
    return dict.fromkeys(map(str, range(20)), child)


@pytest.mark.parametrize(
    "value",
    [
        list(range(100_000)),
        [1.25] * 100_000,
        {str(n): 1 for n in range(100_000)},
        {f"{'k' * 190}{n}": n for n in range(20_000)},
        nest(4),
        shared(9),
        [[[0] * 100] * 100] * 100,
        {"a": {"b": ["x" * 1000] * 1000}},
    ],
    ids=["integers", "numbers", "entries", "names", "nested", "shared", "lists", "texts"],
)
def test_no_shape_of_result_is_larger_than_the_cap(value):
    text = json.dumps(json_safe(value), ensure_ascii=False)
    assert len(text) < 3 * MAX_CHARACTERS and "truncated" in text


@pytest.mark.parametrize("value", [[1, 2], "문자열", 3, None, {"a": 1}])
def test_every_response_is_an_object_with_output(value):
    def give() -> Any:
        """Give."""
        return value

    expected = "(no result)" if value is None else value
    assert answer(give) == {"output": expected}
