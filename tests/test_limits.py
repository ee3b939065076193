"""The budgets of a question, and how they hang together."""

from __future__ import annotations

import pytest

from agent.catalogue import Problem
from agent.limits import DEFAULT_LIMITS, Limits


def test_the_usual_budgets() -> None:
    usual = DEFAULT_LIMITS
    assert (usual.max_steps, usual.max_rounds) == (8, 3)
    assert (usual.max_queries_per_round, usual.max_context_chunks) == (5, 30)
    assert (usual.searches, usual.searches_in_rounds) == (3, 15)
    assert (usual.max_seconds, usual.max_tokens, usual.max_cost_usd) == (None, None, None)


def test_a_search_budget_that_is_given_holds_in_rounds_too() -> None:
    given = Limits(max_searches=2, max_rounds=4, max_queries_per_round=6)
    assert (given.searches, given.searches_in_rounds) == (2, 2)
    assert Limits(max_rounds=4, max_queries_per_round=6).searches_in_rounds == 24


@pytest.mark.parametrize("searches", [1, 5])
def test_the_ends_of_the_range_are_in_it(searches: int) -> None:
    assert Limits(max_searches=searches).searches == searches


@pytest.mark.parametrize("searches", [0, 6])
def test_beyond_the_ends_is_one_sentence(searches: int) -> None:
    with pytest.raises(Problem) as refused:
        Limits(max_searches=searches)
    assert refused.value.key == "limits.max_searches"
