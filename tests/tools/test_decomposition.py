"""Questions taken apart by rule, and the words in which their pieces are searched."""

from __future__ import annotations

from datetime import date

import pytest

from tools.decomposition import asks_for, decompose, named_once, near, rewrites

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
            "2025년에 매출이 제일 많이 늘어난 제품과 그 이유",
            [
                "2024년과 2025년 제품별 매출",
                "2025년 매출 증가 폭이 가장 큰 제품",
                "제품 매출 증가 이유",
            ],
        ),
        (
            "How long is the bread baked and at what temperature is it baked?",
            ["long is the bread baked", "temperature of bread baked"],
        ),
        (
            "How long is the bread baked and at what temperature is it stored?",
            ["long is the bread baked", "at what temperature is bread stored"],
        ),
        (
            "the product whose sales grew the most in 2025",
            ["sales by product in 2024 and 2025", "product with the largest sales growth in 2025"],
        ),
        (
            "안녕하세요, 휴가 일수와 출장비 한도 알려주세요. 감사합니다.",
            ["휴가 일수", "출장비 한도"],
        ),
        (
            "Hi, the opening hours and the phone number please.",
            ["opening hours", "phone number"],
        ),
        ("휴가는 며칠이고 출장비는 얼마야?", ["휴가는 며칠", "출장비는 얼마야"]),
        ("환불은 며칠 걸리고 예외는 무엇인가요?", ["환불은 며칠 걸리나요", "예외"]),
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
        "Who wrote The Fast and the Furious?",
        "Where was the wife of David Ogilvy, 11th Earl of Airlie born?",
        "When did the wife of Otto I, Count of Burgundy die?",
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


