"""Smoke scripts as tests of pytest: ``pytest -p agent.smoke.pytest_plugin tests/smoke``.

It is named by whoever wants it and never loads itself: a YAML file of somebody else's is no
script. It takes the files that are named, and those in a folder called ``smoke``. The network is
as in ``bareloop smoke``: a script that asks Gemini or the web is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_ENDS = (".yaml", ".yml")
_FOLDER = "smoke"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Script | None:
    """Take a file that is a script."""
    from agent.smoke.script import RECORDING

    if file_path.suffix not in _ENDS or file_path.name.endswith(RECORDING):
        return None
    root = parent.config.rootpath
    inside = file_path.relative_to(root) if file_path.is_relative_to(root) else Path()
    if _FOLDER in inside.parts[:-1] or parent.session.isinitpath(file_path):
        return Script.from_parent(parent, path=file_path)
    return None


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
