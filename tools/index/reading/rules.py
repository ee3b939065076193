"""What a folder's ``corpus.toml`` says about the corpus (its name, what it holds, who may search
it) and about reading it: what to leave out, and facets that come from a document's place."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from tools.entries import ENTRIES, Entries
from tools.index.columns import field_name
from tools.index.reading.pieces import Field, ReadingError, Scalar
from tools.index.reading.plain import decode
from tools.index.reading.tables import typed
from tools.morphemes import KIWI
from tools.permission import PUBLIC
from tools.problems import CorpusError
from tools.regex import bounded
from tools.slots import value_of

FILE_NAME = "corpus.toml"

BUILT_IN = ("format", "folder")
"""Fields that every document has by its place."""

PLANNED = ("prepared_only", "agentic", "source", "plan", "slots")
"""Entries that say how questions are answered from the folder itself; an index uses none."""


@dataclass(frozen=True)
class Facet:
    """One field that documents get: ``value`` itself, the ``folder``-th folder of their path
    (from 1), or what the group of ``pattern`` finds in their path; for paths that fit the glob
    ``documents``."""

    name: str
    documents: str = "*"
    value: Scalar | None = None
    folder: int = 0
    pattern: re.Pattern[str] | None = None

    def of(self, path: str) -> Scalar | None:
        """The value for a document; None where there is none."""
        if not fnmatchcase(path, self.documents):
            return None
        if self.value is not None:
            return self.value
        if self.pattern is not None:
            found = self.pattern.search(path)
            value = value_of(found) if found else ""
            return typed(value) if value else None
        folders = PurePosixPath(path).parts[:-1]
        return typed(folders[self.folder - 1]) if self.folder <= len(folders) else None


@dataclass(frozen=True)
class Rules:
    """What one folder's documents are, and how they are read.

    ``language`` and ``role`` are words for those who choose among corpora; ``permission`` is
    ``public``, or what a person must have for the corpus to be searched unasked. ``tokens`` names
    an analyser (``kiwi``). ``digest`` changes when documents would be read otherwise.
    ``is_written`` is False where there is no ``corpus.toml``; ``unused`` are its entries that only
    count where the folder itself is searched.
    """

    name: str = ""
    description: str = ""
    language: str = ""
    role: str = ""
    permission: str = PUBLIC
    tokens: str = ""
    is_written: bool = False
    unused: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    digest: str = ""

    def leaves_out(self, path: str) -> bool:
        """Whether a path fits one of the globs of ``exclude``."""
        return any(fnmatchcase(path, glob) for glob in self.exclude)

    def fields(self, path: str, inside: str) -> dict[str, Field]:
        """The fields that a document has by its ``path``, ``inside`` its root: its format, the
        folders that it lies in, and the facets."""
        place = PurePosixPath(path)
        fields: dict[str, Field] = {"format": place.suffix.lower().lstrip(".") or "txt"}
        if folders := tuple(each.as_posix() for each in place.parents if each.name):
            fields["folder"] = folders[::-1]
        for facet in self.facets:
            value = facet.of(inside)
            if value is not None:
                fields[facet.name] = value
        return fields


def read_rules(folder: Path) -> Rules:
    """The rules in ``folder``; the plain ones where there is no ``corpus.toml``. Raises
    CorpusError, which names the entry, for one that cannot be meant."""
    path = folder / FILE_NAME
    if not path.is_file():
        return Rules()
    try:
        data = path.read_bytes()
        table = tomllib.loads(decode(data))
    except OSError as error:
        raise CorpusError("unreadable", path=path, reason=error.strerror or "") from None
    except ReadingError:
        raise CorpusError("not_text", path=path) from None
    except tomllib.TOMLDecodeError as error:
        raise CorpusError("bad_toml", path=path, reason=str(error)) from None
    top = Entries(path, table)
    top.only(*ENTRIES)
    index = top.inner("index")
    index.only("exclude")
    return Rules(
        name=top.text("name"),
        description=top.text("description"),
        language=top.text("language"),
        role=top.text("role"),
        permission=top.permission(),
        tokens=_tokens(top),
        is_written=True,
        unused=tuple(entry for entry in PLANNED if entry in table),
        exclude=index.texts("exclude"),
        facets=_facets(top.rows("facet")),
        digest=_digest(index.table, table.get("facet", [])),
    )


def _digest(*tables: Any) -> str:
    """Nothing for tables that say nothing, as where there is no ``corpus.toml``."""
    written = json.dumps(tables, sort_keys=True, default=str).encode()
    return sha256(written).hexdigest() if any(tables) else ""


def _tokens(top: Entries) -> str:
    name = top.text("tokens")
    if name not in ("", KIWI):
        raise top.wrong("tokens", f'"{KIWI}" or nothing is expected')
    return name


def _facets(entries: Sequence[Entries]) -> tuple[Facet, ...]:
    found: dict[tuple[str, str], Facet] = {}
    for entry in entries:
        facet = _facet(entry)
        key = (field_name(facet.name), facet.documents)
        if key in found:
            raise entry.wrong("name", "there is another facet of this name for the same documents")
        found[key] = facet
    return tuple(found.values())


def _facet_name(entry: Entries) -> str:
    name = entry.text("name")
    if not name:
        raise entry.wrong("name", "a name is needed")
    if not re.fullmatch(r"[\w -]*[^\W_][\w -]*", name):
        raise entry.wrong("name", "letters, digits, spaces, _ and - are expected")
    if field_name(name) in BUILT_IN:
        raise entry.wrong("name", f"every document has a field {field_name(name)} already")
    return name


def _facet(entry: Entries) -> Facet:
    entry.only("name", "documents", "value", "folder", "pattern")
    given = [key for key in ("value", "folder", "pattern") if key in entry.table]
    if len(given) != 1:
        raise entry.wrong("value", "exactly one of value, folder and pattern is needed")
    value = entry.table.get("value")
    if value is not None and not isinstance(value, str | int | float):
        raise entry.wrong("value", "a text, a number, true or false is expected")
    folder = entry.table.get("folder", 1)
    if not isinstance(folder, int) or folder < 1:
        raise entry.wrong("folder", "1 or more is expected")
    return Facet(
        _facet_name(entry),
        entry.text("documents") or "*",
        value,
        folder,
        _pattern(entry) if given == ["pattern"] else None,
    )


def _pattern(entry: Entries) -> re.Pattern[str]:
    try:
        pattern = bounded(entry.text("pattern"))
    except ValueError as error:
        raise entry.wrong("pattern", str(error)) from None
    if pattern.groups < 1:
        raise entry.wrong("pattern", "a group in parentheses is needed")
    return pattern
