"""One question, from its corpus to its record."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from agent.catalogue import Problem
from agent.consultant import Consultant
from agent.evidence import Evidence, Show, shown
from agent.instructions import instructions
from agent.json_safe import clean
from agent.limits import DEFAULT_LIMITS, Limits
from agent.messages import Model, Reply, StopReason, stopped, user
from agent.models.guarded import Guarded
from agent.run import Route, Run
from agent.search_tools import Toolset, folder_tool, library_tool, slot_tools
from agent.toolbox import Toolbox
from tools.corpus import Corpus, Plan
from tools.courtesy import is_courtesy, without_courtesy
from tools.documents import Folder
from tools.fences import looks_like_orders

if TYPE_CHECKING:
    from tools.index.indexed import IndexedCorpus
    from tools.library import Library
    from tools.products import ProductCorpus
    from tools.search_web import WebSearch

LONGEST_QUESTION = 20_000
"""In characters. Nobody types more, and what is longer is a document."""

OpenSource: TypeAlias = "Folder | IndexedCorpus | Library | WebSearch"
Source: TypeAlias = "Corpus | OpenSource | ProductCorpus | Toolset"
"""Where the evidence of a question comes from, told apart by its ``kind``, so that a question loads
only what it asks. Only a Corpus has plans."""

_NEVER_IN_ROUNDS = ("products", "tools")
"""Sources that are asked with filters or by tools of their own, where no verdict ends a round."""

Loop = Callable[[str, Model, Toolbox, Limits, Run], Run]
"""What steps: ``run_agent``, or what an exercise made of it."""


def ask(
    question: str,
    source: Source | None,
    model: Model,
    limits: Limits = DEFAULT_LIMITS,
    run: Run | None = None,
    *,
    narrowing: bool = False,
    route: Route | None = None,
    sleep: Callable[[float], None] = time.sleep,
    today: Callable[[], date] = date.today,
    loop: Loop | None = None,
) -> Run:
    """Answer ``question`` from ``source`` and return its run.

    A question without a source, or without a plan in its corpus, is ``unsupported``, and so is one
    that only says hello or thanks, which is answered in kind; one whose
    plan says so, or that has a risk, is ``held``: a person should look. Neither asks the model, nor
    does an empty source. ``narrowing`` also gives the model ``filter_context`` and
    ``judge_relevance`` over what an open source brought. ``route`` is taken instead of the one that
    the question would get: one search at most, rounds, or a person; only a plan that holds is held
    all the same. ``today`` is the day that counts where the question names none. ``loop`` is
    another one than ``run_agent`` only in exercises, which break a line of it. Raises Problem for
    an empty or too long question and for rounds where there are none, CorpusError for a day that
    the calendar lacks.
    """
    if loop is None:  # here, so that an edit of loop.py that cannot run is told in a sentence
        from agent.loop import run_agent

        loop = run_agent
    if len(question) > LONGEST_QUESTION:
        raise Problem("ask.long_question", limit=LONGEST_QUESTION)
    run = run or Run()
    run.question = clean(question).strip()
    run.model = model.name
    if not run.question:
        raise Problem("ask.empty_question")
    run.begin()
    if is_courtesy(run.question):
        return _end(run, "unsupported", "courtesy")
    if route == "held":
        run.route, run.route_reason = "held", "forced"
        run.emit("route", route=run.route, reason=run.route_reason)
        return _end(run, "held")
    plan = source.plan_for(run.question) if isinstance(source, Corpus) else None
    if isinstance(source, Corpus):
        source = source.asked(run.question, today())
    if source is None or (isinstance(source, Corpus) and plan is None):
        return _end(run, "unsupported")
    run.sources = _sources(source)
    if plan is not None:
        run.route, run.route_reason = _planned_route(plan, route, run.question)
        if run.route == "held":
            return _end(run, "held")
    elif route == "complex" and source.kind in _NEVER_IN_ROUNDS:
        raise Problem("ask.no_rounds")
    described = _described(source, plan)
    run.suspected = [*dict.fromkeys(name for name, text in described if looks_like_orders(text))]
    evidence = run.evidence = _evidence(source, plan, limits, run)
    if plan is not None and isinstance(source, Corpus) and plan.may_lack(run.question):
        from tools.beyond import beyond, unconfirmed

        # asked for at every step, and another only with other texts
        more = partial(source.has_more, plan)
        left = beyond(run.question, plan, timed=source.counts_days, has_more=more)
        evidence.beyond = cache(left)
        evidence.left_over = cache(unconfirmed(run.question, plan, timed=source.counts_days))
    if evidence.untold or source.is_empty:
        return _end(run, "exhausted")
    retrying = _retrying(model, run, sleep)
    consultant = Consultant(retrying, run, limits)
    day = None
    if isinstance(source, Corpus | Toolset) or source.kind == "products":
        if route == "simple":
            run.route, run.route_reason = "simple", "forced"
            evidence.max_searches = 1
    else:
        try:
            taken = _take_route(route, source, evidence, consultant, run, limits)
        except KeyboardInterrupt:
            return _end(run, "interrupted")
        if taken == "held":
            return _end(run, "held")
        day = today() if taken == "complex" else None
    functions = _functions(source, plan, evidence, run)
    repeatable: Collection[str] = ()
    if evidence.checklist is not None:
        from agent.planning import REPEATABLE, planning_tools

        functions += planning_tools(evidence, consultant, run)
        repeatable = REPEATABLE
    if narrowing and plan is None:
        from agent.context_tools import context_tools

        functions += context_tools(evidence, consultant, run, limits, show=_show(source))
    tools = Toolbox(
        functions,
        progress=lambda: evidence.progress,
        repeatable=repeatable,
        clock=run.clock,
        on_spent=run.spend_on_tools,
        on_result=run.took,
    )
    in_rounds = (limits.max_rounds, limits.max_queries_per_round) if evidence.max_rounds else None
    system = instructions(plan, today=day, rounds=in_rounds)
    guarded = Guarded(retrying, run, tools, limits, system=system)
    try:
        return loop(run.question, guarded, tools, limits, run)
    except KeyboardInterrupt:
        if run.is_over:
            raise
        return run.finish(stopped("interrupted"))


def _planned_route(plan: Plan, forced: Route | None, question: str) -> tuple[Route, str]:
    """The route of a planned question and why it is taken. A plan that holds has nothing to
    search, so that nothing else can be forced."""
    from tools.risks import risk_of

    if plan.hold:
        return "held", "plan_holds"
    if forced:
        return forced, "forced"
    if risk_of(question):
        return "held", "risk"
    return "complex" if len(plan.slots) > 1 else "simple", "plan"


def _take_route(
    forced: Route | None,
    source: OpenSource,
    evidence: Evidence,
    consultant: Consultant,
    run: Run,
    limits: Limits,
) -> Route:
    """Decide how an open question is answered, and give its evidence the bounds of that."""
    from agent.checklist import Checklist
    from agent.routing import Routed, route_of
    from tools.decomposition import decompose
    from tools.risks import risk_of

    with run.timed("routing"):
        asked = without_courtesy(run.question)
        pieces = decompose(asked)
        routed = Routed(forced, "forced") if forced else route_of(asked, len(pieces), consultant)
    run.route, run.route_reason = routed
    run.emit("route", route=run.route, reason=run.route_reason)
    evidence.weighty = run.route == "complex" or risk_of(run.question) is not None
    if run.route == "simple":
        # by rule the model keeps its say: it may see that one search was not enough after all
        evidence.one_search = run.route_reason in ("forced", "model")
        if forced:
            evidence.max_searches = 1
    elif run.route == "complex":
        evidence.max_searches = limits.searches_in_rounds
        evidence.checklist = Checklist(
            asked,
            limits.max_rounds,
            limits.max_queries_per_round,
            pieces,
            source.names if source.kind == "library" else (source.name,),
        )
    return run.route


def _conditions(source: Source) -> str:
    """The person's conditions, as they were written; empty for none."""
    if source.kind == "products":
        return source.filters.told
    return source.conditions.told if source.kind == "index" else ""


