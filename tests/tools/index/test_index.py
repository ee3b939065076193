"""An index through its front door: what is put is found, and nothing committed is ever lost."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from unicodedata import normalize

import pytest

from tools.index.engine import IndexFault
from tools.index.index import Index
from tools.index.store import Chunk, Document, Store
from tools.problems import FilterError

ROOT = Path(__file__).parents[3]
GUIDE = [
    Chunk("guide.md:3", "청구서를 내보내려면 billing_admin 권한이 필요합니다.", context="내보내기"),
    Chunk("guide.md:4", "Invoices are exported as PDF.", fields={"level": 2}),
]
SERVERS = [
    Chunk("ops/서버.md:1", "srv-prod-17 runs 8.0.5", fields={"price": 300}),
    Chunk("ops/서버.md:2", "srv-prod-1 runs 8.0.6", fields={"price": 2.5}),
]
ENGINES = ("tantivy", "sqlite")


def fill(index):
    with index.writer() as writer:
        writer.put(Document("guide.md", "1", fields={"lang": "ko", "level": 1}), GUIDE)
        writer.put(Document("ops/서버.md", "1", fields={"lang": "en"}), SERVERS)
    return index


@pytest.fixture(params=ENGINES)
def index(request, tmp_path):
    with Index(tmp_path / "made", engine=request.param, wait=0.2) as made:
        yield fill(made)


def ids(passages):
    return [passage.id for passage in passages]


def engine_folder(index):
    return next(index.folder.glob("*-*/"))


def start(code, *arguments):
    """Another process that has our packages and says ``ready`` when it is."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@contextmanager
def running(code, *arguments):
    process = start(code, *arguments)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_passage_is_what_was_put(index):
    (found,) = index.search("청구서 내보내기", k=1)
    assert (found.id, found.source) == ("guide.md:3", "guide.md")
    assert found.text == found.body == "청구서를 내보내려면 billing_admin 권한이 필요합니다."
    assert found.context == "내보내기"
    assert found.score > 0


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("billing_admin은 누가 되나요?", "guide.md:3"),
        ("how do I export an invoice", "guide.md:4"),
        ("8.0.5", "ops/서버.md:1"),
        ("srv-prod-1", "ops/서버.md:2"),
        (normalize("NFD", "청구서"), "guide.md:3"),
    ],
)
def test_found_first(index, question, first):
    assert ids(index.search(question))[0] == first


@pytest.mark.parametrize("question", ["", "?!", "zebra", '" OR *'])
def test_nothing_is_found(index, question):
    assert index.search(question) == []


def test_conditions_of_document_and_chunk(index):
    def kept(*conditions):
        return set(ids(index.search("runs exported 권한 invoices", index.where(*conditions), k=9)))

    assert kept("lang=en") == {"ops/서버.md:1", "ops/서버.md:2"}
    assert kept("lang=en", "price<=2.5") == {"ops/서버.md:2"}
    assert kept("level=1") == {"guide.md:3"}
    assert kept("level>=1") == {"guide.md:3", "guide.md:4"}
    assert kept("price!=300") == {"guide.md:3", "guide.md:4", "ops/서버.md:2"}
    with pytest.raises(FilterError):
        index.where("colour=red")


def test_a_document_is_replaced_whole_and_deleted_whole(index):
    with index.writer() as writer:
        assert set(writer.documents()) == {"guide.md", "ops/서버.md"}
        writer.put(Document("guide.md", "2"), [Chunk("guide.md:1", "zebra")])
        writer.delete("ops/서버.md")
        writer.delete("never.md")
        assert set(writer.documents()) == {"guide.md"}
    assert ids(index.search("zebra")) == ["guide.md:1"]
    assert index.search("청구서 srv-prod-17") == []
    with Index(index.folder, engine=index.stats()["engine"]) as again:
        assert ids(again.search("zebra")) == ["guide.md:1"]
        assert again.search("srv-prod-17") == []
        assert again.notices == []


