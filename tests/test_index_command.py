"""``bareloop index`` and ``bareloop init`` as a person runs them, and what ``ask`` then finds."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from agent.cli import main
from agent.settings import data_folder
from tests.tools.index.made import docx, folder, pdf
from tools.home import tilde
from tools.index import indexed_names
from tools.index.index import Index
from tools.index.indexed import index_folder

ROOT = Path(__file__).parent.parent
OFFICE = ROOT / "tests/data/office"
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, which the commands of the test use."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "bareloop"


def cited(question: str, *more: str) -> list[str]:
    """The ids that ``bareloop ask`` cites; the command runs in this process, to be quick."""
    with redirect_stdout(StringIO()) as written, redirect_stderr(StringIO()) as aside:
        code = main(["ask", "--json", "--corpus", "docs", *more, question])
    assert code in (0, 3, 4), aside.getvalue()
    record: dict[str, Any] = json.loads(written.getvalue())
    assert record["status"] in (["open"] if record["answer"] else ["incomplete", "held"])
    return [each["id"] for each in record["citations"] if each["ok"]]


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("What does the Versicherung cover?", ["a.html:1"]),
        ("What does the ver\u00adsicherung cover?", ["a.html:1"]),
        ("Where is the inventory?", ["b.md:1"]),
        ("연차 휴가는 며칠인가요?", ["b.md:3"]),
        ("Who holds the masterkey?", ["b.md:5"]),
        ("Where is the sicherung?", []),
    ],
)
def test_a_word_is_found_as_a_reader_sees_it(
    data: Path, tmp_path: Path, question: str, ids: list[str]
) -> None:
    place = tmp_path / "docs"
    place.mkdir()
    (place / "a.html").write_text("<p>The Ver&shy;sich&shy;erung covers hail.</p>")
    (place / "b.md").write_text(
        "The in\u200bventory is on floor 3.\n\n연\u2060차 휴\u00ad가는 15일입니다.\n\n"
        "The guard holds the master\u00ad\nkey.\n"
    )
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["index", str(place), "--corpus", "docs"]) == 0
    assert cited(question)[:1] == ids
    if ids == ["b.md:1"]:
        (place / "a.html").unlink()
        with redirect_stdout(StringIO()) as written, redirect_stderr(StringIO()):
            assert main(["ask", "--docs", str(place), question]) == 0
        assert "on floor 3. [b.md:1]" in written.getvalue()


# every format, in both languages

FORMATS: dict[str, str | bytes] = {
    "규정/휴가.md": (
        "---\nowner: hr\n---\n# 휴가\n\n## 병가\n- 병가는 사흘째부터 진단서를 냅니다.\n"
    ),
    "guest.txt": "Visitors get a badge at the front desk.\nThe badge goes back in the evening.\n",
    "옛글.txt": "구내식당은 열한 시 반에 엽니다.\n".encode("cp949"),
    "wide.txt": "The archive room key hangs behind the door.\n".encode("utf-16"),
    "help.html": "<h1>Printers</h1>\n<p>Toner is ordered from the\nsupply portal.</p>",
    "계약.pdf": pdf(["용역 계약 일반 조건"], ["대금은 검수 뒤 30일 안에 지급합니다."]),
    "비용.docx": docx((1, "출장"), "숙박비는 하룻밤 12만 원까지 인정합니다."),
    "prices.csv": "item,price\nstanding desk,450000\nmonitor arm,90000\n",
    "faq.jsonl": '{"q": "Where is the parking garage?", "a": "Level B2 behind the loading bay"}\n',
}


@pytest.mark.parametrize(
    ("question", "id"),
    [
        ("진단서는 언제 내나요?", "규정/휴가.md:7"),
        ("Where do visitors get a badge?", "guest.txt:1"),
        ("구내식당은 몇 시에 여나요?", "옛글.txt:1"),
        ("Where is the archive room key?", "wide.txt:1"),
        ("How is toner ordered?", "help.html:2"),
        ("대금은 언제 지급하나요?", "계약.pdf:p2:1"),
        ("숙박비는 얼마까지 되나요?", "비용.docx:2"),
        ("What does a standing desk cost?", "prices.csv:2"),
        ("Where is the parking garage?", "faq.jsonl:1"),
    ],
)
def test_a_line_of_every_format_is_found_and_cited(
    every_format: Path, question: str, id: str
) -> None:
    assert cited(question) == [id]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder in which every format was indexed, once for all."""
    root = tmp_path_factory.mktemp("formats")
    folder(root / "docs", FORMATS)
    done = subprocess.run(
        [sys.executable, "-m", "agent.cli", "index", str(root / "docs")],
        cwd=ROOT,
        env={**os.environ, "XDG_DATA_HOME": str(root / "data"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"docs: 9 files, \d+ passages \(9 new, 0 changed, .*\)\.\n", done.stdout)
    yield root / "data"


@pytest.fixture
def every_format(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(indexed))
    return indexed


def test_what_is_not_there_is_not_answered(every_format: Path) -> None:
    for question in ("오늘 날씨는 어때?", "Who painted the ceiling of the chapel?"):
        assert cited(question) == []


def test_conditions_bind_what_is_found(bareloop: Command, every_format: Path) -> None:
    desk = "standing desk monitor arm price"
    assert set(cited(desk)) == {"prices.csv:2", "prices.csv:3"}
    assert cited(desk, "--where", "price<=90000") == ["prices.csv:3"]
    assert cited(desk, "--where", "price<90000") == []
    assert cited("진단서", "--where", "owner=hr") == ["규정/휴가.md:7"]
    assert cited("진단서", "--where", "format=pdf") == []
    assert cited("진단서", "--where", "folder=규정") == ["규정/휴가.md:7"]
    unknown = bareloop("ask", "--corpus", "docs", "--where", "colour=red", desk)
    assert unknown.returncode == 2 and "colour" in unknown.stderr


# the project's own documentation and a folder of Korean documents


@pytest.mark.parametrize(
    ("question", "file", "words"),
    [
        ("병가에 진단서가 필요한가요?", "office/휴가.md", "사흘째부터 진단서"),
        ("남은 연차는 언제까지 쓰나요?", "office/휴가.md", "3월 말까지"),
        ("방문자는 출입증을 어디서 받나요?", "office/보안.txt", "안내 데스크에서"),
        ("숙박비는 얼마까지 인정하나요?", "office/출장비.md", "120,000원까지"),
        ("법인 카드로 쓴 돈은 어떻게 정산하나요?", "office/출장비.md", "카드 내역을"),
        ("How do I restart the printer srv-print-02?", "office/wifi.md", "green button"),
        ("When does the guest password change?", "office/wifi.md", "every Monday"),
        ("Which variable bounds one search of the web?", "README.md", "`--web` searches with"),
        ("How large may a file be with --docs?", "README.md", "5 MB each"),
        ("What does a misspelt rule do?", "README.md", "a misspelt rule"),
    ],
)
def test_five_questions_in_each_language(
    own_documents: Path, question: str, file: str, words: str
) -> None:
    name = file.removeprefix("office/")
    path = (ROOT / "tools" if file == name else OFFICE) / name
    lines = path.read_text(encoding="utf-8").splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if words in line]
    found = cited(question)
    assert found and found[0] in [f"{file}:{number}" for number in numbers]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("own")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "agent.cli"),
            *("index", "tools/README.md", str(OFFICE), "--corpus", "docs"),
        ],
        cwd=ROOT,
        env={**os.environ, "XDG_DATA_HOME": str(root)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return root


@pytest.fixture
def own_documents(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(own))
    return own


# what a corpus.toml may say, and what is told of names and disks


def test_a_misspelt_entry_is_an_error_and_opens_nothing(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(
        tmp_path / "docs",
        {"a.txt": "The vault code is nine.", "corpus.toml": 'permision = "hr"\n'},
    )
    done = bareloop("index", str(docs))
    assert done.returncode == 2 and "permision" in done.stderr
    assert bareloop("ask", "--corpus", "docs", "vault code").returncode == 2
    (docs / "corpus.toml").write_text('permission = "hr"\n[[plan]]\nhold = true\n')
    assert bareloop("index", str(docs)).returncode == 0


def test_a_permission_inside_a_folder_is_not_lost(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    text, rule = {"a.txt": "The vault code is nine."}, {"corpus.toml": 'permission = "hr"\n'}
    outer = tmp_path / "outer"
    inner = folder(outer / "inner", {**text, **rule})
    done = bareloop("index", str(outer))
    assert done.returncode == 2 and "public, hr" in done.stderr
    assert bareloop("index", str(inner / "a.txt"), "--corpus", "one").returncode == 0
    assert bareloop("ask", "vault code").returncode == 4
    assert "nine" in bareloop("ask", "--permission", "hr", "vault code").stdout
    folder(outer, rule)
    assert bareloop("index", str(outer)).returncode == 0


def test_each_corpus_is_named_once(bareloop: Command, every_format: Path) -> None:
    done = bareloop("ask", "--corpus", "docs", "--corpus", "nosuch", "x")
    assert done.returncode == 2 and done.stderr.count("billing") == 1
    assert done.stderr.count("docs") == 1


def test_a_full_disk_is_told_as_one(bareloop: Command, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small disk")
    try:
        texts = {f"{n}.txt": " ".join(f"w{n * 500 + k}" for k in range(500)) for n in range(1500)}
        docs = folder(tmp_path / "docs", texts)
        done = bareloop("index", str(docs), BARELOOP_DATA=str(small))
    finally:
        subprocess.run(["umount", str(small)], check=True)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "is full" in done.stderr or "가득" in done.stderr


def test_a_disk_that_may_only_be_read_is_not_full(bareloop: Command, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small disk")
    try:
        docs = folder(tmp_path / "docs", {"a.md": "The red door.\n"})
        assert bareloop("index", str(docs), BARELOOP_DATA=str(small)).returncode == 0
        subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
        (docs / "b.md").write_text("The blue door.\n")
        done = [
            bareloop("index", str(docs), BARELOOP_DATA=str(small), BARELOOP_LANG=language)
            for language in ("en", "ko")
        ]
    finally:
        subprocess.run(["umount", str(small)], check=True)
    assert [each.returncode for each in done] == [2, 2]
    assert "cannot be written" in done[0].stderr and "쓸 수 없습니다" in done[1].stderr


# what has changed


def test_only_what_changed_is_read_again(bareloop: Command, data: Path, tmp_path: Path) -> None:
    docs = folder(
        tmp_path / "docs",
        {"a.md": "The red door is locked.\n", "b.md": "The blue door is open.\n", "c.md": "Old.\n"},
    )
    first = bareloop("index", str(docs))
    assert first.stdout == (
        "docs: 3 files, 3 passages (3 new, 0 changed, 0 removed, 0 as before).\n"
    )
    again = bareloop("index", "--corpus", "docs")
    assert again.stdout == (
        "docs: 3 files, 3 passages (0 new, 0 changed, 0 removed, 3 as before).\n"
    )
    folder(docs, {"a.md": "The red door is ajar.\n", "d.md": "The green door squeaks.\n"})
    (docs / "c.md").unlink()
    os.utime(docs / "b.md", (1, 1))
    changed = bareloop("index", str(docs), BARELOOP_LANG="ko")
    assert changed.stdout == ("docs: 파일 3개, 근거 3개 (새로 1, 바뀜 1, 지움 1, 그대로 1).\n")
    assert cited("red door ajar") == ["a.md:1"]
    assert cited("red door locked") != []
    assert cited("old") == []


def test_a_change_that_keeps_size_and_time_is_seen_right_after(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n"})
    bareloop("index", str(docs))
    state = (docs / "a.md").stat()
    (docs / "a.md").write_text("The old door.\n")
    os.utime(docs / "a.md", ns=(state.st_atime_ns, state.st_mtime_ns))
    assert "1 changed" in bareloop("index", str(docs)).stdout


def test_the_paths_of_a_run_are_the_corpus(bareloop: Command, data: Path, tmp_path: Path) -> None:
    folder(tmp_path, {"one/a.md": "First text.\n", "two/a.md": "Second text.\n"})
    both = bareloop("index", str(tmp_path / "one"), str(tmp_path / "two"), "--corpus", "docs")
    assert "2 files" in both.stdout
    assert cited("second") == ["two/a.md:1"]
    assert "1 removed" not in bareloop("index", "--corpus", "docs").stdout
    one = bareloop("index", str(tmp_path / "one"), "--corpus", "docs")
    assert "(1 new, 0 changed, 2 removed" in one.stdout
    assert cited("first") == ["a.md:1"] and cited("second") == []


# what cannot be read


def test_what_cannot_be_read_is_told_at_the_end_and_costs_nothing_else(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(
        tmp_path / "docs",
        {
            "a.md": "The red door.\n",
            "b.pdf": b"%PDF-1.5 broken",
            "c.txt": b"\x00\x01\x02" * 100,
            "d.docx": b"PK broken",
            "e.jsonl": '{"text": "The blue door."}\nbroken\n',
            "scan.pdf": pdf([]),
            "f.hwp": b"x",
            "g.png": b"x",
            "h.png": b"x",
            ".hidden.md": "Secret door.\n",
            ".git/x.md": "Secret door.\n",
            "z.md": "The last door.\n",
        },
    )
    (docs / "loop").symlink_to(docs, target_is_directory=True)
    (docs / "out.md").symlink_to(ROOT / "README.md")
    os.mkfifo(docs / "pipe.txt")
    done = bareloop("index", str(docs))
    assert done.returncode == 3
    assert done.stdout == (
        "docs: 3 files, 3 passages (3 new, 0 changed, 0 removed, 0 as before).\n"
    )
    assert done.stderr.splitlines() == [
        "Places that could not be read as they are written: 1",
        "  e.jsonl: line 2 is not JSON.",
        "Not read: 4 (everything else was, and what was read of them before is kept):",
        "  b.pdf: it is damaged or no PDF file.",
        "  c.txt: it is not text.",
        "  d.docx: it is damaged or no DOCX file.",
        "  scan.pdf: the PDF has no text, only pictures; it needs text recognition first.",
        "Files of other formats, left out: .png 2, .hwp 1.",
        "Pipes, sockets and other things that are no files, left out: 1.",
        "Symbolic links that were not followed: 2.",
    ]
    assert set(cited("door")) == {"a.md:1", "e.jsonl:1", "z.md:1"}


def test_what_was_read_before_stays_when_a_file_breaks(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.txt": "The red door.\n"})
    bareloop("index", str(docs))
    (docs / "a.txt").write_bytes(b"\0\1\2")
    assert bareloop("index", str(docs)).returncode == 3
    assert cited("red door") == ["a.txt:1"]


def test_what_was_read_in_part_is_named_in_every_run(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(
        tmp_path / "docs",
        {"a.jsonl": '{"text": "The red door."}\nbroken\n', "b.csv": "x,y,y\na,b,c\n"},
    )
    os.utime(docs / "a.jsonl", (5, 5))
    told = [
        "  a.jsonl: line 2 is not JSON.",
        "  b.csv: another column is named y; it is read as y_2.",
    ]
    for _ in range(3):
        done = bareloop("index", str(docs))
        assert done.stderr.splitlines()[1:] == told
    korean = bareloop("index", "--corpus", "docs", BARELOOP_LANG="ko").stderr
    assert "a.jsonl: 2줄은 JSON이 아닙니다." in korean
    os.utime(docs / "a.jsonl", (9, 9))
    assert bareloop("index", str(docs)).stderr.splitlines()[1:] == told
    folder(docs, {"a.jsonl": '{"text": "The red door."}\n', "b.csv": "x,y\na,b\n"})
    assert bareloop("index", str(docs)).stderr == ""


@pytest.mark.parametrize("several", [False, True])
def test_a_folder_without_a_file_empties_a_corpus_only_when_told(
    bareloop: Command, data: Path, tmp_path: Path, several: bool
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n", "b.md": "The blue door.\n"})
    others = [str(folder(tmp_path / "more", {"c.md": "The green gate.\n"}))] * several
    arguments = ["index", str(docs), *others, "--corpus", "docs"]
    assert bareloop(*arguments).returncode == 0
    (docs / "a.md").unlink()
    assert "1 removed" in bareloop(*arguments).stdout
    (docs / "b.md").unlink()
    refused = bareloop(*arguments)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1 and f"no file to read in {tilde(docs)}" in refused.stderr
    assert "--empty" in bareloop(*arguments, BARELOOP_LANG="ko").stderr
    assert len(cited("blue door")) == 1
    emptied = bareloop(*arguments, "--empty")
    assert emptied.returncode == 0 and "1 removed" in emptied.stdout
    assert cited("blue door") == [] and bareloop(*arguments).returncode == 0


def test_a_value_of_a_list_is_a_value_and_format_is_what_the_file_is_too(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    files = {
        "a.md": "---\ntags: [휴가, leave]\nformat: memo\n---\nThe red door.\n",
        "in/b.md": "---\ntags: [인사]\nfolder: hr\n---\nThe blue door.\n",
        "c.csv": "text,format\nThe green door,poster\n",
        "d.jsonl": '{"text": "The old door", "tags": ["leave", 7]}\n',
    }
    bareloop("index", str(folder(tmp_path / "docs", files)))
    for where, ids in {
        "tags=휴가": {"a.md:5"},
        "tags=leave": {"a.md:5", "d.jsonl:1"},
        "tags in 7,인사": {"in/b.md:5", "d.jsonl:1"},
        "tags not in leave,7": {"in/b.md:5", "c.csv:2"},
        "format=memo": {"a.md:5"},
        "format=md": {"a.md:5", "in/b.md:5"},
        "format=csv": {"c.csv:2"},
        "format=poster": {"c.csv:2"},
        "folder=in": {"in/b.md:5"},
        "folder=hr": {"in/b.md:5"},
    }.items():
        assert set(cited("Which door?", "--where", where)) == ids, where


def test_a_folder_has_what_is_in_the_folders_inside(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    files = {"팀/a.md": "The red door.\n", "팀/2024/b.md": "A blue door.\n", "c.md": "No door.\n"}
    one = folder(tmp_path / "docs", files)
    two = folder(tmp_path / "more", {"d.md": "The last door.\n"})
    bareloop("index", str(one))
    for where, ids in {
        "folder=팀": {"팀/a.md:1", "팀/2024/b.md:1"},
        "folder=팀/2024/": {"팀/2024/b.md:1"},
        "folder!=팀": {"c.md:1"},
    }.items():
        assert set(cited("Which door?", "--where", where)) == ids, where
    bareloop("index", str(one), str(two), "--corpus", "docs")
    assert set(cited("Which door?", "--where", "folder=more")) == {"more/d.md:1"}
    assert set(cited("Which door?", "--where", "folder=docs/팀/2024")) == {"docs/팀/2024/b.md:1"}


def test_fields_of_several_corpora_are_compared_as_what_all_of_their_values_are(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    for name, price in (("one", "$5"), ("two", "5000원")):
        bareloop(
            "index", str(folder(tmp_path / name, {"items.csv": f"item,price\ndesk,{price}\n"}))
        )
    where = ("--where", "price<10", "Which desk?")
    assert bareloop("ask", "--corpus", "one", *where).returncode == 0
    both = bareloop("ask", "--corpus", "one,two", *where)
    assert both.returncode == 2 and "different units or currencies" in both.stderr


def test_folders_that_are_called_like_days_are_no_values_to_tell(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    files = {f"{each}/a.md": "The red door.\n" for each in ("2026-01", "2026-02", "old")}
    os.mkfifo(folder(tmp_path / "docs", files) / "pipe.md")
    done = bareloop("index", str(tmp_path / "docs"))
    assert done.stderr == "Pipes, sockets and other things that are no files, left out: 1.\n"
    assert cited("red door", "--where", "folder=2026-02") == ["2026-02/a.md:1"]
    assert cited("red door", "--where", "folder=old") == ["old/a.md:1"]


def test_plans_of_a_folder_are_said_to_be_of_no_use_in_an_index(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    plan = 'prepared_only = true\n[[plan]]\nall_words = ["door"]\nslots = ["a"]\n[slots.a]\n'
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n", "corpus.toml": plan})
    done = bareloop("index", str(docs))
    assert done.returncode == 0 and done.stderr.count("\n") == 1
    assert "prepared_only, plan, slots" in done.stderr and "--corpus FOLDER" in done.stderr
    assert "--corpus 폴더" in bareloop("index", str(docs), BARELOOP_LANG="ko").stderr
    folder(docs, {"corpus.toml": 'description = "Doors"\n'})
    assert bareloop("index", str(docs)).stderr == ""


@pytest.mark.parametrize(("wait", "code"), [("-1", 2), ("nan", 2), ("86401", 2), ("0", 0)])
def test_the_wait_is_a_time(bareloop: Command, data: Path, wait: str, code: int) -> None:
    done = bareloop("index", str(OFFICE), "--wait", wait)
    assert done.returncode == code and ("--wait takes seconds" in done.stderr) == bool(code)


def test_columns_by_the_names_that_a_person_sees(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    rows = '품목,가격(원),Max Load\n책상,"129,000원",40\n의자,₩5000,80\n'
    bareloop("index", str(folder(tmp_path / "docs", {"a.csv": rows})))
    for where in ("가격(원)<=5,000원", "가격_원_<=5000", "Max Load>40", "max_load = 80"):
        assert cited("품목", "--where", where) == ["a.csv:3"], where
    for reversed in ("max load=80..40", "가격(원)=9..1"):
        refused = bareloop("ask", "--corpus", "docs", "--where", reversed, "품목")
        assert refused.returncode == 2 and "앞의 값" in refused.stderr


# names and mistakes


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["index"], "Name the folders or files to read"),
        (["index", "--corpus", "nothing"], "Name the folders or files to read"),
        (["index", "no/such/folder"], "There is no file or folder"),
        (["index", str(OFFICE), "--corpus", "a/b"], "a/b cannot be a corpus's name"),
        (["index", str(OFFICE), "--corpus", ".."], ".. cannot be a corpus's name"),
        (["index", str(OFFICE), "--corpus", "billing"], "billing is a built-in corpus"),
        (["index", str(OFFICE), "--corpus", "products"], "products is a built-in corpus"),
        (["ask", "--corpus", "nothing", "q"], "There is no corpus named nothing"),
    ],
)
def test_a_mistake_is_one_sentence(
    bareloop: Command, data: Path, arguments: list[str], sentence: str
) -> None:
    done = bareloop(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence) and done.stderr.count("\n") == 1
    assert not data.exists() or not indexed_names(data)


def test_a_name_may_have_a_space_and_is_told_as_it_is_typed(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"x.md": "The badge is blue.\n"})
    assert bareloop("index", str(docs), "--corpus", "our v1. docs").returncode == 0
    assert "The badge is blue" in bareloop("ask", "--corpus", "our v1. docs", "badge?").stdout
    for name in ("a ", " a", "a.", "x" * 65):
        refused = bareloop("index", str(docs), "--corpus", name)
        assert refused.returncode == 2
        for rule in ("dots and spaces with", "64 at most", "no dot or space last"):
            assert rule in refused.stderr
    (index_folder(data, "our v1. docs") / "store.sqlite3").write_bytes(b"no database" * 400)
    told = bareloop("ask", "--corpus", "our v1. docs", "badge?").stderr
    assert told.endswith('bareloop index PATH --corpus "our v1. docs"\n')


def test_two_paths_of_one_name_are_refused(bareloop: Command, data: Path, tmp_path: Path) -> None:
    folder(tmp_path, {"a/docs/x.md": "x", "b/docs/x.md": "x"})
    done = bareloop("index", str(tmp_path / "a/docs"), str(tmp_path / "b/docs"))
    assert done.returncode == 2 and done.stderr.startswith("Two paths are named docs")


def test_an_indexed_corpus_is_named_where_a_name_is_wrong(bareloop: Command, data: Path) -> None:
    bareloop("index", str(OFFICE), "--corpus", "사내-규정.1")
    assert "사내-규정.1" in bareloop("ask", "--corpus", "nothing", "q").stderr
    assert bareloop("ask", "--corpus", "사내-규정.1", "병가 진단서").returncode == 0
    assert "사내-규정.1" in bareloop("doctor").stdout


def test_an_empty_folder_gives_a_corpus_that_finds_nothing(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    assert bareloop("index", str(tmp_path / "docs")).returncode == 0
    assert cited("anything") == []


# corpus.toml


@pytest.mark.parametrize("language", ["ko", "en"])
def test_init_writes_rules_that_work_when_their_comments_are_lifted(
    bareloop: Command, data: Path, tmp_path: Path, language: str
) -> None:
    docs = folder(
        tmp_path / "사내 문서",
        {
            "hr/2025-leave.md": "The red door.\n",
            "contracts/2026/a.md": "---\nkind: draft\n---\nThe red door, too.\n",
            "contracts/b.md": "The blue red door.\n",
            "drafts/c.md": "The red door of a draft.\n",
        },
    )
    done = bareloop("init", str(docs), BARELOOP_LANG=language)
    assert done.returncode == 0 and str(docs / "corpus.toml") in done.stdout
    written = (docs / "corpus.toml").read_text(encoding="utf-8")
    assert 'name = "사내 문서"' in written
    again = bareloop("init", str(docs), BARELOOP_LANG=language)
    assert again.returncode == 2 and again.stderr.count("\n") == 1
    assert (docs / "corpus.toml").read_text(encoding="utf-8") == written
    assert "사내 문서: 4 files" in bareloop("index", str(docs)).stdout
    lifted = re.sub(r"(?m)^# (?=\[|\w+ = )", "", written).replace("사내 문서", "docs")
    (docs / "corpus.toml").write_text(lifted, encoding="utf-8")
    assert "docs: 3 files" in bareloop("index", str(docs)).stdout
    assert cited("red door", "--where", "department=hr") == ["hr/2025-leave.md:1"]
    assert cited("red door", "--where", "year>=2026") == ["contracts/2026/a.md:4"]
    assert cited("red door", "--where", "kind=contract") == ["contracts/b.md:1"]
    assert cited("red door", "--where", "kind=draft") == ["contracts/2026/a.md:4"]


@pytest.mark.parametrize(
    ("rules", "entry"),
    [
        ("name = 1", "name"),
        ("[index]\nexlude = []", "index.exlude"),
        ("[index]\nexclude = 1", "index.exclude"),
        ("[[facet]]\nname = 'a'", "facet 1: value"),
        ("[[facet]]\nname = 'a'\nfolder = 0", "facet 1: folder"),
        ("[[facet]]\nname = 'a'\npattern = '('", "facet 1: pattern"),
        ("[[facet]]\nname = 'a'\npattern = 'a'", "facet 1: pattern"),
        ("[[facet]]\nfolder = 1", "facet 1: name"),
        ("facet = 1", "facet"),
        ("permission = ''", "permission"),
        ("permission = ' '", "permission"),
        ("[[facet]]\nname = '!!'\nfolder = 1", "facet 1: name"),
        ("[[facet]]\nname = 'a=b'\nfolder = 1", "facet 1: name"),
        ("[[facet]]\nname = 'Format'\nfolder = 1", "facet 1: name"),
        ("[[facet]]\nname = 'folder'\nvalue = 1", "facet 1: name"),
        (
            "[[facet]]\nname = 'A b'\nfolder = 1\n[[facet]]\nname = 'a_b'\nfolder = 2",
            "facet 2: name",
        ),
    ],
)
def test_a_rule_that_cannot_be_meant_is_told_by_its_place(
    bareloop: Command, data: Path, tmp_path: Path, rules: str, entry: str
) -> None:
    docs = folder(tmp_path / "docs", {"corpus.toml": rules, "a.md": "x"})
    done = bareloop("index", str(docs))
    assert done.returncode == 2 and f"the entry {entry} is wrong" in done.stderr


def test_a_facet_is_the_first_group_that_holds_something(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    rules = "[[facet]]\nname = 'team'\npattern = 'team-([a-z]*)|([a-z]+)-team'\n"
    texts = {"corpus.toml": rules, "team-red.md": "The door.\n", "blue-team.md": "The lock.\n"}
    bareloop("index", str(folder(tmp_path / "docs", texts)))
    for team, found in (("red", "door"), ("blue", "lock")):
        done = bareloop("ask", "--corpus", "docs", "--where", f"team={team}", "the door lock")
        assert (done.returncode, f"The {found}" in done.stdout) == (0, True), done


def test_facets_of_one_name_for_different_documents(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    rules = "".join(
        f"[[facet]]\nname = '문서 종류'\ndocuments = '{glob}'\nvalue = '{value}'\n"
        for glob, value in (("hr/*", "인사"), ("it/*", "전산"))
    )
    files = {"corpus.toml": rules, "hr/a.md": "The red door.\n", "it/b.md": "The red gate.\n"}
    assert bareloop("index", str(folder(tmp_path / "docs", files))).returncode == 0
    assert cited("red", "--where", "문서 종류=전산") == ["it/b.md:1"]


def test_new_rules_are_applied_to_files_that_did_not_change(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"hr/a.md": "The red door.\n"})
    os.utime(docs / "hr/a.md", (1, 1))
    bareloop("index", str(docs))
    folder(docs, {"corpus.toml": "[[facet]]\nname = 'team'\nfolder = 1\n"})
    assert "1 changed" in bareloop("index", str(docs)).stdout
    assert cited("red door", "--where", "team=hr") == ["hr/a.md:1"]


# two at once, and sudden ends

BIG = 10_500
"""Passages of one file: enough for a commit of their own."""


@pytest.fixture
def big(tmp_path: Path) -> Path:
    return folder(
        tmp_path / "docs",
        {
            f"{name}.txt": "".join(f"Fact {n} of {name} is known.\n" for n in range(BIG))
            for name in ("anton", "berta", "caesar")
        },
    )


def _read_only(store: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)


def started(docs: Path, data: Path) -> subprocess.Popen[str]:
    """An indexing command that has committed its first file and goes on."""
    running = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", "index", str(docs)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    store = index_folder(data, "docs") / "store.sqlite3"
    for _ in range(3000):
        with suppress(sqlite3.Error), closing(_read_only(store)) as opened:
            if opened.execute("SELECT 1 FROM notes WHERE name = 'rows' AND value > '0'").fetchone():
                return running
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    raise AssertionError("nothing was committed")


def test_killed_while_indexing_what_was_committed_is_found(
    bareloop: Command, data: Path, big: Path
) -> None:
    running = started(big, data)
    running.kill()
    running.communicate()
    assert cited("Fact 77 of anton")[0] == "anton.txt:78"
    done = bareloop("index", "--corpus", "docs")
    new, before = re.findall(r"(\d+) new.* (\d+) as before", done.stdout)[0]
    assert done.returncode == 0 and int(new) + int(before) == 3 and int(before) >= 1
    assert cited("Fact 77 of caesar")[0] == "caesar.txt:78"


def test_ctrl_c_keeps_what_was_done_and_says_how_far(
    bareloop: Command, data: Path, big: Path
) -> None:
    running = started(big, data)
    running.send_signal(signal.SIGINT)
    told, aside = running.communicate(timeout=60)
    assert running.returncode == 130, (told, aside)
    stopped = re.match(r"docs: stopped after (\d) of 3 files .* goes on from here\.\n", told)
    assert stopped and 1 <= int(stopped[1]) < 3
    assert "Ctrl-C again" in aside and "Traceback" not in aside
    assert "[note] The index docs is not complete" in bareloop("doctor").stdout
    assert cited("Fact 77 of anton")[0] == "anton.txt:78"


def test_a_second_index_waits_or_says_so(bareloop: Command, data: Path, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n"})
    bareloop("index", str(docs))
    folder(docs, {"b.md": "The blue door.\n"})
    with Index(index_folder(data, "docs")) as index:
        with index.writer():
            refused = bareloop("index", str(docs), "--wait", "0.2")
            assert refused.returncode == 2
            assert refused.stderr.startswith("Another command is writing the index")
            waiting = subprocess.Popen(
                [sys.executable, "-m", "agent.cli", "index", str(docs), "--wait", "30"],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                text=True,
            )
            time.sleep(1.5)
            assert waiting.poll() is None
            assert cited("red door") == ["a.md:1"]
        assert "1 new" in waiting.communicate(timeout=60)[0]
    assert cited("blue door") == ["b.md:1"]


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_a_terminal_shows_one_line_that_moves(data: Path, tmp_path: Path) -> None:
    import pty

    docs = folder(tmp_path / "docs", {f"{n}.md": f"Text {n}.\n" for n in range(3)})
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "agent.cli", "index", str(docs)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        check=False,
    )
    os.close(theirs)
    shown = b""
    with pytest.raises(OSError):
        while True:
            shown += os.read(ours, 1000)
    os.close(ours)
    assert done.returncode == 0 and done.stdout.startswith("docs: 3 files")
    assert b"\xe2\x94\x81" in shown and "3/3" not in done.stdout
    assert shown.rstrip().endswith(b"\x1b[2K")


# where indexes are kept


@pytest.mark.parametrize(
    ("environ", "platform", "place"),
    [
        ({}, "linux", "~/.local/share/bareloop"),
        ({"XDG_DATA_HOME": "/x"}, "linux", "/x/bareloop"),
        ({"XDG_DATA_HOME": "relative"}, "linux", "~/.local/share/bareloop"),
        ({"XDG_DATA_HOME": "/x"}, "darwin", "~/Library/Application Support/bareloop"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/bareloop"),
        ({}, "win32", "~/.local/share/bareloop"),
        ({"BARELOOP_DATA": "/y", "XDG_DATA_HOME": "/x"}, "linux", "/y"),
        ({"BARELOOP_DATA": "~/z"}, "darwin", "~/z"),
    ],
)
def test_the_data_folder(environ: dict[str, str], platform: str, place: str) -> None:
    assert data_folder(environ, platform) == Path(place).expanduser()


# what a column is, from the file to the answer


def of_rows(rows: str) -> dict[str, str | bytes]:
    return {"items.csv": rows}


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("금액<=(30,000원)", "금액 조건의 값은 -50,000원, 0원 같은 값이어야"),
        ("금액=1..만원", "금액 조건의 값은 -50,000원, 0원 같은 값이어야"),
        ("날짜<'26.4.1", "날짜 조건의 값은 2026-04-01, 2026-04-02 같은 값이어야"),
        ("금액=천원", "-50,000원, 0원, (30,000원), 만원 같은 값이어야"),
    ],
)
def test_a_value_that_is_suggested_is_taken(
    bareloop: Command, data: Path, tmp_path: Path, where: str, told: str
) -> None:
    rows = (
        '항목,금액,날짜\n책상,"-50,000원",2026-04-01\n의자,0원,2026-04-02\n'
        '서랍,"(30,000원)",\'26.4.1\n조명,만원,미정\n'
    )
    bareloop("index", str(folder(tmp_path / "docs", {"items.csv": rows})))
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as aside:
        assert main(["ask", "--corpus", "docs", "--where", where, "책상 금액은?"]) == 2
    assert told in aside.getvalue()
    name = where[:2]
    suggested = aside.getvalue().partition("값은 ")[2].partition(" 같은")[0].split(", ")
    sign = "=" if where == "금액=천원" else "<="
    for each in suggested:
        cited("책상 금액은?", "--where", f"{name}{sign}{each}")


@pytest.mark.parametrize("engine", ["tantivy", "sqlite"])
def test_conditions_compare_what_the_cells_of_a_column_mean(
    bareloop: Command, data: Path, tmp_path: Path, engine: str
) -> None:
    rows = (
        "item,weight,price,released\n"
        "red desk,10kg,$99.50,2026/03/04\n"
        'blue desk,3 kg,"$1,200",2026년 3월 10일\n'
        "green desk,800g,80,2025-12-31\n"
        "old desk,미정,70,미정\n"
    )
    docs = folder(tmp_path / "docs", {"items.csv": rows})
    done = bareloop("index", str(docs), "--engine", engine)
    assert done.stderr.splitlines() == [
        "Values of released that are no date and meet no comparison: 1 of 4 (the first: 미정 in "
        "items.csv:5).",
        "Values of weight that are no weight and meet no comparison: 1 of 4 (the first: 미정 in "
        "items.csv:5).",
    ]
    for where, lines in {
        "weight<=2kg": {4},
        "weight>=3kg": {2, 3},
        "weight=10000 g": {2},
        "weight=미정": {5},
        "price<100": {2, 4, 5},
        "price>$99.50": {3},
        "released>=2026": {2, 3},
        "released<=2026.03.04": {2, 4},
        "released=2026-03": {2, 3},
        "item=RED Desk": {2},
    }.items():
        assert set(cited("Which desk?", "--where", where)) == {
            f"items.csv:{line}" for line in lines
        }, where
    for where, part in {
        "item<=m": "red desk",
        "weight<=2": "10kg",
        "released>=yesterday": "2026/03/04",
        "price<=5유로": "$99.50",
        "": "no condition after --where",
    }.items():
        refused = bareloop("ask", "--corpus", "docs", "--where", where, "Which desk?")
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), where
        assert part in refused.stderr, where
    (docs / "more.csv").write_text("item,price\nnew desk,5000원\n")
    assert bareloop("index", str(docs)).returncode == 0
    mixed = bareloop("ask", "--corpus", "docs", "--where", "price<100", "Which desk?")
    assert mixed.returncode == 2 and "different units or currencies" in mixed.stderr
    (docs / "more.csv").unlink()
    assert bareloop("index", str(docs)).returncode == 0
    assert len(cited("Which desk?", "--where", "price<100")) == 3


def test_a_question_states_what_the_columns_hold(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    rows = (
        "item,weight,price,released\nred desk,10kg,$99.50,2026-03-04\nold desk,3kg,$9,2025-01-02\n"
    )
    bareloop("index", str(folder(tmp_path / "docs", {"items.csv": rows})))
    for question, condition in {
        "2kg 이하 책상": "weight<=2kg",
        "desks of at most 5 kg": "weight<=5kg",
        "a desk under 100 dollars": "price<100",
        "a desk for less than fifty dollars": "price<50",
        "2025년 6월 1일 이후에 나온 책상": "released>=2025-06-01",
        "desks released after 2025-06-01": "released>2025-06-01",
        "desks released before March 2026": "released<2026-03",
    }.items():
        told = bareloop("ask", "--corpus", "docs", question).stderr
        assert f'--where "{condition}"' in told, question
    for question, part in {
        "a desk over 50 euros": "over 50 euros",
        "10만 원 이하 책상": "10만 원 이하",
        "5시간 이상 책상": "5시간 이상",
    }.items():
        told = bareloop("ask", "--corpus", "docs", question).stderr
        assert part in told and "--where" not in told, question


def noted(data: Path, changes: str) -> None:
    """Changes what the index notes of its one document."""
    store = index_folder(data, "docs") / "store.sqlite3"
    with closing(sqlite3.connect(store)) as opened, opened:
        opened.execute(f"UPDATE documents SET {changes}")


OTHER_DIGEST = "digest = substr(digest, 1, length(digest) - 1) || 'x'"


def test_a_file_is_read_again_when_its_times_were_set_back(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n"})
    os.utime(docs / "a.md", (5, 5))
    bareloop("index", str(docs))
    noted(data, OTHER_DIGEST)
    # a file that was written just now is compared by its bytes, whatever its time
    assert "1 changed" in bareloop("index", str(docs)).stdout
    time.sleep(2.1)
    bareloop("index", str(docs))
    noted(data, OTHER_DIGEST)
    assert "1 as before" in bareloop("index", str(docs)).stdout
    assert "1 changed" in bareloop("index", str(docs), "--reread").stdout
    noted(data, f"{OTHER_DIGEST}, inode = inode + 1")
    assert "1 changed" in bareloop("index", str(docs)).stdout
    (docs / "a.md").write_text("The old door.\n")
    os.utime(docs / "a.md", (5, 5))
    assert "1 changed" in bareloop("index", str(docs)).stdout


def test_rows_of_tables_are_read_with_their_headers(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    table = [["Rack", "Owner"], ["R-17", "Dana Kim"], ["R-18", "Lee Han"]]
    files: dict[str, str | bytes] = {
        "a.md": "| Rack | Owner |\n|--|--|\n| R-17 | Dana Kim |\n",
        "b.html": "<table>\n<tr><th>Rack<th>Owner\n<tr><td><p>R-27</p><td>Dana Kim\n</table>",
        "c.docx": docx(table),
        "d.html": "<table><tr><td>Rack<td>R-37\n<tr><td>Owner<td>Dana Kim</table>",
    }
    bareloop("index", str(folder(tmp_path / "docs", files)))
    with Index(index_folder(data, "docs")) as index:
        found = {each.id: each.text for each in index.search("Rack R-17 R-27 R-37 R-18", k=20)}
    assert found["a.md:3"] == "Rack: R-17; Owner: Dana Kim"
    assert found["b.html:3"] == "Rack: R-27; Owner: Dana Kim"
    assert found["c.docx:3"] == "Rack: R-18; Owner: Lee Han"
    assert found["d.html:1"] == "Rack | R-37"


def test_an_engine_that_cannot_be_reached_leaves_nothing_behind(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = str(folder(tmp_path / "docs", {"a.md": "The red door.\n"}))
    done = bareloop("index", docs, "--engine", "opensearch+http://127.0.0.1:9")
    assert done.returncode == 2 and not index_folder(data, "docs").exists()
    assert bareloop("index", docs).returncode == 0
    assert bareloop("index", docs, "--engine", "opensearch+http://127.0.0.1:9").returncode == 2
    assert cited("red door") == ["a.md:1"]


def test_a_refused_run_leaves_the_index_complete(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n"})
    bareloop("index", str(docs))
    (docs / "a.md").unlink()
    assert bareloop("index", str(docs)).returncode == 2
    asked = bareloop("ask", "--corpus", "docs", "red door")
    assert asked.returncode == 0 and "complete" not in asked.stderr


def test_what_is_no_longer_as_it_was_is_said(bareloop: Command, data: Path, tmp_path: Path) -> None:
    one = folder(tmp_path / "one", {"a.md": "One.\n", "corpus.toml": 'permission = "hr"\n'})
    two = folder(tmp_path / "two", {"b.md": "Two.\n", "corpus.toml": 'permission = "hr"\n'})
    assert bareloop("index", str(one), "--corpus", "docs").stderr == ""
    told = bareloop("index", str(two), "--corpus", "docs").stderr
    assert f"docs is now made of {tilde(two)}; documents of {tilde(one)}" in told
    (two / "corpus.toml").unlink()
    told = bareloop("index", "--corpus", "docs").stderr
    assert "the permission of docs is still hr" in told and 'permission = "public"' in told


def test_what_is_nearly_korean_is_read_as_korean_and_told(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    lines = ["외부 저장 장치는 등록합니다.", "방문자는 출입증을 받습니다."]
    bad = "\n".join(lines).encode("euc-kr") + b"\n\x80\xff\n"
    done = bareloop("index", str(folder(tmp_path / "docs", {"bad.txt": bad})))
    assert "bad.txt: letters that cannot be read" in done.stderr
    assert "lines with some: 1; first: 3" in done.stderr
    asked = bareloop("ask", "--corpus", "docs", "방문자는 무엇을 받나요?")
    assert lines[1] in asked.stdout


def test_a_bad_date_costs_only_itself(bareloop: Command, data: Path, tmp_path: Path) -> None:
    text = "---\nowner: hr\nsince: 2026-02-30\n---\nThe red door.\n"
    files = {"a.md": text, "b.md": "---\nowner: it\nx: [\n---\nThe blue door.\n"}
    done = bareloop("index", str(folder(tmp_path / "docs", files)))
    assert cited("red door", "--where", "owner=hr") == ["a.md:5"]
    assert "b.md: line 4 of its front matter cannot be read" in done.stderr
    assert "a.md" not in done.stderr


def test_the_same_text_in_two_files_is_quoted_once(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    files = {"a.md": "# A\n\nCall 119.\n", "b.md": "# B\n\nCall 119.\n"}
    bareloop("index", str(folder(tmp_path / "docs", files)))
    shown = bareloop("ask", "--corpus", "docs", "Which number to call, 119?").stdout
    assert "[a.md:3] Call 119. (also in b.md:3)" in shown
    assert bareloop("ask", "--corpus", "docs,docs", "Call 119?").returncode == 0
    assert bareloop("ask", "--corpus", "docs,", "Call 119?").returncode == 0
    nameless = bareloop("ask", "--corpus", ",", "Call 119?")
    assert (nameless.returncode, nameless.stderr.count("\n")) == (2, 1)
    more = {f"{name}.md": f"# {name}\n\nCall 119.\n" for name in "cdefg"}
    for last, told in (("f", 5), ("g", 6)):
        held = {name: text for name, text in more.items() if name <= f"{last}.md"}
        bareloop("index", str(folder(tmp_path / "docs", held)))
        shown = bareloop("ask", "--corpus", "docs", "Which number to call, 119?").stdout
        (also,) = re.findall(r"\(also in (.*)\)", shown)
        assert len(also.split(", ")) == told and also.endswith("…") is (told > 5)
    other = folder(tmp_path / "other", {"z.md": "# Z\n\nCall 119.\n"})
    bareloop("index", str(other))
    shown = bareloop("ask", "--json", "--corpus", "docs,other", "Which number to call, 119?").stdout
    (evidence,) = json.loads(shown)["evidence"]
    places = {f"docs:{name}.md:3" for name in "abcdefg"} | {"other:z.md:3"}
    assert {evidence["id"], *evidence["also_in"]} == places


RULES = """# Handbook

## Server backup

Databases are copied every night at two.

Copies are kept for thirty days.

A restore takes about four hours.

## 재택 근무

한 주에 이틀까지 집에서 일할 수 있습니다.

회사 노트북만 씁니다.

장비 고장은 내선 300번으로 알립니다.
"""


def test_a_line_that_has_only_its_headings_words_goes_where_its_neighbour_says_more(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    bareloop("index", str(folder(tmp_path / "docs", {"rules.md": RULES})))
    for question, lines in {
        "재택 근무 장비는?": {17},
        "재택 근무는 어떻게 하나요?": {13, 15, 17},
        "When does the server backup run?": {5, 7, 9},
    }.items():
        assert set(cited(question)) == {f"rules.md:{line}" for line in lines}, question


def test_a_page_on_one_line_has_as_many_citations_as_texts(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    page = "<p>The oven is cleaned on Friday.</p><p>The fridge is cleaned on Monday.</p>"
    bareloop("index", str(folder(tmp_path / "docs", {"a.html": page})))
    assert cited("When are the oven and the fridge cleaned?") == ["a.html:1", "a.html:1:41"]


def test_conditions_that_leave_nothing_are_counted(
    bareloop: Command, data: Path, tmp_path: Path
) -> None:
    rows = "item,stock,price\nred desk,yes,90\nold desk,no,150\nred lamp,yes,20\n"
    bareloop("index", str(folder(tmp_path / "docs", {"items.csv": rows, "a.md": "Plain.\n"})))
    for conditions, question, told in (
        (
            ["stock=true", "price<100"],
            "desk",
            [
                "Passages that meet every condition: none of 4; no condition changed.",
                'Passages that meet each condition alone: stock="true" (0), price<100 (2).',
                "Values of stock: no, yes.",
            ],
        ),
        (
            ["price<100"],
            "sofa",
            [
                "Passages that meet every condition: 2 of 4, and none of them has the words; no "
                "condition changed."
            ],
        ),
        (
            ["price<10"],
            "desk",
            ["Passages that meet every condition: none of 4; no condition changed."],
        ),
        ([], "sofa", []),
        (["price<100"], "desk", []),
    ):
        where = [part for each in conditions for part in ("--where", each)]
        asked = bareloop("ask", "--corpus", "docs", *where, question)
        shown = asked.stdout.splitlines()
        last = next(at for at, line in enumerate(shown) if line.startswith("status: "))
        assert shown[last + 1 :] == told, (conditions, question)
