"""One source of a corpus: what it is for, who may search it, and its passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, get_args

from tools.documents import Passage, overlap_search
from tools.permission import PUBLIC
from tools.problems import CorpusError, ToolProblem, Unavailable
from tools.sources.dates import Period, read_period
from tools.sources.web import Web

if TYPE_CHECKING:
    from tools.search_web import WebSearch

Interface = Literal["documents", "table", "lines", "issues", "web"]

INTERFACES: tuple[Interface, ...] = get_args(Interface)


class Store(Protocol):
    """Passages, and a way to search them. ``passages`` are those that are known without a search;
    with ``holds_more`` there may be others."""

    holds_more: ClassVar[bool]

    @property
    def passages(self) -> Sequence[Passage]: ...

    def search(self, query: str, eligible: Callable[[Passage], bool]) -> list[Passage]:
        """The eligible passages that share something with the query, best first."""
        ...


@dataclass(frozen=True)
class Texts:
    """Passages in memory, ranked by the distinct units they share with the query."""

    passages: tuple[Passage, ...]
    holds_more: ClassVar[bool] = False

    def search(self, query: str, eligible: Callable[[Passage], bool]) -> list[Passage]:
        return overlap_search(query, [*filter(eligible, self.passages)], len(self.passages))


class Unread:
    """What could not be read just now, or is written in a way that cannot be used, for which
    ``fault`` is raised. It is never told as a source that holds nothing."""

    passages: tuple[Passage, ...] = ()
    holds_more: ClassVar[bool] = True

    def __init__(self, name: str, fault: CorpusError | None = None) -> None:
        self._name = name
        self._fault = fault

    def search(self, query: str, eligible: Callable[[Passage], bool]) -> list[Passage]:
        raise self._fault or Unavailable(f"The source {self._name} cannot be read now.")


@dataclass(frozen=True)
class Source:
    """A part of a corpus that is searched in its own way. ``role`` says in a few words what it is
    (for those who choose), ``language`` is one of its texts. ``periods`` are the times that its
    passages are about, by id."""

    name: str
    store: Store
    role: str = ""
    description: str = ""
    language: str = ""
    permission: str = PUBLIC
    periods: Mapping[str, Period] = field(default_factory=dict[str, Period])

    @property
    def passages(self) -> Sequence[Passage]:
        """Everything that it holds, as far as that is known without a search."""
        return self.store.passages

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to find; not known of what could not be read, or of the web."""
        return not self.passages and not self.store.holds_more

    @property
    def is_unread(self) -> bool:
        """Whether it could not be read."""
        return isinstance(self.store, Unread)

    @property
    def is_on_the_web(self) -> bool:
        """Whether a search of it leaves this machine."""
        return isinstance(self.store, Web)

    def asking(self, web: WebSearch) -> Source:
        """The source with ``web`` as what searches the web."""
        store = self.store
        return replace(self, store=replace(store, service=web)) if isinstance(store, Web) else self

    @property
    def about(self) -> str:
        """What it is, in a line for a model that chooses."""
        traits = ", ".join(filter(None, [self.role, self.language]))
        role = f"{self.name} ({traits})" if traits else self.name
        return f"{role}, {self.description}" if self.description else role

    def find(self, query: str, eligible: Callable[[Passage], bool]) -> list[Passage]:
        """The eligible passages that share something with the query, best first. Raises
        Unavailable for a source that could not be read or asked, CorpusError where that lies in
        what is written in it."""
        return self.store.search(query, eligible)

    def check(self, permissions: frozenset[str]) -> None:
        """Raises ToolProblem when a person with these permissions may not search it."""
        if self.permission != PUBLIC and self.permission not in permissions:
            raise ToolProblem(
                "not_permitted",
                f"The source {self.name} may be searched only with the permission "
                f"{self.permission}, which this person does not have.",
                permission=self.permission,
            )


def periods_of(
    path: Path, passages: Sequence[Passage], pattern: re.Pattern[str]
) -> dict[str, Period]:
    """The times that passages are about. Raises CorpusError for a day that the calendar lacks, and
    for a pattern that takes too long."""
    found: dict[str, Period] = {}
    for passage in passages:
        try:
            period = read_period(pattern, passage.text)
        except CorpusError:
            raise
        except ValueError as error:
            raise CorpusError("bad_row", path=path, row=passage.id, reason=str(error)) from None
        if period is not None:
            found[passage.id] = period
    return found
