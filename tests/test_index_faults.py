"""An index that is not whole, may not be read or may not be written: told by ``ask``, ``index`` and
``doctor``, and never taken for one that has nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from agent.cli import main
from tests.tools.index.made import folder
from tools.home import tilde
from tools.index.index import Index
from tools.index.indexed import index_folder
from tools.index.store import Store

ROOT = Path(__file__).parent.parent
QUESTION = "When does the guest password change?"
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, which the commands of the test use."""
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with ``tests/data/office`` indexed in it, to be copied."""
    place = tmp_path_factory.mktemp("made") / "data"
    done = subprocess.run(
        [sys.executable, "-m", "agent.cli", "index", str(ROOT / "tests/data/office")],
        cwd=ROOT,
        env={**os.environ, "BARELOOP_DATA": str(place)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return place


@pytest.fixture
def office(data: Path, made: Path) -> Path:
    """The folder of a sound index named office."""
    shutil.copytree(made, data)
    return index_folder(data, "office")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command in this process, to be quick."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        with (
            redirect_stdout(StringIO()) as out,
            redirect_stderr(StringIO()) as err,
            monkeypatch.context() as patch,
        ):
            for name, value in variables.items():
                patch.setenv(name, value)
            code = main([*arguments])
        return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def person() -> Command:
    """Run the command as one who has no more rights than a file gives: root without its own."""
    prefix: list[str] = []
    if sys.platform == "win32":
        pytest.skip("rights of POSIX")
    if os.geteuid() == 0:
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
        known = shutil.which("setpriv")
        if not known or subprocess.run([*prefix, "true"], check=False).returncode:
            pytest.skip("root may read everything, and setpriv cannot take that away here")

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*prefix, sys.executable, "-m", "agent.cli", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What a command that did nothing says."""
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


# not whole


def test_a_first_index_that_was_killed_is_not_one_that_has_nothing(
    command: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {f"{n}.txt": "The red door.\n" * 4000 for n in range(2)})
    indexing = [sys.executable, "-m", "agent.cli", "index", str(docs)]
    running = subprocess.Popen(indexing, cwd=ROOT, stdout=subprocess.DEVNULL)
    place = index_folder(data, "docs")
    while not (place / "corpus.json").exists():
        assert running.poll() is None
        time.sleep(0.005)
    running.kill()
    running.wait()
    with Index(place) as index:
        assert index.is_empty
    english = one_sentence(command("ask", "--corpus", "docs", "red door"))
    assert english.startswith("Nothing can be searched in the index docs yet")
    assert english.endswith("bareloop index --corpus docs\n")
    korean = one_sentence(command("ask", "--corpus", "docs", "빨간 문", BARELOOP_LANG="ko"))
    assert "만들다 멈췄거나" in korean and "bareloop index --corpus docs" in korean
    unasked = command("ask", "red door")
    assert unasked.returncode == 3 and "Nothing can be searched" in unasked.stderr
    assert "unavailable" in unasked.stderr
    told = command("doctor").stdout
    assert "[note] Nothing can be searched in the index docs yet" in told
    assert "Indexed corpora" not in told
    assert command("index", "--corpus", "docs").returncode == 0
    found = command("ask", "--corpus", "docs", "red door")
    assert (found.returncode, "complete" in found.stderr) == (0, False)


def test_a_part_of_an_index_is_searched_and_told_as_a_part(
    command: Command, data: Path, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "The red door.\n"})
    command("index", str(docs))
    sentence = "The index docs is not complete"
    with Index(index_folder(data, "docs")) as index:
        with index.writer():
            beside = command("ask", "--corpus", "docs", "red door")
            assert "a.md:1" in beside.stdout and sentence in beside.stderr
            assert f"[note] {sentence}" in command("doctor").stdout
        with pytest.raises(KeyError), index.writer():
            raise KeyError
    assert sentence in command("ask", "--corpus", "docs", "red door").stderr
    assert "아직 다 만들어지지 않아" in command("ask", "red door", BARELOOP_LANG="ko").stderr
    command("index", "--corpus", "docs")
    assert sentence not in command("ask", "--corpus", "docs", "red door").stderr
    assert sentence not in command("doctor").stdout


