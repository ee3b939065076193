"""The same sentence with another number is seen, and nothing else is called a disagreement."""

from __future__ import annotations

import re

import pytest

from tools.disagreements import (
    Disagreement,
    contrary,
    differing_values,
    disagreements,
    opposed,
)
from tools.documents import Passage


def seen(*texts: str) -> list[Disagreement]:
    return disagreements([Passage(f"d{n}", text, "") for n, text in enumerate(texts, 1)])


@pytest.mark.parametrize(
    ("one", "other", "values"),
    [
        pytest.param("가격 29,000원", "가격 35,000원", ("29,000원", "35,000원"), id="EV-05 prices"),
        ("A 가격은 3만 원입니다.", "- A 가격은 4만 원입니다", ("3만 원", "4만 원")),
        ("환불은 7일 안에 됩니다.", "참고. 환불은 14일 안에 됩니다.", ("7일", "14일")),
        ("할인율: 10%", "할인율: 12.5%", ("10%", "12.5%")),
        # with an exception, and in another style
        (
            "Refunds take 7 days.",
            "Refunds take 14 days, unless the bank is closed.",
            ("7 days", "14 days"),
        ),
        (
            "The limit is 300 won.",
            "The limit is 400 won except on 3 Sundays",
            ("300 won", "400 won"),
        ),
        ("한도는 300원입니다.", "한도는 400원이다(일요일 제외).", ("300원", "400원")),
        ("환불은 7일 걸립니다, 다만 상품권은 안 된다.", "환불은 9일이 걸린다.", ("7일", "9일")),
        ("The fee is $20.", "The fee is $25.", ("$20", "$25")),
        ("Refunds take 7 days.", "refunds  take 14 Days.", ("7 days", "14 days")),
        ("2026년 요금은 3만원", "2026년 요금은 4만원", ("3만원", "4만원")),
        ("| 새벽 키보드 | 29,000원 |", "| 새벽 키보드 | 35,000원 |", ("29,000원", "35,000원")),
        ("문은 6시에 닫습니다.", "문은 7시에 닫습니다.", ("6시", "7시")),
        ("It opens at 12 am.", "It opens at 12 pm.", ("12 am", "12 pm")),
        ("보증은 2년간 합니다.", "보증은 3년간 합니다.", ("2년간", "3년간")),
        ("회의는 3층에서", "회의는 4층에서", ("3층", "4층")),
        ("It is 5% off.", "It is 9% off.", ("5%", "9%")),
        ("It is on floor 5.", "It is on floor 9.", ("5", "9")),
        ("문은 9시 반에 엽니다.", "문은 9:00에 엽니다.", ("9시 반", "9:00")),
        ("문은 9시 30분에 엽니다.", "문은 10시 30분에 엽니다.", ("9시 30분", "10시 30분")),
        (
            "It is closed on 3 May 2026.",
            "It is closed on 4 May 2026.",
            ("3 may 2026", "4 may 2026"),
        ),
        ("문은 9:00~18:00입니다.", "문은 8:00~19:00입니다.", ("9:00~18:00", "8:00~19:00")),
        ("문은 9:00~18:00입니다.", "문은 9:00~19:00입니다.", ("9:00~18:00", "9:00~19:00")),
        ("It opens at 12:30 am.", "It opens at 0:45.", ("12:30 am", "0:45")),
        ("환불이 가능합니다", "환불이 불가능합니다", ("환불이 가능합니다", "환불이 불가능합니다")),
        ("반품 가능", "반품 불가", ("반품 가능", "반품 불가")),
        ("출입이 됩니다.", "출입이 안 됩니다.", ("출입이 됩니다", "출입이 안 됩니다")),
        (
            "출입을 허용합니다.",
            "출입을 허용하지 않습니다.",
            ("출입을 허용합니다", "출입을 허용하지 않습니다"),
        ),
        ("대상이다.", "대상이 아니다.", ("대상이다", "대상이 아니다")),
        ("휴일은 5월 3일", "휴일은 5월 4일", ("5월 3일", "5월 4일")),
        ("휴일은 5월 3일", "휴일은 2026년 5월 4일", ("5월 3일", "2026년 5월 4일")),
        ("휴일은 2025년 5월 3일", "휴일은 2026-05-03", ("2025년 5월 3일", "2026-05-03")),
        ("마감은 3월 31일까지", "마감은 4월 30일까지", ("3월 31일", "4월 30일")),
        ("The fair is on May 3.", "The fair is on May 4.", ("may 3", "may 4")),
        (
            "It is open in May 9:00-17:00.",
            "It is open in May 10:00-17:00.",
            ("9:00-17:00", "10:00-17:00"),
        ),
        (
            "The fair is on September 3rd.",
            "The fair is on 4th of September.",
            ("september 3rd", "4th of september"),
        ),
        ("The fair is on May 3, 2026.", "The fair is on 4 May.", ("may 3, 2026", "4 may")),
        ("The fair is on 3 May at 9 am.", "The fair is on 4 May at 9 am.", ("3 may", "4 may")),
        ("키보드는 유선입니다.", "키보드는 무선입니다.", ("키보드는 유선", "키보드는 무선")),
        (
            "키보드는 유선으로 잇는다.",
            "키보드는 무선으로 잇는다.",
            ("키보드는 유선", "키보드는 무선"),
        ),
        ("연결: 유선", "연결: 무선", ("연결: 유선", "연결: 무선")),
        ("MK: 유선 연결", "MK: 무선 연결", ("mk: 유선", "mk: 무선")),
        (
            "| 새벽 키보드 | 유선 | 3층 |",
            "| 새벽 키보드 | 무선 | 3층 |",
            ("| 새벽 키보드 | 유선", "| 새벽 키보드 | 무선"),
        ),
        (
            "인증은 필수 사항입니다.",
            "인증은 선택 사항입니다.",
            ("인증은 필수 사항", "인증은 선택 사항"),
        ),
        (
            "저장은 활성화되어 있습니다.",
            "저장은 비활성화되어 있습니다.",
            ("저장은 활성", "저장은 비활성"),
        ),
        ("월요일은 영업합니다.", "월요일은 휴무입니다.", ("월요일은 영업", "월요일은 휴무")),
        ("It is wired only.", "It is wireless only.", ("it is wired", "it is wireless")),
        (
            "It is now enabled for all.",
            "It is now disabled for all.",
            ("it is now enabled", "it is now disabled"),
        ),
        ("Y1 서버의 메모리는 64GB이다.", "Y1 서버의 메모리는 128GB이다.", ("64gb", "128gb")),
        ("거리는 12km입니다.", "거리는 15km입니다.", ("12km", "15km")),
        ("메모리는 64GB이고 빠르다.", "메모리는 32GB이고 빠르다.", ("64gb", "32gb")),
        ("메모리는 64기가이다.", "메모리는 128기가이다.", ("64기가", "128기가")),
        ("Server Y1 has 32 cores.", "Server Y1 has 64 cores.", ("32 cores", "64 cores")),
        ("Server Y1 has four cores.", "Server Y1 has 8 cores.", ("four cores", "8 cores")),
        (
            "Server Y1 has twenty-four cores.",
            "Server Y1 has 32 cores.",
            ("twenty-four cores", "32 cores"),
        ),
        (
            "Server Y1 has 32 cores and 2 disks.",
            "Server Y1 has 32 cores and 4 disks.",
            ("2 disks", "4 disks"),
        ),
        ("Server Y1 has one disk.", "Server Y1 has two disks.", ("one disk", "two disks")),
        ("Server Y1: 16 vCPU.", "Server Y1: 8 vCPU.", ("16 vcpu", "8 vcpu")),
        ("It comes with 3 spare keys.", "It comes with 5 spare keys.", ("3 spare", "5 spare")),
        ("The backup takes 90 minutes.", "The backup takes 2 hours.", ("90 minutes", "2 hours")),
        ("백업은 90분 걸린다.", "백업은 2시간 걸린다.", ("90분", "2시간")),
        ("백업은 1시간 30분 걸린다.", "백업은 2시간 걸린다.", ("1시간 30분", "2시간")),
        ("백업은 한 시간 반 걸린다.", "백업은 두 시간 걸린다.", ("한 시간 반", "두 시간")),
        ("점검은 2주 걸린다.", "점검은 10일 걸린다.", ("2주", "10일")),
        ("보증은 12개월입니다.", "보증은 24개월입니다.", ("12개월", "24개월")),
        ("The warranty lasts 12 months.", "The warranty lasts 2 years.", ("12 months", "2 years")),
        ("사용자는 1천 명이다.", "사용자는 1만 명이다.", ("1천 명", "1만 명")),
        ("요금은 1만 5천 원이다.", "요금은 25,000원이다.", ("1만 5천 원", "25,000원")),
        ("코어는 서른두 개이다.", "코어는 64개이다.", ("서른두 개", "64개")),
        ("The fee is $20.", "The fee is 25 dollars.", ("$20", "25 dollars")),
        ("Server Y1 stands in rack R-17.", "Server Y1 stands in rack R-18.", ("r-17", "r-18")),
        ("Y1 서버는 랙 R-17에 있다.", "Y1 서버는 랙 R-18에 있다.", ("r-17", "r-18")),
        ("The rack of Y1 is R-17.", "The rack of Y1 is R-18.", ("r-17", "r-18")),
        ("Server Y1 runs Debian 12.", "Server Y1 runs Debian 13.", ("12", "13")),
        ("Y1 서버는 데비안 12를 쓴다.", "Y1 서버는 데비안 13을 쓴다.", ("12", "13")),
        ("The version is 3.6.1.", "The version is 3.7.0.", ("3.6.1", "3.7.0")),
        (
            "The address of server Y1 is 10.0.0.1.",
            "The address of server Y1 is 10.0.0.2.",
            ("10.0.0.1", "10.0.0.2"),
        ),
        (
            "Call team Y1 at 02-123-4567.",
            "Call team Y1 at 02-123-4568.",
            ("02-123-4567", "02-123-4568"),
        ),
        ("Mail goes to a@x.kr.", "Mail goes to b@x.kr.", ("a@x.kr", "b@x.kr")),
        ("Write to Y1 at a@x.kr.", "Write to Y1 at b@x.kr.", ("a@x.kr", "b@x.kr")),
        ("점검은 월요일이다.", "점검은 화요일이다.", ("월요일", "화요일")),
        ("점검은 월요일이다.", "점검은 화요일입니다.", ("월요일", "화요일")),
        ("랙은 R-17이다.", "랙은 R-18입니다.", ("r-17", "r-18")),
        ("점검은 매주 월요일에 한다.", "점검은 매주 화요일에 한다.", ("월요일", "화요일")),
        ("The check is on Monday.", "The check is on Tuesdays.", ("monday", "tuesdays")),
        (
            "The check is every Monday at 9 am.",
            "The check is every Friday at 9 am.",
            ("monday", "friday"),
        ),
        (
            "2단계 인증은 켜져 있다.",
            "2단계 인증은 꺼져 있다.",
            ("2단계 인증은 켜져", "2단계 인증은 꺼져"),
        ),
        (
            "The light is switched on.",
            "The light is switched off.",
            ("the light is switched on", "the light is switched off"),
        ),
        (
            "Y1 서버는 암호화되어 있다.",
            "Y1 서버는 암호화되어 있지 않다.",
            ("y1 서버는 암호화되어 있다", "y1 서버는 암호화되어 있지 않다"),
        ),
        ("승인이 필요하다.", "승인이 필요 없다.", ("승인이 필요하다", "승인이 필요 없다")),
        (
            "승인이 필요합니다.",
            "승인이 필요하지 않습니다.",
            ("승인이 필요합니다", "승인이 필요하지 않습니다"),
        ),
        ("승인이 필요하다.", "승인이 불필요하다.", ("승인이 필요하다", "승인이 불필요하다")),
        (
            "The restore succeeded.",
            "The restore failed.",
            ("the restore succeeded", "the restore failed"),
        ),
        ("복원은 성공했다.", "복원은 실패했다.", ("복원은 성공", "복원은 실패")),
        (
            "The check is before noon.",
            "The check is after noon.",
            ("the check is before", "the check is after"),
        ),
        ("점검은 정오 전이다.", "점검은 정오 후이다.", ("점검은 정오 전", "점검은 정오 후")),
        ("점검은 오전이다.", "점검은 오후이다.", ("점검은 오전", "점검은 오후")),
        (
            "트래픽은 작년에 늘었다.",
            "트래픽은 작년에 줄었다.",
            ("트래픽은 작년에 늘었", "트래픽은 작년에 줄었"),
        ),
        ("가격 3만원", "가격 35,000원", ("3만원", "35,000원")),
    ],
)
def test_one_number_of_one_sentence_differs(one: str, other: str, values: tuple[str, str]):
    assert seen(one, other) == [dict(zip(("d1", "d2"), values, strict=True))]


