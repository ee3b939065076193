"""The events of a trace are those that agent/README.md lists, with the fields it lists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from agent.limits import Limits
from agent.messages import Reply, ToolCall, Usage
from agent.toolbox import Later, Toolbox
from agent.traces.jsonl import VERSION
from agent.traces.reading import SHAPES, read_trace
from tests.replies import call, turn
from tests.traces.recorded import QUESTION, ROOT, billing, office, record
from tests.traces.test_diagnose import BOTH, JUDGE, LAPTOP, LEAVE, LOST, PLAN, SAID, UNCITED, Remote

PAGE = (ROOT / "agent/README.md").read_text("utf-8")


def documented() -> dict[str, set[str]]:
    """Event -> its fields, as the page has them."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.partition("The events of")[2], re.M)
    return {name: set(re.findall(r"`(\w+)`", fields)) for name, fields in rows}


def test_the_page_lists_every_event_with_its_fields(tmp_path: Path):
    lost = Reply("network", usage=Usage(1), cause="dropped", retryable=True)
    lines = turn('{"lines": [1]}')
    verdict = turn('{"verdict": "yes"}')
    file = tmp_path / "t.jsonl"
    narrowing = [
        lost,
        LOST,
        turn(call("filter_context", question=LAPTOP, ids="보안.txt:2")),
        lines,
        turn(call("judge_relevance", question=LAPTOP, ids="보안.txt:2")),
        verdict,
        UNCITED,
        SAID,
    ]
    record(file, LAPTOP, office(), Remote(*narrowing), narrowing=True)
    record(file, BOTH, office(), PLAN, LEAVE, JUDGE, route="complex", limits=Limits(max_steps=3))
    record(file, QUESTION, billing(), lost, conversation="20261130-000000-abcd")
    first, *events = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert first == {"event": "trace", "version": VERSION}
    seen: dict[str, set[str]] = {}
    for event in events:
        if event["event"] != "trace":
            assert {"event", "run", "at"} <= event.keys()
            fields = event.keys() - {"event", "run", "at"}
            seen.setdefault(event["event"], set()).update(fields)
    assert seen == documented()
    assert seen.keys() == SHAPES.keys()
    assert all(set(SHAPES[name]) <= seen[name] for name in SHAPES)
    assert f"The events of version {VERSION}." in PAGE
    assert read_trace(file).damaged == []


def test_a_call_took_its_own_time_and_not_that_of_others():
    now = [10.0]

    def slow() -> Later[str]:
        """Takes five seconds beside the others."""
        now[0] += 1
        return Later(lambda: now.__setitem__(0, now[0] + 5), lambda _: "done")

    def quick() -> str:
        """Takes two seconds at once."""
        now[0] += 2
        return "done"

    told: list[tuple[str, float, float]] = []
    tools = Toolbox(
        [slow, quick],
        clock=lambda: now[0],
        on_result=lambda result, began, took: told.append((result.call.name, began, took)),
    )
    tools.call_all([ToolCall("slow", {}), ToolCall("quick", {})])
    assert told == [("slow", 10.0, 6.0), ("quick", 11.0, 2.0)]


def test_a_field_that_is_missing_is_no_event(tmp_path: Path):
    """What the shapes ask for is what is asked for."""
    file = tmp_path / "t.jsonl"
    record(file, LAPTOP, office(), LOST, SAID)
    lines = file.read_text("utf-8").splitlines()
    record(file, LAPTOP, office(), LOST, SAID, number=1)
    whole = file.read_text("utf-8").splitlines()[len(lines) :]
    assert json.loads(whole[0])["event"] == "trace"
    for place, line in enumerate(lines[1:], 1):
        event: dict[str, Any] = json.loads(line)
        for name in SHAPES[event["event"]]:
            without = json.dumps({key: each for key, each in event.items() if key != name})
            file.write_text(
                "\n".join([*lines[:place], without, *lines[place + 1 :], *whole, ""]), "utf-8"
            )
            assert place + 1 in read_trace(file).damaged, (name, event)
