"""The interfaces of a corpus's sources: what they read, what they refuse, what they find."""

from __future__ import annotations

import datetime
import json
import re
import threading
from pathlib import Path

import pytest

from agent.catalogue import tell
from tools.corpus import Corpus, read_corpus
from tools.problems import CorpusError, ToolProblem, Unavailable

TODAY = datetime.date(2026, 1, 1)

TOML = """
[[source]]
name = "it"
interface = "{interface}"
path = "{path}"
{more}
[[plan]]
all_words = ["pump"]
slots = ["how"]
[slots.how]
source = "it"
queries = ["pump"]
{slot}
"""


def corpus(
    folder: Path, interface: str, path: str, text: str, more: str = "", slot: str = ""
) -> Corpus:
    written = TOML.format(interface=interface, path=path, more=more, slot=slot)
    (folder / "corpus.toml").write_text(written, "utf-8")
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_text(text, "utf-8")
    return read_corpus(folder)


def found(corpus: Corpus, query: str, must_match: str = "") -> list[str]:
    """The ids that the only slot brings for a query."""
    slot = corpus.plans[0].slots[0]
    return [hit.id for hit in corpus.retrieve(slot, query, re.compile(must_match))]


TABLE = (
    'id,Größe,설명\npump-1,2 m,"물을 올린다, 작은 펌프"\npump-17,3 m,큰 펌프\npump-170,,펌프 펌프\n'
)


