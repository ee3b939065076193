"""The calls of one step run side by side; what is recorded is what would be recorded one by one."""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest

from agent.ask import ask
from agent.evidence import Evidence
from agent.limits import Limits
from agent.messages import ToolCall
from agent.run import Run
from agent.search_tools import Toolset, slot_tools
from agent.toolbox import MOST_THREADS, Later, Toolbox
from tests.replies import Replies, call, turn
from tools.corpus import INSTALLED, Corpus, read_corpus
from tools.documents import Passage
from tools.problems import Unavailable
from tools.search_web import WebSearch
from tools.slots import Slot
from tools.web.backend import SearchHit

Name = Annotated[str, "which"]
SOON = 20.0
"""Seconds after which a test that hangs fails."""


def calls(*names: str) -> list[ToolCall]:
    return [ToolCall("look", {"name": name}, id=name) for name in names]


def outputs(tools: Toolbox, *names: str) -> list[Any]:
    return [each.response.get("output") for each in tools.call_all(calls(*names))]


def test_all_calls_of_a_step_are_inside_at_the_same_time():
    inside = threading.Barrier(MOST_THREADS)

    def look(name: Name) -> Later[str]:
        """Look."""

        def work() -> str:
            inside.wait(SOON)
            return name

        return Later(work, str.upper)

    names = [str(n) for n in range(MOST_THREADS)]
    assert outputs(Toolbox([look]), *names) == names


def test_ctrl_c_while_results_are_taken_in_ends_the_question():
    def stopped(_: list[Passage]) -> list[Passage]:
        raise KeyboardInterrupt

    def tools(evidence: Evidence) -> list[Callable[..., Any]]:
        def look(name: Name) -> Later[Any]:
            """Look."""
            return evidence.search_open("look", name, lambda _: [], take=stopped)

        return [look]

    model = Replies(turn(call("look", name="a")), turn("?"))
    run = ask("?", Toolset(("all",), tools), model)
    assert (run.stop_reason, run.steps, len(model.requests)) == ("interrupted", 1, 1)
    assert [each["code"] for each in run.tool_errors] == ["interrupted"]


def test_no_more_than_so_many_threads():
    lock, now, most = threading.Lock(), [0], [0]

    def look(name: Name) -> Later[None]:
        """Look."""

        def work() -> None:
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            threading.Event().wait(0.002)
            with lock:
                now[0] -= 1

        return Later(work, lambda _: name)

    names = [str(n) for n in range(5 * MOST_THREADS)]
    assert outputs(Toolbox([look]), *names) == names
    assert 1 < most[0] <= MOST_THREADS


def test_results_come_in_the_order_asked_whichever_ends_first():
    second_is_done, ended, told = threading.Event(), [], []

    def look(name: Name) -> Later[str]:
        """Look."""

        def work() -> str:
            if name == "first":
                second_is_done.wait(SOON)
            ended.append(name)
            if name == "second":
                second_is_done.set()
            return name

        def then(result: str) -> str:
            told.append(result)
            return result

        return Later(work, then)

    assert outputs(Toolbox([look]), "first", "second") == ["first", "second"]
    assert (ended, told) == (["second", "first"], ["first", "second"])


def test_a_failure_is_that_of_its_own_call():
    def look(name: Name) -> Later[str]:
        """Look."""

        def work() -> str:
            if name == "down":
                raise Unavailable("Not now.")
            if name == "broken":
                raise OSError("x")
            return name

        return Later(work, str)

    results = Toolbox([look]).call_all(calls("a", "down", "broken", "b"))
    codes = [each.response.get("error", {}).get("code") for each in results]
    assert codes == [None, "unavailable", "tool_failed", None]
    assert [each.call.id for each in results] == ["a", "down", "broken", "b"]


def test_an_interrupt_keeps_what_is_finished_and_waits_for_nobody():
    never = threading.Event()

    def look(name: Name) -> Later[str]:
        """Look."""

        def work() -> str:
            if name == "hangs":
                never.wait(SOON)
            if name == "presses":
                done.wait(SOON)
                _thread.interrupt_main()
            if name == "finished":
                done.set()
            return name

        return Later(work, str)

    done = threading.Event()
    tools = Toolbox([look])
    results = tools.call_all(calls("hangs", "finished", "presses"))
    assert results[0].response["error"]["code"] == "interrupted"
    assert results[1].response == {"output": "finished"}
    assert tools.interrupted and not never.is_set()
    never.set()


