"""Where questions are answered from, as a person names it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent.catalogue import Problem, say, tell
from agent.console import aside
from agent.settings import Settings, build_search, data_folder, opensearch_login
from tools.problems import CorpusError, InputError

if TYPE_CHECKING:
    from agent.ask import Source
    from tools.index.indexed import IndexedCorpus
    from tools.library import Library, Shelf
    from tools.search_web import WebSearch

Kind = Literal["auto", "corpus", "docs", "web"]


@dataclass(frozen=True)
class Place:
    """``auto`` is the corpus whose plan fits the question, else the indexed corpora that it is
    about; ``name`` is that of a corpus, of several with commas between them, or the folder of
    documents; ``where`` are the person's conditions."""

    kind: Kind = "auto"
    name: str = ""
    where: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.name or self.kind, *self.where])


AUTO = Place()

Notices = list[Problem | InputError]


def open_place(
    place: Place, settings: Settings, web: WebSearch | None = None
) -> tuple[Source | None, Notices]:
    """The source that ``place`` names (None for ``auto``), and notices for the reader; ``web``
    takes the place of the web search that ``settings`` name. Raises Problem and InputError for one
    that is not there."""
    source, notices = _open(place, settings, web)
    several = place.kind == "corpus" and len(_names(place.name)) > 1
    if not place.where or several:  # several have their conditions already
        return source, notices
    return _filtered(source, place.where), notices


def _open(place: Place, settings: Settings, web: WebSearch | None) -> tuple[Source | None, Notices]:
    match place.kind:
        case "docs":
            from tools.documents import Folder

            folder = Folder(Path(place.name))
            return folder, [*folder.skipped]
        case "web":
            return web or build_search(settings), []
        case "corpus":
            names = _names(place.name)
            if len(names) > 1:
                return _several(names, settings, place.where), []
            return _corpus(place.name)
        case "auto":
            return None, []


def _corpus(name: str) -> tuple[Source, Notices]:
    from tools.corpus import find_corpus
    from tools.index.indexed import IndexedCorpus, find_indexed, indexed_names
    from tools.products import find_products, installed_products

    data = data_folder()
    beside = [products.name for products in installed_products()] + indexed_names(data)
    found = (
        find_products(name)
        or find_indexed(data, name, opensearch_login())
        or find_corpus(name, beside=beside)
    )
    return found, [*found.index.notices] if isinstance(found, IndexedCorpus) else []


def _names(written: str) -> list[str]:
    """The corpora that a person named, each once; a folder may have a comma in its name."""
    if "," not in written or Path(written).exists():
        return [written]
    return list(dict.fromkeys(name.strip() for name in written.split(",") if name.strip()))


def _several(names: Sequence[str], settings: Settings, where: Sequence[str]) -> Library:
    """Several indexed corpora that a person named, who may search them by that. Raises Problem for
    one that is searched in a way of its own, FilterError for conditions that one cannot keep."""
    from tools.corpus import find_corpus
    from tools.index.engine import IndexFault
    from tools.index.indexed import corpus_name, indexed_names
    from tools.products import find_products

    known = indexed_names(data_folder())
    for name in names:
        if corpus_name(name) not in known:
            _ = find_products(name) or find_corpus(name, beside=corpus_names())
            raise Problem("cli.corpus_alone", name=name)
    whole = [corpus_name(name) or name for name in names]
    if where:
        for name in whole:
            with suppress(IndexFault):
                _open_indexed(name, where)
    return _library(whole, settings, whole, where)


def indexed_library(settings: Settings) -> Library | None:
    """Every indexed corpus, of which a person may search those that ``settings`` permit; None
    where nothing was indexed."""
    from tools.index.indexed import indexed_names

    names = indexed_names(data_folder())
    return _library(names, settings) if names else None


def _library(
    names: Sequence[str],
    settings: Settings,
    named: Sequence[str] = (),
    where: Sequence[str] = (),
) -> Library:
    from tools.index.indexed import read_about
    from tools.library import Library, Shelf

    language, data = settings.language or "en", data_folder()

    def shelf(name: str) -> Shelf:
        def opened() -> IndexedCorpus:
            corpus = _open_indexed(name, where)
            for notice in corpus.index.notices:
                aside(tell(notice, language))
            return corpus

        return Shelf(name, lambda: read_about(data, name), opened)

    def failed(name: str, failure: Exception) -> None:
        reason = tell(failure, language) if isinstance(failure, InputError) else ""
        key = "library.failed" if reason else "library.unavailable"
        aside(say(key, language, name=name, reason=reason))

    return Library([shelf(name) for name in names], settings.permissions, named, failed)


def _open_indexed(name: str, where: Sequence[str]) -> IndexedCorpus:
    from tools.index.indexed import find_indexed

    corpus = find_indexed(data_folder(), name, opensearch_login())
    if corpus is None:
        raise CorpusError("unknown", name=name, names=", ".join(corpus_names()))
    return corpus.where(*where) if where else corpus


def corpus_names() -> list[str]:
    """Every corpus that can be named: built-in ones, products, the person's indexes."""
    from tools.corpus import installed_names
    from tools.index.indexed import indexed_names
    from tools.products import installed_products

    products = [corpus.name for corpus in installed_products()]
    return sorted({*installed_names(), *products, *indexed_names(data_folder())})


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
