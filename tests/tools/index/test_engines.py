"""All engines find the same rows, and exactly those that keep the conditions."""

import math
import random

import pytest

from tests.tools.index.opensearch_site import open_search_site
from tools.index.engine import Row
from tools.index.opensearch_engine import OpenSearchEngine
from tools.index.server import Login, Server
from tools.index.sqlite_engine import SqliteEngine
from tools.index.tantivy_engine import TantivyEngine
from tools.index.where import LARGEST, Condition, Where

WORDS = ["청구", "구서", "srv-prod-17", "billing_admin", "8.0.5", "export", "café", "東京", "c"]
VALUES = {
    "price": [0, -1, 5, 5.5, -5.25, 10, 1e-7, 2**53, 2**53 + 1, LARGEST, -LARGEST, "5", True],
    "date": ["2026-01-01", "2026-01-01T10:00:00Z", "2025-12-31", "2026-01-01 ", "가", "", "𝄞", "￿"],
    "on": [True, False, "true", 1],
    "나라": ["ko", "en"],
    "several": [("a", "c"), ["b"], "c", (), (1.5, 9.5), (3, 40), (4.5, "4"), (True, 1), ("b", "b")],
}


@pytest.fixture
def server():
    """A search server; tests/cluster puts a real one in its place."""
    with open_search_site() as site:
        yield Server.parse(site.url)


@pytest.fixture(params=[TantivyEngine, SqliteEngine, OpenSearchEngine])
def engine(request, tmp_path):
    if request.param is OpenSearchEngine:
        server = request.getfixturevalue("server")
        made = OpenSearchEngine(server, Login(), f"{server.prefix}-engines", "a1", is_new=True)
    else:
        made = request.param(tmp_path / "engine")
    yield made
    made.close()


def opened_again(engine):
    """Another engine on the same rows."""
    if isinstance(engine, OpenSearchEngine):
        return OpenSearchEngine(engine.server, Login(), engine.alias, "a1")
    return type(engine)(engine.folder)


def filled(engine, rows):
    engine.add(rows)
    engine.commit()
    return engine


def ids(hits):
    return [hit.id for hit in hits]


def random_rows(count, seed=7):
    dice = random.Random(seed)
    return [
        Row(
            number,
            dice.choices(WORDS, k=dice.randint(1, 6)),
            {name: dice.choice(some) for name, some in VALUES.items() if dice.random() < 0.8},
        )
        for number in range(1, count + 1)
    ]


def random_conditions(count, seed=11):
    dice = random.Random(seed)
    made = []
    while len(made) < count:
        name = dice.choice(list(VALUES))
        operator = dice.choice(["=", "!=", "<", "<=", ">", ">=", "range", "in", "not in"])
        size = {"range": 2, "in": 3, "not in": 2}.get(operator, 1)
        try:
            values = VALUES[name] if name != "several" else ["a", "b", "c", 2, 3, 4.5, 8.5, True]
            made.append(Condition(name, operator, tuple(dice.choices(values, k=size))))
        except ValueError:
            continue
    return made


def test_filtered_sets_are_those_of_brute_force(engine):
    rows = random_rows(300)
    filled(engine, rows)
    dice = random.Random(3)
    compared = 0
    for condition in random_conditions(250):
        tokens = dice.sample(WORDS, 2)
        where = Where((condition,))
        if dice.random() < 0.3:
            where &= Where((Condition("on", "=", (True,)),))
        expected = {
            row.id for row in rows if set(tokens) & set(row.tokens) and where.matches(row.fields)
        }
        assert set(ids(engine.search(tokens, where, 1000))) == expected, where.told
        compared += bool(expected)
    assert compared > 150


