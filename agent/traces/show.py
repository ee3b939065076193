"""A trace on a terminal: a tree of steps with what each took and found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from agent.catalogue import Language, say
from agent.chat.telling import ending, evidence_line, figures, searched
from agent.console import shortened
from agent.messages import Outcome, function_calls, function_responses, visible_text
from agent.traces.reading import Call, Event, Step, Trace, TracedRun, texts

_SHORT = 70
"""Cells of a text that stands in one line."""


class Node(NamedTuple):
    """A line of a tree, and what hangs on it."""

    text: str
    children: Sequence[Node] = ()


def show(trace: Trace, language: Language) -> str:
    """Every question of a trace, and what was left out of it."""
    told = [_run(run, language) for run in trace.runs]
    return "\n\n".join([*told, *(each.say(language) for each in trace.left_out)])


def duration(seconds: float) -> str:
    """Seconds as a person reads them: 0.4 ms, 25 ms, 1.5 s."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    thousandths = seconds * 1000
    return f"{thousandths:.1f} ms" if thousandths < 9.95 else f"{thousandths:.0f} ms"


def short(text: str, cells: int = _SHORT) -> str:
    """The beginning of a text, in one line."""
    return shortened(" ".join(text.split()), cells)


def asked(call: Mapping[str, Any] | Call) -> str:
    """A call with its arguments."""
    name, args = (
        (call.name, call.args) if isinstance(call, Call) else (call["name"], call.get("args") or {})
    )
    written = ", ".join(f"{key}={_value(each)}" for key, each in args.items())
    return f"{name}({short(written)})"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _run(run: TracedRun, language: Language) -> str:
    when = run.asked_at.strftime("%Y-%m-%d %H:%M:%S %z")
    head = f"{run.question}\n{when} · {run.model} · {duration(run.seconds)}"
    known = dict(texts(run))
    nodes = [*_routed(run, language), *(_step(step, known, language) for step in run.steps)]
    if not run.asked_model:
        nodes = [*_routed(run, language), Node(say("trace.no_model", language))]
    nodes.append(_end(run, language))
    return "\n".join([head, *_tree(nodes)])


def _routed(run: TracedRun, language: Language) -> Iterator[Node]:
    for event in run.events:
        if event.name == "route" or (event.name == "consulted" and not run.asked_model):
            yield Node(brief(event, language))


def step_line(step: Step, language: Language) -> str:
    """What a step was, how long the model took, its tokens and the length of its history."""
    if step.request is None:
        return outcome_of(step, language)
    number = f"{step.number}. {outcome_of(step, language)}"
    parts = [number, say("trace.model", language, time=duration(step.model_seconds))]
    if step.reply is not None:
        used = step.reply.data
        given, written = used["prompt_tokens"], used["output_tokens"]
        parts.append(say("trace.tokens", language, prompt=given, output=written))
    parts.append(say("trace.history", language, length=step.request.data["history"]))
    return " · ".join(parts)


def outcome_of(step: Step, language: Language) -> str:
    """What a reply was, in words."""
    return _word(step.outcome, language) if step.outcome else say("trace.waiting", language)


def _word(outcome: str, language: Language) -> str:
    """An outcome that this program knows in words; another one as it stands in the trace."""
    known = outcome in get_args(Outcome)
    return say(f"trace.outcome.{outcome}", language) if known else outcome


def _step(step: Step, known: Mapping[str, str], language: Language) -> Node:
    children = [Node(brief(each, language)) for each in step.named("wait", "consulted")]
    for call in step.calls:
        children.append(_call(call, known, language))
    judged = step.named("plan", "filter", "judge", "sufficiency")
    children += [Node(brief(each, language)) for each in judged]
    if step.outcome not in ("calls", "") and step.reply and step.reply.data["text"]:
        children.append(Node(short(step.reply.data["text"])))
    return Node(step_line(step, language), children)


