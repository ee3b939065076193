"""Questions over a bad line: every end has a name, no answer is another question's, no history is
illegal, no conversation is lost. ``make test-faults`` asks a thousand."""

from __future__ import annotations

from pathlib import Path

from tests.faults.hammer import hammer
from tests.faults.proxy import AFTER, SILENT, UNSEEN


def test_sixty_questions_over_a_bad_line(tmp_path: Path) -> None:
    outcome = hammer(tmp_path, seed=7, kinds=UNSEEN + AFTER, conversations=8)
    assert outcome.questions == 64 and outcome.refusals == []
    assert len(outcome.happened) >= 12 and outcome.waits
    assert outcome.right >= 48, outcome


def test_an_answer_that_comes_twice_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    outcome = hammer(tmp_path, seed=1, kinds=["answered_twice"], conversations=2, share=0.5)
    assert outcome.right == outcome.questions == 16


def test_what_no_client_can_notice_does_not_end_a_conversation(tmp_path: Path) -> None:
    """A letter of a signature or of a field's name is another one: the server refuses what comes
    back, and takes the next question."""
    outcome = hammer(tmp_path, seed=1, kinds=[SILENT], conversations=3)
    assert "rejected" in str(outcome.ends) and outcome.refusals


def test_a_line_that_is_dead_is_told_within_the_budget(tmp_path: Path) -> None:
    outcome = hammer(tmp_path, seed=1, kinds=["reset"], conversations=1, share=1.0)
    assert outcome.right == 2  # those that a good line leaves without an answer too
    assert outcome.ends["incomplete/network"] == 7
    assert len(outcome.waits) == 7 * 4 and outcome.requests == 7 * 5
