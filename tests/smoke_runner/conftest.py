"""``bareloop smoke`` on scripts that a test writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest

from agent.cli import main


class Done(NamedTuple):
    """How the command ended, and what it wrote."""

    code: int
    out: str
    err: str


Smoke = Callable[..., Done]
Write = Callable[..., Path]


@pytest.fixture
def smoke(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Smoke:
    """The command in the folder of the scripts."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Done:
        capsys.readouterr()
        try:
            code = main(["smoke", *arguments])
        except SystemExit as stopped:  # argparse
            code = int(str(stopped.code))
        written = capsys.readouterr()
        return Done(code, written.out, written.err)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a script: ``write(text, "name.yaml")``."""

    def write(text: str, name: str = "talk.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), "utf-8")
        return path

    return write
