"""A request of a question may take what is left of the question's time, and no longer."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.limits import Limits
from agent.messages import Reply, Usage, user
from agent.models.gemini import GeminiModel
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from agent.run import Run
from tests.replies import Judged, Replies, call, turn
from tools.corpus import find_corpus
from tools.documents import Folder

OFFICE = Path(__file__).parent / "data/office"
SEARCH = {"calls": [{"name": "search_documents", "args": {"query": "노트북 분실"}}]}
SLOW = {"text": "119번 [보안.txt:2]", "delay_s": 20}
HANGS = {"fault": "hang"}


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """What the first question of a process loads and compiles is not in the times below."""
    script = ScriptedGemini({"responses": [SEARCH, {"text": "119번 [보안.txt:2]"}]})
    with serve(responder=script) as server:
        model = GeminiModel("gemini-3.8-flash", api_key="k", base_url=server.url)
        ask("노트북을 잃어버리면?", Folder(OFFICE), model)


@pytest.fixture
def gemini() -> Any:
    """The real client in front of a script, and how long the question took."""
    stopping = threading.Event()

    def asked(*responses: dict[str, Any], seconds: float | None, stream: bool) -> tuple[Any, float]:
        script = ScriptedGemini({"responses": [*responses]}, sleep=lambda s: stopping.wait(s))
        with serve(responder=script) as server:
            model = GeminiModel("gemini-3.8-flash", api_key="k", base_url=server.url, stream=stream)
            started = time.monotonic()
            limits = Limits(max_seconds=seconds)
            run = ask("노트북을 잃어버리면?", Folder(OFFICE), model, limits)
            spent = time.monotonic() - started
            stopping.set()
        return run, spent

    return asked


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("late", [SLOW, HANGS])
def test_what_is_left_of_the_time_bounds_a_request(
    gemini: Callable[..., Any], late: dict[str, Any], stream: bool
):
    run, spent = gemini(SEARCH, late, seconds=1.0, stream=stream)
    assert 0.9 < spent < 4
    assert (run.status, run.stop_reason, run.answer) == ("incomplete", "time_budget", None)
    assert [each.id for each in run.evidence.found.values()] == ["보안.txt:2"]
    assert run.usage.requests == 2 and run.contents[-1]["role"] == "model"


@pytest.mark.parametrize("seconds", [None, 30.0])
def test_within_the_time_a_slow_answer_is_one(gemini: Callable[..., Any], seconds: float | None):
    answer = {"text": "119번 [보안.txt:2]", "delay_s": 0.0}
    run, _ = gemini(SEARCH, answer, seconds=seconds, stream=False)
    assert run.stop_reason == "answered" and run.answer


def test_the_command_ends_in_its_time(bareloop: Any):
    with serve(responder=ScriptedGemini({"responses": [SEARCH, HANGS]})) as server:
        started = time.monotonic()
        told = bareloop(
            "ask", "--json", "--max-seconds", "5", "--docs", str(OFFICE), "노트북을 잃어버리면?",
            GEMINI_API_KEY="key", GOOGLE_GEMINI_BASE_URL=server.url,
        )  # fmt: skip
    record = json.loads(told.stdout)
    assert (record["stop_reason"], told.returncode) == ("time_budget", 3)
    assert record["evidence"] and time.monotonic() - started < 20


class Clock:
    """Seconds that pass when a model answers."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Timed(Replies):
    """Takes ``took`` seconds for each reply, and keeps how long it might have."""

    remote = True

    def __init__(self, clock: Clock, took: float, *answers: Any) -> None:
        super().__init__(*answers)
        self.clock, self.took = clock, took
        self.given: list[float | None] = []

    def generate(self, *given: Any, seconds: float | None = None, **more: Any) -> Reply:
        self.given.append(seconds)
        self.clock.now += self.took
        return super().generate(*given, **more)


ENDLESS = {"1xx": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "headers": b"a"}


@pytest.mark.parametrize("bound", ["timeout", "seconds"])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", ENDLESS)
def test_what_comes_before_an_answer_is_bounded_too(kind: str, stream: bool, bound: str):
    """Something always comes, so that no single wait is long, and the answer never."""
    stopping = threading.Event()

    def talk(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: " if kind == "headers" else b"")
            while not stopping.wait(0.02):
                connection.sendall(ENDLESS[kind])

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=talk, args=[server], daemon=True).start()
        model = GeminiModel(
            "gemini-3.8-flash", api_key="k", base_url=f"http://127.0.0.1:{server.getsockname()[1]}",
            stream=stream, timeout_s=0.5 if bound == "timeout" else 60,
        )  # fmt: skip
        answers: list[Reply] = []
        seconds = 0.5 if bound == "seconds" else None
        asked = threading.Thread(
            target=lambda: answers.append(model.generate([user("?")], [], seconds=seconds)),
            daemon=True,
        )
        asked.start()
        asked.join(10)
        stopping.set()
    assert [(reply.outcome, reply.cause) for reply in answers] == [("network", "timeout")]


def test_what_is_loaded_before_the_question_is_put_does_not_count():
    clock = Clock()
    model = Timed(clock, 9.0, turn(call("find_steps", query="invoice export")))
    run = Run(clock=clock)
    clock.now += 100  # the SDK, an index, a question to the person
    ask("invoice export", find_corpus("billing"), model, Limits(max_seconds=8.0), run)
    assert model.given == [8.0]
    assert (run.stop_reason, run.seconds) == ("time_budget", 9.0)


def test_every_request_is_given_less():
    clock = Clock()
    lost = Reply("network", cause="dropped", retryable=True, usage=Usage(1))
    steps = call("find_steps", query="invoice export")
    model = Timed(clock, 2.0, turn(steps), lost, lost, lost)
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.now += seconds

    run = ask(
        "invoice export", find_corpus("billing"), model, Limits(max_seconds=8.0),
        Run(clock=clock), sleep=sleep,
    )  # fmt: skip
    assert model.given == pytest.approx([8.0, 6.0, 4.0 - slept[0]])
    assert clock.now < 8.0  # no wait that would end after the time
    assert run.stop_reason == "network" and [*run.evidence.accepted] == ["steps"]


def test_a_verdict_beside_the_conversation_has_the_same_end():
    given: list[float | None] = []

    class Patient(Judged):
        def generate(self, *asked: Any, seconds: float | None = None, **more: Any) -> Reply:
            given.append(seconds)
            return super().generate(*asked, **more)

    model = Patient(
        lambda _: '"simple"', turn(call("search_documents", query="병가")), turn("?"), turn("?")
    )
    question = "우리 회사 문서 목록에서 병가 항목 설명 담당 부서 전화 번호 위치 안내 시간"
    ask(question, Folder(OFFICE), model, Limits(max_seconds=100))
    assert model.consulted and all(each is not None and each <= 100 for each in given)
