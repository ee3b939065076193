"""One script held as a conversation, the way the chat holds it, and what came of it."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from agent.catalogue import Problem
from agent.chat.conversation import Conversation
from agent.chat.place import AUTO, Place, corpus_names
from agent.chat.room import Room, World
from agent.messages import Model
from agent.offline.model import OfflineModel
from agent.offline.scripted import ScriptedGemini
from agent.run import Event
from agent.settings import (
    OFFLINE,
    Settings,
    build_model,
    build_search,
    own_keys,
    read_settings,
)
from agent.smoke.expectations import (
    Failure,
    Observed,
    calls_of,
    failures,
    offered_in,
    texts_of,
    unknown_tool,
)
from agent.smoke.lines import Mistake, Unreadable
from agent.smoke.recording import (
    GivenSearch,
    Hit,
    NotRecorded,
    Recorder,
    Recording,
    RecordingSearch,
    Replay,
    Searched,
    read_recording,
    shortened,
    write_recording,
)
from agent.smoke.script import Expect, Web, Written, read_script, unknown
from tools.problems import CorpusError, InputError
from tools.search_web import WebSearch

Outcome = Literal["passed", "failed", "skipped", "error"]
"""``error`` is a script that cannot be held as a conversation: nothing is known of the agent."""


@dataclass(frozen=True)
class Way:
    """How far scripts may go: ``live`` to Gemini and to the web, ``record`` to Gemini to keep what
    it answers. ``model`` is the Gemini model, else the one of the settings."""

    live: bool = False
    record: bool = False
    model: str | None = None


@dataclass(frozen=True)
class Asked:
    """One question of a script: its failures, each with its line, the record it came to, and what
    a person is told: the answer, or why there is none."""

    ask: str
    line: int
    failures: Sequence[tuple[int, Failure]]
    record: dict[str, Any]
    told: str


@dataclass
class Played:
    """What came of a script. ``mistakes`` say why there is an error, why it was left out, or what
    failed beside the expectations, with ``details`` below; ``seconds`` is how long it took."""

    path: Path
    outcome: Outcome = "passed"
    asked: list[Asked] = field(default_factory=list[Asked])
    mistakes: list[Mistake] = field(default_factory=list[Mistake])
    details: list[str] = field(default_factory=list[str])
    seconds: float = 0.0
    wrote: Path | None = None

    def end(self, outcome: Outcome, *mistakes: Mistake) -> None:
        self.outcome = outcome
        self.mistakes += mistakes


class _End(Exception):
    """The conversation cannot go on, or cannot begin."""

    def __init__(self, outcome: Outcome, *mistakes: Mistake) -> None:
        self.outcome: Outcome = outcome
        self.mistakes = mistakes
        super().__init__(outcome)


def play(path: Path, way: Way) -> Played:
    """Hold the conversation of a script. An interrupt comes through."""
    played = Played(path)
    started = time.monotonic()
    try:
        _hold(read_script(path), way, played)
    except Unreadable as failure:
        played.end("error", *failure.mistakes)
    except _End as end:
        played.end(end.outcome, *end.mistakes)
    except Exception as failure:
        # whatever one script brings about, the others are still run
        reason = f"{type(failure).__name__}: {failure}"
        problem = (
            failure
            if isinstance(failure, Problem | InputError)
            else Problem("smoke.crashed", reason=reason)
        )
        played.end("error", Mistake(path, 1, problem))
    played.seconds = time.monotonic() - started
    return played


@dataclass(frozen=True)
class _Cast:
    """Who answers: the model and the web of one conversation, and the day it is."""

    settings: Settings
    model: Model
    web: WebSearch | None
    today: date
    sleep: Callable[[float], None]
    searched: RecordingSearch | None
    given: ScriptedGemini | None


def _no_wait(seconds: float) -> None:
    """What is written down needs no patience."""


def _hold(written: Written, way: Way, played: Played) -> None:
    script = written.script
    cast = _cast(written, way)
    settings = replace(
        cast.settings,
        limits=script.limits.limits,
        language=script.lang,
        permissions=frozenset(script.permissions),
        stream=False,
    )
    world = World(cast.model, cast.web, lambda: cast.today, cast.sleep)
    if (unknown_corpus := _unknown_corpus(written)) is not None:
        raise _End("error", Mistake(written.path, written.line("corpus"), unknown_corpus))
    try:
        room = Room(
            settings, _place(written), narrow=script.narrow, route=script.route, world=world
        )
    except (Problem, InputError) as problem:
        raise _End("error", Mistake(written.path, _source_line(written), problem)) from None
    if script.corpus is not None:
        _check_web(written, room.searches_web)
    with tempfile.TemporaryDirectory() as folder:
        conversation = Conversation(room, Path(folder))
        try:
            _ask_all(written, cast, conversation, played)
        finally:
            conversation.close()
    if isinstance(cast.model, Recorder):
        _keep(written, cast, cast.model, played)


def _ask_all(written: Written, cast: _Cast, conversation: Conversation, played: Played) -> None:
    """Ask every question, and look at each answer."""
    trace: list[tuple[int, str]] = []
    for place, turn in enumerate(written.script.turns):
        line = written.line("turns", place, "ask")
        events: list[Event] = []
        try:
            conversation.room.settle(turn.ask, _saying(turn.confirm))
            run = conversation.ask(turn.ask, events.append)
            if isinstance(cast.model, Replay) and cast.model.missed:
                raise cast.model.missed
        except (Problem, InputError) as problem:
            raise _End("error", Mistake(written.path, line, problem)) from None
        except NotRecorded as missed:
            played.details += shortened(missed.difference)
            raise _End("failed", _missed(written, line, missed)) from None
        if run.stop_reason == "interrupted":
            raise KeyboardInterrupt
        trace += texts_of(events)
        record = run.as_record()
        observed = Observed(record, calls_of(events), trace, offered_in(events))
        found = _compared(written, place, turn.expect, observed)
        told = run.message if run.shown is None else run.shown
        played.asked.append(Asked(turn.ask, line, found, record, told))
        if found:
            played.outcome = "failed"
    if played.outcome == "passed":
        _nothing_left(written, cast)


def _compared(
    written: Written, place: int, expect: Expect, observed: Observed
) -> list[tuple[int, Failure]]:
    """The expectations of a question that did not hold, each with its line."""
    if (found := unknown_tool(expect, observed)) is not None:
        key, name = found
        problem = unknown("smoke.unknown_tool", name, observed.offered, entry=name)
        line = written.line("turns", place, "expect", *key)
        raise _End("error", Mistake(written.path, line, problem))
    try:
        failed = failures(expect, observed)
    except Problem as problem:
        line = written.line("turns", place, "expect", *problem.values.get("at", ()))
        raise _End("error", Mistake(written.path, line, problem)) from None
    return [(written.line("turns", place, "expect", *each.key), each) for each in failed]


def _saying(answer: bool | None) -> Callable[[str], bool | None]:
    return lambda question: answer


def _nothing_left(written: Written, cast: _Cast) -> None:
    """A reply that nobody asked for means that the agent went another way."""
    if cast.given is not None and (left := cast.given.left):
        problem = Problem("smoke.responses_left", count=left)
        raise _End("failed", Mistake(written.path, written.line("responses"), problem))
    if isinstance(cast.model, Replay) and (numbers := cast.model.left):
        told = ", ".join(map(str, numbers))
        problem = Problem("smoke.exchanges_left", numbers=told, path=written.recording.name)
        raise _End("failed", Mistake(written.path, written.line("model"), problem))


def _missed(written: Written, line: int, missed: NotRecorded) -> Mistake:
    key = "smoke.not_recorded" if missed.nearest else "smoke.nothing_recorded"
    values = {"number": missed.number, "nearest": missed.nearest, "path": written.recording.name}
    return Mistake(written.path, line, Problem(key, **values))


def _keep(written: Written, cast: _Cast, recorder: Recorder, played: Played) -> None:
    """Write the recording, unless a reply never came."""
    path, line = written.recording, written.line("model")
    if (lost := recorder.lost) is not None:
        problem = Problem("smoke.lost", outcome=lost.outcome, path=path.name)
        played.end("failed", Mistake(written.path, line, problem))
        return
    searches = cast.searched.searches if cast.searched else []
    recording = Recording(
        version=1,
        model=recorder.name,
        today=cast.today,
        exchanges=recorder.exchanges,
        searches=searches,
    )
    try:
        write_recording(path, recording, (cast.settings.api_key, *own_keys()))
    except Unreadable as failure:
        played.end("failed", *failure.mistakes)
        return
    except OSError as error:
        problem = Problem("chat.file_unwritable", path=path, reason=error.strerror or "")
        played.end("failed", Mistake(written.path, line, problem))
        return
    played.wrote = path


def _place(written: Written) -> Place:
    script = written.script
    where = tuple(script.where)
    if script.docs is not None:
        return Place("docs", written.beside(script.docs), where)
    if script.corpus is None:
        return Place("web", "", where) if script.web is not None else AUTO._replace(where=where)
    if _is_path(script.corpus):
        return Place("corpus", f"{Path(written.beside(script.corpus))}{os.sep}", where)
    return Place("corpus", script.corpus, where)


def _check_web(written: Written, searches_web: bool) -> None:
    """The web must be named where a corpus searches it, and only there: nothing is to leave the
    machine unsaid, and no entry to stand for nothing."""
    if searches_web == (written.script.web is not None):
        return
    key, entry = ("smoke.web_unnamed", "corpus") if searches_web else ("smoke.web_unused", "web")
    raise _End("error", Mistake(written.path, written.line(entry), Problem(key)))


def _is_path(corpus: str) -> bool:
    """A folder is written with a slash, lest one that lies there takes the place of a corpus."""
    return "/" in corpus or os.sep in corpus


def _unknown_corpus(written: Written) -> Problem | InputError | None:
    """What is said of a name that no corpus has, also where a folder has it: which one that is
    would depend on where the command is run. Several names are checked where they are opened."""
    name = written.script.corpus
    if name is None or _is_path(name) or "," in name or name in (names := corpus_names()):
        return None
    if Path(written.beside(name), "corpus.toml").is_file():
        return Problem("smoke.bare_folder", name=name)
    return CorpusError("unknown", name=name, names=", ".join(names))


def _source_line(written: Written) -> int:
    for key in ("docs", "corpus", "web", "where"):
        if key in written.script.model_fields_set:
            return written.line(key)
    return 1


def _cast(written: Written, way: Way) -> _Cast:
    script = written.script
    settings, today = Settings(), script.today or date.today()
    given: ScriptedGemini | None = None
    recording: Recording | None = None
    sleep: Callable[[float], None] = _no_wait
    model: Model
    match script.model:
        case "offline":
            model = OfflineModel()
        case "scripted":
            given = ScriptedGemini({"responses": script.played})
            model = OfflineModel(given, remote=True)
        case "replay" if not way.record:
            recording = _recording(written)
            today = script.today or recording.today
            model = Replay(recording.model, recording.exchanges)
        case _:
            settings = _gemini(written, way)
            sleep = time.sleep
            model = build_model(settings)
            if script.model == "replay":
                model = Recorder(model)
    web, searched = _web(written, way, settings, recording)
    return _Cast(settings, model, web, today, sleep, searched, given)


def _recording(written: Written) -> Recording:
    if not written.recording.exists():
        problem = Problem("smoke.no_recording", path=written.recording.name)
        raise _End("failed", Mistake(written.path, written.line("model"), problem))
    return read_recording(written.recording)


def _gemini(written: Written, way: Way) -> Settings:
    """The settings of the person, for a script that asks Gemini. Without permission, or without a
    key, it is left out."""
    line = written.line("model")
    if not (way.live or way.record):
        raise _End("skipped", Mistake(written.path, line, Problem("smoke.closed_model")))
    try:
        settings = read_settings(model=way.model)
    except Problem as problem:
        if problem.key != "settings.no_key":
            raise _End("error", Mistake(written.path, line, problem)) from None
        settings = Settings()
    if settings.is_offline:
        raise _End("skipped", Mistake(written.path, line, Problem("smoke.no_key")))
    return settings


def _web(
    written: Written, way: Way, settings: Settings, recording: Recording | None
) -> tuple[WebSearch | None, RecordingSearch | None]:
    """The web of a script, and what keeps its searches where they are recorded."""
    web = written.script.web
    if web is None:
        return None, None
    if isinstance(web, Web):
        hits = [Hit(**page.model_dump()) for page in web.pages or ()]
        found = Searched(query="*", hits=hits, unavailable=web.unavailable)
        return WebSearch(GivenSearch([found])), None
    if recording is not None:
        return WebSearch(GivenSearch(recording.searches)), None
    if not (way.live or (way.record and written.script.model == "replay")):
        problem = Problem("smoke.closed_web")
        raise _End("skipped", Mistake(written.path, written.line("web"), problem))
    if settings.is_offline:
        settings = read_settings(model=OFFLINE)  # for the search service that the person chose
    recorders: list[RecordingSearch] = []

    def around(backend: Any) -> RecordingSearch:
        recorders.append(RecordingSearch(backend))
        return recorders[0]

    return build_search(settings, around), recorders[0]
