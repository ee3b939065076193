"""Whatever a model replies and whatever its tools do, a question ends, in time, in a legal history,
and with words for the reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent.limits import Limits
from agent.offline.responder import Response
from tests.properties.behaviours import ACTIONS, PASSAGES
from tests.properties.played import KINDS, OPEN_QUESTIONS, QUESTIONS, play
from tests.properties.replies import answers

BUDGETS = {
    "max_seconds": st.sampled_from([0.1, 3.0, 100.0]),
    "max_tokens": st.sampled_from([1, 50]),
    "max_cost_usd": st.sampled_from([1e-9, 10.0]),
}
limits = st.builds(
    lambda counts, budget: Limits(**counts, **budget),
    st.fixed_dictionaries(
        {
            "max_steps": st.sampled_from([8, 8, 6, 4, 3, 2, 1]),
            "max_searches": st.sampled_from([None, None, 1, 2, 5]),
            "max_rounds": st.sampled_from([3, 2, 1]),
            "max_queries_per_round": st.sampled_from([5, 2, 1]),
            "max_context_chunks": st.sampled_from([30, 30, 1, 2]),
        }
    ),
    st.one_of(st.just({}), st.just({}), st.fixed_dictionaries({}, optional=BUDGETS)),
)


@dataclass(frozen=True)
class Asked:
    """A question, what it is asked of, and what the model's side says."""

    kind: str
    question: str
    answers: list[Response]


@st.composite
def _asked(draw: Any) -> Asked:
    kind = draw(st.sampled_from(KINDS))
    question = draw(st.sampled_from(QUESTIONS.get(kind, OPEN_QUESTIONS)))
    return Asked(kind, question, draw(answers(kind)))


@given(
    asked=_asked(),
    actions=st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=4),
    brought=st.lists(st.sampled_from(PASSAGES), min_size=1, max_size=3),
    limits=limits,
    remote=st.booleans(),
)
def test_a_question_ends_well_whatever_happens(
    asked: Asked, actions: Any, brought: Any, limits: Limits, remote: bool
):
    play(asked.kind, asked.question, asked.answers, actions, brought, limits, remote=remote)
