"""What happened in one run, as lines that can be laid beside those of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent.catalogue import Language, say
from agent.chat.telling import came_of
from agent.messages import Content, function_calls, function_responses, parts, visible_text
from agent.offline.protocol import Answer, Request
from agent.offline.responder import Responder, Response
from agent.run import Event, Run


@dataclass(frozen=True)
class Line:
    """One thing that happened. Lines of two runs stand side by side when their keys are equal;
    ``mark`` is the anchor that it comes from, "" for none."""

    key: str
    text: str
    mark: str = " "


@dataclass
class Trace:
    """The lines of a run, and facts about it by name, which signatures are checked against."""

    lines: list[Line] = field(default_factory=list[Line])
    facts: dict[str, Any] = field(default_factory=dict[str, Any])


class Recorder:
    """Listens to a run and to the model's side of it, and writes the trace."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        lists: dict[str, Any] = {"lengths": [], "queries": [], "hits": [], "outcomes": []}
        self.trace = Trace(facts={**lists, "refusal": "", "requests": 0})
        self._run: Run | None = None
        self._held: Line | None = None

    def follow(self, run: Run) -> None:
        """Record what happens in ``run``; its history may be that of an earlier one."""
        self._run = run
        run.listeners = (*run.listeners, self._heard)

    def hear(self, responder: Responder) -> Responder:
        """``responder`` with every request and answer recorded."""
        return _Heard(responder, self._sent, self._answered)

    def add(self, key: str, mark: str = " ", like: str = "", **values: Any) -> None:
        """Write a line: the sentence ``key`` of the catalogue. ``like`` tells apart lines of one
        kind that are not to be aligned."""
        self._write(Line(f"{key} {like}", say(key, self.language, **values), mark))

    def _write(self, line: Line) -> None:
        if self._held is not None:
            self.trace.lines.append(self._held)
            self._held = None
        self.trace.lines.append(line)

    def _heard(self, event: Event) -> None:
        match event["event"]:
            case "content":
                self._content(event["content"])
            case "search":
                found = came_of(event, self.language)
                tool, query = event["tool"], event["query"]
                self.trace.facts["queries"].append(query)
                self.trace.facts["hits"] += [hit["id"] for hit in event["hits"]]
                self.trace.facts["outcomes"].append(event["outcome"])
                self.add(
                    "lesson.trace.tool", "⑥", tool + query, tool=tool, query=query, found=found
                )
            case "end":
                self._end(event["record"])
            case _:
                pass

    def _content(self, content: Content) -> None:
        length = len(self._run.contents) if self._run else 0
        count, written = len(function_responses(content)), bool(parts(content))
        if content.get("role") != "model":
            kind, mark = ("question", "①") if written and not count else ("observation", "⑦")
            self.add(f"lesson.trace.{kind}", mark, length=length, count=count)
        elif function_calls(content):
            self.add("lesson.trace.decision", "⑤", length=length)
        else:
            # what a run says at its end is told with the end; other text is a decision like any
            told = say("lesson.trace.text", self.language, length=length)
            self._held = Line("lesson.trace.text", told, "⑤")

    def _sent(self, request: Request) -> None:
        contents = request.body.get("contents") or []
        self.trace.facts["lengths"].append(len(contents))
        self.trace.facts["requests"] += 1
        self.add("lesson.trace.sent", "③", length=len(contents))

    def _answered(self, response: Response) -> None:
        if not isinstance(response, Answer):
            self.add("lesson.trace.lost")
        elif response.status != 200:
            error = response.body["error"]
            told = f"{error['code']} {error['status']}. {error['message'].strip().splitlines()[0]}"
            self.trace.facts["refusal"] = self.trace.facts["refusal"] or told
            self.add("lesson.trace.refused", told=told)
        else:
            content = response.body["candidates"][0]["content"]
            if calls := function_calls(content):
                told = ", ".join(map(_call, calls))
                self.add("lesson.trace.calls", like=told, calls=told)
            else:
                self.add("lesson.trace.answer", like=visible_text(content))

    def _end(self, record: dict[str, Any]) -> None:
        self._held = None
        told = record["answer"] if record["answer"] is not None else record["message"]
        facts = {"answered": record["answer"] is not None, "told": told, "end": "returned"}
        self.trace.facts.update(record | facts)
        capped = record["stop_reason"] == "max_steps"
        key = "lesson.trace.end.answer" if facts["answered"] else "lesson.trace.end.none"
        stop, status = record["stop_reason"], record["status"]
        self.add(key, "⑧" if capped else "④", stop, stop=stop, status=status)
        self.add("lesson.trace.told", told=told)


def _call(call: dict[str, Any]) -> str:
    given = ", ".join(str(value) for value in (call.get("args") or {}).values())
    return f"{call['name']}({given})"


class _Heard:
    """A responder around a responder."""

    def __init__(
        self,
        responder: Responder,
        sent: Callable[[Request], None],
        answered: Callable[[Response], None],
    ) -> None:
        self._responder = responder
        self._sent = sent
        self._answered = answered

    def respond(self, request: Request) -> Response:
        self._sent(request)
        response = self._responder.respond(request)
        self._answered(response)
        return response
