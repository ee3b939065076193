"""How many tokens a prompt or a reply counts as, offline."""

from __future__ import annotations

import json
from typing import Any

BYTES_PER_TOKEN = 4


def count_tokens(value: Any) -> int:
    """An estimate, the same for every door: the size of the value as compact JSON in UTF-8,
    divided by four and rounded up. That makes four Latin letters one token, and a Hangul
    syllable (three bytes) three quarters of one. Raises ValueError for NaN and infinities."""
    written = json.dumps(
        value, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
    )
    return -(-len(written.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)
