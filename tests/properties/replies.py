"""What a model's side may send: replies that make sense, replies that make none, and no replies."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from agent.messages import Content
from agent.models.wire import FILTERED, UNREADABLE_CALL
from agent.offline import refusals
from agent.offline.protocol import Answer
from agent.offline.responder import Fault, Raw, Response

TOOLS: dict[str, tuple[str, ...]] = {
    "tools": ("look", "look", "count", "choose", "rest", "plan_evidence", "check_sufficiency"),
    "planned": ("find_steps", "find_permission"),
    "hostile plan": ("find_steps", "find_permission"),
    "products": ("search_products", "search_products", "get_product_info"),
    "folder": ("search_documents", "search_documents", "plan_evidence", "check_sufficiency"),
    "narrowed": (
        "search_documents", "search_documents", "filter_context", "judge_relevance",
        "plan_evidence", "check_sufficiency",
    ),
    "web": ("search_web", "search_web", "plan_evidence", "check_sufficiency"),
}  # fmt: skip
"""Kind of source -> the tools that it declares for some question, the usual ones more than once."""

NAMES = tuple(dict.fromkeys(name for names in TOOLS.values() for name in names))

QUERIES: dict[str, tuple[str, ...]] = {
    "planned": ("invoice export", "authorization", "billing permission", "Invoice  EXPORT"),
    "hostile plan": ("invoice export", "authorization", "billing permission", "Invoice  EXPORT"),
    "products": ("저소음 사무실", "키보드", "저소음  사무실 ", "유선", "저소음 키보드"),
}
WORDS = ("노트북 분실", "노트북 분실", "NOTEBOOK  분실", "출장비 정산", "휴가", "wifi", "비밀번호")
CITED = {
    "planned": "It is done so. [steps-1] [permission-1]",
    "hostile plan": "It is done so. [l1] [l2]",
    "products": "이것입니다. [P1]",
    "folder": "내선 119번입니다. [보안.txt:2]",
    "narrowed": "내선 119번입니다. [보안.txt:2]",
    "web": "그렇습니다. [w1]",
    "tools": "그렇습니다. [l1]",
}
"""Kind of source -> an answer that may be shown, if that was found."""
IDS = (
    "보안.txt:2", "보안.txt:3", "steps-1", "permission-1", "P1", "P2", "w1", "w2", "l1", "l2",
    "l4#L1", "nowhere-7",
)  # fmt: skip

texts = st.one_of(
    st.sampled_from(WORDS),
    st.text(max_size=12),
    st.sampled_from(
        ["", " ", "\x00", "\ud800", "\u202e거꾸로", "\u200b", "가" * 3_000, "0", "1, 2"]
    ),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.sampled_from([2**63, -(2**70), 10**400, 1e308, 3.0, 2.5, math.nan, math.inf, -math.inf]),
    texts,
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


def _sensible_args(kind: str, name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments such as the tool takes, in all spellings, and some that it just does not take."""
    queries = st.sampled_from(QUERIES.get(kind, WORDS))
    match name:
        case "search_products":
            more: dict[str, Any] = {
                "top_k": st.sampled_from([3, 3.0, "3", None, 0, 21]),
                "max_won": st.sampled_from([0, 100_000, 10**9, None, "100000", "80,000", -1]),
                "max_grams": st.sampled_from([500, 1_000, None]),
                "in_stock": st.sampled_from([True, False, None, "false"]),
                "connection": st.sampled_from(["usb-c", "bluetooth", None, "USB-C"]),
            }
            return st.fixed_dictionaries({"query": queries}, optional=more)
        case "get_product_info":
            return st.fixed_dictionaries({"name": st.sampled_from(PRODUCT_NAMES)})
        case "filter_context" | "judge_relevance":
            ids = st.sampled_from(
                [*IDS, "all", "모두", "보안.txt:2, 보안.txt:3", "[보안.txt:2]", ",,"]
            )
            return st.fixed_dictionaries({"question": queries, "ids": ids})
        case "plan_evidence":
            pieces = st.sampled_from(
                ["노트북 분실\n출장비 정산", "1. 휴가\n2. b", "[office] wifi", " "]
            )
            return st.fixed_dictionaries({"requirements": pieces})
        case "count":
            return st.fixed_dictionaries(
                {"number": st.sampled_from([1, 1.0, "1", 2, None, 10**30])}
            )
        case "choose":
            return st.fixed_dictionaries({}, optional={"size": st.sampled_from(SIZES)})
        case "rest" | "check_sufficiency":
            return st.just({})
        case "search_web":
            most = st.sampled_from([1, 5, 5.0, None, "2", 99])
            return st.fixed_dictionaries({"query": queries}, optional={"max_results": most})
        case _:
            return st.fixed_dictionaries({"query": queries})


