"""Conversations on disk: one JSONL file each, written as things happen."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from types import NoneType
from typing import Any, get_args

from agent.catalogue import Problem
from agent.chat.place import AUTO, Place
from agent.confidential import without_keys
from agent.history import shorten
from agent.messages import Content, function_calls, user
from agent.run import Event, Run, Status
from tools.documents import Passage
from tools.home import tilde

VERSION = 1
FOLDER = "sessions"
"""Where they lie in the data folder."""

_TITLE = 60
_MOST_LISTED = 20


@dataclass
class Saved:
    """A conversation as it was when it ended, however it ended.

    ``contents`` and ``ledger`` go on with the next question. ``records`` are those of the
    questions so far; ``open`` is the question that has none, when the program was
    killed in the middle of it, with the searches and the draft that had been shown. ``damaged``
    counts lines that could not be read.
    """

    id: str
    title: str = ""
    place: Place = AUTO
    contents: list[Content] = field(default_factory=list[Content])
    ledger: dict[str, Passage] = field(default_factory=dict[str, Passage])
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    places: list[Place] = field(default_factory=list[Place])
    open: list[Event] = field(default_factory=list[Event])
    damaged: int = 0


class Session:
    """The file of one conversation, for its owner only.

    The file is made with the first question; a line is written at once and whole, so that a killed
    program leaves everything it had shown. When the disk takes no more the conversation goes on;
    ``failed`` says so, and ``was_begun`` that there is a file. As a listener of a run it keeps
    each search with the passages it brought. The person's ``own`` keys are left out, also where
    one was asked as a question.
    """

    def __init__(self, folder: Path, id: str = "", own: Sequence[str] = ()) -> None:
        self.id = id or f"{datetime.now():%Y%m%d-%H%M%S}-{os.urandom(2).hex()}"
        self.path = folder / f"{self.id}.jsonl"
        self.failed = False
        self.was_begun = False
        self._own = own
        self._file: int | None = None
        self._run: Run | None = None
        self._since = 0
        self._kept: dict[str, Passage] = {}

    def begin(self, question: str, place: Place, run: Run) -> None:
        """Keep a question that is about to be asked; ``run`` is the one that will answer it."""
        self._run, self._since, self._kept = run, len(run.contents), dict(run.ledger)
        kept = place._replace(name=_anywhere(place.name)) if place.kind == "docs" else place
        self.write("question", text=question, place=kept._asdict(), time=_now())

    def abandon(self) -> None:
        """The question that was begun will not be answered."""
        self._run = None
        self.write("abandoned")

    def take(self) -> None:
        """Open the file of a conversation that goes on. Raises Problem when another program has
        it, or when it cannot be written."""
        try:
            self._open()
        except OSError as error:
            reason = error.strerror or ""
            raise Problem("session.unreadable", path=self.path, reason=reason) from None

    def __call__(self, event: Event) -> None:
        """Keep what ``event`` says, if it is something that the reader is shown."""
        if event["event"] == "search" and self._run is not None:
            self._keep_passages(self._run)
            self.write("search", search={**event})
        elif event["event"] == "end" and self._run is not None:
            run, self._run = self._run, None
            self._keep_passages(run)
            self.write("exchange", record=event["record"], contents=run.contents[self._since :])

    def _keep_passages(self, run: Run) -> None:
        """Keep the passages that the file lacks, also those that say something else by now."""
        for name, passage in run.ledger.items():
            kept = self._kept.get(name)
            if kept is None or replace(kept, score=passage.score) != passage:
                self._kept[name] = passage
                self.write("passage", passage=asdict(passage))

    @property
    def under_way(self) -> bool:
        """Whether a question was begun and has not ended."""
        return self._run is not None

    def write(self, event: str, **details: Any) -> None:
        """Append one line."""
        kept = without_keys({"event": event, **details}, self._own)
        line = json.dumps(kept, ensure_ascii=False, default=str) + "\n"
        data = line.encode("utf-8", "replace")
        if not self.failed:
            try:
                # a disk that fills up takes a part of a line first, and says nothing
                self.failed = os.write(self._open(), data) < len(data)
            except OSError:
                self.failed = True

    def close(self) -> None:
        """Give the file back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _open(self) -> int:
        if self._file is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            file = os.open(self.path, flags, 0o600)
            _lock(file)
            self._file, self.was_begun = file, True
            if os.fstat(self._file).st_size:
                _end_last_line(self._file)
            else:
                head = {"event": "session", "version": VERSION, "id": self.id, "time": _now()}
                os.write(self._file, (json.dumps(head) + "\n").encode())
        return self._file