def test_scores_are_bm25(engine):
    rows = random_rows(200)
    filled(engine, rows)
    mean = sum(len(row.tokens) for row in rows) / len(rows)
    rare = ["kaffee"]
    extra = Row(999, ["kaffee", "kaffee", "export"])
    filled(engine, [extra])
    count, mean = len(rows) + 1, (mean * len(rows) + 3) / (len(rows) + 1)
    weight = math.log((count - 1 + 0.5) / (1 + 0.5))
    frequency = 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / mean))
    (hit,) = engine.search(rare, Where(), 5)
    assert hit.id == 999
    assert hit.score == pytest.approx(weight * frequency, rel=0.02)


def test_frequencies_count_rows_not_occurrences(engine):
    rows = random_rows(200)
    filled(engine, rows)
    told = engine.frequencies([*WORDS, "nowhere"])
    assert told.rows == 200
    for word in WORDS:
        assert told.of[word] == sum(word in row.tokens for row in rows), word
    assert told.of["nowhere"] == 0
    engine.delete([1])
    engine.add([Row(999, ["nowhere", "nowhere"])])
    assert engine.frequencies(["nowhere"]).of == {"nowhere": 0}
    engine.commit()
    assert engine.frequencies(["nowhere"]) == type(told)(200, {"nowhere": 1})


def test_a_condition_changes_no_score(engine):
    filled(engine, random_rows(200))
    where = Where((Condition("on", "=", (True,)),))
    free = {hit.id: hit.score for hit in engine.search(["export"], Where(), 1000)}
    for hit in engine.search(["export"], where, 1000):
        assert hit.score == pytest.approx(free[hit.id], rel=1e-5)


def test_few_hits_are_the_best_of_all_and_ties_go_by_id(engine):
    filled(engine, random_rows(120))
    filled(engine, [Row(number, ["tied", "c"]) for number in range(2000, 1900, -1)])
    every = engine.search(["export", "청구"], Where(), 1000)
    assert ids(engine.search(["export", "청구"], Where(), 7)) == ids(every)[:7]
    assert [hit.score for hit in every] == sorted((hit.score for hit in every), reverse=True)
    assert ids(engine.search(["tied"], Where(), 3)) == [1901, 1902, 1903]


@pytest.mark.parametrize("word", WORDS)
def test_a_token_is_found_whole(engine, word):
    filled(engine, [Row(1, [word]), Row(2, [f"{word}x"]), Row(3, ["srv", "prod", "17", "8", "0"])])
    assert ids(engine.search([word], Where(), 5)) == [1]
    assert engine.search(['" OR x:*'], Where(), 5) == []


def test_nothing_is_seen_before_the_commit(engine):
    engine.add([Row(1, ["one"])])
    assert engine.search(["one"], Where(), 5) == []
    engine.commit()
    assert ids(engine.search(["one"], Where(), 5)) == [1]
    engine.delete([1, 77])
    assert ids(engine.search(["one"], Where(), 5)) == [1]
    engine.commit()
    assert engine.search(["one"], Where(), 5) == []
    assert engine.stats()["rows"] == 0


def test_what_was_not_committed_is_forgotten(engine):
    filled(engine, [Row(1, ["one"])])
    engine.add([Row(2, ["one"])])
    engine.close()
    again = opened_again(engine)
    assert ids(again.search(["one"], Where(), 5)) == [1]
    assert again.stats()["rows"] == 1
    assert again.stats()["bytes"] > 0
    filled(again, [Row(3, ["one"])])
    again.close()


def test_a_reader_sees_what_another_commits_after_reload(engine):
    filled(engine, [Row(1, ["one"])])
    reader = opened_again(engine)
    filled(engine, [Row(2, ["one"])])
    reader.reload()
    assert ids(reader.search(["one"], Where(), 5)) == [1, 2]
    reader.close()


def test_questions_of_every_length(engine):
    filled(engine, [Row(1, ["one"])])
    assert engine.search([], Where(), 5) == []
    assert engine.search(["one"], Where(), 0) == []
    assert ids(engine.search([*(f"w{i}" for i in range(3000)), "one", "one"], Where(), 5)) == [1]
