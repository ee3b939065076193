"""Whether what was found is enough for a question, what is missing, and how to look for that.

Compared by words and without a model: a piece of a question is covered when one passage with its
headings, or two passages that share a name (an id), have at least half of the words that say what
it is about (all where they are one or two), among them every name and number of it, what tells it
from the other pieces of its kind, whose it is, and the word for what is asked (the spec of the
server: not every passage about the server). That the words are there is no proof that the answer
is.

A question that is one piece is covered when one passage, or two of which one names the other, have
all of its words. Until then its further searches aim at what is missing (``tools.bridges``).

Tuned on the even questions of three public sets with 6,119 passages of a fourth beside them, and
reported on the odd ones, by ``bareloop eval``; one search against this one round of two more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from unicodedata import normalize

from tools.bridges import BEST, NAMES_OF_ONE, further_queries
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
from tools.kind_forms import OF_A_KIND
from tools.kinds import tells_why, undated, unmet
from tools.marks import ID, marks
from tools.names import heading_of, named
from tools.patterns import lazy_pattern
from tools.verbs import as_verbs

MORE_SEARCHES = 2
"""Searches that are proposed for a question of one piece beyond its own. With a third Recall@10 was
.01 lower on HotpotQA, .005 higher on MultiHop-RAG and .01 lower on StrategyQA."""

_MOST_NEARBY = 4

_DIGIT = r"\d"
MONEY = (
    r"[$₩€£¥]|\d ?(?:[십백천만억조]+ ?)?(?:원(?!인|칙|본|래|장)|달러|유로|엔)"
    r"|(?:won|dollars?|euros?|usd|krw)\b"
)
"""A pattern for an amount of money."""
_LASTS = rf"\d\s?{OF_A_KIND}(?:일|주|개월|년|월|시간|days?|weeks?|months?|years?|hours?)"
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
    given, requirement = requirement, compared(requirement)
    words = content_words(requirement)
    asked = content_words(asked_word(requirement))
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
        own = [word for word in own if word not in asked]
        if len(own) <= _MOST_TELLING:
            telling += own
    inside = [content_words(name) for name in names if name in given]
    return _Telling(telling, inside)


_AS_ASKED = lazy_pattern(
    r"\b(?:who|when|where|why|how)(?:'s|\s(?:is|are|was|were|does|do|did|has|have|had|will|can|may"
    r"|must|should))?\s(?:the\s)?$",
    re.IGNORECASE,
)
_EMPTY = lazy_pattern(r"\bcomes? (?=into\b)", re.IGNORECASE)


_COUNTED = lazy_pattern(
    r"(?<=\S)\s몇\s?(?P<unit>[가-힣]{1,4}?)(?:인가요|인지|입니까|이나|이에요|예요|이야|이지|인데)?[?？.]*$"
)


def _without_counted(piece: str) -> tuple[str, re.Pattern[str]] | None:
    """A Korean piece that ends in how many of a unit (주 몇 회, 할인은 몇 퍼센트인가요) without
    that, and what tells it: a number with the unit. None for any other."""
    match = _COUNTED.search(piece)
    if match is None or not content_words(piece[: match.start()]):
        return None
    unit = r"(?:%|퍼센트|프로)" if match["unit"] in ("퍼센트", "프로") else match["unit"]
    return piece[: match.start()], re.compile(rf"\d\s?{unit}")


def compared(piece: str) -> str:
    """A piece as it is compared with texts: its verbs in one form, without an empty one (comes into
    force)."""
    return _EMPTY.sub("", as_verbs(piece))


def _as_asked(question: str, piece: str) -> str:
    """A piece of a question with the words right before it there that ask: who wrote."""
    places = map(question.find, [piece, *piece.split()[:1]])
    place = max(*places, 0)
    found = _AS_ASKED.search(question[:place])
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
    where ``question`` asks that; what is asked is said by one that ``may_say`` it. How many of a
    unit there are is said by a number with that unit as well."""
    counted = _without_counted(requirement)
    asks = _as_asked(question, requirement)
    requirement = compared(requirement)
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
            or (tells_by_kind(asked, each.text) and (not whole or held(whole, there[each.id])))
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
    if counted is None:
        return ()
    rest, number = counted

    def counts(passage: Passage) -> bool:
        return may_say(passage) and bool(number.search(passage.body or passage.text))

    return _covering(rest, passages, telling, question, counts)


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
    and 걸리(고) are 끝납니다, 끝난다, 끝났다, 걸립니다, 걸렸다; 만들 is 만듭니다. It
    may also go on as it stands: 바꾸나요, 바꾸고."""
    match = _LAST_WORD.search(requirement)
    letters = normalize("NFD", match["stem"]) if match else ""
    if not letters or not "\u1161" <= letters[-1] <= "\u1175":
        forms = [f"{letters[:-1]}[\u11ab\u11b8]"] if letters.endswith("\u11af") else []
    else:
        forms = [f"{letters}(?:[\u11ab\u11af\u11b7\u11b8\u11bb]|(?=[\u1100-\u1112]))"]
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


def tells_by_kind(asked: str, text: str) -> bool:
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
    for passage in near_it[:BEST]:
        lacked = _lacked(requirement, passage)
        names = [name for name in _proper(passage.text) if not present(name) <= known]
        if lacked and names:
            yield f"{' '.join(names[:NAMES_OF_ONE])} {lacked}"
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
    ways = () if enough else _fresh(further_queries(question, words, passages, there), used, room)
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
    titles = [present(heading_of(each)) for each in passages]
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


def _fresh(queries: Iterator[str], used: Sequence[str], room: int) -> tuple[str, ...]:
    asked = [*used]
    for query in queries:
        if len(asked) - len(used) >= room:
            break
        if not near(query, asked):
            asked.append(query)
    return tuple(asked[len(used) :])
