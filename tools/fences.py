"""Text from outside, kept apart from what the model is told: fences it cannot close, and a look
at whether it tries to give orders."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from unicodedata import normalize

from tools.hidden import as_read, tagged, without_hidden
from tools.patterns import lazy_pattern

LONGEST_DESCRIPTION = 500

_MARKS = str.maketrans("⟦⟧〚〛", "()()")
"""The fence's brackets and those that look like them. Inside a fence they become round ones."""

_FENCE_MARK = lazy_pattern(r"⟦(?!/)[^⟦⟧]*⟧ ?| ?⟦/[^⟦⟧]*⟧")

_ORDERS = lazy_pattern(
    r"\b(?:ignore|disregard|forget|override)\b[^.!?]{0,30}"
    r"\b(?:previous|prior|above|earlier|preceding|all|your)\b[^.!?]{0,20}"
    r"\b(?:instructions?|prompts?|rules|guidelines)\b"
    r"|\bnew instructions? (?:for you|from)\b"
    r"|\bthis is an? (?:message|request|order) from (?:the|your) (?:user|developer|operator)\b"
    r"|\bthe user (?:says|said|wants|asks|asked|tells|told)\b(?: that)?(?: ?:| you\b)"
    r"|\bdo(?: not|n't) (?:tell|inform|warn) the user\b"
    r"|\b(?:reveal|print|repeat|show|output) (?:your|the) (?:system prompt|hidden instructions)\b"
    r"|\byou are now in \w+ mode\b"
    r"|<\|im_start\|>|\[/?inst\]"
    r"|(?:이전|앞선|앞의|위의|지금까지의|기존의?)\s*(?:모든\s*)?"
    r"(?:지시|명령|규칙|프롬프트)(?:사항|문)?(?:들)?(?:은|는|을|를)?\s*"
    r"(?:모두|전부|다|완전히)?\s*(?:무시|잊어|잊고|따르지)"
    r"|(?:사용자|관리자|개발자|운영자)\s*(?:본인)?의\s*(?:직접적인\s*)?(?:요청|지시|명령)"
    r"(?:이다|입니다|이니|이므로)"
    r"|사용자에게(?:는)?\s*(?:절대\s*)?(?:말하지|알리지)\s*(?:마|말)"
    r"|(?:너는|넌|당신은)\s*(?:이제|지금)부터|(?:이제|지금)부터\s*(?:너는|넌|당신은)"
    r"|시스템\s*프롬프트를\s*(?:출력|공개|보여|알려)"
)
_SAYING = (
    r"(?:answer|say|reply|respond|state|claim)\b(?:[^.!?]{0,30} with)?(?: (?:only|just))?"
    r"(?: (?:that|yes|no|nothing|none)\b| ?:| ?[\"'“‘])"
)
_SAYING_KO = (
    r"(?:고|만|으?로)\s*(?:말|답|대답|답변|응답)\s*(?:하|해)\s*(?:지\s*(?:마|말)|세요|라|십시오|시오|줘"
    r"|주세요|주십시오|주시|야\s*(?:한다|합니다)|$|[.!])"
)
_NAMED_AND_TOLD = lazy_pattern(
    r"(?:^|[.!?]\s)[\W_]{0,6}"
    rf"(?:(?:system|assistant|developer)[\W_]{{0,3}}[:\]>]\W{{0,3}}(?:[a-z]+ ){{0,4}}{_SAYING}"
    rf"|(?:시스템|개발자|어시스턴트)[\W_]{{0,3}}[:\]>][^.!?\n]{{0,200}}{_SAYING_KO})"
    r"|\b(?:ignore|disregard|forget)\s(?:[a-z]+\s){0,3}(?:above|previous|prior|earlier|preceding)\b"
    rf"[^.!?\n]{{0,30}}\b(?:and|then)\s(?:[a-z]+\s){{0,2}}{_SAYING}"
    r"|(?:이전|앞선|앞의|위의?|지금까지의|기존의?)\s*(?:모든\s*)?(?:내용|말|글|대화|자료|문서|것)"
    r"(?:들)?(?:은|는|을|를)?\s*(?:모두|전부|다|완전히)?\s*(?:무시\s*하고|무시\s*한\s*채|잊고|잊은\s*채|"
    rf"잊어\s*버리고)[^.!?\n]{{0,200}}{_SAYING_KO}",
    re.MULTILINE,
)
"""What is to be said, after a name that speaks to a model or after what is to be forgotten. A
manual tells a person what to do: SYSTEM: You must restart the server after an update."""

_LETTER_BY_LETTER = lazy_pattern(r"(?<!\w)\w(?:[\s._*·-]{1,3}\w(?!\w)){3,}")
_GAP = lazy_pattern(r"(?<=\w)[\s._*·-](?=\w)")
_IN_ONE_WORD = lazy_pattern(
    r"(?:ignore|disregard|forget|override)[a-z]{0,20}(?:previous|prior|above|earlier|preceding|your)"
    r"[a-z]{0,20}(?:instructions?|prompts?|rules|guidelines)"
)

_SENTENCE_END = lazy_pattern(r"(?<=[.!?。])\s+|\s\|\s|\n")


def without_marks(text: str) -> str:
    """``text`` with every bracket that could open or close a fence made a round one."""
    return text.translate(_MARKS)


def fence(text: str, label: str) -> str:
    """``text`` between ``⟦label⟧`` and ``⟦/label⟧``, for a model that must tell evidence from
    instructions. Neither the text nor the label can hold such a mark, so neither can close it."""
    name = " ".join(without_marks(label).split()).lstrip("/")
    return f"⟦{name}⟧ {without_marks(text)} ⟦/{name}⟧"


def unfence(text: str) -> str:
    """``text`` without fence marks, wherever they stand: what was fenced, or an answer that
    copied a mark with its quotation."""
    return _FENCE_MARK.sub("", text) if "⟦" in text else text


def as_description(text: str, otherwise: str) -> str:
    """``text`` as one line that may stand in a tool's description, where a model takes its orders
    from; ``otherwise`` for one that reads as if it gave some."""
    line = " ".join(without_marks(without_hidden(text)).split())
    if looks_like_orders(text) or not line:
        return otherwise
    return line[:LONGEST_DESCRIPTION]


def without_orders(text: str) -> str:
    """``text`` with its line breaks, without the sentences that read as orders."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    pieces = [text[start:end] for start, end in pairwise(ends)]
    return "".join(each for each in pieces if not looks_like_orders(each))


@lru_cache(maxsize=256)
def looks_like_orders(text: str) -> bool:
    """Whether ``text`` reads as if it told the model what to do, in English or Korean, also where
    it is hidden from a reader. For a warning to the reader; it misses more than it finds, so
    nothing may rest on it. One question looks at the same few texts again and again."""
    seen = [normalize("NFKC", each).casefold() for each in (as_read(text), tagged(text))]
    spelled = [told for each in seen if (told := _put_together(each)) != each]
    return any(
        _ORDERS.search(" ".join(each.split())) or _NAMED_AND_TOLD.search(each)
        for each in (*seen, *spelled)
    ) or any(map(_IN_ONE_WORD.search, spelled))


def _put_together(text: str) -> str:
    """``text`` with words whose letters stand one by one (i g n o r e) as words."""
    return _LETTER_BY_LETTER.sub(lambda match: _GAP.sub("", match[0]), text)