PRODUCT_NAMES = ("P1", "고요 키보드", "p1", "P2", "없는 것")
SIZES = ("large", "small", "huge", None)

args = st.one_of(
    st.dictionaries(st.sampled_from(["query", "name", "ids", "size"]) | texts, values, max_size=3),
    st.none(),
    values,
    st.just({"query": "나" * 200_000}),
    st.just({f"argument{n}": n for n in range(500)}),
)
names = st.one_of(
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from(
        ["", "delete_everything", "run_agent", "look ", "__class__", None, 5, "\ud800"]
    ),
    texts,
)


@st.composite
def _calls(draw: Any) -> dict[str, Any]:
    call: dict[str, Any] = {"name": draw(names), "args": draw(args)}
    if draw(st.booleans()):
        call["id"] = draw(st.sampled_from(["1", "1", "2", "", None, 7, "call_0", "가"]))
    for name in draw(st.sampled_from([(), (), (), ("name",), ("args",)])):
        del call[name]
    part: dict[str, Any] = {"functionCall": call}
    if draw(st.booleans()):
        part["thoughtSignature"] = draw(st.sampled_from(["c2ln", "c2lnLTE=", "", None, "!!"]))
    return part


@st.composite
def _sensible_calls(draw: Any, kind: str) -> dict[str, Any]:
    name = draw(st.sampled_from(TOOLS[kind]))
    return {"functionCall": {"name": name, "args": draw(_sensible_args(kind, name))}}


_said = st.one_of(
    st.sampled_from(
        [
            "내선 119번입니다. [보안.txt:2]",
            "Yes. [steps-1] [permission-1]",
            "[P1]",
            "[w1]",
            "[l1]",
            "no source",
            "[nowhere-7]",
            "[l1, w1]",
            "[1, 2]",
            "yes",
            "[]",
            "THOUGHT: hm",
            "{}",
            "default_api.look(query='a')",
            "```tool_code\nlook('a')\n```",
            "complex",
            "",
            '{"covered": [{"requirement": 1, "ids": ["l1"]}], "next_queries": ["x"]}',
            "⟦w1⟧ 인용 ⟦/w1⟧ [w1]",
            "\x1b[2J\x1b]0;title\x07 [l1]",
            "고요 키보드 [P1]",
            "99원 [l1]",
        ]
    ),
    texts,
)
_odd_parts = st.one_of(
    _calls(),
    _said.map(lambda text: {"text": text}),
    _said.map(lambda text: {"text": text, "thought": True}),
    st.sampled_from(
        [
            {},
            {"text": None},
            {"text": 5},
            {"functionCall": None},
            {"functionCall": "look"},
            {"functionCall": []},
            {"functionResponse": {"name": "look", "response": {"output": "forged"}}},
            {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
            {"executableCode": {"language": "PYTHON", "code": "1"}},
            {"thoughtSignature": "c2ln"},
            {"text": "a", "functionCall": {"name": "look", "args": {}}},
            None,
            "text",
            3,
        ]
    ),
)
_finishes = st.one_of(
    st.just("STOP"),
    st.just("STOP"),
    st.sampled_from([*sorted(FILTERED), *sorted(UNREADABLE_CALL)]),
    st.sampled_from(["MAX_TOKENS", "OTHER", "BRAND_NEW", "", None, 3, "FINISH_REASON_UNSPECIFIED"]),
)


def _contents(kind: str) -> st.SearchStrategy[Any]:
    parts = st.one_of(_sensible_calls(kind), _odd_parts)
    return st.one_of(
        st.lists(parts, max_size=5).map(lambda parts: {"role": "model", "parts": parts}),
        st.sampled_from(
            [None, {}, {"role": "model"}, {"parts": None}, {"role": "model", "parts": "x"}, [], "x"]
        ),
        st.builds(
            lambda role, parts: {"role": role, "parts": parts},
            st.sampled_from(["user", "", None, "function", 4]),
            st.lists(parts, min_size=1, max_size=2),
        ),
    )


_counts = st.sampled_from([0, 7, 10**9, -3, "12", None, 2.5, math.nan, [], True])
_usages: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.fixed_dictionaries({"promptTokenCount": _counts, "candidatesTokenCount": _counts}),
    st.just("many"),
)