def test_an_interrupt_inside_the_work_is_one_too():
    def look(name: Name) -> Later[str]:
        """Look."""

        def work() -> str:
            if name == "b":
                raise KeyboardInterrupt
            return name

        return Later(work, str)

    for names in ("ab", "b"):
        tools = Toolbox([look])
        results = tools.call_all(calls(*names))
        assert [each.is_error for each in results] == [name == "b" for name in names]
        assert tools.interrupted


class Waiting:
    """A source of documents whose searches all wait for each other."""

    def __init__(self, parties: int = 1) -> None:
        self.inside = threading.Barrier(parties)
        self.asked: list[str] = []

    def search(self, query: str) -> list[Passage]:
        self.asked.append(query)
        self.inside.wait(SOON)
        if query == "broken":
            raise ConnectionError
        return [Passage(f"id-{query}", f"text of {query}", "made")] if query != "none" else []


def toolset(*tools: Any) -> Toolset:
    """Search tools over sources by name."""

    def made(evidence: Evidence) -> list[Any]:
        def tool(name: str, source: Waiting) -> Any:
            def search(query: Annotated[str, "words"]) -> Later[Any]:
                return evidence.search_open(name, query, source.search)

            search.__name__, search.__doc__ = name, "Search."
            return search

        return [tool(f"search_{n}", source) for n, source in enumerate(tools)]

    return Toolset(("made",), made)


def test_searches_of_one_turn_run_at_the_same_time_and_are_recorded_in_order():
    source = Waiting(3)
    asked = [call("search_0", query=query) for query in ("a", "none", "broken")]
    run = ask("a?", toolset(source), Replies(turn(*asked), turn("a [id-a]")))
    searches = run.as_record()["searches"]
    assert [(each["query"], each["outcome"]) for each in searches] == [
        ("a", "hits"), ("none", "none"), ("broken", "unavailable"),
    ]  # fmt: skip
    assert {each["step"] for each in searches} == {1}
    assert run.answer == "a [id-a]"


def test_what_the_budget_does_not_hold_is_not_started():
    source = Waiting(2)
    asked = [call("search_0", query=query) for query in ("a", "b", "c")]
    limits = Limits(max_searches=2)
    run = ask("a?", toolset(source), Replies(turn(*asked), turn("a [id-a]")), limits)
    assert sorted(source.asked) == ["a", "b"]
    codes = [each["code"] for each in run.tool_errors]
    assert codes == ["search_budget_spent"] and run.stop_reason == "answered"


def test_several_sources_are_asked_at_the_same_time():
    together = threading.Barrier(2)
    first, second = Waiting(), Waiting()
    first.inside = second.inside = together
    asked = [call("search_0", query="a"), call("search_1", query="b")]
    run = ask("a?", toolset(first, second), Replies(turn(*asked), turn("a [id-a] b [id-b]")))
    assert [each.id for each in run.citations] == ["id-a", "id-b"]


class Pages:
    """A web whose second query is answered first."""

    def __init__(self) -> None:
        self.answered = threading.Event()

    def search(self, query: str, max_results: int, timeout_s: float) -> list[SearchHit]:
        if query == "first":
            self.answered.wait(SOON)
        else:
            self.answered.set()
        return [SearchHit(query, f"https://{query}.example/", f"about {query}")]


def test_pages_are_numbered_in_the_order_asked():
    asked = [call("search_web", query=query) for query in ("first", "second")]
    run = ask("x?", WebSearch(Pages()), Replies(turn(*asked), turn("a [w1]")))
    found = [(each["id"], each["source"]) for each in run.as_record()["evidence"]]
    assert found == [("w1", "https://first.example/"), ("w2", "https://second.example/")]


SERVERS = """\
name = "servers"
[[plan]]
all_words = ["server"]
slots = ["server", "spec"]
[slots.server]
documents = "project-*"
queries = ["server", "machine"]
[slots.spec]
needs = { id = "srv-[0-9]+" }
documents = "asset-*"
queries = ["{id}"]
must_match = "{id}"
"""


