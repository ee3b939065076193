"""Which passages an answer cites, which of them exist, and whether they say what it says."""

import tomllib
from pathlib import Path
from typing import Any

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
        ("무게는 820킬로입니다 [price].", ["820"]),
    ],
)
def test_what_the_evidence_does_not_say_is_found(answer, lacking):
    (fault,) = unsupported(answer, SAID, [])
    assert list(fault.lacking) == lacking and fault.sentence == answer


@pytest.mark.parametrize(
    ("text", "said", "lacking"),
    [
        # a date, a version, a telephone number: the numbers together, in any form
        ("시행 2025-03-01 부터", "2025년 3월 1일부터다", None),
        ("시행 2025.03.01. 부터", "2025년 3월 1일부터다", None),
        ("시행 2025년 3월 1일 부터", "2025-03-01부터다", None),
        ("In force since March 1, 2025.", "In force since 2025-03-01", None),
        ("In force since 1 March 2025.", "In force since 2025/03/01", None),
        ("시행 2025-03-01 부터", "2025-03-02부터다", "2025-03-02"),
        ("시행 2025-03-01 부터", "2025-01-03부터다", "2025-01-03"),
        ("시행 2025년 3월 1일 부터", "2025.03.02부터다", "2025.03.02"),
        ("In force since March 1, 2025.", "In force since 2025-03-04", "2025-03-04"),
        ("In force since March 1, 2025.", "In force since 2025-04-01", "2025-04-01"),
        ("새김 버전 3.2.1", "버전은 3.2.1입니다", None),
        ("새김 버전 3.2.1", "버전은 3.1.2입니다", "3.1.2"),
        ("전화 02-123-4567", "전화는 02-123-4567입니다", None),
        ("전화 02-123-4567", "전화는 02-123-4568입니다", "02-123-4568"),
        # from one number to another
        ("3-5일 걸린다", "3~5일 걸린다", None),
        ("It takes 3-5 days.", "It takes 3 to 5 days", None),
        ("It takes 3 to 5 days.", "It takes 3-5 days", None),
        ("3-5일 걸린다", "3-6일 걸린다", "6"),
        ("It takes 3 to 5 days.", "It takes 2-5 days", "2"),
        ("It takes 3-5 days.", "It takes 3-5 weeks", "5"),
        # quotation marks of every kind
        ("담당 팀은 구름반이다", "담당 팀은 '구름반'이다", None),
        ("담당 팀은 구름반이다", "담당 팀은 '바람반'이다", "바람반"),
        ("담당 팀은 구름반이다", "담당 팀은 《바람반》이다", "바람반"),
        ("The disk was full.", "It says «the disk was empty»", "the disk was empty"),
        ("The user's disk was full.", "The user's disk was the disks' fault, full", None),
    ],
)
def test_numbers_that_are_one_thing_ranges_and_quotations(
    text: str, said: str, lacking: str | None
) -> None:
    found = unsupported(f"{said} [it].", {"it": Passage("it", text, "it")})
    assert [each.lacking for each in found] == ([(lacking,)] if lacking else [])


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("It takes 7 days [old] or 14 days [new].", None),
        ("It takes 14 days [old] or 7 days [new].", "14"),
        ("7일 [old], 14일 [new] 걸린다.", None),
        ("14일 [old], 7일 [new] 걸린다.", "14"),
        ("It takes 7 or 14 days ([old] and [new]), see the shop [shop].", None),
        ("The shop [shop] takes 7 days, as was said before [new].", "7"),
        ("The rule [old] of 7 days is older than the shop [shop].", None),
        ("As [old] and [new] say, it takes 7 or 14 days.", None),
    ],
)
def test_a_citation_is_held_to_what_stands_beside_it(answer: str, lacking: str | None) -> None:
    texts = {"old": "It takes 7 days. 7일 걸린다.", "new": "It takes 14 days. 14일 걸린다."}
    texts["shop"] = "The shop is older than the rule, as was said before."
    ledger = {name: Passage(name, text, name) for name, text in texts.items()}
    found = [word for each in unsupported(answer, ledger) for word in each.lacking]
    assert found == ([lacking] if lacking else [])


@pytest.mark.parametrize("written", ["3천5백만", "3천 5백만", "3500만", "3,499만 9,999"])
def test_one_amount_in_every_form_it_is_written_in(written):
    ledger = {"fee": Passage("fee", "연회비는 35,000,000원, 할인하면 34,999,999원입니다.", "fee")}
    answer = f"연회비는 {written} 원입니다 [fee]."
    assert unsupported(answer, ledger) == []
    assert unsupported(answer.replace("3", "4", 1), ledger)


