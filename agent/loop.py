"""The whole agent: one question, a bounded number of steps, and the history between them."""

from __future__ import annotations

from agent.limits import DEFAULT_LIMITS, Limits
from agent.messages import Model, observation, stopped, user
from agent.run import Run
from agent.toolbox import Toolbox


def run_agent(
    question: str,
    model: Model,
    tools: Toolbox,
    limits: Limits = DEFAULT_LIMITS,
    run: Run | None = None,
) -> Run:
    """Ask ``model`` until it stops calling ``tools`` or ``limits.max_steps`` is reached.

    Everything else reaches the loop through its arguments: a limit that bites is a reply without
    calls, a retry is a model around a model, a trace is what ``run`` does when it records.
    """
    run = run or Run()
    # ① the conversation starts with the question
    run.record(user(question))
    # ② a bounded number of steps
    for step in range(1, limits.max_steps + 1):
        # ③ think: the model gets the whole history, every time
        reply = model.generate(run.contents, tools.declarations)
        # ④ no tool call means it can answer: stop
        if not reply.calls:
            return run.finish(reply)
        # ⑤ record the model's decision, verbatim
        run.record(reply.content, reply)
        # ⑥ act: our code runs the tools
        results = tools.call_all(reply.calls)
        # ⑦ record the observation: one content, one response per call
        run.record(observation(results))
    # ⑧ the cap: say so, never invent an answer
    return run.finish(stopped("max_steps"))
