"""Whether what was found is enough for a question, what is missing, and how to look for that.

Compared by words and without a model: a piece of a question is covered when one passage with its
headings, or two passages that share a name (an id), have at least half of the words that say what
it is about, among them every name and number of it and the word for what is asked (the spec of the
server: not every passage about the server). That the words are there is no proof that the answer
is.

A question that is one piece is covered when one passage, or two of which one names the other, have
all of its words. Until then its further searches aim at what is missing: at what it names and no
good passage has (in a short question), then over a bridge, the names that a good passage brings
together with the words of the question that it lacks. ``in_order`` puts what several searches
brought in one order.

Tuned on the even questions of three public sets with 6,119 passages of a fourth beside them, and
reported on the odd ones, by ``bareloop eval``; one search against this one round of two more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.decomposition import near, rewrites
from tools.documents import Passage, carried, content_words, coverage, held, present
from tools.tokens import noun, rarity

MORE_SEARCHES = 2
"""Searches that are proposed for a question of one piece beyond its own. With a third Recall@10 was
.01 lower on HotpotQA, .005 higher on MultiHop-RAG and .01 lower on StrategyQA."""

_SHORT = 8
"""Content words up to which what a question names is searched by itself; a longer one says more
than any name in it, and names alone cost MultiHop-RAG .03 of Recall@10."""
_BEST = 3
"""Passages from which a bridge may start."""
_NAMES_OF_ONE = 2
"""Names of one passage in one query: together they find more than apart, in half the searches."""
_MOST_NEARBY = 4

_NAME = re.compile(
    r"(?<![A-Za-z0-9_.-])(?=[A-Za-z])(?=[A-Za-z0-9_.-]*[0-9])"
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
    """A verdict. ``evidence`` maps a covered requirement to the ids of passages that cover it, and
    a question of one piece to those that together come nearest to it, covered or not;
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
    if not requirements:
        return _assess_alone(question, passages, used, limit)
    wanted = tuple(requirements)
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
            more = len(carried(words, both)) > len(held(words, there[last.id]))
            if more and _share_a_name(first, last) and covered(both):
                return first.id, last.id
    return ()


def _present(passage: Passage) -> frozenset[str]:
    return present(passage.searched)


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
    return _has_all(asked, there)


def _has_all(text: str, there: frozenset[str]) -> bool:
    """Whether the words of a text that say something are all there, each by half of its units."""
    words = content_words(text)
    return len(held(words, there)) == len(words)


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
        written for written in re.findall(r"[\w.-]+", requirement) if not _has_all(written, there)
    ]
    return " ".join(kept)


# A question that is one piece


def _assess_alone(
    question: str, passages: Sequence[Passage], used: Sequence[str], limit: int
) -> Sufficiency:
    words = content_words(question)
    there = [_present(each) for each in passages]
    chain = _covering_all(words, passages, there)
    unnamed = not_found(question, passages)
    enough = bool(chain) and not unnamed
    missing = () if enough else unnamed or (question,)
    room = min(limit, 1 + MORE_SEARCHES - len(used)) if used else limit
    ways = () if enough else _fresh(_ways(question, words, passages, there), used, room)
    nearest = chain if enough else _nearest_of(question, passages)
    return Sufficiency(
        sufficient=enough,
        covered=(question,) if enough else (),
        missing=missing,
        next_queries=ways,
        evidence={question: nearest} if nearest else {},
    )


