"""How often and how long a search service is asked, and what is remembered: no network at all."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from types import ModuleType

import pytest

from tools.documents import Passage
from tools.problems import ToolProblem, Unavailable
from tools.search_web import SENTENCES, TOTAL_LIMIT, WebSearch
from tools.web.backend import SearchHit, SearchUnavailable
from tools.web.metasearch import DdgsBackend

BUSY = SearchUnavailable("failed", "503", retryable=True)
SLOW = SearchUnavailable("timed_out", "Timeout", retryable=True)
HIT = SearchHit("Title", "https://a.example/x", "Snippet.")


class Played:
    """A service that plays answers on a clock of its own, the last one for good."""

    def __init__(self, *answers: list[SearchHit] | Exception, took: float = 0.0) -> None:
        self.answers = list(answers)
        self.took = took
        self.now = 0.0
        self.asked: list[tuple[str, float]] = []
        self.slept: list[float] = []

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        self.asked.append((query, timeout_s))
        self.now += self.took
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def web(self, timeout_s: float = 8.0, budget_s: float = 15.0) -> WebSearch:
        return WebSearch(
            self,
            sleep=self.sleep,
            clock=lambda: self.now,
            timeout_s=timeout_s,
            budget_s=budget_s,
        )


def hits(*rows: tuple[str, str]) -> list[SearchHit]:
    return [SearchHit("T", url, text) for url, text in rows]


def listed(passages: Sequence[Passage]) -> list[tuple[str, str]]:
    return [(each.id, each.text) for each in passages]


def test_a_passing_fault_is_asked_again_and_others_are_not() -> None:
    service = Played(BUSY, SLOW, [HIT])
    assert listed(service.web().search("q")) == [("w1", "Title: Snippet.")]
    assert len(service.slept) == 2
    for fault in (SearchUnavailable("rate_limited"), SearchUnavailable("blocked"), ValueError()):
        service = Played(fault, [HIT])
        with pytest.raises(Unavailable):
            service.web().search("q")
        assert (len(service.asked), service.slept) == (1, [])


def test_three_attempts_are_the_most() -> None:
    service = Played(BUSY)
    with pytest.raises(Unavailable):
        service.web().search("q")
    assert len(service.asked) == 3
    assert all(0.5 <= seconds <= 4 for seconds in service.slept)


def test_an_attempt_gets_the_time_that_is_left() -> None:
    service = Played(SLOW, [HIT], took=8.0)
    service.web().search("q")
    [wait] = service.slept
    assert [timeout for _, timeout in service.asked] == pytest.approx([8.0, 7.0 - wait])


@pytest.mark.parametrize(("took", "attempts"), [(13.9, 2), (14.5, 1)])
def test_no_wait_uses_up_the_time(took: float, attempts: int) -> None:
    """The first wait takes between half a second and one."""
    service = Played(SLOW, took=took)
    with pytest.raises(Unavailable):
        service.web().search("q")
    assert len(service.asked) == attempts


def test_a_service_that_forgets_the_time_is_left_behind() -> None:
    ended = threading.Event()

    class Stuck:
        def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
            ended.wait(20)
            return [HIT]

    web = WebSearch(Stuck(), timeout_s=0.1, budget_s=0.3)
    started = time.monotonic()
    with pytest.raises(Unavailable) as raised:
        web.search("q")
    assert 0.3 <= time.monotonic() - started < 0.3 + 1
    assert raised.value.message == SENTENCES["timed_out"]
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "search")
    ended.set()


def test_an_interrupt_while_waiting_passes_at_once() -> None:
    service = Played(BUSY)

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WebSearch(service, sleep=interrupted).search("q")
    assert len(service.asked) == 1


@pytest.mark.parametrize("reason", ["rate_limited", "timed_out", "blocked", "failed"])
def test_wd_01_after_an_error_the_source_is_off_until_the_next_question(reason) -> None:
    service = Played(SearchUnavailable(reason, "why"), [HIT])
    web = service.web()
    for query in ("one", "two"):
        with pytest.raises(Unavailable) as raised:
            web.search(query)
        assert raised.value.message == SENTENCES[reason]
        assert "Do not search the web again for this question" in raised.value.message
    assert len(service.asked) == 1
    web.new_question()
    assert len(web.search("two")) == 1


def test_wd_01_none_hits_and_unavailable_are_three_things() -> None:
    service = Played([], SearchUnavailable("unclear"), [HIT])
    web = service.web()
    assert web.search("nothing") == []
    with pytest.raises(Unavailable) as raised:
        web.search("empty page")
    assert "Try other words once" in raised.value.message
    assert len(web.search("other words")) == 1


def test_wd_03_a_failure_without_words_is_named_by_its_class() -> None:
    with pytest.raises(Unavailable) as raised:
        Played(Exception("")).web().search("q")
    assert (raised.value.code, raised.value.message, raised.value.details) == (
        "unavailable",
        SENTENCES["failed"],
        {"reason": "failed", "cause": "Exception"},
    )


def test_a_failure_never_shows_its_words() -> None:
    secret = "http://user:password@proxy.example failed for 'q'"
    with pytest.raises(Unavailable) as raised:
        Played(OSError(secret)).web().search("q")
    assert "password" not in f"{raised.value.message}{raised.value.details}"


def test_what_would_end_a_thread_does_not_end_the_program() -> None:
    class Leaving:
        def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
            raise SystemExit(3)

    with pytest.raises(Unavailable) as raised:
        WebSearch(Leaving()).search("q")
    assert raised.value.details["cause"] == "RuntimeError"


def test_the_same_query_is_asked_once_in_a_conversation() -> None:
    service = Played([HIT], [], SearchUnavailable("blocked"))
    web = service.web()
    first = web.search("ReAct  agent")
    web.search("nothing")
    with pytest.raises(Unavailable):
        web.search("refused")
    assert web.search('"react agent\u200b"') == first
    assert web.search("Nothing") == []
    assert [query for query, _ in service.asked] == ["ReAct agent", "nothing", "refused"]


def test_an_unavailable_answer_is_not_remembered() -> None:
    service = Played(SearchUnavailable("failed"), [HIT])
    web = service.web()
    with pytest.raises(Unavailable):
        web.search("q")
    web.new_question()
    assert len(web.search("q")) == 1


def test_wd_05_an_id_stands_for_one_text_of_one_page() -> None:
    service = Played(
        hits(("http://a.example/x?utm_source=1", "one"), ("https://b.example/", "two")),
        hits(("https://b.example/", "two"), ("https://a.example/x", "ONE")),
        hits(("https://a.example/x", "another part"), ("https://c.example/", "one")),
    )
    web = service.web()
    first = web.search("first")
    assert listed(first) == [("w1", "T: one"), ("w2", "T: two")]
    assert web.search("second") == [first[1], first[0]]
    web.new_question()
    assert listed(web.search("third")) == [("w3", "T: another part"), ("w4", "T: one")]


def test_wd_05_passages_of_one_file_are_kept_apart() -> None:
    pages = hits(("https://a.example/file?part=1", "d1"), ("https://a.example/file?part=2", "d2"))
    assert [each.id for each in Played(pages).web().search("q")] == ["w1", "w2"]


def test_results_are_counted_after_the_useless_ones_are_gone() -> None:
    useless = [
        SearchHit("Ad", "https://duckduckgo.com/y.js?ad_domain=x", "buy"),
        SearchHit("Script", "javascript:alert(1)", "x"),
        SearchHit("No link", None, "x"),
        SearchHit(None, "https://empty.example/", None),
        SearchHit("\u200b", "https://empty.example/", "<br>"),
        HIT,
        HIT,
    ]
    more = hits(*((f"https://a.example/{number}", "text") for number in range(20)))
    service = Played(useless + more)
    assert len(service.web().search("q")) == 5
    assert len(service.web().search("q", max_results=10)) == 10
    assert [each.id for each in service.web().search("q", max_results=1)] == ["w1"]


def test_a_missing_title_or_snippet_is_no_fault() -> None:
    service = Played(
        [
            SearchHit(None, "https://a.example/x", "Only a snippet."),
            SearchHit("Only a title", "https://a.example/y", None),
        ]
    )
    assert [each.text for each in service.web().search("q")] == [
        "a.example: Only a snippet.",
        "Only a title",
    ]


def test_texts_are_cut_visibly_and_all_of_them_together_are_bounded() -> None:
    long = hits(*((f"https://a.example/{number}", "word " * 5_000_000) for number in range(10)))
    found = Played(long).web().search("q", max_results=10)
    assert all(len(each.text) < 520 and each.text.endswith("word… (cut)") for each in found)
    assert TOTAL_LIMIT - 520 < sum(len(each.text) for each in found) <= TOTAL_LIMIT


@pytest.mark.parametrize("query", ["", " \n", '""', "\u200b", "“ ”"])
def test_an_empty_query_is_not_asked(query: str) -> None:
    service = Played([HIT])
    with pytest.raises(ToolProblem) as raised:
        service.web().search(query)
    assert raised.value.code == "invalid_arguments"
    assert service.asked == []


@pytest.mark.parametrize(
    "settings",
    [
        {"timeout_s": 0},
        {"budget_s": 0},
        {"budget_s": float("nan")},
        {"max_results": 0},
        {"max_results": 11},
    ],
)
def test_settings_that_cannot_work_are_refused(settings) -> None:
    with pytest.raises(ValueError):
        WebSearch(Played([HIT]), **settings)
    for fine in ({"max_results": 1}, {"max_results": 10}, {"timeout_s": 0.1}):
        WebSearch(Played([HIT]), **fine)


@pytest.fixture
def ddgs(monkeypatch: pytest.MonkeyPatch) -> list[list[dict[str, str]] | Exception]:
    """A stand-in for the optional library, which plays the answers put into this list."""
    answers: list[list[dict[str, str]] | Exception] = []
    asked: list[tuple[str, dict[str, object]]] = []

    class DDGSException(Exception):
        pass

    class TimeoutException(DDGSException):
        pass

    class DDGS:
        def __init__(self, proxy: str | None = None, timeout: float | None = 5) -> None:
            assert timeout

        def text(self, query: str, **options: object) -> list[dict[str, str]]:
            asked.append((query, options))
            answer = answers.pop(0)
            if isinstance(answer, str):
                raise {"timeout": TimeoutException, "none": DDGSException}[answer](
                    {"timeout": "Request timed out", "none": "No results found."}[answer]
                )
            if isinstance(answer, Exception):
                raise answer
            return answer

    package, failures = ModuleType("ddgs"), ModuleType("ddgs.exceptions")
    package.DDGS = DDGS  # type: ignore[attr-defined]
    failures.TimeoutException = TimeoutException  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ddgs", package)
    monkeypatch.setitem(sys.modules, "ddgs.exceptions", failures)
    return answers


def test_ddgs_is_asked_for_one_site_and_its_silence_is_unclear(ddgs) -> None:
    backend = DdgsBackend()
    row = {"title": "T", "href": "https://a.example/", "body": "text"}
    ddgs.append([row, row, row])
    assert backend.search("q", 2, 1.0) == [SearchHit("T", "https://a.example/", "text")] * 2
    for answer, reason in (
        ("none", "unclear"),
        ([], "unclear"),
        ("timeout", "timed_out"),
        (RuntimeError("broken"), "failed"),
    ):
        ddgs.append(answer)
        with pytest.raises(SearchUnavailable) as raised:
            backend.search("q", 2, 1.0)
        assert raised.value.reason == reason
    with pytest.raises(ValueError, match="timeout_s"):
        backend.search("q", 2, 0)


def test_ddgs_that_is_not_installed_is_noticed_when_it_is_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(ImportError):
        DdgsBackend()
