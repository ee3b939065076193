"""The console a person sits at, whatever it can show and whatever it sends."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from agent.catalogue import Language, say
from tools.hidden import without_hidden

_ANSWERS = {
    **dict.fromkeys(("y", "ｙ", "yes", "예", "네", "응", "ㅇ", "ㅛ"), True),
    **dict.fromkeys(("n", "ｎ", "no", "아니오", "아니요", "아뇨", "아니", "ㄴ", "ㅜ"), False),
}
"""ㅛ and ㅜ are the keys y and n of a keyboard that is set to Korean."""


def forgive() -> None:
    """Let a console that lacks a character show a mark in its place instead of ending the
    program."""
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")


def shows_unicode() -> bool:
    """Whether standard output takes every character as it is."""
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    return encoding.startswith("utf")


def show(text: str) -> None:
    """Write a result to standard output."""
    print(visible(text), flush=True)


def escaped(written: str) -> str:
    """JSON whose texts steer no terminal either: what ``visible`` leaves out is written as an
    escape, and still there for who reads it."""
    if visible(written) == written:
        return written
    return "".join(each if visible(each) else _escape(each) for each in written)


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sits behind ``stream``; it may be closed, or not there."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def at_its_end(stdin: TextIO) -> bool:
    """Whether a terminal has nothing to read but the end of its input: Ctrl-D, or what a program
    in front of it sends when its own input ends."""
    try:
        import fcntl
        import select
        import termios

        if not select.select([stdin], [], [], 0)[0]:
            return False
        return not any(fcntl.ioctl(stdin, termios.FIONREAD, bytes(4)))
    except (ImportError, OSError, ValueError):
        return False


def decode(data: bytes) -> tuple[str, bool]:
    """What was typed or piped in, and whether it is whole: UTF-8, else CP949, as older Korean
    consoles send it; else UTF-8 with a mark for what is neither."""
    for encoding in ("utf-8-sig", "cp949"):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding), True
    return data.decode("utf-8", "replace"), False


def repair(text: str) -> tuple[str, bool]:
    """``text`` from a reader that let bytes through as lone surrogates, and whether it is whole."""
    try:
        return decode(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode(), False


def visible(text: str) -> str:
    """``text`` without anything that would steer a terminal: a document is no program."""
    return "".join(
        each
        for each in without_hidden(text)
        if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cs")
    )


def shortened(text: str, cells: int) -> str:
    """``text``, or as much of its beginning as fits in so many cells of a terminal."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= cells else set_cell_size(text, cells - 1).rstrip() + "…"


def aside(line: str, end: str = "\n") -> None:
    """Write progress to standard error. It must never decide how a run ends, so a console that
    takes no more is left alone."""
    _to_stderr(visible(line) + end)


def over(line: str = "") -> None:
    """Write one line over the one before, for a person who waits at a terminal; it stays open."""
    if is_terminal(sys.stderr):
        _to_stderr(f"\r\x1b[K{visible(line)}")


def _to_stderr(text: str) -> None:
    try:
        print(text, end="", file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)
    except (ValueError, AttributeError):
        pass  # closed, or never there


def confirm(question: str) -> bool | None:
    """Ask the person at the terminal, on standard error, so that the result stays alone, and once
    more after an answer that is neither yes nor no. None where nobody sits there, or for another
    such answer."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        return None
    for _ in range(2):
        aside(question, end=" ")
        line = sys.stdin.buffer.readline()
        answer = unicodedata.normalize("NFC", decode(line)[0]).strip().casefold()
        if answer in _ANSWERS or not line:
            return _ANSWERS.get(answer)
    return None


def drop(stream: TextIO | None) -> None:
    """Let what ``stream`` could not write go nowhere, or Python would try again at its end and
    make a failure of it."""
    if stream is None:
        return
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def tell_failure(failure: OSError, language: Language) -> None:
    """Say in a sentence that something could not be read or written."""
    named = [str(each) for each in (failure.filename, failure.strerror) if each]
    aside(say("cli.system", language, reason=": ".join(named) or "?"))


def tell_damage(failure: Exception, language: Language) -> bool:
    """Say in a sentence that somebody's edit of loop.py ended a program, and in which line. False,
    and nothing is said, for what was raised elsewhere or below the loop."""
    if isinstance(failure, SyntaxError):
        place, line, reason = failure.filename, failure.lineno, failure.msg
    else:
        import traceback

        *_, (frame, line) = traceback.walk_tb(failure.__traceback__)
        place, reason = frame.f_code.co_filename, str(failure)
    if Path(place or "") != Path(__file__).with_name("loop.py"):
        return False
    told = f"{type(failure).__name__}: {reason}"
    aside(say("lesson.loop_unreadable", language, line=line or 1, reason=told))
    return True


def to_the_end(main: Callable[[], int], language: Language) -> int:
    """Run a program of the course and return its exit code, whatever becomes of its output: a
    reader who saw enough (``head``, ``less``) is no fault; a full disk, and an edit of loop.py
    that cannot run, are told in a sentence."""
    try:
        code = main()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        aside("")
        return 130
    except OSError as failure:
        drop(sys.stdout)
        if isinstance(failure, BrokenPipeError):
            return 0
        tell_failure(failure, language)
        return 1
    except Exception as damage:
        if not tell_damage(damage, language):
            raise
        return 2