def read_session(path: Path) -> Saved:
    """What ``path`` holds. Raises Problem when it cannot be read or is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or ""
        raise Problem("session.unreadable", path=path, reason=reason) from None
    saved = Saved(path.stem)
    for line in data.splitlines():
        try:
            event = json.loads(line)
            _replay(saved, event)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            saved.damaged += 1
    if saved.damaged:  # a line that was to take turns back may have taken others
        _end_whole(saved.contents)
    return saved


def _end_whole(contents: list[Content]) -> None:
    """Take turns off the end, down to the end of a question."""
    while contents and (contents[-1]["role"] != "model" or function_calls(contents[-1])):
        contents.pop()


_SEARCH = {
    "tool": str,
    "query": str,
    "outcome": str,
    "hits": [{"id": str}],
    "missing": [str],
}
_SHAPES: dict[str, Any] = {
    "session": {"version": int},
    "title": {"text": str},
    "question": {"text": str, "place": {"kind": str, "name": str, "where": [str]}},
    "passage": {"passage": {"id": str, "text": str, "source": str}},
    "search": {"search": _SEARCH},
    "draft": {"text": str},
    "exchange": {
        "contents": [{"role": str, "parts": [dict]}],
        "record": {
            "question": str,
            "answer": (str, NoneType),
            "message": str,
            "status": str,
            "stop_reason": str,
            "model": str,
            "steps": int,
            "searches": [_SEARCH],
            "evidence": [{"id": str, "source": str, "text": str}],
            "missing": [str],
            "sources": [str],
            "usage": {"prompt_tokens": int, "output_tokens": int},
            "trace": (str, NoneType),
        },
    },
    "dropped": {"contents": int},
    "shortened": {"limit": int},
}
"""What a line must hold to be of use: what is read from it later, and its type."""


def _fits(value: Any, shape: Any) -> bool:
    match shape:
        case dict():
            return isinstance(value, dict) and all(
                name in value and _fits(value[name], each) for name, each in shape.items()
            )
        case [each]:
            return isinstance(value, list) and all(_fits(item, each) for item in value)
        case _:
            return isinstance(value, shape)


def _replay(saved: Saved, event: Event) -> None:
    if not _fits(event, _SHAPES.get(event["event"], {})):
        raise ValueError("a line that lacks something")
    match event["event"]:
        case "session":
            if event["version"] > VERSION:
                raise Problem("session.newer", id=saved.id)
        case "title":
            saved.title = event["text"]
        case "question":
            given = event["place"]
            name = os.path.expanduser(given["name"]) if given["kind"] == "docs" else given["name"]
            saved.place = Place(given["kind"], name, tuple(given["where"]))
            saved.title = saved.title or title_of(event["text"])
            saved.open = [event]
        case "passage":
            passage = Passage(**event["passage"])
            saved.ledger[passage.id] = passage
        case "search" | "draft":
            saved.open.append(event)
        case "exchange":
            contents = _legal(event["contents"])
            if event["record"]["status"] not in get_args(Status):
                raise ValueError("a record of no known status")
            saved.records.append(event["record"])
            saved.places.append(saved.place)
            saved.contents += contents
            saved.open = []
        case "abandoned":
            saved.open = []
        case "dropped":
            del saved.contents[max(0, len(saved.contents) - event["contents"]) :]
        case "shortened":
            shorten(saved.contents, event["limit"])
        case _:
            pass


def _legal(kept: list[Content]) -> list[Content]:
    """The turns of one question as they were kept. Raises ValueError where they are not what an
    API takes: sent again, they would be refused with every question that follows."""
    from agent.offline.history import check

    if not all(content["parts"] and all(content["parts"]) for content in kept):
        raise ValueError("an empty turn of a conversation")
    if kept and (check([*kept, user("?")], "optional", "minted") or kept[-1]["role"] != "model"):
        raise ValueError("no conversation that a model takes")
    return kept


def title_of(question: str) -> str:
    """What a conversation is called that nobody gave a title: its first question, on a line."""
    return " ".join(question.split())[:_TITLE]


@dataclass(frozen=True)
class Listed:
    """One conversation in the list: its id, title, number of questions, last change."""

    id: str
    title: str
    questions: int
    changed: datetime


def list_sessions(data: Path) -> list[Listed]:
    """The latest conversations in the data folder, the last one first; those that cannot be read
    are left out. Raises Problem when the folder itself cannot be read."""
    listed: list[Listed] = []
    for path in _paths(data)[:_MOST_LISTED]:
        with suppress(Problem, OSError):
            saved = read_session(path)
            changed = datetime.fromtimestamp(path.stat().st_mtime)
            listed.append(Listed(saved.id, saved.title, len(saved.records), changed))
    return listed


def find_session(data: Path, wanted: str = "") -> Path:
    """The file of the conversation whose id begins with ``wanted``; the latest one for "". Raises
    Problem for none or several, and when the folder cannot be read."""
    paths = _paths(data)
    fitting = [path for path in paths if path.stem.startswith(wanted)]
    exact = [path for path in fitting if path.stem == wanted]
    if not paths:
        raise Problem("session.none")
    if not fitting:
        raise Problem("session.unknown", id=wanted)
    if wanted and len(fitting) > 1 and not exact:
        raise Problem(
            "session.several", id=wanted, ids=", ".join(each.stem for each in fitting[:5])
        )
    return (exact or fitting)[0]


def _paths(data: Path) -> list[Path]:
    folder = data / FOLDER
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        reason = error.strerror or ""
        raise Problem("session.unreadable", path=folder, reason=reason) from None
    found: list[tuple[float, Path]] = []
    for path in (folder / name for name in names if name.endswith(".jsonl")):
        with suppress(OSError):
            if (about := path.stat()).st_size:
                found.append((about.st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


def _anywhere(folder: str) -> str:
    """The name of a folder that holds wherever the conversation goes on."""
    return tilde(os.path.abspath(folder))


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _lock(file: int) -> None:
    """One program at a time writes a conversation. Raises Problem when another one does."""
    try:
        import fcntl
    except ImportError:  # Windows: two programs could mix their lines, and lose none
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise Problem("session.busy") from None


def _end_last_line(file: int) -> None:
    """Let the next line begin one: end a last line that only lacks its end, and cut off one that
    was never finished."""
    data = os.read(file, os.fstat(file).st_size)
    whole = data.rfind(b"\n") + 1
    if whole == len(data):
        return
    try:
        json.loads(data[whole:])
    except ValueError:
        os.ftruncate(file, whole)
    else:
        os.write(file, b"\n")
