"""Call ids and thought signatures that can be recognised when they come back.

The real API signs its thoughts; a client must return the bytes as they came. Here a signature
covers the name and the arguments of its call, so that a changed one, or one on a call that was
rebuilt differently, is noticed without remembering anything. The key is no secret: it guards
against mistakes, not against forgers, and it is fixed so that a saved conversation goes on.
"""

from __future__ import annotations

import base64
from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from tools.patterns import lazy_pattern

DUMMIES = frozenset({"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"})
"""Signatures that the API's documentation offers for calls that no Gemini made."""

REMEMBERED = 1_000
"""Digests and decoded signatures that are kept: each request brings those of its whole history
again. They are kept by what is written, so that another writing is never taken for it."""

_KEYED = blake2b(key=b"bareloop-offline", digest_size=24)
_PREFIX = b"\x12bareloop\x01"
_ID = lazy_pattern(r"call_([0-9a-f]{8})([0-9a-f]{8})")


def signature(name: str, args: dict[str, Any]) -> str:
    """The signature of a call, as standard base64."""
    return base64.b64encode(_PREFIX + _seal(name, args)).decode()


def call_id(place: str, taken: Collection[str]) -> str:
    """An id for the call at ``place`` (any text that names it), unlike the ids in ``taken``."""
    attempt = 0
    while True:
        nonce = _digest(f"{place}#{attempt}")[:4].hex()
        made = f"call_{nonce}{_check(nonce)}"
        if made not in taken:
            return made
        attempt += 1


def is_ours(identifier: str | None) -> bool:
    """Whether a call id was made here."""
    match = _ID.fullmatch(identifier or "")
    return match is not None and _check(match[1]) == match[2]


def is_intact(written: str, call: dict[str, Any]) -> bool:
    """Whether a signature is fit to be sent with ``call``: ours unchanged, in either base64
    alphabet, or one from elsewhere, which cannot be judged."""
    if written in DUMMIES:
        return True
    signed = _decoded(written)
    if not signed.startswith(_PREFIX) and not is_ours(call.get("id")):
        return True
    return signed == _PREFIX + _seal(call.get("name", ""), call.get("args") or {})


@lru_cache(maxsize=REMEMBERED)
def _decoded(written: str) -> bytes:
    """The bytes that base64 of either alphabet writes, with or without padding."""
    bare = written.replace("-", "+").replace("_", "/").rstrip("=")
    return base64.b64decode(bare + "=" * (-len(bare) % 4))


def _check(nonce: str) -> str:
    return _digest(nonce)[:4].hex()


def _seal(name: str, args: dict[str, Any]) -> bytes:
    return _digest(ascii((name, _plain(args))))


def _plain(value: Any) -> Any:
    """A value in which order of keys makes no difference, nor 3 that comes back as 3.0."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        pairs = [(str(key), _plain(each)) for key, each in value.items()]
        return pairs if len(pairs) < 2 else sorted(pairs)
    if isinstance(value, list):
        return tuple(map(_plain, value))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


@lru_cache(maxsize=REMEMBERED)
def _digest(text: str) -> bytes:
    digest = _KEYED.copy()
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()
