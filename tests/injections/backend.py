"""A search service that finds one page: the attacked one."""

from __future__ import annotations

from tools.web.backend import SearchHit

PAGE = SearchHit("", "", "")


class Search:
    """Finds ``PAGE``, whatever is asked."""

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        return [PAGE]
