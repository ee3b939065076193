"""The chat: a line at a time, until the input ends or the person leaves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from agent.catalogue import Language, Problem, say, tell
from agent.chat.interrupts import Typed, watching
from agent.chat.place import AUTO, Place
from agent.console import aside, confirm, is_terminal
from agent.settings import Settings, language_for
from tools.problems import InputError

if TYPE_CHECKING:
    from agent.chat.commands import Commands
    from agent.chat.conversation import Conversation
    from agent.chat.screen import Screen
    from agent.run import Route

HISTORY = "history"
"""The file of the data folder with the lines that were typed."""


def talk(
    settings: Settings,
    place: Place | None,
    data: Path,
    *,
    narrow: bool = False,
    route: Route | None = None,
    trace: Path | None = None,
    verbose: bool = False,
    resume: str | None = None,
) -> int:
    """Talk with the person, and return the exit code: 0, or 130 for an interrupt at the prompt.

    ``place`` None goes on where an earlier conversation was; ``resume`` is the beginning of its
    id, "" for the latest. Raises Problem and InputError for what keeps it from beginning.
    """
    if sys.stdin is None:
        return 0
    at_terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    if at_terminal and settings.stream is None:
        settings = replace(settings, stream=True)
    return _Talk(settings, place, data, at_terminal, narrow, route, trace, verbose, resume).run()


def show_sessions(data: Path, language: Language, write: Callable[[str], object]) -> int:
    """Write the list of conversations."""
    from agent.chat.commands import told_sessions

    for line in told_sessions(data, language):
        write(line)
    return 0


class _Talk:
    """One sitting. What the first prompt does not need is made after it."""

    def __init__(
        self,
        settings: Settings,
        place: Place | None,
        data: Path,
        at_terminal: bool,
        narrow: bool,
        route: Route | None,
        trace: Path | None,
        verbose: bool,
        resume: str | None,
    ) -> None:
        from agent.chat.room import Room

        self._at_terminal = at_terminal
        self._verbose = verbose
        self._data = data
        self._typed = Typed()
        self._room = Room(
            settings,
            place or AUTO,
            narrow=narrow,
            route=route,
            trace=trace,
            on_text=self._drafted,
        )
        self._moved = place is not None
        if resume is not None:
            from agent.chat.sessions import find_session

            self._talk.resume(find_session(data, resume))
            self._took_up()
        elif at_terminal:
            print(say("chat.welcome", self._room.language, model=settings.model), flush=True)

    @cached_property
    def _screen(self) -> Screen:
        from agent.chat.screen import PlainScreen, TerminalScreen

        return TerminalScreen(self._verbose) if self._at_terminal else PlainScreen(self._verbose)

    @cached_property
    def _talk(self) -> Conversation:
        from agent.chat.conversation import Conversation

        return Conversation(self._room, self._data)

    @cached_property
    def _commands(self) -> Commands:
        from agent.chat.commands import Commands

        return Commands(self._talk, self._screen.write, self._took_up)

    @property
    def _language(self) -> Language:
        return self._commands.language

    def run(self) -> int:
        """Answer line after line."""
        try:
            return self._terminal() if self._at_terminal else self._piped()
        finally:
            self._room.close()
            if "_talk" in vars(self):
                self._close_talk()

    def _close_talk(self) -> None:
        session = self._talk.session
        self._talk.close()
        if session.failed:
            aside(say("session.failed", self._language, path=session.path))

    def _terminal(self) -> int:
        from agent.chat.prompt import TypedLines

        lines = TypedLines(self._data / HISTORY, self._replaced)
        at_prompt = warned = False
        note = ""
        while True:
            try:
                if note:
                    self._screen.write(say(note, self._language))
                note, at_prompt = "", True
                line = lines.read(self._typed.take())
                at_prompt = warned = False
                if line is None or not self._take(line):
                    return self._leave(0)
            except KeyboardInterrupt:
                # only notes what happened: a second one may come at any moment
                if at_prompt and warned:
                    return self._leave(130)
                note = "chat.again_to_leave" if at_prompt else "stop.interrupted"
                at_prompt, warned = False, at_prompt

    def _piped(self) -> int:
        from agent.chat.prompt import PipedLines, show_prompt

        lines = PipedLines(sys.stdin, self._replaced)
        person = is_terminal(sys.stdin)
        try:
            while True:
                if person:
                    show_prompt()
                line = lines.read()
                if line is None or not self._take(line):
                    return 0
        except KeyboardInterrupt:
            self._screen.write(say("chat.left", self._language))
            return 130

    def _take(self, line: str) -> bool:
        """Do what a line says; False when the person leaves."""
        from agent.chat.commands import Leave

        line = line.strip()
        try:
            if line.startswith("/"):
                self._commands.run(line)
            elif line:
                self._ask(line)
        except Leave:
            return False
        except (Problem, InputError) as problem:
            self._screen.write(tell(problem, self._language))
        return True

    def _ask(self, question: str) -> None:
        language = language_for(question, self._room.settings.language)
        try:
            self._room.settle(question, confirm)
            with self._watching(), self._screen.working(language):
                run = self._talk.ask(question, self._screen.listener(language))
        except KeyboardInterrupt:
            self._screen.write(say("stop.interrupted", language))
            return
        self._screen.answer(run, self._room.apart(run))

    def _watching(self) -> AbstractContextManager[None]:
        return watching(sys.stdin, self._typed) if self._at_terminal else nullcontext()

    def _drafted(self, text: str) -> None:
        """Keep a piece of a draft before it is shown."""
        self._talk.session.write("draft", text=text)
        self._screen.draft(text)

    def _took_up(self) -> None:
        """Show the conversation that goes on, and go where it was."""
        saved = self._talk.saved
        if not self._moved and saved.place != self._room.place:
            try:
                self._room.move_to(saved.place)
            except (Problem, InputError) as problem:
                self._screen.write(tell(problem, self._language))
        self._moved = False
        count = len(saved.records)
        told = say("chat.resumed", self._language, title=saved.title, count=count, id=saved.id)
        self._screen.write(told)
        if saved.damaged:
            self._screen.write(say("session.damaged", self._language, count=saved.damaged))
        if answered := saved.records[: -1 if saved.open else None]:
            self._screen.earlier(answered[-1])
        if saved.open:
            self._tell_open()
        self._screen.write("")

    def _tell_open(self) -> None:
        """The question at which the program was killed, with what it had shown."""
        from agent.chat.telling import search_line

        first, *rest = self._talk.saved.open
        self._screen.write(f"> {first['text']}")
        searches = [each["search"] for each in rest if each["event"] == "search"]
        for number, each in enumerate(searches, 1):
            self._screen.write(search_line(number, each, self._language))
        if draft := "".join(each["text"] for each in rest if each["event"] == "draft"):
            self._screen.write(say("tell.partial", self._language))
            self._screen.write(draft)
        self._screen.write(say("session.open", self._language))

    def _replaced(self) -> None:
        aside(say("ask.replaced", self._language))

    def _leave(self, code: int) -> int:
        if self._talk.session.was_begun:
            session = self._talk.session
            self._screen.write(say("chat.left_saved", self._language, id=session.id))
        else:
            self._screen.write(say("chat.left", self._language))
        return code
