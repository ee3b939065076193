"""Bounds that a question states, through the command: proposed, confirmed by a person, and never
applied by themselves."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from agent.chat.place import Place
from agent.chat.room import Room
from agent.cli import main
from agent.settings import read_settings
from tests.replies import Replies, call, turn
from tests.terminal import CTRL_C, ENTER, PtyTerminal, ended, enter, ready, until

SHOP = Path(__file__).parent / "data/shop"
Command = Callable[..., subprocess.CompletedProcess[str]]


@dataclass(frozen=True)
class Asked:
    """The record of a question, and what was told beside it."""

    record: dict[str, Any]
    told: str

    @property
    def proposed(self) -> list[str]:
        return [each for made in self.record["proposals"] for each in made["conditions"]]

    @property
    def reasons(self) -> list[str]:
        return [made["reason"] for made in self.record["proposals"] if made["reason"]]

    @property
    def ids(self) -> list[str]:
        return [each["id"] for each in self.record["evidence"]]


def run(*arguments: str) -> Asked:
    """``bareloop ask --json`` in this process, where nobody sits at the terminal."""
    with redirect_stdout(StringIO()) as written, redirect_stderr(StringIO()) as aside:
        code = main(["ask", "--json", *arguments])
    assert code in (0, 3, 4), aside.getvalue()
    return Asked(json.loads(written.getvalue()), aside.getvalue())


def products(question: str, *where: str) -> Asked:
    conditions = [each for condition in where for each in ("--where", condition)]
    return run("--corpus", "products", *conditions, question)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with ``tests/data/shop`` indexed in it."""
    folder = tmp_path_factory.mktemp("shop") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BARELOOP_DATA", str(folder))
        with redirect_stdout(StringIO()):
            assert main(["index", str(SHOP)]) == 0
    yield folder


