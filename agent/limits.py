"""How much one question may use, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

from agent.catalogue import Problem
from agent.messages import Usage
from agent.prices import PRICES

MAX_SEARCHES = (1, 5)
"""The range a search budget may have, both ends in it."""


@dataclass(frozen=True)
class Limits:
    """The budgets of one question. None means no budget of that kind.

    Raises Problem (a ValueError) for a budget that makes no sense.
    """

    max_steps: int = 8
    """Model turns."""
    max_searches: int = 3
    """Searches that really ran; 1 to 5."""
    max_seconds: float | None = None
    """Seconds from the question to the last request that may be sent."""
    max_tokens: int | None = None
    """Prompt and output tokens of all requests together."""
    max_cost_usd: float | None = None
    """US dollars; when the price of the model is unknown no request is sent after the first."""

    def __post_init__(self) -> None:
        low, high = MAX_SEARCHES
        if not low <= self.max_searches <= high:
            raise Problem("limits.max_searches", low=low, high=high, given=self.max_searches)
        for name in ("max_steps", "max_seconds", "max_tokens", "max_cost_usd"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise Problem("limits.positive", name=name, given=value)


DEFAULT_LIMITS = Limits()


def cost_usd(model: str, usage: Usage) -> float | None:
    """What the tokens of one reply cost by list price; None when the price is not known."""
    price = PRICES.get(model)
    if price is None:
        return None
    return (usage.prompt_tokens * price[0] + usage.output_tokens * price[1]) / 1_000_000
