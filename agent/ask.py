"""One question, from its corpus to its record."""

from __future__ import annotations

import time
from collections.abc import Callable

from agent.catalogue import Problem
from agent.evidence import Evidence, folder_tool, slot_tools
from agent.instructions import instructions
from agent.json_safe import clean
from agent.limits import DEFAULT_LIMITS, Limits
from agent.loop import run_agent
from agent.messages import Model, Reply, StopReason, stopped, user
from agent.models.guarded import Guarded
from agent.product_tools import product_tools
from agent.run import Run
from agent.toolbox import Toolbox
from tools.corpus import Corpus, Plan
from tools.documents import Folder
from tools.products import ProductCorpus


def ask(
    question: str,
    source: Corpus | Folder | ProductCorpus | None,
    model: Model,
    limits: Limits = DEFAULT_LIMITS,
    run: Run | None = None,
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> Run:
    """Answer ``question`` from ``source`` and return its run.

    A question without a corpus, or without a plan in it, is ``unsupported``; one whose plan says
    so is ``held``: a person should look. Neither asks the model, nor does an empty source.
    Raises Problem for an empty question.
    """
    run = run or Run()
    run.question = clean(question).strip()
    run.model = model.name
    if not run.question:
        raise Problem("ask.empty_question")
    if isinstance(source, Folder):
        return _ask_folder(source, model, limits, run, sleep)
    if isinstance(source, ProductCorpus):
        return _ask_products(source, model, limits, run, sleep)
    plan = source.plan_for(run.question) if source else None
    if source is None or plan is None:
        return _end(run, "unsupported")
    run.sources = [source.name]
    run.route = "held" if plan.hold else "complex" if len(plan.slots) > 1 else "simple"
    if plan.hold:
        return _end(run, "held")
    return _ask_corpus(source, plan, model, limits, run, sleep)


def _ask_corpus(
    corpus: Corpus,
    plan: Plan,
    model: Model,
    limits: Limits,
    run: Run,
    sleep: Callable[[float], None],
) -> Run:
    evidence = _evidence(run, limits)
    evidence.slots, evidence.prepared_only = plan.slots, corpus.prepared_only
    if not corpus.documents:
        return _end(run, "exhausted")
    tools = slot_tools(plan, corpus, evidence)
    return _loop(tools, instructions(plan), model, limits, run, sleep)


def _ask_folder(
    folder: Folder, model: Model, limits: Limits, run: Run, sleep: Callable[[float], None]
) -> Run:
    evidence = _evidence(run, limits)
    run.sources = [clean(folder.path.resolve().name)]
    if not len(folder):
        return _end(run, "exhausted")
    tools = [folder_tool(folder, evidence)]
    return _loop(tools, instructions(), model, limits, run, sleep)


def _ask_products(
    corpus: ProductCorpus,
    model: Model,
    limits: Limits,
    run: Run,
    sleep: Callable[[float], None],
) -> Run:
    evidence = _evidence(run, limits)
    run.sources = [corpus.name]
    if not corpus.products:
        return _end(run, "exhausted")
    return _loop(product_tools(corpus, evidence), instructions(), model, limits, run, sleep)


def _evidence(run: Run, limits: Limits) -> Evidence:
    run.evidence = Evidence(
        max_searches=limits.max_searches,
        ledger=run.ledger,
        on_search=lambda search: run.emit("search", **search.as_record()),
    )
    return run.evidence


def _loop(
    functions: list[Callable[..., object]],
    system: str,
    model: Model,
    limits: Limits,
    run: Run,
    sleep: Callable[[float], None],
) -> Run:
    evidence = run.evidence
    assert evidence is not None
    tools = Toolbox(
        functions,
        progress=lambda: evidence.progress,
        clock=run.clock,
        on_spent=run.spend_on_tools,
    )
    guarded = Guarded(_retrying(model, run, sleep), run, tools, limits, system=system)
    try:
        return run_agent(run.question, guarded, tools, limits, run)
    except KeyboardInterrupt:
        return run.finish(stopped("interrupted"))


def _retrying(model: Model, run: Run, sleep: Callable[[float], None]) -> Model:
    """A remote model with this question's retry budget; the one in this process needs none."""
    if not model.remote:
        return model
    from agent.models.retrying import RetryBudget, Retrying

    def on_wait(seconds: float, reply: Reply) -> None:
        run.emit(
            "wait",
            seconds=seconds,
            outcome=reply.outcome,
            cause=reply.cause,
            status_code=reply.status_code,
            note=reply.note,
        )

    return Retrying(model, RetryBudget(), sleep=sleep, clock=run.clock, on_wait=on_wait)


def _end(run: Run, reason: StopReason) -> Run:
    """End a question that needs no model."""
    run.record(user(run.question))
    return run.finish(stopped(reason))
