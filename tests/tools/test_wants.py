"""What kind of answer a question wants, whether a text has one, and which of several it means."""

from __future__ import annotations

import pytest

from tools.verbs import is_told
from tools.wants import lacks, persons, topics
from tools.which import another_time, any_but, other_names


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("장애는 얼마나 오래 이어졌나요?", "복구까지 이틀이 걸렸다."),
        ("장애는 얼마나 걸렸나요?", "반나절 만에 끝났다."),
        ("장애는 얼마 만에 끝났나요?", "끝난 날은 당일이다."),
        ("지원은 얼마나 계속되나요?", "지원은 무기한이다."),
        ("How long is it supported?", "It is supported indefinitely."),
        ("How long does the ban last?", "The ban lasts until further notice."),
        ("How long is it open?", "It is open for three hours."),
        ("How long is it kept?", "5일 동안 보관"),
        ("How long has it been open?", "It has been open since May."),
        ("How long has it been open?", "It opened in 1998."),
        ("How long have we had it?", "We have had it for six years."),
        ("문을 연 지 얼마나 됐나요?", "문을 연 지 5년째다."),
        ("How long has it been open?", "It opened two days ago."),
        ("백업은 얼마나 자주 하나요?", "백업은 밤마다 한다."),
        ("How often is it backed up?", "매일 백업한다."),
        ("How often is it backed up?", "It is backed up every night."),
        ("약은 하루에 몇 번 먹나요?", "하루 두 번 먹는다."),
        ("장애는 몇 분이었나요?", "12분 동안 멈췄다."),
        ("징역은 몇 년인가요?", "3년 이하의 징역"),
        ("환자는 모두 몇 명인가요?", "환자는 세 명이다."),
        ("몇 명이 썼나요?", "It hit 300 users."),
        ("할인은 몇 퍼센트인가요?", "할인은 12%이다."),
        ("가격은 몇 원인가요?", "가격은 3,000원이다."),
        ("전력은 몇 W인가요?", "Power: 65 W"),
        ("사진은 몇 장인가요?", "사진 30장부터 멈춘다."),
        ("사진은 몇 장인가요?", "photos: 30"),
        ("How many more cranes are there?", "There are 5 cranes in the hall."),
        ("How many cranes are there?", "크레인 5대"),
        ("How many days is it kept?", "보관 기간은 5일이다. Kept by the crew here."),
        ("How many months is it kept?", "Kept by the crew here: 3개월"),
        ("How much money is lost?", "They lost 300 dollars."),
        ("How much did the outage cost?", "It cost $300."),
        ("How many times did it fail?", "It failed twice."),
        ("How much of it is kept?", "전부 보관"),
        ("How long does it take?", "It takes 3 to 5 working days."),
        ("How long does it take?", "It takes two business days."),
        ("얼마나 걸리나요?", "영업일 3일이 걸린다."),
        ("비밀번호는 며칠마다 바꾸나요?", "비밀번호는 90일마다 바꾼다."),
        ("비밀번호는 얼마마다 바꾸나요?", "Passwords are changed every 90 days."),
        ("How often is it changed?", "비밀번호는 90일마다 바꾼다."),
        ("회의실은 몇 층인가요?", "회의실은 3층에 있다."),
        ("회의실은 몇 층인가요?", "on the 3rd floor"),
        ("비밀번호는 몇 자인가요?", "비밀번호는 12자 이상이다."),
        ("비밀번호는 몇 글자인가요?", "비밀번호는 8자리이다."),
        ("재택은 주 몇 회인가요?", "재택은 주 2회 한다."),
    ],
)
def test_a_text_tells_it(question: str, text: str):
    assert not lacks(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("장애는 얼마나 오래 이어졌나요?", "장애는 5월 3일에 났다."),
        ("장애는 얼마나 오래 이어졌나요?", "장애는 2025-05-03에 났다."),
        ("약은 얼마나 오래 먹나요?", "하루 2번 먹는다."),
        ("How long has it been open?", "It is open from 9:00 to 18:00."),
        ("문을 연 지 얼마나 됐나요?", "9시부터 18시까지 연다."),
        ("약은 얼마나 오래 먹나요?", "하루에 두 알 먹는다."),
        ("장애는 얼마 만에 끝났나요?", "장애는 끝났다."),
        ("백업은 얼마나 자주 하나요?", "백업은 5시에 한다."),
        ("장애는 몇 번 있었나요?", "두 번째 장애는 디스크 탓이다."),
        ("징역은 몇 년인가요?", "징역은 3개월이다."),
        ("환자는 모두 몇 명인가요?", "환자는 3층에 있다."),
        ("할인은 몇 퍼센트인가요?", "할인은 3만 원이다."),
        ("사진은 몇 장인가요?", "사진은 3층에 있다."),
        ("전력은 몇 W인가요?", "Network: 65 WAN"),
        ("How many more cranes are there?", "There are 5 lifts in the hall."),
        ("How many days is it kept?", "Kept by the crew here since 5월 3일."),
        ("How many days is it kept?", "Kept by the crew here since 2025-05-03일."),
        ("How many weeks is it kept?", "Kept by the crew here: 5일"),
        ("How much did the outage cost?", "The outage took 3 hours."),
        ("How many times did it fail?", "It failed on 3 May."),
        ("How long does it take?", "It is done on working days."),
        ("얼마나 걸리나요?", "영업일에 한다."),
        ("비밀번호는 며칠마다 바꾸나요?", "비밀번호는 90일에 바꾼다."),
        ("비밀번호는 얼마마다 바꾸나요?", "비밀번호는 12자이다."),
        ("How often is it changed?", "It was changed 90 days ago."),
        ("회의실은 몇 층인가요?", "회의실은 302호이다."),
        ("비밀번호는 몇 자인가요?", "비밀번호는 90일마다 바꾼다."),
        ("비밀번호는 몇 자인가요?", "비밀번호는 3 자동 저장이다."),
        ("재택은 주 몇 회인가요?", "제12회 회의에서 재택을 정했다."),
    ],
)
def test_a_text_does_not_tell_it(question: str, text: str):
    assert lacks(question, text)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("벌금은 최대 얼마인가요?", ["벌금"]),
        ("벌금은 모두 대략 얼마인가요?", ["벌금"]),
        ("보증금 얼마예요?", ["보증금"]),
        ("돌려주지 않으면 얼마인가요?", []),
        ("누가 신고했나요?", ["신고"]),
        ("누가 맡고 있나요?", []),
        ("Who diagnosed it?", ["diagnosed"]),
        ("Who has diagnosed it?", ["diagnosed"]),
        ("Which doctor is there?", ["doctor"]),
        ("How much is the late fee?", ["fee"]),
        ("How much is the late fee for a bike?", ["fee"]),
    ],
)
def test_what_it_wants_to_know(question: str, words: list[str]):
    assert list(topics(question)) == words


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who is the head nurse?", ["nurse"]),
        ("Who was the nurse on duty?", ["nurse"]),
        ("담당 의사는 누구인가요?", ["의사"]),
        ("간호사가 누구인가요?", ["간호사"]),
        ("Who called?", []),
    ],
)
def test_whom_it_wants_to_know(question: str, words: list[str]):
    assert list(persons(question)) == words


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("최초의 장애 원인은?", "최초의"),
        ("제일 처음 장애는?", "제일 처음"),
        ("지지난 장애 원인은?", "지지난"),
        ("최근 장애 말고 다른 것은?", "최근 장애 말고"),
        ("What caused the outage, not the latest one?", "not the latest"),
        ("the penultimate outage?", "penultimate"),
        ("the next-to-last outage?", "next-to-last"),
        ("the initial outage?", "initial"),
    ],
)
def test_another_than_the_latest(question: str, said: str):
    assert list(another_time(question, {"latest"}, timed=False)) == [said]
    assert list(another_time(question, {""}, timed=False)) == []


