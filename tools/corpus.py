"""A corpus: a folder with ``corpus.toml`` and documents, and the plans that say which evidence
each kind of question needs."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast
from unicodedata import normalize

from tools.disagreements import disagreements
from tools.documents import Passage, document_files, is_heading, overlap_search, read_text
from tools.problems import CorpusError
from tools.slots import Slot
from tools.tokens import covers, units

INSTALLED = Path(__file__).parent / "corpora"
"""The folder of the built-in corpora."""

_COMPARED = 10
"""Documents, from the best on, whose numbers are compared."""

_TOOL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")


@dataclass(frozen=True)
class Plan:
    """One kind of question: the words it has, and the slots it needs, in order. A plan with
    ``hold`` is for questions a person should look at; no model is asked."""

    all_words: tuple[str, ...]
    slots: tuple[Slot, ...]
    hold: bool = False

    def matches(self, question: str) -> bool:
        """Whether every word of the plan occurs in the question."""
        return all(covers(question, word) for word in self.all_words)


@dataclass(frozen=True)
class Corpus:
    """The material one kind of question is answered from.

    ``prepared_only`` allows the prepared queries and no others. ``permission`` names who may
    read it; only ``public`` corpora are searched without being asked for by name.
    """

    name: str
    description: str
    documents: tuple[Passage, ...]
    plans: tuple[Plan, ...]
    permission: str = "public"
    prepared_only: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is no document to find."""
        return not self.documents

    def plan_for(self, question: str) -> Plan | None:
        """The first plan that fits the question; one that holds it goes before all others."""
        fitting = [plan for plan in self.plans if plan.matches(question)]
        holding = [plan for plan in fitting if plan.hold]
        return next(iter([*holding, *fitting]), None)

    def retrieve(self, slot: Slot, query: str, must_match: re.Pattern[str] | None) -> list[Passage]:
        """The best document of a slot for a query, or none: only the slot's documents count, then
        only those whose text (not a heading) matches, and the score comes last. Where others give
        another number for a sentence of it, all that give one follow."""
        eligible = [
            document
            for document in self.documents
            if fnmatchcase(document.id, slot.documents)
            and (must_match is None or must_match.search(document.body))
        ]
        hits = overlap_search(query, eligible, top_k=_COMPARED)
        groups = [each for each in disagreements(hits) if hits[0].id in each]
        differing = {name for each in groups for name in each}
        return hits[:1] + [each for each in hits[1:] if each.id in differing]


def read_corpus(folder: Path) -> Corpus:
    """The corpus in ``folder``. Raises CorpusError, naming the file and the entry, for anything
    that could not work later."""
    path = folder / "corpus.toml"
    if not path.is_file():
        raise CorpusError("no_corpus_file", folder=folder)
    try:
        table = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise CorpusError("bad_toml", path=path, reason=str(error)) from None
    entries = _Entries(path, table)
    entries.only(
        *("name", "description", "permission", "prepared_only", "plan", "slots"),
        # what bareloop index reads: tools/index/reading/rules.py
        *("language", "role", "tokens", "index", "facet"),
    )
    slots = {name: _slot(name, each) for name, each in entries.tables("slots").items()}
    name = entries.text("name", folder.name)
    return Corpus(
        name=name,
        description=entries.text("description", ""),
        documents=_documents(folder, name),
        plans=tuple(_plan(each, slots) for each in entries.rows("plan")),
        permission=entries.text("permission", "public"),
        prepared_only=entries.flag("prepared_only", False),
    )


def installed_corpora(root: Path = INSTALLED) -> list[Corpus]:
    """Every corpus under ``root``, by name."""
    folders = [each.parent for each in root.glob("*/corpus.toml")]
    return sorted((read_corpus(folder) for folder in folders), key=lambda corpus: corpus.name)


def find_corpus(name: str, root: Path = INSTALLED, beside: Sequence[str] = ()) -> Corpus:
    """The installed corpus of that name, or the corpus in the folder ``name``. Raises CorpusError,
    which names what there is, with the other material ``beside`` it."""
    if os.sep in name or (Path(name) / "corpus.toml").is_file():
        path = Path(name)
        return read_corpus(path.parent if path.name == "corpus.toml" else path)
    by_name = {corpus.name: corpus for corpus in installed_corpora(root)}
    if name not in by_name:
        raise CorpusError("unknown", name=name, names=", ".join(sorted([*by_name, *beside])))
    return by_name[name]


