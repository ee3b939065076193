"""Regular expressions that are compiled when they are first used.

A question needs a third of those that its modules hold, and one with Korean letters takes long to
compile: Python 3.11 walks through all of ``[가-힣]``, 0.4 ms, or 1.2 where it folds the case of
each.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


class _Late:
    """Stands where a compiled pattern would; the first use of a method compiles it."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        # Hangul has no case; said so, its case is not folded
        pattern = self.pattern.replace("[가-힣]", "(?-i:[가-힣])")
        compiled = re.compile(pattern if self.flags & re.IGNORECASE else self.pattern, self.flags)
        for each in _METHODS:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As ``re.compile``, for a module's own patterns."""
    return cast("re.Pattern[str]", _Late(pattern, flags))
