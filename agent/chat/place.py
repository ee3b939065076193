"""Where questions are answered from, as a person names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside
from agent.settings import Settings, data_folder, opensearch_login
from tools.problems import CorpusError, InputError

if TYPE_CHECKING:
    from agent.ask import Source
    from tools.index.columns import Column
    from tools.index.indexed import IndexedCorpus
    from tools.library import Library, Shelf
    from tools.search_web import WebSearch

Kind = Literal["auto", "corpus", "docs", "web"]


class Place(NamedTuple):
    """``auto`` is the corpus whose plan fits the question, else the indexed corpora that it is
    about; ``name`` is that of a corpus, of several with commas between them, or the folder of
    documents; ``where`` are the person's conditions."""

    kind: Kind = "auto"
    name: str = ""
    where: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.name or self.kind, *self.where])


AUTO = Place()
_NO_FIELDS: Mapping[str, Column] = {}

Notices = list[Problem | InputError]


def open_place(
    place: Place, settings: Settings, web: Callable[[], WebSearch]
) -> tuple[Source | None, Notices]:
    """The source that ``place`` names (None for ``auto``), and notices for the reader; ``web``
    gives what searches the web. Raises Problem and InputError for one that is not there, and for
    one that this person may not search: to name it is no permission."""
    source, notices = _open(place, settings, web)
    if source is not None and source.kind == "plans":
        _check_permission(source.name, source.permission, settings)
    elif source is not None and source.kind == "index":
        _check_permission(source.name, source.about.permission, settings)
    several = place.kind == "corpus" and len(_names(place.name)) > 1
    if not place.where or several:  # several have their conditions already
        return source, notices
    return _filtered(source, place.where), notices


def _open(
    place: Place, settings: Settings, web: Callable[[], WebSearch]
) -> tuple[Source | None, Notices]:
    match place.kind:
        case "docs":
            from tools.documents import Folder

            folder = Folder(Path(place.name))
            return folder, [*folder.skipped]
        case "web":
            return web(), []
        case "corpus":
            names = _names(place.name)
            if len(names) > 1:
                return _several(names, settings, place.where), []
            return _corpus(names[0])
        case "auto":
            return None, []


def _check_permission(name: str, permission: str, settings: Settings) -> None:
    from tools.permission import PUBLIC

    if permission not in (PUBLIC, *settings.permissions):
        raise Problem("cli.not_permitted", name=name, permission=permission)


def _corpus(name: str) -> tuple[Source, Notices]:
    from tools.corpus import find_corpus, installed_names
    from tools.index.indexed import find_indexed
    from tools.products import find_products

    if (products := find_products(name)) is not None:
        return products, []
    # what is built in needs no data folder
    if name not in installed_names():
        indexed = find_indexed(data_folder(), name, opensearch_login())
        if indexed is not None:
            return indexed, [*indexed.index.notices]
        return find_corpus(name, beside=corpus_names()), []
    return find_corpus(name), []


def _names(written: str) -> list[str]:
    """The corpora that a person named, each once; a folder may have a comma in its name."""
    if "," not in written or Path(written).exists():
        return [written]
    return list(dict.fromkeys(name.strip() for name in written.split(",") if name.strip())) or [""]


def _several(names: Sequence[str], settings: Settings, where: Sequence[str]) -> Library:
    """Several indexed corpora that a person named. Raises Problem for one that is searched in a way
    of its own or that the person may not search, FilterError for conditions that one cannot
    keep."""
    from tools.corpus import find_corpus
    from tools.index import indexed_names
    from tools.index.engine import IndexFault
    from tools.index.indexed import corpus_name, read_about
    from tools.products import find_products

    known = indexed_names(data_folder())
    for name in names:
        if corpus_name(name) not in known:
            _ = find_products(name) or find_corpus(name, beside=corpus_names())
            raise Problem("cli.corpus_alone", name=name)
    whole = [corpus_name(name) or name for name in names]
    for name in whole:
        with suppress(IndexFault):  # one that cannot be read is told when it is searched
            if about := read_about(data_folder(), name):
                _check_permission(name, about.permission, settings)
    fields: dict[str, Column] = {}
    if where:
        fields = _checked(whole, where, settings.language or "en")
    return _library(whole, settings, whole, where, fields)


