"""Questions put to the command, and corpora with other names in them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agent.cli import main
from tools.corpus import INSTALLED

Ask = Callable[..., dict[str, Any]]


def asker(capsys: Any) -> Ask:
    """``bareloop ask --json`` with these arguments, as its record with the exit code in it."""

    def ask(*arguments: str) -> dict[str, Any]:
        code = main(["ask", "--json", *arguments])
        record: dict[str, Any] = json.loads(capsys.readouterr().out)
        return record | {"code": code}

    return ask


def ids(record: dict[str, Any]) -> dict[str, str]:
    """Slot -> the id of its evidence."""
    return {each["slot"]: each["id"] for each in record["evidence"]}


def cited(record: dict[str, Any]) -> set[str]:
    """The ids that the answer cites; every one of them is in the ledger."""
    assert all(each["ok"] for each in record["citations"])
    return {each["id"] for each in record["citations"]}


def copied(name: str, target: Path) -> Path:
    """A built-in corpus in a folder of its own."""
    return Path(shutil.copytree(INSTALLED / name, target / name))


def renamed(name: str, target: Path, other: Mapping[str, str]) -> Path:
    """A built-in corpus with other words for some, in its files and in their names."""
    folder = copied(name, target)
    for path in sorted(folder.rglob("*"), key=lambda path: -len(path.parts)):
        if path.is_file():
            path.write_text(swap(path.read_text("utf-8"), other), "utf-8")
        path.rename(path.with_name(swap(path.name, other)))
    return folder


def swap(text: str, other: Mapping[str, str]) -> str:
    """``text`` with the words of ``other`` exchanged."""
    for word, instead in other.items():
        text = text.replace(word, instead)
    return text