def test_a_row_is_a_passage(tmp_path: Path):
    rows = corpus(tmp_path, "table", "a.csv", TABLE).documents
    assert [(row.id, row.line) for row in rows] == [
        ("it/pump-1", 2), ("it/pump-17", 3), ("it/pump-170", 4),
    ]  # fmt: skip
    assert rows[0].text == "id: pump-1; Größe: 2 m; 설명: 물을 올린다, 작은 펌프"
    assert rows[2].text == "id: pump-170; 설명: 펌프 펌프"
    assert {row.source for row in rows} == {f"{tmp_path.name}/it"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_what_stands_between_the_cells_is_seen_in_the_first_row(tmp_path: Path, delimiter: str):
    written = '\n서버,CPU 수\n"srv-1","16, 32"\n'.replace(",", delimiter).replace("; ", ", ")
    (row,) = corpus(tmp_path, "table", "a.csv", written).documents
    assert (row.id, row.text.partition("; ")[0]) == ("it/srv-1", "서버: srv-1")
    assert row.text.partition("; ")[2].startswith("CPU 수: 16")


def test_a_row_is_found_by_its_id_and_else_by_its_words(tmp_path: Path):
    table = corpus(tmp_path, "table", "a.csv", TABLE)
    assert found(table, "pump-17") == ["it/pump-17"]
    assert found(table, "PUMP-17 작은 펌프 물을 올린다") == ["it/pump-17"]
    assert found(table, "작은 펌프 물을 올린다") == ["it/pump-1"]
    assert found(table, "pump-171") == [] and found(table, "pump") == []
    assert found(table, "pump-17", "pump-1;") == []


def test_a_query_is_never_read_as_sql(tmp_path: Path):
    table = corpus(tmp_path, "table", "a.csv", TABLE)
    for query in ("'; DROP TABLE row; --", '" OR 1=1', "%", "pump-%", "pump_17"):
        found(table, query)
    assert found(table, "' OR 'a'='a") == [] and found(table, "pump-17") == ["it/pump-17"]
    assert found(table, "펌프 " * 400) != []


def test_a_table_is_searched_from_several_threads(tmp_path: Path):
    table = corpus(tmp_path, "table", "a.csv", TABLE)
    ids: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: ids.append(found(table, "pump-17"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ids == [["it/pump-17"]] * 8


LOG = "2025-01-02 pump started\n\n2025-01-03 pump failed\n    reason: dry\n\tlevel: 3\n----\nend\n"


def test_an_event_is_a_passage_with_the_lines_below_it(tmp_path: Path):
    events = corpus(tmp_path, "lines", "펌프.log", LOG).documents
    assert [(event.id, event.text) for event in events] == [
        ("펌프.log:1", "2025-01-02 pump started"),
        ("펌프.log:3", "2025-01-03 pump failed\nreason: dry\nlevel: 3"),
        ("펌프.log:7", "end"),
    ]


def issue(number: int, **more: str) -> str:
    known = {"number": number, "title": "펌프 / Pump", "status": "open", "text": "It drips."}
    return json.dumps(known | more, ensure_ascii=False)


def test_an_issue_is_a_passage(tmp_path: Path):
    text = f"{issue(7, team='pumps')}\n\n{issue(12, status='closed')}\n"
    issues = corpus(tmp_path, "issues", "i.jsonl", text).documents
    assert [(each.id, each.text, each.line) for each in issues] == [
        ("it/7", "#7 펌프 / Pump (status: open; team: pumps)\nIt drips.", 1),
        ("it/12", "#12 펌프 / Pump (status: closed)\nIt drips.", 3),
    ]


@pytest.mark.parametrize(
    ("interface", "text", "part"),
    [
        ("table", 'id,b\n"x,y', "row"),
        ("table", "id,b\nx\n", "2 cells"),
        ("table", "id,b\nx,1,2\n", "2 cells"),
        ("table", "id,id\nx,1\n", "each once"),
        ("table", "id,\nx,1\n", "each once"),
        ("table", "id,b\n,1\n", "id"),
        ("table", "id,b\nx,1\nx,2\n", "it/x"),
        ("issues", "{", "JSON"),
        ("issues", "[]", "JSON"),
        ("issues", issue(1) + "\n" + issue(1), "it/1"),
        ("issues", issue(1, text=" "), "text"),
        ("issues", '{"number": "1", "title": "a", "status": "b", "text": "c"}', "number"),
        ("issues", '{"number": true, "title": "a", "status": "b", "text": "c"}', "number"),
        ("issues", '{"number": 1, "status": "b", "text": "c"}', "title"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(tmp_path: Path, interface: str, text: str, part: str):
    (source,) = corpus(tmp_path, interface, "data.txt", text).sources
    assert source.is_unread
    with pytest.raises(CorpusError) as met:
        source.find("id", lambda passage: True)
    for language in ("ko", "en"):
        told = tell(met.value, language)
        assert part in told and "data.txt" in told and "\n" not in told


@pytest.mark.parametrize(
    ("interface", "text"), [("table", ""), ("table", "id,b\n"), ("lines", "\n"), ("issues", "\n")]
)
def test_an_empty_source_holds_nothing(tmp_path: Path, interface: str, text: str):
    it = corpus(tmp_path, interface, "data.txt", text)
    assert it.is_empty and found(it, "pump") == []


@pytest.mark.parametrize("interface", ["documents", "table", "lines", "issues"])
def test_what_cannot_be_read_is_unavailable_and_not_empty(tmp_path: Path, interface: str):
    it = corpus(tmp_path, "lines", "data.txt", "pump")
    written = (tmp_path / "corpus.toml").read_text("utf-8")
    gone = written.replace('"lines"', f'"{interface}"').replace("data.txt", "gone")
    (tmp_path / "corpus.toml").write_text(gone, "utf-8")
    assert found(it, "pump") == ["data.txt:1"]
    it = read_corpus(tmp_path)
    assert not it.is_empty
    with pytest.raises(Unavailable):
        found(it, "pump")


DATED = 'date = "^(\\\\S+)(?: to (\\\\S+))?"'


@pytest.mark.parametrize(
    ("day", "ids"),
    [("2024-12-31", []), ("2025-01-01", [1]), ("2025-01-31", [1]), ("2025-02-01", [2])],
)
def test_in_force_is_from_the_first_day_to_the_last(tmp_path: Path, day: str, ids: list[int]):
    text = "2025-01-01 to 2025-01-31 pump\n2025-02-01 pump pump much better pump\n# pump"
    it = corpus(
        tmp_path, "lines", "d.log", text, 'date = "^(\\\\d\\\\S+)(?: to (\\\\S+))?"',
        'when = "in_force"',
    )  # fmt: skip
    asked = it.asked(f"as of {day}", TODAY)
    assert found(asked, "pump") == [f"d.log:{number}" for number in ids]


@pytest.mark.parametrize(
    "pattern",
    ["(2025-\\\\d+-\\\\d+)?", "(?:since (\\\\S+))?(?: until (\\\\S+))?", "(\\\\d*-\\\\d+-\\\\d+|)"],
)
def test_a_day_that_may_be_there_is_looked_for_in_the_whole_text(tmp_path: Path, pattern: str):
    text = "pump, since 2025-01-01 until 2025-01-31\npump that nobody dated\n"
    it = corpus(tmp_path, "lines", "d.log", text, f'date = "{pattern}"', 'when = "in_force"')
    assert found(it.asked("as of 2025-01-01", TODAY), "pump") == ["d.log:1"]
    assert found(it.asked("as of 2024-12-31", TODAY), "pump") == []


def test_the_latest_of_what_fits_counts(tmp_path: Path):
    text = (
        "2025-01-05 pump a pump b pump c\n"
        "2025-01-09T10:00:00+09:00 pump\n"
        "2025-01-09T00:59:00+00:00 pump\n"
        "2025-03-01 valve\n"
        "2027-01-01 pump\n"
    )
    it = corpus(tmp_path, "lines", "d.log", text, 'date = "^(\\\\S+)"', 'when = "latest"')
    asked = it.asked("", TODAY)
    assert found(asked, "pump a b c") == ["d.log:2"]
    assert found(asked, "valve") == ["d.log:4"]
    assert found(it.asked("", datetime.date(2027, 1, 1)), "pump") == ["d.log:5"]
    assert found(it.asked("2025-01-08 기준", TODAY), "pump") == ["d.log:1"]


def test_what_happened_on_a_day_is_of_that_day_and_what_held_is_of_any_by_then(tmp_path: Path):
    text = "2025-01-05 pump\n2025-01-09 pump\n"
    it = corpus(tmp_path, "lines", "d.log", text, 'date = "^(\\\\S+)"', 'when = "latest"')
    assert found(it.asked("2025-01-09 pump", TODAY), "pump") == ["d.log:2"]
    assert found(it.asked("2025-01-08 pump", TODAY), "pump") == []
    assert found(it.asked("2025-01-08 기준", TODAY), "pump") == ["d.log:1"]
    text = "2025-01-05 2025-01-08 pump\n2025-01-09  pump\n"
    date = 'date = "^(\\\\S+) (\\\\S+)?"'
    it = corpus(tmp_path, "lines", "d.log", text, date, 'when = "latest"')
    assert found(it.asked("2025-01-07 pump", TODAY), "pump") == ["d.log:1"]


def test_a_source_asks_for_its_permission_at_every_search(tmp_path: Path):
    it = corpus(tmp_path, "lines", "d.log", "pump", 'permission = "crew"')
    for permissions in ([], ["public"], ["Crew"], ["other"]):
        with pytest.raises(ToolProblem) as raised:
            found(it.permitted(permissions), "pump")
        assert raised.value.code == "not_permitted"
        assert raised.value.details == {"permission": "crew"}
    assert found(it.permitted(["other", "crew"]), "pump") == ["d.log:1"]


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('interface = "lines"', 'interface = "line"', "documents, table, lines, issues"),
        ('interface = "lines"', "", "interface"),
        ('name = "it"', "", "name"),
        ('name = "it"', 'name = "a/b"', "name"),
        ('path = "d.log"', "", "path"),
        ('path = "d.log"', 'path = "../d.log"', "path"),
        ('path = "d.log"', 'path = "/etc/hosts"', "path"),
        ('path = "d.log"', 'path = "d.log"\nrol = "x"', "role"),
        ('path = "d.log"', 'path = "d.log"\ndate = "("', "date"),
        ('path = "d.log"', 'path = "d.log"\ndate = "x"', "date"),
        ('path = "d.log"', 'path = "d.log"\ndate = "(a{99999999999})"', "date"),
        ('queries = ["pump"]', 'queries = ["pump"]\nmust_match = "a{99999999999}"', "must_match"),
        ('queries = ["pump"]', 'queries = ["pump"]\nneeds = { n = "a{99999999999}" }', "needs.n"),
        ('source = "it"', 'source = "that"', "it"),
        ('source = "it"', 'source = "it"\nwhen = "latest"', "date"),
        ('source = "it"', 'source = "it"\nwhen = "newest"', "latest, in_force"),
        ('queries = ["pump"]', 'queries = ["{who}"]', "{who}"),
        ('queries = ["pump"]', 'queries = ["pump"]\nmust_match = "{who}"', "{who}"),
        ('all_words = ["pump"]', 'all_words = ["pump"]\nasks = { who = "(" }', "asks.who"),
        ("[[plan]]", '[[source]]\nname="it"\ninterface="lines"\npath="d.log"\n[[plan]]', "another"),
        (
            "[[plan]]",
            '[[source]]\nname="of"\ninterface="lines"\npath="e.log"\n[[plan]]\nall_words=["q"]\n'
            'slots=["who"]\n[slots.who]\nqueries=["q"]\n[[plan]]',
            "source",
        ),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, old: str, new: str, part: str):
    corpus(tmp_path, "lines", "d.log", "pump")
    written = (tmp_path / "corpus.toml").read_text("utf-8")
    assert old in written
    (tmp_path / "corpus.toml").write_text(written.replace(old, new, 1), "utf-8")
    with pytest.raises(CorpusError) as raised:
        read_corpus(tmp_path)
    for language in ("ko", "en"):
        told = tell(raised.value, language)
        assert part in told and "corpus.toml" in told


def test_a_value_that_only_another_plan_asks_for_is_missing_here(tmp_path: Path):
    slot = 'must_match = "{who}"'
    more = '[[plan]]\nall_words = ["who"]\nasks = { who = "\\\\w+" }\nslots = ["how"]'
    with pytest.raises(CorpusError) as raised:
        corpus(tmp_path, "lines", "d.log", "pump", more, slot)
    assert "{who}" in tell(raised.value, "en")


def test_a_date_that_is_none_names_its_row(tmp_path: Path):
    for text in ("2025-02-30 pump", "2025-01-01 to 2025-13-01 pump", "soon pump"):
        (source,) = corpus(tmp_path, "lines", "d.log", text, DATED).sources
        with pytest.raises(CorpusError) as met:
            source.find("pump", lambda passage: True)
        assert "d.log:1" in tell(met.value, "ko")


def test_two_sources_may_not_share_an_id(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.md").write_text("pump", "utf-8")
    source = '[[source]]\nname = "{0}"\ninterface = "documents"\npath = "{0}"\n'
    (tmp_path / "corpus.toml").write_text(source.format("a") + source.format("b"), "utf-8")
    with pytest.raises(CorpusError) as raised:
        read_corpus(tmp_path)
    assert "same" in tell(raised.value, "ko")


def test_a_word_of_a_plan_may_be_one_of_several(tmp_path: Path):
    plan = corpus(tmp_path, "lines", "d.log", "pump").plans[0]
    plan = plan._replace(all_words=("pump|펌프", "why|왜"), asks={"n": r"#(\d+)"})
    assert plan.matches("Why pump #4?") and plan.matches("펌프 #4는 왜?")
    for question in ("why #4", "pump #4", "pump why", "pump #4 #5 why"):
        assert not plan.matches(question)
    assert plan.values("pump #4 #4 why") == {"n": "4"}


@pytest.mark.parametrize(
    ("pattern", "values"),
    [
        ("pump ([A-Z])|([A-Z]) pump", {"n": "Y"}),
        ("pump( [A-Z])?", None),
        ("pump ?([A-Z]?)", None),
    ],
)
def test_a_question_names_a_value_with_any_group_of_the_pattern(
    tmp_path: Path, pattern: str, values: dict[str, str] | None
):
    plan = corpus(tmp_path, "lines", "d.log", "pump").plans[0]._replace(asks={"n": pattern})
    question = "What is the size of the Y pump?"
    assert plan.matches(question) == (values is not None)
    assert values is None or plan.values(question) == values


def test_a_value_of_the_question_is_matched_whole_and_in_any_case(tmp_path: Path):
    (tmp_path / "d.log").write_text("Pump-10 on\nPump-1 on\nPump-1-old on", "utf-8")
    toml = TOML.format(interface="lines", path="d.log", more="", slot='must_match = "{id} on"')
    toml = toml.replace("all_words", 'asks = { id = "pump-\\\\d+" }\nall_words')
    (tmp_path / "corpus.toml").write_text(toml.replace('"pump"]', '"pump on"]', 1), "utf-8")
    it = read_corpus(tmp_path)
    plan = it.plan_for("pump-1 on: pump?")
    assert plan is not None
    slot = plan.slots[0]
    hits = it.retrieve(slot, "on", slot.pattern([{}]))
    assert [hit.id for hit in hits] == ["d.log:2"]