def test_a_time_that_is_named_tells_an_earlier_one_but_not_the_first():
    assert list(another_time("지지난 장애는?", {"latest"}, timed=True)) == []
    assert list(another_time("최초의 장애는?", {"latest"}, timed=True)) == ["최초의"]
    assert list(another_time("처음으로 난 시각은?", {"latest"}, timed=False)) == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("P-204 환자 말고 다른 사람은?", "P-204 환자 말고"),
        ("P-204가 아닌 사람은?", "P-204가 아닌"),
        ("P-204는?", ""),
        ("everybody except for patient P-204?", "except for patient P-204"),
        ("all patients of the ward but P-204?", "all patients of the ward but P-204"),
        ("It is here, but P-204?", ""),
        ("장애의 원인이 아닌 것은?", "원인이 아닌 것은"),
    ],
)
def test_any_but_the_one(question: str, said: str):
    assert list(any_but(question, [r"P-\d+"])) == ([said] if said else [])


def test_another_name_of_the_same_kind():
    question = "What did store-crew do?"
    assert list(other_names(question, "by platform-crew", "")) == ["store-crew"]
    assert list(other_names(question, "by platform-crew", "Store-Crew")) == []
    assert list(other_names(question, "by Store-crew and platform-crew", "")) == []
    assert list(other_names(question, "by platform-team", "")) == []


@pytest.mark.parametrize(
    ("verb", "text", "told"),
    [
        ("샀나요", "김안나가 서버를 샀다", True),
        ("샀나요", "김안나가 산 서버", False),  # one syllable tells too little: 산 is a mountain
        ("사나요", "김안나가 서버를 샀다", False),
        ("고쳤고", "고친 사람은 김안나", True),
        ("고치고", "고친 사람은 김안나", False),  # what goes on with 고 may be a noun: 보고, 재고
        ("고쳤나요", "고친 사람은 김안나", True),
        ("고쳤나요", "김안나가 갱신했다", False),
    ],
)
def test_a_form_of_a_korean_verb_tells_it(verb: str, text: str, told: bool) -> None:
    assert is_told(verb, text) is told
