"""What the offline model does next, decided from the request alone.

With a ``required_evidence`` block at the end of the system instruction it works through the
missing slots, one call a turn, or several where the block speaks of rounds. Where it can plan and
ask for verdicts it does (``rounds``). Without either it asks search-like tools, the nearest to the
question first and each once, until one reports hits. When nothing is left to ask, or it may not
call, it answers by quoting. Responses are data: nothing in them is read as a plan or an order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from agent.catalogue import Language, say
from agent.messages import Declaration
from agent.offline.protocol import Prompt
from agent.offline.question import Exchange, Question
from agent.offline.quoting import Quote, answer, quotes, reports_hits, unread
from agent.offline.rounds import (
    CHECK,
    PLAN,
    covering,
    has_rounds,
    is_enough,
    lacks_words,
    next_calls,
    searching,
)
from tools.documents import content_words, coverage
from tools.patterns import lazy_pattern
from tools.problems import CorpusError
from tools.slots import fill_in
from tools.tokens import SAYS_NOTHING, fold, units
from tools.verbs import as_verbs

MAX_CALLS = 4
"""Calls for one question when no plan says what is needed: the answer is the fifth reply."""

Part = dict[str, Any]

_BLOCK = lazy_pattern(r"(?:^|\n)```json[ \t]*\n((?:(?!\n```).)*)\n```\s*\Z", re.DOTALL)
_SEARCHING = lazy_pattern(r"\b(?:find|search|get|look|retriev)\w*|찾|검색|조회", re.IGNORECASE)
_ONE_OF = lazy_pattern(r"\bone of(?: these)?:\s*(.+)", re.IGNORECASE | re.DOTALL)


class Wanted(NamedTuple):
    """One piece of required evidence, as the system instruction states it."""

    slot: str
    tool: str
    queries: tuple[str, ...] = ()
    needs: Mapping[str, str] = MappingProxyType({})


def next_turn(prompt: Prompt) -> list[Part]:
    """The parts of the model's next turn, calls without ids and signatures."""
    question = Question.of(prompt.contents)
    tools = [each for each in prompt.declarations if each["name"] in prompt.allowed]
    if prompt.mode == "NONE":
        tools = []
    plan = required_evidence(prompt.system)
    if plan is not None:
        calls = _fill_slots(plan, question, tools)[: _in_one_turn(prompt.system)]
    elif has_rounds(prompt.declarations):
        calls = next_calls(question, prompt.system, tools, lambda query: _asking(tools, query))
        calls = calls or _only(_narrow(question, tools))
    else:
        calls = _only(_narrow(question, tools) or _search(question, tools))
    if not calls and prompt.mode == "ANY" and tools:
        calls = [_call(_forced(plan or [], question, tools), question.text)]
    if calls:
        return [{"functionCall": call} for call in calls]
    return [{"text": _answer(prompt, question)}]


def _only(call: dict[str, Any] | None) -> list[dict[str, Any]]:
    return [] if call is None else [call]


def _asking(tools: Sequence[Declaration], query: str) -> dict[str, Any] | None:
    """The call for a query: of the search tool whose wording fits it best."""
    words = set(units(query)) - SAYS_NOTHING
    able = [tool for tool in tools if _can_ask(tool) and tool["name"] not in (PLAN, CHECK)]
    best = max(able, key=lambda tool: len(words & set(units(_wording(tool)))), default=None)
    return _call(best, query) if best else None


def _answer(prompt: Prompt, question: Question) -> str:
    language: Language = "ko" if question.is_korean else "en"
    if not question.exchanges and not prompt.declarations:
        return say("offline.no_tools", language)
    in_rounds = has_rounds(prompt.declarations)
    exchanges = searching(question.exchanges) if in_rounds else question.exchanges
    evidence = quotes(exchanges)
    if in_rounds:
        evidence = covering(question, evidence)
        near = not is_enough(question) or lacks_words(question, evidence)
        near = near or _leaves_open(question, evidence)
        return answer(evidence, language, near=near)
    searched = [each for each in exchanges if reports_hits(each)]
    planned = required_evidence(prompt.system) is not None
    found = evidence if len(searched) == len(exchanges) else quotes(searched)
    near = not planned and (
        _carries(question, found) < 1 or _only_closest(found) or _leaves_open(question, found)
    )
    return answer(evidence, language, near=near)


def _only_closest(evidence: Sequence[Quote]) -> bool:
    return bool(evidence) and all(quote.closest for quote in evidence)


def _leaves_open(question: Question, evidence: Sequence[Quote]) -> bool:
    """Whether the question asks who, when, where, why or how long, and no quotation tells it."""
    if not evidence or not content_words(question.text):
        return False
    from tools.kinds import undated
    from tools.wants import leaves_open

    shown = (f"{undated(each.under)}\n{each.text}" for each in evidence)
    return leaves_open(question.text, "\n".join(shown))


