"""What words alone say about whether the evidence is enough."""

from __future__ import annotations

import pytest

from tools.decomposition import decompose
from tools.documents import Passage
from tools.sufficiency import assess

PROJECT = Passage("p", "프로젝트 X는 서버 srv-prod-17을 씁니다.", "notes")
ASSET = Passage("a", "srv-prod-17 서버 사양: CPU 16코어", "assets")
OTHER = Passage("o", "srv-prod-18 서버 사양: CPU 8코어", "assets")
LEAVE = Passage("l", "연차 휴가는 한 해 15일입니다.", "rules")


def test_a_passage_about_the_thing_is_no_answer_to_what_is_asked_of_it() -> None:
    wanted = "프로젝트 X에 쓰인 서버 사양"
    verdict = assess("?", [wanted], [PROJECT], [wanted])
    assert not verdict.sufficient and verdict.missing == ("프로젝트 X에 쓰인 서버 사양",)
    assert verdict.next_queries == ("srv-prod-17 쓰인 사양",)


def test_two_passages_that_share_a_name_cover_it_together() -> None:
    verdict = assess("?", ["프로젝트 X에 쓰인 서버 사양"], [PROJECT, OTHER, ASSET], [])
    assert verdict.sufficient and dict(verdict.evidence) == {
        "프로젝트 X에 쓰인 서버 사양": ("p", "a")
    }


def test_the_wrong_server_covers_nothing() -> None:
    verdict = assess("?", ["srv-prod-17 사양"], [OTHER], [])
    assert verdict.missing == ("srv-prod-17 사양",)


def test_a_number_says_a_quantity() -> None:
    assert assess("?", ["연차 휴가 일수"], [LEAVE], []).sufficient
    assert not assess("?", ["연차 휴가 절차"], [LEAVE], []).sufficient


@pytest.mark.parametrize(
    ("asked", "text", "is_covered"),
    [
        ("재택근무는 주 몇 회", "재택근무는 주 2회까지 할 수 있다.", True),
        ("재택근무는 주 몇 회인가요", "재택근무는 주 2회까지 할 수 있다.", True),
        ("재택근무는 주 몇 회", "재택근무는 주 2일까지 할 수 있다.", False),
        ("재택근무는 주 몇 회", "주 2회까지 출장을 갈 수 있다.", False),
        ("할인은 몇 퍼센트인가요", "가격은 49,000원이고 첫 주에는 10% 할인한다.", True),
        ("할인은 몇 퍼센트인가요", "첫 주에는 3,000원 할인한다.", False),
        ("할인은 몇 퍼센트인가요", "이자는 10%이다.", False),
        ("refund period", "A refund is made in 5 working days.", True),
        ("refund period", "A refund is made on working days.", False),
        ("필요는 몇 회", "재택근무는 주 2회까지 할 수 있다.", False),
    ],
)
def test_how_many_of_a_unit_is_told_by_a_number_with_it(asked, text, is_covered) -> None:
    found = [Passage("a", text, "a.md")]
    assert bool(assess("?", [asked], found, []).covered) is is_covered


def test_nothing_found_is_never_enough() -> None:
    verdict = assess("서버 사양", [], [], [])
    assert not verdict.sufficient and verdict.next_queries == ("서버 사양",)


def test_no_query_is_proposed_that_was_used_in_nearly_these_words() -> None:
    used = ["사양 서버", "원인은 장애"]
    verdict = assess("?", ["서버 사양", "장애 원인"], [], used)
    assert verdict.next_queries == ("사양", "원인")
    used += verdict.next_queries
    assert assess("?", ["서버 사양", "장애 원인"], [], used).next_queries == ()
    assert assess("?", ["a", "bb cc", "dd ee"], [], [], limit=1).next_queries == ("a",)


def test_a_second_passage_brings_words_and_not_only_a_month() -> None:
    load = Passage("a", "크레인 Big Odin의 하중은 5톤이다.", "a.md")
    tested = Passage("b", "Big Odin 점검일 2025-03-05", "b.md")
    wanted = ["크레인의 3월 하중"]
    assert assess("?", wanted, [load, tested], ()).covered == ()
    told = Passage("b", "3월 점검: Big Odin", "b.md")
    assert assess("?", wanted, [load, told], ()).evidence == {wanted[0]: ("b", "a")}


def test_what_is_ours_need_not_be_named() -> None:
    passages = [Passage("a", "휴가 일수는 15일이다.", "a.md")]
    for whose, covered in (("우리", True), ("우리 회사", True), ("부산 지점", False)):
        wanted = f"{whose}의 휴가 일수"
        assert (wanted in assess(f"{wanted}와 가격?", [wanted], passages, ()).covered) is covered


def test_people_are_counted_as_people() -> None:
    place = Passage("a", "야유회 참가 장소는 3층이다.", "a.md")
    people = Passage("a", "야유회 참가는 30명이다.", "a.md")
    for passage, covered in ((place, ()), (people, ("야유회 참가 인원",))):
        assert assess("?", ["야유회 참가 인원"], [passage], ()).covered == covered


def test_three_of_the_ids_that_were_found_are_tried_with_what_is_missing() -> None:
    servers = [f"srv-prod-{number}" for number in range(1, 5)]
    found = Passage("a", f"Project crane runs on the servers {', '.join(servers)}.", "a.md")
    used: list[str] = []
    for _ in range(6):
        used += assess(
            "crane servers and owner team?", ["owner team"], [found], used, 1
        ).next_queries
    assert used == ["owner team", *(f"{each} owner team" for each in servers[:3]), "team"]


