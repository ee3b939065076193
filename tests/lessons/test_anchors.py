"""The eight anchors in the real file: found, taken out, put back."""

from __future__ import annotations

import ast
import sys

import pytest

import agent.loop
from agent.lessons.anchors import (
    MARKS,
    UNBOUNDED,
    find_anchor,
    loop_file,
    read_loop,
    repaired,
    without,
)
from agent.lessons.exercises import exercises
from agent.lessons.loading import FUSE, FuseBlown, line_of, load
from agent.limits import Limits
from agent.toolbox import Toolbox
from tests.replies import Replies, turn

SOURCE = read_loop()


def test_the_source_is_the_file_that_is_run() -> None:
    assert loop_file().read_bytes() == SOURCE.encode() and loop_file().name == "loop.py"
    assert all(each.loop(broken=False) is agent.loop.run_agent for each in exercises())


@pytest.mark.parametrize("mark", MARKS)
def test_only_the_statement_below_goes(mark: str) -> None:
    anchor = find_anchor(SOURCE, mark)
    before, after = SOURCE.splitlines(), without(SOURCE, anchor).splitlines()
    assert len(after) == len(before)
    changed = [n for n, pair in enumerate(zip(before, after, strict=True), 1) if len({*pair}) > 1]
    assert changed == list(range(anchor.first, anchor.last + 1))
    assert before[anchor.first - 2].strip() == f"# {mark} {anchor.comment}"
    left = "\n".join(after[anchor.first - 1 : anchor.last]).strip()
    assert left == (UNBOUNDED if mark == "②" else "")
    ast.parse("\n".join(after))


def test_an_if_goes_with_its_return() -> None:
    anchor = find_anchor(SOURCE, "④")
    assert anchor.text == "if not reply.calls:\n            return run.finish(reply)"


@pytest.mark.parametrize("mark", MARKS)
def test_a_line_takes_the_place_of_the_statement(mark: str) -> None:
    anchor = find_anchor(SOURCE, mark)
    line = " ".join(anchor.text.split())
    again = ast.parse(repaired(SOURCE, anchor, line))
    assert ast.dump(again) == ast.dump(ast.parse(SOURCE))


def test_line_ends_stay_as_they_are() -> None:
    windows = SOURCE.replace("\n", "\r\n")
    anchor = find_anchor(windows, "④")
    assert without(windows, anchor).replace("\r\n", "\n") == without(SOURCE, anchor)


def test_an_anchor_is_found_wherever_it_stands() -> None:
    moved = SOURCE.replace("    run = run or Run()\n", "    run = run or Run()\n\n\n")
    assert find_anchor(moved, "⑤").first == find_anchor(SOURCE, "⑤").first + 2
    assert find_anchor(moved, "⑤").text == find_anchor(SOURCE, "⑤").text


@pytest.mark.parametrize("gone", ["# ⑤ record the model's decision, verbatim", "# ⑤"])
def test_an_anchor_that_is_gone_is_an_error(gone: str) -> None:
    with pytest.raises(LookupError):
        find_anchor(SOURCE.replace(gone, "# "), "⑤")


def test_a_changed_loop_is_nobody_elses() -> None:
    modules = {**sys.modules}
    real = agent.loop.run_agent
    changed = load(without(SOURCE, find_anchor(SOURCE, "⑧")))
    assert changed is not real and sys.modules["agent.loop"].run_agent is real
    assert sys.modules == modules
    assert changed("?", Replies(turn("yes")), Toolbox(), Limits(), None).answer == "yes"


def test_a_failure_has_the_line_of_the_file() -> None:
    anchor = find_anchor(SOURCE, "③")
    with pytest.raises(NameError) as failed:
        load(without(SOURCE, anchor))("?", Replies(), Toolbox(), Limits(), None)
    assert line_of(failed.value) == find_anchor(SOURCE, "④").first


def test_the_fuse_blows_after_its_steps() -> None:
    source = (
        "def run_agent(steps):\n    for step in range(steps):\n        pass\n    return steps\n"
    )
    assert load(source)(FUSE) == FUSE
    with pytest.raises(FuseBlown):
        load(source)(FUSE + 1)