@pytest.fixture
def shop(data: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    """Ask the indexed shop."""
    monkeypatch.setenv("BARELOOP_DATA", str(data))

    def ask(question: str, *where: str) -> Asked:
        conditions = [each for condition in where for each in ("--where", condition)]
        return run("--corpus", "shop", *conditions, question)

    return ask


# what is proposed


@pytest.mark.parametrize(
    ("words", "of_products", "of_shop"),
    [
        pytest.param("29,000원 이하", ["max_won<=29000"], ["price<=29000"], id="FP-01 commas"),
        pytest.param("3만 원 이하", ["max_won<=30000"], ["price<=30000"], id="FP-01 a space"),
        pytest.param(
            "10~20만원", ["max_won<=200000"], ["price>=100000", "price<=200000"], id="FP-01 range"
        ),
        pytest.param(
            "1억 2천만원 이하", ["max_won<=120000000"], ["price<=120000000"], id="FP-01 scales"
        ),
        pytest.param("2만9천원 이하", ["max_won<=29000"], ["price<=29000"], id="FP-01 in a row"),
        pytest.param("3.5만원 이하", ["max_won<=35000"], ["price<=35000"], id="FP-01 decimals"),
        pytest.param("40만 원 미만", ["max_won<=399999"], ["price<400000"], id="FP-02 under"),
        pytest.param("40만원 이하", ["max_won<=400000"], ["price<=400000"], id="FP-02 at most"),
        pytest.param("40만원 초과", [], ["price>400000"], id="FP-02 over"),
        pytest.param("40만원 이상", [], ["price>=400000"], id="FP-02 at least"),
        pytest.param(
            "40만원대", ["max_won<=499999"], ["price>=400000", "price<500000"], id="FP-02 step"
        ),
        pytest.param(
            "40만원 정도", ["max_won<=440000"], ["price>=360000", "price<=440000"], id="FP-02 about"
        ),
        pytest.param("최대 40만", ["max_won<=400000"], ["price<=400000"], id="FP-02 max"),
        pytest.param(
            "30만에서 40만 사이", ["max_won<=400000"], ["price>=300000", "price<=400000"],
            id="FP-02 between",
        ),
        ("십만 원 이하", ["max_won<=100000"], ["price<=100000"]),
        ("이만오천원 이하", ["max_won<=25000"], ["price<=25000"]),
        ("１０만 원 이하", ["max_won<=100000"], ["price<=100000"]),
        ("1만 5천원 이하", ["max_won<=15000"], ["price<=15000"]),
        ("10만 원을 넘지 않는", ["max_won<=100000"], ["price<=100000"]),
        ("10만원 안 넘는", ["max_won<=100000"], ["price<=100000"]),
        ("10만 원이 안 되는", ["max_won<=99999"], ["price<100000"]),
        ("10만원보다 싼", ["max_won<=99999"], ["price<100000"]),
        ("10만 원 이내의", ["max_won<=100000"], ["price<=100000"]),
        ("under 100,000 won", ["max_won<=99999"], ["price<100000"]),
        ("at most 100,000 won", ["max_won<=100000"], ["price<=100000"]),
        ("no more than KRW 100,000", ["max_won<=100000"], ["price<=100000"]),
        ("not under 100,000 won", [], ["price>=100000"]),
        ("100,000 won or less", ["max_won<=100000"], ["price<=100000"]),
        (
            "between 50,000 and 100,000 won", ["max_won<=100000"],
            ["price>=50000", "price<=100000"],
        ),
        ("1kg 넘지 않는", ["max_grams<=1000"], ["weight_kg<=1"]),
        ("800g 이하", ["max_grams<=800"], ["weight_kg<=0.8"]),
        ("2.5 킬로 미만", ["max_grams<=2499"], ["weight_kg<2.5"]),
        ("3kg 이상", [], ["weight_kg>=3"]),
        ("at most 2 kg", ["max_grams<=2000"], ["weight_kg<=2"]),
        ("너비(width) 120cm 이하", [], ["width_cm<=120"]),
        ("width at most 1.2 m", [], ["width_cm<=120"]),
        (
            "10만 원 이하이고 800g 이하인", ["max_won<=100000", "max_grams<=800"],
            ["price<=100000", "weight_kg<=0.8"],
        ),
    ],
)  # fmt: skip
def test_a_bound_is_proposed_where_a_field_can_hold_it(
    shop: Callable[..., Asked], words: str, of_products: list[str], of_shop: list[str]
):
    asked = products(f"{words} 저소음 키보드")
    assert (asked.proposed, asked.ids) == (of_products, products("저소음 키보드").ids)
    assert [each["confirmed"] for each in asked.record["proposals"]] == [None] * len(
        asked.record["proposals"]
    )
    for condition in of_products:
        assert f'--where "{condition}"' in asked.told
        assert products("저소음", condition).record["status"] in ("open", "incomplete")
    asked = shop(f"{words} 책상")
    assert asked.proposed == of_shop
    for condition in of_shop:
        assert shop("책상", condition).record["status"] in ("open", "incomplete")


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("10만원 이하 책상은?", "책상"),
        ("20kg 이하 책상은?", "책상"),
        ("10만원 이하 20kg 이하 책상은?", "책상"),
        ("10만원 이하 의자는?", None),
        ("10만원 이하 금색 철제 책상은?", None),
        ("3리터 이하 넓은 책상은?", None),
    ],
)
def test_the_words_of_a_bound_need_not_stand_in_what_is_found(
    shop: Callable[..., Asked], question: str, ids: str | None
):
    assert set(shop(question).ids) == set(shop(ids).ids if ids else [])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("10만 원 이하 말고", "negated"),
        ("10만 원 이하 제품은 빼고", "negated"),
        ("10만 원 이하가 아닌", "negated"),
        ("10만 원 넘는 건 싫어", "negated"),
        ("nothing good under 100,000 won", "negated"),
        ("10만 원 이하거나 800g 이하인", "either"),
        ("under 100,000 won or under 800 g", "either"),
        ("10만 원 이하나 20만 원 이상", "either"),
        ("10만 원 이하든 20만 원 이상이든", "either"),
        ("10만 원 또는 20만 원 이하", "either"),
        ("10만 원이나 20만 원 이하", "either"),
        ("10만 원 이하 혹은 20만 원", "either"),
        ("50,000 won or 100,000 won or less", "either"),
        ("10만 원 이하, 20만 원 이하", "several"),
        pytest.param("월 9,900원 이하", "rate", id="FP-01 a month"),
        ("개당 9,900원 이하", "rate"),
        ("under 100,000 won per month", "rate"),
        pytest.param("-10만원 이하", "unclear", id="FP-01 negative"),
        ("약 10만 원 이하", "unclear"),
        ("몇 만원 이하", "unclear"),
        ("30~40만원대", "unclear"),
        ("10만 원 이상 할인되는", "unclear"),
        ("20만원에서 10만원 사이", "unclear"),
        ("10,20만원 이하", "unclear"),
        pytest.param("$640 이하", "currency", id="FP-01 dollars"),
        ("under $50", "currency"),
        ("3만 달러 이하", "currency"),
    ],
)
def test_what_is_no_plain_bound_is_said_and_not_proposed(
    shop: Callable[..., Asked], words: str, reason: str
):
    for asked in (products(f"{words} 저소음 키보드"), shop(f"{words} 책상")):
        assert asked.proposed == [] and set(asked.reasons) == {reason}
        assert asked.told.strip() and "--where" not in asked.told
        assert {each["confirmed"] for each in asked.record["proposals"]} == {None}


