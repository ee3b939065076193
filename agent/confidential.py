"""What nobody should find in a file that goes from hand to hand: keys, passwords, tokens.

One list of forms for everything that is written to be shown to others: recordings, exported
scripts, traces. The forms are narrow, so that a text about passwords is no password.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tools.patterns import lazy_pattern

SHORTEST_KEY = 8
"""A shorter key is a stand-in such as "test", and may occur in any text."""

OWN = "(key)"
"""What stands where the person's own key was, as in what Gemini sends back."""

_VALUE = r"""(?=[^\s"'&,;]*[A-Za-z])(?=[^\s"'&,;]*\d)[A-Za-z0-9!#@^~_.+/=%-][^\s"'&,;]{5,}"""
_NAMED = (
    r"(?i:pass(?:word|wd|phrase)|\bpwd|secret|secret[ _-]?(?:access[ _-]?)?key|api[ _-]?key|"
    r"(?:access|auth|refresh|session|api)[_-]?token|client[_-]?secret|비밀번호|암호)"
)
SECRETS = {
    "Google API key": r"\bAIza[\w-]{35}|\bAQ\.[\w-]{30,}",
    "Google access token": r"\bya29\.[\w-]{20,}",
    "Google client secret": r"\bGOCSPX-[\w-]{20,}",
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----",
    "JSON Web Token": r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{10,}",
    "bearer token": r"(?i:\bbearer)\s+(?=\S*\d|[\w.~+/-]{24})[\w.~+/-]{20,}",
    "login": r"(?i:\bauthorization:\s*basic)\s+[A-Za-z0-9+/]{8,}=*",
    "address with a password": r"\b[a-zA-Z][\w+.-]*://[^\s/:@'\"]+:[^\s/@'\"]{3,}@[\w\[]",
    "GitHub token": r"\bgh[opsur]_\w{30,}|\bgithub_pat_\w{30,}",
    "GitLab token": r"\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|oas|agent)-[\w.-]{16,}",
    "AWS key": r"\bA[KS]IA[0-9A-Z]{16}\b",
    "AWS secret": r"(?i:aws|secret)[\w .-]{0,40}[\"']?\s{0,3}[:=]\s{0,3}[\"']?[A-Za-z0-9/+]{40}\b",
    "API key": r"\bsk-(?:[A-Za-z0-9]+-){0,3}\w{16,}|\b[sr]k_(?:live|test)_\w{16,}",
    "Slack token": r"\bxox[abeprs]-[\w-]{10,}|\bhooks\.slack\.com/services/\w+/\w+/\w{16,}",
    "package token": r"\bnpm_\w{36}\b|\bpypi-AgE[\w-]{40,}|\bhf_[A-Za-z0-9]{30,}",
    "password": rf"{_NAMED}[\"']?\s{{0,3}}[:=]\s{{0,3}}[\"']?{_VALUE}",
}
"""Name -> the form of something that nobody should find in a repository."""

# ASCII: Korean letters may touch a key on both sides
_FORMS = [(kind, lazy_pattern(form, re.ASCII)) for kind, form in SECRETS.items()]


def secret_in(text: str, own: Sequence[str] = ()) -> tuple[int, str] | None:
    """The line and the kind of the first thing in ``text`` that looks like a secret, or is one of
    the person's ``own`` keys."""
    for key in _long(own):
        if (at := text.find(key)) >= 0:
            return _line(text, at), "API key"
    for kind, form in _FORMS:
        if found := form.search(text):
            return _line(text, found.start()), kind
    return None


def without_keys(value: Any, own: Sequence[str]) -> Any:
    """``value`` without the person's own keys, wherever a text of it holds one."""
    keys = _long(own)
    return _changed(value, lambda text: _without(text, keys)) if keys else value


def without_secrets(value: Any, own: Sequence[str]) -> Any:
    """``value`` without the person's own keys and with the name of each secret in its place."""
    keys = _long(own)
    return _changed(value, lambda text: _named(_without(text, keys)))


def _long(own: Sequence[str]) -> list[str]:
    return sorted({key for key in own if len(key) >= SHORTEST_KEY}, key=len, reverse=True)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _without(text: str, keys: Sequence[str]) -> str:
    for key in keys:
        text = text.replace(key, OWN)
    return text


def _named(text: str) -> str:
    for kind, form in _FORMS:
        text = form.sub(f"({kind})", text)
    return text


def _changed(value: Any, change: Any) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {_changed(key, change): _changed(each, change) for key, each in value.items()}
        case list() | tuple():
            return [_changed(each, change) for each in value]
        case _:
            return value
