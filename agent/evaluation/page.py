"""The report as one page that stands alone: no script, no font and no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from agent.catalogue import Language, say
from agent.evaluation.report import Figures
from agent.evaluation.summary import Table, about, against_tables, context_told, systems_table

BEGINS = "<!DOCTYPE html>\n<!-- bareloop eval -->\n"
"""What every page begins with."""

_WIDTH, _HEIGHT = 640, 240
_LEFT, _BOTTOM, _TOP = 52, 34, 14
_COLOURS = 6

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #ffffff; --faint: #d5dae2;
 --soft: #5b6675;
 --c0: #3b6fb6; --c1: #c2562d; --c2: #3d8a5b; --c3: #8455a8; --c4: #a67c1a; --c5: #3f8c98; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --paper: #14181f; --faint: #364152;
 --soft: #9aa6b6; --c0: #7fb0f0; --c1: #f09a75; --c2: #82cf9f;
 --c3: #c79be6; --c4: #e0bd62; --c5: #7fd0dc; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
 max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0 2rem; }
th, td { border-bottom: 1px solid var(--faint); padding: .25rem .8rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1rem 0 2rem; } figcaption { font-weight: 600; }
svg { width: 100%; max-width: 40rem; height: auto; }
svg text { fill: var(--ink); font-size: 12px; } svg .soft { fill: var(--soft); }
svg .axis { stroke: var(--faint); } svg .whisker { stroke: var(--ink); stroke-width: 1.5; }
.wide { overflow-x: auto; } .key { display: inline-block; margin-right: 1.2rem; }
.key span { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; }
"""


def page(figures: Figures, language: Language) -> str:
    """The page of a report, as XHTML that any reader of XML can open."""
    title = say("eval.title", language, set=figures["set"])
    systems: Mapping[str, Figures] = figures["systems"]
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(about(figures, language))}</p>",
        f"<p>{''.join(_key(n, name) for n, name in enumerate(systems))}</p>",
        *_charts(systems, language),
        *_context(figures["context"], language),
        _table(systems_table(figures, language)),
    ]
    for heading, table in against_tables(figures, language):
        body += [f"<h2>{escape(heading)}</h2>", _table(table)]
    return BEGINS + "\n".join(
        [
            f'<html xmlns="http://www.w3.org/1999/xhtml" lang="{language}">',
            f'<head><meta charset="utf-8"/><title>{escape(title)}</title>',
            '<meta name="viewport" content="width=device-width"/>',
            f"<style>{_STYLE}</style></head>",
            "<body>",
            *body,
            "</body></html>",
        ]
    )


def _charts(systems: Mapping[str, Figures], language: Language) -> Iterator[str]:
    names = ("recall@5", "recall@10", "ndcg@10", "complete@10", "found")
    bars = {
        say(f"eval.figure.{name}", language): [each[name] for each in systems.values()]
        for name in names
        if all(name in each for each in systems.values())
    }
    if bars:
        yield _figure(say("eval.chart.evidence", language), _bars(bars, 1.0))
    latency = {
        say(f"eval.figure.latency_{name}", language): [
            {"mean": each["latency"][name]} for each in systems.values()
        ]
        for name in ("mean", "median", "p95")
    }
    yield _figure(say("eval.chart.latency", language), _bars(latency, None))
    steps = [each["usage"]["prompt_tokens_by_step"] for each in systems.values()]
    yield _figure(say("eval.chart.growth", language), _lines(steps))


def _context(context: Figures | None, language: Language) -> Iterator[str]:
    """How a question grows with filter_context and without, and what that comes to."""
    if context:
        ways = {"raw": context["raw"], "filtered": context["filtered"]}
        ways["gold"] = context["gold"]["filtered"]
        caption = say(
            "eval.chart.context", language, steps=context["steps"], questions=context["questions"]
        )
        yield _figure(caption, _lines([*ways.values()]))
        keys = (_key(n, say(f"eval.context.{way}", language)) for n, way in enumerate(ways))
        yield f"<p>{''.join(keys)}</p>"
        for sentence in context_told(context, language):
            yield f"<p>{escape(sentence)}</p>"


def _figure(caption: str, drawing: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawing}</figure>"


def _key(number: int, name: str) -> str:
    colour = f"background: var(--c{number % _COLOURS})"
    return f'<span class="key"><span style="{colour}"></span>{escape(name)}</span>'


def _bars(groups: Mapping[str, Sequence[Figures]], most: float | None) -> str:
    """Groups of bars, one bar for each system, with a whisker where there is an interval."""
    top = most or max((each["mean"] for group in groups.values() for each in group), default=1) or 1
    room = (_WIDTH - _LEFT) / len(groups)
    drawn = [*_axis(top)]
    for place, (name, group) in enumerate(groups.items()):
        wide = room * 0.8 / len(group)
        for number, each in enumerate(group):
            x = _LEFT + place * room + room * 0.1 + number * wide
            y = _y(each["mean"], top)
            drawn.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide * 0.9:.1f}" '
                f'height="{_HEIGHT - _BOTTOM - y:.1f}" fill="var(--c{number % _COLOURS})">'
                f"<title>{escape(name)}: {each['mean']:.3f}</title></rect>"
            )
            if "interval" in each:
                low, high = (_y(value, top) for value in each["interval"])
                middle = x + wide * 0.45
                drawn.append(
                    f'<line class="whisker" x1="{middle:.1f}" x2="{middle:.1f}" '
                    f'y1="{low:.1f}" y2="{high:.1f}"/>'
                )
        centre = _LEFT + (place + 0.5) * room
        drawn.append(
            f'<text x="{centre:.1f}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(name)}</text>'
        )
    return _svg(drawn)


def _lines(series: Sequence[Sequence[float]]) -> str:
    """A line for each system over the steps of a question."""
    top = max((value for each in series for value in each), default=1) or 1
    steps = max(map(len, series), default=1)
    room = (_WIDTH - _LEFT) / max(1, steps)
    drawn = [*_axis(top)]
    for number, values in enumerate(series):
        colour = f"var(--c{number % _COLOURS})"
        points = [
            (_LEFT + (place + 0.5) * room, _y(value, top)) for place, value in enumerate(values)
        ]
        told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(f'<polyline points="{told}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
            f"<title>{values[place]:.0f}</title></circle>"
            for place, (x, y) in enumerate(points)
        ]
    drawn += [
        f'<text x="{_LEFT + (place + 0.5) * room:.1f}" y="{_HEIGHT - 12}" '
        f'text-anchor="middle">{place + 1}</text>'
        for place in range(steps)
    ]
    return _svg(drawn)


def _axis(top: float) -> Iterator[str]:
    for part in range(5):
        value = top * part / 4
        y = _y(value, top)
        yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
        told = f"{value:.0f}" if top > 20 else f"{value:.3g}"
        yield f'<text class="soft" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{told}</text>'


def _y(value: float, top: float) -> float:
    return _HEIGHT - _BOTTOM - (value / top) * (_HEIGHT - _BOTTOM - _TOP)


def _svg(drawn: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
        f"{''.join(drawn)}</svg>"
    )


def _table(table: Table) -> str:
    headings, rows = table
    head = "".join(f"<th>{escape(each)}</th>" for each in headings)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'
