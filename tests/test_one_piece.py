"""A question in one piece whose answer is put together from several passages, through ``ask``."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import ask
from agent.offline.model import OfflineModel
from agent.run import Route, Run
from tools.bridges import Searched, in_order
from tools.decomposition import decompose
from tools.index.index import Index
from tools.index.indexed import About, IndexedCorpus
from tools.index.store import Chunk, Document

TEXTS = {
    "Ana Torvik": "Ana Torvik was a painter who kept the Skarn Light for nine winters.",
    "Skarn Light": "The engineer Odo Fells raised it in 1871 from grey granite.",
    "Lighthouse Week": "People who built model lighthouses meet every keeper of a lighthouse.",
    "Keeper (song)": "A song about a lighthouse where nobody worked, sung by a painter.",
    "Painter's Row": "A painter there built a lighthouse out of cans for the keeper of a zoo.",
}
QUESTION = "Who built the lighthouse where the painter Ana Torvik was the keeper?"
LONG = QUESTION[:-1] + " in the years of storms without wages for masons of the reef?"


@pytest.fixture
def corpus(tmp_path: Path) -> IndexedCorpus:
    index = Index(tmp_path / "index")
    with index.writer() as writer:
        others = {f"Studio {n}": f"A painter of studio {n} built a lighthouse." for n in range(12)}
        for number, (title, text) in enumerate({**TEXTS, **others}.items()):
            chunk = Chunk(f"p{number}", text, context=title)
            writer.put(Document(f"p{number}", "1"), [chunk])
    return IndexedCorpus(About("coast"), index)


def answered(question: str, corpus: IndexedCorpus, route: Route = "complex") -> Run:
    return ask(question, corpus, OfflineModel(), route=route)


def test_a_passage_need_not_have_half_of_the_words_where_several_make_the_answer(
    corpus: IndexedCorpus,
) -> None:
    assert answered(LONG, corpus, "simple").evidence.found.keys() == set()
    assert {"p0", "p1"} <= answered(LONG, corpus).evidence.found.keys()


@pytest.mark.parametrize(("route", "brought"), [("simple", 5), ("complex", 10)])
def test_a_search_brings_more_where_several_make_the_answer(
    corpus: IndexedCorpus, route: Route, brought: int
) -> None:
    first = answered("Which painter built a lighthouse?", corpus, route).evidence.searches[0]
    assert len(first.hits) == brought


def test_a_bridge_is_searched_and_the_evidence_stands_in_the_order_of_its_rounds(
    corpus: IndexedCorpus,
) -> None:
    run = answered(QUESTION, corpus)
    record = run.as_record()
    queries = [each["query"] for each in record["searches"]]
    assert queries[0] == QUESTION and any("Skarn Light" in each for each in queries[1:])
    rounds: dict[int, list[Searched]] = {}
    for each in record["searches"]:
        hits = [run.evidence.found[hit["id"]] for hit in each["hits"]]
        rounds.setdefault(each["step"], []).append((each["query"], hits))
    ranked = [each["id"] for each in record["evidence"]]
    assert ranked == in_order(QUESTION, [*rounds.values()])
    assert "p1" not in [each.id for each in rounds[1][0][1]] and "p1" in ranked[:10]
    assert ranked != [*run.evidence.found]


def test_what_the_question_names_and_nobody_has_is_missing(corpus: IndexedCorpus) -> None:
    run = answered(QUESTION.replace("Ana Torvik", "Ilse Brandt"), corpus)
    assert (run.status, run.answer, run.missing) == ("incomplete", None, ["Ilse Brandt"])
    assert "Ilse Brandt" in run.message


def test_a_tool_for_plans_is_no_search_whatever_its_words(corpus: IndexedCorpus) -> None:
    run = answered("State the evidence that the question about the Skarn Light needs", corpus)
    assert [each.tool for each in run.evidence.searches][:1] == ["search_documents"]
    assert run.stop_reason == "answered"


def test_a_long_question_that_nobody_can_be_asked_about_takes_rounds(
    corpus: IndexedCorpus,
) -> None:
    run = ask(LONG, corpus, OfflineModel())
    assert (run.route, run.route_reason) == ("complex", "undecided")


@pytest.mark.parametrize(
    "question",
    [
        "Did the Skarn Light stand before the regatta, and did the Mellow Point tower fall?",
        "Who kept the light, which was raised in 1871, and painted harbours?",
        "Which plant is taller, the reed or the fern?",
        "Who led the band that played in Leland, North Carolina?",
        'Who wrote "Boats, Nets and Rain"?',
        "Which writer won the prize and the medal, as he was told by the mayor?",
        "해솔 등대와 이어진 섬의 이름은?",
        "달무리 곶과 은결 도서관은 같은 도시에 있나요?",
    ],
)
def test_what_hangs_together_is_one_piece(question: str) -> None:
    assert decompose(question) == (question,)


@pytest.mark.parametrize(
    ("question", "pieces"),
    [
        ("등대의 높이와 위치를 알려줘", ("등대의 높이", "위치")),
        ("What is the height of the light and the cost of repairs?",
         ("height of the light", "cost of repairs")),
    ],
)  # fmt: skip
def test_what_is_listed_is_several(question: str, pieces: tuple[str, ...]) -> None:
    assert decompose(question) == pieces
