"""How a run is told to a person: lines while it works, and the result at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from agent.catalogue import Language, say
from agent.run import Event, Run
from agent.settings import OFFLINE

MOST_ALSO = 5
"""Passages of the same text that are named beside the one that is shown."""

EXIT_CODES = {
    "interrupted": 130,
    "network": 6,
    "quota": 6,
    "blocked": 5,
    "empty": 5,
    "malformed": 5,
    "truncated": 5,
    "rejected": 5,
    "unsupported": 4,
    "held": 4,
}
"""Stop reason -> exit code of ``ask``; any other run without a shown answer is 3."""


_SMALLEST_USD = 0.0001


def exit_code(run: Run) -> int:
    """0 for an answer that may be shown, else the code of why there is none."""
    code = EXIT_CODES.get(str(run.stop_reason), 0)
    return code or (0 if run.answer is not None else 3)


def result(run: Run) -> str:
    """The whole result as plain text: the answer or why there is none, the evidence, one line of
    figures."""
    language = run.language
    record = run.as_record()
    told = [run.shown if run.shown is not None else run.message]
    if run.partial is not None:
        told.append(f"{say('tell.partial', language)}\n{run.partial}")
    plain, apart = evidence_parts(record)
    for key, passages in (("tell.evidence", plain), ("tell.orders", apart)):
        if passages:
            told.append("\n".join([say(key, language), *evidence_lines(passages, language)]))
    told.append("\n".join([*reservations(run), *run.circumstances, figures(record, language)]))
    return "\n\n".join(told)


def ending(record: dict[str, Any], language: Language) -> str:
    """Why a question ended as it did, in words, also where it was answered."""
    if record["answer"] is not None:
        is_open = record["status"] == "open"  # no plan says what would be needed
        return say("stop.answered.open" if is_open else "stop.answered", language)
    return str(record["message"])


def short_result(run: Run) -> str:
    """The answer alone with what must stand beside it, or why there is none."""
    shown = run.shown if run.shown is not None else run.message
    return "\n".join([shown, *reservations(run)])


def reservations(run: Run) -> Iterator[str]:
    """What the reader should know beside the answer, one line each."""
    if run.answer is not None:
        yield from run.caveats
    tools = ", ".join(run.unsearched)
    if run.evidence and run.evidence.found and tools and tools not in run.message:
        yield say("tell.unsearched", run.language, tools=tools)
    if unknown := run.judgements.count("unknown"):
        total = len(run.judgements)
        yield say("tell.unknown_verdicts", run.language, unknown=unknown, all=total)


def evidence_line(evidence: dict[str, Any], language: Language, slots: Collection[str] = ()) -> str:
    """A passage as it was found; one of a page with the page's address, one that is there for
    several slots with their names, one of a text that stands elsewhere too with where."""
    beside = [evidence["source"]] if evidence["source"].startswith(("http://", "https://")) else []
    beside += [", ".join(slots)] if len(slots) > 1 else []
    if also := evidence.get("also_in"):
        more = ", …" if len(also) > MOST_ALSO else ""
        beside.append(say("tell.also", language, ids=", ".join(also[:MOST_ALSO]) + more))
    return " ".join([f"[{evidence['id']}] {evidence['text']}", *(f"({each})" for each in beside)])


def evidence_parts(record: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """The evidence, and apart from it what reads like orders to the model."""
    apart = [each for each in record["evidence"] if each["id"] in record["orders"]]
    return [each for each in record["evidence"] if each not in apart], apart


def evidence_lines(evidence: Sequence[dict[str, Any]], language: Language) -> Iterator[str]:
    """Passages as they were found, each once."""
    slots: dict[str, dict[str, None]] = {}
    for each in evidence:
        slots.setdefault(each["id"], {}).update({each["slot"]: None} if each["slot"] else {})
    for name, each in {one["id"]: one for one in evidence}.items():
        yield evidence_line(each, language, slots[name])


def figures(record: dict[str, Any], language: Language) -> str:
    """One quiet line: status, stop reason, steps, searches, tokens, and the cost by list price or
    that it is not known; the offline model has none."""
    usage = record["usage"]
    line = say(
        "tell.figures",
        language,
        status=record["status"],
        stop=record["stop_reason"],
        steps=record["steps"],
        searches=len(record["searches"]),
        tokens=usage["prompt_tokens"] + usage["output_tokens"],
        model=record["model"],
    )
    cost = usage["cost_usd"]
    if cost is not None:
        key = "tell.cost" if cost >= _SMALLEST_USD else "tell.cost_small"
        return f"{line} · {say(key, language, cost=f'{cost:.4f}')}"
    if usage["requests"] and record["model"] != OFFLINE:
        return f"{line} · {say('tell.cost_unknown', language)}"
    return line


def progress(
    write: Callable[[str], None], language: Language, verbose: bool
) -> Callable[[Event], None]:
    """A listener that writes one line for each search, selection, verdict and wait; ``verbose``
    adds the calls, the responses and the length of the history."""
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        match event["event"]:
            case "search":
                count += 1
                write(search_line(count, event, language))
            case "filter":
                write(_filter_line(event, language))
            case "plan":
                write(say("tell.plan", language, pieces="; ".join(event["requirements"])))
            case "sufficiency" if event["sufficient"]:
                write(say("tell.enough", language))
            case "sufficiency":
                missing = ", ".join(event["missing"]) or "-"
                write(say("tell.not_enough", language, missing=missing))
            case "judge":
                ids = ", ".join(event["ids"])
                write(say("tell.judged", language, verdict=event["verdict"], ids=ids))
            case "wait":
                write(_wait_line(event, language))
            case "reply" if verbose and event["outcome"] != "stopped":
                write(say("tell.step", language, **event))
            case "content" if verbose:
                write(json.dumps(event["content"], ensure_ascii=False))
            case _:
                pass

    return listen


def _filter_line(selection: dict[str, Any], language: Language) -> str:
    """What was kept of what, what choosing cost, and when that has paid."""
    parts = [say(f"tell.filtered.{selection['outcome']}", language, **selection)]
    if selection["break_even"] is None:
        parts.append(say("tell.filtered_pays.never", language))
    elif selection["tokens"]:
        parts.append(say("tell.filtered_pays.later", language, **selection))
    if selection["left_out"]:
        ids = ", ".join(selection["left_out"])
        parts.append(say("tell.filtered_left_out", language, ids=ids))
    return "; ".join(parts)


def _wait_line(wait: dict[str, Any], language: Language) -> str:
    """Every repetition is told, also one that follows at once: it may cost as much as the first."""
    key = f"wait.retry.{wait['outcome']}.{wait['cause']}"
    return say(key, language, code=wait["status_code"], **wait)


def search_line(number: int, search: dict[str, Any], language: Language) -> str:
    """One search with its number."""
    return f"{number}. {searched(search, language)}"


def searched(search: Mapping[str, Any], language: Language) -> str:
    """One search: the tool, its query, what came of it, what is still missing."""
    found = came_of(search, language)
    line = f"{search['tool']}({search['query']}) -> {found}"
    if search["missing"]:
        line += "; " + say("tell.missing", language, missing=", ".join(search["missing"]))
    return line


def came_of(search: Mapping[str, Any], language: Language) -> str:
    """What a search brought: ids, what had no room, or that there was nothing."""
    hits = search["hits"]
    found = ", ".join(hit["id"] for hit in hits)
    if hits and all(hit.get("closest") for hit in hits):
        found += f" ({say('tell.closest', language)})"
    if count := search.get("no_room", 0):
        full = say("tell.no_room", language, count=count)
        return f"{found} ({full})" if hits else full
    return found if hits else say(f"tell.{search['outcome']}", language)
