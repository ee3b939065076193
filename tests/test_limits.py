"""The budgets of a question, and how they hang together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.catalogue import Problem
from agent.limits import DEFAULT_LIMITS, Limits
from agent.messages import function_responses
from tests.replies import Replies, call, turn
from tools.documents import Folder


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


def look(query: str) -> dict[str, Any]:
    return call("search_documents", query=query)


@pytest.mark.parametrize(
    ("most", "shown", "modes"),
    [(2, [2, 0], ["ANY", "NONE", "NONE"]), (3, [2, 1], ["ANY", "AUTO", "NONE"]),
     (5, [2, 2], ["ANY", "AUTO", "AUTO"])],
)  # fmt: skip
def test_passages_are_shown_as_far_as_there_is_room(
    tmp_path: Path, most: int, shown: list[int], modes: list[str]
) -> None:
    """A search brings what fits; when nothing more fits the model is to write, and a call that it
    makes all the same is told why."""
    (tmp_path / "doors.md").write_text("red door\nred gate\nblue door\nblue gate\n", "utf-8")
    answer = turn("The gate is red [doors.md:2]")
    model = Replies(turn(look("red")), turn(look("blue")), answer)
    run = ask("Which gate?", Folder(tmp_path), model, Limits(max_context_chunks=most))
    outputs = [each["response"] for turn in run.contents for each in function_responses(turn)]
    assert [len(each.get("output", {}).get("hits", [])) for each in outputs] == shown
    assert [request["mode"] for request in model.requests] == modes
    assert run.answer == "The gate is red [doors.md:2]" and len(run.ledger) == sum(shown)
    if most == 2:
        assert outputs[1]["error"]["code"] == "context_full"


@pytest.mark.parametrize("come_round", [True, False])
def test_a_model_that_may_only_write_is_asked_three_times(tmp_path: Path, come_round: bool) -> None:
    """After two searches that brought nothing, and with something found."""
    (tmp_path / "pool.md").write_text("The pool opens at 6.\n", "utf-8")
    queries = ["pool opens", "tram", "bus", "taxi", "ferry", "bike"]
    answers = [turn(look(query)) for query in queries]
    if come_round:
        answers[-1] = turn("At 6 [pool.md:1].")
    model = Replies(*answers)
    run = ask("When does the pool open?", Folder(tmp_path), model, Limits(max_searches=5))
    assert [each["mode"] for each in model.requests] == ["ANY", "AUTO", "AUTO", *["NONE"] * 3]
    assert run.stop_reason == ("answered" if come_round else "no_progress")
    assert (run.answer is not None) is come_round
