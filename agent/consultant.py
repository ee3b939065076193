"""Asking a model for a selection, a verdict or a choice outside the conversation."""

from __future__ import annotations

from typing import Any

from agent.limits import Limits
from agent.messages import Model, user
from agent.models.guarded import budget_spent, time_left
from agent.run import Run
from tools.problems import ToolProblem

MAX_CONSULTATIONS = 10
"""What a model may be asked for beside the conversation within one question. Asking again for a
lost one comes out of the question's retry budget."""


class Consultant:
    """Puts a question and material to the model, outside the conversation and within the budgets
    of the question, and returns its words; nothing when there is no whole answer."""

    def __init__(self, model: Model, run: Run, limits: Limits) -> None:
        self._model = model
        self._run = run
        self._limits = limits
        self._left = MAX_CONSULTATIONS

    @property
    def is_model(self) -> bool:
        """Whether there is a language model to ask; the one in this process is none."""
        return self._model.remote

    def ask(self, instruction: str, schema: dict[str, Any], question: str, material: str) -> str:
        """The model's words in the form of ``schema``. Raises ToolProblem when nothing more may be
        asked. No output limit is set, because a model that thinks first needs room to finish."""
        if self._left <= 0 or budget_spent(self._run, self._limits):
            raise ToolProblem(
                "consultations_spent",
                "No more selections or verdicts for this question: answer from the evidence.",
            )
        self._left -= 1
        generation = {"responseMimeType": "application/json", "responseJsonSchema": schema}
        told = user(f"Question: {question}\n\n{material}".strip())
        self._run.emit("consult", step=self._run.steps, system=instruction)
        reply = self._model.generate(
            [told],
            [],
            system=instruction,
            generation=generation,
            seconds=time_left(self._run, self._limits),
        )
        self._run.consult(reply)
        return reply.text if reply.outcome == "answer" else ""