@pytest.fixture
def servers(tmp_path: Path) -> Path:
    (tmp_path / "corpus.toml").write_text(SERVERS, encoding="utf-8")
    (tmp_path / "project-1.md").write_text("The server is srv-7.", encoding="utf-8")
    (tmp_path / "asset-7.md").write_text("srv-7 has 8 cores.", encoding="utf-8")
    return tmp_path


def test_a_search_that_depends_on_one_before_it_waits_for_it(servers):
    corpus = read_corpus(servers)
    asked = [
        call("find_server", query="server"),
        call("find_spec", query="srv-7"),
        call("find_server", query="machine"),
    ]
    run = ask("server?", corpus, Replies(turn(*asked), turn("8 [project-1] [asset-7]")))
    assert [each["slot"] for each in run.as_record()["searches"]] == ["server", "spec"]
    assert [each["code"] for each in run.tool_errors] == ["already_found"]
    assert run.status == "complete"


def test_one_turn_of_searches_leaves_the_record_that_one_by_one_leaves():
    corpus = read_corpus(INSTALLED / "billing")
    plan = corpus.plan_for("invoice export")
    assert plan is not None
    asked = [
        ToolCall("find_steps", {"query": "invoice export"}),
        ToolCall("find_permission", {"query": "authorization"}),
        ToolCall("find_permission", {"query": "billing permission"}),
        ToolCall("find_permission", {"query": "made up"}),
        ToolCall("find_steps", {"query": "invoice  Export"}),
    ]

    def recorded(together: bool) -> tuple[list[Any], list[Any]]:
        run = Run()
        evidence = Evidence(plan.slots, prepared_only=True, ledger=run.ledger)
        tools = Toolbox(slot_tools(plan, corpus, evidence))
        results = tools.call_all(asked) if together else [tools.call(each) for each in asked]
        return [each.as_record() for each in evidence.searches], [each.response for each in results]

    assert recorded(together=True) == recorded(together=False)


TWO_SLOTS = """\
name = "two"
description = "Two documents"
[[plan]]
all_words = ["two"]
slots = ["a", "b"]
[slots.a]
description = "The first"
documents = "a-*"
queries = ["alpha"]
[slots.b]
description = "The second"
documents = "b-*"
queries = ["beta"]
"""


@dataclass(frozen=True)
class Meeting(Corpus):
    """Two searches that find something must be under way at the same time."""

    inside: threading.Barrier = field(default_factory=lambda: threading.Barrier(2))

    def retrieve(self, slot: Slot, query: str, *how: Any) -> list[Passage]:
        found = super().retrieve(slot, query, *how)
        if found:
            self.inside.wait(SOON)
        return found


@pytest.fixture
def slots(tmp_path: Path) -> Callable[[int], tuple[Toolbox, Evidence]]:
    """The tools of two slots whose searches meet, and their evidence, with so many searches."""
    (tmp_path / "corpus.toml").write_text(TWO_SLOTS, encoding="utf-8")
    for name, text in (("a-1.md", "alpha"), ("b-1.md", "beta")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    corpus = Meeting(**vars(read_corpus(tmp_path)))
    (plan,) = corpus.plans

    def made(searches: int) -> tuple[Toolbox, Evidence]:
        evidence = Evidence(plan.slots, max_searches=searches)
        return Toolbox(slot_tools(plan, corpus, evidence)), evidence

    return made


def find(*asked: tuple[str, str]) -> list[ToolCall]:
    return [ToolCall(f"find_{slot}", {"query": query}) for slot, query in asked]


def test_searches_for_two_slots_run_side_by_side_also_after_one_that_waited(slots):
    tools, evidence = slots(4)
    tools.call_all(find(("a", "nothing"), ("a", "nothing else")))
    tools.call_all(find(("a", "alpha"), ("b", "beta")))
    assert [each.outcome for each in evidence.searches] == ["none", "none", "hits", "hits"]


def test_no_search_gets_ahead_of_one_that_waits(slots):
    tools, evidence = slots(2)
    results = tools.call_all(find(("a", "nothing"), ("a", "nothing else"), ("b", "gamma")))
    assert [each.query for each in evidence.searches] == ["nothing", "nothing else"]
    assert results[2].response["error"]["code"] == "search_budget_spent"
