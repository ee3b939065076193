"""How well and how fast an index finds: synthetic passages by size, and public question sets.

    python tests/benchmarks/retrieval.py                      10,000 and 100,000 passages
    python tests/benchmarks/retrieval.py --million            1,000,000 as well
    python tests/benchmarks/retrieval.py --data DIR           the question sets under DIR as well
    python tests/benchmarks/retrieval.py --data DIR --sizes   the question sets alone
    ... --data DIR --sizes --tokens terms kiwi                with morphemes of the extra ko as well

Prints a table, with ``--json FILE`` writes every figure, and ends with 1 where an aim is missed.
bm25s and LanceDB are measured beside our engines when they are installed
(``.venv/bin/pip install bm25s lancedb``). ``index`` is everything together: reading rows from the
store, tokens, engine, and the passages of the hits.

The question sets and figures: KorQuAD 1.0 dev (964 paragraphs, 5,774 questions, MRR@10),
StrategyQA in Korean (questions to labelled facts, MRR@10), HotpotQA (100 questions, 994 passages
with their titles, Recall@10 of the two gold passages); one query a question, no model. ``verbs``
are sentences of our own with one irregular verb each, asked for by another form of it. ``routing``
takes the three sets for three corpora: how often the right one is chosen first (r1) or among two.

Where the extra ``semantic`` is installed, the section of meaning.py follows.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tools.choosing import choose_corpora
from tools.index.engine import Engine, Hit, Row
from tools.index.index import Index
from tools.index.indexed import About, IndexedCorpus
from tools.index.sqlite_engine import SqliteEngine
from tools.index.store import Chunk, Document
from tools.index.tantivy_engine import TantivyEngine
from tools.index.where import Where
from tools.morphemes import named
from tools.tokens import query_terms, terms

FILTER = ("price<=68000", "connection=bluetooth", "stock>0")
"""Keeps about 9 % of the passages."""

QUERIES = 300
VOCABULARY = 30_000
JOSA = "은 는 이 가 을 를 에 에서 의 와 과 도 로 으로 만 까지 부터".split()


# Synthetic passages


class Language:
    """Zipf-distributed words: half of the passages of English-like words with endings, half of
    Korean-like stems with particles."""

    def __init__(self) -> None:
        dice = random.Random(1)
        syllables = [chr(code) for code in range(0xAC00, 0xD7A4, 28)]
        self._english = _vocabulary(lambda: _english_word(dice))
        self._korean = _vocabulary(lambda: "".join(dice.choices(syllables, k=dice.choice((2, 3)))))
        self._weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))

    def passage(self, number: int) -> str:
        dice = random.Random(number)
        count = dice.randint(20, 50)
        if number % 2:
            words = dice.choices(self._english, cum_weights=self._weights, k=count)
            return " ".join(word + dice.choice(("", "", "s")) for word in words)
        words = dice.choices(self._korean, cum_weights=self._weights, k=count * 2 // 3)
        return " ".join(word + dice.choice(JOSA) for word in words)

    def question(self, dice: random.Random) -> str:
        """Three words of middling frequency."""
        vocabulary = dice.choice((self._english, self._korean))
        return " ".join(vocabulary[dice.randint(300, 3000)] for _ in range(3))


def _vocabulary(word: Callable[[], str]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        found.setdefault(word())
    return list(found)


def _english_word(dice: random.Random) -> str:
    return "".join(
        dice.choice("bdfgklmnprtvz") + dice.choice("aeiou") for _ in range(dice.choice((2, 3, 4)))
    ) + dice.choice(("", "n", "r", "t"))


def fields(number: int) -> dict[str, Any]:
    """What a product would have; a pure function of the number."""
    dice = random.Random(-number)
    return {
        "price": dice.randrange(1_000, 200_000),
        "connection": dice.choice(("bluetooth", "usb-c", "ethernet")),
        "stock": dice.choice((0, 1, 5, 20, 100, 300)) if dice.random() < 0.97 else 0,
    }


# The other libraries, for comparison


class Bm25sEngine:
    """bm25s: everything in memory, made once; the filter is a mask over all scores."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ids: list[int] = []
        self._tokens: list[Sequence[str]] = []
        self._fields: list[Any] = []
        self._masks: dict[str, Any] = {}

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._ids.append(row.id)
            self._tokens.append(row.tokens)
            self._fields.append(row.fields)

    def commit(self) -> None:
        import bm25s

        self._model = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._model.index(self._tokens, show_progress=False)
        self._model.save(str(self.folder), show_progress=False)
        self._tokens = []

    def search(self, tokens: Sequence[str], where: Where, k: int) -> list[Hit]:
        import numpy

        if where.told not in self._masks:
            kept = [where.matches(each) for each in self._fields]
            self._masks[where.told] = numpy.array(kept, dtype="float32")
        known = [token for token in tokens if token in self._model.vocab_dict]
        scores = self._model.get_scores(known) * self._masks[where.told]
        best = numpy.argpartition(-scores, min(k, len(scores) - 1))[:k]
        best = best[numpy.argsort(-scores[best])]
        return [Hit(self._ids[each], float(scores[each])) for each in best if scores[each] > 0]

    def stats(self) -> dict[str, Any]:
        return {"engine": "bm25s", "rows": len(self._ids), "bytes": folder_size(self.folder)}

    def close(self) -> None: ...