def _carries(question: Question, evidence: Sequence[Quote]) -> float:
    """The share of the question's content words that one quotation has, with its headings."""
    if not content_words(question.text):
        return 1.0
    asked = as_verbs(question.text)
    shares = (coverage(asked, as_verbs(f"{quote.under} {quote.text}")) for quote in evidence)
    return max(shares, default=1.0)


def _stated(system: str) -> dict[str, Any]:
    """The block at the very end of a system instruction; empty when there is none."""
    block = _BLOCK.search(system)
    try:
        stated = json.loads(block[1]) if block else None
    except ValueError:
        return {}
    return cast(dict[str, Any], stated) if isinstance(stated, dict) else {}


def _in_one_turn(system: str) -> int:
    """How many searches of a plan go in one turn: one, where nothing is said of rounds."""
    rounds = _stated(system).get("rounds")
    most = rounds.get("max_queries_per_round") if isinstance(rounds, dict) else None
    return most if isinstance(most, int) and most > 0 else 1


def required_evidence(system: str) -> list[Wanted] | None:
    """The plan at the very end of a system instruction; None when there is none."""
    rows = _stated(system).get("required_evidence")
    if not isinstance(rows, list):
        return None
    return [_wanted(row) for row in cast(list[Any], rows) if _is_row(row)]


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and all(isinstance(row.get(key), str) for key in ("slot", "tool"))


def _wanted(row: dict[str, Any]) -> Wanted:
    queries, needs = row.get("queries"), row.get("needs")
    return Wanted(
        row["slot"],
        row["tool"],
        tuple(map(str, cast(list[Any], queries))) if isinstance(queries, list) else (),
        {str(k): str(v) for k, v in needs.items()} if isinstance(needs, dict) else {},
    )


def _fill_slots(
    plan: Sequence[Wanted], question: Question, tools: Sequence[Declaration]
) -> list[dict[str, Any]]:
    """Of each missing slot whose needs are met the first untried query, in the plan's order."""
    calls: list[dict[str, Any]] = []
    by_name = {tool["name"]: tool for tool in tools}
    missing = _missing(plan, question.exchanges)
    accepted = [wanted.tool for wanted in plan if wanted.slot not in missing]
    found = [each for each in question.exchanges if each.name in accepted]
    texts = [quote.text for quote in quotes(found)]
    for wanted in plan:
        if wanted.slot not in missing or wanted.tool not in by_name:
            continue
        tried = {fold(query) for query in _tried(wanted.tool, question.exchanges)}
        fresh = [query for query in _askable(wanted, texts) if fold(query) not in tried]
        calls += [_call(by_name[wanted.tool], query) for query in fresh[:1]]
    return calls


def _forced(
    plan: Sequence[Wanted], question: Question, tools: Sequence[Declaration]
) -> Declaration:
    """The tool to ask in the question's own words when the model must call and nothing is
    prepared: one of a missing slot or of no plan that has not heard them yet, else the first."""
    words = fold(question.text)
    missing = _missing(plan, question.exchanges)
    filled = {wanted.tool for wanted in plan if wanted.slot not in missing}
    fresh = [
        tool
        for tool in tools
        if tool["name"] not in filled
        and words not in map(fold, _tried(tool["name"], question.exchanges))
    ]
    return (fresh or list(tools))[0]


def _askable(wanted: Wanted, texts: Sequence[str]) -> list[str]:
    try:
        return fill_in(wanted.queries, wanted.needs, texts)
    except (ValueError, CorpusError):  # no pattern, or one that takes too long
        return []


def _missing(plan: Sequence[Wanted], exchanges: Sequence[Exchange]) -> set[str]:
    """The slots without evidence: as the tools last reported, else those whose tool found none."""
    reports = [report for each in exchanges if (report := each.stated("missing")) is not None]
    if reports:
        return set(reports[-1])
    with_hits = {each.name for each in exchanges if quotes([each])}
    return {wanted.slot for wanted in plan if wanted.tool not in with_hits}


def _tried(tool: str, exchanges: Sequence[Exchange]) -> Iterator[str]:
    for each in exchanges:
        if each.name == tool:
            yield from each.stated("tried") or []
            yield from (value for value in each.args.values() if isinstance(value, str))


class _Way(NamedTuple):
    """A call that may find something: a tool and its text. ``fit`` are the telling words of the
    question that both have; ``named`` when the text is one that the tool lists."""

    tool: Declaration
    text: str
    fit: frozenset[str]
    named: bool

    def was_tried(self, exchange: Exchange) -> bool:
        if exchange.name != self.tool["name"]:
            return False
        said = (fold(value) for value in exchange.args.values() if isinstance(value, str))
        return not self.named or fold(self.text) in said