def test_an_id_joins_two_passages_also_where_the_question_has_it() -> None:
    wanted = ["memory of the tall srv-prod-17 red crane hall server"]
    where = Passage("a", "The tall red crane hall server is srv-prod-17.", "a.md")
    size = Passage("b", "srv-prod-17: memory 64 GB", "b.md")
    assert assess("?", wanted, [where, size], ()).evidence == {wanted[0]: ("a", "b")}
    other = Passage("b", "srv-prod-18: memory 64 GB", "b.md")
    assert assess("?", wanted, [where, other], ()).missing == tuple(wanted)


def test_the_date_of_a_text_is_no_answer_to_when() -> None:
    pieces = decompose("회의는 어디서 열리고 언제 끝나나요?")
    for heading, missing in (("2026-11-03 회의", pieces[1:]), ("여름 회의", ())):
        passages = [Passage("1", "회의는 3층에서 열린다. 회의는 끝난다.", "d", context=heading)]
        assert (
            assess("회의는 어디서 열리고 언제 끝나나요?", pieces, passages, ()).missing == missing
        )


MEETING = "회의는 어디서 열리고 언제 끝나나요?"
MACHINE = "기계는 어디에 놓이고 누가 고치나요?"


@pytest.mark.parametrize(
    ("question", "first", "second", "missing"),
    [
        (
            "환불은 며칠 걸리고 예외는 무엇인가요?",
            "환불은 14일 걸립니다.",
            "환불의 예외: 상품권",
            [],
        ),
        (MEETING, "회의는 3층에서 열린다.", "회의는 5시에 끝났다.", []),
        (
            "비밀번호는 얼마마다 바꾸고 몇 자인가요?",
            "비밀번호는 90일마다 바꾸고 돌려쓰지 않는다.",
            "비밀번호는 12자",
            [],
        ),
        (MEETING, "회의는 3층에서 열렸다.", "회의는 5시에 하였다.", [1]),
        (MEETING, "회의는 3층에서 엽니다.", "회의는 5시에 끝날 것이다.", [0]),
        (MACHINE, "기계는 2층에 놓입니다.", "기계는 정비팀이 고칩니다.", []),
        (MACHINE, "기계는 2층에 놓였다.", "기계는 정비팀이 고쳤다.", []),
        (MACHINE, "기계는 2층에 놓였다.", "기계는 정비팀이 고르다.", [1]),
        (
            "기계는 어디에 놓이고 누가 만들죠?",
            "기계는 2층에 놓인다.",
            "기계는 협력 업체가 만듭니다.",
            [],
        ),
        (
            "When was db-02 promoted and why?",
            "The replica db-02 was promoted on 2026-06-14 after db-01 lost power.",
            "A fee is due because of the rain.",
            [],
        ),
        (
            "When was db-02 promoted and why?",
            "The replica db-02 was promoted on 2026-06-14.",
            "A fee is due because of the rain.",
            [1],
        ),
        (
            "When was db-02 promoted and why?",
            "The replica db-02 was promoted after db-01 lost power.",
            "A fee is due.",
            [],
        ),
        (
            "How long does the bread bake and at what temperature?",
            "Bake the bread at 220 C for 35 minutes.",
            "Keep the milk at 4 C.",
            [],
        ),
        (
            "How long does the bread bake and at what temperature?",
            "Bake the bread for 35 minutes.",
            "Keep the milk at 4 C.",
            [1],
        ),
        (
            "When does the shop open and when does it close?",
            "The shop is there from 07:00 to 19:00.",
            "A fee is due.",
            [],
        ),
        (
            "When does the shop open and when does it close?",
            "The shop is there from May on.",
            "A fee is due.",
            [0, 1],
        ),
        (
            "Who wrote and who reviewed the policy?",
            "The policy was written by Grace Lin and reviewed by Omar Haddad.",
            "A fee is due.",
            [],
        ),
        (
            "Who wrote and who reviewed the policy?",
            "The policy was written in May and reviewed by Omar Haddad.",
            "A fee is due.",
            [],
        ),
        (
            "Who wrote and who reviewed the policy?",
            "The policy was written in May and reviewed in June.",
            "A fee is due.",
            [0, 1],
        ),
        (
            "Which hosts does Mina Park own, and which one will be replaced?",
            "Mina Park owns the hosts web-01 and web-02.",
            "web-02 will be replaced in January 2027.",
            [],
        ),
        (
            "By whom was the policy reviewed, and when does it come into force?",
            "The policy was reviewed by Omar Haddad.",
            "The policy is in force since 2026-02-01.",
            [],
        ),
        (
            "Who held the red lamp and who kept the old lamp?",
            "The red lamp is held by Ann Lee.",
            "The old lamp is kept by Bo Rask.",
            [],
        ),
        (
            "Who held the red lamp and who held the old lamp?",
            "The red lamp is with Ann Lee.",
            "The old lamp is with Bo Rask.",
            [],
        ),
        (
            "사무실이랑 창고는 어디예요?",
            "사무실은 3층에 있다.",
            "창고 문은 22시에 닫는다.",
            [1],
        ),
        (
            "접수는 언제 마감되고 결과는 언제 나오나요?",
            "접수는 5일 마감.",
            "결과는 4월에 나왔다.",
            [],
        ),
    ],
)
def test_a_verb_is_there_in_a_form_that_changes_its_last_syllable(
    question: str, first: str, second: str, missing: list[int]
) -> None:
    pieces = decompose(question)
    passages = [Passage("1", first, "d"), Passage("2", second, "d")]
    assert len(pieces) == 2
    assert assess(question, pieces, passages, ()).missing == tuple(pieces[n] for n in missing)
