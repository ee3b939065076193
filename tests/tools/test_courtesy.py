"""What is only polite in a question, in its usual forms, and what only looks like it."""

from __future__ import annotations

import pytest

from tools.courtesy import is_courtesy, without_courtesy

POLITE = [
    ("Who owns bk-01? Many thanks!", "Who owns bk-01?"),
    (
        "Hello, I'd like to know the cause of the latest Project X outage, thank you.",
        "the cause of the latest Project X outage",
    ),
    ("Hello! Could you tell me who owns bk-01? Thank you.", "who owns bk-01?"),
    (
        "Could you tell me how many days of leave Noeul gives? Many thanks!",
        "how many days of leave Noeul gives?",
    ),
    ("Thanks for your help! When is the bakery open?", "When is the bakery open?"),
    ("Why did Project X fail? Please and thank you.", "Why did Project X fail?"),
    (
        "What was the reason for Project X's failure? Any help is appreciated.",
        "What was the reason for Project X's failure?",
    ),
    ("Sorry to bother you, but why did Project X fail?", "why did Project X fail?"),
    ("Good morning, team. When are backups of db-01 run? Cheers", "When are backups of db-01 run?"),
    (
        "I hope you are well. I would like to know when the backups of db-01 run.",
        "when the backups of db-01 run",
    ),
    ("Who owns bk-01? Have a nice day!", "Who owns bk-01?"),
    ("Never mind, who owns web-02?", "who owns web-02?"),
    ("야근 식대 얼마예요? 수고하세요.", "야근 식대 얼마예요?"),
    ("야근 식대 얼마예요? 좋은 하루 되세요!", "야근 식대 얼마예요?"),
    ("안녕하십니까. 인사팀 홍길동입니다. 야근 식대를 알려 주십시오.", "야근 식대"),
    ("프로젝트 X 장애 원인 알려주시면 감사하겠습니다", "프로젝트 X 장애 원인"),
    ("야근 식대가 얼마인지 가르쳐 주실 수 있으신가요?", "야근 식대가 얼마"),
    ("수고 많으십니다. 법인카드는 누가 받을 수 있는지요?", "법인카드는 누가 받을 수 있는지요?"),
    ("그럼 신청은 언제까지 해요?", "신청은 언제까지 해요?"),
    (
        "안녕하세요, 프로젝트 X의 최근 장애 원인 좀 알려주시겠어요? 감사합니다.",
        "프로젝트 X의 최근 장애 원인",
    ),
    ("프로젝트 X의 장애 원인이 궁금해서 연락드렸습니다.", "프로젝트 X의 장애 원인"),
    ("Who owns bk-01? I appreciate your help.", "Who owns bk-01?"),
    ("When are backups of db-01 run, and thanks a lot!", "When are backups of db-01 run"),
    (
        "Could you let me know when the certificate expires and who renews it? Much appreciated.",
        "when the certificate expires and who renews it?",
    ),
    ("혹시 프로젝트 X의 최근 장애 원인을 알 수 있을까요?", "프로젝트 X의 최근 장애 원인"),
    ("야근 식대가 어떻게 되는지 여쭙고 싶습니다.", "야근 식대가 어떻게 되는지"),
    ("야근 식대 문의드립니다.", "야근 식대"),
    ("야근 식대가 궁금합니다. 답변 부탁드립니다.", "야근 식대"),
    ("수고하십니다. 프로젝트 X 서버 사양 부탁드립니다.", "프로젝트 X 서버 사양"),
    ("I was wondering why project X failed", "why project X failed"),
    (
        "I would appreciate it if you told me the opening hours of the Noeul canteen.",
        "the opening hours of the Noeul canteen",
    ),
    ("Hey there! Quick question: where is the spare key?", "where is the spare key?"),
    (
        "Good afternoon. My name is Ann Lee. What is the fee for a late return?",
        "What is the fee for a late return?",
    ),
    ("Hi, this is Tom from HR. How long is parental leave?", "How long is parental leave?"),
    ("Excuse me, when does the library close?", "when does the library close?"),
    ("What is the deposit? Thanks in advance for your help.", "What is the deposit?"),
    ("Would you mind telling me when the office opens?", "when the office opens?"),
    ("Could you please explain how refunds work? Kind regards, Ann", "how refunds work?"),
    ("Where do I hand in the form? Thank you so much!!", "Where do I hand in the form?"),
    ("How big is the tank? Thx", "How big is the tank?"),
    ("ok thanks, and how big is the tank?", "how big is the tank?"),
    ("What is the limit? Looking forward to your reply.", "What is the limit?"),
    ("Sorry for the silly question, but how do I log in?", "how do I log in?"),
    ("I'm sorry, what is the fax number?", "what is the fax number?"),
    ("May I ask who signs the contract?", "who signs the contract?"),
    ("Do you know when the shop closes?", "when the shop closes?"),
    ("Can you please let me know the fee, please?", "the fee"),
    ("Hi who owns the printer", "who owns the printer"),
    ("What does the permit cost? Have a great weekend!", "What does the permit cost?"),
    ("Dear support team, how do I reset the router? Best regards", "how do I reset the router?"),
    ("Hope this finds you well! Which form is needed?", "Which form is needed?"),
    ("안녕하세요 주차 요금이 얼마인가요", "주차 요금이 얼마인가요"),
    ("저기요, 회의실 예약은 어떻게 하나요?", "회의실 예약은 어떻게 하나요?"),
    ("바쁘신데 죄송합니다. 회의실 정원은 몇 명인가요?", "회의실 정원은 몇 명인가요?"),
    ("질문 하나 드립니다. 주차 등록은 어디서 하나요?", "주차 등록은 어디서 하나요?"),
    ("주차 등록 방법을 알려 주실 수 있을까요?", "주차 등록 방법"),
    ("주차 요금 알려줄 수 있어?", "주차 요금"),
    ("주차 요금이 얼마인지 알려 주시면 고맙겠습니다.", "주차 요금이 얼마"),
    ("주차 요금을 안내해 주시기 바랍니다.", "주차 요금"),
    ("회의실 번호를 확인해 주실래요? 늘 감사합니다~", "회의실 번호"),
    ("주차 요금이 얼마나 되는지 여쭤봐도 될까요?", "주차 요금이 얼마나 되는지"),
    ("저는 총무팀 김민수라고 합니다. 복사기 용지는 어디 있나요?", "복사기 용지는 어디 있나요?"),
    ("고생 많으십니다! 택배는 어디서 찾나요? 미리 감사드립니다.", "택배는 어디서 찾나요?"),
    ("도와주셔서 감사합니다. 그런데 환불은 며칠 걸리나요?", "환불은 며칠 걸리나요?"),
    ("환불은 며칠 걸리나요? 빠른 답변 부탁드려요 ^^", "환불은 며칠 걸리나요?"),
    ("환불 절차에 대해서 설명 부탁드립니다.", "환불 절차"),
    ("환불 절차를 알고 싶습니다. 즐거운 주말 보내세요.", "환불 절차"),
    ("네, 알겠습니다. 그러면 환불은 누가 하나요?", "환불은 누가 하나요?"),
    ("환불은 누가 하는지 알 수 있을까요?", "환불은 누가 하는지"),
    ("담당자가 누구인지 말씀해 주시겠습니까?", "담당자가 누구"),
    ("궁금한 게 있어요. 방문증은 어디서 받나요?", "방문증은 어디서 받나요?"),
    ("Show me the floor plan", "the floor plan"),
    ("Hi\nWho owns bk-01?\nThanks,\nAnn", "Who owns bk-01?"),
    ("Who owns bk-01?\n\nBest,\nTom Okafor", "Who owns bk-01?"),
    ("Greetings! Please, where is the lab?", "where is the lab?"),
    ("Thank you for your time and support. What is the fee?", "What is the fee?"),
    ("Hello everyone, I have a quick question. When is payday?", "When is payday?"),
    ("Could I ask you something? When is payday?", "When is payday?"),
    ("When is payday? Sorry for the trouble!", "When is payday?"),
    ("When is payday? That would be great.", "When is payday?"),
    ("Much obliged if you could tell me when payday is.", "when payday is"),
    ("I'd be grateful if you could tell me when payday is.", "when payday is"),
    ("Kindly let us know the payday.", "the payday"),
    ("Would someone please tell me the payday? Ta", "the payday?"),
    ("Yo, when is payday?", "when is payday?"),
    ("Quick one: when is payday?", "when is payday?"),
    ("Just wondering, when is payday?", "when is payday?"),
    ("Can anyone tell me when payday is? Thanks all!", "when payday is?"),
    ("Hope you're well. When is payday? Best, Kim", "When is payday?"),
    ("When is payday, if I may ask?", "When is payday"),
    ("When is payday? Thank you for your attention to this matter.", "When is payday?"),
    ("급여일 좀 알려줄래?", "급여일"),
    ("급여일이 언제인지 알려주시겠습니까?", "급여일이 언제"),
    ("급여일 좀 알 수 있을까요?", "급여일"),
    ("안녕하세요 선생님, 급여일은 언제인가요?", "급여일은 언제인가요?"),
    ("선생님, 급여일은 언제인가요?", "급여일은 언제인가요?"),
    ("급여일은 언제인가요? 답변 주시면 감사하겠습니다.", "급여일은 언제인가요?"),
    ("급여일은 언제인가요? 확인 부탁드려요!", "급여일은 언제인가요?"),
    ("급여일 질문드려도 될까요?", "급여일"),
    ("오늘도 좋은 하루 보내세요! 급여일은 언제죠?", "급여일은 언제죠?"),
    ("늦은 시간에 죄송합니다. 급여일은 언제죠?", "급여일은 언제죠?"),
    ("영업부 박 대리입니다. 급여일은 언제죠?", "급여일은 언제죠?"),
    ("급여일 알려주실 분 계신가요?", "급여일"),
    ("급여일 아시는 분?", "급여일"),
    ("급여일이 언제인지 아시나요?", "급여일이 언제"),
    ("급여일이 언제인지 혹시 아세요?", "급여일이 언제"),
    ("급여일이 어떻게 되나요? 바쁘실 텐데 감사합니다.", "급여일이 어떻게 되나요?"),
    ("급여일에 관해 여쭤보려고 합니다.", "급여일"),
    ("급여일 관련 문의드립니다.", "급여일"),
    ("급여일 궁금", "급여일"),
    ("급여일을 알려주시면 좋겠어요. 그럼 수고하세요.", "급여일"),
    ("실례지만 급여일은 언제인가요", "급여일은 언제인가요"),
]
SAID = [
    "아이가 그림을 보여줄 수 있나요?",
    "이 시계는 어둠 속에서 시간을 알 수 있나요?",
    "What does the Thanks page say?",
    "감사 보고서는 언제 나오나요?",
    "What is a Dear John letter?",
    "What does the Sorry Works! policy say?",
    "Sorry Works! policy",
    "Is there soup on the Have a nice day menu?",
    "담당자는 인사팀 홍길동입니까?",
    "저는 임산부입니다. 진통제를 먹어도 되나요?",
    "노을 구내식당입니다. 운영 시간은?",
    "감사, 회계, 법무 팀의 역할은?",
    "Hello Kitty mug price?",
    "What is another word for thanks?",
    "부탁 전화는 어디에 하나요?",
    "안녕 캠페인은 언제 시작했나요?",
    "I am pregnant. May I take the painkiller?",
    "The database is down. What should I do?",
    "What is the good morning message?",
    "수고비는 얼마인가요?",
    "문의 전화번호는?",
    "알림 설정은 어디서 하나요?",
    "Love, Actually release date?",
    "Help! album release date?",
    "Hello Dolly! premiere date?",
    "Sorry! board game rules",
    "Goodbye, Columbus author?",
    "예, 아니오 버튼은 어디 있나요?",
    "저, 중, 고 등급의 차이는?",
    "좋아요, 댓글, 구독 수는?",
    "환불 결과는 어디서 알 수 있나요?",
    "누가 확인해 주실 수 있나요?",
    "Which page says Thanks!",
    '"Thanks!" is on which page?',
    "감사합니다 카드는 얼마인가요?",
    "죄송합니다 메시지는 언제 나오나요?",
    "법무, 회계, 감사",
    "Explain plan: what does it show?",
    "Where does the sorry page lead?",
    "안녕하세요라는 말은 언제 쓰나요?",
    "부탁, 거절 예절은?",
    "Is the Thank You card free?",
    "Does it come with a Best Wishes card?",
    "How do I say please?",
    "What is OK?",
    "Regards clause of the contract?",
    "질문 시간은 언제인가요?",
    "문의드립니다 게시판은 어디 있나요?",
    "수고하세요 이벤트 기간은?",
    "고객이 알려 달라고 하면 어떻게 하나요?",
]
ONLY_POLITE = [
    "안녕",
    "안녕하세요!",
    "Thanks!",
    "ok",
    "Bye",
    "Hello!",
    "Thank you very much.",
    "고마워",
    "감사합니다 :)",
    "수고하세요~",
    "Good night!",
    "네, 알겠습니다. 감사합니다.",
    "hi there",
    "See you later!",
    "ok thanks",
    "ㅎㅇ",
    "Have a nice day!",
    "오케이",
    "잘 가",
    "반갑습니다",
]
ASKS = [
    "Thanks page",
    "감사 보고서",
    "도와줘",
    "ok-01",
    "bye-law",
    "Hello Kitty",
    "안녕 캠페인",
    "What?",
    "너는 누구니?",
    "?",
    "...",
]


@pytest.mark.parametrize(("question", "bare"), POLITE)
def test_what_is_polite_is_no_part_of_a_question(question: str, bare: str) -> None:
    assert without_courtesy(question) == bare


@pytest.mark.parametrize("question", SAID)
def test_what_is_asked_about_is_never_taken_for_politeness(question: str) -> None:
    assert without_courtesy(question) == question and not is_courtesy(question)


@pytest.mark.parametrize("words", ONLY_POLITE)
def test_what_is_nothing_but_polite_asks_for_nothing(words: str) -> None:
    assert is_courtesy(words) and without_courtesy(words) == words


@pytest.mark.parametrize("question", ASKS)
def test_what_asks_is_not_only_polite(question: str) -> None:
    assert not is_courtesy(question)


@pytest.mark.parametrize(
    "words", ["thanks ", "감사합니다 ", "hello, ", "ok! ", "요 ", "알려 ", "\n"]
)
def test_a_long_text_takes_no_longer_than_its_length(words: str) -> None:
    """A quadratic pattern would need minutes here."""
    assert isinstance(without_courtesy(words * 50_000), str)
    assert is_courtesy(words * 50_000) == (not words.strip())
