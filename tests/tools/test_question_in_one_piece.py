"""What is missing of a question in one piece, the searches that aim at it, and their order."""

from __future__ import annotations

import pytest

from tools.bridges import in_order
from tools.documents import Passage
from tools.names import named
from tools.sufficiency import MORE_SEARCHES, assess, not_found

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


def plain(*ids: str) -> list[Passage]:
    return [Passage(each, "grey granite", each) for each in ids]


def test_the_order_of_several_searches() -> None:
    first = [("q", plain("a1", "a2", "a3", "a4", "a5"))]
    assert in_order("q", [first]) == ["a1", "a2", "a3", "a4", "a5"]
    later = [("r", plain("b1", "b2")), ("s", plain("c1", "a5"))]
    fused = in_order("q", [first, later])
    # .80/6 for what is new, and half of .80/7 more for a5, which the first round had
    assert fused == ["a1", "a5", "a2", "b1", "c1", "a3", "b2", "a4"]
    assert in_order("q", [[("q", plain("x", "y")), ("r", plain("z", "y"))]]) == ["y", "x", "z"]
    assert in_order("q", []) == []


@pytest.mark.parametrize(
    ("heading", "query", "question", "is_first"),
    [
        ("Skarn Light", "Skarn Light keeper", "Who was the keeper?", True),
        ("Skarn Light (tower)", "Skarn Light keeper", "Who was the keeper?", True),
        ("한빛 창고", "한빛 창고 담당자", "담당자는 누구입니까?", True),
        ("Skarn Light", "Skarn keeper", "Who was the keeper?", False),  # half of it
        ("Skarn Light", "Skarn Light keeper", "Who kept the Skarn Light?", False),  # asked already
        ("Skarn", "Skarn Light keeper", "Who was the keeper?", False),  # one word may mean anything
        ("How lights are kept", "How lights are kept keeper", "Who was it?", False),  # no name
    ],
)
def test_a_passage_that_a_later_query_names_stands_first(
    heading: str, query: str, question: str, is_first: bool
) -> None:
    named_there = Passage("n", "It stands on grey granite.", "n", context=heading)
    later = [(query, [*plain("b1", "b2", "b3"), named_there])]
    first = [(question, plain("a1", "a2"))]
    order = in_order(question, [first, later])
    assert (order.index("n") < order.index("b2")) == is_first
    # in the first round, and where it was known, it keeps its rank
    assert in_order(question, [later])[-1] == "n"
    known = [(question, [*plain("a1", "a2", "a3", "a4", "a5", "a6"), named_there])]
    assert in_order(question, [known, later]).index("n") > 1


FERRY = "Where was the director of The Grey Ferry born?"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It is a film made by Mellow Studio. It was directed by Odo Fells.", "Odo Fells"),
        ("It is a film made by Mellow Studio. It was shown by Odo Fells.", "Mellow Studio"),
        ("It is a film. Odo Fells directed it. Then Mellow Studio sold it.", "Odo Fells"),
        (
            "Mellow Studio, of which the director of a fair was so fond, sold it to Odo Fells.",
            "Mellow Studio",
        ),
        # nobody is called by a day, and the full stop of an initial ends no sentence
        ("It was first shown on 28 October 1872 and directed by Odo D. Fells.", "Odo D. Fells"),
        ("In March it was sold to Mellow Studio.", "Mellow Studio"),
    ],
)
def test_the_likeliest_bridge_stands_beside_a_word_of_the_question(text: str, names: str) -> None:
    film = Passage("f", text, "f", context="The Grey Ferry (film)")
    queries = assess(FERRY, [], [film, FAIR], [FERRY]).next_queries
    assert queries[0].startswith(names)
    assert not any(day in " ".join(queries) for day in ("October", "March", "1872", "In "))


def test_further_names_of_the_passage_that_the_question_names_come_before_another_passage() -> None:
    text = "Directed by Odo Fells, with Ana Torvik, Ruta Melk, Ilse Brandt and Nils Oye."
    film = Passage("f", text, "f", context="The Grey Ferry (film)")
    born = "The director Mads Lund was born there, with Gro Dahl, Ane Moe and Tor Vik."
    other = Passage("o", born, "o", context="Ostrel Days")
    queries = assess(FERRY, [], [film, other], [FERRY]).next_queries
    first = [name for name in ("Odo Fells", "Ana Torvik") if name in queries[0]]
    assert len(first) == 2 and "Ilse Brandt" in queries[1] and "Mads" not in queries[1]
    # where the question names both, each is a place to go on from
    both = (
        "Were the directors of The Grey Ferry and Ostrel Days born in one small harbour town "
        "on the eastern coast?"
    )
    queries = assess(both, [], [film, other], [both]).next_queries
    assert "Mads Lund" in queries[0] and "Odo Fells" in queries[1]


def test_a_heading_that_the_question_does_not_have_is_the_first_bridge() -> None:
    question = "Which silent film was made by the keeper who kept a lighthouse nine winters?"
    ana = Passage("a", "The keeper kept a lighthouse for nine winters near Ostrel Point.", "a",
                  context="Ana Torvik")  # fmt: skip
    queries = assess(question, [], [ana, FAIR], [question]).next_queries
    assert queries[0].startswith("Ana Torvik ")
    # not where the question has most of its words already
    known = Passage("a", ana.text, "a", context="The Nine Winters Film")
    queries = assess(question, [], [known, FAIR], [question]).next_queries
    assert queries and not any("Winters Film" in each for each in queries)
    korean = "아홉 번의 겨울에 등대를 지킨 사람이 그린 그림은 무엇입니까?"
    keeper = Passage("k", "아홉 번의 겨울에 나루의 등대를 지켰다.", "k", context="한아름")
    assert assess(korean, [], [keeper], [korean]).next_queries[0].startswith("한아름 ")
