"""The figures of a report as lines: for a terminal and for the page alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agent.catalogue import Language, say
from agent.evaluation.report import PAIRED, RANKED, Figures

Table = tuple[list[str], list[list[str]]]
"""Headings and rows."""


def systems_table(figures: Figures, language: Language) -> Table:
    """Every figure of every system, a row each."""
    systems: Mapping[str, Figures] = figures["systems"]
    rows: list[list[str]] = []
    for name, read, write in _FIGURES:
        cells = [write(read(each)) for each in systems.values()]
        if any(cell != "-" for cell in cells):
            rows.append([say(f"eval.figure.{name}", language), *cells])
    return [say("eval.figure", language), *systems], rows


def against_tables(figures: Figures, language: Language) -> Iterator[tuple[str, Table]]:
    """For every system but the first: its differences from the first with their intervals."""
    base = next(iter(figures["systems"]))
    for name, each in figures["against"].items():
        rows = [
            [say(f"eval.figure.{key}", language), _signed(found["mean"]), _span(found["interval"])]
            for key in PAIRED
            if (found := each["differences"].get(key))
        ]
        rows += [
            [
                say("eval.ratio", language, what=say(f"eval.figure.{key}", language)),
                f"{found['ratio']:.3f}",
                _span(found["interval"], signed=False),
            ]
            for key, found in each["ratios"].items()
        ]
        for key in ("missed_found", "missed_found_anywhere") if each["missed"] else ():
            of = say("eval.of", language, found=each[key], all=each["missed"])
            told = [
                f"{each[f'{key}_share']:.3f} ({of})",
                _span(each[f"{key}_interval"], signed=False),
            ]
            rows.append([say(f"eval.{key}", language), *told])
        rows.append([say("eval.lost", language), str(each["lost"]), ""])
        for key, value in each["gain_per_cost"].items():
            if key != "points":
                rows.append([say(f"eval.gain.{key}", language), _signed(value), ""])
        headings = [say("eval.figure", language), say("eval.difference", language), "95 %"]
        yield say("eval.against", language, name=name, base=base), (headings, rows)


def summary(figures: Figures, language: Language) -> str:
    """The report as text."""
    told = [about(figures, language), "", *_lines(systems_table(figures, language))]
    for title, table in against_tables(figures, language):
        told += ["", title, *_lines(table)]
    if figures["context"]:
        told += ["", *context_told(figures["context"], language)]
    return "\n".join(told)


def context_told(context: Figures, language: Language) -> Iterator[str]:
    """From which step on filter_context has paid for itself, in a sentence for each way to choose
    lines."""
    for way, each in (("filtered", context), ("gold", context["gold"])):
        yield say(
            f"eval.context.{'never' if each['break_even'] is None else 'paid'}",
            language,
            way=say(f"eval.context.{way}", language),
            selector=round(each["selector"]),
            break_even=each["break_even"],
            steps=each["steps"],
            raw=round(each["raw"][-1]),
            filtered=round(each["filtered"][-1]),
            saved=f"{each['saved']:.0%}",
        )


def about(figures: Figures, language: Language) -> str:
    """What was evaluated, in a line."""
    return say(
        "eval.about",
        language,
        set=figures["set"],
        half=figures["half"],
        questions=figures["questions"],
        answerable=figures["answerable"],
        model=figures["model"],
    )


def _lines(table: Table) -> list[str]:
    from rich.cells import cell_len

    headings, rows = table
    lines = [headings, *rows]
    widths = [max(cell_len(line[n]) for line in lines) for n in range(len(headings))]

    def padded(line: list[str]) -> str:
        first = line[0] + " " * (widths[0] - cell_len(line[0]))
        rest = (" " * (w - cell_len(c)) + c for c, w in zip(line[1:], widths[1:], strict=True))
        return "  ".join([first, *rest]).rstrip()

    return [padded(line) for line in lines]


def _of(*keys: str) -> Callable[[Figures], Any]:
    def read(figures: Figures) -> Any:
        value: Any = figures
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    return read


def _share(value: Any) -> str:
    return "-" if value is None else f"{value:.3f}"


def _with_interval(value: Any) -> str:
    return "-" if value is None else f"{value['mean']:.3f} {_span(value['interval'], signed=False)}"


def _number(value: Any) -> str:
    return "-" if value is None else f"{value:.2f}"


def _seconds(value: Any) -> str:
    return "-" if value is None else f"{value:.3f}"


def _whole(value: Any) -> str:
    return "-" if value is None else f"{value:.0f}"


def _dollars(value: Any) -> str:
    return "-" if value is None else f"{value:.6f}"


def _tally(value: Any) -> str:
    return ", ".join(f"{key} {count}" for key, count in value.items()) if value else "-"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"


def _span(found: tuple[float, float], *, signed: bool = True) -> str:
    low, high = (f"{each:+.3f}" if signed else f"{each:.3f}" for each in found)
    return f"[{low}, {high}]"


_FIGURES: list[tuple[str, Callable[[Figures], Any], Callable[[Any], str]]] = [
    *((name, _of(name), _with_interval) for name in (*RANKED, "found")),
    ("searches", _of("searching", "searches"), _number),
    ("most_searches", _of("searching", "most_searches"), _whole),
    ("rounds", _of("searching", "rounds"), _number),
    ("again", _of("searching", "again"), _share),
    ("again_found", _of("searching", "again_found"), _share),
    ("needless", _of("searching", "needless"), _share),
    ("capped", _of("answers", "capped"), _share),
    ("shown", _of("answers", "shown"), _share),
    ("with_the_answer", _of("answers", "with_the_answer"), _share),
    ("unanswerable_shown", _of("answers", "unanswerable_shown"), _share),
    ("unanswerable_complete", _of("answers", "unanswerable_complete"), _whole),
    ("citation_accuracy", _of("citations", "accuracy"), _share),
    ("citations_of_gold", _of("citations", "of_gold"), _share),
    ("faithful", _of("citations", "faithful"), _share),
    ("judged", _of("citations", "judged"), _tally),
    ("judging_tokens", _of("citations", "judging", "tokens"), _whole),
    ("judging_usd", _of("citations", "judging", "cost_usd"), _dollars),
    ("corpus_first", _of("corpora", "first"), _share),
    ("corpus_among", _of("corpora", "among"), _share),
    ("latency_mean", _of("latency", "mean"), _seconds),
    ("latency_median", _of("latency", "median"), _seconds),
    ("latency_p95", _of("latency", "p95"), _seconds),
    ("requests", _of("usage", "requests"), _number),
    ("prompt_tokens", _of("usage", "prompt_tokens"), _whole),
    ("output_tokens", _of("usage", "output_tokens"), _whole),
    ("cost_usd", _of("usage", "cost_usd"), _dollars),
    ("stop_reason", _of("answers", "stop_reason"), _tally),
]
