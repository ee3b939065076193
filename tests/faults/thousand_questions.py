"""The long run of ``make test-faults``: over a thousand questions over a bad line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.hammer import hammer
from tests.faults.proxy import AFTER, SILENT, UNSEEN


@pytest.mark.parametrize("seed", range(5))
def test_a_thousand_questions(tmp_path: Path, seed: int) -> None:
    outcome = hammer(tmp_path, seed, UNSEEN + AFTER, conversations=26)
    print(f"\n{outcome}")
    assert outcome.questions == 208 and outcome.refusals == []
    assert outcome.right > 150


@pytest.mark.parametrize("seed", range(5))
def test_letters_that_become_others(tmp_path: Path, seed: int) -> None:
    outcome = hammer(tmp_path, seed, [SILENT], conversations=10)
    print(f"\n{outcome}")
    assert outcome.questions == 80