def test_touching_changes_no_passage(index):
    before = index.search("srv-prod-17")
    with index.writer() as writer:
        writer.touch(Document("guide.md", "1", size=5, mtime_ns=7))
    with index.writer() as writer:
        kept = writer.documents()["guide.md"]
    assert (kept.size, kept.mtime_ns, kept.fields) == (5, 7, {"lang": "ko", "level": 1})
    assert index.search("srv-prod-17") == before


def test_same_texts_are_one_passage(index):
    long = "The same sentence, long enough to say the same thing wherever it stands in a folder."
    with index.writer() as writer:
        for number in range(30):
            chunks = [
                Chunk(f"{number}.md:1", long if number % 2 else f" {long.upper()}", context="Copy"),
                Chunk(f"{number}.md:2", "Role: owner", context=f"Project {number}"),
            ]
            writer.put(Document(f"{number}.md", "1", fields={"n": number}), chunks)
        writer.put(Document("z.md", "1"), [Chunk("z.md:1", "A sentence of another kind.")])
    assert set(ids(index.search("same sentence", k=5))) == {"0.md:1", "z.md:1"}
    assert ids(index.search("sentence", index.where("n=7"))) == ["7.md:1"]
    (owner,) = index.search("role owner project 12", k=50)
    assert owner.id == "12.md:2" and len(owner.also) == 29 and "7.md:2" in owner.also
    (copy,) = [each for each in index.search("same sentence", k=5) if each.id == "0.md:1"]
    assert len(copy.also) > 3 and copy.id not in copy.also
    assert index.stats()["chunks"] == 65


def test_an_answer_is_remembered_until_something_changes(index):
    first = index.search("srv-prod-17")
    assert len(first) == 1
    assert index.search("srv-prod-17 runs", k=1) != index.search("srv-prod-17 runs", k=2)
    index.search("srv-prod-17").clear()
    assert index.search("srv-prod-17") == first
    with Index(index.folder, engine=index.stats()["engine"]) as other, other.writer() as writer:
        writer.put(Document("new.md", "1"), [Chunk("new.md:1", "srv-prod-17 srv-prod-17")])
    assert "new.md:1" in ids(index.search("srv-prod-17"))


def test_true_and_one_are_two_questions(index):
    with index.writer() as writer:
        writer.put(Document("a.md", "1"), [Chunk("a.md:1", "zebra", fields={"on": True})])
        writer.put(Document("b.md", "1"), [Chunk("b.md:1", "zebra", fields={"on": 1})])
    assert ids(index.search("zebra", index.where("on=true"))) == ["a.md:1"]
    assert ids(index.search("zebra", index.where("on=1"))) == ["b.md:1"]


def test_numbers_that_no_engine_holds_are_words(index):
    odd = {"nan": float("nan"), "huge": 10**30, "Mixed Name": "x"}
    with index.writer() as writer:
        writer.put(Document("odd.md", "1", fields=odd), [Chunk("odd.md:1", "zebra")])
    assert ids(index.search("zebra", index.where(f'huge="{10**30}"', "nan=nan"))) == ["odd.md:1"]
    assert ids(index.search("zebra", index.where("mixed_name=x"))) == ["odd.md:1"]


def test_stats(index):
    told = index.stats()
    assert (told["documents"], told["chunks"]) == (2, 4)
    assert told["engine"] in ENGINES
    assert told["bytes"] > 1000
    assert told["fields"] == {"lang": ["word"], "level": ["number"], "price": ["number"]}
    assert not index.is_empty
    assert index.name == "made"


