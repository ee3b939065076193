"""Which passages an answer cites, which of them exist, and whether they say what it says."""

from pathlib import Path

import pytest

from agent.ask import ask
from agent.citations import cited, marked, unsupported
from agent.run import Run
from tests.replies import Replies, call, turn
from tools.documents import Folder, Passage

LEDGER = {
    each.id: each
    for each in (
        Passage("steps-1", "Open Billing.", "billing"),
        Passage("표-1", "합계는 [표 1] 에 있고 [w9] 는 지어낸 표시입니다", "docs"),
        Passage("a, b.md:3", "x", "docs"),
        Passage("[초안] 규정.md:2", "y", "docs"),
        Passage("bare", "[표 2]", "docs"),
    )
}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Open it [steps-1].", [("steps-1", True)]),
        ("Open it [ STEPS-1 ] and again [steps-1].", [("steps-1", True)]),
        ("No mark at all.", []),
        ("A is good [w7].", [("w7", False)]),
        ("Both [steps-1, 표-1].", [("steps-1", True), ("표-1", True)]),
        ("One of two [steps-1, w7].", [("steps-1", True), ("w7", False)]),
        ("A comma in the name [a, b.md:3].", [("a, b.md:3", True)]),
        ("Brackets in the name [[초안] 규정.md:2].", [("[초안] 규정.md:2", True)]),
        ("- 합계는 [표 1] 에 있고 [표-1]", [("표-1", True)]),
        ("다른 글 [표 1]", [("표 1", False)]),
        ("지어낸 말 [w9] 입니다", [("w9", False)]),
        ("[표 2] [bare]", [("bare", True)]),
        ("[link](https://example.invalid)", [("link", False)]),
        ("[ ] [,]", []),
    ],
)
def test_cited(answer, expected):
    assert [(each.id, each.ok) for each in cited(answer, LEDGER)] == expected


def test_nothing_is_known_without_evidence():
    assert [each.ok for each in cited("A입니다 [1]", {})] == [False]


SAID = {
    each.id: each
    for each in (
        Passage(
            "price", "정가는 10만 원이고 무게는 820g, 판매는 2026년 3월 5일부터입니다.", "shop"
        ),
        Passage("limit", "The limit is 1,500,000 won for up to 3.50 hours.", "rules"),
        Passage("server", "srv-prod-17 runs v8.0.5 with 64GB.", "assets"),
        Passage("rule", "직원은 「미리 알린 뒤에만」 나갈 수 있다.", "rules"),
        Passage("row", "| 둘째 | 7 |", "table", context="| 종류 | 41번 |"),
    )
}


@pytest.mark.parametrize(
    "answer",
    [
        "정가는 100,000원입니다 [price].",
        "정가는 100000원입니다 [price].",
        "정가는 １００，０００원입니다 [price].",
        "정가는 10만원이다. [price]",
        "It costs 100 thousand won [price].",
        "무게는 820 g입니다 [price].",
        "2026-03-05부터 팝니다 [price].",
        "한도는 150만 원입니다 [limit].",
        "The limit is 1.5 million won [limit].",
        "Up to 3.5 hours [limit].",
        "The server is SRV-PROD-17 and runs v8.0.5 [server].",
        "It has 64 GB [server].",
        '"미리  알린 뒤에만" 나갑니다 [rule].',
        "“미리 알린 … 나갈 수 있다” [rule].",
        "둘째 줄은 7이고 41번입니다 [row].",
        "1. 정가는 10만 원 [price].\n2. 무게는 820g [price].",
        "답은 2가지입니다. 정가는 10만 원 [price].",
        "There are 2 sources: 64GB [server].",
        "For 5 people, as asked: 64GB [server].",
        "No number and no quotation at all [rule].",
        "무게는 820g입니다. 한도와는 무관합니다 [limit].",
    ],
)
def test_what_the_evidence_says_in_any_form_is_supported(answer):
    assert unsupported(answer, SAID, ["a question about 5 people"]) == []


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("정가는 110,000원입니다 [price].", ["110,000"]),
        ("정가는 11만 원입니다 [price].", ["11만"]),
        ("정가는 10원입니다 [limit].", ["10"]),
        ("한도는 1,500원입니다 [limit].", ["1,500"]),
        ("It is srv-prod-18 [server].", ["srv-prod-18"]),
        ("It runs v8.0.6 [server].", ["v8.0.6"]),
        ('"아무 때나" 나갑니다 [rule].', ["아무 때나"]),
        ("“미리 알린 … 쉴 수 있다” [rule].", ["쉴 수 있다"]),
        ("한도는 150만 원입니다 [price].", ["150만"]),
        ("무게는 820g이고 높이는 31cm입니다 [price].", ["31"]),
        ("높이는 31cm입니다.", ["31"]),
    ],
)
def test_what_the_evidence_does_not_say_is_found(answer, lacking):
    (fault,) = unsupported(answer, SAID, [])
    assert list(fault.lacking) == lacking and fault.sentence == answer


def test_only_the_sentence_that_is_not_supported_is_marked():
    answer = "무게는 820g입니다 [price]. 높이는 31cm입니다 [price].\n한도는 150만 원 [limit]."
    faults = unsupported(answer, SAID, [])
    assert marked(answer, faults, "(!)") == (
        "무게는 820g입니다 [price]. 높이는 31cm입니다 [price]. (!)\n한도는 150만 원 [limit]."
    )
    known = {each.id: each.supported for each in cited(answer, SAID, faults)}
    assert known == {"price": False, "limit": True}


def test_an_answer_that_quotes_is_never_marked():
    texts = ['1. 값은 3.5만원, "할인" 20%! [표 3] a-1 (2024-01-02) ~ 1,234.5', "x: 3/4 no. 5 (7,8)"]
    ledger = {f"f:{n}": Passage(f"f:{n}", text, "f") for n, text in enumerate(texts)}
    answer = "\n".join(f"{text} [f:{n}]" for n, text in enumerate(texts))
    assert unsupported(answer, ledger, []) == []


def test_the_reader_sees_the_mark_and_the_record_says_what_is_lacking(tmp_path: Path):
    (tmp_path / "값.md").write_text("키보드 값은 79,000원입니다.", encoding="utf-8")
    said = "값은 7만 9천 원입니다 [값.md:1]. 지난해에는 85,000원이었습니다 [값.md:1]."
    model = Replies(turn(call("search_documents", query="키보드 값")), turn(said))
    run = ask("키보드 값은?", Folder(tmp_path), model, run=Run(language="ko"))
    assert run.answer == said
    assert run.shown == f"{said} (근거에서 확인되지 않음)"
    record = run.as_record()
    assert record["citations"] == [{"id": "값.md:1", "ok": True, "supported": False}]
    assert record["unsupported"] == [
        {
            "sentence": "지난해에는 85,000원이었습니다 [값.md:1].",
            "lacking": ["85,000"],
            "ids": ["값.md:1"],
        }
    ]
