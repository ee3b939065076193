"""Which parts of a tool's response can be quoted as evidence, whatever shape it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from agent.catalogue import Language, say
from agent.offline.question import Exchange, opened, text_of
from tools.patterns import lazy_pattern

_DEPTH = 8
_LABELS = frozenset(
    "id ids source url uri link href score type status code lang language mime_type tool name "
    "query tried missing under".split()
)
"""Keys whose strings describe a result and are not its text."""

_THINGS = (
    r"(?:results?|match(?:es)?|hits?|documents?|files?|records?|entries|items?|information|"
    r"evidence|data|answers?)"
)
_WHATS = r"(?:검색 ?결과|결과|자료|문서|근거|정보|항목|내용|데이터|기록|것)"
_FOUND_NOTHING = lazy_pattern(
    r"(?:sorry|죄송합니다|죄송하지만)?\W*(?:"
    + "|".join(
        (
            rf"(?:there (?:are|is|were|was) )?(?:no|zero|0) (?:[\w-]+ ){{0,2}}{_THINGS}"
            r"(?: (?:was|were|are|is|has been|have been))?"
            r"(?: (?:found|returned|available|match\w*|for|in|about)\b.*)?",
            r"nothing (?:was |could be )?(?:found|matched|matches)\b.*",
            r"(?:nothing|none|null|n/?a|empty)",
            r"(?:[\w'\"-]+ ){0,4}(?:was |were )?not found",
            r"(?:i |we )?(?:could not|couldn't|cannot|can't|did not|didn't|unable to) find\b.*",
            rf".{{0,80}}?{_WHATS}\S{{0,2}} ?(?:없음|없습니다|없어요|없다|0 ?건\S*)",
            rf".{{0,80}}?(?:{_WHATS}\S{{0,2}} )?찾(?:지 못했|을 수 없|을 수가 없)\S*",
            r"없음|해당 ?없음",
        )
    )
    + r")\W*",
    re.IGNORECASE,
)
_LONGEST_REPORT = 200
_ERROR = lazy_pattern(r"\W*(?:error|오류|에러|traceback)\b", re.IGNORECASE)


class Quote(NamedTuple):
    """A text, what to cite it by, and the headings it stands under. ``closest`` marks one that the
    search itself says only comes near."""

    id: str
    text: str
    under: str = ""
    closest: bool = False


def quotes(exchanges: Sequence[Exchange]) -> list[Quote]:
    """What the responses hold as evidence, each text once, in the order found; where lines were
    chosen, no mere beginning of a passage."""
    narrowed = any(exchange.lines is not None for exchange in exchanges)
    kept: dict[tuple[str, str, str], Quote] = {}
    for exchange in exchanges:
        for quote in _quotes(exchange, narrowed):
            kept.setdefault((quote.id, quote.text, quote.under), quote)
    return list(kept.values())


def reports_hits(exchange: Exchange) -> bool:
    """Whether the response itself says that something was found, as one with hits does. A plain
    text may be evidence or anything else."""
    return any(map(text_of, exchange.hits or []))


def answer(evidence: Sequence[Quote], language: Language, *, near: bool = False) -> str:
    """An answer that only quotes: one line that says so, then each text as it stands with its
    citation. ``near`` says that the texts lack words of the question."""
    if not evidence:
        return say("offline.found_nothing", language)
    lines = [f"{quote.text} [{quote.id}]" for quote in evidence]
    lead = "offline.quotes.near" if near else "offline.quotes"
    return "\n".join([say(lead, language), *lines])


def unread(exchanges: Sequence[Exchange]) -> list[str]:
    """The ids of passages of which a search gave only the beginning, as long as no lines were
    chosen from any."""
    if any(exchange.lines is not None for exchange in exchanges):
        return []
    hits = (hit for exchange in exchanges for hit in exchange.hits or [])
    return list(dict.fromkeys(hit["id"] for hit in hits if _is_beginning(hit)))


def _is_beginning(hit: dict[str, Any]) -> bool:
    """Whether a hit is the beginning of a passage of so many lines."""
    return isinstance(hit.get("lines"), int) and isinstance(hit.get("id"), str)


def _quotes(exchange: Exchange, narrowed: bool) -> Iterator[Quote]:
    hits = exchange.hits
    if hits is None:
        yield from (Quote(exchange.name, text) for text in _texts(exchange.response, 0))
        return
    for hit in hits:
        text = text_of(hit)
        if text and not (narrowed and _is_beginning(hit)):
            under = hit.get("under")
            yield Quote(
                _id(hit, exchange),
                text,
                under if isinstance(under, str) else "",
                hit.get("closest") is True,
            )


def _id(hit: dict[str, Any], exchange: Exchange) -> str:
    identifier = hit.get("id")
    return identifier if isinstance(identifier, str) and identifier else exchange.name


def _texts(value: Any, depth: int) -> Iterator[str]:
    """The strings inside that say something. What stands beside an error is no evidence."""
    value = opened(value)
    if isinstance(value, str):
        text = value.strip()
        if text and not says_nothing(text):
            yield text
    elif isinstance(value, dict) and depth < _DEPTH:
        entries = cast(dict[str, Any], value)
        if not entries.get("error"):
            for key, each in entries.items():
                if key.lower() not in _LABELS:
                    yield from _texts(each, depth + 1)
    elif isinstance(value, list) and depth < _DEPTH:
        for each in cast(list[Any], value):
            yield from _texts(each, depth + 1)


def says_nothing(text: str) -> bool:
    """Whether a tool's text only reports that nothing was found, or that something went wrong."""
    line = " ".join(text.split())
    if not any(letter.isalnum() for letter in line):
        return True
    if len(line) > _LONGEST_REPORT:
        return False
    return bool(_ERROR.match(line) or _FOUND_NOTHING.fullmatch(line))