def not_found(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """What the question names, in quotation marks, with capitals or as an id, of which no passage
    has half the words. Measured with ten passages of each of three searches: so it is in 79 % of
    the questions that MultiHop-RAG cannot answer, 22 % of those it can, 5 % of HotpotQA."""
    there = [_present(each) for each in passages]
    missing: list[str] = []
    for name in named(question):
        words = content_words(name)
        if not any(2 * sum(word <= units for word in words) >= len(words) for units in there):
            missing.append(name)
    return tuple(missing)


def _covering_all(
    words: Sequence[frozenset[str]],
    passages: Sequence[Passage],
    there: Sequence[frozenset[str]],
) -> tuple[str, ...]:
    """One passage with all the words, else two of which one names the other by its heading."""
    parts = [frozenset(held(words, units)) for units in there]
    for passage, mine in zip(passages, parts, strict=True):
        if words and len(mine) == len(words):
            return (passage.id,)
    titles = [present(_title(each)) for each in passages]
    for n, title in enumerate(titles):
        for m, units in enumerate(there):
            if n != m and title and title <= units and len(parts[n] | parts[m]) == len(words):
                return passages[m].id, passages[n].id
    return ()


def _nearest_of(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """What comes nearest to the question, or to each of the wordings that it is searched in."""
    wordings = rewrites(question)
    if len(wordings) == 1:
        return _nearest(question, passages)
    covering = (id for each in wordings for id in _covering(each, passages))
    return tuple(dict.fromkeys(covering)) or _nearest(question, passages)


def _nearest(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """The passages that together have the most of the words, each adding one."""
    words = content_words(question)
    there = [_present(each) for each in passages]
    parts = [frozenset(held(words, units)) for units in there]
    got: frozenset[frozenset[str]] = frozenset()
    chain: list[str] = []
    while parts and len(chain) < _MOST_NEARBY:
        best = max(range(len(parts)), key=lambda place: len(parts[place] - got))
        if not parts[best] - got:
            break
        got |= parts[best]
        chain.append(passages[best].id)
    return tuple(chain)


def _ways(
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
    parts = [frozenset(held(words, units)) for units in there]
    holding = Counter(word for each in parts for word in each)
    rare = {word: rarity(len(passages), rows) for word, rows in holding.items()}

    def fit(place: int) -> float:
        """How much of what is rare in the question a passage has; more when it is named there."""
        title = present(_title(passages[place]))
        is_named = bool(title) and title <= asked
        score = sum(rare[word] for word in parts[place])
        return score * (1.5 if is_named else 1.0) + 0.3 / (place + 1)

    for place in sorted(range(len(passages)), key=fit, reverse=True)[:_BEST]:
        brought = _brought(passages[place], asked, rare)
        if rest := _written(question, set(words) - parts[place]):
            if brought:
                yield " ".join([*brought[:_NAMES_OF_ONE], rest])


def _written(question: str, words: set[frozenset[str]]) -> str:
    """Those of the question's words, as they stand there."""
    written = re.findall(r"[\w.'’-]+", question)
    return " ".join(each for each in written if words & {*content_words(each)})


def _fresh(queries: Iterator[str], used: Sequence[str], room: int) -> tuple[str, ...]:
    asked = [*used]
    for query in queries:
        if len(asked) - len(used) >= room:
            break
        if not near(query, asked):
            asked.append(query)
    return tuple(asked[len(used) :])


# Names

_CAPITAL = r"[A-Z0-9À-Þ](?:[^\W가-힣]|['’.-])*"
_SMALL = r"(?:of|the|and|de|la|le|von|van|der|du|del|di|for|in|on|at|to|a|&)"
_SPAN = re.compile(rf"{_CAPITAL}(?:\s+(?:{_SMALL}\s+){{0,2}}{_CAPITAL})*")
_QUOTED = re.compile(r"[\"“「『《〈‘]([^\"”」』》〉’]{2,60})[\"”」』》〉’]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z가-힣\"“(])|\n")
_IN_BRACKETS = re.compile(r"\s*\(.*?\)")
_OPENING = re.compile(r"(?:^|[.!?:]\s)$")


def named(question: str) -> list[str]:
    """What a question names, in its order: in quotation marks, with capital letters, as an id. The
    capital of the first word of a sentence says nothing."""
    found = [(match.start(), match[1]) for match in _QUOTED.finditer(question)]
    found += [(match.start(), match[0]) for match in _NAME.finditer(question)]
    for match in _SPAN.finditer(question):
        words = match[0].split()
        if _OPENING.search(question[: match.start()]) and (
            not content_words(words[0]) or words[0].endswith("ing") or len(words) == 1
        ):
            words = words[1:]
        found.append((match.start(), " ".join(words)))
    names = dict.fromkeys(re.sub(r"['’]s$", "", name.strip(" .,'’")) for _, name in sorted(found))
    kept = [name for name in names if re.search(r"[^\W\d]", name) and _is_name(name)]
    return [name for name in kept if not any(name != each and name in each for each in kept)]


def _is_name(name: str) -> bool:
    return bool(content_words(name)) and not re.match(r"\d", name)


def _brought(
    passage: Passage, asked: frozenset[str], rare: Mapping[frozenset[str], float]
) -> list[str]:
    """The names that a passage brings to a question, the likeliest bridge first: its heading, those
    beside rare words of the question, those near its beginning, and those of several words."""
    title = present(_title(passage))
    most = sum(rare.values()) or 1.0
    weights: dict[str, float] = {}
    if title and not title <= asked:
        weights[_title(passage)] = 0.6
    for place, sentence in enumerate(_SENTENCE.split(passage.text)):
        share = sum(rare[word] for word in held([*rare], present(sentence))) / most
        for name in _names_in(sentence):
            units = present(name)
            if not units or units <= asked or units <= title or len(name) < 2:
                continue
            weight = share + 0.15 / (1 + place) + (0.1 if " " in name else 0.0)
            weight -= 0.1 if re.search(r"\d", name) and not _NAME.search(name) else 0.0
            weights[name] = max(weights.get(name, 0.0), weight)
    return sorted(weights, key=lambda name: -weights[name])


def _names_in(sentence: str) -> Iterator[str]:
    """The names of a sentence; of a Korean one, which has no capitals, its nouns as well: what
    stands before a particle."""
    for match in _QUOTED.finditer(sentence):
        yield match[1].strip(" ,.")
    for match in _NAME.finditer(sentence):
        yield match[0]
    for match in _SPAN.finditer(sentence):
        name = match[0].strip(" .,'’")
        if content_words(name) and not re.fullmatch(r"[\d\s.,-]+", name):
            yield name
    for word in re.findall(r"[가-힣]+", sentence):
        if stripped := noun(word):
            yield stripped


def _title(passage: Passage) -> str:
    """The heading of a passage without what stands in brackets or after a bar."""
    return _IN_BRACKETS.sub("", passage.context.partition(" | ")[0]).strip()


# The order of what several searches brought

_FIRST_RANKS = 5
_LATER = 0.7


def in_order(rounds: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """The ids that the searches of several rounds brought, best first: reciprocal rank fusion
    (Cormack and others 2009), 1 / (5 + rank) of a search summed, where a search after the first
    round counts 0.7. So what a bridge found first stands after the best three of the first round.

    Tuned with the bridges: with the usual constant of 60 and equal weights Recall@10 was .01 to
    .03 lower."""
    scores: dict[str, float] = {}
    for number, searches in enumerate(rounds):
        weight = _LATER if number else 1.0
        for ids in searches:
            for rank, each in enumerate(ids, 1):
                scores[each] = scores.get(each, 0.0) + weight / (_FIRST_RANKS + rank)
    return sorted(scores, key=lambda each: -scores[each])
