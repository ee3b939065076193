"""What the calls of one turn take when they wait: ``make bench-tools``.

A model asks for N searches in one turn, each of which waits as a slow service would. Side by side
they take the time of one; the last figure is how long a person waits after Ctrl-C while all of
them are still waiting. Through ``run_agent`` and the toolbox, as in a question.
"""

from __future__ import annotations

import _thread
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).parents[2]))

from agent.limits import Limits
from agent.loop import run_agent
from agent.messages import Reply, ToolCall
from agent.toolbox import MOST_THREADS, Later, Toolbox

WAIT_S = 0.2
ROUNDS = 5
MOST = 1.25
"""Times the slowest tool that a turn of as many tools as there are threads may take."""


class Asking:
    """A model that asks for ``count`` searches in its first turn and answers in its second."""

    name = "asking"
    remote = False

    def __init__(self, count: int) -> None:
        self.count = count

    def generate(self, contents, tools, **_) -> Reply:  # type: ignore[no-untyped-def]
        if len(contents) > 1:
            return Reply("answer", content={"role": "model", "parts": [{"text": "Done."}]})
        asked = [
            {"functionCall": {"name": "search", "args": {"query": str(n)}, "id": str(n)}}
            for n in range(self.count)
        ]
        return Reply("calls", content={"role": "model", "parts": asked})


def question(count: int, wait_s: float) -> float:
    """Seconds that one question with ``count`` slow searches takes."""

    def search(query: Annotated[str, "The words"]) -> Later[str]:
        """Search slowly."""

        def work() -> str:
            time.sleep(wait_s)
            return query

        return Later(work, str)

    started = time.perf_counter()
    run = run_agent("Which?", Asking(count), Toolbox([search]), Limits(max_steps=3))
    taken = time.perf_counter() - started
    responses = [part["functionResponse"] for part in run.contents[2]["parts"]]
    assert [each["response"]["output"] for each in responses] == [str(n) for n in range(count)]
    return taken


def interrupted() -> float:
    """Seconds from Ctrl-C to the end of a turn whose searches would wait for a minute."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.perf_counter())
        _thread.interrupt_main()

    def search(query: Annotated[str, "The words"]) -> Later[str]:
        """Search for ever."""
        return Later(lambda: threading.Event().wait(60), str)

    calls = [ToolCall("search", {"query": str(n)}, id=str(n)) for n in range(MOST_THREADS)]
    timer = threading.Timer(0.3, press)
    timer.start()
    tools = Toolbox([search])
    tools.call_all(calls)
    assert tools.interrupted
    return time.perf_counter() - pressed[0]


def main() -> int:
    rounds = [(question(1, WAIT_S), question(MOST_THREADS, WAIT_S)) for _ in range(ROUNDS)]
    one, many = (statistics.median(each) for each in zip(*rounds, strict=True))
    print(f"1 search of {WAIT_S * 1000:.0f} ms: {one * 1000:.0f} ms (median of {ROUNDS})")
    print(f"{MOST_THREADS} in one turn: {many * 1000:.0f} ms = {many / one:.2f} times one", end="")
    print(f" (one after the other {MOST_THREADS}; at most {MOST})")
    print(f"after Ctrl-C: {interrupted() * 1000:.0f} ms", flush=True)
    return 0 if many / one <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
