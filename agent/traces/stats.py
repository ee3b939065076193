"""Figures over many questions, and the two of them that are signals in operation.

A rising share of questions that searched again speaks of the quality of the search, a rising share
that ended at a cap of how the run falls back when it is cut off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from agent.catalogue import Language, say
from agent.evaluation.measures import percentile
from agent.messages import CAPS
from agent.settings import OFFLINE
from agent.traces.reading import Event, TracedRun

HALF = 10
"""Questions that each half of a period must have before the halves are compared."""

RISE = 0.1
"""How much a share must grow from the earlier half to the later before it is called rising."""


def stats(runs: Sequence[TracedRun]) -> dict[str, Any]:
    """The figures of ``runs``; null where there is nothing to count."""
    ended = sorted((each for each in runs if each.record), key=lambda each: each.asked_at)
    searched = [each for each in ended if each.searches]
    again = [search for each in searched for search in searched_again(each)]
    fresh = sum(is_new for _, is_new in again)
    seconds = [each.seconds for each in ended]
    return {
        "questions": len(runs),
        "unfinished": len(runs) - len(ended),
        "stop_reasons": dict(Counter(each.stop_reason for each in ended).most_common()),
        "re_search": {
            **_rate(searched, lambda run: bool(searched_again(run))),
            "searches": len(again),
            "brought_new": fresh / len(again) if again else None,
        },
        "cap": _rate(ended, lambda run: run.stop_reason in CAPS),
        "latency": {
            "p50": percentile(seconds, 0.5) if seconds else None,
            "p95": percentile(seconds, 0.95) if seconds else None,
        },
        "usage": _usage(ended),
    }


def searched_again(run: TracedRun) -> list[tuple[Event, bool]]:
    """The searches of a run that looked once more for what an earlier step had looked for, and
    whether each brought a passage that no earlier search had. Several searches of one step look
    for different things, and so do searches for different slots."""
    found: list[tuple[Event, bool]] = []
    known: set[str] = set()
    first: dict[str | None, int] = {}
    for search in run.searches:
        slot, step = search.data["slot"], search.data["step"]
        ids = {hit["id"] for hit in search.data["hits"]}
        if step > first.setdefault(slot, step):
            found.append((search, bool(ids - known)))
        known |= ids
    return found


def _rate(runs: Sequence[TracedRun], is_so: Callable[[TracedRun], bool]) -> dict[str, Any]:
    """The share of runs, and those of the earlier and the later half where both are large."""
    marks = [is_so(run) for run in runs]
    middle = len(marks) // 2
    halves = (marks[:middle], marks[middle:]) if middle >= HALF else (None, None)
    earlier, later = (_share(half) if half is not None else None for half in halves)
    rises = None if earlier is None or later is None else round(later - earlier, 9) >= RISE
    return {
        "of": len(marks),
        "rate": _share(marks),
        "earlier": earlier,
        "later": later,
        "rises": rises,
    }


def _share(marks: Sequence[bool]) -> float | None:
    return sum(marks) / len(marks) if marks else None


def _usage(runs: Sequence[TracedRun]) -> dict[str, Any]:
    used = [(run.model, run.record["usage"]) for run in runs if run.record]
    costs = [each["cost_usd"] for _, each in used if each["cost_usd"] is not None]
    unknown = [
        each
        for model, each in used
        if each["cost_usd"] is None and each["requests"] and model != OFFLINE
    ]
    tokens = sum(each["prompt_tokens"] + each["output_tokens"] for _, each in used)
    return {
        "tokens": tokens,
        "tokens_each": tokens / len(used) if used else None,
        "cost_usd": sum(costs) if costs else None,
        "cost_known": len(costs),
        "cost_unknown": len(unknown),
    }


def told(figures: dict[str, Any], language: Language) -> str:
    """The figures in words, the two signals with what they speak of."""
    reasons = ", ".join(f"{name} {count}" for name, count in figures["stop_reasons"].items())
    lines = [
        say("stats.questions", language, count=figures["questions"], reasons=reasons or "-"),
    ]
    if figures["unfinished"]:
        lines.append(say("stats.unfinished", language, count=figures["unfinished"]))
    again, cap = figures["re_search"], figures["cap"]
    new = _percent(again["brought_new"])
    lines.append(say("stats.re_search", language, rate=_percent(again["rate"]), of=again["of"]))
    lines.append("  " + say("stats.brought_new", language, count=again["searches"], rate=new))
    lines.append("  " + _signal(again, "re_search", language))
    lines.append(say("stats.cap", language, rate=_percent(cap["rate"]), of=cap["of"]))
    lines.append("  " + _signal(cap, "cap", language))
    latency, usage = figures["latency"], figures["usage"]
    p50, p95 = (_seconds(latency[name]) for name in ("p50", "p95"))
    lines.append(say("stats.latency", language, p50=p50, p95=p95))
    each = "-" if usage["tokens_each"] is None else f"{usage['tokens_each']:.0f}"
    lines.append(say("stats.tokens", language, tokens=usage["tokens"], each=each))
    lines.append(_cost(usage, language))
    return "\n".join(lines)


def _signal(rate: dict[str, Any], name: str, language: Language) -> str:
    meaning = say(f"stats.means.{name}", language)
    if rate["rises"] is None:
        return f"{meaning} {say('stats.few', language, least=2 * HALF)}"
    key = "stats.rises" if rate["rises"] else "stats.rises_not"
    earlier, later = _percent(rate["earlier"]), _percent(rate["later"])
    return f"{meaning} {say(key, language, earlier=earlier, later=later)}"


def _cost(usage: dict[str, Any], language: Language) -> str:
    if not usage["cost_known"]:
        key = "stats.cost_unknown" if usage["cost_unknown"] else "stats.cost_none"
        return say(key, language)
    total, known = usage["cost_usd"], usage["cost_known"]
    line = say("stats.cost", language, total=f"{total:.4f}", each=f"{total / known:.4f}")
    if usage["cost_unknown"]:
        line += " " + say("stats.cost_partly", language, count=usage["cost_unknown"])
    return line


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
