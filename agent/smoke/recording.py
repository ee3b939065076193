"""What Gemini answered, kept so that a conversation can be held again without it.

A recording is made at the project's own doors, the model and the web search, not at HTTP: so there
is no header with a key in it, and a body is not packed. An exchange is found by its request, made
comparable (``normalised``) and hashed; what changes from run to run does not count.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal
from unicodedata import normalize

from pydantic import BaseModel, ConfigDict, Field

from agent.catalogue import Problem
from agent.confidential import secret_in
from agent.messages import Content, Declaration, Model, Outcome, Reply, ToolMode, Usage
from agent.output_file import replace_file
from agent.smoke.lines import Mistake, Unreadable, as_yaml, read_yaml
from agent.smoke.script import validated
from tools.patterns import lazy_pattern
from tools.tokens import fold
from tools.web.backend import Reason, SearchBackend, SearchHit, SearchUnavailable

VERSION = 1

_LOST = ("network", "quota")
_SIGNATURE = "(left out)"
_TIME = lazy_pattern(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_MOST_LINES = 24


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Answered(_Part):
    """A reply, as the run took it."""

    outcome: Outcome
    content: dict[str, Any] | None = None
    finish_reason: str = ""
    model: str = ""
    status_code: int | None = None
    cause: str = ""
    retryable: bool = False
    note: str = ""
    requests: int = 1
    prompt_tokens: int = 0
    output_tokens: int = 0

    @classmethod
    def of(cls, reply: Reply) -> Answered:
        return cls(
            outcome=reply.outcome,
            content=_unsigned(reply.content),
            finish_reason=reply.finish_reason,
            model=reply.model,
            status_code=reply.status_code,
            cause=reply.cause,
            retryable=reply.retryable,
            note=reply.note,
            requests=reply.usage.requests,
            prompt_tokens=reply.usage.prompt_tokens,
            output_tokens=reply.usage.output_tokens,
        )

    @property
    def reply(self) -> Reply:
        given = self.model_dump(exclude={"requests", "prompt_tokens", "output_tokens"})
        return Reply(**given, usage=Usage(self.requests, self.prompt_tokens, self.output_tokens))


class Request(_Part):
    """A request without what it shares with the one before: the first ``kept`` contents, and
    ``system``, ``tools`` and ``generation`` where they are not written."""

    kept: Annotated[int, Field(ge=0)] = 0
    contents: list[dict[str, Any]]
    mode: ToolMode = "AUTO"
    system: str | None = None
    tools: list[dict[str, Any]] | None = None
    generation: dict[str, Any] | None = None


class Exchange(_Part):
    """One request and its reply; ``key`` is what the request hashes to."""

    key: str
    request: Request
    reply: Answered


class Hit(_Part):
    """One page that the web search sent."""

    title: str | None = None
    url: str | None = None
    snippet: str | None = None


class Searched(_Part):
    """One search of the web: what it brought, or why it could not be made."""

    query: str
    hits: list[Hit] | None = None
    unavailable: Reason | None = None


class Recording(_Part):
    """The file: what was asked of which model, on which day, and what it answered."""

    version: Literal[1]
    model: str
    today: Annotated[date, Field(strict=False)]
    exchanges: list[Exchange]
    searches: list[Searched] = Field(default_factory=list[Searched])


def normalised(
    contents: list[Content],
    tools: list[Declaration],
    system: str,
    mode: ToolMode,
    generation: dict[str, Any] | None,
) -> dict[str, Any]:
    """A request without what may differ between two runs that say the same: ids of calls become
    their order, signatures and times of day go, text is NFC and whole numbers are whole."""
    ids: dict[str, str] = {}
    plain: dict[str, Any] = _plain(contents, ids)
    return {
        "contents": plain,
        "mode": mode,
        "system": _plain(system, ids),
        "tools": _plain(tools, ids),
        "generation": _plain(generation or {}, ids),
    }


def _plain(value: Any, ids: dict[str, str], key: str = "") -> Any:
    match value:
        case str():
            return normalize("NFC", _TIME.sub("(time)", value))
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {
                name: ids.setdefault(each, f"call-{len(ids) + 1}")
                if name == "id" and key in ("functionCall", "functionResponse")
                else _plain(each, ids, name)
                for name, each in value.items()
                if name != "thoughtSignature"
            }
        case list() | tuple():
            return [_plain(each, ids) for each in value]
        case _:
            return value


def key_of(request: dict[str, Any]) -> str:
    """The hash of a normalised request."""
    written = json.dumps(request, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()[:16]


def _unsigned(content: Content | None) -> Content | None:
    """A content whose signatures are a note: nobody reads them, and a replay sends nothing."""
    if content is None:
        return None
    parts = [
        {**part, "thoughtSignature": _SIGNATURE} if "thoughtSignature" in part else part
        for part in content.get("parts") or []
    ]
    return {**content, "parts": parts}


class Recorder:
    """A model around Gemini that keeps every request and its reply. A request that is asked again
    because its reply was lost is kept once, with the last one."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self.remote = model.remote
        self._model = model
        self._lock = threading.Lock()
        self._exchanges: list[tuple[dict[str, Any], Reply]] = []

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """One request, one reply."""
        request = normalised(contents, tools, system, mode, generation)
        reply = self._model.generate(
            contents, tools, system=system, mode=mode, generation=generation, seconds=seconds
        )
        with self._lock:
            kept = self._exchanges
            if kept and kept[-1][0] == request and kept[-1][1].outcome in _LOST:
                kept.pop()
            kept.append((request, reply))
        return reply

    @property
    def lost(self) -> Reply | None:
        """A reply that never came, after which the rest would be a recording of bad luck."""
        return next((reply for _, reply in self._exchanges if reply.outcome in _LOST), None)

    @property
    def exchanges(self) -> list[Exchange]:
        """What was asked and answered, each request without what it shares with the last."""
        found: list[Exchange] = []
        before: dict[str, Any] = {}
        for request, reply in self._exchanges:
            written = Request(**_apart(request, before))
            found.append(Exchange(key=key_of(request), request=written, reply=Answered.of(reply)))
            before = request
        return found