TOLD = {
    each.id: each
    for each in (
        Passage("lot", "The parking lot closes at 22:00. Dogs are not allowed.", "office"),
        Passage("주차", "주차장은 22시에 닫습니다. 주말에는 쓸 수 없습니다.", "office"),
        Passage("team", "The lot is run by the Seoul team of Hana Parking.", "office"),
        Passage("늦음", "신청은 5일까지 하지 않으면 안 됩니다. 늦으면 받지 않습니다.", "office"),
    )
}


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        # names
        ("The lot is run by Jane Miller [team].", ["Jane", "Miller"]),
        ("주차장은 Jane Miller가 맡고 22시에 닫습니다 [주차, team].", ["Jane", "Miller"]),
        ("It closes at 22:00 [lot]. It belongs to Miller.", ["Miller"]),
        # next to none of its words
        (
            "The cafeteria serves pasta every Tuesday [lot].",
            ["cafeteria", "serves", "pasta", "every", "Tuesday"],
        ),
        (
            "고양이는 점심을 먹고 마당에서 논다 [주차].",
            ["고양이는", "점심을", "먹고", "마당에서", "논다"],
        ),
        (
            "The lot closes at 22:00 [lot]. Cats often sleep under warm engines.",
            ["Cats", "often", "sleep", "warm", "engines"],
        ),
        # none at all of its few words
        ("The server is fast [lot].", ["server", "fast"]),
        ("Logs were deleted [lot].", ["Logs", "deleted"]),
        ("장애 원인은 디스크입니다 [주차].", ["장애", "원인은", "디스크입니다"]),
        # the opposite
        ("The parking lot does not close at 22:00 [lot].", ["not close"]),
        ("The parking lot never closes at 22:00 [lot].", ["never closes"]),
        ("Dogs are allowed [lot].", ["not allowed"]),
        ("주차장은 22시에 닫지 않습니다 [주차].", ["닫지 않"]),
        ("주차장은 22시에 안 닫습니다 [주차].", ["안 닫습니다"]),
        ("주말에 쓸 수 있습니다 [주차].", ["쓸 수 없"]),
    ],
)
def test_what_the_evidence_says_otherwise_is_found(answer, lacking):
    there = {name: TOLD[name] for name in TOLD if name.isascii() or not answer.isascii()}
    (fault,) = unsupported(answer, there, [])
    assert list(fault.lacking) == lacking


def test_what_is_uncited_may_come_from_evidence_in_another_script():
    answer = "The lot closes at 22:00 [lot]. Cats often sleep under warm engines of Miller."
    assert unsupported(answer, TOLD, []) == []


@pytest.mark.parametrize(
    "answer",
    [
        "Hana Parking of Seoul runs it [team].",
        "The Seoul team runs the parking lot [team].",
        "In March the lot closes at 22:00 [lot].",
        "The lot's gate shuts at 22:00 [lot].",
        "You may not bring dogs; they are not allowed [lot].",
        "The lot closes at 22:00, but dogs are not allowed [lot].",
        "It is not open after 22:00 [lot].",
        "Please contact the people of another office [lot].",
        "궁금한 것은 다른 사무실 사람에게 문의하세요 [주차].",
        "22시가 되면 주차장이 닫힙니다 [주차].",
        "주말에는 주차장을 쓸 수 없고, 22시에 닫습니다 [주차].",
        "신청은 5일까지 해야 합니다 [늦음].",
        "늦은 신청은 받지 않습니다 [늦음].",
        "주차장은 오후 늦게 닫지만 주말에는 쓰지 못합니다 [주차].",
        "The lot closes at 22:00. That is what the documents say [lot].",
        "Here is a list about cats, engines and warm places:\nThe lot closes at 22:00 [lot].",
        "찾은 자료에는 고양이나 마당, 점심에 관한 말이 없습니다. 주차장은 22시에 닫습니다 [주차].",
        "Please ask Miller whether cats sleep there? It closes at 22:00 [lot].",
        "주차장은 22시에 닫습니다 [lot].",
        "The lot closes at ten [주차].",
        # short, and a word of it is there, or it says nothing of its own
        "The lot shuts late [lot].",
        "Yes, certainly [lot].",
        "Closed [lot].",
        "The documents are silent [lot].",
        "주차장은 밤에 잠급니다 [주차].",
        "네, 그렇습니다 [주차].",
        "네, 얼마든지 가능합니다 [주차].",
        "No, that is not possible [lot].",
        "자료에서 확인했습니다 [주차].",
        "The server is fast [주차].",
        "서버는 빠릅니다 [lot].",
    ],
)
def test_what_is_said_in_other_words_is_supported(answer):
    assert unsupported(answer, TOLD, ["Who is Miller?"]) == []


