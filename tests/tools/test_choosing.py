"""Which corpus a question is about, whichever engine each of them has."""

from pathlib import Path

import pytest

from tools.choosing import CANDIDATES, Pooled, choose_corpora
from tools.documents import Folder
from tools.index.index import Index
from tools.index.indexed import About, IndexedCorpus
from tools.index.store import Chunk, Document
from tools.tokens import Tokens

QUESTION = "What is the ferry timetable?"


def corpus(place: Path, texts: list[str], **options: object) -> IndexedCorpus:
    index = Index(place, **options)  # type: ignore[arg-type]
    with index.writer() as writer:
        chunks = (Chunk(f"a.md:{n}", text) for n, text in enumerate(texts, 1))
        writer.put(Document("a.md", "1"), chunks)
    return IndexedCorpus(About(place.name), index)


@pytest.fixture(params=["tantivy", "sqlite"])
def rivers(request, tmp_path):
    """Where a ferry is a rare thing."""
    texts = [f"River number {n} is wide and slow at its mouth." for n in range(200)]
    return corpus(tmp_path / "rivers", [*texts, "A ferry sank here."], engine=request.param)


@pytest.fixture(params=["tantivy", "sqlite"])
def ferries(request, tmp_path):
    """Where every passage has a ferry, and the timetable is told."""
    texts = [f"Ferry number {n} sails from pier {n % 9}." for n in range(140)]
    texts += [f"The timetable of ferry {n} hangs at the pier." for n in range(60)]
    return corpus(tmp_path / "ferries", texts, engine=request.param)


def test_a_word_that_is_rare_in_one_corpus_does_not_decide(rivers, ferries):
    own = {each.name: each.index.search(QUESTION, k=1)[0].score for each in (rivers, ferries)}
    assert own["rivers"] > own["ferries"]
    assert choose_corpora(QUESTION, [rivers, ferries])[0] is ferries
    assert choose_corpora(QUESTION, [ferries, rivers])[0] is ferries


def test_one_passage_has_one_score_in_all_corpora(rivers, ferries):
    samples = [each.sample(QUESTION, CANDIDATES) for each in (rivers, ferries)]
    pooled = Pooled(samples)
    passage = samples[1].passages[0]
    assert pooled.score(samples[0].tokens(passage)) == pooled.score(samples[1].tokens(passage)) > 0
    assert pooled.score([]) == pooled.score(["nothing"]) == 0


def test_what_is_far_behind_or_has_no_word_is_not_chosen(tmp_path):
    first = corpus(tmp_path / "first", ["The red door is locked at night."])
    second = corpus(tmp_path / "second", ["The red door is open at night."])
    third = corpus(tmp_path / "third", ["A door."])
    every = [third, second, first]
    assert choose_corpora("red door locked night", every) == [first, second]
    assert choose_corpora("red door locked night", every, 1) == [first]
    assert choose_corpora("red door night", every, 3) == [second, first]
    assert choose_corpora("a painted ceiling", every) == []
    assert choose_corpora("red door", []) == []


def test_folders_and_indexes_are_compared(tmp_path):
    place = tmp_path / "garage"
    place.mkdir()
    (place / "a.md").write_text("The green van is washed on Friday.\n")
    index = corpus(tmp_path / "yard", ["The green hedge is cut on Monday."])
    folder = Folder(place)
    assert choose_corpora("when is the green van washed", [index, folder])[0] is folder
    assert choose_corpora("when is the green hedge cut", [folder, index])[0] is index


def forms(text: str) -> list[str]:
    """A stand-in for an analyser: it knows two verbs."""
    known = {"춥": "춥·v", "추웠": "춥·v", "듣": "듣·v", "들었": "듣·v"}
    return [verb for form, verb in known.items() if form in text]


def test_an_analyser_adds_to_the_terms_and_is_kept_with_the_index(tmp_path):
    known = Tokens("stand-in", forms)
    texts = ["어제는 몹시 추웠다.", "오늘은 맑았다.", "이웃의 음악을 들었다."]
    with_forms = corpus(tmp_path / "forms", texts, tokens=known)
    assert [each.id for each in with_forms.search("얼마나 춥습니까?")] == ["a.md:1"]
    assert [each.id for each in with_forms.search("오늘은 맑은가요?")] == ["a.md:2"]
    assert [each.id for each in with_forms.search("무엇을 듣나요?")] == ["a.md:3"]
    assert with_forms.index.frequencies(["춥·v", "오늘"]).of == {"춥·v": 1, "오늘": 1}
    plain = corpus(tmp_path / "plain", texts)
    assert plain.search("얼마나 춥습니까?") == []
    assert choose_corpora("얼마나 춥습니까?", [plain, with_forms]) == [with_forms]
    with_forms.index.close()
    with Index(tmp_path / "forms", tokens=known) as again:
        assert again.search("춥습니까")[0].id == "a.md:1" and again.notices == []
    with Index(tmp_path / "forms", tokens=Tokens()) as changed:
        assert changed.frequencies(["춥·v"]).of == {"춥·v": 0} and changed.notices == []
    with Index(tmp_path / "forms") as after:
        assert after.tokens.name == Tokens().name
        assert after.search("오늘은")[0].id == "a.md:2"
