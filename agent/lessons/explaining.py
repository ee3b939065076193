"""Feedback on an explanation: which ideas it speaks of. Never a grade."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from agent.lessons.exercises import Idea


def mentioned(explanation: str, ideas: Sequence[Idea]) -> list[bool]:
    """For each idea whether one of its words is in the explanation. Latin words and numbers count
    only whole or as a beginning, Korean ones anywhere, whatever particle follows."""
    said = unicodedata.normalize("NFC", explanation).casefold()
    return [any(_says(said, word) for word in idea.words) for idea in ideas]


def _says(said: str, word: str) -> bool:
    wanted = re.escape(unicodedata.normalize("NFC", word).casefold())
    if not word.isascii():
        return re.search(wanted, said) is not None
    end = r"(?![0-9])" if word[-1].isdigit() else ""
    return re.search(rf"(?<![a-z0-9_]){wanted}{end}", said) is not None
