"""Every exercise of the course: what both sides do, checked in both directions."""

from __future__ import annotations

import pytest

from agent.lessons.exercises import Exercise, exercises
from agent.lessons.verifying import faults


@pytest.mark.parametrize("exercise", exercises(), ids=lambda each: each.name)
def test_an_exercise_is_whole(exercise: Exercise) -> None:
    assert list(faults(exercise, "en")) == []


def test_the_eight_anchors_come_first() -> None:
    marks = [each.mark for each in exercises()]
    assert "".join(marks) == "①②③④⑤⑥⑦⑧" and marks[:8] == list("①②③④⑤⑥⑦⑧")