@pytest.mark.parametrize(
    "words",
    [
        '"10만 원 이하"라고 적힌',
        "'10만 원 이하' 문구의",
        "「10만 원 이하」 표시가 있는",
        "10만 원 이상한",
        "10만 원짜리",
        pytest.param("1만 5천원", id="FP-01 a price alone"),
        "10만 원 또는 20만 원인",
        "more than 3 shelves, a",
        pytest.param("무료", id="FP-01 free"),
        pytest.param("가격 문의", id="FP-01 no price"),
        "USB 3",
    ],
)
def test_what_states_no_bound_is_passed_over(shop: Callable[..., Asked], words: str):
    for asked in (products(f"{words} 저소음 키보드"), shop(f"{words} 책상")):
        assert (asked.record["proposals"], asked.told) == ([], "")


def test_a_bound_that_no_field_has_is_said(
    shop: Callable[..., Asked],
):
    for words in ("3개 이하", "30cm 이하", "5시간 이상"):
        asked = products(f"{words} 저소음 키보드")
        assert (asked.proposed, asked.reasons) == ([], ["no_field"]) and words in asked.told
    for words in ("3개 이하", "5시간 이상", "2024 이후", "2025년 6월 1일 이전"):
        asked = shop(f"{words} 책상")
        assert (asked.proposed, asked.reasons) == ([], ["no_field"]) and words in asked.told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("50000 이하", "50000 이하"),
        ("100,000 이하인", "100,000 이하"),
        ("5 이하", "5 이하"),
        ("under 100000", "under 100000"),
        ("at most 90,000", "at most 90,000"),
    ],
)
def test_a_number_without_a_unit_is_said_and_not_proposed(
    shop: Callable[..., Asked], words: str, told: str
):
    for asked in (products(f"{words} 저소음 키보드"), shop(f"{words} 책상")):
        assert (asked.proposed, asked.reasons) == ([], ["bare"])
        assert f'"{told}"에는 단위가 없어' in asked.told
    assert "price" in shop(f"{words} 책상").told
    assert shop(f"{words} 책상", "price<=100000").told == ""
    assert "has no unit" in shop("desks under 100000").told


def test_what_is_counted_or_a_year_is_no_number_without_a_unit(shop: Callable[..., Asked]):
    for words in ("at most 3 drawers", "under 5 shelves 책상"):
        assert shop(words).record["proposals"] == []


def test_a_number_without_a_unit_is_no_matter_where_no_field_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    (tmp_path / "a.md").write_text("The red door.\n", encoding="utf-8")
    with redirect_stdout(StringIO()):
        assert main(["index", str(tmp_path / "a.md"), "--corpus", "doors"]) == 0
    assert run("--corpus", "doors", "red door under 100000").record["proposals"] == []


def test_bounds_that_leave_nothing_between_them_are_not_proposed(shop: Callable[..., Asked]):
    asked = shop("10만 원 이하, 20만 원 이상 책상")
    assert (asked.proposed, set(asked.reasons)) == ([], {"several"})
    asked = shop("10만 원 이상, 20만 원 이하 책상")
    assert asked.proposed == ["price>=100000", "price<=200000"]


def test_of_several_fields_none_is_guessed(shop: Callable[..., Asked]):
    asked = shop("100cm 이하 책상")
    assert (asked.proposed, asked.reasons) == ([], ["fields"])
    assert "height_cm, width_cm" in asked.told


