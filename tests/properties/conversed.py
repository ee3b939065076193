"""One conversation that goes on whatever happens to it, and what must hold after everything that
happened."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from agent.ask import Source
from agent.catalogue import Problem, tell
from agent.chat.commands import Commands
from agent.chat.conversation import Conversation
from agent.chat.place import AUTO, Place
from agent.chat.room import Room, World
from agent.chat.sessions import Saved, read_session
from agent.chat.telling import progress
from agent.history import size
from agent.json_safe import clean
from agent.limits import DEFAULT_LIMITS, Limits
from agent.offline.model import OfflineModel
from agent.offline.protocol import Answer, Request
from agent.offline.responder import OfflineGemini, Response
from agent.run import Event, Run
from agent.settings import Settings
from tests.cases.legality import faults
from tests.properties.played import (
    RULES,
    Action,
    Clock,
    HostileGemini,
    HostileWeb,
    Ran,
    fresh,
    is_legal,
    keeps_its_rules,
    source_of,
    stops,
    tells,
)
from tools.problems import InputError
from tools.search_web import WebSearch
from tools.tokens import fold

OFFICE = Path(__file__).parent.parent / "data/office"
BILLING = Path(__file__).parents[2] / "tools/corpora/billing"
CHEAP = ("max_won<=100000", "connection=usb-c")
HOSTILE = ("tools", "hostile plan")
PLACES = ("auto", "planned", "products", "folder", "index", "web", *HOSTILE, *HOSTILE)
"""From where a question is answered: ``planned``, ``folder`` and ``index`` are the person's own and
may go away; ``HOSTILE`` are sources whose tools may do anything."""


class Interrupt:
    """In the place of a reply: the person presses Ctrl-C while the model is asked."""


Reply = Response | Interrupt


class TalkingGemini(HostileGemini):
    """Plays replies, and when they are used up decides as the offline Gemini does."""

    def __init__(self, clock: Clock) -> None:
        super().__init__((), clock)
        self.next: list[Reply] = []
        self.given: list[Response] = []
        self._policy = OfflineGemini(RULES)

    def begin(self) -> None:
        """A question begins: forget what was asked and said before."""
        for each in (self.requests, self.refusals, self.sent_at, self.given):
            each.clear()

    def reply(self, request: Request) -> Response:
        reply = self.next.pop(0) if self.next else self._policy.respond(request)
        if isinstance(reply, Interrupt):
            raise KeyboardInterrupt
        self.given.append(fresh(reply))
        return fresh(reply)

    @property
    def calls(self) -> list[tuple[Any, Any]]:
        """(tool, query) of every call that was asked for."""
        bodies = [reply.body for reply in self.given if isinstance(reply, Answer)]
        candidates = _objects(each.get("candidates") for each in _objects([bodies]))
        contents = _objects([[each.get("content") for each in candidates]])
        parts = _objects(each.get("parts") for each in contents)
        calls = _objects([[each.get("functionCall") for each in parts]])
        return [(each.get("name"), _query(each.get("args"))) for each in calls]


def _objects(lists: Iterable[Any]) -> list[dict[str, Any]]:
    """The objects in those of ``lists`` that are lists."""
    found = [each for each in lists if isinstance(each, list)]
    return [value for each in found for value in each if isinstance(value, dict)]


def _query(args: Any) -> str:
    query = args.get("query") if isinstance(args, dict) else None
    return fold(clean(str(query)).strip()[:1_000])


class OpenRoom(Room):
    """A room where a source of a test's own may be asked instead of a place."""

    hostile: Source | None = None

    def source_for(self, question: str) -> Source | None:
        return self.hostile or super().source_for(question)


@dataclass(frozen=True)
class Kept:
    """What a conversation holds, as JSON that a file can hold."""

    records: list[Any]
    contents: list[Any]
    ledger: dict[str, Any]
    title: str
    places: list[Place]

    @classmethod
    def of(cls, held: Conversation | Saved) -> Kept:
        ledger = {name: asdict(replace(each, score=0.0)) for name, each in held.ledger.items()}
        return cls(
            _written(held.records),
            _written(held.contents),
            _written(ledger),
            _written(held.title),
            [*held.places],
        )


