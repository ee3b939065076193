"""Whether a question is one that a person should look at: somebody is about to act on the answer,
and a wrong one does harm. The patterns are data, in ``risks.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from tools.tokens import fold

_FILE = Path(__file__).with_name("risks.toml")


def risk_of(question: str) -> str | None:
    """The kind of risk that a question has (``self_harm``, ``medication``, ``legal``, ``payment``),
    or None."""
    words = fold(question)
    return next((kind for kind, pattern in _patterns() if pattern.search(words)), None)


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    kinds = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    words: dict[str, str] = kinds.pop("words")
    return [
        (kind, re.compile("|".join(f"(?:{_written(each, words)})" for each in entries["patterns"])))
        for kind, entries in kinds.items()
    ]


def _written(pattern: str, words: dict[str, str]) -> str:
    """A pattern with ``<name>`` replaced by the words of that name."""
    for name, each in words.items():
        pattern = pattern.replace(f"<{name}>", f"(?:{each})")
    return pattern
