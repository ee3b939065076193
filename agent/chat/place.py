"""Where questions are answered from, as a person names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent.catalogue import Problem
from agent.settings import Settings, data_folder, opensearch_login
from tools.problems import InputError

if TYPE_CHECKING:
    from agent.ask import Source

Kind = Literal["auto", "corpus", "docs", "web"]


@dataclass(frozen=True)
class Place:
    """``auto`` is the corpus whose plan fits the question; ``name`` is that of a corpus or the
    folder of documents; ``where`` are the person's conditions."""

    kind: Kind = "auto"
    name: str = ""
    where: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.name or self.kind, *self.where])


AUTO = Place()

Notices = list[Problem | InputError]


def open_place(place: Place, settings: Settings) -> tuple[Source | None, Notices]:
    """The source that ``place`` names (None for ``auto``), and notices for the reader. Raises
    Problem and InputError for one that is not there."""
    source, notices = _open(place, settings)
    return (_filtered(source, place.where) if place.where else source), notices


def _open(place: Place, settings: Settings) -> tuple[Source | None, Notices]:
    match place.kind:
        case "docs":
            from tools.documents import Folder

            folder = Folder(Path(place.name))
            return folder, [*folder.skipped]
        case "web":
            from agent.settings import build_search

            return build_search(settings), []
        case "corpus":
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


def corpus_names() -> list[str]:
    """Every corpus that can be named: built-in ones, products, the person's indexes."""
    from tools.corpus import installed_corpora
    from tools.index.indexed import indexed_names
    from tools.products import installed_products

    planned = [corpus.name for corpus in installed_corpora()]
    products = [corpus.name for corpus in installed_products()]
    return sorted({*planned, *products, *indexed_names(data_folder())})


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
