"""A streamed answer, put together: server-sent events, chunks, and what may be shown early."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from agent.messages import parts
from agent.models.wire import first_candidate

Part = dict[str, Any]


class Events:
    """Reads server-sent events out of bytes in whatever pieces they arrive.

    ``unframed`` gathers the lines that belong to no event: a whole JSON answer from a gateway
    that does not stream, or a web page. ``open`` is an event that the end of the stream cut off.
    """

    def __init__(self) -> None:
        self.unframed = b""
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The data of every event that ``piece`` completes."""
        # bytes split at \r, \n and \r\n only; str would also split at U+2028 inside the JSON
        lines = (self._rest + piece).splitlines(keepends=True)
        self._rest = b"" if not lines or lines[-1].endswith(b"\n") else lines.pop()
        for line in lines:
            yield from self._line(line)

    @property
    def open(self) -> bytes:
        """The data of the last event when no blank line ended it."""
        for line in self._rest.splitlines():
            self._data += self._field(line)
        self._rest = b""
        return b"\n".join(self._data)

    def _line(self, line: bytes) -> Iterator[bytes]:
        if line.strip(b"\r\n"):
            self._data += self._field(line.rstrip(b"\r\n"))
        elif self._data:
            yield b"\n".join(self._data)
            self._data = []

    def _field(self, line: bytes) -> list[bytes]:
        if line.startswith(b"data:"):
            return [line.removeprefix(b"data:").removeprefix(b" ")]
        if line and not line.startswith((b":", b"event:", b"id:", b"retry:")):
            self.unframed += line + b"\n"
        return []


def merge(chunks: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """One answer out of a stream's chunks, as generateContent would have given it.

    Pieces of one text become one part again. A part with a signature or any other field stays as
    it came, and so does the order: a signature belongs to the part it arrived in.
    """
    body: dict[str, Any] = {}
    candidate: dict[str, Any] = {}
    content: dict[str, Any] = {}
    for chunk in chunks:
        body |= _given(chunk)
        found = first_candidate(chunk)
        candidate |= _given(found)
        piece = found.get("content")
        if isinstance(piece, dict):
            joined = _joined(parts(content), parts(piece))
            content |= {**_given(piece), "parts": joined} if joined else _given(piece)
    if content:
        candidate["content"] = content
    return {**body, "candidates": [candidate]} if candidate else body


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _joined(earlier: list[Part], later: list[Part]) -> list[Part]:
    """The parts of a chunk after those before it: only its first part can go on with a text."""
    if not (earlier and later):
        return [*earlier, *later]
    (*before, last), (first, *rest) = earlier, later
    if continues(last, first):
        return [*before, {**last, "text": last["text"] + first["text"]}, *rest]
    if first == {"text": ""}:  # what a stream of calls ends with; an empty part may be refused
        return [*earlier, *rest]
    return [*earlier, *later]


def continues(part: Part, following: Part) -> bool:
    """Whether two parts of a stream are pieces of one text."""
    return (
        _plain(part)
        and _plain(following)
        and bool(part.get("thought")) == bool(following.get("thought"))
    )


def _plain(part: Part) -> bool:
    return isinstance(part.get("text"), str) and part.keys() <= {"text", "thought"}


_PRIVATE = "THOUGHT:"
"""How a thought begins that the model wrote as ordinary text."""
_CALL_SYNTAX = ("declaration:default_api", "default_api", "```tool_code")
"""What a call looks like that the model wrote as ordinary text."""


class Speech:
    """Passes visible text on while it arrives.

    Thoughts are left out. Text that may turn out to be a thought written as text, or a call
    spelled out as text, is held back until that is settled. ``spoken`` tells whether anything was
    shown: an answer that is asked for again would then be shown twice.
    """

    def __init__(self, say: Callable[[str], None] | None) -> None:
        self.spoken = False
        self._say = say
        self._last: Part = {}
        self._text = ""
        self._told = 0

    def hear(self, chunk: dict[str, Any]) -> None:
        """Take the next chunk of the answer."""
        for place, part in enumerate(parts(first_candidate(chunk).get("content"))):
            if place or not continues(self._last, part):
                self._tell(_first_call(self._text, self._told))
                self._text, self._told = "", 0
            if isinstance(part.get("text"), str) and not part.get("thought"):
                self._text += part["text"]
                self._tell(_settled(self._text, self._told))
            self._last = part

    def end(self) -> None:
        """Let go of text that was held back without need, now that the answer is known as one."""
        self._tell(len(self._text))

    def _tell(self, end: int) -> None:
        if not self._say or (not self._told and self._text.lstrip().startswith(_PRIVATE)):
            return
        text, self._told = self._text[self._told : end], max(self._told, end)
        text = text if self.spoken else text.lstrip()
        if text:
            self.spoken = True
            self._say(text)


def _settled(text: str, told: int) -> int:
    """How much of ``text`` is sure to be for the reader, whatever comes next."""
    if not told and _PRIVATE.startswith(text.lstrip()[: len(_PRIVATE)]):
        return 0
    end = _first_call(text, told)
    if end < len(text):
        return end
    return end - max(overlap(text, syntax) for syntax in _CALL_SYNTAX)


def _first_call(text: str, told: int) -> int:
    places = [place for syntax in _CALL_SYNTAX if (place := text.find(syntax, told)) >= 0]
    return min(places, default=len(text))


def overlap(text: str, syntax: str) -> int:
    """The length of the longest end of ``text`` that ``syntax`` starts with."""
    lengths = range(len(syntax) - 1, 0, -1)
    return next((length for length in lengths if text.endswith(syntax[:length])), 0)