def test_fields_are_counted_as_they_come_and_go(index):
    def counts():
        return {name: dict(column.counts) for name, column in index.columns().items()}

    before = counts()
    assert before == {"lang": {"word": 2}, "level": {"number": 2}, "price": {"number": 2}}
    weights = [
        Chunk(f"more.csv:{n}", f"zebra {n}", fields={"weight": cell})
        for n, cell in enumerate(("2kg", "800 g", "heavy"))
    ]
    with index.writer() as writer:
        writer.put(Document("more.csv", "1", fields={"lang": "en"}), weights[:2])
        writer.commit()
        writer.put(Document("last.csv", "1"), weights[2:])
        writer.commit()
    assert counts() == before | {"lang": {"word": 3}, "weight": {"mass": 2, "word": 1}}
    (stray,) = index.strays()
    assert (stray.name, stray.place, stray.value) == ("weight", "more.csv:2", "heavy")
    with pytest.raises(ValueError, match="stop"), index.writer() as writer:
        writer.put(Document("lost.csv", "1"), weights)
        raise ValueError("stop")
    with index.writer() as writer:
        writer.delete("more.csv")
        writer.delete("last.csv")
    assert counts() == before
    with pytest.raises(FilterError, match="unknown"):
        index.where("weight<=2kg")


def test_an_index_of_before_gets_its_columns_and_an_engine_that_knows_quantities(index):
    with index.writer() as writer:
        writer.put(
            Document("more.csv", "1"), [Chunk("more.csv:1", "zebra", fields={"weight": "2kg"})]
        )
    columns, folder, engine = index.columns(), index.folder, engine_folder(index)
    kind = index.stats()["engine"]
    index.close()
    with sqlite3.connect(folder / "store.sqlite3") as opened:
        opened.execute("DROP TABLE columns")
        for name in ("ctime_ns", "inode"):
            opened.execute(f"ALTER TABLE documents DROP COLUMN {name}")
        opened.execute("PRAGMA user_version = 2")
    opened.close()
    with Index(folder, engine=kind) as again:
        assert again.columns() == columns
        assert engine_folder(again).name != engine.name
        assert ids(again.search("zebra", again.where("weight<=2kg"))) == ["more.csv:1"]


def test_an_empty_index(tmp_path):
    assert not Index.exists(tmp_path / "new")
    with Index(tmp_path / "new") as made:
        assert Index.exists(tmp_path / "new")
        assert made.is_empty
        assert made.search("anything") == []
        assert made.notices == []


# Writers and readers


def test_after_an_error_only_what_was_committed_is_there(index):
    def interrupted():
        with index.writer() as writer:
            writer.put(Document("kept.md", "1"), [Chunk("kept.md:1", "zebra")])
            writer.commit()
            writer.put(Document("lost.md", "1"), [Chunk("lost.md:1", "zebra")])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert ids(index.search("zebra")) == ["kept.md:1"]
    with index.writer() as writer:
        assert "lost.md" not in writer.documents()


def test_a_second_writer_waits_then_says_so(index):
    with Index(index.folder, engine=index.stats()["engine"], wait=0.2) as other:
        with index.writer():
            started = time.monotonic()
            with pytest.raises(IndexFault) as caught, other.writer():
                pass
            assert 0.1 < time.monotonic() - started < 5
        assert caught.value.key == "index.busy"
        with other.writer() as writer:
            writer.delete("guide.md")
        done = threading.Event()

        def second():
            with other.writer(wait=20) as writer:
                writer.put(Document("late.md", "1"), [Chunk("late.md:1", "zebra late")])
            done.set()

        with index.writer() as writer:
            writer.put(Document("early.md", "1"), [Chunk("early.md:1", "zebra")])
            thread = threading.Thread(target=second)
            thread.start()
            assert not done.wait(0.2)
        thread.join(20)
        assert ids(index.search("zebra")) == ["early.md:1", "late.md:1"]


def test_searching_from_several_threads_while_writing(index):
    found, faults = set(), []

    def searching():
        try:
            for number in range(40):
                found.update(ids(index.search(f"zebra 청구서 number{number}", k=99)))
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=searching) for _ in range(4)]
    with index.writer() as writer:
        for thread in threads:
            thread.start()
        for number in range(10):
            chunks = [Chunk(f"{number}.md:1", f"zebra number{number}")]
            writer.put(Document(f"{number}.md", "1"), chunks)
            writer.commit()
        for thread in threads:
            thread.join(60)
    assert faults == []
    assert "guide.md:3" in found
    assert len(index.search("zebra", k=99)) == 10


