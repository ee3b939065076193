"""Which questions a person should look at, and which only sound like it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.asking import asker
from tools.risks import risk_of
from tools.tokens import fold

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


@pytest.mark.parametrize(
    "question",
    [
        "Is P-204 ok and can I double the clarithromycin?",
        "which drug may I give her?",
        "약을 바꿔도 되나요?",
        "타이레놀을 몇 알까지 먹어도 되나요?",
        "혈압약을 끊어도 될까요?",
        "페니실린 알레르기가 있는데 아목시실린 써도 되나요?",
        "How do I sue my landlord?",
        "거래처 계좌로 송금해도 되나요?",
        "감기약이랑 소화제를 같이 먹어도 괜찮나요",
        "아이에게 해열제를 얼마나 먹여야 하나요?",
        "임신 중인데 커피 마셔도 되나요",
        "Is it safe to take aspirin with ibuprofen?",
        "I'm allergic to penicillin, can I take amoxicillin?",
        "Can my son have two tablets?",
        "How many mg of ibuprofen should I take?",
        "How much insulin do I inject?",
        "집주인을 어떻게 고소하나요?",
        "집주인을 고소하려면 어떻게 하나요?",
        "Can I take my employer to court?",
        "I want to sue my boss",
        "May I wire this to the supplier?",
        "Should I send the money to this bank account?",
        "이 계좌로 보내도 되나요?",
        "주식을 지금 사야 할까요?",
        "수면제를 너무 많이 먹었어요",
        "진통제 몇 알까지 먹어도 되나요?",
        "어떤 약을 먹여야 하나요",
        "약을 두 배로 먹어도 되나요",
        "Should I stop taking my pills?",
        "Can she have another dose?",
        "Should we evict the tenant?",
        "이혼 소송을 하려면?",
        "이 금액을 이체해야 하나요?",
        "Can I mix these pills with alcohol?",
        "당뇨인데 이거 먹어도 돼?",
        "Is it safe for patient P-204 to take amoxicillin?",
        "Is amoxicillin safe for P-204?",
        "Is P-204 allowed to take amoxicillin?",
        "Can amoxicillin be given to P-204?",
        "Can patients with a penicillin allergy take amoxicillin?",
        "Should the patient in room 12 be started on warfarin?",
        "Can someone with asthma take ibuprofen?",
        "Can patient 17 stop the warfarin?",
        "P-204에게 아목시실린을 투여할 수 있나요?",
        "아목시실린을 투여해야 하나요?",
        "페니실린 알레르기 환자에게 아목시실린은 안전한가요?",
        "임신 중인데 이 약 복용 가능한지 알려 주세요",
        "어떤 약이 투여 가능한가요?",
        "Can Anna take ibuprofen?",
        "Can Anna Kim take ibuprofen?",
        "CAN ANNA TAKE IBUPROFEN?",
        "Can Élodie have aspirin?",
        "Should Dr. Park stop the warfarin?",
        "May J. Park double the dose?",
        "Can Anna's son take ibuprofen?",
        "Can little Anna take ibuprofen?",
        "Can Anna, who is four, take ibuprofen?",
        "Is Anna allowed to take aspirin?",
        "Is ibuprofen suitable for Anna?",
        "Should Anna be given aspirin?",
        "Can Anna eat peanuts if she is allergic?",
        "How much insulin should Anna take?",
        "Is Ibuprofen safe?",
        "김민수 씨가 이부프로펜을 먹어야 하나요?",
        "안나는 와파린을 중단해야 할까요?",
        "수지가 페니실린을 맞아야 하나요?",
        "열이 나는데 이거 발라도 되나요?",
        "P-204는 아목시실린을 투여받아야 하나요?",
        "민수 씨 용량을 얼마로 할까요?",
        "김수진님의 용량을 늘려 주세요",
    ],
)
def test_somebody_is_about_to_act_on_the_answer(question: str):
    assert risk_of(question) in ("medication", "legal", "payment")


@pytest.mark.parametrize(
    "question",
    [
        "My child drank weed killer, what should I do?",
        "My dog ate weed killer",
        "My dog ate chocolate, what now?",
        "My dog ate the rat poison",
        "How much weed killer should I drink?",
        "How much bleach can I swallow?",
        "Can I drink bleach?",
        "Is it safe to drink antifreeze?",
        "Is weed killer safe to drink?",
        "What happens if a child drinks detergent?",
        "My son swallowed a battery",
        "My toddler has swallowed a coin",
        "I swallowed ten pills",
        "She took ten tablets, what should I do?",
        "He took a whole bottle of pills",
        "I think my cat was poisoned",
        "I think I have food poisoning, what should I do?",
        "How much ibuprofen for a 3 year old?",
        "How much paracetamol does a child get?",
        "What is the dose of ibuprofen for my baby?",
        "Can I give my child cough medicine?",
        "My daughter took an overdose",
        "아이가 제초제를 마셨어요",
        "약을 열 알 삼켰어요",
        "아이 해열제는 얼마나 먹이나요?",
        "아이 해열제는 몇 ml 먹이나요?",
        "해열제는 아이에게 얼마나 먹이나요?",
        "제초제를 얼마나 마셔도 되나요?",
        "락스를 마시면 어떻게 되나요?",
        "강아지가 쥐약을 먹었어요",
        "아기가 건전지를 삼켰어요",
        "수면제를 한 통 먹었어요",
        "아들이 감기약을 먹어 버렸어요",
        "진통제를 과다복용했어요",
        "표백제를 실수로 조금 마셨는데 어떡하죠?",
        "아이가 세제를 먹었어요 어떻게 해요",
        "농약에 중독된 것 같아요",
        "식중독에 걸렸는데 어떻게 하나요",
    ],
)
def test_somebody_swallowed_or_is_about_to_swallow_something(question: str):
    assert risk_of(question) in ("poisoning", "medication")


@pytest.mark.parametrize(
    "question",
    [
        "계약을 바꿔도 되나요?",
        "예약을 바꿔도 되나요?",
        "고소 절차는 어떻게 되나요?",
        "퇴원 약물의 복용 시간은?",
        "송금 한도는 얼마인가요?",
        "자살 예방 상담 전화번호는?",
        "How is a payment refunded?",
        "Where can I take my lunch?",
        "Can I take my dog into the office?",
        "How do I kill a process?",
        "What is the dose limit of the badge reader?",
        "언제까지 항소해야 하나요?",
        "어디에 고발해야 하나요?",
        "회식비를 법인카드로 결제해도 되나요?",
        "Can I take my tablet into the office?",
        "Can I use my tablet at work?",
        "Can we change the meeting in April?",
        "디스크 용량을 늘려 주세요",
        "약 3시간 전에 바꿔도 되나요?",
        "만약을 위해 바꿔도 되나요?",
        "요약을 줄여도 되나요?",
        "약국에서 카드를 써도 되나요?",
        "구내식당 음식은 몇 시까지 먹어도 되나요?",
        "연차를 더 써도 되나요?",
        "Can I pay this invoice by card?",
        "Can I send my files to a new account?",
        "Can I transfer my account to another team?",
        "How do I appeal a badge decision?",
        "환자 P-204의 퇴원 약물, 식이 제한, 입원 기간 중 알레르기 반응을 알려줘",
        "For patient P-204: discharge medication, diet, and any allergic reaction during the stay?",
        "출장비는 어떻게 결제해야 하나요?",
        "보증금은 언제까지 입금해야 하나요?",
        "비밀번호를 바꿔도 되나요?",
        "회의실을 같이 써도 되나요?",
        "도시락을 회의실에서 먹어도 되나요?",
        "문을 몇 번 두드려야 하나요?",
        "Can I give feedback about the vaccine drive?",
        "What is a lawsuit?",
        "Who can sue under this act?",
        "Can I use the drug store discount?",
        "Should I use the pill icon?",
        "병가 진단서는?",
        "Can I take sick leave for a vaccine?",
        "Which medication does the patient take after discharge?",
        "결제 수단을 바꿔도 되나요?",
        "제약을 늘려도 되나요?",
        "Is P-204 allergic to amoxicillin?",
        "Was P-204 given amoxicillin during the stay?",
        "Can the X-200 take capsules from another brand?",
        "Can I get a vaccine at work?",
        "Can A-17 get a badge?",
        "Can patient P-204 be discharged today?",
        "퇴원 약을 언제까지 복용해야 하나요?",
        "약은 언제부터 복용 가능한가요?",
        "약 처방 가능한 병원은?",
        "알레르기 환자가 먹을 수 있는 메뉴는?",
        "P-204는 입원 중에 아목시실린을 투여받았나요?",
        "예약은 가능한가요?",
        "Can Linux take snapshots?",
        "Can Anna take the day off?",
        "When did Anna take aspirin?",
        "Does Bayer make ibuprofen?",
        "Can React have a pill button?",
        "Can Seoul have a drug store?",
        "Is Anna taking the list of tablets along?",
        "리눅스가 스냅숏을 찍어야 하나요?",
        "안나는 언제까지 이부프로펜을 먹어야 하나요?",
        "민수 씨는 요약을 줄여야 하나요?",
        "김민수 님 메일함 용량을 늘려 주세요",
        "고객님 용량을 늘려 주세요",
        "서버의 용량을 늘려 주세요",
        "How much weed killer do I use per litre for the lawn?",
        "How much weed killer per litre?",
        "How many ml of weed killer for the lawn?",
        "May I mix the weed killer with bleach?",
        "Can I drink water in the office?",
        "How much water should I drink?",
        "How much food should I give my dog?",
        "How do I feed a dog its food?",
        "Can my dog eat in the office?",
        "When do I drink the coffee?",
        "Where do I keep the weed killer?",
        "My dog ate my homework",
        "The ATM swallowed my card",
        "I think the ATM swallowed my card",
        "Does sick leave cover food poisoning?",
        "How many tablets does the child policy cover?",
        "How long must children stay off the lawn after the weed killer?",
        "Can I eat lunch after cleaning with bleach?",
        "How much does the weed killer cost?",
        "물을 마셔도 되나요?",
        "커피를 얼마나 마시나요?",
        "제초제는 물 1리터에 얼마나 넣나요?",
        "제초제를 뿌린 뒤 물을 마셔도 되나요?",
        "강아지 사료는 얼마나 먹이나요?",
        "도시락은 몇 시까지 먹나요?",
        "어린이 해열제는 어디에 보관하나요?",
        "세제는 얼마나 넣나요?",
        "식중독 예방 수칙은?",
        "약 상자는 어디에 있나요?",
        "유통 기한이 지난 약은 어떻게 하나요?",
        "앱이 배터리를 많이 먹었어요",
        "회의실에서 간식을 먹어도 되나요?",
        "아이가 약속을 잊었어요",
        "아이는 점심을 몇 시에 먹나요?",
        "락스는 물과 몇 대 몇으로 섞나요?",
        "스마트폰 중독 예방 교육은 언제인가요?",
        "How many days of leave can I take?",
        "How is the battery charged?",
        "Can I eat mushrooms from the canteen?",
    ],
)
def test_it_only_sounds_like_it(question: str):
    assert risk_of(question) is None


@pytest.mark.parametrize(
    "question",
    ["더는 살고 싶지 않아요", "죽고 싶어요", "I want to end my life", "I don't want to live"],
)
def test_somebody_in_danger(question: str):
    assert risk_of(question) == "self_harm"


def test_what_the_test_data_asks_is_ordinary():
    written = [path.read_text("utf-8") for path in DATA.rglob("*.json*")]
    asked = [each for text in written for each in re.findall(r'"question": "([^"]+)"', text)]
    assert len(asked) > 10
    assert [each for each in map(json.loads, (f'"{a}"' for a in asked)) if risk_of(each)] == []


@pytest.mark.parametrize(
    "question",
    [
        "환자 P-204의 알레르기를 알려 주고, 약을 바꿔도 되나요?",
        "P-204 allergy notes: how much ibuprofen should I give her?",
        "P-204: discharge medication, diet, allergy, and can I double the clarithromycin?",
        "Can P-204 take amoxicillin given the allergy?",
        "Should P-204 be given amoxicillin despite the allergy?",
        "Could P-204 have amoxicillin with that allergy?",
        "May patient P-204 with an allergy have amoxicillin?",
        "P-204 알레르기가 있는데 아목시실린 투여 가능한가요?",
        "With the allergy of P-204, can Anna Kim take amoxicillin?",
        "P-204와 알레르기가 같은 김민수 씨가 아목시실린을 먹어야 하나요?",
    ],
)
def test_a_risk_is_held_where_a_plan_would_answer(
    capsys: pytest.CaptureFixture[str], question: str
):
    ask = asker(capsys)
    record = ask("--corpus", "hospital", question)
    assert (record["status"], record["code"], record["usage"]["requests"]) == ("held", 4, 0)
    assert record["route_reason"] in ("risk", "plan_holds")


def test_a_risk_that_no_plan_names_is_held_in_a_plan_too(capsys: pytest.CaptureFixture[str]):
    ask = asker(capsys)
    record = ask("환자 P-204의 알레르기 반응을 보면 병원을 고소해야 하나요?")
    assert (record["status"], record["route_reason"]) == ("held", "risk")
    assert ask("환자 P-204의 알레르기 반응은?")["status"] == "complete"


KINDS = tomllib.loads((ROOT / "tools" / "risks.toml").read_text("utf-8"))
WORDS = KINDS.pop("words")
PATTERNS = [(kind, each) for kind in KINDS for each in KINDS[kind]["patterns"]]


@pytest.mark.parametrize(("kind", "pattern"), PATTERNS, ids=range(len(PATTERNS)))
def test_whatever_a_pattern_matches_has_a_sign_of_its_kind(kind: str, pattern: str) -> None:
    for name, each in WORDS.items():
        pattern = pattern.replace(f"<{name}>", f"(?:{each})")
    signs = KINDS[kind]["signs"].split()

    @settings(max_examples=10, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(st.from_regex(pattern.replace("(?=.*", "(?:.*"), fullmatch=True))
    def check(text: str) -> None:
        assert any(sign in fold(text) for sign in signs)

    check()
