"""What came out, against what a case says must come out."""

from __future__ import annotations

import json
from typing import Any

from agent.chat.telling import exit_code, result
from tests.cases.case import Expect, Sent
from tests.cases.play import Played


def differences(played: Played, expected: Expect) -> list[str]:
    """What came out otherwise than the case says."""
    found = [
        f"{name}: {_come_out(played, name)!r}"
        for name, wanted in expected.given.items()
        if not _is_met(name, wanted, _come_out(played, name))
    ]
    return found + [
        f"{each}: {_at(played.requests[each.request], each.path)!r}"
        for each in expected.sent
        if not _holds(each, _at(played.requests[each.request], each.path))
    ]


def _come_out(played: Played, name: str) -> Any:
    run = played.run
    match name:
        case "stop":
            return run.stop_reason
        case "exit":
            return exit_code(run)
        case "requests":
            return len(played.requests)
        case "searches":
            return [
                f"{each['tool']}({each['query']}) -> {each['outcome']}"
                for each in run.as_record()["searches"]
            ]
        case "shown" | "hidden":
            return played.screen
        case "evidence":
            return [each["id"] for each in run.as_record()["evidence"]]
        case "told":
            return run.message
        case "withheld":
            return result(run)
        case "trace_has" | "trace_lacks":
            return played.trace
        case "waits" | "retries":
            return getattr(played, name)
        case _:
            return run.as_record()[name]


def _is_met(name: str, wanted: Any, found: Any) -> bool:
    match name:
        case "shown" | "told" | "trace_has":
            return all(text in found for text in wanted)
        case "hidden" | "withheld" | "trace_lacks":
            return not any(text in found for text in wanted)
        case "waits":
            pairs = zip(wanted, found, strict=False)
            return len(wanted) == len(found) and all(low <= wait < low + 1 for low, wait in pairs)
    if isinstance(wanted, dict):
        return found <= wanted["at_most"]
    return found == wanted


_NOTHING = object()


def _at(value: Any, path: str) -> Any:
    """What stands at a path such as ``contents.-1.parts.0.text``."""
    for step in path.split("."):
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except (LookupError, TypeError):
            return _NOTHING
    return value


def _holds(sent: Sent, found: Any) -> bool:
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, default=str)
    match sent.how:
        case "absent":
            return found is _NOTHING
        case "equals":
            return found == sent.value
        case "contains":
            return found is not _NOTHING and sent.value in text
        case _:
            return found is not _NOTHING and sent.value not in text
