"""Regular expressions of a script, which may come from somebody else: one that would take until
tomorrow is cut off.

A search of Python's ``re`` cannot be interrupted from another thread, so one that could take long
is made in a process of its own.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

from agent.catalogue import Problem

PATIENCE_S = 5.0
"""Seconds that one search may take, the start of its process included."""

_REPEATS = re.compile(r"[*+?{|]")
_SEARCH = (
    "import json, re, sys; regex, text = json.load(sys.stdin); "
    "sys.exit(10 + bool(re.search(regex, text)))"
)


def check(regex: str) -> str:
    """``regex``, if it is one. Raises Problem."""
    try:
        re.compile(regex)
    except (re.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        reason = getattr(error, "msg", "") or str(error)
        raise Problem("smoke.regex", reason=reason) from None
    return regex


def is_found(regex: str, text: str) -> bool:
    """Whether ``regex`` is found in ``text``. Raises Problem when that cannot be told in time."""
    if len(_REPEATS.findall(regex)) < 2:  # nothing that could be tried in many ways
        return re.search(regex, text) is not None
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([regex, text]).encode(),
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Problem("smoke.slow_regex", regex=regex) from None
    if done.returncode not in (10, 11):
        raise Problem("smoke.slow_regex", regex=regex)
    return done.returncode == 11