@pytest.mark.parametrize(
    "texts",
    [
        ("가격 29,000원", "가격 29000원"),
        ("가격 3.0만 원", "가격 3만 원"),
        ("가격 29,000원", "배송비 3,000원"),
        ("가격 3만 5천원", "가격 35,000원"),
        ("29,000원", "35,000원"),
        ("| 29,000원 |", "| 35,000원 |"),
        ("| 새벽 키보드 | 29,000원 |", "| 한낮 키보드 | 35,000원 |"),
        ("1월 요금은 3만원", "2월 요금은 4만원"),
        ("1월 요금은 3만원", "2월 요금은 3만원"),
        ("휴일은 5월 3일", "휴일은 2026년 5월 3일"),
        ("문은 9시 30분에 엽니다.", "문은 9:30에 엽니다.", "문은 9시 반에 엽니다."),
        ("환불이 가능합니다.", "환불이 가능하다."),
        ("주차장 있음, 매점 없음.", "주차장 있음, 매점 있음."),
        ("5 cranes are here.", "9 cranes are here."),
        ("It is on May 3 2026, of 5 m.", "It is on May 3, 2026, of 5 m."),
        ("휴일은 5월 3일", "휴일은 3일", "휴일은 9시"),
        ("5월 3일 요금은 3만원", "5월 4일 요금은 4만원"),
        ("The fair is on May 3.", "The fair is on 3 May 2026.", "The fair is on 2026-05-03."),
        ("Room 5 may be closed.", "Room 9 may be closed."),
        ("무선 키보드는 29,000원입니다.", "유선 키보드는 29,000원입니다."),
        ("| 무선 키보드 | 29,000원 |", "| 유선 키보드 | 29,000원 |"),
        ("Wired keyboards are in hall 2.", "Wireless keyboards are in hall 2."),
        ("Paid plans have support.", "Free plans have support."),
        ("There are wired keyboards only.", "There are wireless keyboards only."),
        ("창고에는 무선 키보드가 있다", "창고에는 유선 키보드가 있다"),
        ("키보드는 유선이나 무선입니다.", "키보드는 무선이나 유선입니다."),
        ("키보드는 유선형입니다.", "키보드는 무선형입니다."),
        ("2025년 요금은 3만원", "2026년 요금은 4만원"),
        ("1층 화장실", "2층 화장실"),
        ("제1 시간 요금", "제2 시간 요금"),
        ("재고 4", "재고 7"),
        ("Room 5 has a crane.", "Room 9 has a crane."),
        ("Two cranes work.", "Three cranes work."),
        ("2026-01-05 the crane started", "2026-02-05 the crane started"),
        ("The crane opens at 9 am.", "The crane opens at 9:00."),
        ("The crane stops at 12 am.", "The crane stops at 0:00."),
        ("크레인은 오전 12시에 멈춥니다.", "크레인은 00:00에 멈춥니다."),
        ("Smoking is allowed.", "Smoking is permitted."),
        ("흡연을 허용합니다.", "흡연을 허용한다."),
        ("버전 3.6.1", "버전 3.7.0"),
        ("1. 요금은 3만원", "2. 요금은 4만원"),
        ("가격 29,000원. 가격 35,000원.", "배송 무료"),
        ("메모리는 64GB이다.", "메모리는 64 GB이다."),
        ("메모리는 64기가이다.", "메모리는 64GB이다."),
        ("메모리는 64GB이다.", "메모리는 65536MB이다."),
        ("디스크는 2TB이다.", "디스크는 2000GB이다."),
        ("The disk has 2 TB.", "The disk has 2,048 GB."),
        ("Server Y1 has 4 cores.", "Server Y1 has four cores."),
        ("Server Y1 has 1 disk.", "Server Y1 has one disk."),
        ("Server Y1 has 32 cores.", "Server Y1 has 2 disks."),
        ("Server 1 has 32 cores.", "Server 2 has 32 cores."),
        ("Room 5 has windows.", "Room 9 has windows."),
        ("In 2023 sales fell.", "In 2024 sales fell."),
        ("It was sold to 2023 buyers.", "It was sold to 2024 buyers."),
        ("The backup takes 120 minutes.", "The backup takes 2 hours."),
        ("The backup takes 90 minutes.", "The backup takes 1.5 hours."),
        ("백업은 1시간 30분 걸린다.", "백업은 90분 걸린다."),
        ("백업은 한 시간 반 걸린다.", "백업은 90분 걸린다."),
        ("점검은 2주 걸린다.", "점검은 14일 걸린다."),
        ("The warranty lasts 24 months.", "The warranty lasts 2 years."),
        ("사용자는 1천 명이다.", "사용자는 1,000명이다."),
        ("요금은 1만 5천 원이다.", "요금은 15,000원이다."),
        ("요금은 3만 원이다.", "요금은 30,000원이다."),
        ("코어는 서른두 개이다.", "코어는 32개이다."),
        ("The fee is $20.", "The fee is 20 dollars."),
        ("The fee is $20.", "The fee is 20 euros."),
        ("It is 1 inch long.", "It is 2.5 cm long."),
        ("Rack R-17 holds server Y1.", "Rack R-17 holds server Y2."),
        ("Server Y1 stands in rack R-17.", "Server Y2 stands in rack R-17."),
        ("랙 R-17에는 서버 Y1이 있다.", "랙 R-17에는 서버 Y2가 있다."),
        ("License: BSD-3", "License: BSD-2"),
        ("The rack is R-17.", "The rack is R17."),
        ("상자는 2cm 3cm이다.", "상자는 4cm이다."),
        ("The rack is R-07.", "The rack is r-7."),
        ("Version 12 runs well.", "Version 13 runs well."),
        ("Debian 12 is old.", "Debian 13 is old."),
        ("See chapter 3.", "See chapter 4."),
        ("Photos in folder 3.", "Photos in folder 4."),
        ("Y1 서버는 데비안 12를 쓴다.", "Y1 서버는 데비안 12를 씁니다."),
        ("On Monday the shop is closed.", "On Tuesday the shop is closed."),
        ("월요일은 쉽니다.", "화요일은 쉽니다."),
        ("The check is on Monday.", "The check is on Mondays."),
        ("월요일 점검은 9시", "화요일 점검은 9시"),
        ("2단계 인증은 켜져 있다.", "2단계 인증은 켜짐."),
        ("등은 꺼지지 않는다.", "등은 켜져 있다."),
        ("암호화되어 있다.", "암호화되어 있습니다."),
        ("승인이 필요하다.", "승인이 필요합니다."),
        ("승인이 필요 없다.", "승인이 불필요하다."),
        ("The restore succeeded.", "The restore passed."),
        ("복원은 성공했다.", "복원은 성공."),
        ("오전 9시에 연다.", "9시에 연다."),
        ("The check is before noon.", "The check is before the meeting."),
        ("트래픽은 늘었다.", "트래픽은 증가했다."),
        ("줄이 늘어졌다.", "줄이 줄었다."),
        ("There is one day left.", "There are two days left."),
        ("Part 1 of 3", "Part 2 of 3"),
        ("Step 2: 3 eggs", "Step 3: 3 eggs"),
        ("Page 3 of 10 pages", "Page 4 of 10 pages"),
        ("May 3 is a holiday.", "May 4 is a holiday."),
        ("On May 3 the fair opens.", "On May 4 the fair opens."),
        ("10.0.0.1 is the gateway.", "10.0.0.2 is the gateway."),
        ("a@x.kr is the address.", "b@x.kr is the address."),
        ("계약은 한 주 단위이다.", "계약은 일주일 단위이다."),
        ("점검은 이틀 걸린다.", "점검은 2일 걸린다."),
        ("창고까지 12km이다.", "창고까지 12,000m이다."),
        ("요금은 백 원이다.", "요금은 100원이다."),
        ("The meeting is in room 5 at 9 am.", "The meeting is in room 5 at 09:00."),
        ("한 시간 뒤에 연다.", "1시간 뒤에 연다."),
    ],
)
def test_no_disagreement(texts: tuple[str, ...]):
    assert seen(*texts) == []