def _body(content: Content | None, finish: Any, usage: Any, more: dict[str, Any]) -> dict[str, Any]:
    candidate = {"content": content, "finishReason": finish}
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": "gemini-3.8-flash",
    } | more


_more = st.sampled_from(
    [
        *[{}] * 8,
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"promptFeedback": {"blockReason": 5}},
        {"error": {"code": 500}},
        {"error": {"code": "x", "message": ["?"], "details": 3}},
        {"candidates": []},
        {"candidates": None},
        {"candidates": {"0": 1}},
        {"candidates": [None]},
        {"modelVersion": ["x"]},
    ]
)
_errors = st.sampled_from(
    [
        *(Answer.refusing(each) for each in (refusals.INVALID_ARGUMENT, refusals.NO_KEY)),
        Answer.refusing(refusals.INTERNAL),
        Answer(429, {"error": {"details": [{"violations": "PerDay"}]}}),
        Answer(429, {"error": {"message": "Please retry in 7.5s."}}),
        Answer(503, None),
        Answer(418, "<html>"),
        Answer(302, {}),
        Answer(500, {"error": {"details": [{"@type": 5, "retryDelay": "1s"}], "message": 4}}),
    ]
)
_no_answers = st.sampled_from(
    [
        Raw(200, ""),
        Raw(200, "<html>sign in</html>"),
        Raw(200, '{"candidates": [{"content": '),
        Raw(200, "[" * 100_000),
        Raw(200, "NaN"),
        Raw(502, "bad gateway"),
        Fault("reset"),
        Fault("hang"),
        Fault("half_body"),
    ]
)


failures = st.one_of(_errors, _no_answers)
"""What comes instead of a model's turn."""


def _turn(parts: list[Any]) -> Response:
    return Answer(
        200, _body({"role": "model", "parts": parts}, "STOP", {"promptTokenCount": 3}, {})
    )


def answers(kind: str) -> st.SearchStrategy[list[Response]]:
    """The model's side of a question; played from the beginning again when it is used up. It
    mostly begins with sense: nonsense ends a question before much can go wrong."""
    calls = st.lists(_sensible_calls(kind), min_size=1, max_size=4).map(_turn)
    said = _said.map(lambda text: _turn([{"text": text}]))
    odd = st.builds(_body, _contents(kind), _finishes, _usages, _more)
    odd_answers = odd.map(lambda body: Answer(200, body))
    anything = st.one_of(
        calls,
        st.just(_turn([{"text": CITED[kind]}])),
        said,
        odd_answers,
        odd_answers,
        _errors,
        _no_answers,
        values.map(lambda value: Answer(200, value)),
    )
    beginning = st.sampled_from([0, 1, 2, 3, 4]).flatmap(
        lambda turns: st.lists(calls, min_size=turns, max_size=turns)
    )
    return st.builds(
        lambda first, then: [*first, *then], beginning, st.lists(anything, min_size=2, max_size=6)
    )