@pytest.mark.parametrize(
    ("said", "text", "is_marked"),
    [
        ("정답은 무디스입니다", "대상은 무디스", False),
        ("정답은 피치입니다", "대상은 무디스", True),
        ("장소는 금강산휴게소", "금강에서 쉰다", False),
        ("장소는 설악산휴게소", "금강에서 쉰다", True),
        ("Two painters", "Its walls need paint", False),
        ("Two plumbers", "Its walls need paint", True),
        ("The server is fast", "The canteen serves soup", True),
        ("The server is fast", "Two servers stand there", False),
        ("It is cheaper there", "A cheap room", False),
        ("The owner changed", "Ann Roe owns db-01", False),
    ],
)
def test_a_short_sentence_with_a_word_that_begins_as_one_of_the_text(said, text, is_marked):
    there = {"p": Passage("p", text, "x")}
    assert bool(unsupported(f"{said} [p].", there)) is is_marked


BESIDE = tomllib.loads((Path(__file__).parent / "data/sentences.toml").read_text(encoding="utf-8"))[
    "passage"
]


@pytest.mark.parametrize("beside", BESIDE, ids=lambda each: each["source"])
def test_what_is_said_and_what_is_not(beside: dict[str, Any]) -> None:
    """Known limits are counted too, so that a change of them is seen."""
    there = {"p": Passage("p", beside["text"], beside["source"])}
    marked_ones = {
        kind: [each for each in beside.get(kind, []) if unsupported(f"{each} [p]", there)]
        for kind in ("says", "says_not", "marked", "missed")
    }
    assert marked_ones == {
        "says": [],
        "says_not": beside["says_not"],
        "marked": beside.get("marked", []),
        "missed": [],
    }


