"""What a question asks for, piece by piece, and in which words each piece can be searched.

By rule and without a model: the words stay those of the question, but for what such a question
always needs as well (the year before, where growth in a year is asked for). When in doubt a
question is one piece: a question cut where it should not be is searched more and answered less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from tools.documents import content_words
from tools.tokens import fold

MOST_PIECES = 5

_NEAR = 0.8

_REQUEST = re.compile(
    r"\s*(?:까지|모두|전부|각각|자세히|간단히|좀|함께|같이)?\s*(?:에\s*(?:대해|관해)서?\s*)?"
    r"(?:알려|설명해|설명하|말해|정리해|찾아|보여|가르쳐|요약해|비교해|답해)\s*"
    r"(?:줘요?|주세요|주십시오|주실래요|줄래요?|달라\S*|라|요)?[.?!？。]*\s*$"
    r"|\s*(?:은|는|이|가)?\s*(?:무엇|뭐)(?:인가요|입니까|이야|예요|야|지)?[.?!？。]*\s*$"
)
_POLITE = re.compile(
    r"^\s*(?:please\s+)?(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?"
    r"(?:(?:tell|show|give)\s+(?:me|us)|explain|describe|summari[sz]e|compare|list|find)"
    r"(?:\s+about)?\s+",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^\s*(?:(?:and|also)\s+)?(?:what|which|who|when|where|how)"
    r"(?:'s|\s+(?:is|are|was|were|did|does|do))?\s+"
    r"(?:the\s+)?(?=\w)"
    r"|^\s*(?:the|its|their|and|also)\s+(?=\w)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"^(?:the\s+)?(?:differences?|comparison)\s+(?:between|of)\s+"
    r"|(?<=[가-힣A-Za-z0-9)])(?:의|\s*(?:간|사이)의?)\s*차이점?(?:은|는|이|가|을|를)?[.?!？。]*\s*$",
    re.IGNORECASE,
)
_WHY = re.compile(r"^\s*(?:and\s+)?why\b\s*", re.IGNORECASE)

_NO_PARTICLE = (
    "결과 효과 성과 학과 사과 교과 통과 경과 부과 초과 일과 치과 안과 내과 외과 전과 기와".split()
)
"""Words that end like one with the particle for "and"."""

_JOINED = re.compile(
    r"\s*[,，、;；](?!\d)\s*(?:그리고\s+|및\s+|또한?\s+|and\s+|as well as\s+)?"
    r"|\s+(?:그리고|및|또)\s+"
    r"|\s+(?:as well as|along with|together with|and then|and also|and|plus|versus|vs\.?)\s+"
    rf"|(?<=[가-힣A-Za-z0-9)])[와과]{''.join(f'(?<!{each})' for each in _NO_PARTICLE)}\s+"
    r"|(?<=[가-힣])(?:이고|하고|되고|이랑|(?<=[리있없인받내오나치키])(?<!그리)고),?\s+(?!있|싶|나서|계)"
    r"|[?？]\s+(?=\S)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\b[A-Z]\w+ and [A-Z]\w+\b")
_EITHER = re.compile(
    r"(이?야|이?니|이?냐|인가요?|이?예요|이에요|입니까|이?지),\s+(?=\S+\1[?？.]*$)"
)
_FIXED = re.compile(
    r"\b(?:terms and conditions|research and development|pros and cons|questions? and answers?"
    r"|mergers and acquisitions|health and safety|command and control)\b",
    re.IGNORECASE,
)
_TIED = str.maketrans(" ,;", "\ue000\ue001\ue002")
_UNTIED = str.maketrans("\ue000\ue001\ue002", " ,;")
"""In place of what joins, where nothing is cut."""

_ENDING = re.compile(r"(?<=[가-힣A-Za-z0-9)]{2})(?:까지|을|를|은|는)$")
_LEADING = re.compile(r"^(?:그리고|또한?|그|이|해당|관련|각)\s+")
_EXTENT = re.compile(r"까지도?$")

_GREW_KO = re.compile(
    r"(?P<year>(?:19|20)\d\d)년(?:도|에|의)?\s*(?P<measure>[가-힣A-Za-z ]{0,20}?)[이가]?\s*가장\s*"
    r"(?:많이|크게|빠르게|높게)?\s*(?P<verb>증가|성장|감소|하락|상승|늘어|줄어|오른|내린|늘|줄)\S*\s+"
    r"(?P<thing>[가-힣A-Za-z]+?)(?:[과와은는이가의을를]|하고|이랑)?(?=[\s,.?!]|$)"
)
_GREW_EN = re.compile(
    r"(?<![A-Za-z])(?P<thing>[A-Za-z]+)\s+(?:that\s+|which\s+)?(?:with|had|has|saw|showed)\s+the\s+"
    r"(?P<most>largest|biggest|highest|greatest|strongest|fastest|steepest|most)\s+"
    r"(?P<measure>[a-z]+\s+)??(?P<verb>growth|increase|rise|gain|decline|drop|decrease|fall)"
    r"(?:\s+(?:in|of)\s+(?P<of>[a-z]+))?\s+(?:in|during|for)\s+(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_GREW_EN_MOST = re.compile(
    r"(?<![A-Za-z])(?P<thing>[A-Za-z]+)(?:'s)?\s+(?P<measure>[a-z]+)?\s*(?P<verb>grew|rose|increased|fell|"
    r"declined|dropped)\s+(?:the\s+)?(?P<most>most|fastest)\s+(?:in|during)\s+"
    r"(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_NOUNS = {
    "늘어": "증가", "늘": "증가", "오른": "상승", "줄어": "감소", "줄": "감소", "내린": "하락",
    "grew": "growth", "rose": "growth", "increased": "growth",
    "fell": "decline", "declined": "decline", "dropped": "decline",
}  # fmt: skip

_HOW_IT_GOES = re.compile(
    r"^(?P<subject>.+?)(?:은|는|이|가)?\s*(?:지금|현재|요즘|최근)?\s*"
    r"(?:어떻게\s*(?:되고|되어|돼|진행되고|진행)\s*(?:가고|있|가|중)\S*(?:\s*있\S*)?"
    r"|(?:의\s*)?(?:진행\s*)?(?:상황|현황|상태)(?:은|는|이|가|을|를)?\s*(?:어때|어떤가|어떻|어떠|알려|뭐|무엇)?\S*"
    r"(?:\s*줘)?)\s*[?？.!]*$"
)
_HOW_IT_GOES_EN = re.compile(
    r"^(?:how\s+is\s+(?P<a>.+?)\s+(?:going|doing|coming along|progressing)"
    r"|(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:current\s+)?(?:status|state)\s+of\s+(?P<b>.+?)"
    r"|what(?:'s|\s+is)\s+(?:happening|going on)\s+with\s+(?P<c>.+?))"
    r"(?:\s+(?:now|today|at the moment|right now|currently))?\s*[?.!]*$",
    re.IGNORECASE,
)
_NOW = re.compile(r"\s*(?:지금|현재|요즘|최근)$")


def decompose(question: str) -> tuple[str, ...]:
    """The pieces of a question, in its order and at most five; one piece is the question itself.

    Each holds a word that says what it is about. "A and B" is two, a name like "Simon and
    Garfunkel" and a number like 10,000 are not cut.
    """
    text = " ".join(question.split())
    grown = _grown(text)
    if grown is None and _hangs_together(text):
        return (question.strip(),)
    pieces = list(grown.pieces) if grown else []
    for piece in _split(grown.rest if grown else text):
        words = content_words(piece)
        if words and not near(piece, pieces):
            pieces.append(grown.told(piece) if grown and len(words) == 1 else piece)
    if len(pieces) < 2:
        return (question.strip(),)
    return tuple(pieces[:MOST_PIECES])


def rewrites(piece: str, today: date | None = None) -> tuple[str, ...]:
    """The words in which a piece may be searched, the first as it stands. A question of how
    something goes is asked as what reports on that: its status, delays and open risks."""
    text = " ".join(piece.split())
    if (korean := _HOW_IT_GOES.match(text)) and re.search(r"[가-힣]", text):
        subject = _NOW.sub("", korean["subject"])
        if content_words(subject):
            when = f"{today.year}년 {(today.month + 2) // 3}분기 " if today else ""
            return (
                f"{subject} {when}상태 보고서",
                f"{subject} 현재 지연 원인",
                f"{subject} 미해결 위험 요소",
            )
    if english := _HOW_IT_GOES_EN.match(text):
        subject = english["a"] or english["b"] or english["c"]
        when = f" {today.year} Q{(today.month + 2) // 3}" if today else ""
        return (
            f"{subject}{when} status report",
            f"{subject} current cause of delay",
            f"{subject} open risks",
        )
    return (text,)


def near(query: str, others: Sequence[str]) -> str | None:
    """The first of ``others`` that asks for nearly the same words as ``query``: the same words in
    another order, form or number, or all but a fifth of them. Where a number or an id differs, it
    is another query."""
    words = _words(query)
    for other in others:
        theirs = _words(other)
        if fold(query) == fold(other) or (
            words
            and _numbered(words) == _numbered(theirs)
            and len(words & theirs) >= _NEAR * len(words | theirs)
        ):
            return other
    return None


def _words(text: str) -> frozenset[frozenset[str]]:
    return frozenset(content_words(text))


def _numbered(words: frozenset[frozenset[str]]) -> set[frozenset[str]]:
    return {word for word in words if any(map(str.isdigit, "".join(word)))}


class _Grown(NamedTuple):
    """What has grown most in a year: the figures of both years and the thing itself, the rest of
    the question, and in which words a short part of that is told."""

    pieces: tuple[str, str]
    rest: str
    told: Callable[[str], str]


def _grown(text: str) -> _Grown | None:
    if found := _GREW_KO.search(text):
        year, thing, measure = int(found["year"]), found["thing"], found["measure"].strip()
        verb = _NOUNS.get(found["verb"], found["verb"])
        of = f"{measure} {verb}".strip()
        pieces = (
            f"{year - 1}년과 {year}년 {thing}별 {measure or verb}",
            f"{year}년 {of} 폭이 가장 큰 {thing}",
        )
        return _Grown(pieces, text[found.end() :], lambda part: f"{thing} {of} {part}")
    if found := _GREW_EN.search(text) or _GREW_EN_MOST.search(text):
        year, thing = int(found["year"]), found["thing"]
        verb = _NOUNS.get(found["verb"].lower(), found["verb"].lower())
        measure = (found["measure"] or found.groupdict().get("of") or "").strip()
        of = f"{measure} {verb}".strip()
        pieces = (
            f"{measure or verb} by {thing} in {year - 1} and {year}",
            f"{thing} with the largest {of} in {year}",
        )
        return _Grown(pieces, text[found.end() :], lambda part: f"{part} for {thing} {of}")
    return None


_LONGEST_LIST = 20
"""Content words of a question; a longer one describes a thing rather than listing several."""

_YES_OR_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|if)\b",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(r"무엇|무슨|뭐|뭔|언제|어디|누가|누구|얼마|며칠|몇|어떤|어떻|어느|왜")
_QUOTED = re.compile(r"[\"“「『][^\"”」』]+[\"”」』]")
_YES_OR_NO_KO = re.compile(r"(?:나요|가요|까요?|니까|은가|는가)[?？.!\s]*$")
_FINITE = re.compile(
    r"\b(?:that|who|whom|whose|which|while|when|where|known|was|were|is|are|has|had|did|does|or"
    r"|he|she|they|his)\b|^(?:\d|as |after |before |following |it |\w+ed )",
    re.IGNORECASE,
)
_ONLY_NAMES = re.compile(r"(?:[A-Z]\w*[\s?.]*)+(?:and\s+(?:[A-Z]\w*[\s?.]*)+)?")
_NEW_QUESTION = re.compile(
    r"^(?:and |also )?(?:what|which|who|when|where|how|why)\b", re.IGNORECASE
)
_ADNOMINAL = re.compile(r"[가-힣](?:한|된|던|진|킨|친|른|린|운|온|간|낸|든|인|힌|긴)\s+[가-힣]")


def _hangs_together(text: str) -> bool:
    """Whether what commas and "and" join in a question says one thing together: it asks whether
    something is so, it is long, or a later part is a clause about the one before. Of 429 questions
    of MultiHop-RAG 26 were one piece without this rule, and commas made pieces of dates."""
    asked = _POLITE.sub("", text)
    later = [part.strip() for part in _JOINED.split(_QUOTED.sub("x", asked))[1:] if part]
    if re.search("[가-힣]", text):
        is_so = _YES_OR_NO_KO.search(text) and not _ASKS_WHAT.search(text)
        return bool(is_so) or any(map(_ADNOMINAL.search, later))
    return bool(
        _YES_OR_NO.match(asked)
        or len(content_words(asked)) > _LONGEST_LIST
        or any(_FINITE.search(part) and not _NEW_QUESTION.match(part) for part in later)
        or ("," in asked and any(map(_ONLY_NAMES.fullmatch, later)))
    )


def _split(text: str) -> Iterator[str]:
    """The parts between what joins them, without what only asks."""
    asked = _POLITE.sub("", _REQUEST.sub("", text))
    asked = _BETWEEN.sub("", _ASKING.sub("", asked))
    asked = _EITHER.sub(r"\1 ", asked)
    for kept in (_NAMES, _FIXED, _QUOTED):
        asked = kept.sub(lambda match: match[0].translate(_TIED), asked)
    for part in _JOINED.split(asked):
        piece = (part or "").translate(_UNTIED).strip(" .?!？。,")
        piece = _WHY.sub("reason ", piece)
        piece = _BETWEEN.sub("", _ASKING.sub("", piece))
        piece = _ENDING.sub("", _EXTENT.sub("", _LEADING.sub("", piece))).strip()
        if piece:
            yield piece