def test_a_day_is_told_once_with_and_without_its_year():
    days = ["2025년 5월 3일", "2026년 5월 4일", "5월 9일"]
    texts = [f"휴일은 {day}입니다." for day in days]
    assert seen(*texts[:2]) == [{"d1": days[0], "d2": days[1]}]
    assert seen(*texts) == [{"d1": days[0], "d2": days[1], "d3": days[2]}]


def told(*texts: str) -> list[Disagreement]:
    """What passages about the MK-77 tell against the first."""
    passages = [Passage(f"d{n}", text, "") for n, text in enumerate(texts, 1)]
    return contrary(passages, re.compile(r"MK-77(?!\d)"))


@pytest.mark.parametrize(
    ("one", "other", "values"),
    [
        ("The MK-77 is wired.", "The MK-77 works wirelessly, 2.4 GHz.",
         ("the mk-77 is wired", "the mk-77 works wirelessly")),
        ("MK-77: wired keyboard, 3 kg", "Quiet. The MK-77 keyboard is wireless.",
         ("mk-77: wired", "the mk-77 keyboard is wireless")),
        ("id: MK-77; connection: wired", "MK-77\nConnection: wireless",
         ("connection: wired", "connection: wireless")),
        ("MK-77은 유선입니다.", "MK-77 안내\nMK-77은 무선이고 가볍다.",
         ("mk-77은 유선", "mk-77은 무선")),
        ("MK-77 keyboard lock: enabled", "MK-77\nThe keyboard lock is disabled.",
         ("mk-77 keyboard lock: enabled", "the keyboard lock is disabled")),
        ("MK-77: 관리자에게 필수이다.", "관리자의 MK-77은 선택 사항이다.",
         ("mk-77: 관리자에게 필수", "관리자의 mk-77은 선택 사항")),
        ("MK-77 출입은 허용된다.", "MK-77\n출입: 금지", ("mk-77 출입은 허용", "출입: 금지")),
        ("The MK-77 is required.", "MK-77: optional", ("the mk-77 is required", "mk-77: optional")),
        ("MK-77 entry is allowed and smoking is forbidden.", "MK-77: the entry is forbidden",
         ("mk-77 entry is allowed", "mk-77: the entry is forbidden")),
        ("MK-77 출입은 허용하고 흡연은 금지한다.", "MK-77: 출입 금지",
         ("mk-77 출입은 허용", "mk-77: 출입 금지")),
        ("The MK-77 keyboard is wired.", "MK-77 키보드는 무선이다.",
         ("the mk-77 keyboard is wired", "mk-77 키보드는 무선")),
        ("MK-77 흡연은 금지하며 출입은 허용한다.", "MK-77: 출입 금지",
         ("출입은 허용", "mk-77: 출입 금지")),
    ],
)  # fmt: skip
def test_opposites_that_are_told_of_one_thing(one: str, other: str, values: tuple[str, str]):
    assert told(one, other) == [dict(zip(("d1", "d2"), values, strict=True))]
    assert told(one, "MK-77", other) == [dict(zip(("d1", "d3"), values, strict=True))]
    assert told(one, one) == told("MK-77", one, other) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The MK-77 is wired.", "The MK-77 is white. Its mouse is wireless."),
        ("The MK-77 is wired.", "The MK-770 is wireless."),
        ("The MK-77 is required.", "For the MK-77 a licence is optional."),
        ("The MK-77 is required for admins.", "The newsletter is optional for admins."),
        ("The MK-77 is required for admins.", "The MK-77 phone is optional for admins."),
        ("The MK-77 is required.", "The MK-77 is not optional."),
        ("MK-77은 필수입니다.", "MK-77은 선택이 아닙니다."),
        ("MK-77은 유선입니다.", "MK-77은 무선으로 쓰지 못합니다."),
        ("MK-77은 유선입니다.", "MK-77 무선 마우스는 3만원"),
        ("MK-77의 메뉴는 필수입니다.", "MK-77의 메뉴를 선택합니다."),
        ("MK-77: wired", "MK-77: enabled"),
        ("The MK-77 is wired.", "The MK-77 is wireless or wired."),
        ("The MK-77 is wired.", f"{'The MK-77 hums, ' * 3}the MK-77 {'very ' * 80}is wireless."),
        ("MK-77: wired", "MK-77은 유선입니다."),
        ("The MK-77 keyboard is wired.", "MK-77 키보드는 유선이다."),
        ("The server MK-77 is wired. The server MK-78 is wireless.", "The server MK-77 is wired."),
        ("The MK-77 keyboard is wired.", "MK-77 키보드의 마우스는 무선이다."),
        ("The MK-77 keyboard is wired.", "키보드는 무선이다."),
        ("The MK-77 lock is enabled.", "MK-77 전등은 비활성이다."),
    ],
)
def test_opposites_of_two_things_are_none(one: str, other: str):
    assert told(one, other) == told(other, one) == []