@pytest.mark.parametrize(
    ("text", "said", "is_marked"),
    [
        # numbers in words
        ("Two hundred people came.", "200 people came.", False),
        ("Two hundred people came.", "20 people came.", True),
        ("참가자는 스무 명입니다.", "참가자는 20명입니다.", False),
        ("보증은 두 개월이다.", "보증은 2개월이다.", False),
        ("보증은 3개월이다.", "보증은 두 개까지 된다.", False),
        ("두 번 만났고 자리는 모른다.", "세 번째 자리에서 두 번 만났다.", False),
        ("Members may borrow six books.", "Each time members may borrow one book.", False),
        ("Members may borrow six books.", "Two members may borrow six books.", False),
        ("Members may borrow six books.", "Members may borrow two books.", True),
        ("Bring 5 litres of water.", "Bring water for two days.", False),
        # units
        ("It cost $5m to build.", "It cost 5 million dollars to build.", False),
        ("It cost $5m to build.", "It cost 5 thousand dollars to build.", True),
        ("It has 5m users.", "It has 5 million users.", False),
        ("It costs $20.", "It costs 20 dollars.", False),
        ("It costs $20.", "It costs 20 won.", True),
        ("It has 64 GB.", "The figure is 64.", False),
        ("서류는 5영업일 안에 냅니다.", "서류는 5일 안에 냅니다.", False),
        ("수리는 2주 걸린다.", "수리는 14일 걸린다.", False),
        ("수리는 2주 걸린다.", "수리는 10일 걸린다.", True),
        ("보증은 2년이다.", "보증은 24개월이다.", False),
        ("보증은 2년이다.", "보증은 20개월이다.", True),
        ("The farm is 10 miles away.", "The farm is 10 kilometres away.", True),
        ("The farm is 1 mile away.", "The farm is 1,609.344 metres away.", False),
        ("The walk took 64 minutes.", "The walk took 64 in all.", False),
        ("The lake has 85 square kilometres.", "The lake has 85km².", False),
        ("The lake has 85 square kilometres.", "The lake has 85 km².", False),
        ("회의는 90분 걸린다.", "회의는 1시간 30분 걸린다.", False),
        ("회의는 1시간 30분 걸린다.", "회의는 90분 걸린다.", False),
        ("회의는 1시간 30분 걸린다.", "회의는 80분 걸린다.", True),
        ("회의에 1시간, 준비에 30분이 든다.", "회의와 준비에 1시간 30분이 든다.", False),
        ("회의 1시간과 휴식 30분이 있다.", "회의와 휴식은 90분이다.", True),
        ("| walk | 30 min 45 min |", "The walk takes 75 min.", True),
        # times of day
        ("The lot is open from 9 to 22.", "The lot is open until 22:00.", False),
        ("The lot costs 900 won.", "The lot opens at 9:00.", True),
        ("Published at 2023-12-07T22:06:00.", "It was published at 22:06.", False),
        ("Published at 2023-12-23T22:06:00.", "It was published at 23:06.", True),
        ("4시간 동안, 9시에 연다.", "4시에 연다.", True),
        ("The lot opens at noon.", "The lot opens at 12:00.", False),
        ("The lot opens at 12 p.m.", "The lot opens at noon.", False),
        ("The lot closes at midnight.", "The lot closes at 12 p.m.", True),
        ("The lot opens at 12 a.m.", "The lot opens at 00:00.", False),
        ("창구는 정오에 연다.", "창구는 낮 12시에 연다.", False),
        ("창구는 자정에 닫는다.", "창구는 밤 12시에 닫는다.", False),
        ("창구는 자정에 닫는다.", "창구는 오전 12시에 닫는다.", False),
        ("창구는 밤 2시에 닫는다.", "창구는 02:00에 닫는다.", False),
        ("창구는 낮 2시에 연다.", "창구는 14:00에 연다.", False),
        ("창구는 07:00에 연다.", "창구는 오후 7시에 연다.", True),
        ("창구는 7:00에 연다.", "창구는 오후 7시에 연다.", False),
        ("창구는 오후 2시 반에 연다.", "창구는 14:30에 연다.", False),
        # months, days of the week, how often
        ("The fair starts on March 5.", "The fair starts on 3/5.", False),
        ("The fair starts early in the year.", "The fair starts early in May.", False),
        ("Backups run daily, the big one on Sunday.", "A backup runs on Monday.", False),
        ("The lot is open Monday to Friday.", "The lot is open on Wednesday.", False),
        ("창구는 평일에 열고 월요일에 바쁘다.", "창구는 수요일에도 연다.", False),
        ("The lot is open in the morning.", "The lot is open in the morning on Tuesday.", False),
        ("Backups run at night.", "Backups run at night every week.", False),
        ("점검은 한 달에 두 번 합니다.", "점검은 매달 두 번 합니다.", False),
        ("점검은 한 달에 두 번 합니다.", "점검은 매주 두 번 합니다.", True),
        ("점검은 월간 두 번 합니다.", "점검은 매월 두 번 합니다.", False),
        ("점검은 일 년에 두 번 합니다.", "점검은 매일 두 번 합니다.", True),
        # Korean names
        ("담당자는 이도윤입니다.", "담당은 최유진입니다.", True),
        ("담당은 이도윤이고 보조는 최유진이다.", "담당은 최유진이다.", False),
        ("발표는 이도윤이 맡는다.", "발표는 이도윤이 맡고 발표는 최유진이 돕는다.", True),
        ("회계팀 김하늘 과장이 본다.", "서류는 박서준 과장이 본다.", True),
        ("요금은 구매자가 냅니다.", "요금은 주문자가 냅니다.", False),
        ("이도윤이 맡는 발표는 금요일이다.", "최유진은 금요일 발표를 듣는다.", False),
        # negations
        ("주차장은 주말에 쓸 수 없습니다.", "주차장은 주말에 씁니다.", True),
        ("주차장은 주말에 쓸 수 없습니다.", "지하 회의실은 주말에 쓸 수 있습니다.", False),
        ("주차장에 지붕이 없다. 주차장에는 지붕도 보인다.", "주차장 지붕입니다.", False),
        ("동의 없이는 계약을 넘길 수 없다.", "동의가 있어야 계약을 넘길 수 있다.", False),
        ("신청서를 제출하지 않았다.", "신청서를 제출했다.", True),
    ],
)
def test_figures_names_and_negations(text: str, said: str, is_marked: bool) -> None:
    faults = unsupported(f"{said} [p]", {"p": Passage("p", text, "office")})
    assert bool(faults) is is_marked, faults


def test_what_is_lacking_is_written_as_it_stands():
    there = {
        "p": Passage("p", "쓰지 않은 날은 March 31에 끝납니다. 담당은 이도윤입니다.", "office")
    }
    (fault,) = unsupported("쓰지 않은 날은 May 31에 끝납니다. [p]", there)
    assert list(fault.lacking) == ["May"]
    lot = {"p": Passage("p", "The lot closes at 22.", "office")}
    (fault,) = unsupported("Cafeteria pasta: 3, 40, 50, 60 [p].", lot)
    assert {"3", "60", "pasta"} <= {*fault.lacking}
    (fault,) = unsupported("담당은 최유진입니다 [p].", there)
    assert list(fault.lacking) == ["최유진"]
    assert unsupported("담당은 최유진입니다 [p].", there, ["담당은 최유진인가요?"]) == []


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