def test_a_field_without_a_unit_is_not_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    folder = tmp_path / "dumbbells"
    folder.mkdir()
    (folder / "list.csv").write_text("name,weight,price_per_kg\n아령,3,9000\n", encoding="utf-8")
    with redirect_stdout(StringIO()):
        assert main(["index", str(folder)]) == 0
    asked = run("--corpus", "dumbbells", "3kg 이상 아령")
    assert (asked.proposed, asked.reasons) == ([], ["no_unit"]) and "weight" in asked.told
    assert run("--corpus", "dumbbells", "10,000원 이하 아령").reasons == ["no_field"]


def test_a_fine_in_documents_is_no_price_and_that_is_said(bareloop: Command, tmp_path: Path):
    (tmp_path / "law.md").write_text("100,000원 이하의 벌금에 처한다.\n", encoding="utf-8")
    question = "100,000원 이하의 벌금은 무엇인가요?"
    environ = {"BARELOOP_DATA": str(tmp_path / "data")}
    assert bareloop("index", str(tmp_path), "--corpus", "fines", **environ).returncode == 0
    for place in (["--docs", str(tmp_path)], ["--corpus", "fines"]):
        done = bareloop("ask", "--json", *place, question, **environ)
        record = json.loads(done.stdout)
        reasons = [each["reason"] for each in record["proposals"]]
        assert reasons == (["no_field"] if "--corpus" in place else [])
        assert len(done.stderr.splitlines()) == len(reasons)
        assert "벌금" in record["answer"]


@pytest.mark.parametrize("where", ["max_won<=200000", "max_won<=90000"])
def test_a_condition_of_the_persons_own_leaves_nothing_to_propose(where: str):
    asked = products("10만 원 이하 저소음 키보드", where)
    assert (asked.record["proposals"], asked.told) == ([], "")
    asked = products("10만 원 이하이고 1kg 이하인 저소음 키보드", where)
    assert asked.proposed == ["max_grams<=1000"]


def test_the_words_of_a_condition_that_holds_are_no_words_to_look_for(
    shop: Callable[..., Asked],
):
    question = "10만 원 이하 책상"
    assert sorted(shop("책상", "price<=100000").ids) == sorted(shop(question, "price<=100000").ids)
    assert len(shop(question, "price<=100000").ids) == 3
    assert len(shop(question, "price<100000").ids) == 2


def test_a_question_with_a_character_of_private_use_is_a_question():
    assert products("\ue000 이하 10만 원 이하 키보드").proposed == ["max_won<=100000"]
    assert products("\ue000 이하 키보드").record["proposals"] == []


# who confirms

OFFERED = (
    '질문에 조건으로 보이는 말이 있지만 걸지 않았습니다: "10만 원 이하". '
    '걸려면 --where "max_won<=100000"을 붙이세요.'
)


def test_without_a_terminal_it_is_offered_and_not_applied(bareloop: Command):
    done = bareloop("ask", "--corpus", "products", "10만 원 이하 저소음 키보드")
    assert done.returncode == 0 and done.stderr.splitlines()[0] == OFFERED
    assert "[P2]" in done.stdout and "129000" in done.stdout
    done = bareloop(
        "ask", "--corpus", "products", "keyboard 저소음 under 100,000 won", BARELOOP_LANG="en"
    )
    first, second = done.stderr.splitlines()[:2]
    assert first.startswith('max_won only knows "at most"') and "max_won<=99999" in first
    assert second.endswith('To apply it, add --where "max_won<=99999".')


def test_a_yes_that_comes_through_a_pipe_is_nobodys(bareloop: Command):
    question = "10만 원 이하 저소음 키보드"
    done = bareloop("ask", "--json", "--corpus", "products", question, stdin="y\n")
    record = json.loads(done.stdout)
    assert [each["confirmed"] for each in record["proposals"]] == [None]
    assert "P2" in [each["id"] for each in record["evidence"]]
    done = bareloop("chat", "--corpus", "products", stdin=f"{question}\ny\n")
    assert OFFERED in done.stderr and "129000" in done.stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., PtyTerminal]]:
    """Start the command at a terminal."""
    opened: list[PtyTerminal] = []

    def start(*arguments: str) -> PtyTerminal:
        environ = {"BARELOOP_LANG": "ko", "BARELOOP_DATA": str(tmp_path / "data")}
        opened.append(PtyTerminal(list(arguments), environ, columns=160, lines=50))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


