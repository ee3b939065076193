"""What can be said to the chat itself: ``/help``, ``/corpus`` and the others."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.catalogue import Language, Problem, say
from agent.chat.conversation import Conversation, turns
from agent.chat.place import AUTO, Place, corpus_names
from agent.chat.sessions import find_session, list_sessions
from agent.chat.telling import ending, evidence_lines, search_line
from agent.confidential import secret_in, without_keys
from agent.limits import DEFAULT_LIMITS, Limits
from agent.settings import OFFLINE, language_for, own_keys

COMMANDS = (
    "help", "corpus", "docs", "plan", "evidence", "why", "trace", "save", "resume", "history",
    "export", "smoke", "lang", "clear", "quit",
)  # fmt: skip
"""Without their slash, in the order in which ``/help`` tells them."""

CHOICES: dict[str, Callable[[], list[str]]] = {
    "/corpus": lambda: [*corpus_names(), "auto", "web"],
    "/lang": lambda: ["ko", "en"],
    "/export": lambda: ["md", "json"],
}
"""What may follow a command."""

_SAME = {"exit": "quit", "new": "clear"}


class Leave(Exception):
    """The person wants to go."""


@dataclass
class Commands:
    """The commands over one conversation. ``write`` shows lines to the person; ``took_up`` is
    called when another conversation takes the place of the one at hand."""

    conversation: Conversation
    write: Callable[[str], None]
    took_up: Callable[[], None]

    @property
    def language(self) -> Language:
        """The chosen language, else that of the last question."""
        records = self.conversation.records
        chosen = self.conversation.room.settings.language
        return chosen or language_for(records[-1]["question"] if records else "")

    def run(self, line: str) -> None:
        """Do what ``line``, which begins with a slash, says. Raises Problem for what cannot be
        done, and Leave."""
        name, _, rest = line.removeprefix("/").partition(" ")
        name = _SAME.get(name, name)
        if name not in COMMANDS:
            raise Problem("chat.unknown_command", given=f"/{name}", nearest=_nearest(name))
        getattr(self, f"_{name}")(rest.strip())

    def _say(self, key: str, **values: Any) -> None:
        self.write(say(f"chat.{key}", self.language, **values))

    def _help(self, rest: str) -> None:
        lines = [say(f"chat.help.{name}", self.language) for name in COMMANDS]
        self.write("\n".join([*lines, say("chat.help_keys", self.language)]))

    def _corpus(self, name: str) -> None:
        room = self.conversation.room
        if name:
            room.move_to(_place(name))
            self._say("place", place=self._told_place())
            return
        self._say("corpora", names=", ".join(corpus_names()), place=self._told_place())

    def _docs(self, folder: str) -> None:
        path = _path(folder)
        if path is None:
            raise Problem("chat.docs_usage")
        self.conversation.room.move_to(Place("docs", str(path)))
        self._say("place", place=self._told_place())

    def _told_place(self) -> str:
        place = self.conversation.room.place
        return say("chat.auto", self.language) if place == AUTO else str(place)

    def _plan(self, rest: str) -> None:
        lines = [*self._filled(), *self._plans()]
        self.write("\n".join(lines or [say("chat.no_plan", self.language)]))

    def _filled(self) -> Iterator[str]:
        """What the last question needed, where it had a plan."""
        if not self.conversation.records:
            return
        record = self.conversation.records[-1]
        found = {each["slot"]: each["id"] for each in reversed(record["evidence"]) if each["slot"]}
        for slot, id in reversed(found.items()):
            yield say("chat.slot_filled", self.language, slot=slot, id=id)
        for slot in record["missing"]:
            yield say("chat.slot_missing", self.language, slot=slot)

    def _plans(self) -> Iterator[str]:
        for corpus in self.conversation.room.corpora():
            for plan in corpus.plans:
                words = ", ".join(plan.all_words)
                key = "plan_held" if plan.hold else "plan"
                yield say(f"chat.{key}", self.language, corpus=corpus.name, words=words)
                for slot in plan.slots:
                    queries = " / ".join(slot.queries)
                    yield f"  {slot.name}: {slot.description} ({queries})"

    def _evidence(self, id: str) -> None:
        ledger = self.conversation.ledger
        if not ledger:
            raise Problem("chat.no_evidence")
        if not id:
            found = self.conversation.records[-1]["evidence"] if self.conversation.records else []
            lines = [*evidence_lines(found, self.language)]
            earlier = [each for each in ledger if each not in {one["id"] for one in found}]
            if earlier:
                told = " ".join(f"[{each}]" for each in earlier)
                lines.append(say("chat.evidence_earlier", self.language, ids=told))
            self.write("\n".join(lines))
            return
        name = id.strip("[]")
        if name not in ledger:
            near = difflib.get_close_matches(name, ledger, 3, 0.3) or list(ledger)[-3:]
            raise Problem("chat.unknown_evidence", id=name, ids=", ".join(near))
        passage = ledger[name]
        self.write(f"[{passage.id}] {passage.source}\n{passage.context}".strip())
        self.write(passage.text)

    def _why(self, rest: str) -> None:
        record = self._last()
        lines = [
            say("chat.why_question", self.language, question=record["question"]),
            ending(record, self.language),
            say(f"chat.status.{record['status']}", self.language),
        ]
        lines += [
            search_line(number, each, self.language)
            for number, each in enumerate(record["searches"], 1)
        ]
        limits = self.conversation.room.settings.limits
        lines.append(
            say(
                "chat.why_used",
                self.language,
                steps=record["steps"],
                max_steps=limits.max_steps,
                searches=len(record["searches"]),
                max_searches=_most_searches(record, limits),
            )
        )
        self.write("\n".join(lines))

    def _trace(self, rest: str) -> None:
        record = self._last()
        for number, turn in enumerate(turns(self.conversation.last_contents()), 1):
            names = ", ".join(turn["names"])
            kind = say(f"chat.turn.{turn['role']}.{turn['kind']}", self.language, names=names)
            size = say("chat.characters", self.language, count=turn["characters"])
            self.write(f"{number}. {kind} · {size}")
        if record["trace"]:
            self._say("trace_file", path=record["trace"])

    def _last(self) -> dict[str, Any]:
        if not self.conversation.records:
            raise Problem("chat.no_question")
        return self.conversation.records[-1]

    def _save(self, title: str) -> None:
        self._last()
        if title:
            self.conversation.name(title)
        session = self.conversation.session
        self._say("saved", title=self.conversation.title, id=session.id, path=session.path)

    def _resume(self, id: str) -> None:
        data = self.conversation.data
        if not id:
            self.write("\n".join(told_sessions(data, self.language)))
            return
        path = find_session(data, id)
        if path == self.conversation.session.path:
            raise Problem("chat.already_here")
        self.conversation.resume(path)
        self.took_up()

    def _history(self, rest: str) -> None:
        records = self.conversation.records
        if not records:
            raise Problem("chat.no_question")
        for number, record in enumerate(records, 1):
            usage = record["usage"]
            self._say(
                "history_line",
                number=number,
                question=" ".join(record["question"].split()),
                status=record["status"],
                stop=record["stop_reason"],
                searches=len(record["searches"]),
                tokens=usage["prompt_tokens"] + usage["output_tokens"],
            )
        self._say("history_size", count=self.conversation.size)

    def _export(self, rest: str) -> None:
        form, _, name = rest.partition(" ")
        if form not in ("md", "json"):
            raise Problem("chat.export_usage")
        self._last()
        title, records = without_keys(
            [self.conversation.title, self.conversation.records], own_keys()
        )
        if form == "json":
            text = json.dumps(records, ensure_ascii=False, indent=1, default=str)
        else:
            text = as_markdown(title, records, self.language)
        path = _path(name) or Path(f"bareloop-{self.conversation.session.id}.{form}")
        _write_new(path, text + "\n")
        self._say("written", path=path)

    def _smoke(self, name: str) -> None:
        path = _path(name)
        if path is None:
            raise Problem("chat.smoke_usage")
        self._last()
        text, count = as_smoke(self.conversation, path.parent)
        _write_new(path, text)
        self._say("smoke_written", path=path, count=count)

    def _lang(self, given: str) -> None:
        if given not in ("ko", "en"):
            raise Problem("chat.lang_usage")
        self.conversation.room.speak("ko" if given == "ko" else "en")
        self._say("lang")

    def _clear(self, rest: str) -> None:
        session = self.conversation.session
        self.conversation.begin_anew()
        self._say("cleared_kept" if session.was_begun else "cleared", id=session.id)

    def _quit(self, rest: str) -> None:
        raise Leave


def told_sessions(data: Path, language: Language) -> list[str]:
    """The conversations on disk, a line each. Raises Problem when there is none."""
    listed = list_sessions(data)
    if not listed:
        raise Problem("session.none")
    return [
        say(
            "chat.listed",
            language,
            id=each.id,
            title=each.title,
            questions=each.questions,
            changed=f"{each.changed:%Y-%m-%d %H:%M}",
        )
        for each in listed
    ]


def as_markdown(title: str, records: Sequence[dict[str, Any]], language: Language) -> str:
    """A conversation as Markdown: each question with its answer, or why there is none, and the
    evidence."""
    lines = [f"# {title}"]
    for record in records:
        lines += ["", f"## {record['question']}", ""]
        lines.append(record["answer"] if record["answer"] is not None else record["message"])
        if record["evidence"]:
            lines += ["", *(f"- {line}" for line in evidence_lines(record["evidence"], language))]
        lines += ["", f"`{record['status']}` · `{record['stop_reason']}` · {record['model']}"]
    return "\n".join(lines)


def as_smoke(conversation: Conversation, folder: Path) -> tuple[str, int]:
    """A conversation as a smoke script in ``folder`` that expects what happened, and how many
    questions it has: those that the person stopped are left out. Their own key is left out too.
    Raises Problem for one whose questions were answered from several places, for a script has one,
    and for one that holds what looks like a secret."""
    from agent.smoke.script import as_script, relative_to

    asked = zip(conversation.records, conversation.places, strict=True)
    answered = [each for each in asked if each[0]["stop_reason"] != "interrupted"]
    if not answered:
        raise Problem("chat.no_question")
    records, places = [each[0] for each in answered], [each[1] for each in answered]
    if len(set(places)) > 1:
        raise Problem("chat.smoke_places", places=", ".join(sorted({*map(str, places)})))
    place, room = places[-1], conversation.room
    sources = {name for record in records for name in record["sources"]}
    if place.kind == "auto" and len(sources) > 1:
        raise Problem("chat.smoke_places", places=", ".join(sorted(sources)))
    script: dict[str, Any] = {}
    match place.kind:
        case "auto":
            script |= {"corpus": sources.pop()} if sources else {}
        case "web":
            script["web"] = True
        case "docs":
            script["docs"] = relative_to(folder, place.name)
        case "corpus":
            is_folder = place.name not in corpus_names() and Path(place.name).is_dir()
            name = _with_a_slash(relative_to(folder, place.name)) if is_folder else place.name
            script["corpus"] = name
            script |= {"web": True} if room.searches_web else {}
    limits = room.settings.limits
    offline = all(record["model"] == OFFLINE for record in records)
    given = {
        "where": list(place.where),
        "permissions": sorted(room.settings.permissions),
        "narrow": room.narrow,
        "route": room.route,
    }
    script |= {name: value for name, value in given.items() if value}
    script["model"] = "offline" if offline else "live"
    script["limits"] = {"max_steps": limits.max_steps}
    beside = {
        "max_searches": limits.max_searches,
        "max_rounds": limits.max_rounds if limits.max_rounds != DEFAULT_LIMITS.max_rounds else None,
        "max_tokens": limits.max_tokens,
        "max_cost": limits.max_cost_usd,
    }
    script["limits"] |= {name: value for name, value in beside.items() if value is not None}
    script["turns"] = [_as_turn(record) for record in records]
    text = as_script(without_keys(script, own_keys()))
    if found := secret_in(text):
        raise Problem("chat.smoke_secret", kind=found[1], line=found[0])
    return text, len(records)


def _with_a_slash(way: str) -> str:
    """A folder as a script names it, so that it is no name of a corpus."""
    return way if "/" in way else f"./{way}"


def _most_searches(record: dict[str, Any], limits: Limits) -> int:
    """The searches that a question might make."""
    if (record["route"], record["route_reason"]) == ("simple", "forced"):
        return 1
    in_rounds = record["route"] == "complex" and record["route_reason"] != "plan"
    return limits.searches_in_rounds if in_rounds or record["sub_questions"] else limits.searches


def _as_turn(record: dict[str, Any]) -> dict[str, Any]:
    """A question with what the person said to its conditions, and what came of it."""
    said = {each["confirmed"] for each in record["proposals"]} - {None}
    return {
        "ask": record["question"],
        **({"confirm": said.pop()} if said else {}),
        "expect": {
            "status": record["status"],
            "stop": record["stop_reason"],
            "missing": record["missing"],
            "searches": len(record["searches"]),
        },
    }


def _path(name: str) -> Path | None:
    """A file as a person writes it, with quotes around a name that has spaces; None for none."""
    name = name.strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1]
    return Path(name).expanduser() if name else None


def _place(name: str) -> Place:
    """``auto`` and ``web`` are places of their own, unless a corpus has that name."""
    if name in ("auto", "web") and name not in corpus_names():
        return AUTO if name == "auto" else Place("web")
    return Place("corpus", name)


def _nearest(name: str) -> str:
    found = difflib.get_close_matches(name, [*COMMANDS, *_SAME], 1, 0.4)
    return f"/{found[0]}" if found else "/help"


def _write_new(path: Path, text: str) -> None:
    """Write a file for its owner only that is not there yet. Raises Problem."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", errors="replace") as out:
            out.write(text)
    except FileExistsError:
        raise Problem("chat.file_exists", path=path) from None
    except OSError as error:
        raise Problem("chat.file_unwritable", path=path, reason=error.strerror or "") from None
