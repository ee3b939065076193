"""The web as a source of a corpus: its pages are not known before they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, ClassVar

from tools.documents import Passage, overlap_search
from tools.patterns import lazy_pattern
from tools.problems import Unavailable
from tools.tokens import fold

if TYPE_CHECKING:
    from tools.search_web import WebSearch

_WILD = lazy_pattern(r"[*?\[]")


@dataclass(frozen=True)
class Page(Passage):
    """A page as a search brings it: its id is its address without the scheme, until it is numbered
    (``Corpus.numbered``)."""

    def is_one_of(self, documents: str) -> bool:
        """Whether its address, resolved as a browser does, fits the pattern ``documents``; a host
        that the pattern has whole is the same with ``www.`` and without it."""
        from tools.web.links import readable, resolved

        host, slash, path = documents.partition("/")
        whole = host.lower() if _WILD.search(host) else host.lower().removeprefix("www.")
        address, pattern = resolved(self.source), f"{whole}{slash}{readable(path)}"
        return any(fnmatchcase(each, pattern) for each in (address, address.removeprefix("www.")))


@dataclass(frozen=True)
class Web:
    """What ``service`` finds on the pages of ``site`` (a host and what is below it; "" for all), as
    far as it has something of the query, each text once. Without a service nothing is asked, and
    that is told."""

    name: str
    site: str = ""
    service: WebSearch | None = None
    holds_more: ClassVar[bool] = True

    @property
    def passages(self) -> tuple[Passage, ...]:
        return ()

    def search(self, query: str, eligible: Callable[[Passage], bool]) -> list[Passage]:
        from tools.search_web import MOST_RESULTS

        if self.service is None:
            raise Unavailable(f"The source {self.name} is the web, and nothing here searches it.")
        found = self.service.find(query, MOST_RESULTS, self.site)
        pages = [
            Page(address.partition("://")[2], text, address, body=text) for address, text in found
        ]
        place = {each.id: number for number, each in enumerate(pages)}
        hits = overlap_search(query, [*filter(eligible, pages)], top_k=len(pages))
        first: dict[str, Passage] = {}
        for each in sorted(hits, key=lambda each: (-each.score, place[each.id])):
            first.setdefault(fold(each.text), each)
        return [*first.values()]