def _apart(request: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    earlier = before.get("contents", [])
    pairs = enumerate(zip(request["contents"], earlier, strict=False))
    kept = next((place for place, (one, other) in pairs if one != other), None)
    if kept is None:
        kept = min(len(request["contents"]), len(earlier))
    shared = {
        name: request[name]
        for name in ("system", "tools", "generation")
        if request[name] != before.get(name)
    }
    rest = request["contents"][kept:]
    return {"kept": kept, "contents": rest, "mode": request["mode"], **shared}


def _together(exchanges: Sequence[Exchange]) -> Iterator[dict[str, Any]]:
    """The whole requests again, as ``normalised`` made them."""
    before: dict[str, Any] = {"contents": [], "system": "", "tools": [], "generation": {}}
    for each in exchanges:
        request = each.request
        shared = {
            name: before[name] if (given := getattr(request, name)) is None else given
            for name in ("system", "tools", "generation")
        }
        contents = before["contents"][: request.kept] + request.contents
        before = {"contents": contents, "mode": request.mode, **shared}
        yield before


class NotRecorded(Exception):
    """A request that the recording has no reply for, with what sets it apart from the nearest."""

    def __init__(self, number: int, nearest: int | None, difference: list[str]) -> None:
        self.number = number
        self.nearest = nearest
        self.difference = difference
        super().__init__(f"request {number} is not in the recording")


@dataclass
class Replay:
    """A model that answers from a recording. Raises NotRecorded, because a request that nobody
    answered is no behaviour of a model; ``missed`` keeps it, for a tool that asks a model gets an
    error for whatever is raised."""

    name: str
    exchanges: Sequence[Exchange]
    remote: bool = True
    missed: NotRecorded | None = None
    _used: set[int] = field(default_factory=set[int])
    _count: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = [*_together(self.exchanges)]

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """The reply that was given to this request, the first time it was asked, the second ..."""
        request = normalised(contents, tools, system, mode, generation)
        key = key_of(request)
        with self._lock:
            self._count += 1
            for place, each in enumerate(self.exchanges):
                if each.key == key and place not in self._used:
                    self._used.add(place)
                    return each.reply.reply
        self.missed = self._missed(request)
        raise self.missed

    @property
    def left(self) -> list[int]:
        """The exchanges that nobody asked for, by their number from 1 on."""
        return [place + 1 for place in range(len(self.exchanges)) if place not in self._used]

    def _missed(self, request: dict[str, Any]) -> NotRecorded:
        asked = as_yaml(request).splitlines()
        written = [as_yaml(each).splitlines() for each in self._requests]
        ratios = [
            difflib.SequenceMatcher(None, asked, each, autojunk=False).ratio() for each in written
        ]
        if not ratios:
            return NotRecorded(self._count, None, [])
        best = max(range(len(ratios)), key=lambda at: (ratios[at], at not in self._used))
        difference = [*difflib.unified_diff(written[best], asked, "recorded", "asked", "", "", 1)]
        return NotRecorded(self._count, best + 1, [each.rstrip("\n") for each in difference])


def shortened(difference: Sequence[str]) -> list[str]:
    """The beginning of a difference, as much as fits on a screen."""
    if len(difference) <= _MOST_LINES:
        return [*difference]
    return [*difference[:_MOST_LINES], f"... (+{len(difference) - _MOST_LINES})"]


class RecordingSearch:
    """A web search around another one that keeps what it brought."""

    def __init__(self, backend: SearchBackend) -> None:
        self._backend = backend
        self.searches: list[Searched] = []

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        try:
            found = self._backend.search(query, limit, timeout_s)
        except SearchUnavailable as failure:
            self.searches.append(Searched(query=query, unavailable=failure.reason))
            raise
        hits = [Hit(title=each.title, url=each.url, snippet=each.snippet) for each in found]
        self.searches.append(Searched(query=query, hits=hits))
        return found


class GivenSearch:
    """A web search that answers from what was written down: of a query, or of any (``"*"``)."""

    def __init__(self, searches: Sequence[Searched]) -> None:
        self._searches = {fold(each.query): each for each in searches}

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        found = self._searches.get(fold(query)) or self._searches.get("*")
        if found is None:
            raise SearchUnavailable("failed", "not recorded")
        if found.unavailable is not None:
            raise SearchUnavailable(found.unavailable)
        return [SearchHit(each.title, each.url, each.snippet) for each in found.hits or []][:limit]


def read_recording(path: Path) -> Recording:
    """Read a recording. Raises Unreadable, also for one that holds what looks like a secret, and
    for a request that was changed by hand: nothing would ever ask for it."""
    document = read_yaml(path)
    if found := secret_in(document.text):
        raise Unreadable([Mistake(path, found[0], Problem("smoke.secret", kind=found[1]))])
    recording = validated(Recording, document)
    for place, request in enumerate(_together(recording.exchanges)):
        if key_of(request) != recording.exchanges[place].key:
            line = document.line(("exchanges", place, "key"))
            raise Unreadable([Mistake(path, line, Problem("smoke.changed"))])
    return recording


def write_recording(path: Path, recording: Recording, own: Sequence[str]) -> None:
    """Write a recording. Raises Unreadable, and writes nothing, when something in it looks like a
    secret, or is one of the person's ``own`` keys: the gateway takes those out of replies, but a
    person may have asked them."""
    data = recording.model_dump(mode="json", exclude_defaults=True)
    text = as_yaml({"version": VERSION, **data})
    if found := secret_in(text, own):
        raise Unreadable([Mistake(path, found[0], Problem("smoke.secret_found", kind=found[1]))])
    replace_file(path, text.encode("utf-8", "replace"))
