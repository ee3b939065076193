"""Smoke scripts as tests of pytest: ``pytest -p agent.smoke.pytest_plugin tests/smoke``.

It is named by whoever wants it and never loads itself. It takes the files that are named, those in
a folder called ``smoke``, and wherever pytest looks those that begin lines with ``version:`` and
``turns:``: a YAML file of somebody else's is no script. The network is as in ``bareloop smoke``: a
script that asks Gemini or the web is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_FOLDER = "smoke"
_LOOKS_LIKE_ONE = tuple(
    re.compile(rb"(?m)^[\"']?%s[\"']?\s*:" % key) for key in (b"version", b"turns")
)
_MOST = 1_000_000  # bytes that are read to see whether a file is a script


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Script | None:
    """Take a file that is a script."""
    from agent.smoke.runner import is_script_name

    if not is_script_name(file_path.name):
        return None
    root = parent.config.rootpath
    inside = file_path.relative_to(root) if file_path.is_relative_to(root) else Path()
    is_named = _FOLDER in inside.parts[:-1] or parent.session.isinitpath(file_path)
    if is_named or _looks_like_one(file_path):
        return Script.from_parent(parent, path=file_path)
    return None


def _looks_like_one(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            text = file.read(_MOST).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return False
    return all(each.search(text) for each in _LOOKS_LIKE_ONE)


class Script(pytest.File):
    """The file of a script, with the conversation in it."""

    def collect(self) -> Iterator[Conversation]:
        yield Conversation.from_parent(self, name=self.path.stem)


class Conversation(pytest.Item):
    """One conversation."""

    def runtest(self) -> None:
        from agent.smoke.closed import closed
        from agent.smoke.playing import Way, play

        with closed(False):
            played = play(self.path, Way())
        if played.outcome == "skipped":
            pytest.skip(played.mistakes[0].told(_language()))
        if played.outcome != "passed":
            raise Unexpected(played)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, Unexpected):
            return super().repr_failure(excinfo, style)
        from agent.smoke.reports import details, head

        played = excinfo.value.played
        return "\n".join([head(played, _language()), *details(played, _language())])

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class Unexpected(Exception):
    """A conversation that went another way than its script says, or a script that is wrong."""

    def __init__(self, played: Any) -> None:
        self.played = played
        super().__init__(str(played.path))


def _language() -> Any:
    from agent.settings import preferred_language

    return preferred_language() or "en"