@pytest.mark.parametrize(
    ("question", "pieces"),
    [
        (
            "월세, 관리비, 보증금은 각각 얼마인가요?",
            ["월세는 얼마인가요", "관리비는 얼마인가요", "보증금은 얼마인가요"],
        ),
        ("임대인과 임차인은 각각 누구인가요?", ["임대인은 누구인가요", "임차인은 누구인가요"]),
        ("보증금이 얼마인지, 월세가 얼마인지 알려주세요.", ["보증금이 얼마", "월세가 얼마"]),
        (
            "보증금이 얼마인지, 언제 돌려받는지 알려주세요.",
            ["보증금이 얼마", "보증금은 언제 돌려받는지"],
        ),
        (
            "How many days may interns work from home, and who approves it?",
            ["many days may interns work from home", "approves it"],
        ),
        (
            "E20 오류는 무슨 뜻이고 어떻게 하나요?",
            ["E20 오류는 무슨 뜻인가요", "E20 오류는 어떻게 하나요"],
        ),
        (
            "How long is the permit valid and where is it issued?",
            ["long is the permit valid", "permit issued"],
        ),
        (
            "Who may sign contracts and up to what amount?",
            ["may sign contracts", "amount of sign contracts"],
        ),
        (
            "이사는 언제이고 담당자는 누구이며 내선은 몇 번인지 알려주세요",
            ["이사는 언제", "담당자는 누구", "내선은 몇 번"],
        ),
        ("When was the bridge built and why?", ["bridge built", "reason for bridge built"]),
        (
            "팀은 무엇을 만들고 있고 언제 끝나나요?",
            ["팀은 무엇을 만들고 있나요", "팀은 언제 끝나나요"],
        ),
        ("항구에서 등대와 창고는 어디인가요?", ["항구에서 등대", "창고는 어디인가요"]),
        ("월세와 관리비 합계는 얼마인가요?", ["월세", "관리비 합계는 얼마인가요"]),
        (
            "등대와 창고는 누가 무슨 돈으로 새로 지었나요?",
            ["등대", "창고는 누가 무슨 돈으로 새로 지었나요"],
        ),
        ("월세는 얼마인데 관리비는요?", ["월세는 얼마", "관리비"]),
        (
            "월세는 얼마고 언제 내고 연체하면 어떻게 되나요?",
            ["월세는 얼마", "월세는 언제 내나요", "월세는 연체하면 어떻게 되나요"],
        ),
        ("월세는 얼마고 관리비는 얼마예요?", ["월세는 얼마", "관리비는 얼마예요"]),
        (
            "연차는 며칠이고, 재택근무는 주 몇 회이고, 야근 식대는 얼마인가요?",
            ["연차는 며칠", "재택근무는 주 몇 회", "야근 식대는 얼마인가요"],
        ),
        ("가격은 얼마이고 할인은 몇 퍼센트인가요?", ["가격은 얼마", "할인은 몇 퍼센트인가요"]),
        ("출시일과 가격과 행사 장소를 알려줘", ["출시일", "가격", "행사 장소"]),
        ("회의는 무슨 요일이고 몇 시예요?", ["회의는 무슨 요일인가요", "회의는 몇 시예요"]),
        (
            "연차는 최대 며칠이며 다음 해로 넘길 수 있나요?",
            ["연차는 최대 며칠", "연차는 다음 해로 넘길 수 있나요"],
        ),
        ("연차 일수와 결혼 휴가 일수 중 무엇이 더 긴가요?", ["연차 일수", "결혼 휴가 일수"]),
        ("When does the bakery open and when does it close?", ["bakery open", "bakery close"]),
        (
            "Which hosts does Mina Park own, and which one will be replaced?",
            ["hosts does Mina Park own", "hosts will be replaced"],
        ),
        (
            "When did Project X last crash and why?",
            ["Project X last crash", "reason for Project X last crash"],
        ),
        ("Who wrote and who reviewed the policy?", ["wrote the policy", "reviewed the policy"]),
        (
            "By whom was the policy reviewed, and when does it come into force?",
            ["By whom was the policy reviewed", "policy come into force"],
        ),
        (
            "How long does the bread bake and at what temperature?",
            ["long does the bread bake", "temperature of bread bake"],
        ),
        (
            "How much RAM does db-01 have and who owns it?",
            ["much RAM does db-01 have", "owns db-01"],
        ),
        ("사무실이랑 창고는 어디예요?", ["사무실은 어디예요", "창고는 어디예요"]),
        ("주차 요금은 얼마고 등록은 어디서 하나요?", ["주차 요금은 얼마", "등록은 어디서 하나요"]),
        ("책임자는 누구고 연락처는 뭐예요?", ["책임자는 누구", "연락처"]),
        (
            "회의실은 몇 층이며 몇 명까지 들어가나요?",
            ["회의실은 몇 층", "회의실은 몇 명까지 들어가나요"],
        ),
        (
            "행사는 어디서 열리고 누가 진행하나요?",
            ["행사는 어디서 열리나요", "행사는 누가 진행하나요"],
        ),
        (
            "보험료는 얼마이며 누가 부담하는지 알려 주세요",
            ["보험료는 얼마", "보험료는 누가 부담하는지"],
        ),
        (
            "보험 기간이 언제까지인지와 보험료가 얼마인지 알려줘",
            ["보험 기간이 언제까지", "보험료가 얼마"],
        ),
        ("입장료는 얼마인데 할인은 되나요?", ["입장료는 얼마", "할인은 되나요"]),
        (
            "입장료가 얼마인지, 할인은 누가 받는지 궁금합니다.",
            ["입장료가 얼마", "할인은 누가 받는지"],
        ),
        (
            "서울 사무실과 부산 사무실은 각각 몇 층인가요?",
            ["서울 사무실은 몇 층인가요", "부산 사무실은 몇 층인가요"],
        ),
        ("팀장과 부장이 누구인가요?", ["팀장이 누구인가요", "부장이 누구인가요"]),
        ("보안과 휴가 규정은?", ["보안", "휴가 규정"]),
        ("마감일과 제출처는 어디서 보나요?", ["마감일은 어디서 보나요", "제출처는 어디서 보나요"]),
        ("출장비 한도와 식비 한도 가운데 어느 쪽이 더 큰가요?", ["출장비 한도", "식비 한도"]),
        (
            "여권 발급은 며칠 걸리고 수수료는 얼마죠?",
            ["여권 발급은 며칠 걸리나요", "수수료는 얼마죠"],
        ),
        ("When does the shop open and where is it?", ["shop open", "where is shop"]),
        ("Where is the printer and how much does it cost?", ["printer", "much does printer cost"]),
        (
            "How long is the dough kneaded and how long does it rest?",
            ["long is the dough kneaded", "long does dough rest"],
        ),
        ("When was LT-101 bought and who uses it?", ["LT-101 bought", "uses LT-101"]),
        (
            "Who approves overtime and how long may it last?",
            ["approves overtime", "long may overtime last"],
        ),
        (
            "Which rooms have a projector, and which ones are locked?",
            ["rooms have a projector", "rooms are locked"],
        ),
        ("Why did the pump stop and who repaired it?", ["reason pump stop", "repaired pump"]),
        ("What is the fee and by when must it be paid?", ["fee", "by when must fee be paid"]),
        ("Hello, what is the fee, and what is the deadline? Thanks!", ["fee", "deadline"]),
        ("What does the pass cost, and how is it paid?", ["pass cost", "pass paid"]),
    ],
)
def test_each_clause_that_asks_is_a_question_of_its_own(question: str, pieces: list[str]) -> None:
    assert list(decompose(question)) == pieces