ALLERGY = frozenset({"알레", "레르", "르기", "allergy", "rash"})


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (("rash on the arm", "no rash seen"), {"d1": "rash", "d2": "no rash seen"}),
        (("알레르기 있음", "알레르기 (allergies): 없음"),
         {"d1": "알레르기", "d2": "알레르기 (allergies): 없음"}),
        (("rash on the arm", "rash: negative"), {"d1": "rash", "d2": "rash: negative"}),
        (("rash on the arm", "no fever, slept well"), {}),
        (("rash on the arm", "no fever, rash on the leg"), {}),
        (("no rash", "no allergy, the rash is from heat"), {}),
        (("no rash", "slept well"), {}),
        (("알레르기 없음", "rash: none"), {}),
    ],
)  # fmt: skip
def test_what_one_denies_and_the_other_names(texts: tuple[str, ...], values: Disagreement):
    assert opposed([Passage(f"d{n}", t, "") for n, t in enumerate(texts, 1)], ALLERGY) == values


def test_another_value_than_the_first_has():
    passages = [Passage(f"d{n}", t, "") for n, t in enumerate(["on srv-1", "on srv-2", "on"], 1)]
    pattern = r"srv-\d"
    assert differing_values(passages, [pattern, pattern]) == [{"d1": "srv-1", "d2": "srv-2"}]
    assert differing_values(passages[:1] * 2, [pattern]) == []
    assert differing_values(passages[::-1], [pattern]) == differing_values([], [pattern]) == []