WRITING = """
import sys
from pathlib import Path
from tools.index.index import Index
from tools.index.store import Chunk, Document
with Index(Path(sys.argv[1]), engine=sys.argv[2]) as index, index.writer() as writer:
    print("ready", flush=True)
    for number in range(10**9):
        chunks = [Chunk(f"{number}.md:{n}", f"zebra {n} number{number}") for n in range(20)]
        writer.put(Document(f"{number}.md", "1"), chunks)
        if number % 5 == 4:
            writer.commit()
            print(number, flush=True)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_readers_beside_a_writer_and_a_killed_writer_loses_nothing(tmp_path, engine):
    folder = tmp_path / "made"
    with running(WRITING, folder, engine) as process:
        with Index(folder, engine=engine, wait=0.1) as reader:
            committed = [int(process.stdout.readline()) for _ in range(3)]
            assert len(ids(reader.search(f"number{committed[-1]}", k=50))) == 20
            with pytest.raises(IndexFault, match="busy"), reader.writer():
                pass
            with Index(folder, engine=engine, wait=0.1) as second:
                assert len(second.search("number4", k=50)) == 20
        os.kill(process.pid, signal.SIGKILL)
        committed += map(int, process.stdout.read().split())
    with Index(folder, engine=engine) as again:
        assert again.notices == []
        with again.writer() as writer:
            there = {int(path.removesuffix(".md")) for path in writer.documents()}
        assert there >= set(range(committed[-1] + 1))
        for number in (0, committed[-1], max(there)):
            assert len(again.search(f"number{number}", k=50)) == 20


STOPPED = """
import os, signal, sys
from pathlib import Path
from tools.index.index import Index
from tools.index.store import Chunk, Document, Store
with Index(Path(sys.argv[1]), engine=sys.argv[2]):
    pass
