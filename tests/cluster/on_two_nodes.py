"""The search server for real: two nodes of OpenSearch, 20,000 passages, and a node that dies.

``make cluster-test`` runs it: it needs Java 17 and Maven, and is no part of ``make test``. What the
tests measure is printed at their end.
"""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Any

import pytest

from agent.cli import main
from tests.cluster.nodes import CannotStart, Cluster, cluster
from tests.tools.index.test_engines import *  # noqa: F403 - the engines' tests, on this cluster
from tools.index.index import Index
from tools.index.indexed import index_folder
from tools.index.opensearch_engine import OpenSearchEngine
from tools.index.server import ANONYMOUS, Server, ServerFault
from tools.index.where import Condition, Where
from tools.tokens import query_terms

FILES, ROWS = 100, 200
WORDS = [f"{first}{last}" for first in "강산바람물불빛돌" for last in "길터골목들샘재마루"]
FIGURES: list[str] = []


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    try:
        with cluster(tmp_path_factory.mktemp("cluster")) as made:
            yield made
    except CannotStart as reason:
        pytest.skip(str(reason))
    finally:
        print("\n" + "\n".join(FIGURES))


@pytest.fixture
def server(nodes: Cluster) -> Server:
    """A name space of its own for each test."""
    found = Server.parse(nodes.url)
    return Server(found.hosts, found.plain, f"t{random.randrange(10**9)}", found.shards)


@pytest.fixture
def engine(server: Server) -> Iterator[OpenSearchEngine]:
    made = OpenSearchEngine(server, ANONYMOUS, f"{server.prefix}-engines", "a1", is_new=True)
    yield made
    made.sweep(keep=False)
    made.close()


def bareloop(*arguments: object) -> tuple[int, str, str]:
    with redirect_stdout(StringIO()) as written, redirect_stderr(StringIO()) as aside:
        code = main([str(each) for each in arguments])
    return code, written.getvalue(), aside.getvalue()


