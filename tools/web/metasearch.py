"""The library ddgs, which asks other search sites: for those who install and choose it."""

from __future__ import annotations

import importlib
from typing import Any

from tools.web.backend import SearchHit, SearchUnavailable

NOTHING = "No results found."
"""What ddgs 9 raises for an empty page, and for a refused request just the same."""


class DdgsBackend:
    """Asks the sites named in ``engines`` (comma-separated) through ddgs 9. ``"auto"``, and to
    ddgs any name it does not know, shares the query with up to seven sites. Raises ImportError at
    once when ddgs is not installed."""

    def __init__(self, engines: str = "duckduckgo") -> None:
        self._library: Any = importlib.import_module("ddgs")
        self._failures: Any = importlib.import_module("ddgs.exceptions")
        self._engines = engines

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        """The hits. The library gives each site its own ``timeout_s`` and does not say whether an
        empty answer was a refusal, so there is no empty list: that is SearchUnavailable too."""
        if not timeout_s > 0:
            raise ValueError(f"timeout_s must be positive, not {timeout_s}")
        try:
            rows = self._library.DDGS(timeout=timeout_s).text(
                query, max_results=limit, backend=self._engines
            )
        except Exception as error:
            raise self._explained(error) from error
        if not rows:
            raise SearchUnavailable("unclear")
        return [
            SearchHit(row.get("title"), row.get("href"), row.get("body")) for row in rows[:limit]
        ]

    def _explained(self, error: Exception) -> SearchUnavailable:
        name = type(error).__name__
        if isinstance(error, self._failures.TimeoutException):
            return SearchUnavailable("timed_out", name, retryable=True)
        return SearchUnavailable("unclear" if NOTHING in str(error) else "failed", name)