QUESTION = "10만 원 이하 저소음 키보드"
ASKING = '질문에 있는 조건입니다: "10만 원 이하". max_won<=100000에 맞는 것만 찾을까요? [y/n]'


@pytest.mark.parametrize(
    ("typed", "confirmed"),
    [("y", True), ("예", True), ("ㅛ", True), ("n", False), ("ㅜ", False), ("글쎄", None)],
)
def test_a_person_is_asked_once_and_only_a_yes_applies_it(
    terminal: Callable[..., PtyTerminal], typed: str, confirmed: bool | None
):
    screen = terminal("ask", "--json", "--corpus", "products", QUESTION)
    until(screen, lambda: ASKING in screen.screen())
    screen.send(typed + ENTER)
    if confirmed is None:
        until(screen, lambda: screen.screen().count("[y/n]") == 2)
        screen.send(typed + ENTER)
    assert ended(screen) == 0 and screen.screen()
    written = screen.written.decode().replace("\r\n", "\n")
    record = json.loads(written[written.index("\n{") :])
    assert record["proposals"] == [
        {
            "words": "10만 원 이하",
            "conditions": ["max_won<=100000"],
            "reason": None,
            "confirmed": confirmed,
        }
    ]
    ids = [each["id"] for each in record["evidence"]]
    assert ("P2" in ids) is (confirmed is not True) and "P1" in ids
    assert written.count("[y/n]") == (2 if confirmed is None else 1)
    assert (OFFERED in written) is (confirmed is None)


def test_an_interrupt_at_the_question_ends_the_command(terminal: Callable[..., PtyTerminal]):
    screen = terminal("ask", "--corpus", "products", QUESTION)
    until(screen, lambda: ASKING in screen.screen())
    screen.send(CTRL_C)
    assert ended(screen) == 130 and "P1" not in screen.screen()


def test_in_a_chat_it_holds_for_the_question_and_what_was_found_before_is_no_way_round(
    terminal: Callable[..., PtyTerminal],
):
    screen = terminal("chat", "--corpus", "products")
    ready(screen)
    enter(screen, "저소음 키보드")
    assert "129000원" in screen.screen()
    screen.send(QUESTION)
    until(screen, lambda: QUESTION in screen.cursor_line())
    screen.send(ENTER)
    until(screen, lambda: ASKING in screen.screen())
    screen.send("y" + ENTER)
    ready(screen)
    shown = screen.screen().rpartition(ASKING)[2]
    assert "[P1]" in shown and "129000원" not in shown and "[P2]" not in shown
    enter(screen, "저소음 사무실 키보드")
    assert "129000원" in screen.screen().rpartition("저소음 사무실 키보드")[2]


def test_what_an_earlier_question_found_cannot_be_cited_under_a_condition():
    room = Room(read_settings(model="offline", environ={}), Place("corpus", "products"))
    room.model = Replies(
        turn(call("search_products", query="저소음")),
        turn("고요 프로 [P2]"),
        *[turn(call("search_products", query="사무실")), turn("[P2]"), turn("[P2]")],
        turn("[P2]"),
    )
    first = room.answer("저소음 키보드", room.run_for("저소음 키보드"))
    assert first.answer == "고요 프로 [P2]"
    shown: list[str] = []
    room.settle(QUESTION, lambda text: not shown.append(text))
    second = room.answer(QUESTION, room.run_for(QUESTION, first))
    assert shown == [ASKING]
    assert (second.answer, [each.ok for each in second.citations]) == (None, [False])
    room.settle("프로는?", lambda text: not shown.append(text))
    third = room.answer("프로는?", room.run_for("프로는?", second))
    assert (third.answer, len(shown)) == ("[P2]", 1)


def test_where_the_condition_leaves_nothing_alternatives_stand_apart(
    terminal: Callable[..., PtyTerminal],
):
    screen = terminal("ask", "--corpus", "products", "5만 원 이하 저소음 사무실")
    until(screen, lambda: "[y/n]" in screen.screen())
    screen.send("y" + ENTER)
    assert ended(screen) == 3
    assert "max_won<=50000을 max_won<=69000으로 바꾸면" in screen.screen()