def _written(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return json.loads(text.encode("utf-8", "replace"))


class Talk:
    """A person who talks, in ``folder``; ``index`` is an index of the office's documents.

    Everything that a rule does is a method, and ``holds`` is what must be true after each."""

    def __init__(
        self,
        folder: Path,
        index: Path | None = None,
        *,
        max_history: int = 200_000,
        narrow: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.folder, self.data = folder, folder / "data"
        self._sources = {"planned": BILLING, "folder": OFFICE}
        if index is not None:
            self._sources["index"] = index
        os.environ["BARELOOP_DATA"] = str(self.data)
        for name in self._sources:
            self.put_back(name)
        self.clock = Clock()
        self.gemini = TalkingGemini(self.clock)
        self.ran = Ran()
        self.actions: list[Action] = [lambda: "글"]
        self.brought: list[Action] = [lambda: []]
        web = WebSearch(HostileWeb(self.ran, self.brought), sleep=self._sleep, clock=self.clock)
        self.room = OpenRoom(
            Settings(limits=limits, max_history=max_history, language="ko"),
            narrow=narrow,
            world=World(OfflineModel(self.gemini, remote=True), web, sleep=self._sleep),
        )
        self.conversation = Conversation(self.room, self.data)
        self.told: list[str] = []
        self.commands = Commands(self.conversation, self.told.append, self.took_up)
        self.questions: list[str] = []
        self.left: dict[Path, tuple[list[str], Kept]] = {}
        self.kind = "auto"

    def _sleep(self, seconds: float) -> None:
        self.clock.pass_(seconds)

    # what a person does

    def go(self, kind: str) -> None:
        """Answer from ``kind`` from now on."""
        room = self.room
        if kind in HOSTILE:
            room.move_to(AUTO)
            room.hostile = source_of(kind, self.ran, self.actions, self.brought, self.clock)
        else:
            if not self._tried(lambda: room.move_to(self.place(kind))):
                return
            room.hostile = None
        self.kind = kind

    def place(self, kind: str) -> Place:
        match kind:
            case "products":
                return Place("corpus", "products", CHEAP)
            case "planned":
                return Place("corpus", str(self.folder / "planned"))
            case "folder":
                return Place("docs", str(self.folder / "folder"))
            case "index":
                return Place("corpus", "office")
            case "web":
                return Place("web")
            case _:
                return AUTO

    def ask(
        self,
        question: str,
        *replies: Reply,
        confirmed: bool | None = None,
        interrupted_at: int | None = None,
        killed_at: int | None = None,
    ) -> Run | None:
        """Ask, and see that all went as it should. ``confirmed`` is what the person says to
        conditions that the question states; Ctrl-C comes with the event ``interrupted_at``. With
        the event ``killed_at`` the program is killed: ``self.remains`` is what the file held."""
        conversation, room = self.conversation, self.room
        before, length = Kept.of(conversation), size(conversation.contents)
        place, limits, source = room.place, room.settings.limits, repr(room._source)
        tools = repr(room.hostile)
        self.gemini.next = [*replies]
        self.gemini.begin()
        self.ran.tools.clear()
        self.ran.queries.clear()
        self.clock.now = 1000.0
        events: list[Event] = []
        pressed = False
        self.remains = b""

        def watch(event: Event) -> None:
            nonlocal pressed
            events.append(event)
            if len(events) == killed_at:
                self.remains = conversation.session.path.read_bytes()
            if len(events) == interrupted_at:
                pressed = True
                raise KeyboardInterrupt

        run = None
        show = progress(self.told.append, "ko", verbose=True)

        def asked() -> None:
            nonlocal run
            room.settle(question, lambda text: confirmed)
            run = conversation.ask(question, show, watch)

        try:
            done = self._tried(asked)
        except KeyboardInterrupt:
            assert pressed, "an interrupt went through"
            done = False
        assert (room.place, room.settings.limits) == (place, limits)
        assert (repr(room._source), repr(room.hostile)) == (source, tools)
        after = Kept.of(conversation)
        if done or len(after.records) > len(before.records):
            self.questions.append(clean(question).strip())
        if run is not None:
            assert self.told.append(room.told(run)) is None
            self._answered(run, events, before, after, length)
        elif not pressed and length <= room.settings.max_history:
            assert (after.contents, after.ledger) == (before.contents, before.ledger)
        self.holds()
        return run

    def _answered(
        self, run: Run, events: list[Event], before: Kept, after: Kept, length: int
    ) -> None:
        room, limits = self.room, self.room.settings.limits
        assert self.gemini.refusals == []
        stops(run, self.gemini, limits, remote=True)
        is_legal(run, self.gemini)
        keeps_its_rules(self.gemini)
        tells(run, events)
        record = _written(run.as_record())
        assert after.records == [*before.records, record]
        assert before.ledger.keys() <= after.ledger.keys()
        refused = any(isinstance(each, Answer) and each.status == 400 for each in self.gemini.given)
        if length <= room.settings.max_history and not refused:
            assert after.contents[: len(before.contents)] == before.contents
        self._ran_what_was_asked(record)

    def _ran_what_was_asked(self, record: dict[str, Any]) -> None:
        asked, ran = self.gemini.calls, self.ran
        for name in {name for name, _ in ran.tools}:
            given = [each for tool, each in ran.tools if tool == name]
            assert len(given) <= [tool for tool, _ in asked].count(name)
            assert len(set(given)) == len(given)
        assert len(set(ran.queries)) == len(ran.queries)
        for each in record["searches"]:
            if each["tool"] != "get_product_info":
                assert (each["tool"], fold(each["query"])) in asked
        once = [
            (each["tool"], each["slot"], fold(each["query"]))
            for each in record["searches"]
            if each["tool"] != "search_products"
        ]
        assert len(set(once)) == len(once)
        limits = self.room.settings.limits
        assert len(once) <= max(limits.searches, limits.searches_in_rounds)
        if self.kind == "products":
            for each in record["evidence"]:
                won = re.search(r" (\d+)원 ", each["text"])
                assert won and int(won[1]) <= 100_000 and " usb-c " in each["text"]

    def say(self, line: str) -> None:
        """A command of the chat."""
        self._tried(lambda: self.commands.run(line.replace("FOLDER", str(self.folder))))

    def _tried(self, act: Callable[[], Any]) -> bool:
        """Whether ``act`` could be done; if not, a person is told so in a sentence."""
        try:
            act()
        except (Problem, InputError) as problem:
            assert tell(problem, "ko").strip() and "\n" not in tell(problem, "ko").strip()
            return False
        return True

    # what becomes of the conversation

    def leave(self) -> None:
        """Note how the conversation at hand was left."""
        if self.conversation.session.was_begun:
            self.left[self.conversation.session.path] = (self.questions, Kept.of(self.conversation))

    def begin_anew(self) -> None:
        self.leave()
        self.say("/clear")
        self.questions = []

    def resume(self, number: int) -> None:
        """Go on with one of the conversations on disk: all of it is there."""
        self.leave()
        if not self.left:
            return
        paths = [*self.left]
        path = paths[number % len(paths)]
        at_hand = path == self.conversation.session.path
        if at_hand:  # as after the end of the program
            self.conversation.begin_anew()
        self.say(f"/resume {path.stem}")
        self.questions, kept = self.left[path]
        assert self.conversation.session.path == path
        assert Kept.of(self.conversation) == kept

    def took_up(self) -> None:
        """Go where the conversation was."""
        self.room.hostile = None
        place = self.conversation.saved.place
        if self._tried(lambda: self.room.move_to(place)):
            known = {self.place(kind): kind for kind in PLACES if kind not in HOSTILE}
            self.kind = known[place]
        else:
            self.go("auto")

    def come_back(self, lost: int) -> None:
        """Go on after the program was killed in the last question, of whose file the last ``lost``
        bytes never reached the disk."""
        question, known = self.questions[-1], self.questions[:-1]
        before = self.conversation.records[:-1]
        whole = self.remains
        last = len(whole.splitlines()[-1])
        kept = whole[: len(whole) - min(lost, last)]
        self.leave()
        path = self.conversation.session.path.with_name(f"killed-{len(self.left)}.jsonl")
        path.write_bytes(kept)
        self.say(f"/resume {path.stem}")
        conversation = self.conversation
        assert conversation.session.path == path
        assert _written(conversation.records[: len(before)]) == _written(before)
        more = [each["question"] for each in conversation.records[len(before) :]]
        assert more in ([question], []) and (more or lost)
        self.questions = [*known, *more]

    # what becomes of the surroundings

    def take_away(self, kind: str) -> None:
        """A corpus is removed, with everything in it."""
        shutil.rmtree(self._at(kind), ignore_errors=True)

    def is_there(self, kind: str) -> bool:
        return self._at(kind).exists()

    def put_back(self, kind: str) -> None:
        shutil.rmtree(self._at(kind), ignore_errors=True)
        shutil.copytree(self._sources[kind], self._at(kind))

    def rewrite(self, kind: str, text: str) -> None:
        """The documents say something else."""
        for path in sorted(self._at(kind).rglob("*")):
            if path.suffix in (".md", ".txt") and path.is_file():
                path.write_text(text, encoding="utf-8", errors="replace")

    def _at(self, kind: str) -> Path:
        return self.data / "corpora/office" if kind == "index" else self.folder / kind

    def limit(self, limits: Limits, max_history: int) -> None:
        self.room.settings = replace(self.room.settings, limits=limits, max_history=max_history)

    def holds(self) -> None:
        """What must be true at any time between two questions."""
        conversation = self.conversation
        if conversation.contents:
            assert faults([*conversation.contents, _ASKED]) == []
        assert [each["question"] for each in conversation.records] == self.questions
        assert len(conversation.places) == len(conversation.records)
        assert not conversation.session.failed
        path = conversation.session.path
        if not conversation.session.was_begun:
            assert not path.exists() and not conversation.contents
            return
        saved = read_session(path)
        assert saved.damaged == 0 and saved.open == []
        kept, held = Kept.of(saved), Kept.of(conversation)
        for name in vars(held):
            assert getattr(kept, name) == getattr(held, name), name


_ASKED = {"role": "user", "parts": [{"text": "and now?"}]}
