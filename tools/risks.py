"""Whether a question is one that a person should look at: somebody is about to act on the answer,
and a wrong one does harm. The patterns are data, in ``risks.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tools.patterns import lazy_pattern
from tools.tokens import fold, has_hangul

_FILE = Path(__file__).with_name("risks.toml")


def risk_of(question: str) -> str | None:
    """The kind of risk that a question has (``self_harm``, ``poisoning``, ``medication``,
    ``legal``, ``payment``), or None."""
    asked = dict.fromkeys([fold(question), fold(_with_persons(question))])
    return next((kind for kind in _kinds() for words in asked if _is_of(kind, words)), None)


_NAME = lazy_pattern(
    r"\b(?P<before>(?i:can|could|may|might|must|should|shall|would|is|are|for|to|give|giving)) "
    r"(?:(?i:little|young|old|baby) )?(?:(?i:mrs?|ms|miss|dr|prof)\.? )?"
    r"(?:[A-ZÀ-Þ][\w'’-]+|[A-Z]\.)(?:, [^,?]{1,60},)?(?=\W|$)"
)
"""A name where a question has whom it is about, with what stands beside it: Mr. Lee; Anna, who is
four."""


def _with_persons(question: str) -> str:
    """``question`` with somebody where it has a name: only the capitals of a name tell it, and the
    patterns see none."""
    return _NAME.sub(r"\g<before> my patient", question)


def _is_of(kind: str, words: str) -> bool:
    if not any(sign in words for sign in _kinds()[kind]["signs"].split()):
        return False
    return bool(_pattern(kind, has_hangul(words)).search(words))


@lru_cache(maxsize=1)
def _kinds() -> dict[str, dict[str, Any]]:
    kinds = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    words: dict[str, str] = kinds.pop("words")
    for entries in kinds.values():
        entries["patterns"] = [_written(each, words) for each in entries["patterns"]]
    return kinds


@cache
def _pattern(kind: str, korean: bool) -> re.Pattern[str]:
    """The patterns of a kind as one; those that have Hangul only where the question has some, as
    they match no other."""
    written = _kinds()[kind]["patterns"]
    return re.compile("|".join(f"(?:{p})" for p in written if korean or not has_hangul(p)))


def _written(pattern: str, words: dict[str, str]) -> str:
    """A pattern with ``<name>`` replaced by the words of that name."""
    for name, each in words.items():
        pattern = pattern.replace(f"<{name}>", f"(?:{each})")
    return pattern
