"""The question sets that can be measured on, read from the files their authors publish.

None of them comes with the project: a folder given by the person holds one folder for each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import normalize

from agent.catalogue import Problem
from tools.patterns import lazy_pattern


@dataclass(frozen=True)
class Item:
    """One question of a set. ``facets`` are the pieces of evidence it needs, each the ids of
    passages; they are empty for a question that its set calls unanswerable. ``answer`` is the
    answer the set gives, empty where it gives none."""

    id: str
    question: str
    facets: tuple[frozenset[str], ...]
    answer: str = ""
    kind: str = ""

    @property
    def gold(self) -> frozenset[str]:
        """The passages that support the answer."""
        return frozenset().union(*self.facets)


@dataclass(frozen=True)
class Text:
    """A passage of a set; ``context`` is its title, or what else stands above it."""

    id: str
    text: str
    context: str = ""


@dataclass(frozen=True)
class QuestionSet:
    """Questions and the passages that they are asked of."""

    name: str
    items: tuple[Item, ...]
    texts: tuple[Text, ...]


class _Texts:
    """Passages as they come, each text once."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._found: dict[tuple[str, str], Text] = {}

    def add(self, text: str, context: str = "") -> str:
        """The id of a text, which may have been there before."""
        text, context = _clean(text), _clean(context)
        if (text, context) not in self._found:
            number = len(self._found) + 1
            self._found[text, context] = Text(f"{self._prefix}{number}", text, context)
        return self._found[text, context].id

    @property
    def all(self) -> tuple[Text, ...]:
        return tuple(self._found.values())


def hotpotqa100(data: Path) -> QuestionSet:
    """HotpotQA: questions that need two paragraphs of an encyclopedia each."""
    corpus = _read(data, "hotpotqa100/hotpotqa_train_corpus.json")
    rows = _read(data, "hotpotqa100/hotpotqa_train.json")
    texts = _Texts("hotpot-")
    of_title = {
        title: texts.add(" ".join(map(str.strip, sentences)), title)
        for title, sentences in corpus.items()
    }
    items = [
        Item(
            str(row.get("_id", number)),
            row["question"],
            tuple(
                frozenset({of_title[title]})
                for title in dict.fromkeys(title for title, _ in row["supporting_facts"])
            ),
            row["answer"],
            row["type"],
        )
        for number, row in enumerate(rows)
    ]
    return QuestionSet("hotpotqa100", tuple(items), texts.all)


def strategyqa_gold(data: Path) -> QuestionSet:
    """StrategyQA: yes-or-no questions over several steps, each step with its sentences; those that
    a search brought for the question are distractors."""
    rows = _read(data, "strategyqa_gold/dev_gdsent.json")
    found = _read(data, "strategyqa_gold/7_dev_sentchain.json")
    texts = _Texts("strategy-")
    items: list[Item] = []
    for row in rows:
        facets = [frozenset(map(texts.add, step)) for step in row["golden_sentence"] if step]
        if facets:
            answer = "yes" if row["answer"] else "no"
            items.append(Item(row["qid"], row["question"], tuple(facets), answer))
    for sentences in found.values():
        for sentence in sentences:
            texts.add(sentence)
    return QuestionSet("strategyqa_gold", tuple(items), texts.all)


def multihoprag500(data: Path) -> QuestionSet:
    """MultiHop-RAG: questions over two to four facts of news articles, and questions of the same
    kind that no article answers."""
    rows = _read(data, "multihoprag500/queries.json")["queries"]
    truth = _read(data, "multihoprag500/ground_truth.json")
    texts = _Texts("news-")
    items: list[Item] = []
    for row in rows:
        told = truth[row["id"]]
        facets = [
            frozenset({texts.add(fact["fact"], _headline(fact))}) for fact in told["evidence_list"]
        ]
        items.append(
            Item(
                row["id"],
                row["question"],
                tuple(dict.fromkeys(facets)),
                told["answer"] if facets else "",
                row["question_type"],
            )
        )
    return QuestionSet("multihoprag500", tuple(items), texts.all)


