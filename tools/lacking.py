"""What a question that is one piece asks and no passage speaks of, for the reader of an answer that
is shown all the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from tools.beyond import words_without
from tools.courtesy import without_courtesy
from tools.decomposition import rewrites
from tools.documents import Passage
from tools.patterns import lazy_pattern

_REPORTED = tuple(
    lazy_pattern(words, re.IGNORECASE)
    for words in (
        r"상태|현황|상황|진행|\b(?:status|state|progress(?:es|ing)?|on schedule|on track)\b",
        r"지연|늦|밀[려렸린리]|\b(?:delay(?:s|ed)?|late|behind|slip(?:s|ped)?|postponed)\b",
        r"위험|리스크|\brisk(?:s|y)?\b",
    )
)
"""What reports on how something goes: its status, its delays, its risks
(``tools.decomposition.rewrites``)."""


def lacking(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """The words of a question that no passage has, as they are written. Of a question of how
    something goes it is the wordings it was searched in for which nothing was found."""
    found = "\n".join(f"{PurePath(each.source).stem}\n{each.searched}" for each in passages)
    wordings = rewrites(question)
    if len(wordings) > 1:
        return tuple(
            wording
            for wording in wordings
            for reported in _REPORTED
            if reported.search(wording) and not reported.search(found)
        )
    return tuple(dict.fromkeys(words_without(without_courtesy(question), "", found)))
