"""A conversation: its questions, its history, and the file it is kept in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent.catalogue import say
from agent.chat.room import Room
from agent.chat.sessions import FOLDER, Saved, Session, read_session, title_of
from agent.history import is_question, shorten, size
from agent.messages import Content, function_calls, function_responses, visible_text
from agent.run import Event, Run
from agent.settings import own_keys
from tools.documents import Passage


class Conversation:
    """Questions one after the other, with everything kept as it happens.

    ``records`` are those of the questions so far, also of a conversation that was resumed, and
    ``places`` are where each was answered from. ``saved`` is the conversation as it was resumed.
    """

    def __init__(self, room: Room, data: Path) -> None:
        self.room = room
        self.data = data
        self._own = own_keys()
        self._take_up(Session(data / FOLDER, own=self._own), Saved(""))

    def begin_anew(self) -> None:
        """Forget what was said; it stays on disk."""
        self.close()
        self._take_up(Session(self.data / FOLDER, own=self._own), Saved(""))

    def resume(self, path: Path) -> None:
        """Go on with a conversation on disk. Raises Problem when it cannot be read or another
        program has it, and stays with the one at hand."""
        saved = read_session(path)
        session = Session(path.parent, path.stem, self._own)
        session.take()
        self.close()
        self._take_up(session, saved)
        if saved.open:
            self._end_open(saved.open)

    def _end_open(self, events: list[Event]) -> None:
        """Give the question at which the program was killed its place among the others."""
        question, *rest = events
        run = Run(question=question["text"], language=self.room.language)
        run.stop_reason, run.message = "interrupted", say("session.open", run.language)
        run.partial = "".join(each["text"] for each in rest if each["event"] == "draft") or None
        searches = [each["search"] for each in rest if each["event"] == "search"]
        record = {**run.as_record(), "searches": searches}
        self.records.append(record)
        self.places.append(self.saved.place)
        self.session.write("exchange", record=record, contents=[])

    def _take_up(self, session: Session, saved: Saved) -> None:
        self.session = session
        self.saved = saved
        self.records = saved.records
        self.places = saved.places
        self.title = saved.title
        self._previous = Run(contents=saved.contents, ledger=saved.ledger)
        self._untried = len(self.last_contents())

    @property
    def contents(self) -> list[Content]:
        """The history that goes along with the next question."""
        return self._previous.contents

    @property
    def ledger(self) -> dict[str, Passage]:
        """Every passage of the conversation, by its id."""
        return self._previous.ledger

    @property
    def size(self) -> int:
        """Characters of the history."""
        return size(self.contents)

    def last_contents(self) -> list[Content]:
        """The turns of the last question that is in the history."""
        starts = [at for at, each in enumerate(self.contents) if is_question(each)]
        return self.contents[starts[-1] :] if starts else []

    def ask(self, question: str, *listeners: Callable[[Event], None]) -> Run:
        """Answer the next question. Whatever comes out of it, also an interrupt at a bad moment,
        the history stays one that the model takes. An interrupt that comes when the question has
        ended changes nothing."""
        room, session = self.room, self.session
        limit = room.settings.max_history
        if shorten(self.contents, limit):
            session.write("shortened", limit=limit)
        overflowed: list[Event] = []
        refused: list[Event] = []

        def watch(event: Event) -> None:
            if event.get("cause") == "context_too_long":
                overflowed.append(event)
            elif event.get("status_code") == 400 and not event["cause"]:
                refused.append(event)

        run = room.run_for(question, self._previous, (session, watch, *listeners))
        run.conversation = session.id
        since = len(run.contents)
        session.begin(question, room.place, run)
        self.title = self.title or title_of(question)
        try:
            run = room.answer(question, run)
        except BaseException as failure:
            if session.under_way:
                del run.contents[since:]
                session.abandon()
                raise
            if not isinstance(failure, KeyboardInterrupt):
                raise
        self.records.append(run.as_record())
        self.places.append(room.place)
        new = len(run.contents) - since
        self._untried = new if run.steps else new + self._untried
        if overflowed:
            self._make_room(since)
        elif refused and not run.steps:
            self._drop(self._untried)
        self._previous = run
        return run

    def _make_room(self, since: int) -> None:
        """After a history that was too long for the model: leave the failed question out and
        halve the rest, so that the next one is not refused for the same reason."""
        contents = self.contents
        limit = size(contents) // 2
        self._drop(len(contents) - since)
        shorten(contents, limit)
        self.session.write("shortened", limit=limit)

    def _drop(self, count: int) -> None:
        """Leave the last turns out of the history: those of a question that was too long, or those
        that no request was ever taken with when a question is refused at once."""
        count = min(count, len(self.contents))
        self.session.write("dropped", contents=count)
        del self.contents[len(self.contents) - count :]
        self._untried = 0

    def name(self, title: str) -> None:
        """Give the conversation a title."""
        self.title = title
        self.session.write("title", text=title)

    def close(self) -> None:
        """Give the file back."""
        self.session.close()


def turns(contents: list[Content]) -> list[dict[str, Any]]:
    """The turns of a history, for ``/trace``: role, kind and size of each."""
    rows: list[dict[str, Any]] = []
    for content in contents:
        called = [call["name"] for call in function_calls(content)]
        answered = [each["name"] for each in function_responses(content)]
        kind = "calls" if called else "responses" if answered else "text"
        rows.append(
            {
                "role": content["role"],
                "kind": kind,
                "names": called or answered,
                "characters": len(visible_text(content)) if kind == "text" else size([content]),
            }
        )
    return rows
