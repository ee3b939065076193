"""DuckDuckGo through the library duckduckgo-search 8.0: no key, and no promise either.

The site turns programs away as it likes, with HTTP 202 or with a challenge of status 200, which the
library takes for an empty answer. So its HTTP client gets a companion that keeps the page it read,
and that reads no more than a page has.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tools.web.backend import Reason, SearchHit, SearchUnavailable

HOST = "html.duckduckgo.com"

MAX_PAGE_BYTES = 2_000_000
"""A page of results has about 50,000; a page that unpacks to more than this is not read on."""

_NO_RESULTS = re.compile(
    rb"""<(?!title|textarea|option)\w+[^<>]*\bclass=["'][^"'<>]*\bno-results?\b[^<>]*>"""
    rb"""|<(?:div|span|td|p|b)\b[^<>]*>\s*No\s+(?:more\s+)?results\.""",
    re.I,
)
"""What an empty page says of itself, in an element of its body; the title repeats the query."""

_CHALLENGE = re.compile(
    rb"""(?:class|id)=["'][^"'<>]*\b(?:anomaly-modal|challenge-form)"""
    rb"""|(?:action|src)=["'][^"'<>]*/anomaly\.js""",
    re.I,
)
"""Looked for in attributes only: the page repeats the query, which may hold any words."""

_STATUS_REASONS: dict[int, Reason] = {
    202: "rate_limited",
    418: "rate_limited",
    429: "rate_limited",
    403: "blocked",
}


class DuckDuckGoBackend:
    """Asks html.duckduckgo.com, one page a search. One object for a session: the library keeps
    its requests apart (0.75 s) only within one client. Proxy and certificate variables of the
    environment are honoured."""

    def __init__(self) -> None:
        self._library: Any = None
        self._visit = _Visit()

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        """The hits of the first page. Raises SearchUnavailable, also for an empty page that does
        not say that it is empty, and ValueError for a timeout that is not positive."""
        if not timeout_s > 0:
            raise ValueError(f"timeout_s must be positive, not {timeout_s}")
        self._visit.begin(timeout_s)
        try:
            # Without max_results the library reads one page; with it, a failure on a later page
            # would lose the earlier ones.
            rows = self._client().text(query, backend="html")
        except Exception as error:
            raise self._explained(error) from error
        if not rows and _CHALLENGE.search(self._visit.body):
            raise SearchUnavailable("blocked", "200")
        if not rows and not _NO_RESULTS.search(self._visit.body):
            raise SearchUnavailable("unclear", "200")
        return [
            SearchHit(row.get("title"), row.get("href"), row.get("body")) for row in rows[:limit]
        ]

    def _client(self) -> Any:
        if self._library is None:
            from duckduckgo_search import DDGS

            library: Any = DDGS()
            library.client = _PageReader(library.client, self._visit)
            self._library = library
        return self._library

    def _explained(self, error: Exception) -> SearchUnavailable:
        import primp

        status = self._visit.status
        if status and status != 200:
            reason = _STATUS_REASONS.get(status, "failed")
            return SearchUnavailable(reason, str(status), retryable=status >= 500)
        causes = list(_causes(error))
        name = type(causes[-1]).__name__
        if any(isinstance(cause, primp.TimeoutError) for cause in causes):
            return SearchUnavailable("timed_out", name, retryable=True)
        passing = any(
            isinstance(cause, primp.PrimpError) and not isinstance(cause, primp.BuilderError)
            for cause in causes
        )
        return SearchUnavailable("failed", name, retryable=passing)


class _Visit(threading.local):
    """One search as its own thread sees it: until when, and the page that came."""

    deadline = 0.0
    status = 0
    body = b""

    def begin(self, timeout_s: float) -> None:
        self.deadline = time.monotonic() + timeout_s
        self.status, self.body = 0, b""


@dataclass(frozen=True)
class _Page:
    """What the library reads of a response."""

    url: str
    status_code: int
    content: bytes


class _PageReader:
    """Stands where the library keeps its HTTP client: asks one site only, within the time of the
    visit, reads no endless page, and keeps what it read."""

    def __init__(self, client: Any, visit: _Visit) -> None:
        self._client = client
        self._visit = visit
        self.headers_update = client.headers_update

    def request(self, method: str, url: str, **options: Any) -> _Page:
        if urlsplit(url).hostname != HOST:
            raise PermissionError("another site than DuckDuckGo would be asked")
        options["timeout"] = max(self._visit.deadline - time.monotonic(), 0.001)
        response = self._client.request(method, url, stream=True, **options)
        self._visit.status = response.status_code
        try:
            self._visit.body = _read(response)
        finally:
            response.close()
        return _Page(response.url, response.status_code, self._visit.body)


def _read(response: Any) -> bytes:
    read = bytearray()
    for piece in response.iter_bytes(65_536):
        read += piece
        if len(read) > MAX_PAGE_BYTES:
            raise OverflowError("the page is too large")
    return bytes(read)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """``error`` and what is behind it. The library's text() hides the real exception in args."""
    while error is not None:
        yield error
        inner = error.args[0] if error.args else None
        error = inner if isinstance(inner, BaseException) else error.__cause__