def _call(call: Call, known: Mapping[str, str], language: Language) -> Node:
    time = f" · {duration(call.tool.data['seconds'])}" if call.tool else ""
    children: list[Node] = []
    if call.search is not None:
        line = searched(call.search.data, language)
        found = [
            Node(
                evidence_line(
                    {"id": hit["id"], "text": short(known[hit["id"]]), "source": ""}, language
                )
            )
            for hit in call.search.data["hits"]
            if hit["id"] in known
        ]
        return Node(line + time + _error(call, language), found)
    return Node(asked(call) + time + _error(call, language), children)


def _error(call: Call, language: Language) -> str:
    if call.error is None:
        return ""
    told = say("trace.error", language, code=call.error.get("code"))
    return f" · {told}: {short(str(call.error.get('message')))}"


def _end(run: TracedRun, language: Language) -> Node:
    record = run.record
    if record is None:
        return Node(say("trace.unfinished", language, line=run.events[-1].line))
    cited = ", ".join(
        f"[{each['id']}]" + ("" if each["ok"] else " ?") for each in record["citations"]
    )
    children = [Node(short(ending(record, language), 200))]
    if cited:
        children.append(Node(say("trace.cited", language, ids=cited)))
    return Node(figures(record, language), children)


def _tree(nodes: Sequence[Node], indent: str = "") -> Iterator[str]:
    for node in nodes:
        is_last = node is nodes[-1]
        yield f"{indent}{'└' if is_last else '├'} {node.text}"
        yield from _tree(node.children, indent + ("  " if is_last else "│ "))


def brief(event: Event, language: Language) -> str:
    """One event in one line."""
    data = event.data
    match event.name:
        case "request":
            tools = ", ".join(each["name"] for each in data.get("tools", []))
            length = say("trace.history", language, length=data["history"])
            told = say("trace.request", language, step=data["step"], mode=data["mode"])
            return f"{told}, {length}" + (
                ", " + say("trace.tools", language, names=tools) if tools else ""
            )
        case "reply":
            cause = f" ({data['cause']})" if data["cause"] else ""
            text = f": {short(data['text'])}" if data["text"] else ""
            outcome = _word(data["outcome"], language)
            if data["outcome"] != "stopped":  # a limit that bit is no reply of the model
                outcome = say("trace.reply", language, step=data["step"], outcome=outcome)
            return f"{outcome}{cause}{text}"
        case "consulted":
            why = f" ({data['objection']})" if data["objection"] else ""
            outcome = _word(data["outcome"], language)
            told = say("trace.consulted", language, outcome=outcome)
            return f"{told}{why}: {short(data['text'])}"
        case "content":
            return _content(data["content"], language)
        case "search":
            return say("trace.search", language, told=searched(data, language))
        case "filter":
            named = {name: data[name] for name in ("outcome", "kept", "lines")}
            return say("trace.filter", language, **named)
        case "judge":
            return say("tell.judged", language, verdict=data["verdict"], ids=", ".join(data["ids"]))
        case "plan":
            return say("tell.plan", language, pieces="; ".join(data["requirements"]))
        case "sufficiency" if data["sufficient"]:
            return say("tell.enough", language)
        case "sufficiency":
            return say("tell.not_enough", language, missing=", ".join(data["missing"]) or "-")
        case "wait":
            outcome, time = _word(data["outcome"], language), duration(data["seconds"])
            return say("trace.wait", language, time=time, outcome=outcome, cause=data["cause"])
        case "route":
            return say("trace.route", language, route=data["route"], reason=data["reason"])
        case "end":
            record = data["record"]
            return say("trace.end", language, status=record["status"], stop=record["stop_reason"])
        case _:
            return event.name


def _content(content: Mapping[str, Any], language: Language) -> str:
    turn = dict(content)
    if calls := function_calls(turn):
        return say("trace.calls", language, calls=", ".join(asked(each) for each in calls))
    if responses := function_responses(turn):
        return ", ".join(
            f"{each['name']} -> {_outcome(each['response'], language)}" for each in responses
        )
    return f"{turn['role']}: {short(visible_text(turn))}"


def _outcome(response: Mapping[str, Any], language: Language) -> str:
    error = response.get("error")
    if error is not None:
        code = error.get("code", "") if isinstance(error, dict) else error
        return say("trace.error", language, code=code)
    return short(json.dumps(response.get("output"), ensure_ascii=False))