class LanceEngine:
    """LanceDB: full-text search over our tokens, and a filter that is applied before it."""

    def __init__(self, folder: Path) -> None:
        import lancedb

        self.folder = folder
        self._database = lancedb.connect(str(folder))
        self._table: Any = None

    def add(self, rows: Iterable[Row]) -> None:
        for some in _batches(rows, 20_000):
            data = [{"id": row.id, "tokens": " ".join(row.tokens), **row.fields} for row in some]
            if self._table is None:
                self._table = self._database.create_table("rows", data)
            else:
                self._table.add(data)

    def commit(self) -> None:
        self._table.create_scalar_index("price", index_type="BTREE")
        self._table.create_scalar_index("connection", index_type="BITMAP")
        self._table.create_fts_index(
            "tokens",
            use_tantivy=False,
            base_tokenizer="whitespace",
            lower_case=False,
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
            with_position=False,
        )

    def search(self, tokens: Sequence[str], where: Where, k: int) -> list[Hit]:
        query = (
            self._table.search(" ".join(tokens), query_type="fts").limit(k).select(["id", "_score"])
        )
        if where.conditions:
            query = query.where(_sql(where), prefilter=True)
        return [Hit(each["id"], each["_score"]) for each in query.to_list()]

    def stats(self) -> dict[str, Any]:
        rows = self._table.count_rows()
        return {"engine": "lancedb", "rows": rows, "bytes": folder_size(self.folder)}

    def close(self) -> None: ...


def _sql(where: Where) -> str:
    return " AND ".join(
        f"{each.field} {each.operator} {each.values[0]!r}" for each in where.conditions
    )


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    iterator = iter(rows)
    while some := list(itertools.islice(iterator, size)):
        yield some


OPENED: dict[str, Callable[[Path], Any]] = {
    "tantivy": TantivyEngine,
    "sqlite": SqliteEngine,
    "bm25s": Bm25sEngine,
    "lancedb": LanceEngine,
}


# Speed


