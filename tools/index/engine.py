"""What every search engine of an index can do, whichever library does it.

An engine holds rows of tokens (made by ``tools.tokens.terms``, so that Korean is found alike in
each of them) and typed fields. It finds and ranks row ids; texts stay in the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tools.index.columns import Held
from tools.index.where import Where
from tools.problems import InputError


class IndexFault(InputError):
    """An index that cannot be read or written as asked. Keys: ``index.busy`` (another writer, after
    the wait), ``index.disk_full``, ``index.unwritable``, ``index.closed`` (it may not be read),
    ``index.damaged`` (its store is no database, or has lost a part), ``index.nothing_yet`` (it was
    never completed and has nothing, or its store is gone), ``index.about`` (what it is of cannot be
    read), ``index.newer`` and ``index.older`` (made by a later version, or by an earlier one where
    it cannot be brought up), ``index.emptied`` (none of its files is left); as notices
    ``index.unfinished`` (a part is missing), ``index.rebuilt`` (the engine's files were missing or
    damaged and have been made again), ``index.stand_in`` (and cannot be made again in their place),
    ``index.engine_damaged`` (a writer makes them again) and ``index.no_tantivy`` (slower,
    same results)."""

    area = "index"


@dataclass(frozen=True)
class Row:
    """What is searched of one chunk. ``id`` is positive and never used again for another text."""

    id: int
    tokens: Sequence[str]
    fields: Mapping[str, Held] = field(default_factory=dict)


@dataclass(frozen=True)
class Hit:
    """A row that was found, with its BM25 score (k1 1.2, b 0.75; the higher the better)."""

    id: int
    score: float


@dataclass(frozen=True)
class Frequencies:
    """How rare words are: the number of all ``rows``, and in how many of them each token is
    (``of``; 0 for one that is in none). Rows that were deleted may still count for a while."""

    rows: int
    of: Mapping[str, int]


class Engine(Protocol):
    """Rows found by any of some tokens, best first, among those that keep all conditions.

    Nothing that was added or deleted is seen before ``commit``, and what was committed survives
    the end of the process. One writer at a time: the caller holds the store's lock. A fault of
    the disk is raised as IndexFault, damage to the engine's own files as EngineDamaged.
    """

    def add(self, rows: Iterable[Row]) -> None:
        """Puts rows in. An id that is there already must have been deleted before."""
        ...

    def delete(self, ids: Iterable[int]) -> None:
        """Takes rows out; ids that are not there are no error."""
        ...

    def commit(self) -> None:
        """Makes everything since the last commit durable and, to this engine, visible."""
        ...

    def reload(self) -> None:
        """Sees what other processes have committed since."""
        ...

    def search(self, tokens: Sequence[str], where: Where, k: int) -> list[Hit]:
        """The ``k`` best rows with at least one of the tokens that keep ``where``; the conditions
        are applied before anything is ranked. Ties go by id."""
        ...

    def frequencies(self, tokens: Sequence[str]) -> Frequencies:
        """In how many rows each of the tokens is, whatever their fields. Scores of two engines
        cannot be compared; with the sum of their frequencies passages of both can be scored alike
        (``tools.choosing``)."""
        ...

    def verify(self) -> None:
        """Reads everything and compares it with its checksums: what opens and searches without a
        fault may still have lost a bit. Raises EngineDamaged."""
        ...

    def stats(self) -> dict[str, Any]:
        """``engine`` (its name), ``rows`` and ``bytes`` on disk."""
        ...

    def close(self) -> None:
        """Lets go of files and locks; what was not committed is forgotten."""
        ...


class EngineDamaged(Exception):
    """An engine's own files cannot be read; the store can make them again."""
