"""Which files a corpus is made of, and their bytes."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tools.documents import printable
from tools.index.reading import SUFFIXES, ReadingError
from tools.index.reading.rules import FILE_NAME, Rules, read_rules
from tools.problems import CorpusError

LARGEST_FILE = 200_000_000
"""Bytes. A file is held in memory while it is read."""


class Root(NamedTuple):
    """A folder or a file that was named. ``prefix`` stands before the paths of its documents."""

    path: Path
    prefix: str
    rules: Rules


class Found(NamedTuple):
    """A file to read: ``path`` names the document, ``inside`` is its path below its root."""

    path: str
    inside: str
    file: Path
    rules: Rules


@dataclass
class Listing:
    """What lies under the roots. ``closed`` are folders (as document paths) that could not be
    looked into; ``other`` counts files that no reader is for, by ending; ``links`` counts
    symbolic links, which are not followed: they lead out of the folder, in circles, or to what is
    listed under its own name anyway; ``special`` counts pipes, sockets and devices."""

    files: list[Found] = field(default_factory=list[Found])
    closed: list[tuple[str, ReadingError]] = field(default_factory=list[tuple[str, ReadingError]])
    other: Counter[str] = field(default_factory=Counter[str])
    links: int = 0
    special: int = 0


def find_roots(paths: Sequence[Path]) -> list[Root]:
    """What a person named. A single folder's documents are named by their path in it; of several,
    by their path with the folder's name before it. Raises CorpusError for a path that is not
    there, and for two of the same name."""
    roots: list[Root] = []
    named = list(dict.fromkeys(each.resolve() for each in paths))
    for path in named:
        if not path.exists():
            raise CorpusError("no_path", path=path)
        rules = read_rules(path) if path.is_dir() else Rules()
        alone = len(named) == 1 or not path.is_dir()
        roots.append(Root(path, "" if alone else f"{printable(path.name)}/", rules))
    names = Counter(root.prefix or root.path.name for root in roots)
    for name, count in names.items():
        if count > 1:
            raise CorpusError("same_root", name=name.rstrip("/"))
    return roots


def list_files(roots: Sequence[Root]) -> Listing:
    """The files under ``roots`` in order of their path; hidden ones are left out."""
    listing = Listing()
    for root in roots:
        if root.path.is_dir():
            _list(root, listing)
        else:
            name = printable(root.path.name)
            listing.files.append(Found(name, name, root.path, root.rules))
    listing.files.sort(key=lambda found: (found.path, str(found.file)))
    taken: set[str] = set()
    for found in listing.files:
        if found.path in taken:
            listing.closed.append((found.path, ReadingError("same_name")))
        taken.add(found.path)
    names = {found.path: found for found in reversed(listing.files)}
    listing.files = [names[path] for path in sorted(names)]
    return listing


def _list(root: Root, listing: Listing) -> None:
    folders = [(root.path, "")]
    while folders:
        folder, inside = folders.pop()
        try:
            with os.scandir(folder) as entries:
                found = list(entries)
        except FileNotFoundError:
            continue
        except OSError as error:
            problem = ReadingError("unreadable", reason=error.strerror or "")
            listing.closed.append((root.prefix + inside, problem))
            continue
        for entry in found:
            path = inside + printable(entry.name)
            if entry.name.startswith(".") or root.rules.leaves_out(path):
                continue
            if entry.is_symlink():
                listing.links += 1
            elif entry.is_dir(follow_symlinks=False):
                folders.append((Path(entry.path), f"{path}/"))
            elif not entry.is_file(follow_symlinks=False):
                listing.special += 1
            elif path != FILE_NAME:
                suffix = Path(entry.name).suffix.lower()
                if suffix in SUFFIXES:
                    found_file = Found(root.prefix + path, path, Path(entry.path), root.rules)
                    listing.files.append(found_file)
                else:
                    listing.other[suffix or entry.name] += 1


def read_file(file: Path) -> tuple[bytes, os.stat_result]:
    """A file's bytes, with its state when they were read. Raises FileNotFoundError for one that
    has gone, ReadingError for one that cannot be read, is too large, or keeps changing."""
    for _ in range(2):
        try:
            with file.open("rb") as opened:
                before = os.fstat(opened.fileno())
                if not stat.S_ISREG(before.st_mode):
                    raise ReadingError("unreadable", reason="not a file")
                if before.st_size > LARGEST_FILE:
                    raise ReadingError("too_large", limit=LARGEST_FILE // 1_000_000)
                data = opened.read(LARGEST_FILE + 1)
                after = os.fstat(opened.fileno())
        except FileNotFoundError:
            raise
        except OSError as error:
            raise ReadingError("unreadable", reason=error.strerror or "") from None
        if len(data) == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return data, after
    raise ReadingError("changing")
