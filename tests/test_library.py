"""Several indexed corpora side by side, as a person asks them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.cli import main
from agent.run import Run
from tests.replies import Replies, call, turn
from tests.tools.index.made import folder
from tools.choosing import Sample
from tools.documents import Folder, Passage
from tools.index.engine import Frequencies
from tools.index.indexed import About, find_indexed, index_folder, read_about
from tools.library import Library, Shelf
from tools.problems import Unavailable

ROOT = Path(__file__).parent.parent
Command = Callable[..., subprocess.CompletedProcess[str]]

MATERIAL = {
    "도서관": {
        "corpus.toml": (
            'name = "도서관"\ndescription = "도서관 이용 안내"\nlanguage = "ko"\nrole = "안내"\n'
        ),
        "대출.md": "# 대출\n\n책은 한 번에 다섯 권까지 두 주 동안 빌립니다.\n\n"
        "연체하면 하루에 백 원씩 연체료를 냅니다.\n\n"
        "예약한 책은 사흘 안에 찾아갑니다.\n",
        "notes.md": "# 안내\n\n열람실은 밤 열 시에 문을 닫습니다.\n\n"
        "주차장은 지하 이층에 있습니다.\n",
    },
    "clinic": {
        "corpus.toml": (
            'name = "clinic"\ndescription = "동물병원 진료 안내"\nlanguage = "ko"\nrole = "안내"\n'
        ),
        "접종.md": "# 예방 접종\n\n강아지는 생후 육 주부터 접종을 시작합니다.\n\n"
        "고양이는 해마다 한 번 추가 접종을 합니다.\n\n"
        "접종한 날에는 목욕을 시키지 않습니다.\n",
        "notes.md": "# 안내\n\n진료는 저녁 일곱 시에 마칩니다.\n\n"
        "응급 환자는 당직 수의사가 봅니다.\n",
    },
    "network": {
        "corpus.toml": (
            'name = "network"\ndescription = "Running the campus network"\n'
            'language = "en"\nrole = "manual"\n'
        ),
        "switches.md": "# Switches\n\nSwitch sw-hall-07 reboots when its blue key is held down.\n\n"
        "Firmware of the switches is updated on the second Tuesday.\n\n"
        "Spare cables hang in cabinet B.\n",
        "notes.md": "# Notes\n\nThe duty phone of the operators is extension 4410.\n",
    },
    "sailing": {
        "corpus.toml": (
            'name = "sailing"\ndescription = "Rules of the sailing club"\n'
            'language = "en"\nrole = "rules"\n'
        ),
        "boats.md": "# Boats\n\nDinghies are booked at the harbour desk a day ahead.\n\n"
        "Every sailor wears a life jacket beyond the pier.\n\n"
        "A torn sail is reported to the bosun.\n",
        "notes.md": "# Notes\n\nThe duty phone of the harbour is extension 2207.\n",
    },
    "payroll": {
        "corpus.toml": (
            'name = "payroll"\ndescription = "급여"\nlanguage = "ko"\npermission = "hr"\n'
        ),
        "급여.md": "# 급여\n\n급여는 매달 스무닷새에 지급합니다.\n",
    },
}

QUESTIONS = [
    ("책은 몇 권까지 빌리나요?", "도서관"),
    ("연체료는 하루에 얼마인가요?", "도서관"),
    ("예약한 책은 언제까지 찾아가나요?", "도서관"),
    ("열람실은 몇 시에 문을 닫나요?", "도서관"),
    ("주차장은 어디에 있나요?", "도서관"),
    ("강아지 접종은 언제 시작하나요?", "clinic"),
    ("고양이 추가 접종은 얼마나 자주 하나요?", "clinic"),
    ("접종한 날 목욕을 시켜도 되나요?", "clinic"),
    ("진료는 몇 시에 마치나요?", "clinic"),
    ("응급 환자는 누가 보나요?", "clinic"),
    ("How do I reboot switch sw-hall-07?", "network"),
    ("When is the firmware updated?", "network"),
    ("Where are spare cables?", "network"),
    ("What is the extension of the operators?", "network"),
    ("Where are dinghies booked?", "sailing"),
    ("Who wears a life jacket?", "sailing"),
    ("To whom is a torn sail reported?", "sailing"),
    ("What is the extension of the harbour?", "sailing"),
]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with every corpus in it, indexed by the command, once for all."""
    root = tmp_path_factory.mktemp("corpora")
    for name, files in MATERIAL.items():
        made = folder(root / f"{name} documents", dict(files))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("BARELOOP_DATA", str(root / "data"))
            assert main(["index", str(made)]) == 0
    yield root / "data"


