"""A trace as one page that stands alone, and the difference of two.

Whatever a trace holds is text here: it is escaped, and the page's own policy lets nothing run or
load but the one script and the one style sheet that it brings.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any

from agent.catalogue import Language, say
from agent.chat.telling import ending, figures
from agent.messages import Content, parts
from agent.traces.comparison import Row, compare, differences, parting
from agent.traces.reading import Call, Event, Step, Trace, TracedRun, texts
from agent.traces.show import asked, brief, duration, outcome_of, short, step_line
from tools.tokens import fold

BEGINS = "<!DOCTYPE html>\n<!-- bareloop trace html -->\n"
"""What a page begins with, so that it can be told from a file of somebody else's."""

Pairs = Sequence[tuple[int, int]]

_FOLDER = Path(__file__).parent
_CONTROLS = {
    **{code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
}
"""Control characters, which HTML cannot hold, as the signs that stand for them."""
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 640, 180, 44, 24, 14


def page(first: Trace, second: Trace | None, language: Language, pairs: Pairs = ()) -> str:
    """The page of a trace; with a second one also their questions side by side: ``pairs`` are the
    numbers of those that are compared, else they are compared in their order."""
    style, script = (
        (_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js")
    )
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = say("page.title", language, file=" / ".join(_names(first, second)))
    views = [*_views(first, second, language, pairs)]
    return BEGINS + "\n".join(
        [
            f'<html lang="{language}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(title)}</title><style>{style}</style></head><body>",
            f"<header><h1>{_text(title)}</h1>",
            f'<button type="button" class="theme">{say("page.theme", language)}</button></header>',
            *_left_out([first, second] if second else [first], language),
            _keys(bool(second), language),
            "<nav>",
            *(f'<a href="#{name}">{_text(label)}</a>' for name, label, _ in views),
            "</nav><main>",
            *(body for _, _, body in views),
            f"</main><script>{script}</script></body></html>",
            "",
        ]
    )


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _text(text: str) -> str:
    return escape(text.translate(_CONTROLS))


def _names(first: Trace, second: Trace | None) -> list[str]:
    return [trace.path.name for trace in (first, second) if trace]


def _left_out(traces: Sequence[Trace], language: Language) -> Iterator[str]:
    for trace in traces:
        for problem in trace.left_out:
            yield f'<p class="bad">{_text(f"{trace.path.name}: {problem.say(language)}")}</p>'


def _keys(is_diff: bool, language: Language) -> str:
    keys = ["←", "→", "[", "]", *("d" if is_diff else ""), "t"]
    names = ["step", "step", "view", "view", *(["diff"] if is_diff else []), "theme"]
    meaning: dict[str, list[str]] = {}
    for key, name in zip(keys, names, strict=True):
        meaning.setdefault(name, []).append(f"<kbd>{key}</kbd>")
    told = (
        f"{' '.join(each)} {say(f'page.key.{name}', language)}" for name, each in meaning.items()
    )
    return f'<p class="keys soft">{" · ".join(told)}</p>'


def _views(
    first: Trace, second: Trace | None, language: Language, pairs: Pairs
) -> Iterator[tuple[str, str, str]]:
    """(id, label, HTML) of each view: the differences, then every question."""
    if second is not None:
        in_order = zip_longest(range(1, len(first.runs) + 1), range(1, len(second.runs) + 1))
        body = "".join(_difference(a, b, first, second, language) for a, b in pairs or in_order)
        key = "page.pairs" if pairs else "page.in_order"
        told = f'<p class="soft">{_text(say(key, language))}</p>'
        label = say("page.diff", language)
        yield "diff", label, f'<section class="view diff" id="diff">{told}{body}</section>'
    for mark, trace in zip("ab", [first, second], strict=True):
        if trace is None:
            continue
        for number, run in enumerate(trace.runs, 1):
            name = f"{mark}{number}"
            label = (
                short(run.question, 30) if second is None else f"{name.upper()} {trace.path.name}"
            )
            yield name, label, _View(run, name, language).html()


class _View:
    """One question; ``name`` begins every id in it."""

    def __init__(self, run: TracedRun, name: str, language: Language) -> None:
        self._run = run
        self._name = name
        self._language: Language = language
        self._passages = dict(texts(run)) | {
            each["id"]: each["text"] for each in (run.record or {}).get("evidence", [])
        }
        self._anchors = {each: f"{name}-e{n}" for n, each in enumerate(self._passages, 1)}

    def html(self) -> str:
        run, say_ = self._run, self._say
        when = run.asked_at.strftime("%Y-%m-%d %H:%M:%S %z")
        about = f"{when} · {run.model} · {duration(run.seconds)}"
        return "".join(
            [
                f'<section class="view" id="{self._name}"><h2>{_text(run.question)}</h2>',
                f'<p class="soft">{_text(about)}</p>',
                *self._outcome(),
                *(self._steps() if run.asked_model else [f"<p>{say_('trace.no_model')}</p>"]),
                "</section>",
            ]
        )

    def _steps(self) -> Iterator[str]:
        """What the model and the tools did."""
        run, say_ = self._run, self._say
        yield f"<h3>{say_('page.tokens')}</h3>{token_chart([run], self._language)}"
        yield f"<h3>{say_('page.timeline')}</h3>"
        yield _key(("model", "tool", "wait"), self._language)
        yield f'<ol class="timeline">{"".join(map(self._bar, run.steps))}</ol>'
        yield f'<div class="steps">{"".join(map(self._step, run.steps))}</div>'
        yield f'<h3>{say_("page.history")}</h3><ol class="turns">{"".join(self._turns())}</ol>'
        yield f'<h3>{say_("page.evidence")}</h3><ul class="evidence">'
        yield from self._evidence()
        yield "</ul>"

    def _say(self, key: str, **values: Any) -> str:
        return _text(say(key, self._language, **values))

    def _outcome(self) -> Iterator[str]:
        record = self._run.record
        if record is None:
            line = self._run.events[-1].line
            yield f'<p class="bad">{self._say("trace.unfinished", line=line)}</p>'
            return
        yield f'<p class="soft">{_text(figures(record, self._language))}</p>'
        if record["answer"] is not None:
            yield f"<h3>{self._say('page.answer')}</h3><pre>{self._linked(record['answer'])}</pre>"
        yield f"<p>{_text(ending(record, self._language))}</p>"

    def _linked(self, text: str) -> str:
        """A text whose citations lead to their evidence."""
        names = sorted(self._anchors, key=len, reverse=True)
        if not names:
            return _text(text)
        pattern = re.compile("|".join(re.escape(f"[{name}]") for name in names))
        pieces: list[str] = []
        place = 0
        for found in pattern.finditer(text):
            pieces += [_text(text[place : found.start()]), self._link(found[0][1:-1])]
            place = found.end()
        return "".join([*pieces, _text(text[place:])])

    def _link(self, name: str) -> str:
        anchor = self._anchors.get(name)
        return f'<a href="#{anchor}">[{_text(name)}]</a>' if anchor else f"[{_text(name)}]"

    def _bar(self, step: Step) -> str:
        spans = [*self._spans(step)]
        start, end = self._window
        scale = 1000 / ((end - start) or 1)
        drawn = "".join(
            f'<rect class="{kind}" x="{max(0.0, (begin - start) * scale):.1f}" y="2" height="12" '
            f'width="{max(3.0, seconds * scale):.1f}"><title>{duration(seconds)}</title></rect>'
            for kind, begin, seconds in spans
        )
        calls = ", ".join(call.name for call in step.calls)
        number = f"{step.number}. " if step.request else ""
        label = f"{number}{outcome_of(step, self._language)} {calls}".strip()
        return (
            f'<li><button type="button"><span>{_text(label)}</span>'
            f'<svg viewBox="0 0 1003 16" preserveAspectRatio="none" height="16" role="img">'
            f"{drawn}</svg></button></li>"
        )

    @property
    def _window(self) -> tuple[float, float]:
        """From the first request to the end."""
        run = self._run
        asked_at = [step.request.at for step in run.steps if step.request]
        return min(asked_at, default=run.start.at), run.events[-1].at

    def _spans(self, step: Step) -> Iterator[tuple[str, float, float]]:
        """(kind, start, seconds) of what took time."""
        if step.request is not None:
            yield "model", step.request.at, step.model_seconds
        for wait in step.named("wait"):
            yield "wait", wait.at, wait.data["seconds"]
        for call in step.calls:
            if call.tool is not None:
                yield "tool", call.tool.data["started"], call.tool.data["seconds"]

    def _step(self, step: Step) -> str:
        place = self._run.steps.index(step)
        before = self._run.steps[place - 1] if place else None
        past = len(self._run.start.data["history"])
        from_ = len(before.seen) if before else past
        to = len(step.seen) if step.request else past + len(self._run.contents)
        body = [
            f'<article class="step" id="{self._name}-s{step.number}" '
            f'data-from="{from_}" data-to="{to}">',
            f"<h3>{_text(step_line(step, self._language))}</h3>",
        ]
        if step.request is not None:
            names = ", ".join(str(each.get("name")) for each in step.tools)
            mode = step.request.data["mode"]
            body += [
                _folded(self._say("page.system"), step.system),
                _folded(self._say("page.tools", mode=mode, names=names), _json(step.tools)),
            ]
        events = step.named("wait", "consulted", "plan", "filter", "judge", "sufficiency")
        body += [f"<p>{_text(brief(each, self._language))}</p>" for each in events]
        body += map(self._call, step.calls)
        if step.reply is not None and step.reply.data["text"]:
            body.append(f"<pre>{self._linked(step.reply.data['text'])}</pre>")
        return "".join([*body, "</article>"])

    def _call(self, call: Call) -> str:
        time = f" · {duration(call.tool.data['seconds'])}" if call.tool else ""
        told = [f"<p><code>{_text(asked(call))}</code>{time}"]
        if call.error is not None:
            code = self._say("trace.error", code=call.error.get("code"))
            told.append(f' <span class="bad">{code}</span>')
        if call.search is not None:
            found = call.search.data
            hits = " ".join(self._link(hit["id"]) for hit in found["hits"])
            missing = ", ".join(found["missing"])
            told.append(f" → {hits or self._say('tell.' + found['outcome'])}")
            told.append(f"; {self._say('tell.missing', missing=missing)}" if missing else "")
        return "".join([*told, "</p>"])

    def _turns(self) -> Iterator[str]:
        past: list[Content] = self._run.start.data["history"]
        turns: list[tuple[Content, Event | None]] = [(content, None) for content in past]
        turns += self._run.contents
        for number, (content, event) in enumerate(turns):
            said = self._say("page.earlier") if event is None else f"#{event.line}"
            told = "".join(map(_part, parts(content)))
            role = f"{number + 1}. {_text(content['role'])} · {said}"
            yield f'<li data-turn="{number}"><span class="role">{role}</span>{told}</li>'

    def _evidence(self) -> Iterator[str]:
        record = self._run.record or {}
        cited = {each["id"] for each in record.get("citations", [])}
        for name, text in self._passages.items():
            found = [
                f'<a href="#{self._name}-s{step.number}">{step.number}</a>'
                for step in self._run.steps
                if any(hit["id"] == name for each in step.searches for hit in each.data["hits"])
            ]
            steps = f" · {self._say('page.found')} {', '.join(found)}" if found else ""
            mark = f" · <strong>{self._say('page.cited')}</strong>" if name in cited else ""
            yield (
                f'<li id="{self._anchors[name]}"><strong>[{_text(name)}]</strong> {_text(text)}'
                f'<span class="soft">{steps}{mark}</span></li>'
            )
        if not self._passages:
            yield f"<li>{self._say('tell.none')}</li>"


def _part(part: Mapping[str, Any]) -> str:
    told = []
    if isinstance(part.get("text"), str):
        told.append(part["text"])
    if part.get("functionCall") is not None:
        call = part["functionCall"]
        told.append(f"functionCall {call['name']}({_json(call.get('args') or {})})")
    if part.get("functionResponse") is not None:
        response = part["functionResponse"]
        told.append(f"functionResponse {response['name']}: {_json(response['response'])}")
    if signature := part.get("thoughtSignature"):
        told.append(f"thoughtSignature ({len(str(signature))})")
    return f"<pre>{_text(chr(10).join(told) or _json(part))}</pre>"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _folded(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary><pre>{_text(text)}</pre></details>"


def _key(kinds: Sequence[str], language: Language) -> str:
    marks = (
        f'<span><svg viewBox="0 0 10 10"><rect class="{kind}" width="10" height="10"/></svg>'
        f"{_text(say(f'page.kind.{kind}', language))}</span>"
        for kind in kinds
    )
    return f'<p class="key soft">{"".join(marks)}</p>'


def token_chart(runs: Sequence[TracedRun], language: Language) -> str:
    """Prompt and output tokens of every step, the runs beside each other."""
    used = [[_tokens(step) for step in run.steps if step.request] for run in runs]
    steps = max(map(len, used), default=0)
    top = max((given + written for each in used for given, written in each), default=0) or 1
    room = (_WIDTH - _LEFT) / max(1, steps)
    wide = min(40.0, room * 0.8 / len(runs))
    floor, scale = _HEIGHT - _BOTTOM, (_HEIGHT - _BOTTOM - _TOP) / top
    drawn = [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH}" y1="{floor}" y2="{floor}"/>'
        f'<text x="{_LEFT - 4}" y="{floor}" text-anchor="end">0</text>'
        f'<text x="{_LEFT - 4}" y="{_TOP + 8}" text-anchor="end">{top}</text>'
    ]
    for number, each in enumerate(used):
        for place, (given, written) in enumerate(each):
            x = _LEFT + place * room + number * (wide + 2) + room * 0.1
            for kind, low, amount in (("prompt", 0, given), ("output", given, written)):
                height = amount * scale
                drawn.append(
                    f'<rect class="{kind}" x="{x:.1f}" y="{floor - low * scale - height:.1f}" '
                    f'width="{wide:.1f}" height="{height:.1f}"><title>{amount}</title></rect>'
                )
    for place in range(steps):
        x = _LEFT + place * room + room * 0.1
        drawn.append(f'<text x="{x:.1f}" y="{_HEIGHT - 8}">{place + 1}</text>')
    title = _text(say("page.tokens", language))
    return (
        f'<figure><svg class="tokens" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
        f"<title>{title}</title>{''.join(drawn)}</svg>"
        f"<figcaption>{_key(('prompt', 'output'), language)}</figcaption></figure>"
    )


def _tokens(step: Step) -> tuple[int, int]:
    used = step.reply.data if step.reply else {"prompt_tokens": 0, "output_tokens": 0}
    return used["prompt_tokens"], used["output_tokens"]


def _difference(
    a: int | None, b: int | None, first: Trace, second: Trace, language: Language
) -> str:
    """A question of each trace, by their numbers, side by side."""
    names = [f"A {first.path.name}", f"B {second.path.name}"]
    one = first.runs[a - 1] if a is not None else None
    other = second.runs[b - 1] if b is not None else None
    if one is None or other is None:
        alone = one or other
        assert alone is not None
        told = say("page.only_in", language, file=names[one is None])
        return f"<h2>{_text(alone.question)}</h2><p>{_text(told)}</p>"
    rows = compare(one, other)
    parted = parting(rows)
    title = f"A{a} · B{b} {one.question}"
    differ = ""
    if fold(one.question) != fold(other.question):
        title = f"A{a} {one.question} / B{b} {other.question}"
        differ = f'<p class="bad">{_text(say("page.other_question", language))}</p>'
    key = "page.same" if parted is None else "page.parts"
    at = rows.index(parted) + 1 if parted else 0
    head = "".join(f"<th>{_text(each)}</th>" for each in ["", *names])
    figures_ = "".join(
        f"<tr{_class(left, right)}><th>{_text(say(f'page.figure.{name}', language))}</th>"
        f"<td>{_text(left)}</td><td>{_text(right)}</td></tr>"
        for name, left, right in differences(one, other)
    )
    body = "".join(_row(number, row, row is parted, language) for number, row in enumerate(rows, 1))
    return (
        f"<h2>{_text(title)}</h2>{differ}<p>{_text(say(key, language, row=at))}</p>"
        f"<table><tr>{head}</tr>{figures_}</table>"
        f"{token_chart([one, other], language)}{body}"
    )


def _class(first: str, second: str) -> str:
    return "" if first == second else ' class="bad"'


def _row(number: int, row: Row, is_parting: bool, language: Language) -> str:
    here = f" · {_text(say('page.here', language))}" if is_parting else ""
    label = f"{number}. {_text(say(f'page.row.{row.kind}', language))}{here}"
    cells = "".join(_cell(*each, language) for each in (("A", row.first), ("B", row.second)))
    return f'<div class="row {row.kind}"><div class="label soft">{label}</div>{cells}</div>'


def _cell(side: str, step: Step | None, language: Language) -> str:
    if step is None:
        return '<div class="empty"></div>'
    lines = [step_line(step, language)]
    for call in step.calls:
        found = [hit["id"] for hit in call.search.data["hits"]] if call.search else []
        error = say("trace.error", language, code=call.error.get("code")) if call.error else ""
        lines.append(f"{asked(call)} → {', '.join(found) or error or '-'}")
    if step.reply is not None and step.reply.data["text"]:
        lines.append(step.reply.data["text"])
    told = "".join(f"<p>{_text(line)}</p>" for line in lines)
    return f'<div class="side {side.lower()}"><strong class="soft">{side}</strong>{told}</div>'
