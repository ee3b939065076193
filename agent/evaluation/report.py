"""The figures of an evaluation: of each system, and of each against the first."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.evaluation.measures import (
    facets_at,
    interval,
    ndcg_at,
    percentile,
    ratio_interval,
    recall_at,
    reciprocal_rank,
)
from agent.evaluation.sets import Item
from agent.evaluation.systems import Row
from agent.messages import CAPS
from tools.tokens import fold

_YES_OR_NO = frozenset({"", "yes", "no", "예", "네", "아니오", "아니요"})

RANKED = ("recall@1", "recall@5", "recall@10", "mrr@10", "ndcg@10", "facets@10", "complete@10")
"""Measures of the ranked evidence of one question; ``complete@10`` is whether all its gold passages
are among the first ten, ``found`` (beside them) whether they are anywhere in what was found."""

PAIRED = (*RANKED, "found", "searches", "requests", "tokens", "seconds")
"""What is compared question by question."""

Figures = dict[str, Any]


def of_question(item: Item, row: Row) -> dict[str, float]:
    """The measures of one answered question; those of ranks only where its set names evidence."""
    usage = row["usage"]
    found: dict[str, float] = {
        "searches": len(row["searches"]),
        "requests": usage["requests"],
        "tokens": usage["prompt_tokens"] + usage["output_tokens"],
        "seconds": row["seconds"],
    }
    if item.gold:
        ranked, gold = row["ranked"], item.gold
        found |= {f"recall@{k}": recall_at(k, ranked, gold) for k in (1, 5, 10)}
        found |= {
            "mrr@10": reciprocal_rank(10, ranked, gold),
            "ndcg@10": ndcg_at(10, ranked, gold),
            "facets@10": facets_at(10, ranked, item.facets),
            "complete@10": float(gold <= {*ranked[:10]}),
            "found": float(gold <= {*ranked}),
        }
    return found


def report(
    items: Sequence[Item], rows: Mapping[str, Mapping[str, Row]], about: Mapping[str, Any]
) -> Figures:
    """Every figure of an evaluation. ``rows`` are by the name of the system and the id of the
    question; ``about`` says what was evaluated."""
    systems = {name: _of_system(items, answered) for name, answered in rows.items()}
    base = next(iter(rows))
    return {
        **about,
        "questions": len(items),
        "answerable": sum(bool(item.gold) for item in items),
        "systems": systems,
        "against": {
            name: _against(items, rows[base], answered, systems[base], systems[name])
            for name, answered in rows.items()
            if name != base
        },
    }


def _of_system(items: Sequence[Item], rows: Mapping[str, Row]) -> Figures:
    answerable = [item for item in items if item.gold]
    each = {item.id: of_question(item, rows[item.id]) for item in items}
    figures: Figures = {}
    for name in (*RANKED, "found"):
        if answerable:
            values = [each[item.id][name] for item in answerable]
            figures[name] = {"mean": statistics.fmean(values), "interval": interval(values)}
    figures["answers"] = _answers(items, rows)
    figures["citations"] = _citations(items, rows)
    figures["searching"] = _searching(items, rows)
    figures["latency"] = _latency([row["seconds"] for row in rows.values()])
    figures["usage"] = _usage(list(rows.values()))
    figures["corpora"] = _corpora(rows[item.id] for item in answerable)
    return figures


def _answers(items: Sequence[Item], rows: Mapping[str, Row]) -> Figures:
    """How many answers were shown, and what became of the questions that cannot be answered."""
    worded = [item for item in items if item.gold and fold(item.answer) not in _YES_OR_NO]
    impossible = [item for item in items if not item.gold]
    return {
        "shown": _share(row["answer"] is not None for row in rows.values()),
        "with_the_answer": _share(
            fold(item.answer) in fold(rows[item.id]["answer"] or "") for item in worded
        ),
        "complete": sum(row["status"] == "complete" for row in rows.values()),
        "unanswerable": len(impossible),
        "unanswerable_complete": sum(rows[each.id]["status"] == "complete" for each in impossible)
        if impossible
        else None,
        "unanswerable_shown": _share(rows[each.id]["answer"] is not None for each in impossible),
        "status": _counts(row["status"] for row in rows.values()),
        "stop_reason": _counts(row["stop_reason"] for row in rows.values()),
        "capped": _share(row["stop_reason"] in CAPS for row in rows.values()),
    }


def _citations(items: Sequence[Item], rows: Mapping[str, Row]) -> Figures:
    """Citations that exist and say what stands beside them; answers without a quotation or number
    that their evidence lacks; what a model judged."""
    shown = [(item, rows[item.id]) for item in items if rows[item.id]["answer"] is not None]
    cited = [(item, each) for item, row in shown for each in row["citations"]]
    judged = [row["judged"] for _, row in shown if row["judged"] is not None]
    gold = [(item, each["id"].rpartition(":")[2]) for item, each in cited if item.gold]
    return {
        "accuracy": _share(each["ok"] and each["supported"] for _, each in cited),
        "count": len(cited),
        "of_gold": _share(name in item.gold for item, name in gold),
        "faithful": _share(row["unsupported"] == 0 for _, row in shown),
        "judged": {
            verdict: judged.count(verdict) for verdict in ("yes", "no", "unknown") if judged
        },
        "judging": _judging([row["judging"] for _, row in shown if "judging" in row]),
    }


def _judging(used: Sequence[Mapping[str, Any]]) -> Figures:
    """What judging used in all: it is in no figure of the questions."""
    costs = [each["cost_usd"] for each in used]
    return {
        "tokens": sum(each["prompt_tokens"] + each["output_tokens"] for each in used)
        if used
        else None,
        "cost_usd": None if None in costs or not costs else sum(costs),
    }


def _searching(items: Sequence[Item], rows: Mapping[str, Row]) -> Figures:
    """How often was searched again, and with what success. A round is what was searched in one
    step; only questions with evidence say whether another one was needed."""
    again = [item for item in items if len(_rounds(rows[item.id])) > 1]
    known = [item for item in again if item.gold]
    first = {item.id: set(_rounds(rows[item.id])[0]) for item in known}
    later = {
        item.id: {name for ids in _rounds(rows[item.id])[1:] for name in ids} for item in known
    }
    lacking = [item for item in known if not item.gold <= first[item.id]]
    return {
        "searches": statistics.fmean(len(row["searches"]) for row in rows.values()),
        "most_searches": max(len(row["searches"]) for row in rows.values()),
        "rounds": statistics.fmean(len(_rounds(row)) for row in rows.values()),
        "again": _share(len(_rounds(rows[item.id])) > 1 for item in items),
        "again_found": _share(
            bool(item.gold & (later[item.id] - first[item.id])) for item in lacking
        ),
        "needless": _share(item.gold <= first[item.id] for item in known),
    }


def _rounds(row: Row) -> list[list[str]]:
    """The ids that each step with a search brought."""
    rounds: dict[int, list[str]] = {}
    for search in row["searches"]:
        ids = [hit["id"].rpartition(":")[2] for hit in search["hits"]]
        rounds.setdefault(search["step"], []).extend(ids)
    return list(rounds.values())


def _latency(seconds: Sequence[float]) -> Figures:
    return {
        "mean": statistics.fmean(seconds),
        "median": statistics.median(seconds),
        "p95": percentile(seconds, 0.95),
    }


def _usage(rows: Sequence[Row]) -> Figures:
    prompt = [row["usage"]["prompt_tokens"] for row in rows]
    output = [row["usage"]["output_tokens"] for row in rows]
    costs = [row["usage"]["cost_usd"] for row in rows]
    steps = max((len(row["prompt_tokens_by_step"]) for row in rows), default=0)
    return {
        "requests": statistics.fmean(row["usage"]["requests"] for row in rows),
        "prompt_tokens": statistics.fmean(prompt),
        "output_tokens": statistics.fmean(output),
        "cost_usd": None if None in costs else statistics.fmean(costs),
        "prompt_tokens_by_step": [
            _mean([row["prompt_tokens_by_step"][n] for row in _with_step(rows, n)])
            for n in range(steps)
        ],
        "questions_by_step": [len(_with_step(rows, n)) for n in range(steps)],
    }


def _with_step(rows: Sequence[Row], number: int) -> list[Row]:
    return [row for row in rows if len(row["prompt_tokens_by_step"]) > number]


def _corpora(rows: Iterable[Row]) -> Figures:
    """Where several corpora lie beside each other: how often the right one was chosen first, was
    among the chosen, and alone."""
    chosen = [(row["chosen"], row["right_corpus"]) for row in rows if row.get("chosen") is not None]
    if not chosen:
        return {}
    return {
        "first": _share(names[:1] == [right] for names, right in chosen),
        "among": _share(right in names for names, right in chosen),
        "alone": _share(names == [right] for names, right in chosen),
    }


def _against(
    items: Sequence[Item],
    base: Mapping[str, Row],
    rows: Mapping[str, Row],
    of_base: Figures,
    figures: Figures,
) -> Figures:
    """Differences question by question, with paired intervals; the share of the gold passages that
    the base misses and this one finds; what a point of completeness costs."""
    answerable = [item for item in items if item.gold]
    pairs = {
        item.id: (of_question(item, base[item.id]), of_question(item, rows[item.id]))
        for item in items
    }
    differences: Figures = {}
    for name in PAIRED:
        asked = items if name in ("searches", "requests", "tokens", "seconds") else answerable
        values = [pairs[item.id][1][name] - pairs[item.id][0][name] for item in asked]
        if values:
            differences[name] = {"mean": statistics.fmean(values), "interval": interval(values)}
    ratios: Figures = {}
    for name in ("searches", "requests", "tokens", "seconds"):
        over = [pairs[item.id][1][name] for item in items]
        under = [pairs[item.id][0][name] for item in items]
        if sum(under):
            ratios[name] = {
                "ratio": sum(over) / sum(under),
                "interval": ratio_interval(over, under),
            }
    return {
        "differences": differences,
        "ratios": ratios,
        **_missed(answerable, base, rows),
        "gain_per_cost": _gain_per_cost(of_base, figures),
    }


def _missed(items: Sequence[Item], base: Mapping[str, Row], rows: Mapping[str, Row]) -> Figures:
    """Of the gold passages that are not among the base's first ten, those that are among this
    one's, and those that are anywhere in what it found; and those that the base alone has."""
    missed: list[int] = []
    found: dict[str, list[int]] = {"missed_found": [], "missed_found_anywhere": []}
    lost = 0
    for item in items:
        ranked = rows[item.id]["ranked"]
        first = item.gold & {*base[item.id]["ranked"][:10]}
        missed.append(len(item.gold - first))
        found["missed_found"].append(len((item.gold - first) & {*ranked[:10]}))
        found["missed_found_anywhere"].append(len((item.gold - first) & {*ranked}))
        lost += len(first - {*ranked[:10]})
    figures: Figures = {"missed": sum(missed), "lost": lost}
    for name, counts in found.items():
        figures[name] = sum(counts)
        figures[f"{name}_share"] = sum(counts) / sum(missed) if sum(missed) else None
        figures[f"{name}_interval"] = ratio_interval(counts, missed) if sum(missed) else None
    return figures


def _gain_per_cost(base: Figures, figures: Figures) -> Figures:
    """Points of completeness (``complete@10``, of 100) for each search, 1,000 tokens and US dollar
    more; None where it costs no more or nobody knows the price. Of the first ten of both: a system
    that may show more is not better by that."""
    if "complete@10" not in figures:
        return {}
    gain = 100 * (figures["complete@10"]["mean"] - base["complete@10"]["mean"])
    tokens = sum(figures["usage"][n] - base["usage"][n] for n in ("prompt_tokens", "output_tokens"))
    searches = figures["searching"]["searches"] - base["searching"]["searches"]
    costs = (figures["usage"]["cost_usd"], base["usage"]["cost_usd"])
    dollars = costs[0] - costs[1] if None not in costs else 0.0
    return {
        "points": gain,
        "per_search": gain / searches if searches > 0 else None,
        "per_1000_tokens": 1000 * gain / tokens if tokens > 0 else None,
        "per_usd": gain / dollars if dollars > 0 else None,
    }


def _share(values: Iterable[bool]) -> float | None:
    """The share that is true; None of nothing."""
    return _mean([float(each) for each in values])


def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _counts(values: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in values:
        found[each] = found.get(each, 0) + 1
    return dict(sorted(found.items()))
