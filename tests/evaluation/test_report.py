"""The figures of a report from rows worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from agent.evaluation.report import report
from agent.evaluation.sets import Item

ITEMS = [
    Item("1", "?", (frozenset({"a"}), frozenset({"b"})), "Oslo"),
    Item("2", "?", (frozenset({"c"}),), "yes"),
    Item("3", "?", ()),
]


def row(
    question: str, *rounds: list[str], cost: float | None = 0.01, **more: Any
) -> dict[str, Any]:
    """An answered question whose steps brought these passages."""
    hits = [[{"id": f"set:{each}"} for each in ids] for ids in rounds]
    return {
        "question": question,
        "system": "x",
        "answer": "Oslo, as [a] says.",
        "status": "open",
        "stop_reason": "answered",
        "ranked": list(dict.fromkeys(each for ids in rounds for each in ids)),
        "searches": [{"step": n, "query": "q", "hits": ids} for n, ids in enumerate(hits)],
        "citations": [],
        "unsupported": 0,
        "seconds": 1.0,
        "usage": {
            "requests": 2,
            "prompt_tokens": 500 * len(rounds),
            "output_tokens": 0,
            "cost_usd": cost,
        },
        "prompt_tokens_by_step": [500] * len(rounds),
        "judged": None,
        **more,
    }


def made(**systems: list[dict[str, Any]]) -> dict[str, Any]:
    rows = {name: {each["question"]: each for each in found} for name, found in systems.items()}
    return report(ITEMS, rows, {})


SINGLE = [row("1", ["a", "x"]), row("2", ["c"]), row("3", ["y"])]
LOOP = [
    row("1", ["a", "x"], ["b"], cost=0.02),
    row("2", ["c"], ["z"], cost=0.02),
    row("3", ["y"], answer=None, status="incomplete", stop_reason="max_rounds"),
]


def test_searching_again_is_needless_or_finds_what_lacked() -> None:
    found = made(loop=LOOP)["systems"]["loop"]["searching"]
    assert found["again"] == pytest.approx(2 / 3) and found["searches"] == pytest.approx(5 / 3)
    assert found["again_found"] == 1 and found["needless"] == 0.5
    in_vain = [row("1", ["a"], ["a", "x"]), row("2", ["x"], ["c"]), row("3", ["y"])]
    found = made(loop=in_vain)["systems"]["loop"]["searching"]
    assert found["again_found"] == 0.5 and found["needless"] == 0


def test_answers_by_what_became_of_them() -> None:
    found = made(single=SINGLE, loop=LOOP)["systems"]
    assert found["single"]["answers"]["unanswerable_shown"] == 1
    assert found["loop"]["answers"]["unanswerable_shown"] == 0
    assert found["loop"]["answers"]["unanswerable_complete"] == 0
    assert found["loop"]["answers"]["capped"] == found["loop"]["answers"]["shown"] / 2
    assert found["loop"]["answers"]["with_the_answer"] == 1


def test_all_the_evidence_of_a_question_counts_and_what_is_lost_is_told() -> None:
    found = made(loop=LOOP, single=SINGLE)
    assert found["systems"]["single"]["complete@10"]["mean"] == 0.5
    assert found["systems"]["single"]["recall@10"]["mean"] == 0.75
    assert found["systems"]["loop"]["complete@10"]["mean"] == 1
    against = found["against"]["single"]
    assert (against["lost"], against["missed"], against["missed_found_share"]) == (1, 0, None)


def test_what_stands_below_the_first_ten_is_found_and_not_among_them() -> None:
    far = [row("1", ["a", *"klmnopqrs"], ["b"]), *LOOP[1:]]
    found = made(single=SINGLE, loop=far)
    assert found["systems"]["loop"]["complete@10"]["mean"] == 0.5
    assert found["systems"]["loop"]["found"]["mean"] == 1
    against = found["against"]["loop"]
    assert (against["missed_found"], against["missed_found_anywhere"]) == (0, 1)


def test_what_a_point_of_completeness_costs() -> None:
    against = made(single=SINGLE, loop=LOOP)["against"]["loop"]
    assert against["missed"] == against["missed_found"] == against["missed_found_anywhere"] == 1
    assert against["missed_found_share"] == 1 and against["missed_found_interval"] == (1, 1)
    assert against["differences"]["found"]["mean"] == 0.5
    cost = against["gain_per_cost"]
    assert cost["points"] == 50
    assert cost["per_search"] == pytest.approx(50 / (2 / 3))
    assert cost["per_1000_tokens"] == pytest.approx(50 / (1000 / 3) * 1000)
    assert cost["per_usd"] == pytest.approx(50 / (0.02 / 3))


def test_more_than_the_first_ten_is_no_gain() -> None:
    far = [row("1", ["a", *"klmnopqrs"], ["b"], cost=0.02), *LOOP[1:]]
    cost = made(single=SINGLE, loop=far)["against"]["loop"]["gain_per_cost"]
    assert (cost["points"], cost["per_search"]) == (0, 0)


def test_the_middle_and_the_slowest_are_told() -> None:
    rows = [
        row("1", ["a"], seconds=9.0),
        row("2", ["c"], seconds=1.0),
        row("3", ["y"], seconds=2.0),
    ]
    assert made(single=rows)["systems"]["single"]["latency"] == {
        "mean": 4.0,
        "median": 2.0,
        "p95": 9.0,
    }


def test_what_judging_used_is_told_apart() -> None:
    used = {"requests": 1, "prompt_tokens": 300, "output_tokens": 20, "cost_usd": 0.002}
    rows = [row("1", ["a"], judged="yes", judging=used), row("2", ["c"], judged="no", judging=used)]
    found = made(single=[*rows, row("3", ["y"])])["systems"]["single"]
    assert found["citations"]["judging"] == {"tokens": 640, "cost_usd": 0.004}
    assert found["usage"]["cost_usd"] == pytest.approx(0.01)
    unknown = [*rows, row("3", ["y"], judged="no", judging=used | {"cost_usd": None})]
    judging = made(single=unknown)["systems"]["single"]["citations"]["judging"]
    assert judging == {"tokens": 960, "cost_usd": None}
    nobody = made(single=SINGLE)["systems"]["single"]["citations"]["judging"]
    assert nobody == {"tokens": None, "cost_usd": None}


def test_a_price_that_nobody_knows_is_none() -> None:
    loop = [*LOOP[:2], row("3", ["y"], cost=None)]
    found = made(single=SINGLE, loop=loop)
    assert found["systems"]["loop"]["usage"]["cost_usd"] is None
    assert found["against"]["loop"]["gain_per_cost"]["per_usd"] is None


def test_citations_that_exist_and_say_so() -> None:
    cited = [
        {"id": "set:a", "ok": True, "supported": True},
        {"id": "set:x", "ok": True, "supported": False},
        {"id": "set:q", "ok": False, "supported": False},
    ]
    rows = [row("1", ["a"], citations=cited, unsupported=1), *SINGLE[1:]]
    found = made(single=rows)["systems"]["single"]["citations"]
    assert found["accuracy"] == found["of_gold"] == pytest.approx(1 / 3)
    assert found["faithful"] == pytest.approx(2 / 3)


def test_the_right_corpus_is_counted_for_questions_that_have_one() -> None:
    chosen = [["set"], ["pool", "set"], ["pool"]]
    rows = [
        {**each, "chosen": names, "right_corpus": "set"}
        for each, names in zip(SINGLE, chosen, strict=True)
    ]
    found = made(single=rows)["systems"]["single"]["corpora"]
    assert found == {"first": 0.5, "among": 1, "alone": 0.5}