def _checked(names: Sequence[str], where: Sequence[str], language: Language) -> dict[str, Column]:
    """The fields of several corpora together. Says which of them has no field that a condition
    names, so that nothing in it is found. Raises FilterError for a field that none of them has."""
    from tools.index.engine import IndexFault
    from tools.index.where import Where

    corpora: list[IndexedCorpus] = []
    for name in names:
        with suppress(IndexFault):
            corpora.append(_open_indexed(name))
    fields: dict[str, Column] = {}
    for corpus in corpora:
        for field, column in corpus.index.columns().items():
            fields[field] = fields[field] + column if field in fields else column
    try:
        read = [Where.parse([each], fields) for each in where] if corpora else []
        for corpus in corpora:
            corpus.where(*where, others=fields)
            own = corpus.index.columns()
            asked = [each.conditions[0] for each in read]
            lacking = [
                each.field
                for each in asked
                if each.field not in own and each.operator not in ("!=", "not in")
            ]
            if lacking:
                told = ", ".join(dict.fromkeys(lacking))
                aside(say("library.no_field", language, name=corpus.name, fields=told))
    finally:
        for corpus in corpora:
            corpus.index.close()
    return fields


def indexed_library(settings: Settings) -> Library | None:
    """Every indexed corpus, of which a person may search those that ``settings`` permit; None
    where nothing was indexed."""
    from tools.index import indexed_names

    names = indexed_names(data_folder())
    return _library(names, settings) if names else None


def _library(
    names: Sequence[str],
    settings: Settings,
    named: Sequence[str] = (),
    where: Sequence[str] = (),
    fields: Mapping[str, Column] = _NO_FIELDS,
) -> Library:
    from tools.index.indexed import read_about
    from tools.library import Library, Shelf

    language, data = settings.language or "en", data_folder()

    def shelf(name: str) -> Shelf:
        def opened() -> IndexedCorpus:
            corpus = _open_indexed(name, where, fields)
            for notice in corpus.index.notices:
                aside(tell(notice, language))
            return corpus

        return Shelf(name, lambda: read_about(data, name), opened)

    def failed(name: str, failure: Exception) -> None:
        reason = tell(failure, language) if isinstance(failure, InputError) else ""
        key = "library.failed" if reason else "library.unavailable"
        aside(say(key, language, name=name, reason=reason))

    return Library([shelf(name) for name in names], settings.permissions, named, failed)


def _open_indexed(
    name: str, where: Sequence[str] = (), fields: Mapping[str, Column] = _NO_FIELDS
) -> IndexedCorpus:
    from tools.index.indexed import find_indexed

    corpus = find_indexed(data_folder(), name, opensearch_login())
    if corpus is None:
        raise CorpusError("unknown", name=name, names=", ".join(corpus_names()))
    return corpus.where(*where, others=fields) if where else corpus


def corpus_names() -> list[str]:
    """Every corpus that can be named: built-in ones, products, the person's indexes."""
    from tools.corpus import installed_names
    from tools.index import indexed_names
    from tools.products import installed_products

    products = [corpus.name for corpus in installed_products()]
    indexed: list[str] = []
    # what cannot be read is told when it is to be searched
    with suppress(InputError):
        indexed = indexed_names(data_folder())
    return sorted({*installed_names(), *products, *indexed})


def _filtered(source: Source | None, conditions: tuple[str, ...]) -> Source:
    """The products or passages of ``source`` under the person's conditions. Raises Problem for a
    source without fields, because a condition that is not kept must not look kept."""
    from tools.filters import parse_where
    from tools.index.indexed import IndexedCorpus
    from tools.products import ProductCorpus

    if isinstance(source, IndexedCorpus):
        return source.where(*conditions)
    if not isinstance(source, ProductCorpus):
        raise Problem("cli.where_without_products")
    return source.where(parse_where(*conditions))
