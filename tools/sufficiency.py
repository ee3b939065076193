"""Whether what was found is enough for a question, what is missing, and how to look for that.

Compared by words and without a model: a piece of a question is covered when one passage, with its
headings, has at least half of the words that say what it is about, among them every name and number
of it. That the words are there is no proof that the answer is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.decomposition import near, rewrites
from tools.documents import Passage, carried, content_words, present

_NAME = re.compile(r"\b(?=\w*\d)\w+(?:-\w+)*\b|\b[A-Za-z]+(?:-[A-Za-z0-9]+)+\b")


@dataclass(frozen=True)
class Sufficiency:
    """A verdict. ``evidence`` maps a covered requirement to the ids of passages that cover it;
    ``next_queries`` aim at what is missing, and none was asked before in nearly the same words."""

    sufficient: bool
    covered: tuple[str, ...]
    missing: tuple[str, ...]
    next_queries: tuple[str, ...]
    evidence: Mapping[str, tuple[str, ...]]


def assess(
    question: str,
    requirements: Sequence[str],
    passages: Sequence[Passage],
    used: Sequence[str],
    limit: int = 5,
) -> Sufficiency:
    """Judge ``passages`` by the ``requirements``, or by the question where there are none. At most
    ``limit`` queries are proposed; ``used`` are those that were asked."""
    wanted = tuple(requirements) or (question,)
    evidence = {each: _covering(each, passages) for each in wanted}
    missing = tuple(each for each in wanted if not evidence[each])
    covered = tuple(each for each in wanted if evidence[each])
    return Sufficiency(
        sufficient=bool(passages) and not missing,
        covered=covered,
        missing=missing,
        next_queries=_next(question, missing, passages, used, limit),
        evidence={each: evidence[each] for each in covered},
    )


def _covering(requirement: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    words = content_words(requirement)
    names = [frozenset(each) for each in map(content_words, _NAME.findall(requirement))]
    found: list[str] = []
    for passage in passages:
        there = present(f"{passage.context}\n{passage.body or passage.text}")
        if carried(words, there) and all(word <= there for name in names for word in name):
            found.append(passage.id)
    return tuple(found)


def _next(
    question: str,
    missing: Sequence[str],
    passages: Sequence[Passage],
    used: Sequence[str],
    limit: int,
) -> tuple[str, ...]:
    """For each missing requirement the first wording that was not used: as it stands, by its
    rewrites, with a name that the passages brought."""
    asked = [*used]
    found: list[str] = []
    known = present(question)
    names = list(
        dict.fromkeys(
            name
            for passage in passages
            for name in _NAME.findall(passage.text)
            if not present(name) <= known
        )
    )
    for requirement in missing:
        bridged = [f"{name} {requirement}" for name in names[:3]]
        for query in (requirement, *rewrites(requirement), *bridged):
            if not near(query, asked):
                asked.append(query)
                found.append(query)
                break
    return tuple(found[:limit])
