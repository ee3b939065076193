"""Two runs step by step: where they do the same, and where they first part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Literal

from agent.traces.reading import Call, Step, TracedRun

Kind = Literal["same", "changed", "only_first", "only_second"]


@dataclass(frozen=True)
class Row:
    """A step of the first run beside that of the second which stands in its place."""

    kind: Kind
    first: Step | None
    second: Step | None


def compare(first: TracedRun, second: TracedRun) -> list[Row]:
    """The steps of both runs, side by side. Steps are the same when the model asked for the same
    and got the same, whatever their ids, signatures and times."""
    left, right = ([_key(step) for step in run.steps] for run in (first, second))
    rows: list[Row] = []
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        pairs = zip_longest(first.steps[a:b], second.steps[c:d])
        rows += [_row(tag == "equal", one, other) for one, other in pairs]
    return rows


def _row(is_same: bool, first: Step | None, second: Step | None) -> Row:
    if first is None or second is None:
        return Row("only_second" if first is None else "only_first", first, second)
    return Row("same" if is_same else "changed", first, second)


def parting(rows: Sequence[Row]) -> Row | None:
    """The first row that is not the same in both."""
    return next((row for row in rows if row.kind != "same"), None)


def _key(step: Step) -> str:
    said = step.reply.data["text"] if step.reply else ""
    return json.dumps([step.outcome, said, [*map(_did, step.calls)]], sort_keys=True)


def _did(call: Call) -> list[Any]:
    hits = [hit["id"] for hit in call.search.data["hits"]] if call.search else call.response
    return [call.name, call.args, hits, call.error]


def differences(first: TracedRun, second: TracedRun) -> Iterator[tuple[str, str, str]]:
    """(figure, first, second) of what both records end with; catalogue keys name the figures."""
    for name in ("status", "stop_reason", "steps", "searches", "evidence", "tokens"):
        yield name, _figure(first, name), _figure(second, name)


def _figure(run: TracedRun, name: str) -> str:
    record = run.record
    if record is None:
        return run.stop_reason if name == "stop_reason" else "-"
    match name:
        case "searches":
            return str(len(record["searches"]))
        case "evidence":
            return ", ".join(each["id"] for each in record["evidence"]) or "-"
        case "tokens":
            usage = record["usage"]
            return str(usage["prompt_tokens"] + usage["output_tokens"])
        case _:
            return str(record[name])
