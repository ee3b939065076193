"""Measures against figures worked out by hand, and against ir-measures where it is installed."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from agent.evaluation.measures import (
    facets_at,
    interval,
    ndcg_at,
    percentile,
    ratio_interval,
    recall_at,
    reciprocal_rank,
)

RANKED = ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("k", "gold", "recall", "rank", "ndcg"),
    [
        (5, {"a"}, 1.0, 1.0, 1.0),
        (5, {"b"}, 1.0, 0.5, 1 / math.log2(3)),
        (1, {"b"}, 0.0, 0.0, 0.0),
        (2, {"b"}, 1.0, 0.5, 1 / math.log2(3)),
        (5, {"b", "x"}, 0.5, 0.5, (1 / math.log2(3)) / (1 + 1 / math.log2(3))),
        (5, {"a", "c"}, 1.0, 1.0, 1.5 / (1 + 1 / math.log2(3))),
        (1, {"a", "c"}, 0.5, 1.0, 1.0),
        (5, {"x"}, 0.0, 0.0, 0.0),
    ],
)
def test_ranked_measures_by_hand(
    k: int, gold: set[str], recall: float, rank: float, ndcg: float
) -> None:
    assert recall_at(k, RANKED, gold) == recall
    assert reciprocal_rank(k, RANKED, gold) == rank
    assert ndcg_at(k, RANKED, gold) == pytest.approx(ndcg)


def test_a_facet_is_there_with_one_of_its_passages() -> None:
    facets = [{"a", "x"}, {"y"}, {"e"}]
    assert facets_at(5, RANKED, facets) == pytest.approx(2 / 3)
    assert facets_at(4, RANKED, facets) == pytest.approx(1 / 3)


def test_percentiles_are_values_that_were_there() -> None:
    values = [float(each) for each in range(1, 21)]
    assert percentile(values, 0.95) == 19 and percentile(values, 0.96) == 20
    assert percentile([7.0], 0.95) == 7


def test_an_interval_is_that_of_the_normal_distribution_for_many_values() -> None:
    dice = random.Random(3)
    values = [dice.gauss(5, 2) for _ in range(400)]
    low, high = interval(values)
    mean, error = statistics.fmean(values), statistics.stdev(values) / math.sqrt(400)
    assert low == pytest.approx(mean - 1.96 * error, abs=0.05)
    assert high == pytest.approx(mean + 1.96 * error, abs=0.05)
    assert interval([0.5] * 9) == (0.5, 0.5)
    assert interval(values) == (low, high)


def test_a_ratio_is_of_the_same_questions() -> None:
    under = [float(each) for each in range(1, 50)]
    assert ratio_interval([2 * each for each in under], under) == (2, 2)
    low, high = ratio_interval([each + (each % 2) for each in under], under)
    assert 1 < low < sum(each + (each % 2) for each in under) / sum(under) < high
    # most samples of one miss among nine have nothing to divide by, or all of it
    assert ratio_interval([0] * 8 + [1], [0] * 8 + [1]) == (1, 1)


def test_an_interval_leaves_a_fortieth_on_each_side() -> None:
    # of the means of ten draws at two in ten, .107 are 0, .967 at most .4 and .994 at most .5
    assert interval([0.0] * 8 + [1.0] * 2) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("ranked", "gold", "figures"),
    [
        ("a b c d e f g h i j k l", "c k", [0.0, 0.5, 0.5, 0.333333, 0.306574]),
        ("a b c d e", "a e x", [0.333333, 0.666667, 0.666667, 1.0, 0.650821]),
        (
            "p q r s t u v w x y z",
            "q r s t u v w x y z a b",
            [0.0, 0.333333, 0.75, 0.5, 0.779908],
        ),
        ("m n", "z", [0.0, 0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_figures_that_ir_measures_gave(ranked: str, gold: str, figures: list[float]) -> None:
    """R@1, R@5, R@10, RR@10 and nDCG@10 of ir-measures 0.4.3 (pytrec_eval-terrier 0.5.11)."""
    order, relevant = ranked.split(), {*gold.split()}
    found = [
        *(recall_at(k, order, relevant) for k in (1, 5, 10)),
        reciprocal_rank(10, order, relevant),
        ndcg_at(10, order, relevant),
    ]
    assert found == pytest.approx(figures, abs=1e-6)


def test_the_measures_are_those_of_ir_measures() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    dice = random.Random(11)
    names = [f"d{each}" for each in range(40)]
    for number in range(50):
        ranked = dice.sample(names, dice.randint(1, 20))
        gold = set(dice.sample(names, dice.randint(1, 5)))
        qrels = [ir_measures.Qrel("q", each, 1) for each in gold]
        run = [ir_measures.ScoredDoc("q", each, float(-place)) for place, each in enumerate(ranked)]
        wanted = [ir_measures.R @ 10, ir_measures.RR @ 10, ir_measures.nDCG @ 10]
        found = ir_measures.calc_aggregate(wanted, qrels, run)
        assert found[wanted[0]] == pytest.approx(recall_at(10, ranked, gold)), number
        assert found[wanted[1]] == pytest.approx(reciprocal_rank(10, ranked, gold)), number
        assert found[wanted[2]] == pytest.approx(ndcg_at(10, ranked, gold)), number