@pytest.fixture(scope="session")
def corpus(nodes: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """20,000 rows of tables with typed fields, indexed by the command; gives the data folder."""
    root = tmp_path_factory.mktemp("corpus")
    dice = random.Random(5)
    (root / "docs").mkdir()
    for number in range(FILES):
        rows = ["이름,값,무게,날,켜짐,글"]
        for each in range(ROWS):
            words = " ".join(dice.choices(WORDS, k=dice.randint(3, 12)))
            price = dice.choice([dice.randrange(10**6), "없음"])
            weight = round(dice.uniform(-5, 5), 2)
            day = f"20{dice.randint(20, 26)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
            on = dice.choice(["true", "false", ""])
            rows.append(f"물건-{number}-{each},{price},{weight},{day},{on},{words}")
        (root / "docs" / f"{number:03}.csv").write_text("\n".join(rows) + "\n", "utf-8")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("BARELOOP_DATA", str(root / "data"))
        begun = time.perf_counter()
        code, told, aside = bareloop("index", root / "docs", "--engine", nodes.url)
        FIGURES.append(f"index: {time.perf_counter() - begun:.1f} s for {told.strip()}")
        assert code == 0, aside
        assert f"{FILES * ROWS} passages" in told
        yield root / "data"


@pytest.fixture
def index(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    monkeypatch.setenv("BARELOOP_DATA", str(corpus))
    with Index(index_folder(corpus, "docs")) as opened:
        yield opened


def public(index: Index, nodes: Cluster) -> OpenSearchEngine:
    """Another client of the corpus's index on the cluster."""
    place, alias = index._store.note("engine"), index._store.note("alias")
    return OpenSearchEngine(
        Server.parse(nodes.url), ANONYMOUS, alias, place.partition("-")[2]
    )  # fmt: skip


def conditions(count: int) -> list[Condition]:
    dice = random.Random(13)
    values: dict[str, Callable[[], Any]] = {
        "값": lambda: dice.choice([dice.randrange(10**6), "없음", dice.uniform(0, 10**6)]),
        "무게": lambda: dice.choice([round(dice.uniform(-5, 5), 2), dice.randint(-5, 5)]),
        "날": lambda: f"20{dice.randint(20, 26)}-{dice.randint(1, 12):02}-15",
        "켜짐": lambda: dice.choice([True, False]),
        "nowhere": lambda: 1,
    }
    made: list[Condition] = []
    while len(made) < count:
        name = dice.choice(list(values))
        operator: Any = dice.choice(["=", "!=", "<", "<=", ">", ">=", "range", "in", "not in"])
        size = {"range": 2, "in": 40, "not in": 2}.get(operator, 1)
        try:
            made.append(Condition(name, operator, tuple(values[name]() for _ in range(size))))
        except ValueError:
            continue
    return made


def test_filtered_sets_of_20000_are_those_of_brute_force(index: Index, nodes: Cluster) -> None:
    rows = list(index._store.rows())
    client = public(index, nodes)
    dice = random.Random(3)
    compared = 0
    for condition in conditions(150):
        tokens = query_terms(dice.choice(WORDS))
        where = Where((condition,))
        expected = {
            row.id for row in rows if set(tokens) & set(row.tokens) and where.matches(row.fields)
        }
        found = [hit.id for hit in client.search(tokens, where, 10_000)]
        assert len(found) == len(set(found)) and set(found) == expected, where.told
        compared += bool(expected)
    assert compared > 75


def test_the_best_are_those_of_the_engine_on_this_machine(
    index: Index, nodes: Cluster, tmp_path: Path
) -> None:
    from tools.index.tantivy_engine import TantivyEngine

    here = TantivyEngine(tmp_path / "here")
    here.add(index._store.rows())
    here.commit()
    there = public(index, nodes)
    dice = random.Random(17)
    for _ in range(40):
        tokens = query_terms(" ".join(dice.choices(WORDS, k=2)))
        ours, theirs = here.search(tokens, Where(), 20), there.search(tokens, Where(), 20)
        assert [hit.score for hit in theirs] == pytest.approx([hit.score for hit in ours], rel=1e-3)
        assert here.frequencies(tokens) == there.frequencies(tokens)
    here.close()


def test_how_long_a_search_takes(index: Index, nodes: Cluster) -> None:
    client = public(index, nodes)
    dice = random.Random(23)
    where = Where((Condition("값", "<=", (500_000,)), Condition("켜짐", "=", (True,))))
    for name, given in (("free", Where()), ("filtered", where)):
        took: list[float] = []
        for _ in range(300):
            tokens = query_terms(" ".join(dice.choices(WORDS, k=4)))
            begun = time.perf_counter()
            assert client.search(tokens, given, 25)
            took.append(1000 * (time.perf_counter() - begun))
        cuts = statistics.quantiles(took, n=20)
        FIGURES.append(
            f"search, {name}: p50 {statistics.median(took):.1f} ms, p95 {cuts[18]:.1f} ms"
        )


@contextmanager
def searching(client: OpenSearchEngine, index: Index) -> Iterator[list[float]]:
    """Searches all the while; every answer must be the one before. Gives the seconds of each."""
    tokens, where = query_terms("강길 산터"), Where((Condition("켜짐", "=", (True,)),))
    expected = [hit.id for hit in client.search(tokens, where, 10_000)]
    took: list[float] = []
    wrong: list[object] = []
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            begun = time.perf_counter()
            try:
                found = [hit.id for hit in client.search(tokens, where, 10_000)]
            except ServerFault as fault:
                wrong.append(fault)
                continue
            took.append(time.perf_counter() - begun)
            if sorted(found) != sorted(expected):
                wrong.append((len(found), len(expected)))

    assert len(expected) > 100
    thread = threading.Thread(target=search)
    thread.start()
    try:
        yield took
    finally:
        stop.set()
        thread.join()
    assert wrong == [] and len(took) > 10


@pytest.fixture
def whole_again(nodes: Cluster) -> Iterator[None]:
    """Starts what the test stopped."""
    yield
    for node in nodes.nodes:
        if node.process is None:
            node.start()
    nodes.wait()


@pytest.mark.usefixtures("whole_again")
def test_searches_go_on_when_a_node_is_killed(index: Index, nodes: Cluster, corpus: Path) -> None:
    victim = nodes.other(nodes.manager())
    with searching(public(index, nodes), index) as took:
        time.sleep(1)
        victim.stop(SIGKILL)
        time.sleep(5)
        nodes.wait(nodes=1)
    FIGURES.append(f"kill -9: {len(took)} searches right, longest {max(took):.2f} s")
    late = corpus.parent / "docs" / "late.txt"
    late.write_text("늦은 기차는 자정에 떠납니다.\n", "utf-8")
    code, _, aside = bareloop("index", "--corpus", "docs")
    assert (code, aside) == (0, "")
    assert "late.txt:1" in bareloop("ask", "--corpus", "docs", "늦은 기차는 언제 떠나나요?")[1]


def test_searches_go_on_while_the_index_is_made_anew(index: Index, nodes: Cluster) -> None:
    before = index._store.note("engine")
    with searching(public(index, nodes), index) as took:
        begun = time.perf_counter()
        url = nodes.url.replace("shards=2", "shards=3")
        assert bareloop("index", "--corpus", "docs", "--engine", url)[0] == 0
        FIGURES.append(
            f"made anew with another number of shards: {time.perf_counter() - begun:.1f} s"
        )
        time.sleep(1)
    FIGURES.append(f"made anew: {len(took)} searches right, longest {max(took):.2f} s")
    assert index._store.note("engine") != before and index.search("강길")
    alias = index._store.note("alias")
    (name,) = nodes.ask(f"/_alias/{alias}")
    assert list(nodes.ask(f"/{alias}-*/_alias")) == [name]
    told = nodes.ask(f"/{name}/_settings")[name]["settings"]["index"]
    assert (told["number_of_shards"], told["number_of_replicas"]) == ("3", "1")


@pytest.mark.usefixtures("whole_again")
def test_searches_go_on_when_the_managing_node_is_stopped(index: Index, nodes: Cluster) -> None:
    nodes.wait()
    victim = nodes.manager()
    with searching(public(index, nodes), index) as took:
        time.sleep(1)
        victim.stop(SIGTERM)
        time.sleep(5)
    FIGURES.append(f"SIGTERM: {len(took)} searches right, longest {max(took):.2f} s")
    nodes.other(victim).stop(SIGTERM)
    with pytest.raises(ServerFault):
        index.search("강길")
    told = bareloop("ask", "--json", "--corpus", "docs", "강길은 어디인가요?")
    assert '"outcome": "unavailable"' in told[1] and "cannot be reached" in told[2]
    for node in nodes.nodes:
        node.start()
    nodes.wait()
    assert index.search("강길")
