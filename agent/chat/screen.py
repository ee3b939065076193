"""How a conversation looks: on a terminal, and in a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent.catalogue import Language, say
from agent.chat.telling import (
    evidence_lines,
    evidence_parts,
    figures,
    progress,
    reservations,
    result,
)
from agent.console import aside, shortened, show, visible
from agent.messages import function_calls
from agent.run import Event, Run
from agent.settings import OFFLINE

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_DRAFT_LINES = 6
_QUERY_CELLS = 40


class PlainScreen:
    """Results to standard output, progress to standard error: nothing that needs a terminal."""

    def __init__(self, verbose: bool = False) -> None:
        self._verbose = verbose

    def write(self, text: str) -> None:
        """Show what a command says."""
        show(text)

    def listener(self, language: Language) -> Callable[[Event], None]:
        """What shows the events of one question."""
        return progress(aside, language, self._verbose)

    def draft(self, text: str) -> None:
        """Show what the model writes, as it comes: it has not passed the gate."""
        aside(text, end="")

    @contextmanager
    def working(self, language: Language) -> Generator[None]:
        """While a question is being answered."""
        yield

    def answer(self, run: Run, apart: list[str]) -> None:
        """Show how a question ended."""
        show("\n".join([result(run), *apart]))

    def earlier(self, record: dict[str, Any]) -> None:
        """Show a question of an earlier sitting and its answer."""
        answer = record["answer"] if record["answer"] is not None else record["message"]
        show(f"> {record['question']}\n{answer}")


class TerminalScreen:
    """Markdown, colours and a moving line, for a person at a terminal.

    What the model writes is shown dim and at the foot of the screen, as a draft, and goes away:
    an answer is shown once, when it has passed the gate.
    """

    def __init__(self, verbose: bool = False) -> None:
        self._verbose = verbose
        self._draft = ""
        self._doing = ""
        self._started = 0.0
        self._language: Language = "en"

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console

        return Console(highlight=False, markup=False, emoji=False)

    def write(self, text: str) -> None:
        """Show what a command says."""
        self._print(text)

    def listener(self, language: Language) -> Callable[[Event], None]:
        """What shows the events of one question."""
        tell = progress(lambda line: self._print(line, "dim"), language, self._verbose)

        def listen(event: Event) -> None:
            if event["event"] == "content":
                self._step(event["content"])
            tell(_short(event) if event["event"] == "search" else event)

        return listen

    def _step(self, content: dict[str, Any]) -> None:
        """What is under way after a turn: the calls that the model asked for, or its thinking."""
        self._draft = ""
        calls = function_calls(content)
        told = [f"{call['name']}({_arguments(call.get('args') or {})})" for call in calls]
        self._doing = ", ".join(told)

    def draft(self, text: str) -> None:
        """Show what the model writes, as it comes: it has not passed the gate."""
        self._draft += visible(text)

    @contextmanager
    def working(self, language: Language) -> Generator[None]:
        """While a question is being answered: a line with the time, and the draft."""
        from rich.live import Live

        self._draft, self._doing, self._language = "", "", language
        self._started = time.monotonic()
        live = Live(
            console=self._console,
            get_renderable=self._foot,
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )
        with live:
            yield

    def _foot(self) -> RenderableType:
        from rich.text import Text

        seconds = f"{time.monotonic() - self._started:.1f}"
        doing = self._doing or say("chat.thinking", self._language)
        foot = Text(say("chat.working", self._language, seconds=seconds, doing=doing), "dim")
        foot.truncate(max(self._console.width - 1, 1), overflow="ellipsis")
        if not self._draft:
            return foot
        draft = Text(self._draft, "dim italic").wrap(self._console, self._console.width)
        title = Text(say("chat.draft", self._language), "dim")
        return Text("\n").join([title, *draft[-_DRAFT_LINES:], foot])

    def answer(self, run: Run, apart: list[str]) -> None:
        """Show how a question ended: the answer, or what was found and why there is none."""
        self._console.print()
        record = run.as_record()
        if run.shown is not None:
            self._print_answer(run.shown, plain=run.model == OFFLINE)
        else:
            self._print(run.message)
            if run.partial is not None:
                self._print(say("tell.partial", run.language))
                self._print(run.partial, "dim")
            plain, like_orders = evidence_parts(record)
            for line in evidence_lines(plain, run.language):
                self._print(line)
            if like_orders:
                self._print(say("tell.orders", run.language))
            for line in evidence_lines(like_orders, run.language):
                self._print(line)
        for line in [*reservations(run), *run.circumstances, *apart]:
            self._print(line)
        seconds = say("chat.seconds", run.language, seconds=f"{run.seconds:.1f}")
        self._print(f"{figures(record, run.language)} · {seconds}\n", "dim")

    def earlier(self, record: dict[str, Any]) -> None:
        """Show a question of an earlier sitting and its answer."""
        self._print(f"> {record['question']}")
        if record["answer"] is not None:
            self._print_answer(record["answer"], plain=record["model"] == OFFLINE)
        else:
            self._print(record["message"])

    def _print_answer(self, answer: str, *, plain: bool) -> None:
        """An answer as Markdown, with the line breaks the model wrote; quotations are shown as
        they stand."""
        if plain:
            self._print(answer)
            return
        from rich.markdown import Markdown

        written = Markdown(visible(answer), hyperlinks=False)
        for token in written.parsed:
            for child in token.children or []:
                child.type = "hardbreak" if child.type == "softbreak" else child.type
        self._console.print(written)

    def _print(self, text: str, style: str = "") -> None:
        from rich.text import Text

        self._console.print(Text(visible(text), style, overflow="fold"))


def _short(search: Event) -> Event:
    """A search with a query that leaves room for what was found."""
    return {**search, "query": _cut(search["query"])}


def _arguments(args: dict[str, Any]) -> str:
    return _cut(", ".join(str(each) for each in args.values()))


def _cut(text: str) -> str:
    return shortened(text, _QUERY_CELLS)


Screen = PlainScreen | TerminalScreen
