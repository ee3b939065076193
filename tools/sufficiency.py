"""Whether what was found is enough for a question, what is missing, and how to look for that.

Compared by words and without a model: a piece of a question is covered when one passage with its
headings, or two passages that share a name (an id), have at least half of the words that say what
it is about, among them every name and number of it and the word for what is asked (the spec of the
server: not every passage about the server). That the words are there is no proof that the answer
is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.decomposition import near, rewrites
from tools.documents import Passage, carried, content_words, coverage, present

_NAME = re.compile(
    r"(?<![A-Za-z0-9_.-])(?=[A-Za-z0-9_.-]*[A-Za-z])(?=[A-Za-z0-9_.-]*[0-9])"
    r"[A-Za-z0-9_]+(?:[-.][A-Za-z0-9_]+)*"
)
_QUANTITY = re.compile(
    r"(?:일수|한도|금액|가격|요금|비용|급여|수수료|기한|기간|횟수|개수|인원|시간|날짜|기일|번호|비율|크기|용량|층|나이)$"
    r"|^(?:amounts?|prices?|costs?|fees?|limits?|numbers?|deadlines?|periods?|dates?|times?|rates?"
    r"|days?|hours?|size|capacity|age|salary|allowance)$",
    re.IGNORECASE,
)
"""What a number says, whatever word stands beside it."""


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
    """The passages that cover a requirement each alone, else two that a name joins: one says which
    server the project has, the other the spec of that server."""
    words, asked = content_words(requirement), _asked(requirement)
    names = [word for name in _NAME.findall(requirement) for word in content_words(name)]
    there = {each.id: _present(each) for each in passages}
    saying = [each for each in passages if _says(each, asked, there[each.id])]

    def covered(units: frozenset[str]) -> bool:
        return bool(carried(words, units)) and all(word <= units for word in names)

    if alone := [each.id for each in saying if covered(there[each.id])]:
        return tuple(alone)
    for last in saying:
        for first in passages:
            both = there[first.id] | there[last.id]
            more = len(carried(words, both)) > len(_held(words, there[last.id]))
            if more and _share_a_name(first, last) and covered(both):
                return first.id, last.id
    return ()


def _present(passage: Passage) -> frozenset[str]:
    return present(f"{passage.context}\n{passage.body or passage.text}")


def _held(words: Sequence[frozenset[str]], there: frozenset[str]) -> list[frozenset[str]]:
    return [word for word in words if 2 * len(word & there) >= len(word)]


def _share_a_name(one: Passage, other: Passage) -> bool:
    return one.id != other.id and bool({*_NAME.findall(one.text)} & {*_NAME.findall(other.text)})


_OF = re.compile(
    r"\s(?:of|for|in|on|at|by|from|to|with|used|between|that|which|who)\s", re.IGNORECASE
)
_ASKS = re.compile(r"(?:나요|까요?|니까|가요|[이예]요|[이]?야|지요?|어|아|[\d.]+|[?？.!]+)$")


def _says(passage: Passage, asked: str, there: frozenset[str]) -> bool:
    """Whether a passage has the word for what is asked, or a number where that is a quantity."""
    if _QUANTITY.search(asked) and re.search(r"\d", passage.text):
        return True
    return all(2 * len(word & there) >= len(word) for word in content_words(asked))


def _asked(requirement: str) -> str:
    """The word for what is asked of the thing: the last of a Korean phrase, and of an English one
    the last before "of the ...". Empty where a whole question stands, which may end in any word."""
    text = requirement.strip()
    if _ASKS.search(text):
        return ""
    head = text if re.search("[가-힣]", text) else _OF.split(f"{text} ", maxsplit=1)[0]
    told = [word for word in re.findall(r"[\w.-]+", head) if content_words(word)]
    return told[-1] if told else ""


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
    for requirement in missing:
        near_it = sorted(passages, key=lambda each: -coverage(requirement, each.text))
        names = dict.fromkeys(
            name
            for passage in near_it
            for name in _NAME.findall(passage.text)
            if not present(name) <= known
        )
        rest = _unmet(requirement, passages)
        bridged = [f"{name} {rest}" for name in [*names][:3] if rest]
        for query in (requirement, *rewrites(requirement), *bridged):
            if not near(query, asked):
                asked.append(query)
                found.append(query)
                break
    return tuple(found[:limit])


def _unmet(requirement: str, passages: Sequence[Passage]) -> str:
    """The words of a requirement that no passage has, as they are written."""
    there = present("\n".join(f"{each.context}\n{each.text}" for each in passages))
    kept = [
        written
        for written in re.findall(r"[\w.-]+", requirement)
        if any(2 * len(word & there) < len(word) for word in content_words(written))
    ]
    return " ".join(kept)
