"""Which tests reach which lines of one file: the pytest plugin of ``tests/mutants.py``.

With ``REACHED_FILE``, a path, the tests are watched, and what each reached of that file is written
to ``REACHED_OUT`` as JSON. With ``REACHED_CHOSEN``, a JSON list of tests, only those run, in that
order.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

FILE = os.environ.get("REACHED_FILE")
CHOSEN = os.environ.get("REACHED_CHOSEN")
STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}


@dataclass
class Reach:
    """What one test reached: lines of the file, and whether it also ran where nobody watched."""

    lines: set[int] = field(default_factory=set)
    elsewhere: bool = False
    seconds: float = 0.0


tests: dict[str, Reach] = {}
shared: dict[str, Reach] = {}
"""By test file: what was made ready in it may be looked at by every test of the file."""
now = Reach()


def _line(frame: Any, event: str, _: object) -> Callable[..., Any]:
    if event == "line":
        now.lines.add(frame.f_lineno)
    return _line


def _call(frame: Any, event: str, _: object) -> Callable[..., Any] | None:
    if frame.f_code.co_filename != FILE:
        return None
    now.lines.add(frame.f_lineno)
    return _line


def _started(event: str, _: object) -> None:
    if event in STARTS:
        now.elsewhere = True


def pytest_configure() -> None:
    if FILE:
        sys.addaudithook(_started)
        threading.settrace(_call)
        sys.settrace(_call)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    global now
    now = shared.setdefault(item.nodeid.partition("::")[0], Reach())
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    global now
    now = tests[item.nodeid] = Reach()
    began = time.monotonic()
    try:
        return (yield)
    finally:
        now.seconds = time.monotonic() - began
        if FILE and sys.gettrace() is not _call:  # the test traced something itself
            now.elsewhere = True
            sys.settrace(_call)


def pytest_sessionfinish() -> None:
    if FILE:
        sys.settrace(None)
        found = {}
        for name, reach in tests.items():
            ready = shared[name.partition("::")[0]]
            lines, elsewhere = reach.lines | ready.lines, reach.elsewhere or ready.elsewhere
            found[name] = [sorted(lines), elsewhere, reach.seconds]
        Path(os.environ["REACHED_OUT"]).write_text(json.dumps(found), "utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHOSEN:
        order = {each: place for place, each in enumerate(json.loads(Path(CHOSEN).read_text()))}
        items[:] = sorted(
            (each for each in items if each.nodeid in order), key=lambda each: order[each.nodeid]
        )
