"""Bringing an index up to date: what is read, kept and taken out while files come and go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tools.index.made import folder
from tools.index.engine import IndexFault
from tools.index.index import Index
from tools.index.indexed import (
    About,
    corpus_name,
    find_indexed,
    index_folder,
    read_about,
    write_about,
)
from tools.index.reading import ReadingError
from tools.index.reading.files import LARGEST_FILE, find_roots, list_files, read_file
from tools.index.update import Update, update


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index(tmp_path / "index") as opened:
        yield opened


def read(
    index: Index,
    *paths: Path,
    progress: Callable[[int, int, str], None] = lambda done, total, path: None,
    stop: Callable[[], bool] = lambda: False,
) -> Update:
    with index.writer() as writer:
        return update(writer, find_roots(paths), progress, stop)


def documents(index: Index) -> list[str]:
    with index.writer() as writer:
        return list(writer.documents())


def test_a_folder_that_changes_while_it_is_read(index: Index, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {f"{name}.md": f"Text {name}.\n" for name in "abcd"})
    seen: list[tuple[int, int, str]] = []

    def change(done: int, total: int, path: str) -> None:
        seen.append((done, total, path))
        if path == "a.md":
            (docs / "b.md").unlink()
            folder(docs, {"c.md": "Other words.\n", "new.md": "New.\n"})

    told = read(index, docs, progress=change)
    assert (told.total, told.done, told.added, told.removed) == (4, 4, 3, 0)
    assert told.failed == [] and told.vanished == ["b.md"]
    assert seen == [(0, 4, "a.md"), (1, 4, "b.md"), (2, 4, "c.md"), (3, 4, "d.md"), (4, 4, "")]
    assert documents(index) == ["a.md", "c.md", "d.md"]
    assert [each.id for each in index.search("other words")] == ["c.md:1"]
    assert read(index, docs).added == 1


def test_a_document_that_goes_while_the_index_is_brought_up_to_date(
    index: Index, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "Text.\n", "b.md": "More.\n"})
    read(index, docs)

    def remove(done: int, total: int, path: str) -> None:
        (docs / "b.md").unlink(missing_ok=True)

    assert read(index, docs, progress=remove).removed == 1
    assert documents(index) == ["a.md"]


def test_stopped_work_goes_on_from_there(index: Index, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {f"{name}.md": f"Text {name}.\n" for name in "abc"})
    answers = iter([False, False, True])
    told = read(index, docs, stop=lambda: next(answers))
    assert (told.stopped, told.done, told.added) == (True, 2, 2)
    assert documents(index) == ["a.md", "b.md"]
    told = read(index, docs)
    assert (told.stopped, told.added, told.unchanged) == (False, 1, 2)


def test_what_fails_in_the_middle_leaves_whole_documents(index: Index, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "Text.\n", "b.md": "More.\n"})

    def fail(done: int, total: int, path: str) -> None:
        if path == "b.md":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(index, docs, progress=fail)
    assert documents(index) == []
    assert read(index, docs).added == 2


def test_a_file_with_a_new_time_and_the_same_text_is_not_read_again(
    index: Index, tmp_path: Path
) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "Text.\n"})
    read(index, docs)
    before = index.search("text")
    os.utime(docs / "a.md", (5, 5))
    assert read(index, docs).unchanged == 1
    with index.writer() as writer:
        document = writer.documents()["a.md"]
        state = (docs / "a.md").stat()
        assert (document.ctime_ns, document.inode) == (state.st_ctime_ns, state.st_ino)
    assert index.search("text") == before


def test_a_file_that_grows_while_it_is_read_is_left_for_the_next_time() -> None:
    growing = Path("/proc/version")  # its size is told as 0 and its text is longer
    if not growing.exists():
        pytest.skip("no /proc here")
    with pytest.raises(ReadingError) as raised:
        read_file(growing)
    assert raised.value.key == "index.changing"


def test_a_huge_file_is_told_without_being_read(index: Index, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "Text.\n", "huge.txt": ""})
    with (docs / "huge.txt").open("wb") as huge:
        huge.truncate(LARGEST_FILE + 1)
    told = read(index, docs)
    assert [(path, problem.key) for path, problem in told.failed] == [
        ("huge.txt", "index.too_large")
    ]
    assert documents(index) == ["a.md"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs closed folders")
def test_documents_of_a_folder_that_was_closed_are_kept(index: Index, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {"in/a.md": "Text.\n", "b.md": "More.\n"})
    read(index, docs)
    (docs / "in").chmod(0)
    try:
        told = read(index, docs)
    finally:
        (docs / "in").chmod(0o755)
    assert [path for path, _ in told.failed] == ["in/"]
    assert documents(index) == ["b.md", "in/a.md"]


def test_a_single_file_is_a_corpus(index: Index, tmp_path: Path) -> None:
    docs = folder(tmp_path, {"notes.unknown": "The red door.\n"})
    assert read(index, docs / "notes.unknown").added == 1
    assert [each.id for each in index.search("red door")] == ["notes.unknown:1"]


def test_files_are_listed_by_their_names_in_nfc(tmp_path: Path) -> None:
    import unicodedata

    name = unicodedata.normalize("NFD", "휴가.md")
    docs = folder(tmp_path / "docs", {name: "글\n", "b/.x/c.md": "x", ".d.md": "x", "e.TXT": "x"})
    assert [found.path for found in list_files(find_roots([docs])).files] == ["e.TXT", "휴가.md"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of any bytes")
def test_names_that_are_no_unicode_or_look_the_same(index: Index, tmp_path: Path) -> None:
    import unicodedata

    docs = folder(tmp_path / "docs", {"휴가.md": "The red door.\n"})
    folder(docs, {unicodedata.normalize("NFD", "휴가.md"): "The blue door.\n"})
    (docs / os.fsdecode("규정.md".encode("cp949"))).write_text("The green door.\n")
    told = read(index, docs)
    assert [(path, problem.key) for path, problem in told.failed] == [
        ("휴가.md", "index.same_name")
    ]
    assert documents(index) == ["규정.md", "휴가.md"]
    assert read(index, docs).unchanged + read(index, docs).unchanged == 4


def test_the_same_path_twice_is_one(index: Index, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", {"a.md": "Text.\n"})
    assert read(index, docs, docs / ".").total == 1
    assert documents(index) == ["a.md"]


def test_what_is_known_of_a_corpus_is_written_whole(tmp_path: Path) -> None:
    about = About("문서", "우리 문서", ("/a", "/b"))
    assert read_about(tmp_path, "문서") is None
    write_about(tmp_path, about)
    assert read_about(tmp_path, "문서") == about
    place = index_folder(tmp_path, "문서")
    assert [each.name for each in place.iterdir()] == ["corpus.json"]
    (place / "corpus.json").write_text("{")
    with pytest.raises(IndexFault, match="about"):
        read_about(tmp_path, "문서")


@pytest.mark.parametrize("name", ["x", "사내 규정", "v1.2", "a_b-c", "x" * 64])
def test_a_name_of_one_folder_is_a_name(name: str) -> None:
    assert corpus_name(name) == name


@pytest.mark.parametrize("name", ["../x", "a/b", ".", "", "a ", "a.", "x" * 65])
def test_a_name_that_is_a_path_opens_nothing(tmp_path: Path, name: str) -> None:
    assert find_indexed(tmp_path, name) is None
