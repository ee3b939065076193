"""Corpus files: what they say, and one plain sentence for what is wrong with them."""

import pytest

from agent.catalogue import tell
from tools.corpus import INSTALLED, choose_corpus, find_corpus, installed_corpora, read_corpus
from tools.problems import CorpusError

GOOD = """
[[plan]]
all_words = ["pump", "restart"]
slots = ["how"]
[slots.how]
queries = ["restart pump"]
"""

KOREAN = GOOD.replace('"how"', '"방법"').replace("slots.how", 'slots."방법"')


def write(folder, toml=GOOD, **documents):
    folder.mkdir(exist_ok=True)
    (folder / "corpus.toml").write_text(toml, encoding="utf-8")
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_the_built_in_corpus():
    billing = find_corpus("billing")
    assert billing.prepared_only
    assert {document.id for document in billing.documents} == {"steps-1", "permission-1"}
    for question in ("invoice export steps", "청구서를 내보내려면?"):
        plan = billing.plan_for(question)
        assert plan is not None
        assert [slot.tool for slot in plan.slots] == ["find_steps", "find_permission"]
    assert billing.plan_for("weather") is None


def test_defaults(tmp_path):
    corpus = read_corpus(write(tmp_path / "pumps", how="Press start."))
    assert (corpus.name, corpus.permission, corpus.prepared_only) == ("pumps", "public", False)
    assert corpus.plans[0].slots[0].tool == "find_how"
    assert corpus.documents[0].source == "pumps"


def test_a_heading_alone_is_no_evidence(tmp_path):
    corpus = read_corpus(
        write(tmp_path / "pumps", a="# Restart pump\n", b="# Restart\n\nPress it.")
    )
    assert [document.id for document in corpus.documents] == ["b"]


def test_must_match_looks_at_the_text_not_at_the_heading(tmp_path):
    toml = GOOD + 'must_match = "red button"\n'
    folder = write(
        tmp_path / "p", toml, a="# red button\n\nRestart pump.", b="Restart: red button."
    )
    corpus = read_corpus(folder)
    slot = corpus.plans[0].slots[0]
    assert [hit.id for hit in corpus.retrieve(slot, "restart pump", slot.pattern([{}]))] == ["b"]


def test_the_best_document_wins_and_ties_go_by_id(tmp_path):
    folder = write(tmp_path / "p", b="restart pump", a="restart pump", c="restart", d="other")
    corpus = read_corpus(folder)
    slot = corpus.plans[0].slots[0]
    hits = corpus.retrieve(slot, "restart pump", None)
    assert [(hit.id, hit.score) for hit in hits] == [("a", 2.0)]
    assert corpus.retrieve(slot, "nothing shared", None) == []


def test_a_document_that_says_otherwise_follows_the_best(tmp_path):
    texts = {
        "how-1": "Restart pump within 5 minutes.",
        "how-2": "Note. Restart pump within 9 minutes.",
        "how-3": "Note. Restart pump within 5 minutes.",
        "how-4": "Restart pump within reach of others within 3 minutes.",
        "why-1": "Restart pump within 7 minutes.",
    }
    corpus = read_corpus(write(tmp_path / "p", GOOD + 'documents = "how-*"\n', **texts))
    hits = corpus.retrieve(corpus.plans[0].slots[0], "restart pump within 5 minutes", None)
    assert [hit.id for hit in hits] == ["how-1", "how-3", "how-2"]


def test_a_slot_sees_only_its_documents(tmp_path):
    toml = GOOD + 'documents = "how-*"\n'
    corpus = read_corpus(
        write(tmp_path / "p", toml, **{"how-1": "restart", "why-1": "restart pump"})
    )
    slot = corpus.plans[0].slots[0]
    assert [hit.id for hit in corpus.retrieve(slot, "restart pump", None)] == ["how-1"]


def test_choosing_by_plan_first_by_name_and_only_public_ones(tmp_path):
    write(tmp_path / "b", how="x")
    write(tmp_path / "a", 'permission = "staff"\n' + GOOD, how="x")
    write(tmp_path / "c", how="x")
    corpora = installed_corpora(tmp_path)
    assert [corpus.name for corpus in corpora] == ["a", "b", "c"]
    chosen = choose_corpus("restart the pump", corpora)
    assert chosen is not None and chosen.name == "b"
    assert choose_corpus("weather", corpora) is None


@pytest.mark.parametrize(
    ("toml", "part"),
    [
        ("name = ", "TOML"),
        ("name = 3\n" + GOOD, "name"),
        (GOOD.replace('["how"]', '["why"]'), "[slots.why]"),
        (GOOD.replace('["how"]', "[]"), "slots"),
        (GOOD.replace('["pump", "restart"]', '["!"]'), "all_words"),
        (GOOD + 'must_match = "("\n', "slots.how.must_match"),
        (GOOD + 'needs = { id = "(" }\n', "slots.how.needs.id"),
        (GOOD.replace('"restart pump"', '"{id} spec"'), "{id}"),
        (GOOD.replace('queries = ["restart pump"]', ""), "slots.how.queries"),
        (KOREAN, "tool"),
        (GOOD + 'must_mach = "x"\n', "must_match"),
        (GOOD.replace("[slots.how]", "hols = true\n[slots.how]"), "hold"),
        ("colour = 1\n" + GOOD, "colour"),
        ('permission = ""\n' + GOOD, "permission"),
        (
            "[[source]]\nname='a'\ninterface='documents'\npath='a'\npermission=' '\n" + GOOD,
            "source 1: permission",
        ),
        (GOOD.replace('"restart pump"', '" "'), "slots.how.queries"),
        (
            GOOD.replace('["how"]', '["how", "who"]')
            + '[slots.who]\nqueries=["x"]\ntool="find_how"\n',
            "tool",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path, toml, part):
    with pytest.raises(CorpusError) as raised:
        read_corpus(write(tmp_path / "p", toml, how="x"))
    for language in ("ko", "en"):
        sentence = tell(raised.value, language)
        assert part in sentence and "corpus.toml" in sentence


def test_a_non_ascii_slot_works_with_a_tool_name(tmp_path):
    corpus = read_corpus(write(tmp_path / "p", KOREAN + 'tool = "find_how"\n', how="restart"))
    assert corpus.plans[0].slots[0].name == "방법"


def test_a_plan_that_holds_goes_before_all_others(tmp_path):
    toml = GOOD + '[[plan]]\nall_words = ["restart"]\nhold = true\n'
    corpus = read_corpus(write(tmp_path / "p", toml, how="x"))
    plan = corpus.plan_for("restart the pump")
    assert plan is not None and plan.hold


def test_missing_folders_files_and_names(tmp_path):
    with pytest.raises(CorpusError):
        read_corpus(tmp_path)
    with pytest.raises(CorpusError) as raised:
        find_corpus("nowhere")
    assert "billing" in tell(raised.value, "en")
    with pytest.raises(CorpusError) as raised:
        find_corpus(str(tmp_path))
    assert "corpus.toml" in tell(raised.value, "en")
    assert find_corpus(str(INSTALLED / "billing" / "corpus.toml")).name == "billing"
    assert find_corpus(str(INSTALLED / "billing")).name == "billing"


def test_two_documents_of_one_id_are_refused(tmp_path):
    folder = write(tmp_path / "p", how="x")
    (folder / "how.txt").write_text("y", encoding="utf-8")
    with pytest.raises(CorpusError) as raised:
        read_corpus(folder)
    assert "how" in tell(raised.value, "en")
