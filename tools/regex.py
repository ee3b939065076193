"""Regular expressions that a person wrote, in a corpus or in a script: one that would take until
tomorrow is cut off.

A search of Python's ``re`` cannot be interrupted from another thread, so one that could take long
is made in a process of its own, which ends itself when its time is over and else stays for the
next. Most patterns and texts cannot take long, and are searched here.
"""

from __future__ import annotations

import atexit
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from tools.problems import CorpusError

if TYPE_CHECKING:
    import subprocess

PATIENCE_S = 5.0
"""Seconds that one search may take."""

_FEW_STEPS = 7.5
"""As a power of ten: about 2 s at most."""

_PLAIN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^]\\])*\]", re.DOTALL)
_OPENING = re.compile(r"\(\?(?:P?<\w+>|P=\w+\)|[:=!>]|<[=!]|[a-zA-Z-]+[:)])")
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_VERBOSE = re.compile(r"\(\?[a-zA-Z]*x")

_SEARCHING = f"""
import faulthandler, json, re, sys
for line in sys.stdin.buffer:
    pattern, text, most = json.loads(line)
    faulthandler.dump_traceback_later({PATIENCE_S}, exit=True)
    found = []
    for match in re.finditer(pattern, text):
        found.append([match.span(group) for group in range(match.re.groups + 1)])
        if len(found) == most:
            break
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps(found), flush=True)
"""


def compiled(pattern: str) -> re.Pattern[str]:
    """``pattern``, if it is one. Raises ValueError, with the reason in words."""
    try:
        return re.compile(pattern)
    except (re.error, ValueError, OverflowError, RecursionError, MemoryError, TypeError) as error:
        raise ValueError(getattr(error, "msg", "") or str(error)) from None


def bounded(pattern: str, written: str = "") -> re.Pattern[str]:
    """As ``re.compile``, for a pattern of a person: its searches raise CorpusError where they take
    longer than they may, and are ``search``, ``finditer`` and ``sub``. ``written`` is what the
    person wrote, where that is not all of it. Raises ValueError for one that is no regular
    expression."""
    return cast("re.Pattern[str]", _Bounded(compiled(pattern), written or pattern))


_Spans = Sequence[Sequence[tuple[int, int]]]
"""Of each match, where it and each group of it stand."""


class _Found:
    """What ``re.Match`` tells of the groups."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._texts = [text[start:end] if start >= 0 else None for start, end in spans]

    def __getitem__(self, group: int) -> str | None:
        return self._texts[group]

    def groups(self) -> tuple[str | None, ...]:
        return tuple(self._texts[1:])


class _Bounded:
    def __init__(self, found: re.Pattern[str], written: str) -> None:
        self._found = found
        self._written = written
        self.pattern = found.pattern
        self.groups = found.groups

    def search(self, text: str) -> Any:
        if self._is_quick(text):
            return self._found.search(text)
        return next((_Found(text, each) for each in self._spans(text, 1)), None)

    def finditer(self, text: str) -> Iterator[Any]:
        if self._is_quick(text):
            return self._found.finditer(text)
        return (_Found(text, each) for each in self._spans(text, 0))

    def sub(self, replacement: str, text: str) -> str:
        if self._is_quick(text):
            return self._found.sub(replacement, text)
        pieces, last = list[str](), 0
        for (start, end), *_ in self._spans(text, 0):
            pieces += [text[last:start], replacement]
            last = end
        return "".join([*pieces, text[last:]])

    def _is_quick(self, text: str) -> bool:
        return _power(self.pattern, len(text)) <= _FEW_STEPS

    def _spans(self, text: str, most: int) -> _Spans:
        try:
            return _spans(self.pattern, text, most)
        except _TooLong:
            raise CorpusError(
                "slow_pattern", pattern=self._written, seconds=round(PATIENCE_S)
            ) from None


def _power(pattern: str, length: int) -> float:
    """The most steps that a search may take, as a power of ten. Each repeat may end, and the search
    may begin, anywhere in the text; each choice doubles; a group that is repeated may be tried in
    more ways than can be counted."""
    repeats, choices = _shape(pattern)
    return repeats * math.log10(length + 1) + choices * math.log10(2)


@lru_cache(maxsize=256)
def _shape(pattern: str) -> tuple[float, int]:
    bare = _OPENING.sub("(", _PLAIN.sub("x", pattern))
    if _REPEATED_GROUP.search(bare) or _VERBOSE.search(pattern):
        return math.inf, 0
    starts = 0 if bare.startswith("^") and "|" not in bare and "(?m" not in pattern else 1
    repeats = sum(map(bare.count, "*+{"))
    return repeats + starts, sum(map(bare.count, "?|"))


@lru_cache(maxsize=256)
def _spans(pattern: str, text: str, most: int) -> _Spans:
    """Where each group of the first ``most`` matches stands, of all for 0. What was told once is
    known. Raises _TooLong."""
    return _searcher.spans(pattern, text, most)


class _TooLong(Exception):
    """The process ended first."""


class _Searcher:
    """The process that searches, one search at a time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def spans(self, pattern: str, text: str, most: int) -> _Spans:
        with self._lock:
            try:
                told = self._asked(json.dumps([pattern, text, most]).encode() + b"\n")
                if not told:
                    raise _TooLong
            except BaseException:  # what it says later is no answer to another question
                self._end()
                raise
            return cast(_Spans, json.loads(told))

    def _asked(self, line: bytes) -> bytes:
        process = self._process
        if process is None or process.poll() is not None:
            import subprocess

            self._end()
            process = self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _SEARCHING],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        assert process.stdin and process.stdout
        try:
            process.stdin.write(line)
            process.stdin.flush()
            return process.stdout.readline()
        except BrokenPipeError:
            return b""

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


_searcher = _Searcher()
atexit.register(_searcher.close)