store = Store(Path(sys.argv[1]))
store.put(Document("new.md", "1"), [Chunk("new.md:1", "zebra")])
store.delete("guide.md")
store.commit()
print("ready", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_commit_that_the_engine_never_heard_of_is_made_good(index):
    engine = index.stats()["engine"]
    with running(STOPPED, index.folder, engine) as process:
        process.wait()
    with Store(index.folder).lock(), Index(index.folder, engine=engine, wait=0.1) as reader:
        # what is missing cannot be made good beside a writer; what has gone is not found
        assert reader.search("청구서 zebra") == []
    with Index(index.folder, engine=engine) as again:
        assert ids(again.search("zebra")) == ["new.md:1"]
        assert again.search("청구서") == []
        assert again.notices == []


# Damage


def remove(folder):
    shutil.rmtree(folder)


def empty(folder):
    for file in folder.iterdir():
        file.unlink()


def cut(folder):
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def scribble(folder):
    for file in folder.iterdir():
        file.write_bytes(b"\x7f" * file.stat().st_size)


@pytest.mark.parametrize("damage", [remove, empty, cut, scribble])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_damaged_engine_is_made_again_with_a_notice(tmp_path, engine, damage):
    with Index(tmp_path, engine=engine) as made:
        fill(made)
        expected = made.search("srv-prod-17 청구서")
    damage(engine_folder(made))
    with Index(tmp_path, engine=engine) as again:
        assert again.search("srv-prod-17 청구서") == expected
        assert [notice.key for notice in again.notices] == ["index.rebuilt"]
        assert len([each for each in tmp_path.iterdir() if each.is_dir()]) == 1
    with Index(tmp_path, engine=engine) as third:
        assert third.search("srv-prod-17 청구서") == expected
        assert third.notices == []


def test_a_lost_bit_is_noticed_by_the_next_writer(tmp_path):
    with Index(tmp_path, engine="tantivy") as made:
        fill(made)
        expected = made.search("srv-prod-17 청구서")
    kept = tmp_path / "kept"
    shutil.copytree(engine_folder(made), kept)
    for file in sorted(kept.glob("*.*")):
        if file.suffix in (".json", ".lock"):
            continue
        with Index(tmp_path, engine="tantivy") as again:
            folder = engine_folder(again)
        data = bytearray(file.read_bytes())
        data[len(data) // 3] ^= 4
        for old in folder.iterdir():
            old.unlink()
        for each in kept.iterdir():
            (folder / each.name).write_bytes(each.read_bytes())
        (folder / file.name).write_bytes(data)
        with Index(tmp_path, engine="tantivy") as again:
            with again.writer():
                pass
            assert again.search("srv-prod-17 청구서") == expected
            assert [notice.key for notice in again.notices] == ["index.rebuilt"], file.name


def test_another_engine_finds_the_same(index):
    other = next(name for name in ENGINES if name != index.stats()["engine"])
    expected = ids(index.search("srv-prod-17 청구서"))
    with Index(index.folder, engine=other) as again:
        assert ids(again.search("srv-prod-17 청구서")) == expected
        assert again.stats()["engine"] == other


def test_without_tantivy_the_reader_is_told(tmp_path):
    code = """
import sys
sys.modules["tantivy"] = None
from pathlib import Path
from tools.index.index import Index
with Index(Path(sys.argv[1])) as index:
    print("ready")
    print(index.stats()["engine"], *(notice.key for notice in index.notices))
"""
    with running(code, tmp_path) as process:
        assert process.stdout.read() == "sqlite index.no_tantivy\n"


def test_a_store_that_is_no_database(tmp_path):
    (tmp_path / "store.sqlite3").write_bytes(b"no database at all" * 500)
    with pytest.raises(IndexFault) as caught:
        Index(tmp_path)
    assert caught.value.key == "index.damaged"


def test_an_index_of_a_later_version(tmp_path):
    Index(tmp_path).close()
    with sqlite3.connect(tmp_path / "store.sqlite3") as store:
        store.execute("PRAGMA user_version = 99")
    with pytest.raises(IndexFault) as caught:
        Index(tmp_path)
    assert caught.value.key == "index.newer"


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexFault) as caught:
        Index(tmp_path / "file" / "made")
    assert caught.value.key == "index.unwritable"


FULL = """
import resource, sys
from pathlib import Path
from tools.index.engine import IndexFault
from tools.index.index import Index
from tools.index.store import Chunk, Document
with Index(Path(sys.argv[1]), engine=sys.argv[2]) as index:
    print("ready", flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), -1))
    try:
        with index.writer() as writer:
            for number in range(100):
                words = " ".join(f"w{number}x{n}" for n in range(3000))
                writer.put(Document(f"{number}.md", "1"), [Chunk(f"{number}.md:1", words)])
                writer.commit()
    except IndexFault as fault:
        print(fault.key, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of a file there")
@pytest.mark.parametrize("size", [100_000, 800_000])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_full_disk_is_one_fault_and_loses_nothing(tmp_path, engine, size):
    with Index(tmp_path, engine=engine) as made:
        fill(made)
    with running(FULL, tmp_path, engine, size) as process:
        assert process.stdout.read() in ("index.disk_full\n", "index.unwritable\n")
        assert process.wait() == 0
    with Index(tmp_path, engine=engine) as again:
        assert ids(again.search("srv-prod-17"))[0] == "ops/서버.md:1"
        with again.writer() as writer:
            there = writer.documents()
        for path in there.keys() - {"guide.md", "ops/서버.md"}:
            word = f"w{path.removesuffix('.md')}x7"
            assert ids(again.search(word)) == [f"{path}:1"]
        fill(again)


def test_tantivy_is_loaded_by_an_index_and_by_nothing_else():
    code = """
import sys
import tools.index.index, tools.index.tantivy_engine
print("ready")
print("tantivy" in sys.modules)
"""
    with running(code) as process:
        assert process.stdout.read() == "False\n"
