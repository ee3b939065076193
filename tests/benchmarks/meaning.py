"""What vectors add to an index, and what they cost; a section of retrieval.py, or alone:

    python tests/benchmarks/meaning.py [--data DIR] [--passages 100000]

``paraphrases``: 40 questions of our own (20 English, 20 Korean), hardly a word of which is in their
passage, among 60 passages, and among 500 with sentences from templates. r1, r5 and mrr are of the
order; ``found``, ``closest`` and ``none`` are the shares of questions that a corpus answers so,
``right`` of those whose passage is among the five that it gives. ``unanswerable`` are 40 questions
that no passage answers, half of them near its subjects. ``dev`` and ``test`` are the two halves:
nothing may be tuned on the second. ``korquad`` compares words alone with words and meaning on a
sample of its questions. ``vectors`` is the speed at a size, with vectors at random.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from retrieval import FILTER, QUERIES, Language, Passages, fields, filled, korquad, table, times

from tools.index.index import Index
from tools.index.indexed import About, IndexedCorpus
from tools.index.semantic import E5, installed_embedder
from tools.index.store import Chunk, Document
from tools.index.where import Where

OWN = Path(__file__).parents[1] / "data/paraphrases"
SAMPLE = 1_000
WIDE = 500


def section(data: Path | None, size: int) -> list[dict[str, Any]]:
    """Every row of the section; none without the extra ``semantic``. ``size`` is that of the speed
    row, which is left out for 0."""
    if installed_embedder() is None:
        print("meaning: left out, the extra semantic is not installed", file=sys.stderr)
        return []
    rows = [row for among in (60, WIDE) for row in paraphrases(among)]
    if data is not None:
        rows += paragraphs(data)
    return [*rows, *speed(size)] if size else rows


def paraphrases(among: int) -> Iterator[dict[str, Any]]:
    """The questions of our own, by words alone and by both, and what a corpus answers to them."""
    passages, questions, nothing = map(_read, ("passages", "questions", "unanswerable"))
    texts = [("", each["text"]) for each in passages]
    texts += [("", text) for text in distractors()][: among - len(texts)]
    place = {each["id"]: number for number, each in enumerate(passages)}
    asked = [(each, {place[each["passage"]]}) for each in questions]
    for meant in (False, True):
        with made(texts, meant) as (index, seconds):
            corpus = IndexedCorpus(About("own"), index)
            what = {"what": "paraphrases", "passages": among, "meaning": meant}
            for half in ("all", "dev", "test", "en", "ko"):
                some = [(each, gold) for each, gold in asked if half in _halves(each)]
                row = ranks(index, [(each["question"], gold) for each, gold in some])
                if half != "all":  # asked before, and remembered
                    del row["cpu_ms"]
                yield {**what, "half": half, **row, **bands(corpus, some), **seconds}
                seconds = {}
            for half in ("all", "dev", "test"):
                some = [(each, set[int]()) for each in nothing if half in _halves(each)]
                yield {**what, "what": "unanswerable", "half": half, **bands(corpus, some)}


def paragraphs(data: Path) -> Iterator[dict[str, Any]]:
    """KorQuAD by words alone and by both; its paragraphs take minutes to become vectors."""
    passages, questions = korquad(data)
    some = random.Random(7).sample(questions, min(SAMPLE, len(questions)))
    for meant in (False, True):
        with made(passages, meant) as (index, seconds):
            what = {"what": "korquad", "passages": len(passages), "meaning": meant}
            yield {**what, "questions": len(some), **ranks(index, some), **seconds}


def ranks(index: Index, asked: Sequence[tuple[str, set[int]]]) -> dict[str, Any]:
    """How high the passages of questions stand, and the processor's time for one."""
    started = time.process_time()
    found = [([int(each.id) for each in index.search(text, k=10)], gold) for text, gold in asked]
    spent = time.process_time() - started
    places = [next((n for n, i in enumerate(ids, 1) if i in gold), 0) for ids, gold in found]
    return {
        "r1": _share(place == 1 for place in places),
        "r5": _share(0 < place <= 5 for place in places),
        "mrr": round(statistics.fmean(1 / place if place else 0 for place in places), 4),
        "cpu_ms": round(spent / len(asked) * 1000, 1),
    }


