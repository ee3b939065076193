"""Whether a question is one that a person should look at: somebody is about to act on the answer,
and a wrong one does harm. The patterns are data, in ``risks.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from tools.tokens import fold, has_hangul

_FILE = Path(__file__).with_name("risks.toml")


def risk_of(question: str) -> str | None:
    """The kind of risk that a question has (``self_harm``, ``medication``, ``legal``, ``payment``),
    or None."""
    words = fold(question)
    patterns = _patterns(has_hangul(words))
    return next((kind for kind, pattern in patterns if pattern.search(words)), None)


@lru_cache(maxsize=2)
def _patterns(korean: bool) -> list[tuple[str, re.Pattern[str]]]:
    """One pattern for each kind; those that have Hangul only where the question has some, as they
    take long to compile and match no other."""
    kinds = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    words: dict[str, str] = kinds.pop("words")
    made: list[tuple[str, re.Pattern[str]]] = []
    for kind, entries in kinds.items():
        written = (_written(each, words) for each in entries["patterns"])
        fit = [f"(?:{each})" for each in written if korean or not has_hangul(each)]
        made.append((kind, re.compile("|".join(fit))))
    return made


def _written(pattern: str, words: dict[str, str]) -> str:
    """A pattern with ``<name>`` replaced by the words of that name."""
    for name, each in words.items():
        pattern = pattern.replace(f"<{name}>", f"(?:{each})")
    return pattern
