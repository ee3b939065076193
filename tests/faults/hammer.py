"""Conversations over a bad line: the real client, the real server, and everything that must hold
for every question, whatever happens on the way."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from agent.chat.conversation import Conversation
from agent.chat.place import AUTO, Place
from agent.chat.room import Room, World
from agent.chat.sessions import read_session
from agent.messages import StopReason
from agent.models.retrying import RetryBudget
from agent.offline.protocol import Answer, Request, Rules
from agent.offline.responder import OfflineGemini, Response
from agent.offline.server import serve
from agent.run import Run, Status
from agent.settings import read_settings
from tests.cases.legality import faults
from tests.faults.proxy import SILENT, BadLine

ROOT = Path(__file__).parent.parent.parent
DOCS = Place("docs", str(ROOT / "tests/data/office"))
QUESTIONS: Sequence[tuple[Place, str]] = (
    (DOCS, "노트북을 잃어버리면 어디에 알리나요?"),
    (AUTO, "invoice export steps and permission"),
    (DOCS, "Which network do guests use?"),
    (AUTO, "청구서를 내보내려면?"),
    (DOCS, "연차를 쓰려면 이틀 전까지 누구에게 알리나요?"),
    (AUTO, "프로젝트 X에 쓰인 서버 사양, 최근 장애 원인, 담당 팀의 후속 조치까지 알려줘"),
    (DOCS, "오늘 점심 메뉴가 뭐야?"),
    (AUTO, "weather?"),
)
TIMEOUT_S = 1.0


class Strict:
    """The offline Gemini that keeps every request and every refusal."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.refusals: list[str] = []
        self._gemini = OfflineGemini(Rules(ids="echoed"))
        self._lock = threading.Lock()

    def respond(self, request: Request) -> Response:
        answer = self._gemini.respond(request)
        with self._lock:
            self.requests.append(request.body)
            if isinstance(answer, Answer) and answer.status != 200:
                self.refusals.append(answer.body["error"]["message"])
        return answer


@dataclass
class Outcome:
    """What became of all questions. ``right`` counts answers that are those of a good line."""

    questions: int = 0
    right: int = 0
    requests: int = 0
    waits: list[float] = field(default_factory=list[float])
    ends: Counter[str] = field(default_factory=Counter[str])
    happened: Counter[str] = field(default_factory=Counter[str])
    refusals: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        return (
            f"{self.questions} questions, {self.right} answered as on a good line, "
            f"{self.requests} requests, {len(self.waits)} waits (not slept: "
            f"{sum(self.waits):.0f} s)\nends: {dict(self.ends.most_common())}\n"
            f"faults: {dict(self.happened.most_common())}\nrefusals: {self.refusals}"
        )


def expected() -> dict[str, Run]:
    """Every question on its own, answered in this process."""
    settings = read_settings({}, model="offline")
    found: dict[str, Run] = {}
    for place, question in QUESTIONS:
        room = Room(settings, place)
        found[question] = room.answer(question, room.run_for(question))
    return found


def hammer(
    data: Path, seed: int, kinds: Sequence[str], conversations: int, share: float = 0.3
) -> Outcome:
    """As many conversations, each with every question, half of them streamed. Raises
    AssertionError for anything that must not be."""
    total, strict, right = Outcome(), Strict(), expected()
    with serve(responder=strict) as server, BadLine(server.url, seed, share, kinds) as line:
        for number in range(conversations):
            _converse(data / str(number), number, line, right, total)
    total.requests = len(line.happened)
    total.happened.update(line.happened)
    total.refusals = strict.refusals
    if SILENT not in kinds:
        wrong = [faults(body["contents"]) for body in strict.requests]
        assert [each for each in wrong if each] == [] and strict.refusals == []
    return total


def _converse(
    data: Path, number: int, line: BadLine, right: dict[str, Run], total: Outcome
) -> None:
    settings = read_settings(
        {"GEMINI_API_KEY": "offline", "GOOGLE_GEMINI_BASE_URL": line.url},
        timeout_s=TIMEOUT_S,
        stream=number % 2 == 1,
    )
    waits: list[float] = []
    room = Room(settings, world=World(sleep=waits.append), on_text=lambda text: None)
    talk = Conversation(room, data)
    runs: list[Run] = []
    refused = 0
    for place, question in QUESTIONS:
        room.move_to(place)
        before = len(line.happened)
        runs.append(talk.ask(question))
        met = line.happened[before:]
        _check(runs[-1], right[question], met, waits)
        refused = refused + 1 if runs[-1].stop_reason == "rejected" and not any(met) else 0
        assert refused < 2, "a conversation that cannot go on"
        total.questions += 1
        total.right += runs[-1].answer == right[question].answer
        total.ends[f"{runs[-1].status}/{runs[-1].stop_reason}"] += 1
        total.waits += waits
        waits.clear()
    talk.close()
    _check_kept(talk, runs)


def _check(run: Run, right: Run, met: list[str], waits: list[float]) -> None:
    """One question: its end is named, its budget kept, its answer whole, its history legal."""
    told = (run.question, met, run.status, run.stop_reason, run.message)
    budget = RetryBudget()
    assert run.status in get_args(Status) and run.stop_reason in get_args(StopReason), told
    assert run.message, told
    assert (run.answer is None) or run.status in ("complete", "open"), told
    assert len(waits) <= budget.retries and sum(waits) <= budget.wait_s, told
    # a request for each step, the one that sends an answer back, and what the budget allows
    assert len(met) <= run.steps + 1 + budget.retries + budget.rewrites, told
    assert run.usage.requests == len(met), told
    if SILENT not in met:
        assert faults([*run.contents, {"role": "user", "parts": [{"text": "?"}]}]) == [], told
        assert run.answer in (None, right.answer), told
        refused = run.stop_reason == "rejected"  # for what an earlier answer brought
        assert (run.answer is None) == (right.answer is None) or any(met) or refused, told


def _check_kept(talk: Conversation, runs: list[Run]) -> None:
    """The file has every question with its record, and the history as the model will get it."""
    saved = read_session(talk.session.path)
    assert not talk.session.failed and saved.damaged == 0 and saved.open == []
    assert saved.records == [run.as_record() for run in runs]
    assert saved.contents == talk.contents