def korquad1(data: Path) -> QuestionSet:
    """KorQuAD 1.0: Korean questions, each answered in one paragraph."""
    rows = _read(data, "korquad1/KorQuAD_v1.0_dev.json")["data"]
    texts = _Texts("korquad-")
    items: list[Item] = []
    for article in rows:
        for paragraph in article["paragraphs"]:
            place = frozenset({texts.add(paragraph["context"], article["title"])})
            items += [
                Item(each["id"], each["question"], (place,), each["answers"][0]["text"])
                for each in paragraph["qas"]
            ]
    return QuestionSet("korquad1", tuple(items), texts.all)


_STRATEGY_KO = lazy_pattern(r"질문\s*:\s*(.*?)\s*,?\s*(?:대답|답변|답)\s*:\s*(\S*)")
_FACT = lazy_pattern(r"사실\s*\d*\s*[:：]")


def strategyqa_ko(data: Path) -> QuestionSet:
    """StrategyQA in Korean: yes-or-no questions with the facts they follow from."""
    name = "strategyqa_ko/task169_strategyqa_sentence_generation_ko.json"
    texts = _Texts("fact-")
    gold: dict[str, dict[str, None]] = {}
    answers: dict[str, str] = {}
    for row in _read(data, name)["Instances"]:
        asked = _STRATEGY_KO.search(row["input"])
        facts = [each for output in row["output"] for each in _FACT.split(output)]
        ids = [texts.add(fact) for fact in facts if fact.strip()]
        if asked is not None and ids:
            gold.setdefault(asked[1], {}).update(dict.fromkeys(ids))
            answers.setdefault(asked[1], asked[2].strip(".,"))
    items = [
        Item(str(number), question, tuple(frozenset({id}) for id in ids), answers[question])
        for number, (question, ids) in enumerate(gold.items())
    ]
    return QuestionSet("strategyqa_ko", tuple(items), texts.all)


def wiki_pool(data: Path) -> QuestionSet:
    """Paragraphs of 2WikiMultihopQA, which no question asks for: distractors."""
    texts = _Texts("wiki-")
    for row in _read(data, "2wiki_pool/2wikimultihopqa_corpus.json"):
        texts.add(row["text"], row["title"])
    return QuestionSet("2wiki_pool", (), texts.all)


SETS: dict[str, Callable[[Path], QuestionSet]] = {
    "hotpotqa100": hotpotqa100,
    "strategyqa_gold": strategyqa_gold,
    "multihoprag500": multihoprag500,
    "korquad1": korquad1,
    "strategyqa_ko": strategyqa_ko,
}
"""Reader by the name of its set."""


def read_set(name: str, data: Path) -> QuestionSet:
    """The set ``name`` under ``data``. Raises Problem when it is unknown, not there or not in the
    form that its authors publish."""
    if name not in SETS:
        raise Problem("eval.unknown_set", name=name, names=", ".join(SETS))
    return _opened(name, SETS[name], data)


def read_distractors(data: Path, of: QuestionSet) -> tuple[Text, ...]:
    """The passages of the pool that are none of a set: neither text nor title is there. Raises
    Problem as ``read_set`` does."""
    pool = _opened("2wiki_pool", wiki_pool, data)
    texts = {each.text for each in of.texts}
    titles = {each.context.casefold() for each in of.texts if each.context}
    return tuple(
        each
        for each in pool.texts
        if each.text not in texts and each.context.casefold() not in titles
    )


def _opened(name: str, reader: Callable[[Path], QuestionSet], data: Path) -> QuestionSet:
    try:
        return reader(data)
    except OSError as error:
        path = Path(error.filename or data)
        raise Problem("eval.no_file", name=name, path=path) from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise Problem("eval.bad_file", name=name, data=data, reason=repr(error)) from None


def _read(data: Path, name: str) -> Any:
    return json.loads((data / name).read_text(encoding="utf-8"))


def _clean(text: str) -> str:
    return " ".join(normalize("NFC", text).split())


def _headline(fact: dict[str, Any]) -> str:
    """Title, newspaper and day of an article: what questions name it by."""
    parts = [fact.get("title"), fact.get("source"), str(fact.get("published_at") or "")[:10]]
    return " | ".join(str(each) for each in parts if each)


def halves(items: Iterable[Item]) -> dict[str, tuple[Item, ...]]:
    """Even and odd question numbers, from 0: one to tune on, one to report on."""
    listed = tuple(items)
    return {"all": listed, "even": listed[::2], "odd": listed[1::2]}
