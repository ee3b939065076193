"""Scenarios about searching: other words that find nothing new, and a service that fails."""

from __future__ import annotations

from typing import Annotated

from agent.catalogue import Language
from agent.lessons.stage import Stage
from agent.limits import Limits
from agent.messages import function_responses
from agent.models.guarded import Guarded
from agent.offline.policy import Part
from agent.offline.protocol import Prompt
from agent.run import Run
from agent.toolbox import Toolbox
from tools.documents import Passage, overlap_search
from tools.search_web import WebSearch
from tools.web.backend import SearchBackend, SearchHit, SearchUnavailable

_PAGES: dict[Language, list[Passage]] = {
    "ko": [
        Passage(
            "shop-1", "반품은 받은 날부터 7일 안에 신청하고, 상자에 담아 문 앞에 둔다.", "shop"
        ),
        Passage("shop-2", "주문 내역은 내 정보 화면에서 본다.", "shop"),
    ],
    "en": [
        Passage("shop-1", "Ask for a return within 7 days and leave the box at your door.", "shop"),
        Passage("shop-2", "Earlier orders are listed on your own page.", "shop"),
    ],
}
_REWORDED: dict[Language, list[str]] = {
    "ko": ["반품 배송비", "반품 택배비", "반품 운송료", "반품 발송 비용", "반품 요금", "반품 운임"],
    "en": ["return postage", "return shipping", "return freight", "return fee", "return charge",
           "return cost"],
}  # fmt: skip


def synonyms(stage: Stage) -> Run | None:
    """A model that looks for what is not there, each time with a synonym. Broken: a call that
    succeeded counts as progress, instead of a page that was not known."""
    pages, queries = _PAGES[stage.language], _REWORDED[stage.language]
    run = stage.run()
    known: set[str] = set()

    def search_help(query: Annotated[str, "The words to search for"]) -> dict[str, list[str]]:
        """Find the best page of the shop's help."""
        found = overlap_search(query, pages, top_k=1)
        known.update(each.id for each in found)
        hits = [{"id": each.id} for each in found]
        run.emit("search", tool="search_help", query=query, outcome="hits", hits=hits)
        return {"lines": [each.text for each in found]}

    def in_other_words(prompt: Prompt) -> list[Part]:
        searched = len([each for each in prompt.contents if function_responses(each)])
        query = queries[searched % len(queries)]
        return [{"functionCall": {"name": "search_help", "args": {"query": query}}}]

    tools = Toolbox([search_help], progress=None if stage.broken else lambda: len(known))
    limits = Limits(max_steps=len(queries))
    model = Guarded(stage.model(in_other_words), run, tools, limits)
    korean = stage.language == "ko"
    question = "반품할 때 배송비는 누가 내?" if korean else "Who pays the postage of a return?"
    return stage.loop(question, model, tools, limits, run)


class _Down:
    """A search service that cannot be reached."""

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        raise SearchUnavailable("timed_out", "Timeout")


class _Silent:
    """A service around a service: every error becomes an empty list."""

    def __init__(self, backend: SearchBackend) -> None:
        self._backend = backend

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        try:
            return self._backend.search(query, limit, timeout_s)
        except SearchUnavailable:
            return []


def search_fails(stage: Stage) -> Run | None:
    """The web cannot be reached. Broken: the error is caught and becomes an empty list."""
    down: SearchBackend = _Down()
    return stage.ask(
        "저소음 키보드 시장은 요즘 어때?",
        "How is the market for quiet keyboards these days?",
        WebSearch(_Silent(down) if stage.broken else down),
    )
