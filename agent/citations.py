"""Which passages an answer cites, and whether they exist."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix

from tools.documents import Passage
from tools.tokens import fold

_QUOTE_MARGIN = 8
"""Characters beside a bracket that must stand in the evidence too before it counts as quoted."""


@dataclass(frozen=True)
class Citation:
    """One ``[id]`` of an answer; ``ok`` when the ledger holds that passage."""

    id: str
    ok: bool


def cited(answer: str, ledger: Mapping[str, Passage]) -> list[Citation]:
    """The citations of an answer, in order, each once.

    A bracket inside text quoted verbatim from evidence belongs to the quotation. Ids are compared
    without regard to case and spaces around them; ``[a, b]`` is two.
    """
    texts = [passage.text for passage in ledger.values() if "[" in passage.text]
    known = {fold(name): name for name in ledger}
    found: dict[str, bool] = {}
    for match in _brackets(ledger).finditer(answer):
        if _is_quoted(answer, match, texts):
            continue
        inside = match[1]
        names = [inside] if fold(inside) in known else inside.split(",")
        for name in filter(None, (each.strip() for each in names)):
            found[known.get(fold(name), name)] = fold(name) in known
    return [Citation(name, ok) for name, ok in found.items()]


def _brackets(ledger: Mapping[str, Passage]) -> re.Pattern[str]:
    """``[...]``, where a known id may itself hold brackets (a file name can)."""
    odd = [re.escape(name) for name in ledger if "[" in name or "]" in name]
    return re.compile(r"\[(" + "|".join([*odd, r"[^\[\]\n]+"]) + r")\]")


def _is_quoted(answer: str, match: re.Match[str], texts: Sequence[str]) -> bool:
    before, after = answer[: match.start()], answer[match.end() :]
    for text in texts:
        for place in re.finditer(re.escape(match[0]), text):
            left = commonprefix([before[::-1], text[: place.start()][::-1]])
            right = commonprefix([after, text[place.end() :]])
            if len(left) + len(right) >= min(_QUOTE_MARGIN, len(text) - len(match[0])):
                return True
    return False
