"""What a student changed in the working copy, and where."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from agent.lessons.anchors import MARKS, find_anchor, read_loop, without
from agent.lessons.workcopy import Edit, edit_of, watch

SOURCE = read_loop()
FIVE = find_anchor(SOURCE, "⑤")


def lines_without(*numbers: int) -> str:
    kept = [line for n, line in enumerate(SOURCE.splitlines(True), 1) if n not in numbers]
    return "".join(kept)


@pytest.mark.parametrize(("taken", "wanted"), [*itertools.product(MARKS, MARKS)])
def test_only_the_line_of_the_exercise_is_right(taken: str, wanted: str) -> None:
    gone, own = find_anchor(SOURCE, taken), find_anchor(SOURCE, wanted)
    edit = edit_of(SOURCE, without(SOURCE, gone), own)
    if taken == wanted:
        assert edit == Edit("right", own.first, own.text)
    else:
        assert edit == Edit("elsewhere", gone.first, gone.text.splitlines()[0])


@pytest.mark.parametrize(
    "copy",
    [
        SOURCE,
        SOURCE.replace("# ⑤ record the model's decision, verbatim", "# here"),
        SOURCE.replace("\n", "\r\n"),
        SOURCE.replace("run.record(reply.content, reply)", "run.record( reply.content,  reply )"),
        SOURCE + "\n\n# the end\n",
    ],
)
def test_comments_and_spaces_are_no_change(copy: str) -> None:
    assert edit_of(SOURCE, copy, FIVE).kind == "unchanged"


def test_a_line_that_is_deleted_too_is_named() -> None:
    edit = edit_of(SOURCE, lines_without(FIVE.first, FIVE.first + 2), FIVE)
    assert edit == Edit("elsewhere", 36, "results = tools.call_all(reply.calls)")


def test_the_line_may_be_another_one() -> None:
    other = SOURCE.replace("run.record(reply.content, reply)", "pass")
    assert edit_of(SOURCE, other, FIVE).kind == "right"


def test_a_line_that_is_added_is_named_by_its_place_in_the_copy() -> None:
    added = SOURCE.replace("    run = run or Run()\n", "    run = run or Run()\n    print(run)\n")
    assert edit_of(SOURCE, added, FIVE) == Edit("added", 24, "print(run)")


def test_a_line_that_is_indented_otherwise_is_a_change() -> None:
    line = "run.record(observation(results))"
    moved = SOURCE.replace(f"        {line}", f"    {line}")
    assert edit_of(SOURCE, moved, FIVE) == Edit("elsewhere", 38, line)


def test_a_copy_without_its_for_names_the_for() -> None:
    edit = edit_of(SOURCE, lines_without(27), FIVE)
    assert edit == Edit("elsewhere", 27, "for step in range(1, limits.max_steps + 1):")


@pytest.mark.parametrize(
    ("mark", "gone", "line"), [("②", 27, 28), ("④", 32, 33), ("④", 31, 31), ("⑤", 0, 42)]
)
def test_a_copy_that_is_no_python_says_where(mark: str, gone: int, line: int) -> None:
    copy = lines_without(gone) if gone else f"{SOURCE}\n("
    edit = edit_of(SOURCE, copy, find_anchor(SOURCE, mark))
    assert (edit.kind, edit.line) == ("unreadable", line)


def test_a_null_byte_is_no_traceback() -> None:
    assert edit_of(SOURCE, SOURCE + "\0", FIVE).kind == "unreadable"


def test_a_file_is_watched_by_its_text(tmp_path: Path) -> None:
    """Written again with the same text it is no change; gone for a moment, no failure."""
    path = tmp_path / "loop.py"
    path.write_text("one", "utf-8")
    times = itertools.count(1)
    looks: list[str] = []

    def save(text: str | None) -> None:
        if text is None:
            path.unlink()
            return
        path.write_text(text, "utf-8")
        os.utime(path, ns=(next(times), next(times)))

    script = iter(["one", None, "one", "\udcff", "two", None, "three"])

    def sleep(seconds: float) -> None:
        text = next(script)
        if text == "\udcff":
            path.write_bytes(b"\xff\xfe\xff")
        else:
            save(text)

    for text in watch(path, sleep):
        looks.append(text)
        if text == "three":
            break
    assert looks == ["one", "two", "three"]