def bands(
    corpus: IndexedCorpus, asked: Sequence[tuple[dict[str, Any], set[int]]]
) -> dict[str, float]:
    """The shares of questions by what the corpus gives for them."""
    given = [(corpus.search(each["question"]), gold) for each, gold in asked]
    shares = {
        "found": _share(bool(hits) and not hits[0].closest for hits, _ in given),
        "closest": _share(bool(hits) and hits[0].closest for hits, _ in given),
        "none": _share(not hits for hits, _ in given),
    }
    if asked[0][1]:
        shares["right"] = _share(
            bool(gold & {int(each.id) for each in hits}) for hits, gold in given
        )
    return shares


def speed(size: int) -> Iterator[dict[str, Any]]:
    """Questions to many passages with vectors at random, so that all is there but the model's own
    time; and that time, for passages of a line."""
    dice = random.Random(5)
    language = Language()
    asked = [language.question(dice) for _ in range(QUERIES)]
    folder = Path(tempfile.mkdtemp(prefix="meaning-"))
    embedder = AtRandom()
    try:
        with Index(folder, embedder=embedder) as index:
            with index.writer() as writer:
                for first in range(1, size + 1, 100):
                    numbers = range(first, min(first + 100, size + 1))
                    chunks = (
                        Chunk(f"{first}.md:{n}", language.passage(n), fields=fields(n))
                        for n in numbers
                    )
                    writer.put(Document(f"{first}.md", "1"), chunks)
            started = time.perf_counter()
            index.embed()
            kept = time.perf_counter() - started
        with Index(folder, embedder=embedder) as index:
            started = time.perf_counter()
            index.search("first")
            row: dict[str, Any] = {
                "what": "vectors",
                "passages": size,
                "keep_s": round(kept, 1),
                "first_ms": round((time.perf_counter() - started) * 1000, 1),
                "mb": round((folder / "vectors.f32").stat().st_size / 1e6, 1),
            }
            row |= times("plain", lambda text: index.search(text, k=10), asked)
            where = Where.parse(FILTER)
            yield row | times("filter", lambda text: index.search(text, where, 10), asked)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class AtRandom:
    """Vectors that mean nothing; the same text has the same."""

    name = "random"
    dimensions = E5.dimensions

    def queries(self, texts: Sequence[str]) -> Any:
        import numpy as np

        made = np.stack(
            [np.random.default_rng(hash(text) & 0xFFFF_FFFF).normal(size=384) for text in texts]
        )
        return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)

    passages = queries


@contextmanager
def made(passages: Passages, meant: bool) -> Iterator[tuple[Index, dict[str, float]]]:
    """An index of these, and what its vectors cost."""
    folder = Path(tempfile.mkdtemp(prefix="meaning-"))
    try:
        with filled(folder, "own", passages, embedder=installed_embedder()) as index:
            started = time.process_time()
            if meant:
                index.embed()
            spent = time.process_time() - started
            yield index, {"cpu_ms_passage": round(spent / len(passages) * 1000, 1)} if meant else {}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def distractors() -> list[str]:
    """440 sentences in two languages, from templates whose words are walked through."""
    given = json.loads((OWN / "distractors.json").read_text("utf-8"))

    def sentence(template: str, turn: int) -> str:
        steps = itertools.cycle((3, 7, 1, 9))
        places = itertools.count(0, 3)

        def word(slot: re.Match[str]) -> str:
            words = given["words"][slot[1]]
            return str(words[(turn * next(steps) + next(places)) % len(words)])

        return re.sub(r"\{(\w+)\}", word, template)

    return [sentence(template, turn) for template in given["sentences"] for turn in range(10)]


def _read(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((OWN / f"{name}.json").read_text("utf-8"))
    return found


def _halves(question: dict[str, Any]) -> set[str]:
    return {"all", question["half"], str(question.get("passage", ""))[:2]}


def _share(true: Iterator[bool]) -> float:
    return round(statistics.fmean(true), 3)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--data", type=Path, help="folder of the question sets")
    options.add_argument("--passages", type=int, default=100_000, help="for the speed")
    given = options.parse_args()
    print(table(section(given.data, given.passages)))


if __name__ == "__main__":
    main()
