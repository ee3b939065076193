"""The entries of a ``corpus.toml``: which there may be, and what each is taken for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tools.permission import NAMELESS_PERMISSION, PUBLIC
from tools.problems import CorpusError
from tools.regex import compiled

ENTRIES = (
    *("name", "description", "permission", "prepared_only", "agentic"),
    *("source", "plan", "slots"),
    # what bareloop index reads: tools/index/reading/rules.py
    *("language", "role", "tokens", "index", "facet"),
)
"""What ``corpus.toml`` may say at its top, for a corpus with plans and for one that is indexed."""


@dataclass(frozen=True)
class Entries:
    """One table of a corpus file, read with its place in the file for error sentences."""

    path: Path
    table: Mapping[str, Any]
    place: str = ""

    def wrong(self, entry: str, reason: str) -> CorpusError:
        return CorpusError("bad_entry", path=self.path, entry=self.place + entry, reason=reason)

    def only(self, *known: str) -> None:
        """Refuse an entry nobody reads: a misspelt rule would be a rule that does not hold."""
        for entry in self.table:
            if entry not in known:
                from difflib import get_close_matches

                near = get_close_matches(entry, known, 1)
                told = f"meant: {near[0]}" if near else f"there are: {', '.join(sorted(known))}"
                raise self.wrong(entry, f"no such entry here; {told}")

    def text(self, entry: str, default: str = "") -> str:
        value = self.table.get(entry, default)
        if not isinstance(value, str):
            raise self.wrong(entry, "a text in quotes is expected")
        return value

    def permission(self) -> str:
        """What a person needs to search this."""
        name = self.text("permission", PUBLIC)
        if not name.strip():
            raise self.wrong("permission", NAMELESS_PERMISSION)
        return name

    def one_of(self, entry: str, choices: Sequence[str]) -> str:
        """One of a few words; the empty one is a choice where it is listed."""
        value = self.text(entry)
        if value not in choices:
            listed = ", ".join(filter(None, choices))
            raise self.wrong(entry, f"one of these is expected: {listed}")
        return value

    def flag(self, entry: str, default: bool) -> bool:
        value = self.table.get(entry, default)
        if not isinstance(value, bool):
            raise self.wrong(entry, "true or false is expected")
        return value

    def count(self, entry: str) -> int:
        value = self.table.get(entry, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.wrong(entry, "a whole number is expected")
        return value

    def texts(self, entry: str) -> tuple[str, ...]:
        value = self.table.get(entry, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(entry, "a list of texts is expected")
        return tuple(cast(list[str], value))

    def patterns(self, entry: str) -> dict[str, str]:
        value = self.table.get(entry, {})
        if not isinstance(value, dict):
            raise self.wrong(entry, "a table of patterns is expected")
        for name, pattern in cast(dict[str, Any], value).items():
            try:
                compiled(pattern)
            except ValueError as error:
                raise self.wrong(f"{entry}.{name}", str(error)) from None
        return cast(dict[str, str], value)

    def inner(self, entry: str) -> Entries:
        """The one table of that name; an empty one where there is none."""
        value = self.table.get(entry, {})
        if not isinstance(value, dict):
            raise self.wrong(entry, "a table is expected")
        return Entries(self.path, cast(dict[str, Any], value), f"{self.place}{entry}.")

    def tables(self, entry: str) -> dict[str, Entries]:
        found = self.table.get(entry, {})
        tables = cast(dict[str, Any], found if isinstance(found, dict) else {"": found})
        if not all(isinstance(each, dict) for each in tables.values()):
            raise self.wrong(entry, "tables are expected")
        return {
            name: Entries(self.path, each, f"{self.place}{entry}.{name}.")
            for name, each in tables.items()
        }

    def rows(self, entry: str) -> list[Entries]:
        value = self.table.get(entry, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.wrong(entry, f"[[{entry}]] tables are expected")
        return [
            Entries(self.path, each, f"{self.place}{entry} {number}: ")
            for number, each in enumerate(cast(list[Any], value), 1)
        ]