def test_without_a_name_the_words_beside_must_be_the_same():
    passages = [Passage("a", "Entry: allowed", ""), Passage("b", "The entry is forbidden.", "")]
    assert contrary(passages, None) == [{"a": "entry: allowed", "b": "the entry is forbidden"}]
    assert contrary([Passage("a", "Wired.", ""), Passage("b", "Wireless.", "")], None) == []
    assert contrary([], None) == []


def test_all_that_say_it_are_named_once():
    texts = ["가격 3만 원", "가격 4만 원", "가격 3만 원", "다른 말", "배송 2일. 가격 5만 원."]
    assert seen(*texts) == [{"d1": "3만 원", "d2": "4만 원", "d3": "3만 원", "d5": "5만 원"}]
    assert seen("가격 1원. 무게 2kg.", "가격 3원. 무게 4kg.") == [
        {"d1": "1원", "d2": "3원"},
        {"d1": "2kg", "d2": "4kg"},
    ]


def test_a_sentence_has_an_end():
    for length, number in ((293, 1), (294, 0)):
        one, other = ("가" * length + f" 가격 {n}만원" for n in (3, 4))
        assert len(seen(one, other)) == number


def test_what_stands_under_two_headings_of_one_document_is_not_compared():
    one = Passage("a.md:2", "가격 3만 원", "a.md", context="a 마우스")
    two = Passage("a.md:5", "가격 4만 원", "a.md", context="a 키보드")
    three = Passage("b.md:2", "가격 4만 원", "b.md", context="b 마우스")
    assert disagreements([one, two]) == []
    assert disagreements([one, two, three]) == [{"a.md:2": "3만 원", "b.md:2": "4만 원"}]


def test_long_texts_take_no_time():
    assert seen("가격 1원. " * 5_000_000, "가격 2원. " * 5_000_000)
    assert seen("1,1" * 100_000, "1 " * 100_000, "1월 1. " * 100_000) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Refunds take 7 days.", "Refunds take 14 days if the bank is closed."),
        ("The limit is 300 won (members).", "The limit is 400 won (guests)."),
        ("환불은 7일 걸렸다.", "환불은 14일 걸린다."),
        ("한도는 300원이다(회원).", "한도는 400원이다(일요일 제외)."),
    ],
)
def test_a_condition_or_another_time_may_be_another_thing(one: str, other: str) -> None:
    assert seen(one, other) == []