@pytest.fixture
def data(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BARELOOP_DATA", str(indexed))
    return indexed


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own."""
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def asked(*arguments: str) -> tuple[dict[str, Any], str, int]:
    """The record of ``bareloop ask --json``, what it told aside, and its exit code; the command
    runs in this process, to be quick."""
    with redirect_stdout(StringIO()) as written, redirect_stderr(StringIO()) as aside:
        code = main(["ask", "--json", *arguments])
    return json.loads(written.getvalue() or "{}"), aside.getvalue(), code


def cited(record: dict[str, Any]) -> list[str]:
    return [each["id"] for each in record["citations"] if each["ok"]]


# which corpus a question is about


def test_questions_find_their_corpus(data: Path) -> None:
    """Nobody names a corpus; the figure is the share of questions answered from the right one."""
    right = []
    for question, name in QUESTIONS:
        record, _, code = asked(question)
        first = cited(record)[:1]
        right.append(code == 0 and first != [] and first[0].startswith(f"{name}:"))
        assert name in record["sources"] and len(record["sources"]) <= 2, question
    assert sum(right) / len(right) >= 0.97, [
        question for (question, _), ok in zip(QUESTIONS, right, strict=True) if not ok
    ]


def test_the_record_names_what_was_searched_and_each_passage_its_corpus(data: Path) -> None:
    record, aside, code = asked("Where are dinghies booked?")
    assert (code, record["status"], record["sources"]) == (0, "open", ["sailing"])
    assert cited(record) == ["sailing:boats.md:3"]
    assert record["evidence"][0]["source"] == "sailing"
    assert "payroll" not in aside


def test_files_of_one_name_stay_apart(data: Path) -> None:
    record, _, _ = asked("Which extension has a duty phone?")
    assert set(cited(record)) == {"network:notes.md:3", "sailing:notes.md:3"}
    assert record["sources"] == ["network", "sailing"] or record["sources"] == [
        "sailing",
        "network",
    ]


def test_a_plan_goes_before_what_was_indexed(bareloop: Command, data: Path) -> None:
    done = bareloop("ask", PLANNED)
    assert done.returncode == 0 and "steps-1" in done.stdout


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who painted the ceiling of the chapel?", "Indexed are: clinic, network, payroll"),
        ("오늘 점심 메뉴는 무엇인가요?", "색인된 자료: clinic, network, payroll"),
        ("Who painted gondolas beside the pier of Venice?", "Indexed are: clinic, network"),
    ],
)
def test_what_nobody_covers_is_not_answered(
    bareloop: Command, data: Path, question: str, words: str
) -> None:
    done = bareloop("ask", question)
    assert done.returncode == 4 and words in done.stdout
    assert "payroll (--permission hr)" in done.stdout and "도서관" in done.stdout


def test_without_an_index_the_sentence_is_as_before(bareloop: Command, own: Path) -> None:
    done = bareloop("ask", "Who painted the ceiling of the chapel?")
    assert done.returncode == 4 and "Indexed" not in done.stdout


# several that are named


def test_corpora_that_are_named_are_searched_together(data: Path) -> None:
    both = ("--corpus", "sailing", "--corpus", "network")
    record, _, code = asked(*both, "Which extension has a duty phone?")
    assert code == 0 and set(record["sources"]) == {"network", "sailing"}
    assert set(cited(record)) == {"network:notes.md:3", "sailing:notes.md:3"}
    record, _, _ = asked("--corpus", "clinic,network", "Where are dinghies booked?")
    assert record["status"] == "incomplete" and set(record["sources"]) == {"clinic", "network"}


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["sailing", "billing"], "billing cannot be searched beside others"),
        (["products", "sailing"], "products cannot be searched beside others"),
        (["sailing", "nothing"], "There is no corpus named nothing"),
    ],
)
def test_what_is_searched_in_its_own_way_is_named_alone(
    bareloop: Command, data: Path, names: list[str], sentence: str
) -> None:
    done = bareloop("ask", *(f"--corpus={name}" for name in names), "q")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence) and done.stderr.count("\n") == 1


def test_conditions_hold_in_each_of_several(data: Path) -> None:
    both = ("--corpus", "sailing", "--corpus", "network")
    record, _, _ = asked(*both, "--where", "format=md", "Which extension has a duty phone?")
    assert len(cited(record)) == 2
    record, _, _ = asked(*both, "--where", "format=pdf", "Which extension has a duty phone?")
    assert cited(record) == []
    _, aside, code = asked(*both, "--where", "colour=red", "q")
    assert code == 2 and "colour" in aside


def test_a_corpus_without_the_field_of_a_condition_has_nothing_and_is_told_once(
    own: Path, tmp_path: Path
) -> None:
    files = {
        "shelf": {"list.csv": "item,code\noak shelf,007\noak table,7\n"},
        "store": {"list.csv": "item,price\noak shelf,5\noak chair,n/a\n"},
    }
    for name, each in files.items():
        with redirect_stdout(StringIO()):
            assert main(["index", str(folder(tmp_path / name, each))]) == 0
    question = "Which item is of oak?"
    for both in (("--corpus", "shelf", "--corpus", "store"), ("--corpus", "shelf,store")):
        record, aside, _ = asked(*both, "--where", "code=007", question)
        assert cited(record) == ["shelf:list.csv:2"]
        assert aside.count("The corpus store has no field code") == 1
        assert "The corpus shelf" not in aside
    both = ("--corpus", "shelf", "--corpus", "store")
    record, aside, _ = asked(*both, "--where", "code!=007", question)
    assert sorted(cited(record)) == ["shelf:list.csv:3", "store:list.csv:2", "store:list.csv:3"]
    assert "has no field" not in aside
    record, aside, _ = asked(*both, "--where", "item!=x", question)
    assert len(cited(record)) >= 3 and "has no field" not in aside
    _, aside, _ = asked(*both, "oak shelves of at most 10 dollars")
    assert '"at most 10 dollars" is not made a condition' in aside
    _, aside, code = asked(*both, "--where", "price=cheap", question)
    assert code == 2 and "1, 2.5, n/a" in aside and "..." not in aside
    _, aside, code = asked(*both, "--where", "colour=red", "q")
    assert code == 2 and "code, folder" not in aside and "code, format, item, price" in aside
    korean = asked(*both, "--lang", "ko", "--where", "price=5", question)[1]
    assert "shelf 자료에는 price 항목이 없어" in korean


# permission

SALARY = "급여는 언제 지급하나요?"


@pytest.mark.parametrize(
    ("flags", "variable", "id"),
    [
        ([], "", None),
        (["--permission", "finance"], "", None),
        (["--permission", "hr"], "", "payroll:급여.md:3"),
        (["--permission", "finance", "--permission", "hr"], "", "payroll:급여.md:3"),
        ([], "finance, hr", "payroll:급여.md:3"),
        ([], "finance", None),
        (["--corpus", "payroll", "--permission", "hr"], "", "급여.md:3"),
        (["--corpus", "payroll"], "hr", "급여.md:3"),
        (["--corpus", "payroll,sailing", "--permission", "hr"], "", "payroll:급여.md:3"),
    ],
)
def test_what_is_not_public_is_searched_only_when_permitted(
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    flags: list[str],
    variable: str,
    id: str | None,
) -> None:
    monkeypatch.setenv("BARELOOP_PERMISSIONS", variable)
    record, _, code = asked(*flags, SALARY)
    assert (code, cited(record)) == ((4, []) if id is None else (0, [id]))


@pytest.mark.parametrize("named", [["payroll"], ["payroll", "sailing"], ["sailing", "payroll"]])
@pytest.mark.parametrize("other", [[], ["--permission", "finance"]])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_to_name_a_corpus_is_no_permission(
    data: Path,
    capsys: pytest.CaptureFixture[str],
    named: list[str],
    other: list[str],
    language: str,
) -> None:
    flags = [part for name in named for part in ("--corpus", name)]
    assert main(["ask", "--lang", language, *flags, *other, SALARY]) == 2
    told = capsys.readouterr()
    assert "--permission hr" in told.err and len(told.err.splitlines()) == 1 and not told.out
    assert "payroll" in told.err and "25일" not in told.err


PLANNED = "Tell me how to export an invoice and who may do it."


@pytest.mark.parametrize(
    ("flags", "question", "is_unused"),
    [
        ([], SALARY, False),
        ([], PLANNED, False),
        (["--corpus", "payroll"], SALARY, False),
        (["--corpus", "payroll", "--corpus", "sailing"], SALARY, False),
        (["--corpus", "sailing"], SALARY, True),
        (["--corpus", "network", "--corpus", "sailing"], SALARY, True),
    ],
)
def test_a_permission_that_no_index_asks_for_is_told(
    data: Path, flags: list[str], question: str, is_unused: bool
) -> None:
    _, aside, _ = asked(*flags, "--permission", "hr", question)
    assert ("hr 권한을 물어보는" in aside or "the permission hr" in aside) is is_unused


def test_a_file_of_settings_permits_nothing(bareloop: Command, data: Path, tmp_path: Path) -> None:
    (tmp_path / "bareloop.toml").write_text('permissions = "hr"\n')
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = bareloop("ask", SALARY, cwd=tmp_path, environ=environ)  # type: ignore[arg-type]
    assert done.returncode == 2 and "permissions 항목은 없는 설정입니다" in done.stderr


def library(data: Path, *names: str, **options: Any) -> Library:
    def shelf(name: str) -> Shelf:
        def opened() -> Any:
            return find_indexed(data, name)

        return Shelf(name, lambda: read_about(data, name), opened)

    return Library([shelf(name) for name in names], **options)


def test_a_model_is_refused_by_name_and_sees_only_what_is_open(data: Path) -> None:
    model = Replies(
        turn(call("search_documents", query="급여 지급", corpus="payroll")),
        turn(call("search_documents", query="duty phone", corpus="Sailing")),
        turn(call("search_documents", query="duty phone", corpus="moon")),
        turn("The harbour has extension 2207. [sailing:notes.md:3]"),
    )
    source = library(data, "network", "sailing", "payroll")
    run = ask("Which extension has the duty phone?", source, model, run=Run())
    assert (run.status, run.sources) == ("open", ["sailing"])
    assert [each["code"] for each in run.tool_errors] == ["not_permitted", "unknown_corpus"]
    described = model.requests[0]["tools"][0]["description"]
    assert "network (manual, en): Running the campus network" in described
    assert "sailing (rules, en)" in described and "payroll" not in described


def test_a_permission_that_is_taken_back_holds_at_once(own: Path, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door is locked.\n"})
    assert main(["index", str(docs)]) == 0
    open_one = library(own, "docs")
    assert [each.id for each in open_one.search("red door").passages] == ["docs:a.md:1"]
    folder(docs, {"corpus.toml": 'permission = "board"\n'})
    assert main(["index", str(docs)]) == 0
    assert open_one.names == [] and open_one.search("red door").passages == ()


# one that fails


def damage(data: Path, name: str) -> None:
    for file in index_folder(data, name).glob("store.sqlite3*"):
        file.unlink()
    (index_folder(data, name) / "store.sqlite3").write_bytes(b"no database at all" * 500)


@pytest.fixture
def with_a_damaged_one(own: Path, tmp_path: Path) -> Path:
    folder(
        tmp_path,
        {
            "good/a.md": "The red door is locked.\n",
            "bad/b.md": "The blue window is open.\n",
            "fine/c.md": "Another red door is ajar.\n",
        },
    )
    for name in ("good", "bad", "fine"):
        assert main(["index", str(tmp_path / name)]) == 0
    damage(own, "bad")
    return own


def test_a_damaged_corpus_costs_the_others_nothing_and_is_told(with_a_damaged_one: Path) -> None:
    record, aside, code = asked("Is the red door locked?")
    assert code == 0 and cited(record)[0] == "good:a.md:1"
    assert "bad" not in record["sources"]
    assert aside.count("Searching without the corpus bad.") == 1


def test_what_could_not_be_asked_is_not_none(with_a_damaged_one: Path) -> None:
    record, aside, code = asked("Is the blue window open?")
    assert code == 3 and [each["outcome"] for each in record["searches"]] == ["unavailable"]
    assert "Searching without the corpus bad." in aside
    assert "not everything could be searched" in record["message"]


def test_a_model_hears_which_corpus_failed(with_a_damaged_one: Path) -> None:
    found = library(with_a_damaged_one, "good", "bad", "fine").search("red door")
    assert {each.id for each in found.passages} == {"good:a.md:1", "fine:c.md:1"}
    assert (set(found.searched), found.failed) == ({"good", "fine"}, ("bad",))
    mended = library(with_a_damaged_one, "good", "bad")
    assert mended.search("red door").failed == ("bad",)
    for file in index_folder(with_a_damaged_one, "bad").glob("store.sqlite3*"):
        file.unlink()
    assert main(["index", "--corpus", "bad"]) == 0
    assert [each.id for each in mended.search("blue window").passages] == ["bad:b.md:1"]


class Flaky:
    """A corpus that cannot be read until it is opened for the third time."""

    is_empty = False

    def __init__(self, corpus: Any) -> None:
        self.corpus = corpus
        self.opened = 0

    def open(self) -> Any:
        self.opened += 1
        return self.corpus if self.opened > 2 else self

    def sample(self, question: str, k: int) -> Any:
        raise OSError("no such device")

    def search(self, query: str, top_k: int = 5, *, loosely: bool = False) -> Any:
        raise OSError("no such device")


def test_a_corpus_that_failed_is_opened_anew(data: Path) -> None:
    flaky = Flaky(find_indexed(data, "sailing"))
    told: list[str] = []
    shelf = Shelf("sailing", lambda: read_about(data, "sailing"), flaky.open)
    one = Library([shelf], on_failure=lambda name, failure: told.append(f"{name}: {failure}"))
    for _ in range(2):
        with pytest.raises(Unavailable):
            one.search("torn sail")
    assert [each.id for each in one.search("torn sail").passages] == ["sailing:boats.md:7"]
    assert told == ["sailing: no such device"] and flaky.opened == 3


def test_a_question_of_several_parts_is_covered_by_its_parts(data: Path) -> None:
    every = library(data, "도서관", "clinic", "network", "sailing")
    long = "연체료 하루 금액과 강아지 접종 시작 시기, 스위치 펌웨어 갱신 날짜까지 알려 주세요"
    assert every.search(long).passages == () and every.covers(long)


# one text in two places, folders beside indexes


def test_one_text_in_two_corpora_is_one_passage(own: Path, tmp_path: Path) -> None:
    notice = (
        "In case of fire everybody leaves the building by the nearest stairs and waits outside.\n"
    )
    short = "# Fire\n\nCall 119.\n"
    folder(tmp_path, {"one/a.md": notice, "two/b.md": notice, "one/c.md": short, "two/d.md": short})
    for name in ("one", "two"):
        assert main(["index", str(tmp_path / name)]) == 0
    both = library(own, "one", "two")
    assert len(both.search("fire stairs building").passages) == 1
    (short_one,) = both.search("call 119 fire").passages
    assert (short_one.id, short_one.also) == ("one:c.md:3", ("two:d.md:3",))


def test_a_folder_stands_beside_an_index(data: Path, tmp_path: Path) -> None:
    docs = folder(tmp_path / "garage", {"notes.md": "The duty phone of the garage is 9911.\n"})
    shelves = [
        Shelf("garage", lambda: About("garage"), lambda: Folder(docs)),
        Shelf(
            "network", lambda: read_about(data, "network"), lambda: find_indexed(data, "network")
        ),  # type: ignore[arg-type, return-value]
    ]
    both = Library(shelves)
    assert both.search("duty phone of the garage").passages[0].id == "garage:notes.md:1"
    assert both.search("firmware of the switches").passages[0].id == "network:switches.md:5"
    assert both.covers("duty phone") and not both.covers("the chapel's painted ceiling")


class Meaning:
    """A corpus that found, by meaning, one passage: clearly, or only ``closest``."""

    is_empty = False

    def __init__(self, closest: bool) -> None:
        self.passage = Passage("m.md:1", "Operators answer day and night.", "m.md", closest=closest)

    def sample(self, question: str, k: int) -> Sample:
        return Sample(Frequencies(1, {}), [self.passage], lambda passage: [])

    def search(self, query: str, top_k: int = 5, *, loosely: bool = False) -> list[Passage]:
        return [self.passage]


def test_what_was_found_by_meaning_stands_after_words_and_what_comes_near_alone(
    data: Path,
) -> None:
    def ids(closest: bool, question: str) -> list[str]:
        meaning = Shelf("meaning", lambda: About("meaning"), lambda: Meaning(closest))
        network = find_indexed(data, "network")
        assert network
        words = Shelf("network", lambda: network.about, lambda: network)
        both = Library([meaning, words], named=["meaning", "network"])
        return [each.id for each in both.search(question).passages]

    assert ids(False, "duty phone") == ["network:notes.md:3", "meaning:m.md:1"]
    assert ids(True, "duty phone") == ["network:notes.md:3"]
    assert ids(True, "round the clock") == ["meaning:m.md:1"]
    alone = Library([Shelf("meaning", lambda: About("meaning"), lambda: Meaning(True))] * 2)
    assert alone.covers("round the clock")


# what corpus.toml says


def test_what_a_corpus_is_changes_with_its_file_and_no_document_is_read_again(
    bareloop: Command, own: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n"})
    os.utime(docs / "a.md", (1, 1))
    bareloop("index", str(docs))
    assert read_about(own, "docs") == About("docs", paths=(str(docs),))
    said = 'description = "Doors"\nlanguage = "en"\nrole = "list"\npermission = "board"\n'
    folder(docs, {"corpus.toml": said})
    done = bareloop("index", "--corpus", "docs")
    assert "0 changed" in done.stdout
    assert read_about(own, "docs") == About("docs", "Doors", (str(docs),), "en", "list", "board")
    listed = bareloop("doctor").stdout
    assert "Corpus docs: Doors (language en, role list, permission board)" in listed
    (docs / "corpus.toml").unlink()
    bareloop("index", "--corpus", "docs")
    about = read_about(own, "docs")
    assert about and about.permission == "board"
    folder(docs, {"corpus.toml": ""})
    bareloop("index", "--corpus", "docs")
    assert read_about(own, "docs") == About("docs", paths=(str(docs),))


def test_folders_that_let_other_people_search_are_not_one_corpus(
    bareloop: Command, own: Path, tmp_path: Path
) -> None:
    folder(
        tmp_path,
        {
            "a/x.md": "x",
            "a/corpus.toml": 'permission = "hr"\n',
            "b/y.md": "y",
            "b/corpus.toml": "",
        },
    )
    done = bareloop("index", str(tmp_path / "a"), str(tmp_path / "b"))
    assert done.returncode == 2 and "(hr, public)" in done.stderr
    assert not own.exists()


def test_what_an_earlier_version_noted_is_public(own: Path, tmp_path: Path) -> None:
    place = index_folder(own, "old")
    folder(place, {"corpus.json": '{"name": "old", "description": "d", "paths": ["/x"]}'})
    assert read_about(own, "old") == About("old", "d", ("/x",))


# morphemes


@pytest.mark.skipif(find_spec("kiwipiepy") is not None, reason="needs the extra ko to be absent")
def test_an_analyser_that_is_missing_is_one_sentence(
    bareloop: Command, own: Path, tmp_path: Path
) -> None:
    docs = folder(
        tmp_path / "docs", {"corpus.toml": 'tokens = "kiwi"\n', "a.md": "날씨가 추웠다.\n"}
    )
    done = bareloop("index", str(docs))
    assert done.returncode == 2 and "kiwipiepy is not installed" in done.stderr
    assert done.stderr.count("\n") == 1
    wrong = folder(tmp_path / "more", {"corpus.toml": 'tokens = "mecab"\n', "a.md": "x"})
    done = bareloop("index", str(wrong))
    assert done.returncode == 2 and "the entry tokens is wrong" in done.stderr


@pytest.mark.skipif(find_spec("kiwipiepy") is None, reason="needs the extra ko: kiwipiepy")
def test_with_the_analyser_irregular_verbs_are_found_by_any_form(own: Path, tmp_path: Path) -> None:
    verbs = (ROOT / "tests/data/verbs/verbs.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in verbs]
    lines = {"verbs.md": "\n\n".join(text for text, _ in rows)}
    docs = folder(tmp_path / "docs", dict(lines))

    def found() -> int:
        corpus = find_indexed(own, "docs")
        assert corpus
        firsts = [corpus.search(question, 1) for _, question in rows]
        corpus.index.close()
        return sum(bool(a) and a[0].text == text for a, (text, _) in zip(firsts, rows, strict=True))

    assert main(["index", str(docs)]) == 0
    assert found() == 0
    folder(docs, {"corpus.toml": 'tokens = "kiwi"\n'})
    assert main(["index", str(docs)]) == 0
    assert found() >= 26
    folder(docs, {"corpus.toml": ""})
    assert main(["index", str(docs)]) == 0
    assert found() == 0
