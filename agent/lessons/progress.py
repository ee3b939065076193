"""What a student has done so far, kept from one command to the next."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from agent.catalogue import Problem

VERSION = 1


@dataclass(frozen=True)
class Work:
    """One exercise so far. Texts are "" and times are "" until there are some; ``hints`` is how
    many were shown, ``runs`` how often it was run, ``edits`` how often from the working copy.
    ``mentioned`` and ``ideas`` count the ideas of the last explanation."""

    prediction: str = ""
    predicted_at: str = ""
    runs: int = 0
    ran_at: str = ""
    explanation: str = ""
    explained_at: str = ""
    mentioned: int = 0
    ideas: int = 0
    hints: int = 0
    repair: str = ""
    repaired_at: str = ""
    edits: int = 0


@dataclass
class Progress:
    """The work on every exercise by its name, in a file; ``earlier`` holds what was reset."""

    path: Path
    work: dict[str, Work] = field(default_factory=dict[str, Work])
    earlier: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()

    @classmethod
    def read(cls, folder: Path) -> Progress:
        """The progress kept in a data folder. Raises Problem for a file that cannot be read."""
        progress = cls(folder / "lessons" / "progress.json")
        progress._read()
        return progress

    def of(self, name: str) -> Work:
        return self.work.get(name, Work())

    def keep(self, name: str, **changes: Any) -> Work:
        """Change the work on an exercise and write it down at once; a change that ends in ``_at``
        and is True becomes the time. Raises Problem when it cannot be written."""
        timed: dict[str, Any] = {
            key: self._time() if value is True else value for key, value in changes.items()
        }
        self._read()  # another window may have written meanwhile
        self.work[name] = replace(self.of(name), **timed)
        self._write()
        return self.work[name]

    def reset(self, name: str) -> None:
        """Start an exercise anew; what was done is kept apart."""
        self._read()
        if name in self.work:
            done = asdict(self.work.pop(name))
            self.earlier.append({"name": name, "reset_at": self._time(), **done})
            self._write()

    def _time(self) -> str:
        return self.now().isoformat(timespec="seconds")

    def _read(self) -> None:
        try:
            kept = json.loads(self.path.read_text("utf-8"))
            self.work = {name: _work(each) for name, each in kept["exercises"].items()}
            self.earlier = list(kept["earlier"])
        except FileNotFoundError:
            self.work, self.earlier = {}, []
        except OSError as error:
            reason = error.strerror or ""
            raise Problem("lesson.progress_unreadable", path=self.path, reason=reason) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Problem("lesson.progress_damaged", path=self.path) from None

    def _write(self) -> None:
        kept = {
            "version": VERSION,
            "exercises": {name: asdict(each) for name, each in self.work.items()},
            "earlier": self.earlier,
        }
        text = json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
        try:
            write_private(self.path, text.encode("utf-8", "replace"))
        except OSError as error:
            reason = error.strerror or ""
            raise Problem("lesson.progress_unwritable", path=self.path, reason=reason) from None


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.new")
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "wb") as opened:
        opened.write(data)
    beside.replace(path)


def _work(kept: Mapping[str, Any]) -> Work:
    """The work as it was kept; raises TypeError for values of other types."""
    known = {each.name: each.default for each in fields(Work)}
    found = {name: kept[name] for name in known if name in kept}
    if any(type(value) is not type(known[name]) for name, value in found.items()):
        raise TypeError
    return Work(**found)
