"""What a student changed in the working copy, and where."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from agent.lessons.anchors import MARKS, UNBOUNDED, find_anchor, read_loop, without
from agent.lessons.workcopy import PATIENCE, Edit, edit_of, watch

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
        assert (edit.kind, edit.line, edit.text) == ("right", own.first, own.text)
        assert edit.written == (UNBOUNDED if taken == "②" else "")
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


@pytest.mark.parametrize("line", ["\0", "    break", "    await x", "    nonlocal q", "(" * 9000])
def test_what_does_not_compile_says_where(line: str) -> None:
    edit = edit_of(SOURCE, f"{SOURCE}{line}\n", FIVE)
    assert (edit.kind, edit.line) == ("unreadable", 41)


def test_swapped_lines_stand_in_another_order() -> None:
    lines = SOURCE.splitlines(True)
    lines[33], lines[35] = lines[35], lines[33]
    edit = edit_of(SOURCE, "".join(lines), FIVE)
    assert edit == Edit("moved", 36, "results = tools.call_all(reply.calls)")
    lines[33] = "        pass\n"
    assert edit_of(SOURCE, "".join(lines), FIVE).kind != "moved"


@pytest.mark.parametrize("number", [13, 18, 20, 21])
def test_a_statement_of_many_lines_names_the_changed_one(number: int) -> None:
    """The arguments of the function and its docstring."""
    lines = SOURCE.splitlines(True)
    lines[number - 1] = lines[number - 1].replace("e", "x", 1)
    edit = edit_of(SOURCE, "".join(lines), FIVE)
    assert (edit.kind, edit.line) == ("elsewhere", number)


@pytest.mark.parametrize("copy", ["", "\n\n", "# nothing\n"])
def test_a_copy_without_code_is_empty(copy: str) -> None:
    assert edit_of(SOURCE, copy, FIVE) == Edit("empty")
    assert edit_of(SOURCE, copy + "pass\n", FIVE).kind == "elsewhere"


@pytest.mark.parametrize(("looks", "told"), [(PATIENCE - 1, 0), (PATIENCE, 1), (3 * PATIENCE, 1)])
def test_a_file_that_stays_away_is_told_once(tmp_path: Path, looks: int, told: int) -> None:
    path = tmp_path / "loop.py"
    path.write_text("one", "utf-8")
    left = itertools.count(1)

    def sleep(seconds: float) -> None:
        if next(left) > looks:
            path.write_text("two", "utf-8")
        else:
            path.unlink(missing_ok=True)

    found = []
    for seen in watch(path, sleep):
        found.append(seen if isinstance(seen, str) else seen.key)
        if seen == "two":
            break
    assert found == ["one", *["lesson.copy_gone"] * told, "two"]


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
        assert isinstance(text, str)
        looks.append(text)
        if text == "three":
            break
    assert looks == ["one", "two", "three"]
