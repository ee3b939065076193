"""Measures of ranked evidence and of several questions together.

Relevance is yes or no. Recall@K, MRR@K and nDCG@K are those of trec_eval (``R@K``, ``RR@K`` and
``nDCG@K`` of ir-measures): a gain of 1 / log2(1 + rank), against the best order there could be.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

T = TypeVar("T")

RESAMPLES = 2_000
"""Bootstrap samples of an interval."""


def recall_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """The share of the gold passages among the first ``k``."""
    return len({*ranked[:k]} & {*gold}) / len(gold)


def reciprocal_rank(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """1 / rank of the first gold passage among the first ``k``; 0 when there is none."""
    return next((1 / rank for rank, each in enumerate(ranked[:k], 1) if each in gold), 0.0)


def ndcg_at(k: int, ranked: Sequence[str], gold: Collection[str]) -> float:
    """Discounted cumulative gain of the first ``k`` over that of the best order."""
    gain = sum(1 / math.log2(1 + rank) for rank, each in enumerate(ranked[:k], 1) if each in gold)
    best = sum(1 / math.log2(1 + rank) for rank in range(1, min(k, len(gold)) + 1))
    return gain / best


def facets_at(k: int, ranked: Sequence[str], facets: Sequence[Collection[str]]) -> float:
    """The share of the facets of which a passage is among the first ``k``."""
    first = {*ranked[:k]}
    return sum(bool(first & {*facet}) for facet in facets) / len(facets)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


Interval = tuple[float, float]


def interval(values: Sequence[float]) -> Interval:
    """The 95 % bootstrap interval of a mean over questions (percentile method). For two systems
    give the differences of each question, and the interval is a paired one."""
    return _middle(_resampled(values, statistics.fmean))


def ratio_interval(over: Sequence[float], under: Sequence[float]) -> Interval:
    """The 95 % bootstrap interval of mean(over) / mean(under), both of the same questions. A sample
    that has nothing to divide by says nothing and is left out."""

    def ratio(drawn: Sequence[tuple[float, float]]) -> float:
        below = sum(value for _, value in drawn)
        return sum(value for value, _ in drawn) / below if below else math.nan

    ratios = _resampled(list(zip(over, under, strict=True)), ratio)
    return _middle([each for each in ratios if not math.isnan(each)])


def _resampled(values: Sequence[T], figure: Callable[[Sequence[T]], float]) -> list[float]:
    dice = random.Random(1)
    return [figure(dice.choices(values, k=len(values))) for _ in range(RESAMPLES)]


def _middle(figures: Sequence[float]) -> Interval:
    """What leaves a fortieth on each side."""
    ordered = sorted(figures)
    outside = len(ordered) // 40
    return ordered[outside], ordered[-1 - outside]