def test_an_index_of_before_is_whole_when_there_is_something_in_it(
    command: Command, office: Path
) -> None:
    with sqlite3.connect(office / "store.sqlite3") as opened:
        opened.execute("DELETE FROM notes WHERE name = 'state'")
        opened.execute("DROP TABLE problems")
        opened.execute("PRAGMA user_version = 1")
    opened.close()
    done = command("ask", "--corpus", "office", QUESTION)
    assert done.returncode == 0 and "complete" not in done.stderr
    assert "4 as before" in command("index", "--corpus", "office").stdout
    assert command("ask", "--corpus", "office", QUESTION).returncode == 0


def test_an_index_of_before_that_has_nothing_may_not_be_whole(
    command: Command, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    assert command("index", str(tmp_path / "docs")).returncode == 0
    assert command("ask", "--corpus", "docs", "red door").returncode == 3
    with sqlite3.connect(index_folder(data, "docs") / "store.sqlite3") as opened:
        opened.execute("DELETE FROM notes WHERE name = 'state'")
    opened.close()
    assert "Nothing can" in one_sentence(command("ask", "--corpus", "docs", "red door"))


@pytest.mark.parametrize("how", ["emptied", "gone"])
def test_a_store_without_anything_is_made_again(command: Command, office: Path, how: str) -> None:
    store = office / "store.sqlite3"
    if how == "emptied":
        store.write_bytes(b"")
    else:
        store.unlink()
    sentence = one_sentence(command("ask", "--corpus", "office", QUESTION))
    assert sentence.endswith("bareloop index --corpus office\n")
    assert "[note] Nothing can be searched" in command("doctor").stdout
    assert not store.exists() or store.stat().st_size == 0
    assert "4 new" in command("index", "--corpus", "office").stdout
    assert command("ask", "--corpus", "office", QUESTION).returncode == 0


@pytest.mark.parametrize("content", [b"no database " * 4000, None])
def test_a_damaged_store_is_told(command: Command, office: Path, content: bytes | None) -> None:
    store = office / "store.sqlite3"
    store.write_bytes(content or store.read_bytes()[:20_000])
    sentence = one_sentence(command("ask", "--corpus", "office", QUESTION))
    assert "is damaged" in sentence and "bareloop index PATH" in sentence
    told = command("doctor").stdout
    assert "[note] The index" in told and "is damaged" in told


@pytest.mark.parametrize("how", ["pages", "documents", "fields", "words"])
def test_a_store_that_has_lost_some_of_it_is_told(
    command: Command, data: Path, tmp_path: Path, how: str
) -> None:
    for number in range(60):
        written = f"Room {number} has its inventory on floor {number}.\n\n{'Keys, too. ' * 20}\n"
        (tmp_path / f"{number}.md").write_text(written)
    pages = [str(tmp_path / f"{number}.md") for number in range(60)]
    assert command("index", *pages, "--corpus", "rooms").returncode == 0
    question = "Where is the inventory of room 7?"
    assert command("ask", "--corpus", "rooms", question).returncode == 0
    assert "[ok] Indexed corpora: rooms" in command("doctor").stdout

    store = index_folder(data, "rooms") / "store.sqlite3"
    if how == "pages":
        held = bytearray(store.read_bytes())
        for start in range(2 * 4096, len(held), 4096):
            held[start + 2000 : start + 2600] = Random(start).randbytes(600)
        store.write_bytes(held)
    else:
        changed = {
            "documents": "DELETE FROM documents WHERE id % 2",
            "fields": "UPDATE chunks SET fields = '{'",
            "words": "UPDATE chunks SET text = CAST(x'ff41' AS TEXT)",
        }
        with closing(sqlite3.connect(store)) as connection:
            connection.execute(changed[how])
            connection.commit()
    asked = command("ask", "--corpus", "rooms", question)
    assert asked.returncode != 0 and "Room" not in asked.stdout
    assert "is damaged" in asked.stdout + asked.stderr and "bareloop index PATH" in asked.stdout
    if how in ("fields", "words"):  # seen where it is read: the file is in order
        return
    told = command("doctor").stdout
    assert "[note] The index" in told and "is damaged" in told and "[ok] Corpus rooms" not in told
    shutil.rmtree(next(store.parent.glob("tantivy-*"), store.parent / "sqlite-"))
    assert "is damaged" in one_sentence(command("ask", "--corpus", "rooms", question))


# what it is of


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": "office"}', None])
def test_a_description_that_cannot_be_read_drops_no_corpus(
    command: Command, office: Path, content: str | None
) -> None:
    about = office / "corpus.json"
    about.write_text(content or "")
    if content is None:
        about.unlink()
    sentence = one_sentence(command("ask", "--corpus", "office", QUESTION))
    assert "corpus.json" in sentence and sentence.endswith("bareloop index PATH --corpus office\n")
    unasked = command("ask", QUESTION, BARELOOP_LANG="ko")
    assert unasked.returncode == 3 and "every Monday" not in unasked.stdout
    assert unasked.stderr.count("없거나 손상되었습니다") == 1
    told = command("doctor").stdout
    assert "[note] " in told and "corpus.json" in told and "[ok] Corpus office" not in told
    assert "corpus.json" in one_sentence(command("index", "--corpus", "office"))
    again = command("index", str(ROOT / "tests/data/office"))
    assert (again.returncode, again.stdout.count("4 as before")) == (0, 1)
    assert "is written anew; the permission" in again.stderr
    assert command("ask", "--corpus", "office", QUESTION).returncode == 0


def test_a_corpus_that_cannot_be_read_costs_the_others_nothing(
    command: Command, office: Path, tmp_path: Path
) -> None:
    command("index", str(folder(tmp_path / "docs", {"a.md": "The red door squeaks.\n"})))
    (office / "corpus.json").write_text("{")
    found = command("ask", "Which door squeaks?")
    assert found.returncode == 0 and "docs:a.md:1" in found.stdout
    assert found.stderr.count("Searching without the corpus office") == 1


# rights


def test_a_corpus_that_is_closed_is_told(person: Command, office: Path) -> None:
    office.chmod(0)
    try:
        named = person("ask", "--corpus", "office", QUESTION)
        unasked = person("ask", QUESTION)
        told = person("doctor").stdout
        again = person("index", str(ROOT / "tests/data/office"))
    finally:
        office.chmod(0o755)
    for done in (named, again):
        assert one_sentence(done).endswith("may not be read (Permission denied).\n")
    assert unasked.returncode == 3 and "Searching without the corpus office" in unasked.stderr
    assert "[note] The index" in told and "[ok] Corpus office" not in told


PLANNED = "invoice export steps and permission"


def check_closed(run: Command, place: Path) -> None:
    """A data folder that cannot be looked into, which only what needs it says."""
    for arguments in (
        ["ask", "--corpus", "office", QUESTION],
        ["ask", QUESTION],
        ["index", str(ROOT / "tests/data/office")],
    ):
        assert tilde(place) in one_sentence(run(*arguments))
    korean = one_sentence(run("ask", QUESTION, BARELOOP_LANG="ko"))
    assert "BARELOOP_DATA" in korean and "읽을 수 없습니다" in korean
    assert f"[note] The folder {tilde(place)}" in run("doctor").stdout
    assert run("ask", PLANNED).returncode == 0
    assert run("ask", "--corpus", "billing", PLANNED).returncode == 0


def test_a_data_folder_that_is_closed_is_named(person: Command, office: Path, data: Path) -> None:
    data.chmod(0)
    try:
        check_closed(person, data)
    finally:
        data.chmod(0o755)


def test_a_file_in_place_of_the_data_folder_is_named(command: Command, data: Path) -> None:
    data.write_text("")
    check_closed(command, data)


@pytest.mark.parametrize("engine", ["tantivy", "sqlite"])
def test_an_index_that_may_not_be_written_is_searched(
    command: Command, person: Command, office: Path, data: Path, engine: str
) -> None:
    command("index", "--corpus", "office", "--engine", engine)
    places = [data, *data.rglob("*")]
    rights = {place: place.stat().st_mode for place in places}
    for place in places:
        place.chmod(rights[place] & ~0o222)
    try:
        found = person("ask", "--corpus", "office", "--where", "format=md", QUESTION)
        refused = person("index", str(ROOT / "tests/data/office"))
    finally:
        for place in places:
            place.chmod(rights[place])
    assert (found.returncode, "every Monday" in found.stdout) == (0, True), found.stderr
    assert "cannot be written" in one_sentence(refused)
    assert {place.stat().st_mode for place in places} == set(rights.values())


def test_damage_to_the_engine_is_seen_by_the_doctor(command: Command, office: Path) -> None:
    segment = next(office.glob("tantivy-*/*.store"))
    content = bytearray(segment.read_bytes())
    content[5] ^= 255
    segment.chmod(0o644)
    segment.write_bytes(content)
    assert "engine's files of the index office" in command("doctor").stdout
    command("index", "--corpus", "office")
    assert "engine's files" not in command("doctor").stdout


def test_an_engine_that_names_passages_of_no_store_is_made_again(
    command: Command, office: Path
) -> None:
    for numbers in office.glob("tantivy-*/*.fast"):
        content = bytearray(numbers.read_bytes())
        content[len(content) // 4] ^= 85
        numbers.chmod(0o644)
        numbers.write_bytes(content)
    asked = command("ask", "--corpus", "office", QUESTION)
    assert asked.returncode == 0 and "every Monday" in asked.stdout
    assert "engine's files" not in command("doctor").stdout


def test_an_engine_that_is_gone_or_has_less_is_seen_by_the_doctor(
    command: Command, office: Path
) -> None:
    engine = next(office.glob("tantivy-*"))
    shutil.move(engine, office.parent / "aside")
    assert "engine's files of the index office" in command("doctor").stdout
    assert not engine.exists()
    shutil.move(office.parent / "aside", engine)
    assert "engine's files" not in command("doctor").stdout
    with sqlite3.connect(office / "store.sqlite3") as opened:
        opened.execute("UPDATE notes SET value = value + 1 WHERE name = 'rows'")
    opened.close()
    assert "engine's files of the index office" in command("doctor").stdout


def test_sqlite_answers_where_a_damaged_engine_may_not_be_mended(
    person: Command, office: Path, tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    for segment in office.glob("tantivy-*/*.term"):
        segment.write_bytes(b"x" * 10)
    places = [office, *office.rglob("*")]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        done = person("ask", "--corpus", "office", QUESTION, TMPDIR=str(tmp_path / "own"))
        assert done.returncode == 0 and "every Monday" in done.stdout
        assert not any((tmp_path / "own").iterdir())
        assert "SQLite searches this time" in done.stderr or "이번에는 SQLite로" in done.stderr
    finally:
        for place in places:
            place.chmod(0o755)


def test_an_index_of_before_that_may_not_be_written_is_told(person: Command, office: Path) -> None:
    with sqlite3.connect(office / "store.sqlite3") as opened:
        opened.execute("PRAGMA user_version = 2")
    opened.close()
    places = [office, *office.rglob("*")]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        sentence = one_sentence(person("ask", "--corpus", "office", QUESTION))
        assert "made by an earlier bareloop" in sentence or "이전 bareloop" in sentence
    finally:
        for place in places:
            place.chmod(0o755)
    assert person("ask", "--corpus", "office", QUESTION).returncode == 0


# the lock


@pytest.mark.parametrize("how", ["index", "reread", "garbage after a header"])
def test_a_damaged_lock_holds_nothing_and_is_made_anew(
    command: Command, office: Path, how: str
) -> None:
    lock = office / "writer.lock"
    header = b"SQLite format 3\0" if how.startswith("garbage") else b""
    lock.write_bytes(header + Random(4).randbytes(4096))
    with lock.open("rb") as same:  # two who find it damaged at once must not each get their own
        done = command("index", str(ROOT / "tests/data/office"), *["--reread"] * (how == "reread"))
        assert os.fstat(same.fileno()).st_nlink == 1
    assert (done.returncode, done.stderr) == (0, ""), done
    assert lock.stat().st_size == 0


def test_a_lock_that_is_damaged_while_it_is_held_lets_no_second_writer_in(office: Path) -> None:
    lock = office / "writer.lock"
    spoil = "import sys; from pathlib import Path; Path(sys.argv[1]).write_bytes(b'?' * 4096)"
    second = (
        "import sys; from pathlib import Path; from tools.index.store import Store\n"
        "with Store(Path(sys.argv[1])).lock(0.1): pass"
    )
    # one that is held was once damaged itself: it is still the file that others see
    lock.write_bytes(b"!" * 4096)
    with Store(office).lock():
        for _ in range(2):
            subprocess.run([sys.executable, "-c", spoil, str(lock)], check=True)
            done = subprocess.run(
                [sys.executable, "-c", second, str(office)],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 1 and "IndexFault: busy" in done.stderr, done.stderr
