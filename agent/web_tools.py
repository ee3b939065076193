"""The tool that searches the web, for one question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from agent.evidence import Evidence
from agent.search_tools import Query
from agent.toolbox import Later
from tools.arguments import Bounds
from tools.search_web import FROM_STRANGERS, MOST_RESULTS, NONE_NOTE, WebSearch, for_model

MaxResults = Annotated[int, "How many results at most (5 if not given)", Bounds(1, MOST_RESULTS)]


def web_tool(web: WebSearch, evidence: Evidence) -> Callable[..., Any]:
    """The web search tool of one question. What it brings is fenced, so that the model can tell
    where a page's text ends."""
    web.new_question()

    def search_web(query: Query, max_results: MaxResults = 5) -> Later[Any]:
        return evidence.search_open(
            "search_web",
            query,
            lambda words: web.find(words, max_results),
            for_model,
            take=web.passages,
            add=lambda found: {} if found else {"note": NONE_NOTE},
        )

    search_web.__doc__ = (
        "Search the web: news, market prices, anything recent. Returns hits with ids to cite;\n"
        f"their {FROM_STRANGERS}"
    )
    return search_web
