"""What was found out about contents, kept for the next request, which brings all of them again.

It is kept by all that a content says, not by which object it is: one that was changed in place
says something else.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any, Generic, TypeVar

MOST = 1_000
"""Contents that are remembered."""

LONGEST = 4_000
"""In bytes; what is found out about a longer one is found out again."""

T = TypeVar("T")


class Known(Generic[T]):
    """What one function says of contents. Shared by threads."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find = find
        self._found: dict[bytes, T] = {}

    def __call__(self, content: Any) -> T:
        try:
            # tells 1, 1.0 and True apart, which are equal; the second format writes what is shared
            # by two places as often as it stands there
            said = marshal.dumps(content, 2)
        except ValueError:  # an object that JSON has not, or brackets without end
            return self._find(content)
        found = self._found.get(said)
        if found is None:
            found = self._find(content)
            if len(said) <= LONGEST:
                if len(self._found) >= MOST:
                    self._found.clear()
                self._found[said] = found
        return found
