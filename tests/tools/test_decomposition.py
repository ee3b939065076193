"""Questions taken apart by rule, and the words in which their pieces are searched."""

from __future__ import annotations

from datetime import date

import pytest

from tools.decomposition import decompose, near, rewrites

TODAY = date(2026, 6, 15)


@pytest.mark.parametrize(
    ("question", "pieces"),
    [
        (
            "프로젝트 X에 사용된 서버의 사양과 최근 장애 원인, 담당 팀의 후속 조치까지 알려줘.",
            ["프로젝트 X에 사용된 서버의 사양", "최근 장애 원인", "담당 팀의 후속 조치"],
        ),
        ("연차와 병가의 차이는?", ["연차", "병가"]),
        ("A 요금과 B 요금 사이의 차이점을 알려줘", ["A 요금", "B 요금"]),
        ("연차와 병가의 차이, 신청 기한은?", ["연차", "병가", "신청 기한"]),
        (
            "What are the specs of the server used in project X, the cause of the recent outage "
            "and the follow-up by the team?",
            [
                "specs of the server used in project X",
                "cause of the recent outage",
                "follow-up by the team",
            ],
        ),
        (
            "2025년 매출이 가장 많이 증가한 제품과 그 원인, 관련 고객 불만 변화까지 설명해줘.",
            [
                "2024년과 2025년 제품별 매출",
                "2025년 매출 증가 폭이 가장 큰 제품",
                "제품 매출 증가 원인",
                "고객 불만 변화",
            ],
        ),
        (
            "Which product had the largest growth in 2025, why, and how did customer complaints "
            "change?",
            [
                "growth by product in 2024 and 2025",
                "product with the largest growth in 2025",
                "reason for product growth",
                "customer complaints change",
            ],
        ),
        (
            "안녕하세요, 휴가 일수와 출장비 한도 알려주세요. 감사합니다.",
            ["휴가 일수", "출장비 한도"],
        ),
        (
            "Hi, the opening hours and the phone number please.",
            ["opening hours", "phone number please"],
        ),
        ("휴가는 며칠이고 출장비는 얼마야?", ["휴가는 며칠", "출장비는 얼마야"]),
        ("휴가 일수 및 출장비 한도", ["휴가 일수", "출장비 한도"]),
        ("휴가는 며칠이야? 그리고 출장비 한도는?", ["휴가는 며칠이야", "출장비 한도"]),
        (
            "In project X, what is the server spec, the latest cause and the follow-up?",
            ["server spec in project X", "latest cause in project X", "follow-up in project X"],
        ),
        (
            "In the Seoul branch, when does the cafeteria open and close?",
            ["cafeteria open in the Seoul branch", "cafeteria close in the Seoul branch"],
        ),
        (
            "Given the outage of the server in the warehouse of Busan, what is the cause and date?",
            ["Given the outage of the server in the warehouse of Busan", "cause", "date"],
        ),
        ("In 2025 which shop sold most, and the cause?", ["In 2025 which shop sold most", "cause"]),
        (
            "the invoice export steps and which permission is needed?",
            ["invoice export steps", "permission is needed"],
        ),
        ("How are the fee and the deadline of a visit set?", ["fee", "deadline of a visit set"]),
        (
            "Which server hosts project X and who owns it?",
            ["server hosts project X", "owns it"],
        ),
        (
            "Compare the refund policy and the exchange policy",
            ["refund policy", "exchange policy"],
        ),
    ],
)
def test_a_question_of_several_things_is_each_of_them(question: str, pieces: list[str]) -> None:
    assert list(decompose(question)) == pieces


@pytest.mark.parametrize(
    "question",
    [
        "노트북을 잃어버리면 어디에 알리나요?",
        "세탁실은 위층이야, 아래층이야?",
        "10,000원 이하 키보드",
        "검색 결과 보고서는 어디 있나요?",
        "성과 평가 기준",
        "사고 원인은?",
        "지역별 출장비의 차이는?",
        "Who are Simon and Garfunkel?",
        "terms and conditions of refunds",
        "Considering the fees in one note and the dates in another, which plan is meant?",
        "Given the outage, what is the cause?",
        "How are the north branch and the south branch connected?",
        "Simon & Simon starred which television and movie actor?",
        "Anna was head of the clinic and founder of a school in what city?",
        "When was the singer born who is known for her voice and whose album is Blue?",
        "프로젝트 X는 지금 어떻게 되고 있어?",
        "and",
        "",
    ],
)
def test_a_question_of_one_thing_is_not_cut(question: str) -> None:
    assert decompose(question) == (question,)


def test_no_piece_is_dropped() -> None:
    pieces = [f"{each} 요금" for each in ["전기", "가스", "수도", "전화", "주차", "난방"]]
    assert list(decompose(", ".join(pieces))) == pieces


@pytest.mark.parametrize(
    ("question", "today", "queries"),
    [
        (
            "프로젝트 X는 지금 어떻게 되고 있어?",
            TODAY,
            [
                "프로젝트 X 2026년 2분기 상태 보고서",
                "프로젝트 X 현재 지연 원인",
                "프로젝트 X 미해결 위험 요소",
            ],
        ),
        (
            "What is the status of project X?",
            TODAY,
            [
                "project X 2026 Q2 status report",
                "project X current cause of delay",
                "project X open risks",
            ],
        ),
        (
            "How is project X going?",
            None,
            [
                "project X status report",
                "project X current cause of delay",
                "project X open risks",
            ],
        ),
        ("프로젝트 X의 담당 팀은?", TODAY, ["프로젝트 X의 담당 팀은?"]),
    ],
)
def test_how_something_goes_is_asked_as_what_reports_on_it(
    question: str, today: date | None, queries: list[str]
) -> None:
    assert list(rewrites(question, today)) == queries


@pytest.mark.parametrize(
    ("query", "used"),
    [
        ("서버 사양", "사양 서버"),
        ("서버의 사양은?", "서버 사양"),
        ("Server Specs", "specs of the server"),
        ("outage causes", "outage cause"),
        ("서버 사양 장애 원인 조치", "서버 사양 장애 원인 조치 내용은"),
    ],
)
def test_nearly_the_same_words_are_near(query: str, used: str) -> None:
    assert near(query, ["something else", used]) == used


@pytest.mark.parametrize(
    ("query", "used"),
    [
        ("srv-prod-17 사양", "srv-prod-18 사양"),
        ("a b c d e f g h 2024 sales by shop", "a b c d e f g h 2025 sales by shop"),
        ("서버 사양", "서버 장애"),
        ("refund deadline", "refund"),
    ],
)
def test_another_name_number_or_word_is_another_query(query: str, used: str) -> None:
    assert near(query, [used]) is None


@pytest.mark.parametrize("letter", ["a", "가", "a ", "의 ", "1,", "A"])
def test_a_long_question_takes_no_longer_than_its_length(letter: str) -> None:
    """A quadratic pattern would need minutes here."""
    assert decompose(letter * 200_000)
