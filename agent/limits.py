"""How much one question may use, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass, fields

from agent.catalogue import Problem
from agent.messages import Usage
from agent.prices import PRICES

MAX_SEARCHES = (1, 5)
"""The range a search budget may have, both ends in it."""

USUAL_SEARCHES = 3


@dataclass(frozen=True)
class Limits:
    """The budgets of one question. None means no budget of that kind.

    Raises Problem (a ValueError) for a budget that makes no sense.
    """

    max_steps: int = 8
    """Model turns."""
    max_searches: int | None = None
    """Searches that really ran; 1 to 5. Not given, it is 3; a question whose rounds are counted
    then has as many as its rounds hold."""
    max_rounds: int = 3
    """Rounds of searching in a question that needs several: each ends with a verdict on whether
    the evidence is enough."""
    max_queries_per_round: int = 5
    """Searches of one round."""
    max_context_chunks: int = 30
    """Different passages that the model gets to see in one question."""
    max_seconds: float | None = None
    """Seconds of a question, its last request included. What is loaded for it, and what the person
    is asked about it before, do not count."""
    max_tokens: int | None = None
    """Prompt and output tokens of all requests together."""
    max_cost_usd: float | None = None
    """US dollars; when the price of the model is unknown no request is sent after the first."""

    def __post_init__(self) -> None:
        low, high = MAX_SEARCHES
        if self.max_searches is not None and not low <= self.max_searches <= high:
            raise Problem("limits.max_searches", low=low, high=high, given=self.max_searches)
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and value <= 0:
                raise Problem("limits.positive", name=each.name, given=value)

    @property
    def searches(self) -> int:
        """The search budget of a question whose rounds are not counted."""
        return USUAL_SEARCHES if self.max_searches is None else self.max_searches

    @property
    def searches_in_rounds(self) -> int:
        """The search budget of a question whose rounds are counted."""
        if self.max_searches is not None:
            return self.max_searches
        return self.max_rounds * self.max_queries_per_round


DEFAULT_LIMITS = Limits()


def cost_usd(model: str, usage: Usage) -> float | None:
    """What the tokens of one reply cost by list price; None when the price is not known."""
    price = PRICES.get(model)
    if price is None:
        return None
    return (usage.prompt_tokens * price[0] + usage.output_tokens * price[1]) / 1_000_000