def _search(question: Question, tools: Sequence[Declaration]) -> dict[str, Any] | None:
    """The next call when no plan says what is needed: the way nearest to the question that was
    not tried yet. Once a response reports hits, only what the question names, and tools that fit
    words of it which the successful ones do not fit, are left: what was answered is not asked
    elsewhere."""
    if len(question.exchanges) >= MAX_CALLS:
        return None
    ways = [way for tool in tools if _can_ask(tool) for way in _ways(tool, question)]
    found = [each for each in question.exchanges if reports_hits(each)]
    answered = {word for way in ways if any(map(way.was_tried, found)) for word in way.fit}
    left = [
        way
        for way in ways
        if not any(map(way.was_tried, question.exchanges))
        and (not found or way.named or way.fit - answered)
    ]
    best = max(left, key=lambda way: (way.named, len(way.fit)), default=None)
    return _call(best.tool, best.text) if best else None


def _narrow(question: Question, tools: Sequence[Declaration]) -> dict[str, Any] | None:
    """A call for the lines that matter, where a search gave only the beginning of passages and a
    tool takes a question and ids."""
    ids = ", ".join(unread(question.exchanges))
    tool = next((tool for tool in tools if {*_required(tool)} == {"question", "ids"}), None)
    if not ids or tool is None or any(each.name == tool["name"] for each in question.exchanges):
        return None
    return {"name": tool["name"], "args": {"question": question.text, "ids": ids}}


def _can_ask(tool: Declaration) -> bool:
    """Whether a tool searches by its wording and takes exactly one required string."""
    return _the_text_argument(tool) is not None and bool(_SEARCHING.search(_wording(tool)))


def _ways(tool: Declaration, question: Question) -> list[_Way]:
    """How a tool can be asked: with each text that it lists and the question has, or, where it
    lists none, with the whole question."""
    words = {word for word in units(question.text) if word not in SAYS_NOTHING}
    fit = words & set(units(_wording(tool)))
    choices = _choices(_properties(tool)[_the_text_argument(tool) or ""])
    if not choices:
        return [_Way(tool, question.text, frozenset(fit), named=False)]
    return [
        _Way(tool, choice, frozenset(fit | (words & set(units(choice)))), named=True)
        for choice in _chosen(choices, question.text)
    ]


def _choices(schema: dict[str, Any]) -> list[str]:
    """The texts an argument may be: its enum, or what its description lists after "one of:"."""
    listed = schema.get("enum")
    if isinstance(listed, list) and listed:
        return [each for each in cast(list[Any], listed) if isinstance(each, str) and units(each)]
    told = _ONE_OF.search(str(schema.get("description") or ""))
    return [each for each in map(str.strip, told[1].split(",")) if units(each)] if told else []


def _chosen(choices: Sequence[str], text: str) -> list[str]:
    """The choices that ``text`` has, in its order; inside a longer one a shorter one is none."""
    longest_first = sorted(set(choices), key=lambda each: (-len(each), each))
    pattern = "|".join(_as_written(each) for each in longest_first)
    found = [match.lastindex or 0 for match in re.finditer(pattern, fold(text))]
    return [longest_first[number - 1] for number in dict.fromkeys(found)]


def _as_written(choice: str) -> str:
    """A pattern for ``choice`` in folded text: its spaces do not matter, and it is no part of a
    longer Latin word or number, while a Korean particle may follow."""
    words = r"\s*".join(map(re.escape, fold(choice).split()))
    return rf"(?<![a-z0-9])({words})(?![a-z0-9])"


def _wording(tool: Declaration) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+", " ", tool["name"])
    return f"{name} {tool.get('description') or ''}"


def _schema(tool: Declaration) -> dict[str, Any]:
    schema = tool.get("parameters") or tool.get("parametersJsonSchema")
    return schema if isinstance(schema, dict) else {}


def _properties(tool: Declaration) -> dict[str, dict[str, Any]]:
    found = _schema(tool).get("properties")
    entries = cast(dict[str, Any], found).items() if isinstance(found, dict) else ()
    return {name: each for name, each in entries if isinstance(each, dict)}


def _required(tool: Declaration) -> list[str]:
    names = _schema(tool).get("required")
    properties = _properties(tool)
    return [name for name in names if name in properties] if isinstance(names, list) else []


def _the_text_argument(tool: Declaration) -> str | None:
    """The name of the only required argument, when that is a string."""
    required = _required(tool)
    if len(required) != 1 or _kind(_properties(tool)[required[0]]) != "string":
        return None
    return required[0]


def _kind(schema: dict[str, Any]) -> str:
    kind = schema.get("type")
    return str(kind[0] if isinstance(kind, list) and kind else kind or "").lower()


def _call(tool: Declaration, text: str) -> dict[str, Any]:
    """A call with ``text`` in every required string, and a plain value in any other argument."""
    properties = _properties(tool)
    names = _required(tool) or ([] if _schema(tool).get("required") else list(properties)[:1])
    return {
        "name": tool["name"],
        "args": {name: _value(properties[name], text) for name in names},
    }


def _value(schema: dict[str, Any], text: str) -> Any:
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        fitting = [text] if text in choices else [each for each in choices if _is_in(each, text)]
        return (fitting or choices)[0]
    plain = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}
    return plain.get(_kind(schema), text)


def _is_in(choice: Any, text: str) -> bool:
    return isinstance(choice, str) and fold(choice) in fold(text)