@pytest.mark.parametrize(
    "question",
    [
        "Who owns bk-01? Many thanks!",
        "My child swallowed 20 ml of the concentrate, how much is dangerous?",
        "청구서를 내보내고 싶은데, 절차랑 권한이랑 걸리는 시간도 알려주세요",
        "재고 창고는 어디인가요?",
        "사고 보고서는 누가 쓰나요?",
        "광고 예산은 얼마인가요?",
        "공항까지 가는 데 걸리는 시간은 얼마인가요?",
        "며느리 경조 휴가는 며칠인가요?",
        "인지 도서는 어디에 있나요?",
        "신고 절차는 어떻게 되나요?",
        "어느 창고 열쇠를 누가 관리하나요?",
        "누가 경고 메일을 보내나요?",
        "신청서는 누가 작성하고 있나요?",
        "최고 온도는 몇 도인가요?",
        "어떤 보고 양식을 쓰나요?",
        "어디로 가지고 가야 하나요?",
        "무엇을 두고 왔나요?",
        "언제까지 참고 자료를 내야 하나요?",
        "휴가는 언제, 어디서, 누구에게 신청하나요?",
        "노트북이 고장났는데 어디에 말하나요?",
        "문을 열고 나가면 어디인가요?",
        "Who repaired the lift and when?",
        "How do I cut and paste a table?",
        "My printer is jammed, what should I do?",
        "We lost a badge, who must be told?",
        "The lift and the stairs: where are they?",
        "At how many degrees and for how long is the bread baked?",
        "Where does the train stop and for how long?",
        "Our fridge broke, who do we call?",
        "회의 끝나고 어디로 가나요?",
        "부서와 관련된 문서는 어디 있나요?",
        "동서 항구를 잇는 다리와 섬을 연결하는 철도는 언제 지었나요?",
        "파도 동상과 함께 세운 탑은 몇 층인가요?",
        "반대에도 불구하고 회사는 어디로 옮겼나요?",
        "쇼와 시대는 몇 년이었나요?",
        "신경과 진료는 언제 하나요?",
        "서고와 창고 사이 거리는 몇 미터인가요?",
        "퇴근한 뒤, 열쇠와 함께 무엇을 내나요?",
        "직원들은 비밀번호가 무엇인지 알고 있나요?",
        "가격이 얼마인지 모르는데 어떻게 환불하나요?",
        "누가 신청하고 승인하나요?",
        "창고와 매장 사이 거리는 얼마인가요?",
        "몇 군데 지점이 있고 운영하나요?",
    ],
)
def test_what_only_looks_like_two_questions_is_one(question: str) -> None:
    assert decompose(question) == (question,)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("승강기 수리 내역은?", "승강기 수리"),
        ("승강기 수리 내역 부탁드려요", "승강기 수리"),
        ("내역서 양식은?", "내역서 양식"),
        ("승강기는 언제 고쳤고 누가 고쳤나요?", "승강기는 언제 고쳤고 누가 고쳤나요"),
    ],
)
def test_of_one_thing_is_asked_what_it_names(question: str, asked: str) -> None:
    assert asks_for(question) == (asked,)


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
        (
            "Project X status?",
            None,
            [
                "Project X status report",
                "Project X current cause of delay",
                "Project X open risks",
            ],
        ),
        (
            "프로젝트 X 요즘 어때?",
            None,
            ["프로젝트 X 상태 보고서", "프로젝트 X 현재 지연 원인", "프로젝트 X 미해결 위험 요소"],
        ),
        ("프로젝트 X의 담당 팀은?", TODAY, ["프로젝트 X의 담당 팀은?"]),
        ("키보드 시장은 요즘 어때?", TODAY, ["키보드 시장은 요즘 어때?"]),
        ("What is the order status?", TODAY, ["What is the order status?"]),
        ("set the status?", TODAY, ["set the status?"]),
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


@pytest.mark.parametrize(
    ("pieces", "named"),
    [
        (["pays the fee", "who pays the fee"], ["who pays the fee"]),
        (["fee", "who pays the fee"], ["fee", "who pays the fee"]),
        (["projector", "projector weigh"], ["projector", "projector weigh"]),
        (["pays the fee", "who pays the fees"], ["pays the fee", "who pays the fees"]),
        (["요금 담당자는 누구인가요", "누구인가요"], ["요금 담당자는 누구인가요"]),
        (["요금", "요금 한도"], ["요금", "요금 한도"]),
    ],
)
def test_a_piece_that_another_says_in_full_is_named_once(pieces, named) -> None:
    assert [*named_once(pieces)] == named


@pytest.mark.parametrize("letter", ["a", "가", "a ", "의 ", "1,", "A"])
def test_a_long_question_takes_no_longer_than_its_length(letter: str) -> None:
    """A quadratic pattern would need minutes here."""
    assert decompose(letter * 200_000)


@pytest.mark.parametrize(
    "words", ["얼마고 ", "월세는 언제 내고 ", "누가, ", "who it and ", "the is "]
)
def test_many_clauses_take_no_longer_than_their_length(words: str) -> None:
    assert decompose(words * 8_000)