def choose_corpus(question: str, corpora: Sequence[Corpus]) -> Corpus | None:
    """The first public corpus, by name, that has a plan for the question."""
    fitting = (each for each in corpora if each.permission == "public" and each.plan_for(question))
    return next(fitting, None)


def _documents(folder: Path, source: str) -> tuple[Passage, ...]:
    found: dict[str, Passage] = {}
    for file in document_files(folder):
        text = read_text(file).strip()
        lines = [line for line in text.splitlines() if not is_heading(line)]
        body = "\n".join(lines).strip()
        name = _document_id(file)
        if name in found:
            raise CorpusError("same_document_id", id=name, folder=folder)
        if units(body):
            found[name] = Passage(name, text, source, body=body)
    return tuple(found.values())


def _document_id(file: Path) -> str:
    return normalize("NFC", file.stem)


def _plan(entries: _Entries, slots: Mapping[str, Slot]) -> Plan:
    entries.only("all_words", "slots", "hold")
    names = entries.texts("slots")
    unknown = [name for name in names if name not in slots]
    if unknown:
        raise entries.wrong("slots", f"no [slots.{unknown[0]}] table")
    tools = [slots[name].tool for name in names]
    if len(set(tools)) < len(tools):
        raise entries.wrong("slots", "two slots of one plan have the same tool name")
    words = entries.texts("all_words")
    hold = entries.flag("hold", False)
    if not any(units(word) for word in words):
        raise entries.wrong("all_words", "at least one word is needed")
    if not names and not hold:
        raise entries.wrong("slots", "at least one slot is needed")
    return Plan(words, tuple(slots[name] for name in dict.fromkeys(names)), hold)


def _slot(name: str, entries: _Entries) -> Slot:
    entries.only("tool", "description", "documents", "queries", "needs", "must_match")
    slot = Slot(
        name=name,
        tool=entries.text("tool", f"find_{name}"),
        description=entries.text("description", ""),
        documents=entries.text("documents", "*"),
        queries=entries.texts("queries"),
        needs=entries.patterns("needs"),
        must_match=entries.text("must_match", ""),
    )
    if not _TOOL_NAME.fullmatch(slot.tool):
        reason = "a slot whose name is not ASCII letters, digits and _ needs a tool name that is"
        raise entries.wrong("tool", reason)
    if not slot.queries or not all(units(query) for query in slot.queries):
        raise entries.wrong("queries", "at least one query is needed, and each needs a word")
    for query in slot.queries:
        if missing := set(_PLACEHOLDER.findall(query)) - set(slot.needs):
            raise entries.wrong("queries", f"{{{min(missing)}}} is not in needs")
    try:
        slot.pattern([dict.fromkeys(slot.needs, "value")])
    except re.error as error:
        raise entries.wrong("must_match", str(error)) from None
    return slot


@dataclass(frozen=True)
class _Entries:
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
                near = difflib.get_close_matches(entry, known, 1) or sorted(known)
                raise self.wrong(entry, f"no such entry; meant: {', '.join(near)}")

    def text(self, entry: str, default: str) -> str:
        value = self.table.get(entry, default)
        if not isinstance(value, str):
            raise self.wrong(entry, "a text in quotes is expected")
        return value

    def flag(self, entry: str, default: bool) -> bool:
        value = self.table.get(entry, default)
        if not isinstance(value, bool):
            raise self.wrong(entry, "true or false is expected")
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
                re.compile(pattern)
            except (re.error, TypeError) as error:
                raise self.wrong(f"{entry}.{name}", str(error)) from None
        return cast(dict[str, str], value)

    def tables(self, entry: str) -> dict[str, _Entries]:
        found = self.table.get(entry, {})
        tables = cast(dict[str, Any], found if isinstance(found, dict) else {"": found})
        if not all(isinstance(each, dict) for each in tables.values()):
            raise self.wrong(entry, "tables are expected")
        return {
            name: _Entries(self.path, each, f"{self.place}{entry}.{name}.")
            for name, each in tables.items()
        }

    def rows(self, entry: str) -> list[_Entries]:
        value = self.table.get(entry, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.wrong(entry, f"[[{entry}]] tables are expected")
        return [
            _Entries(self.path, each, f"{self.place}{entry} {number}: ")
            for number, each in enumerate(cast(list[Any], value), 1)
        ]
