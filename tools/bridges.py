"""How to look further for a question in one piece: over what it names, and over bridges, the names
that a good passage brings, together with the words of the question that it lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from tools.documents import Passage, content_words, held, present
from tools.marks import ID
from tools.names import SENTENCE, heading_of, is_called, named, names_in
from tools.tokens import rarity

_SHORT = 8
"""Content words up to which what a question names is searched by itself; a longer one says more
than any name in it, and names alone cost MultiHop-RAG .03 of Recall@10."""
BEST = 3
"""Passages from which a bridge may start."""
NAMES_OF_ONE = 2
"""Names of one passage in one query: together they find more than apart, in half the searches."""
_FURTHER_NAMES = 3
"""Names of the passage on what the question names, and no other is, in a second query."""


def further_queries(
    question: str,
    words: Sequence[frozenset[str]],
    passages: Sequence[Passage],
    there: Sequence[frozenset[str]],
) -> Iterator[str]:
    """What may be searched next: the question, then what it names and the best passage lacks, then
    bridges, where the best passage says by a heading what it is about."""
    yield question
    if len(words) <= _SHORT:
        for name in named(question):
            if there and not present(name) <= there[0]:
                yield name
    if not passages or not passages[0].context:
        return
    asked = present(question)
    names = named(question)
    parts = [frozenset(held(words, units)) for units in there]
    holding = Counter(word for each in parts for word in each)
    rare = {word: rarity(len(passages), rows) for word, rows in holding.items()}

    def fit(place: int) -> tuple[bool, float]:
        """Whether a passage is the one on what the question names, and how much of what is rare in
        the question it has; more when the question has the words of its heading."""
        heading = heading_of(passages[place])
        title = present(heading)
        has_title = bool(title) and title <= asked
        score = sum(rare[word] for word in parts[place])
        return heading in names, score * (1.5 if has_title else 1.0) + 0.3 / (place + 1)

    best = sorted(range(len(passages)), key=fit, reverse=True)[:BEST]
    titles = [present(heading_of(passages[place])) for place in best]
    headed = [number for number, title in enumerate(titles) if title and title <= asked]
    for number, place in enumerate(best):
        rest = _written(question, set(words) - parts[place])
        brought = _brought(passages[place], asked, rare) if rest else []
        first, further = brought[:NAMES_OF_ONE], brought[NAMES_OF_ONE:][:_FURTHER_NAMES]
        if first:
            yield " ".join([*first, rest])
        if further and headed == [number] == [0]:
            yield " ".join([*further, rest])


def _written(question: str, words: set[frozenset[str]]) -> str:
    """Those of the question's words, as they stand there."""
    written = re.findall(r"[\w.'’-]+", question)
    return " ".join(each for each in written if words & {*content_words(each)})


_OF_A_NAME, _OF_A_TEXT = 2.0, 0.6
"""What a heading weighs that the question does not have, as a name and as other words."""
_BESIDE = 0.5
_ROOT = 4
_BEFORE = 3


def _brought(
    passage: Passage, asked: frozenset[str], rare: Mapping[frozenset[str], float]
) -> list[str]:
    """The names that a passage brings to a question, the likeliest bridge first: its heading where
    that is a name, those behind a word that the question has in some form (directed by Jack Arnold,
    where the director is asked for), those beside rare words of the question, those near its
    beginning, and those of several words."""
    heading = heading_of(passage)
    title = present(heading)
    most = sum(rare.values()) or 1.0
    roots = {unit[:_ROOT] for unit in asked - title if unit.isascii() and len(unit) >= _ROOT}
    weights: dict[str, float] = {}
    if 2 * len(title & asked) < len(title):
        weights[heading] = _OF_A_NAME if is_called(heading) else _OF_A_TEXT
    for place, sentence in enumerate(SENTENCE.split(passage.text)):
        share = sum(rare[word] for word in held([*rare], present(sentence))) / most
        for name in names_in(sentence):
            units = present(name)
            if not units or units <= asked or units <= title or len(name) < 2:
                continue
            weight = share + 0.15 / (1 + place) + (0.1 if " " in name else 0.0)
            weight += _BESIDE if _is_beside(name, sentence, roots) else 0.0
            weight -= 0.1 if re.search(r"\d", name) and not ID.search(name) else 0.0
            weights[name] = max(weights.get(name, 0.0), weight)
    return sorted(weights, key=lambda name: -weights[name])


def _is_beside(name: str, sentence: str, roots: Set[str]) -> bool:
    """Whether one of the last words before a name begins like a word of the question."""
    before = re.findall(r"[A-Za-z]+", sentence[: sentence.find(name)])[-_BEFORE:]
    return any(word[:_ROOT] in roots for word in before)


# The order of what several searches brought

_FIRST_RANKS = 5
_LATER = 0.8
_KNOWN = 0.5

Searched = tuple[str, Sequence[Passage]]
"""A query and what it brought, best first."""


def in_order(question: str, rounds: Sequence[Sequence[Searched]]) -> list[str]:
    """The ids of what the searches of several rounds brought, best first: reciprocal rank fusion
    (Cormack and others 2009), 1 / (5 + rank) of a search summed. A search after the first round
    counts 0.8, and half of that for what an earlier round had: it was made for what is missing. A
    passage headed by a name that its query has and the question has not stands first.

    Tuned with the bridges on the even questions of the three sets and on 285 questions made by the
    templates of 2WikiMultihopQA from its 6,119 passages: of what one search missed of these, the
    first ten of the rounds had .53, and have .78. With 1 instead of 0.8 that is .79, and
    MultiHop-RAG is .008 worse than one search."""
    scores: dict[str, float] = {}
    asked = present(question)
    for number, searches in enumerate(rounds):
        known = {*scores}
        for query, passages in searches:
            looked_for = present(query)
            for rank, each in enumerate(passages, 1):
                weight = _LATER if number else 1.0
                if each.id in known:
                    weight *= _KNOWN
                elif number and _is_meant(each, looked_for, asked):
                    rank = 1
                scores[each.id] = scores.get(each.id, 0.0) + weight / (_FIRST_RANKS + rank)
    return sorted(scores, key=lambda each: -scores[each])


def _is_meant(passage: Passage, looked_for: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether a passage is headed by a name of several units that a query has and the question has
    not."""
    heading = heading_of(passage)
    title = present(heading)
    return is_called(heading) and len(title) > 1 and title <= looked_for and not title <= asked
