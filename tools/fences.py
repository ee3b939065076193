"""Text from outside, kept apart from what the model is told: fences it cannot close, and a look
at whether it tries to give orders."""

from __future__ import annotations

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
    return any(
        _ORDERS.search(" ".join(normalize("NFKC", each).casefold().split()))
        for each in (as_read(text), tagged(text))
    )
