"""A plain conversation, line by line: each line is a question, the history goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TextIO

from agent.catalogue import Language, Problem, say
from agent.run import Run

LEAVE = {"/quit", "/exit"}


def converse(
    answer: Callable[[str, Run | None], Run],
    told: Callable[[Run], str],
    stdin: TextIO,
    write: Callable[[str], None],
    language: Language,
) -> int:
    """Answer every line of ``stdin`` until it ends or the person leaves, writing each run as
    ``told`` does. Returns the exit code: 0, or 130 for an interrupt at the empty prompt."""
    previous: Run | None = None
    try:
        for line in _lines(stdin, write):
            if line in LEAVE:
                break
            try:
                previous = answer(line, previous)
                write(told(previous))
            except Problem as problem:
                write(problem.say(language))
    except KeyboardInterrupt:
        write(say("chat.left", language))
        return 130
    return 0


def _lines(stdin: TextIO, write: Callable[[str], None]) -> Iterator[str]:
    """The lines that say something. A prompt is shown only to a person at a terminal."""
    prompt = "\n> " if stdin.isatty() else ""
    if prompt:
        # input() edits the line with readline where there is one, and moves by whole syllables
        import readline  # noqa: F401
    for line in iter(lambda: _read(stdin, prompt), None):
        if line.strip():
            yield line.strip()


def _read(stdin: TextIO, prompt: str) -> str | None:
    if prompt:
        try:
            return input(prompt)
        except EOFError:
            return None
    return stdin.readline() or None
