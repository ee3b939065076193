"""Where lines come from: a person at a terminal, or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from agent.console import aside, at_its_end, decode, repair

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.input import Input

PROMPT = "> "


class PipedLines:
    """The lines of a pipe or a file, each read as the bytes it is; ``replaced`` is told of a line
    with bytes that are no text."""

    def __init__(self, stdin: TextIO, replaced: Callable[[], None]) -> None:
        self._stdin = stdin
        self._replaced = replaced

    def read(self) -> str | None:
        """The next line; None at the end of the input."""
        data = self._stdin.buffer.readline()
        if not data:
            return None
        text, whole = decode(data)
        if not whole:
            self._replaced()
        return text


class TypedLines:
    """Lines typed at a terminal, with history, completion and paste.

    The terminal's own line is edited, and no box is drawn around it: what an input method is
    still composing stays where it is. Enter sends; Alt-Enter or Ctrl-J begins a new line; a paste
    of several lines is one question.
    """

    def __init__(self, history: Path, replaced: Callable[[], None]) -> None:
        self._session = _session(history)
        self._replaced = replaced

    def read(self, default: str = "") -> str | None:
        """The next line; None at the end of the input. Raises KeyboardInterrupt for Ctrl-C at an
        empty line; on another it clears the line."""
        try:
            if self._came_ahead():
                return None
            text, whole = repair(self._session.prompt(default=default))
        except EOFError:
            return None
        if not whole:
            self._replaced()
        return text

    def ended(self) -> bool:
        """Whether nothing more can be typed, seen between two lines."""
        return self._session.input.closed or at_its_end(sys.stdin)

    def _came_ahead(self) -> bool:
        """Take what was typed before the prompt, while the terminal still keeps whole lines and
        Ctrl-D is the end of the input; at the prompt that would be a NUL. Without an end all of it
        waits at the prompt; with one, each line is answered. True where only the end came."""
        from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
        from prompt_toolkit.key_binding import KeyPress
        from prompt_toolkit.keys import Keys

        source = self._session.input
        if not _keeps_lines(source):
            return False
        ahead = get_typeahead(source)
        while keys := source.read_keys():
            ahead += keys
        if source.closed and ahead:
            sent = KeyPress(Keys.Enter, "\r")
            ahead = [sent if each.key == Keys.ControlJ else each for each in ahead]
            if ahead[-1].key != Keys.Enter:
                ahead.append(sent)
        store_typeahead(source, ahead)
        return source.closed and not ahead


def _keeps_lines(source: Input) -> bool:
    try:
        import termios

        return bool(termios.tcgetattr(source.fileno())[3] & termios.ICANON)
    except (ImportError, OSError, ValueError, NotImplementedError):
        return False


def _session(history: Path) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.shortcuts import CompleteStyle

    class KeptHistory(FileHistory):
        """A history that a full disk does not end the conversation for."""

        def store_string(self, string: str) -> None:
            with suppress(OSError):
                super().store_string(repair(string)[0])

    keys = KeyBindings()

    @keys.add("c-c")
    def _(event: Any) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt())

    @keys.add("escape", "enter")
    @keys.add("c-j")
    def _(event: Any) -> None:
        event.current_buffer.insert_text("\n")

    kept = _private(history)
    return PromptSession(
        PROMPT,
        history=KeptHistory(str(history)) if kept else InMemoryHistory(),
        completer=_completer(),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        key_bindings=keys,
        prompt_continuation=" " * len(PROMPT),
        enable_open_in_editor=True,
    )


def _private(path: Path) -> bool:
    """Make a file that only its owner reads, if it can be made."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError:
        return False
    return True


def _completer() -> Completer:
    from prompt_toolkit.completion import Completer, Completion, PathCompleter
    from prompt_toolkit.document import Document

    folders = PathCompleter(only_directories=True, expanduser=True)

    class CommandCompleter(Completer):
        """Completes commands, the corpora of ``/corpus`` and the folders of ``/docs``."""

        def get_completions(self, document: Document, complete_event: Any) -> Iterable[Completion]:
            from agent.chat.commands import CHOICES, COMMANDS

            line = document.text_before_cursor
            command, space, rest = line.partition(" ")
            if not line.startswith("/"):
                return
            if not space:
                names = [f"/{name}" for name in COMMANDS]
                yield from _starting(names, command)
            elif command == "/docs":
                yield from folders.get_completions(Document(rest), complete_event)
            elif command in CHOICES:
                yield from _starting(CHOICES[command](), rest)

    def _starting(names: Iterable[str], begun: str) -> Iterable[Completion]:
        for name in names:
            if name.startswith(begun):
                yield Completion(name, -len(begun))

    return CommandCompleter()


def show_prompt() -> None:
    """A prompt for a person whose answers go to a file."""
    aside(f"\n{PROMPT}", end="")
