"""Regular expressions of a script, which may come from somebody else."""

from __future__ import annotations

from agent.catalogue import Problem
from tools.problems import CorpusError
from tools.regex import bounded, compiled


def check(regex: str) -> str:
    """``regex``, if it is one. Raises Problem."""
    try:
        compiled(regex)
    except ValueError as error:
        raise Problem("smoke.regex", reason=str(error)) from None
    return regex


def is_found(regex: str, text: str) -> bool:
    """Whether ``regex`` is found in ``text``. Raises Problem when that cannot be told in time."""
    try:
        return bounded(regex).search(text) is not None
    except CorpusError:
        raise Problem("smoke.slow_regex", regex=regex) from None
