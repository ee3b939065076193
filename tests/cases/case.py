"""Failures that people reported in public, as files: what is asked, what the model's side does,
and what must come out.

A case is a JSON object::

    id, area, source    its name, its kind, where it was reported
    about               one line: what goes wrong elsewhere, and what is right
    documents           {file name: text}, asked as with --docs; or
    corpus              "billing", or {file name: text} with a corpus.toml or products.toml in it
    where               optional: conditions on products, as with --where
    questions           one, or several of one conversation
    script              what the server plays, as in agent/offline/scripted.py
    limits, timeout_s   optional
    plain_only          optional: why the case cannot be played with a stream
    expect              what must come out; a list of these when there are several questions

A text may be a list of its lines. The keys of ``expect``, all optional::

    status, stop, answer, missing, steps, exit    as in the record; the exit code of ``ask``
    requests            how many were sent, or {"at_most": n}
    searches            ["tool(query) -> hits|none|unavailable"]
    evidence            the ids that are listed as evidence, in order
    disagreements       [{id: number}] and
    unchecked           ["name=value"], as in the record
    told                texts in the record's message
    shown, hidden       texts that are, or are not, on the screen (progress, drafts, result)
    withheld            texts that are not in the result, though a draft may have shown them
    waits               seconds of each wait; chance may add less than one to each
    retries             waits and immediate repetitions together
    seconds             {"at_most": s}: how long the question may take
    sent                [{"request": n, "path": "contents.-1.parts.0.text", ...}] where n counts
                        the requests of the question from 0, -1 is the last, and the rest is one of
                        "equals": value, "contains": text, "lacks": text, "absent": true
    trace_has           texts in the trace file
    trace_lacks         texts that are not
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.limits import DEFAULT_LIMITS, Limits

AREAS = {
    "turn-order": "TO",
    "parallel-calls": "PC",
    "thought-signature": "TS",
    "malformed-or-mixed-turn": "MF",
    "empty-blocked-truncated": "EB",
    "hallucinated-call": "HC",
    "argument-types": "AT",
    "tool-results": "TR",
    "rate-limit-quota": "RL",
    "network": "NW",
    "keys-and-secrets": "KS",
    "schema-conversion": "SC",
    "loops-and-stopping": "LP",
    "tool-result-injection": "IJ",
    "index-parsing": "IX",
    "judge": "JG",
    "evidence-and-citations": "EV",
    "web-search-and-duplicates": "WD",
    "filters-and-prices": "FP",
    "sdk-and-tests": "SD",
    "context-and-cost": "CC",
    "interrupt": "IN",
    "unicode-and-terminal": "UN",
}
"""Area -> how the ids of its cases begin."""


class BadCase(ValueError):
    """A case file that says something the format does not know."""


@dataclass(frozen=True)
class Sent:
    """One thing about a request: what stands at ``path``, compared in one of four ways."""

    request: int
    path: str
    how: str
    value: Any


@dataclass(frozen=True)
class Expect:
    """What one question must lead to; ``given`` holds only what the case speaks of."""

    given: Mapping[str, Any]
    sent: tuple[Sent, ...] = ()


@dataclass(frozen=True)
class Case:
    """One reported failure, ready to be played."""

    id: str
    about: str
    source: str
    questions: tuple[str, ...]
    script: Mapping[str, Any]
    expect: tuple[Expect, ...]
    documents: Mapping[str, str] | None = None
    corpus: str | Mapping[str, str] | None = None
    where: tuple[str, ...] = ()
    limits: Limits = field(default=DEFAULT_LIMITS)
    timeout_s: float = 10.0
    plain_only: str = ""


def read_case(path: Path) -> Case:
    """The case in ``path``. Raises BadCase for anything that would go unnoticed otherwise."""
    case = case_of(json.loads(path.read_text(encoding="utf-8")))
    _demand(case.id == path.stem, f"{path.name} holds the case {case.id}")
    return case


def case_of(table: Mapping[str, Any]) -> Case:
    """The case that a JSON object describes. Raises BadCase."""
    _check(table, _CASE, "the case")
    _demand(table.keys() >= _REQUIRED, f"missing: {_REQUIRED - table.keys()}")
    _demand(("documents" in table) != ("corpus" in table), "documents or corpus, one of them")
    _demand(table["id"].startswith(AREAS[table["area"]] + "-"), "an id of another area")
    expected = table["expect"] if isinstance(table["expect"], list) else [table["expect"]]
    _demand(len(expected) == len(table["questions"]), "one expectation for each question")
    corpus = table.get("corpus")
    _demand("where" not in table or "products.toml" in (corpus or ()), "where without products")
    return Case(
        id=table["id"],
        about=table["about"],
        source=table["source"],
        questions=tuple(table["questions"]),
        script=table["script"],
        expect=tuple(_expect(each) for each in expected),
        documents=_texts(table["documents"]) if "documents" in table else None,
        corpus=_texts(corpus) if isinstance(corpus, dict) else corpus,
        where=tuple(table.get("where", ())),
        limits=Limits(**table.get("limits", {})),
        timeout_s=table.get("timeout_s", 10.0),
        plain_only=table.get("plain_only", ""),
    )


def _expect(table: Any) -> Expect:
    _check(table, _EXPECT, "expect")
    _demand(bool(table), "an expectation that expects nothing")
    given = {name: value for name, value in table.items() if name != "sent"}
    return Expect(given, tuple(_sent(each) for each in table.get("sent", [])))


def _sent(table: Any) -> Sent:
    _check(table, {**_SENT, **_WAYS}, "sent")
    ways = table.keys() & _WAYS.keys()
    _demand(_SENT.keys() <= table.keys() and len(ways) == 1, "sent: request, path and one way")
    (how,) = ways
    return Sent(table["request"], table["path"], how, table[how])


def _texts(files: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: text if isinstance(text, str) else "\n".join(text) for name, text in files.items()
    }


def _check(table: Any, known: Mapping[str, Callable[[Any], bool]], where: str) -> None:
    _demand(isinstance(table, dict), f"{where} is no object")
    for name, value in table.items():
        _demand(name in known, f"{where}: unknown key {name}")
        _demand(known[name](value), f"{where}: {name} cannot be {value!r}")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise BadCase(otherwise)


def _line(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\n" not in value


def _lines(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _files(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(text, str) or _lines(text) for text in value.values()
    )


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _at_most(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"at_most"} and _number(value["at_most"])


def _objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


_CASE: dict[str, Callable[[Any], bool]] = {
    "id": lambda value: isinstance(value, str) and bool(re.fullmatch(r"[A-Z]{2}-\d\d", value)),
    "area": lambda value: value in AREAS,
    "source": lambda value: _line(value) and value.startswith("https://github.com/"),
    "about": _line,
    "documents": _files,
    "corpus": lambda value: (
        value == "billing"
        or (_files(value) and len(value.keys() & {"corpus.toml", "products.toml"}) == 1)
    ),
    "where": lambda value: _lines(value) and bool(value),
    "questions": lambda value: _lines(value) and bool(value),
    "limits": lambda value: (
        isinstance(value, dict) and value.keys() <= Limits.__annotations__.keys()
    ),
    "timeout_s": lambda value: _number(value) and value > 0,
    "plain_only": _line,
    "script": lambda value: isinstance(value, dict) and value.keys() == {"responses"},
    "expect": lambda value: isinstance(value, dict) or _objects(value),
}
_REQUIRED = {"id", "area", "source", "about", "questions", "script", "expect"}
_EXPECT: dict[str, Callable[[Any], bool]] = {
    "status": _line,
    "stop": _line,
    "answer": lambda value: value is None or isinstance(value, str),
    "missing": _lines,
    "steps": _whole,
    "exit": _whole,
    "requests": lambda value: _whole(value) or _at_most(value),
    "searches": _lines,
    "evidence": _lines,
    "disagreements": _objects,
    "unchecked": _lines,
    "told": _lines,
    "shown": _lines,
    "hidden": _lines,
    "withheld": _lines,
    "waits": lambda value: isinstance(value, list) and all(map(_number, value)),
    "retries": _whole,
    "seconds": _at_most,
    "sent": _objects,
    "trace_has": _lines,
    "trace_lacks": _lines,
}
_SENT: dict[str, Callable[[Any], bool]] = {"request": _whole, "path": _line}
_WAYS: dict[str, Callable[[Any], bool]] = {
    "equals": lambda value: True,
    "contains": lambda value: isinstance(value, str),
    "lacks": lambda value: isinstance(value, str),
    "absent": lambda value: value is True,
}
