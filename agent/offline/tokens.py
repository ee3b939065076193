"""How many tokens a prompt or a reply counts as, offline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from agent.messages import Content
from agent.offline.known import Known

BYTES_PER_TOKEN = 4


def count_tokens(value: Any) -> int:
    """An estimate, the same for every door: the size of the value as compact JSON in UTF-8,
    divided by four and rounded up. That makes four Latin letters one token, and a Hangul
    syllable (three bytes) three quarters of one. Raises ValueError for NaN and infinities."""
    return -(-_size(value) // BYTES_PER_TOKEN)


def count_prompt(system: str, contents: Sequence[Content], declarations: Sequence[Any]) -> int:
    """``count_tokens`` of these three in a list; contents that came before are not written again.
    Raises ValueError as that does."""
    between = max(len(contents) - 1, 0)
    whole = _size([system, [], declarations]) + sum(map(_size_of_content, contents)) + between
    return -(-whole // BYTES_PER_TOKEN)


def _size(value: Any) -> int:
    written = json.dumps(
        value, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
    )
    return len(written.encode("utf-8", "surrogatepass"))


_size_of_content = Known(_size)
