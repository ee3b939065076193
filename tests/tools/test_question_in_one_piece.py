"""What is missing of a question in one piece, the searches that aim at it, and their order."""

from __future__ import annotations

import pytest

from tools.documents import Passage
from tools.sufficiency import MORE_SEARCHES, assess, in_order, named, not_found

QUESTION = "Who built the lighthouse where the painter Ana Torvik was the keeper?"
ANA = Passage("ana", "She kept the Skarn Light for nine winters.", "a", context="Ana Torvik")
LIGHT = Passage("light", "The engineer Odo Fells raised the Skarn Light in 1871.", "b",
                context="Skarn Light")  # fmt: skip
FAIR = Passage("fair", "Every keeper of a lighthouse is invited.", "c", context="Lighthouse Week")


def test_a_bridge_is_a_name_of_the_best_passage_and_the_words_it_lacks() -> None:
    verdict = assess(QUESTION, [], [ANA, FAIR], [QUESTION])
    assert not verdict.sufficient and verdict.missing == (QUESTION,)
    assert verdict.next_queries[0] == "Skarn Light built lighthouse painter keeper"


def test_two_names_of_one_passage_are_searched_together() -> None:
    ana = Passage("ana", "She kept the Skarn Light with Odo Fells.", "a", context="Ana Torvik")
    queries = assess(QUESTION, [], [ana, FAIR], [QUESTION]).next_queries
    assert "Skarn Light" in queries[0] and "Odo Fells" in queries[0]


def test_it_aims_at_nothing_that_was_searched_and_stops_after_two() -> None:
    first = assess(QUESTION, [], [ANA, FAIR], [QUESTION])
    assert 1 <= len(first.next_queries) <= MORE_SEARCHES == 2
    used = [QUESTION, first.next_queries[0]]
    again = assess(QUESTION, [], [ANA, FAIR, LIGHT], used)
    assert not {*again.next_queries} & {*used} and len(again.next_queries) <= 1
    assert assess(QUESTION, [], [ANA, FAIR], [QUESTION, "a", "b"]).next_queries == ()


def test_the_opposite_is_not_enough() -> None:
    question = "Which lighthouses were not built by Odo Fells?"
    built = Passage("a", "Odo Fells built the lighthouses of Skarn and Torv.", "a")
    denied = Passage("b", "The lighthouses of Bern were not built by Odo Fells.", "b")
    assert not assess(question, [], [built], []).sufficient
    assert assess(question, [], [denied], []).sufficient
    assert assess(question.replace(" not", ""), [], [built], []).sufficient


def test_without_a_heading_there_is_no_bridge() -> None:
    bare = [Passage("x", ANA.text, "a"), Passage("y", FAIR.text, "c")]
    assert all("Skarn" not in each for each in assess(QUESTION, [], bare, [QUESTION]).next_queries)


def test_a_korean_bridge_is_a_noun_without_its_particle() -> None:
    question = "노을 프로젝트를 맡은 팀의 팀장은 어디에서 근무합니까?"
    project = Passage("p", "노을 프로젝트는 한빛팀이 맡았다.", "a", context="프로젝트 목록")
    queries = assess(question, [], [project], [question]).next_queries
    assert any("한빛팀 " in each and "팀장은" in each for each in queries)
    assert not any("한빛팀이" in each for each in queries)


def test_a_short_question_is_searched_by_what_it_names() -> None:
    question = "Could a Skarn puffin lift Odo Fells?"
    puffin = Passage("p", "A Skarn puffin weighs half a kilogram.", "a")
    assert assess(question, [], [puffin], [question]).next_queries == ("Odo Fells",)
    longer = question[:-1] + " over nine tall grey granite towers beside Mellow Point in May?"
    assert assess(longer, [], [puffin], [longer]).next_queries == ()


def test_one_passage_with_all_words_is_enough_and_so_are_two_of_which_one_names_the_other() -> None:
    whole = Passage("w", "Odo Fells raised the Skarn Light.", "a")
    assert assess("Who raised the Skarn Light?", [], [whole], []).evidence == {
        "Who raised the Skarn Light?": ("w",)
    }
    question = "Which engineer raised the light that she kept for winters?"
    verdict = assess(question, [], [FAIR, LIGHT, ANA], [question])
    assert verdict.sufficient and verdict.covered == (question,)
    assert dict(verdict.evidence) == {question: ("ana", "light")}
    alone = Passage("light", LIGHT.text, "b", context="Granite towers")
    assert not assess(question, [], [FAIR, alone, ANA], [question]).sufficient


def test_what_comes_nearest_is_told_though_it_is_not_enough() -> None:
    verdict = assess(QUESTION, [], [FAIR, ANA], [QUESTION])
    assert dict(verdict.evidence) == {QUESTION: ("fair", "ana")}


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Which singer does Zephyr Magazine praise?", ("Zephyr Magazine",)),
        ("What did the Skarn Daily say of Ana Torvik?", ("Skarn Daily",)),
        ("What did the Skarn Light do to Ana Lund?", ("Ana Lund",)),
        ("What did Skarn Island Light do to Ana Torvik?", ()),
        ('Who wrote "The Grey Ferry" at the Skarn Light?', ("The Grey Ferry",)),
        ("srv-prod-17을 쓰는 서비스는?", ("srv-prod-17",)),
        ("『잿빛 나루』를 쓴 사람은?", ("잿빛 나루",)),
        ("등대를 지은 사람은?", ()),
        ("Considering the light, who kept it?", ()),
    ],
)
def test_what_a_question_names_must_be_found(question: str, missing: tuple[str, ...]) -> None:
    assert not_found(question, [ANA, LIGHT, FAIR]) == missing
    verdict = assess(question, [], [ANA, LIGHT, FAIR], [question])
    assert not (missing and verdict.sufficient)
    assert not missing or verdict.missing == missing


def test_names() -> None:
    assert named("Did the film by Ruta Melk win at Ostrel, and who is Ruta Melk's mother?") == [
        "Ruta Melk",
        "Ostrel",
    ]
    assert named("프로젝트 X는 GPU를 씁니까?") == ["X", "GPU"]
    assert named("What about 8-ball in 2023?") == []
    assert named("At the 2011 census, who was mayor of the Hague?") == ["Hague"]


def test_the_order_of_several_searches() -> None:
    first = [[f"a{n}" for n in range(1, 6)]]
    assert in_order([first]) == first[0]
    fused = in_order([first, [["b1", "b2"], ["c1", "a5"]]])
    assert fused[:5] == ["a5", "a1", "a2", "a3", "b1"] and fused[5] == "c1"
    assert in_order([[["x", "y"], ["z", "y"]]]) == ["y", "x", "z"]
    assert in_order([]) == []
