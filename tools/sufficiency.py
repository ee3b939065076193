"""Whether what was found is enough for a question, what is missing, and how to look for that.

Compared by words and without a model: a piece of a question is covered when one passage with its
headings, or two passages that share a name (an id), have at least half of the words that say what
it is about (all where they are one or two), among them every name and number of it, what tells it
from the other pieces of its kind, whose it is, and the word for what is asked (the spec of the
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
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import dropwhile
from pathlib import PurePath
from unicodedata import normalize

from tools.decomposition import near, rewrites
from tools.documents import (
    Passage,
    carried,
    content_words,
    coverage,
    held,
    present,
    undenied,
)
from tools.kinds import tells_why, undated, unmet
from tools.marks import ID, marks
from tools.numerals import MONTH_NAMES
from tools.patterns import lazy_pattern
from tools.tokens import noun, rarity
from tools.verbs import as_verbs

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
_FURTHER_NAMES = 3
"""Names of the passage on what the question names, and no other is, in a second query."""
_MOST_NEARBY = 4

_DIGIT = r"\d"
MONEY = (
    r"[$₩€£¥]|\d ?(?:[십백천만억조]+ ?)?(?:원(?!인|칙|본|래|장)|달러|유로|엔)"
    r"|(?:won|dollars?|euros?|usd|krw)\b"
)
"""A pattern for an amount of money."""
_LASTS = r"\d\s?(?:일|주|개월|년|월|시간|days?|weeks?|months?|years?|hours?)"
_QUANTITIES: dict[str, re.Pattern[str]] = {
    asked: lazy_pattern(said, re.IGNORECASE)
    for asked, said in {
        r"(?:금액|가격|요금|비용|급여|수수료)$|^(?:prices?|costs?|fees?|salary|allowance)$": MONEY,
        r"(?:일수|기한|기간|날짜|기일)$|^(?:deadlines?|periods?|dates?|days?)$": _LASTS,
        r"(?:시간|시각|일시)$": r"\d\s?(?:시|분)|\d:\d\d",
        r"인원$": r"\d\s?(?:명|인)",
        r"온도$|^temperatures?$": r"\d ?(?:°|℃|도(?![가-힣])|[CFK]\b|degrees?\b)",
        r"^(?:open|close|start|begin|end|finishe?)s?$": (
            r"\d ?(?:[ap]m)? ?(?:to|until|till|[-–~]) ?\d{1,2}(?::\d\d| ?[ap]m)"
        ),
        r"비율$": r"\d\s?(?:%|퍼센트)",
        r"(?:한도|횟수|개수|번호|크기|용량|층|나이)$"
        r"|^(?:amounts?|limits?|numbers?|times?|rates?|hours?|size|capacity|age)$": _DIGIT,
    }.items()
}
"""What a number says, whatever word stands beside it: of a price an amount of money."""


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
    may_cover: Callable[[str, Passage], bool] = lambda requirement, passage: True,
) -> Sufficiency:
    """Judge ``passages`` by the ``requirements``, or by the question where there are none. At most
    ``limit`` queries are proposed; ``used`` are those that were asked. ``may_cover`` says whether a
    requirement may have its evidence where a passage is from."""
    if not requirements:
        return _assess_alone(question, passages, used, limit)
    wanted = tuple(requirements)
    names = named(question)
    evidence = {
        each: _covering(
            each,
            passages,
            _telling(each, wanted, names),
            question,
            partial(may_cover, each),
        )
        for each in wanted
    }
    for each in filter(_REFERS.search, wanted):
        meant = _brought_by(wanted, evidence, passages, but=each)
        if meant and evidence[each]:
            there = {passage.id: passage.searched for passage in passages}
            evidence[each] = tuple(
                id for id in evidence[each] if any(name in there[id] for name in meant)
            )
    missing = tuple(each for each in wanted if not evidence[each])
    covered = tuple(each for each in wanted if evidence[each])
    found = _brought_by(wanted, evidence, passages, but="")
    return Sufficiency(
        sufficient=bool(passages) and not missing,
        covered=covered,
        missing=missing,
        next_queries=_next(question, missing, passages, used, limit, found),
        evidence={each: evidence[each] for each in covered},
    )


def _brought_by(
    wanted: Sequence[str],
    evidence: Mapping[str, tuple[str, ...]],
    passages: Sequence[Passage],
    but: str,
) -> list[str]:
    """The names with which the evidence of the other requirements ends: what they found."""
    ids = [found[-1] for each, found in evidence.items() if each != but and found]
    known = present("\n".join(wanted))
    names = (name for each in passages if each.id in ids for name in _proper(each.text))
    return list(dict.fromkeys(name for name in names if not present(name) <= known))


@dataclass(frozen=True)
class _Telling:
    """What tells a requirement from others of its kind: ``words`` of which half the units must be
    there, ``names`` of which half the words must be."""

    words: Sequence[frozenset[str]]
    names: Sequence[Sequence[frozenset[str]]]

    def is_in(self, there: frozenset[str]) -> bool:
        return len(held(self.words, there)) == len(self.words) and all(
            2 * len(held(name, there)) >= len(name) for name in self.names
        )


_OWNER = lazy_pattern(r"^((?:\S+\s+){0,2}?\S+)의\s+\S")
_HERE = frozenset(map(frozenset[str], [["우리"], ["저희"], ["회사"], ["당사"], ["사내"], ["저"]]))
_MOST_TELLING = 2
_SHORTEST = 2
"""Content words of a requirement up to which all of them must be there."""
_REFERS = lazy_pattern(r"\b(?:that|this|those|these) [a-z]+|^(?:그|해당) ", re.IGNORECASE)
"""A requirement about what another one finds: which airport serves that city."""


def _telling(requirement: str, all_of_them: Sequence[str], names: Sequence[str]) -> _Telling:
    """Whose it is, where a Korean phrase begins with that; who did what is asked, not only for whom
    (the mayor of Acme); the words that no other requirement of its kind has; and the names in
    it."""
    given, requirement = requirement, _PRONOUN.sub("", as_verbs(requirement))
    words = content_words(requirement)
    owner = _OWNER.match(requirement)
    whose = re.sub(r"\s[가-힣]$", "", owner[1]) if owner else ""  # 담당 팀의: 팀 tells nothing
    telling = [word for word in content_words(whose) if word not in _HERE]
    if _DONE.search(requirement):
        telling += content_words(_OF.split(requirement, maxsplit=1)[0])
    for other in all_of_them:
        theirs = content_words(as_verbs(other))
        if other == given or not (words and theirs and words[-1] & theirs[-1]):
            continue
        units = frozenset[str]().union(*theirs)
        own = [word for word in words if not 2 * len(word & units) >= len(word)]
        if len(own) <= _MOST_TELLING:
            telling += own
    inside = [content_words(name) for name in names if name in given]
    return _Telling(telling, inside)


_AS_ASKED = lazy_pattern(
    r"\b(?:who|when|where|why|how)(?:'s|\s(?:is|are|was|were|does|do|did|has|have|had|will|can|may"
    r"|must|should))?\s(?:the\s)?$",
    re.IGNORECASE,
)
_PRONOUN = lazy_pattern(r"^(?:it|they|this|ones?)\s+", re.IGNORECASE)


def _as_asked(question: str, piece: str) -> str:
    """A piece of a question with the words right before it there that ask: who wrote."""
    found = _AS_ASKED.search(question[: max(question.find(piece), 0)])
    return f"{found[0]}{piece}" if found else piece


def _covering(
    requirement: str,
    passages: Sequence[Passage],
    telling: _Telling | None = None,
    question: str = "",
    may_say: Callable[[Passage], bool] = lambda passage: True,
) -> tuple[str, ...]:
    """The passages that cover a requirement each alone, else two that a name joins: one says which
    server the project has, the other the spec of that server. They tell who, when, where or why
    where ``question`` asks that; what is asked is said by one that ``may_say`` it."""
    asks = _as_asked(question, requirement)
    requirement = _PRONOUN.sub("", as_verbs(requirement))
    words, asked = content_words(requirement), asked_word(requirement)
    known = telling or _telling(requirement, (), ())
    wanted = marks(requirement)
    has = {each.id: marks(f"{_file_name(each)}\n{each.searched}") for each in passages if wanted}
    there = {each.id: present(as_verbs(each.searched)) for each in passages}
    texts = {each.id: f"{undated(each.context)}\n{each.body or each.text}" for each in passages}
    if done := _verb(requirement):
        for each in passages:
            if done.search(normalize("NFD", each.searched)):
                there[each.id] |= frozenset[str]().union(*content_words(requirement.split()[-1]))
    files = {each.id: present(_file_name(each)) for each in passages}
    is_bare = bool(words) and _has_all(requirement, present(asked))
    whole = content_words(as_verbs(question)) if is_bare else []
    saying = [
        each
        for each in passages
        if may_say(each)
        and (
            _has_all(asked, there[each.id])
            or (tells(asked, each.text) and (not whole or held(whole, there[each.id])))
        )
    ]
    short = [word for word in words if word not in content_words(asked)]

    def covered(*ids: str) -> bool:
        units = frozenset[str]().union(*(there[each] for each in ids))
        filed = units.union(*(files[each] for each in ids))
        about = carried(words, units) or not words
        if len(words) <= _SHORTEST:
            about = len(held(short, filed)) == len(short)
        marked = all(any(mark in has[each] for each in ids) for mark in wanted)
        if not (about and marked and known.is_in(filed)):
            return False
        return not any(unmet(asks, "\n".join(texts[each] for each in ids)))

    if alone := [each.id for each in saying if covered(each.id)]:
        return tuple(alone)
    for last in saying:
        for first in passages:
            both = there[first.id] | there[last.id]
            more = len(carried(words, both)) > len(held(words, there[last.id]))
            if more and _share_a_name(first, last, requirement) and covered(first.id, last.id):
                return first.id, last.id
    return ()


def _file_name(passage: Passage) -> str:
    return PurePath(passage.source).stem


def _present(passage: Passage) -> frozenset[str]:
    return present(passage.searched)


_LAST_WORD = lazy_pattern(
    r"(?P<stem>[가-힣]+?[가-힣])(?:시?(?:나요|니까|는가요|던가요|는지요?|지요|죠))?[.?!？。]*$"
)
_CONTRACTED = {"\u1175": "\u1167", "\u1169": "\u116a", "\u116e": "\u116f"}
"""Vowels that a past ending melts with: 걸리, 걸렸; 나오, 나왔; 나누, 나눴."""


def _verb(requirement: str) -> re.Pattern[str] | None:
    """For the last word of a Korean requirement as the stem of a verb that ends in a vowel or ㄹ,
    the words (in letters) that it becomes in a statement, where the last syllable changes: 끝나나요
    and 걸리(고) are 끝납니다, 끝난다, 끝났다, 걸립니다, 걸렸다; 만들 is 만듭니다."""
    match = _LAST_WORD.search(requirement)
    letters = normalize("NFD", match["stem"]) if match else ""
    if not letters or not "\u1161" <= letters[-1] <= "\u1175":
        forms = [f"{letters[:-1]}[\u11ab\u11b8]"] if letters.endswith("\u11af") else []
    else:
        forms = [f"{letters}[\u11ab\u11af\u11b7\u11b8\u11bb]"]
        if vowel := _CONTRACTED.get(letters[-1]):
            forms.append(f"{letters[:-1]}{vowel}")
    return re.compile(rf"(?<![\u1100-\u11ff])(?:{'|'.join(forms)})") if forms else None


def _share_a_name(one: Passage, other: Passage, requirement: str) -> bool:
    """Whether two passages share an id, or a name that the requirement does not have itself."""
    if one.id == other.id:
        return False
    if {*ID.findall(one.text)} & {*ID.findall(other.text)}:
        return True
    return any(name in other.text and name not in requirement for name in _proper(one.text))


def _proper(text: str) -> list[str]:
    """The names with capitals in a text, of several words or within a sentence."""
    return [name for name in named(text) if len(name) > 2]


_OF = lazy_pattern(
    r"\s(?:of|for|in|on|at|by|from|to|with|used|between|that|which|who)\s", re.IGNORECASE
)
_DONE = lazy_pattern(r"\s(?:of|by|in|on|at|for|from)\s(?:the\s)?(?:[A-Z]\S*\s)+(?P<done>[a-z]+)$")
_TOPIC = lazy_pattern(
    r"(?:은|는|이|가)\s+(?:며칠|얼마|언제|어디|누구|무엇|뭐|몇)\S*(?:\s\S*)?[?？.!]*$"
)
_TO_DO = lazy_pattern(r"([가-힣]+려면)$")
_ASKS = lazy_pattern(
    r"(?:나요|까요?|니까|가요|[이예]요|[이]?야|지요?|어|아|[려돼해와워져춰]요|니다|[는한된]다|[은는른]가|[내하되있없받오가쓰주사]나"
    r"|[?？.!]+)$"
)
_BOUND = lazy_pattern(r"(?:^|\s)(?:것|거|게|점|일|줄|때|뒤|후)[은는이가]?$")
_COUNT = lazy_pattern(r"(?<=[가-힣])\s+수[은는이가]?$")
"""What stands before it is counted: 사용자 수."""
_REASONS = ("reason", "cause", "이유", "원인")
_NUMBERED = lazy_pattern(r"\d[\w.-]*$")


def tells(asked: str, text: str) -> bool:
    """Whether a text tells what ``asked`` is the word for without that word: a number of a
    quantity, a clause that gives a reason."""
    return has_quantity(asked, text) or (asked in _REASONS and tells_why(text))


def has_quantity(asked: str, text: str) -> bool:
    """Whether ``asked`` is the word for a quantity, and ``text`` has a number of its kind."""
    return any(
        re.search(each, asked, re.IGNORECASE) and said.search(text)
        for each, said in _QUANTITIES.items()
    )


def _has_all(text: str, there: frozenset[str]) -> bool:
    """Whether the words of a text that say something are all there, each by half of its units."""
    words = content_words(text)
    return len(held(words, there)) == len(words)


def asked_word(requirement: str) -> str:
    """The word for what is asked of the thing: the last of a Korean phrase, and of an English one
    the last before "of the ...", or what somebody named there did; the name of a thing that ends in
    a number (Y1, iPhone 15) is none. Empty where a whole question stands, which may end in any
    word."""
    text = _COUNT.sub("", _TOPIC.sub("", requirement.strip(" .?!？。")))
    if condition := _TO_DO.search(text):
        return condition[1]
    if done := _DONE.search(text):
        return done["done"]
    if _ASKS.search(text) or _BOUND.search(text):
        return ""
    head = text if re.search("[가-힣]", text) else _OF.split(f"{text} ", maxsplit=1)[0]
    told = [word for word in re.findall(r"[\w.-]+", head) if content_words(word)]
    while told and _NUMBERED.search(told[-1]):
        told.pop()
    return told[-1] if told else ""


def _next(
    question: str,
    missing: Sequence[str],
    passages: Sequence[Passage],
    used: Sequence[str],
    limit: int,
    meant: Sequence[str],
) -> tuple[str, ...]:
    """For each missing requirement the first wording that was not used: as it stands, by its
    rewrites, then aimed at what is missing. ``meant`` are names that the others brought."""
    asked = [*used]
    found: list[str] = []
    known = present(question)
    for requirement in missing:
        aimed = _aimed(requirement, passages, known, meant if _REFERS.search(requirement) else ())
        for query in (requirement, *rewrites(requirement), *aimed):
            if query and not near(query, asked):
                asked.append(query)
                found.append(query)
                break
    return tuple(found[:limit])


def _aimed(
    requirement: str,
    passages: Sequence[Passage],
    known: frozenset[str],
    meant: Sequence[str],
) -> Iterator[str]:
    """Searches for a requirement at what was not found of it: the names that the nearest passages
    brought with the words that they lack, those words alone, and the word for what is asked."""
    words = content_words(requirement)
    near_it = sorted(
        (each for each in passages if held(words, _present(each))),
        key=lambda each: -coverage(requirement, each.text),
    )
    rest = _unmet(requirement, passages)
    ids = dict.fromkeys(
        name
        for passage in sorted(passages, key=lambda each: -coverage(requirement, each.text))
        for name in ID.findall(passage.text)
        if not present(name) <= known
    )
    if rest:
        yield from (f"{name} {rest}" for name in [*ids][:3])
    for passage in near_it[:_BEST]:
        lacked = _lacked(requirement, passage)
        names = [name for name in _proper(passage.text) if not present(name) <= known]
        if lacked and names:
            yield f"{' '.join(names[:_NAMES_OF_ONE])} {lacked}"
    written = _REFERS.sub("", requirement).strip()
    yield from (f"{name} {written}" for name in reversed(meant))
    if rest:
        yield rest
    yield asked_word(requirement)


def _lacked(requirement: str, passage: Passage) -> str:
    """The words of a requirement that a passage lacks, as they are written."""
    there = _present(passage)
    kept = [word for word in re.findall(r"[\w.-]+", requirement) if not _has_all(word, there)]
    return " ".join(kept)


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
    said = "\n".join(each.searched for each in passages if each.id in chain)
    enough = bool(chain) and not unnamed and not undenied(question, said)
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


_TWO_WORDS = lazy_pattern(r"[A-Z][^\W\d]+(?:['’-][^\W\d]+)? [A-Z][^\W\d]+(?:['’-][^\W\d]+)?")


def not_found(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """What the question names, in quotation marks, with capitals or as an id, of which no passage
    has half the words, nor of a name of two words both: another Anderson is somebody else."""
    there = [_present(each) for each in passages]
    missing: list[str] = []
    for name in named(question):
        words = content_words(name)
        least = len(words) if _TWO_WORDS.fullmatch(name) else len(words) / 2
        if not any(sum(word <= units for word in words) >= least for units in there):
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
    names = named(question)
    parts = [frozenset(held(words, units)) for units in there]
    holding = Counter(word for each in parts for word in each)
    rare = {word: rarity(len(passages), rows) for word, rows in holding.items()}

    def fit(place: int) -> tuple[bool, float]:
        """Whether a passage is the one on what the question names, and how much of what is rare in
        the question it has; more when the question has the words of its heading."""
        heading = _title(passages[place])
        title = present(heading)
        has_title = bool(title) and title <= asked
        score = sum(rare[word] for word in parts[place])
        return heading in names, score * (1.5 if has_title else 1.0) + 0.3 / (place + 1)

    best = sorted(range(len(passages)), key=fit, reverse=True)[:_BEST]
    titles = [present(_title(passages[place])) for place in best]
    headed = [number for number, title in enumerate(titles) if title and title <= asked]
    for number, place in enumerate(best):
        rest = _written(question, set(words) - parts[place])
        brought = _brought(passages[place], asked, rare) if rest else []
        first, further = brought[:_NAMES_OF_ONE], brought[_NAMES_OF_ONE:][:_FURTHER_NAMES]
        if first:
            yield " ".join([*first, rest])
        if further and headed == [number] == [0]:
            yield " ".join([*further, rest])


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
_ONLY_SMALL = lazy_pattern(_SMALL)
_SPAN = lazy_pattern(rf"{_CAPITAL}(?:\s+(?:{_SMALL}\s+){{0,2}}{_CAPITAL})*")
_QUOTED = lazy_pattern(r"[\"“「『《〈‘]([^\"”」』》〉’]{2,60})[\"”」』》〉’]")
_SENTENCE = lazy_pattern(r"(?<=[.!?])(?<!\b[A-Z]\.)\s+(?=[A-Z가-힣\"“(])|\n")
_DATE = lazy_pattern(rf"(?:{'|'.join(MONTH_NAMES)}|[\d\s.,–-])+", re.IGNORECASE)
"""A day, a year or any number, which names nobody."""
_IN_BRACKETS = lazy_pattern(r"\s*\(.*?\)")
_OPENING = lazy_pattern(r"(?:^|[.!?:]\s)$")


def named(question: str) -> list[str]:
    """What a question names, in its order: in quotation marks, with capital letters, as an id. The
    capital of the first word of a sentence says nothing."""
    found = [(match.start(), match[1]) for match in _QUOTED.finditer(question)]
    found += [(match.start(), match[0]) for match in ID.finditer(question)]
    for match in _SPAN.finditer(question):
        words = match[0].split()
        if _OPENING.search(question[: match.start()]) and (
            not content_words(words[0]) or words[0].endswith("ing") or len(words) == 1
        ):
            words = [*dropwhile(_ONLY_SMALL.fullmatch, words[1:])]
        found.append((match.start(), " ".join(words)))
    names = dict.fromkeys(re.sub(r"['’]s$", "", name.strip(" .,'’")) for _, name in sorted(found))
    kept = [name for name in names if re.search(r"[^\W\d]", name) and _is_name(name)]
    return [name for name in kept if not any(name != each and name in each for each in kept)]


def _is_name(name: str) -> bool:
    return bool(content_words(name)) and not re.match(r"\d", name)


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
    heading = _title(passage)
    title = present(heading)
    most = sum(rare.values()) or 1.0
    roots = {unit[:_ROOT] for unit in asked - title if unit.isascii() and len(unit) >= _ROOT}
    weights: dict[str, float] = {}
    if 2 * len(title & asked) < len(title):
        weights[heading] = _OF_A_NAME if _is_called(heading) else _OF_A_TEXT
    for place, sentence in enumerate(_SENTENCE.split(passage.text)):
        share = sum(rare[word] for word in held([*rare], present(sentence))) / most
        for name in _names_in(sentence):
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


def _names_in(sentence: str) -> Iterator[str]:
    """The names of a sentence; of a Korean one, which has no capitals, its nouns as well: what
    stands before a particle."""
    for match in _QUOTED.finditer(sentence):
        yield match[1].strip(" ,.")
    for match in ID.finditer(sentence):
        yield match[0]
    for match in _SPAN.finditer(sentence):
        words = match[0].split()
        if _OPENING.search(sentence[: match.start()]):
            words = [*dropwhile(lambda word: not content_words(word), words)]
        name = " ".join(words).strip(" .,'’")
        if content_words(name) and not _DATE.fullmatch(name):
            yield name
    for word in re.findall(r"[가-힣]+", sentence):
        if stripped := noun(word):
            yield stripped


_HANGUL_NAME = lazy_pattern(r"[가-힣]+(?: [가-힣]+){0,2}")


def _is_called(heading: str) -> bool:
    """Whether a heading is a name: capitals throughout, or one to three words in Hangul."""
    return bool(_SPAN.fullmatch(heading) or _HANGUL_NAME.fullmatch(heading))


def _title(passage: Passage) -> str:
    """The heading of a passage without what stands in brackets or after a bar."""
    return _IN_BRACKETS.sub("", passage.context.partition(" | ")[0]).strip()


# The order of what several searches brought

_FIRST_RANKS = 5
_LATER = 0.9
_KNOWN = 0.5

Searched = tuple[str, Sequence[Passage]]
"""A query and what it brought, best first."""


def in_order(question: str, rounds: Sequence[Sequence[Searched]]) -> list[str]:
    """The ids of what the searches of several rounds brought, best first: reciprocal rank fusion
    (Cormack and others 2009), 1 / (5 + rank) of a search summed. A search after the first round
    counts 0.9, and half of that for what an earlier round had: it was made for what is missing. A
    passage headed by a name that its query has and the question has not stands first.

    Tuned with the bridges on the even questions and on 285 of the templates of 2WikiMultihopQA,
    filled in from its 6,119 passages: of what one search missed there, the first ten had .528 with
    0.7 for all later searches, .766 so. With 1 instead of 0.9 HotpotQA is .01 better and
    MultiHop-RAG .007 worse than one search."""
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
    heading = _title(passage)
    title = present(heading)
    return _is_called(heading) and len(title) > 1 and title <= looked_for and not title <= asked
