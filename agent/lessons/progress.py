"""What a student has done so far, kept from one command to the next."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from agent.catalogue import Problem
from agent.confidential import without_keys
from agent.output_file import replace_file
from agent.settings import own_keys

VERSION = 1


@dataclass(frozen=True)
class Work:
    """One exercise so far. Texts are "" and times are "" until there are some; ``hints`` is how
    many were shown, ``runs`` how often it was run, ``edits`` how often from the working copy.
    ``ran_at`` is when it was run first, ``late`` whether the prediction came after that.
    ``explanation`` is everything that was written, a line each; ``mentioned`` of its ``ideas`` are
    in it. ``broken_copy`` is whether the working copy, when it was last run, was broken."""

    prediction: str = ""
    predicted_at: str = ""
    late: bool = False
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
    broken_copy: bool = False

    @property
    def is_done(self) -> bool:
        return bool(self.explanation and self.repaired_at)


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
            key: self._time() if value is True and key.endswith("_at") else value
            for key, value in changes.items()
        }
        with self._alone():
            self._read()  # another window may have written meanwhile
            self.work[name] = replace(self.of(name), **timed)
            self._write()
        return self.work[name]

    def reset(self, name: str) -> bool:
        """Start an exercise anew; what was done is kept apart. Whether anything was. Raises
        Problem when it cannot be written."""
        with self._alone():
            self._read()
            done = self.work.pop(name, None)
            if done is not None:
                self.earlier.append({"name": name, "reset_at": self._time(), **asdict(done)})
            self._write()
        return done is not None

    @classmethod
    def put_aside(cls, folder: Path) -> Path:
        """Move a damaged file out of the way, beside itself, and say where it is now. Raises
        Problem when it cannot be moved."""
        path = cls(folder / "lessons" / "progress.json").path
        numbers = itertools.count(1)
        aside = next(
            each
            for number in numbers
            if not (each := path.with_name(f"progress-damaged-{number}.json")).exists()
        )
        try:
            path.rename(aside)
        except OSError as error:
            reason = error.strerror or ""
            raise Problem("lesson.progress_unwritable", path=path, reason=reason) from None
        return aside

    @contextmanager
    def _alone(self) -> Generator[None]:
        """Let no other window write between what is read here and what is written. Raises Problem
        when the folder cannot be made."""
        try:
            import fcntl
        except ImportError:  # Windows
            yield
            return
        try:
            _make_folder(self.path.parent)
            folder = os.open(self.path.parent, os.O_RDONLY)
        except OSError as error:
            reason = error.strerror or ""
            raise Problem("lesson.progress_unwritable", path=self.path, reason=reason) from None
        try:
            with suppress(OSError):  # some file systems have no locks
                fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _time(self) -> str:
        return self.now().isoformat(timespec="seconds")

    def _read(self) -> None:
        try:
            kept = json.loads(self.path.read_text("utf-8"))
            version = kept["version"]
            if not _is_newer(version):
                earlier = kept["earlier"]
                if version != VERSION or not all(isinstance(each, dict) for each in earlier):
                    raise TypeError
                self.work = {name: _work(each) for name, each in kept["exercises"].items()}
                self.earlier = [*earlier]
        except FileNotFoundError:
            self.work, self.earlier, version = {}, [], VERSION
        except OSError as error:
            reason = error.strerror or ""
            raise Problem("lesson.progress_unreadable", path=self.path, reason=reason) from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Problem("lesson.progress_damaged", path=self.path) from None
        if _is_newer(version):
            raise Problem("lesson.progress_newer", path=self.path, version=version)

    def _write(self) -> None:
        kept = {
            "version": VERSION,
            "exercises": {name: asdict(each) for name, each in self.work.items()},
            "earlier": self.earlier,
        }
        try:
            told = without_keys(kept, own_keys())
            text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
        except RecursionError:
            raise Problem("lesson.progress_damaged", path=self.path) from None
        try:
            write_private(self.path, text.encode("utf-8", "replace"))
        except OSError as error:
            reason = error.strerror or ""
            raise Problem("lesson.progress_unwritable", path=self.path, reason=reason) from None


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    _make_folder(path.parent)
    replace_file(path, data)


def _make_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _is_newer(version: object) -> bool:
    return type(version) is int and version > VERSION


def _work(kept: Mapping[str, Any]) -> Work:
    """The work as it was kept; raises TypeError for values that no work has."""
    known = {each.name: each.default for each in fields(Work)}
    if not isinstance(kept, dict) or kept.keys() - known:
        raise TypeError
    found = {name: kept[name] for name in known if name in kept}
    if any(type(value) is not type(known[name]) for name, value in found.items()):
        raise TypeError
    if any(isinstance(value, int) and value < 0 for value in found.values()):
        raise TypeError
    return Work(**found)
