"""What a search service must look like to be asked.

Any object with ``search`` will do. One for a paid service with a key, which is the only kind that
promises an answer, is a short class:

    class Paid:
        def search(self, query, limit, timeout_s):
            try:
                reply = requests.get(URL, params={"q": query}, headers=KEY, timeout=timeout_s)
            except requests.Timeout as error:
                raise SearchUnavailable("timed_out", "Timeout", retryable=True) from error
            if reply.status_code == 429:
                raise SearchUnavailable("rate_limited", "429")
            return [SearchHit(each["title"], each["link"], each["text"]) for each in reply.json()]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Reason = Literal["rate_limited", "timed_out", "blocked", "failed", "unclear"]
"""Why there are neither hits nor the certainty that there are none. ``blocked``: the service
takes this program for a robot. ``unclear``: an empty answer that may be a refusal."""


@dataclass(frozen=True)
class SearchHit:
    """One result as the service sent it: nothing is cleaned yet, and any part may be missing."""

    title: str | None
    url: str | None
    snippet: str | None


class SearchUnavailable(Exception):
    """The service gave no answer that could be used. ``retryable`` when asking again within
    seconds may help; ``cause`` is the name of the exception, or the HTTP status, behind it."""

    def __init__(self, reason: Reason, cause: str = "", *, retryable: bool = False) -> None:
        self.reason: Reason = reason
        self.cause = cause
        self.retryable = retryable
        super().__init__(f"{reason} ({cause})")


class SearchBackend(Protocol):
    """A search service.

    ``search`` returns at most ``limit`` hits, best first, and ``[]`` only when the service says
    that it has none. It should be done within ``timeout_s`` seconds; a caller that waited longer
    goes on without it, so a later call may come from another thread. Raises SearchUnavailable.
    """

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]: ...