def _evidence(source: Source, plan: Plan | None, limits: Limits, run: Run) -> Evidence:
    in_rounds = isinstance(source, Corpus) and (
        source.agentic or (run.route, run.route_reason) == ("complex", "forced")
    )
    return Evidence(
        slots=plan.slots if plan else (),
        prepared_only=isinstance(source, Corpus) and source.prepared_only,
        max_searches=limits.searches_in_rounds if in_rounds else limits.searches,
        max_rounds=limits.max_rounds if in_rounds else None,
        max_queries=limits.max_queries_per_round if in_rounds else None,
        given=(run.question, _conditions(source)),
        conditions=_conditions(source),
        max_chunks=limits.max_context_chunks,
        as_of=source.as_of(plan) if isinstance(source, Corpus) and plan else None,
        untold=source.untold(plan) if isinstance(source, Corpus) and plan else (),
        left_out=source.left_out if source.kind == "products" else (),
        ledger=run.ledger,
        on_search=lambda search: run.emit("search", **search.as_record()),
    )


def _described(source: Source, plan: Plan | None) -> Iterator[tuple[str, str]]:
    """(name, text) of what describes a source to the model beside its passages."""
    if source.kind == "plans":
        for slot in plan.slots if plan else ():
            yield slot.name, slot.description
            yield source.source_of(slot).name or source.name, source.about(slot)
    elif source.kind == "products":
        yield source.name, source.description
    elif source.kind == "library":
        yield from ((about.name, about.description) for about in source.abouts)


def _sources(source: Source) -> list[str]:
    """What the record names; of a library, what its searches add."""
    if source.kind == "tools":
        return [*source.names]
    return [] if source.kind == "library" else [source.name]


def _functions(
    source: Source, plan: Plan | None, evidence: Evidence, run: Run
) -> list[Callable[..., Any]]:
    """The search tools of one question."""
    if source.kind == "plans":
        assert plan is not None
        return slot_tools(plan, source, evidence)
    if source.kind == "products":
        from agent.product_tools import product_tools

        return product_tools(source, evidence)
    if source.kind == "folder" or source.kind == "index":
        return [folder_tool(source, evidence)]
    if source.kind == "library":
        return [library_tool(source, evidence, run.sources)]
    if source.kind == "web":
        from agent.web_tools import web_tool

        return [web_tool(source, evidence)]
    return source.tools(evidence)


def _show(source: Source) -> Show:
    """How the model is given texts of a source: those from outside are fenced."""
    if source.kind in ("web", "tools"):
        from tools.search_web import for_model

        return for_model
    return shown


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


def _end(run: Run, reason: StopReason, cause: str = "") -> Run:
    """End a question that needs no model."""
    run.record(user(run.question))
    return run.finish(stopped(reason, cause))