def speed(name: str, size: int, language: Language) -> dict[str, Any]:
    """Index time, size, and the times of the same questions without and with the filter."""
    folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
    dice = random.Random(5)
    asked = [query_terms(language.question(dice)) for _ in range(QUERIES)]
    where = Where.parse(FILTER)
    try:
        engine = OPENED[name](folder)
        watched = Watched(asked, where)
        started, cpu = time.perf_counter(), time.process_time()
        engine.add(watched.rows(language, size))
        engine.commit()
        figures = {
            "what": name,
            "passages": size,
            "index_s": round(time.perf_counter() - started, 1),
            "index_cpu_s": round(time.process_time() - cpu, 1),
            "tokens_cpu_s": round(watched.seconds, 1),
        }
        figures["mb"] = round(engine.stats()["bytes"] / 1e6, 1)
        figures["kept"] = round(watched.kept / size, 3)
        figures |= times("plain", lambda tokens: engine.search(tokens, Where(), 10), asked)
        figures |= times("filter", lambda tokens: engine.search(tokens, where, 10), asked)
        figures["sets"] = watched.compared(engine, where, size)
        engine.close()
        return figures
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Watched:
    """The rows as they pass by, remembering which of them a brute force search would find."""

    def __init__(self, asked: list[list[str]], where: Where) -> None:
        self._asked = asked[:: max(1, len(asked) // 20)]
        self._wanted = {token: set[int]() for tokens in self._asked for token in tokens}
        self._where = where
        self.kept = 0
        self.seconds = 0.0

    def rows(self, language: Language, size: int) -> Iterator[Row]:
        for number in range(1, size + 1):
            started = time.process_time()
            text = language.passage(number)
            row = Row(number, terms(text), fields(number))
            if self._where.matches(row.fields):
                self.kept += 1
                for token in self._wanted.keys() & set(row.tokens):
                    self._wanted[token].add(number)
            self.seconds += time.process_time() - started
            yield row

    def compared(self, engine: Engine, where: Where, size: int) -> str:
        """How many of some questions give exactly the set that brute force gives."""
        same = 0
        for tokens in self._asked:
            expected = set[int]().union(*(self._wanted[token] for token in tokens))
            found = {hit.id for hit in engine.search(tokens, where, size)}
            same += found == expected
        return f"{same}/{len(self._asked)}"


def whole(size: int, language: Language) -> dict[str, Any]:
    """The same through ``Index``: store, engine and passages."""
    folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
    dice = random.Random(5)
    asked = [language.question(dice) for _ in range(QUERIES)]
    where = Where.parse(FILTER)
    try:
        with Index(folder) as index:
            started, cpu = time.perf_counter(), time.process_time()
            with index.writer() as writer:
                for first in range(1, size + 1, 100):
                    numbers = range(first, min(first + 100, size + 1))
                    writer.put(
                        Document(f"{first}.md", "1"),
                        (
                            Chunk(f"{first}.md:{n}", language.passage(n), fields=fields(n))
                            for n in numbers
                        ),
                    )
            figures = {
                "what": "index",
                "passages": size,
                "index_s": round(time.perf_counter() - started, 1),
                "index_cpu_s": round(time.process_time() - cpu, 1),
            }
            started = time.perf_counter()
            with Index(folder):
                figures["open_s"] = round(time.perf_counter() - started, 3)
            figures["mb"] = round(index.stats()["bytes"] / 1e6, 1)
            figures |= times("plain", lambda text: index.search(text, k=10), asked)
            figures |= times("filter", lambda text: index.search(text, where, 10), asked)
            return figures
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def times(name: str, search: Callable[[Any], Any], asked: Sequence[Any]) -> dict[str, float]:
    """Milliseconds by the clock and of the processor; the first questions only warm up."""
    for each in asked[:20]:
        search(each)
    clock, cpu = [], []
    for each in asked[20:]:
        started, used = time.perf_counter(), time.process_time()
        search(each)
        clock.append((time.perf_counter() - started) * 1000)
        cpu.append((time.process_time() - used) * 1000)
    cuts = statistics.quantiles(clock, n=20)
    used_cuts = statistics.quantiles(cpu, n=20)
    return {
        f"{name}_p50_ms": round(statistics.median(clock), 2),
        f"{name}_p95_ms": round(cuts[18], 2),
        f"{name}_cpu_p95_ms": round(used_cuts[18], 2),
    }


def folder_size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# Quality

Questions = list[tuple[str, set[int]]]
Passages = list[tuple[str, str]]


def korquad(data: Path) -> tuple[Passages, Questions]:
    """Paragraphs, and questions with the one paragraph that holds the answer; a few paragraphs
    are there twice, and either will do."""
    given = json.loads((data / "korquad1/KorQuAD_v1.0_dev.json").read_text("utf-8"))
    passages: Passages = []
    questions: Questions = []
    for article in given["data"]:
        for paragraph in article["paragraphs"]:
            questions += [(each["question"], {len(passages)}) for each in paragraph["qas"]]
            passages.append((article["title"], paragraph["context"]))
    places: dict[str, set[int]] = {}
    for place, (_, text) in enumerate(passages):
        places.setdefault(text, set()).add(place)
    return passages, [(asked, places[passages[min(gold)][1]]) for asked, gold in questions]


def strategyqa_ko(data: Path) -> tuple[Passages, Questions]:
    """Facts, and well-formed questions with the facts given for them."""
    name = "strategyqa_ko/task169_strategyqa_sentence_generation_ko.json"
    given = json.loads((data / name).read_text("utf-8"))
    facts: dict[str, int] = {}
    gold: dict[str, set[int]] = {}
    for instance in given["Instances"]:
        asked = re.search(r"질문\s*:\s*(.*?)\s*,?\s*(?:대답|답변|답)\s*:", instance["input"])
        if asked is None:
            continue
        for output in instance["output"]:
            for fact in re.split(r"사실\s*\d*\s*[:：]", output):
                if fact.strip():
                    place = facts.setdefault(" ".join(fact.split()), len(facts))
                    gold.setdefault(asked[1], set()).add(place)
    return [("", fact) for fact in facts], list(gold.items())


def hotpotqa(data: Path) -> tuple[Passages, Questions]:
    """Passages with their titles, and questions with the titles of the two gold passages."""
    corpus = json.loads((data / "hotpotqa100/hotpotqa_train_corpus.json").read_text("utf-8"))
    asked = json.loads((data / "hotpotqa100/hotpotqa_train.json").read_text("utf-8"))
    place = {title: number for number, title in enumerate(corpus)}
    return (
        [(title, " ".join(sentences)) for title, sentences in corpus.items()],
        [(e["question"], {place[title] for title, _ in e["supporting_facts"]}) for e in asked],
    )


def verbs(data: Path) -> tuple[Passages, Questions]:
    """Sentences with one irregular verb each, and questions with another form of it."""
    file = Path(__file__).parents[1] / "data/verbs/verbs.tsv"
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
    return [("", text) for text, _ in rows], [(asked, {n}) for n, (_, asked) in enumerate(rows)]


SETS = {"korquad": korquad, "strategyqa_ko": strategyqa_ko, "hotpotqa": hotpotqa}
AIMS = {"korquad": ("mrr", 0.945), "strategyqa_ko": ("mrr", 0.72), "hotpotqa": ("r10", 0.89)}
ASKED = 500
"""Questions of each set for routing."""


def filled(folder: Path, name: str, passages: Passages, **options: Any) -> Index:
    index = Index(folder, **options)
    with index.writer() as writer:
        writer.put(
            Document(name, "1"),
            (
                Chunk(str(number), text, context=title)
                for number, (title, text) in enumerate(passages)
            ),
        )
    return index


def routing(data: Path) -> dict[str, Any]:
    """Each question to the three sets as corpora; the right one is that it was written for."""
    folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
    dice = random.Random(5)
    corpora, asked = [], []
    try:
        for name, read in SETS.items():
            passages, questions = read(data)
            index = filled(folder / name, name, passages)
            corpora.append(IndexedCorpus(About(name), index))
            some = dice.sample(questions, min(ASKED, len(questions)))
            asked += [(question, name) for question, _ in some]
        started = time.process_time()
        found = [([c.name for c in choose_corpora(q, corpora)], name) for q, name in asked]
        spent = time.process_time() - started
        for corpus in corpora:
            corpus.index.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {
        "what": "routing",
        "questions": len(asked),
        "r1": round(statistics.fmean(names[:1] == [name] for names, name in found), 4),
        "r2": round(statistics.fmean(name in names for names, name in found), 4),
        "chosen": round(statistics.fmean(len(names) for names, _ in found), 2),
        "cpu_ms": round(spent / len(asked) * 1000, 2),
    }


def quality(name: str, data: Path, engine: Any, tokens: str) -> dict[str, Any]:
    """One query a question through the index, the ten best passages."""
    passages, questions = {**SETS, "verbs": verbs}[name](data)
    folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
    try:
        with filled(folder, name, passages, engine=engine, tokens=named(tokens)) as index:
            started = time.process_time()
            found = [
                ([int(each.id) for each in index.search(question, k=10)], gold)
                for question, gold in questions
            ]
            spent = time.process_time() - started
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    ranks = [next((n for n, i in enumerate(ids, 1) if i in gold), 0) for ids, gold in found]
    figures: dict[str, Any] = {
        "what": name,
        "engine": engine,
        "tokens": tokens,
        "passages": len(passages),
        "questions": len(questions),
        "mrr": round(statistics.fmean(1 / rank if rank else 0 for rank in ranks), 4),
    }
    for k in (1, 5, 10):
        recall = statistics.fmean(len(gold & {*ids[:k]}) / len(gold) for ids, gold in found)
        figures[f"r{k}"] = round(recall, 4)
    figures["cpu_ms"] = round(spent / len(questions) * 1000, 2)
    if name in AIMS:
        figure, least = AIMS[name]
        figures["aim"] = f"{figure}>={least} {'met' if figures[figure] >= least else 'MISSED'}"
    return figures


def table(rows: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([str(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--data", type=Path, help="folder of the question sets")
    options.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000])
    options.add_argument("--million", action="store_true", help="1,000,000 passages as well")
    options.add_argument("--engines", nargs="*", default=[*OPENED, "index"])
    options.add_argument("--tokens", nargs="*", default=["terms"], help="terms, kiwi")
    options.add_argument("--json", type=Path, help="file for every figure")
    given = options.parse_args()
    from meaning import section

    result: dict[str, list[dict[str, Any]]] = {"speed": [], "quality": []}
    if given.data:
        names, engines = [*SETS, "verbs"], ("tantivy", "sqlite")
        for name, engine, tokens in itertools.product(names, engines, given.tokens):
            result["quality"].append(quality(name, given.data, engine, tokens))
        result["quality"].append(routing(given.data))
        print(table(result["quality"]), flush=True)
    language = Language()
    for size in [*given.sizes, *([1_000_000] if given.million else [])]:
        for name in given.engines:
            if name == "index":
                result["speed"].append(whole(size, language))
            elif name in ("tantivy", "sqlite") or find_spec(name):
                result["speed"].append(speed(name, size, language))
            else:
                if size == given.sizes[0]:
                    print(f"{name}: not installed, so not measured", file=sys.stderr)
                continue
            print(json.dumps(result["speed"][-1]), file=sys.stderr, flush=True)
    if result["speed"]:
        print(table(result["speed"]))
    if found := section(given.data, max(given.sizes, default=0)):
        result["meaning"] = found
        print(table(found))
    if given.json:
        given.json.write_text(json.dumps(result, indent=1, ensure_ascii=False), "utf-8")
    return 1 if any("MISSED" in row.get("aim", "") for row in result["quality"]) else 0


if __name__ == "__main__":
    sys.exit(main())
