"""Whether texts have something of the kind that each asking word of a question wants: a person, a
time, a place, a cause.

"When and why did it fail?" asks two things, and a text with a day answers one of them. A kind is
there where its own form is: a name beside its title or the verb that is asked for, a place behind
its particle, a clause that says because. Without that it is missing: ordinary words are no person,
a time is no place, and what stands on no record is told by nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache

from tools.documents import content_words, held, present
from tools.kind_forms import (
    AFTER_ALL,
    AUXILIARY,
    BEFORE_A_NAME,
    BEFORE_A_PLACE,
    BEFORE_AUXILIARY_KO,
    CAPITALS,
    CAUSE,
    CLAUSES,
    CONDITION,
    DATE,
    DOES_KO,
    EXPLAINS,
    HOURS,
    IS_OVER,
    LABELLED,
    LABELS,
    NAME_KO,
    NO_FROM,
    NO_NAMES,
    NO_SITES_KO,
    PERSON,
    PLACE,
    PLACE_KO,
    SHORT_NAME_KO,
    TIME,
    TITLES,
    UNKNOWN,
)
from tools.patterns import lazy_pattern
from tools.tokens import stem
from tools.verbs import as_verbs, is_told

SENTENCES = lazy_pattern(r"(?<=[.!?])\s+|[\n;]")

_BEGINS = r"(?:^\W*|[,;.?]\s*|\b(?:and|or|also|by|to|with|for|from|know|say|tell me)\s+)"
_ASKS = (
    r"(?=(?:'s)?\s*(?:exactly )?(?:(?:did|do|does|is|are|was|were|has|have|had|will|would|can"
    r"|could|shall|should|must|may|to|and|or)\b|[,;?.!]|$))"
)
"""When and where within a sentence (the fee when it rains) ask for nothing."""
CLAUSE = r"(?:[^,;.?!](?!\b(?:who|when|where|why|how|what|which)\b))*"
CLAUSE_KO = r"[가-힣]*(?:[ ,]+(?!누가|누구|언제|어디|왜|얼마)[가-힣\w-]+){0,2}"


def asks(question: str) -> list[str]:
    """The clauses of ``question`` that want a person, a time, a place or a cause."""
    found = (_clause(clause).search(question) for _, clause, _ in _KINDS)
    return [_whole(question, match) for match in found if match]


def unmet(question: str, found: str, planned: Collection[str] = ()) -> Iterator[str]:
    """The clauses of ``question`` that want a person, a time, a place or a cause, where ``found``
    has none. ``planned`` are words in which a plan says itself that its evidence tells that."""
    known = present("\n".join([question, *planned]))
    told = _told(found)
    for words, clause, has in _KINDS:
        match = _clause(clause).search(question)
        if match and not words & {*planned} and not has(question, told, known):
            yield _whole(question, match)


def tells_why(found: str) -> bool:
    """Whether a text says why something is so, whatever it is."""
    told = _told(found)
    return bool(CAUSE.search(told) or AFTER_ALL.search(told))


def undated(headings: str) -> str:
    """Headings without their dates, which say when a text was written and not when a thing is."""
    return DATE.sub(" ", headings)


def says_why(question: str, found: str) -> bool:
    """Whether a Korean question asks why, and a text has a word for a cause: then it need not have
    the verb as well (왜 멈췄나요, 장애 원인)."""
    return "왜" in question and _has_cause(question, _told(found), frozenset())


_JOINED_TO = lazy_pattern(
    rf"(?:[\s,]*(?:(?:and|or) )?(?:who|when|where|why|how)\b)+(?P<rest>{CLAUSE})"
    rf"|(?:[\s,]*(?:누가|누구|언제|어디|왜)[에서게]*)+(?P<rest_ko>{CLAUSE_KO})",
    re.IGNORECASE,
)


def _whole(question: str, match: re.Match[str]) -> str:
    """A clause without what joins it to the next one; of an asking word alone (when and why did it
    fail) with what that asks."""
    clause = re.sub(r"\s(?:and|or|but)$", "", str(match["clause"]).strip(" ,"))
    if " " not in clause and (joined := _JOINED_TO.match(question, match.start() + len(clause))):
        return f"{clause}{joined['rest'] or joined['rest_ko'] or ''}"
    return clause


@cache
def _clause(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_WITHIN = lazy_pattern(r"(?<=[가-힣])\([^()\n]{0,40}\)(?=[가-힣])")


def _told(found: str) -> str:
    """A text without the clauses that say that something is not known, and without what stands in
    brackets between a Korean word and its particle."""
    parts = CLAUSES.split(_WITHIN.sub("", found))
    return "".join(part for part in parts if not (part and UNKNOWN.search(part)))


def _adds(words: str, known: frozenset[str]) -> bool:
    """Whether words say something that the question does not."""
    return not (telling := content_words(words)) or not all(each <= known for each in telling)


def _has_person(question: str, told: str, known: frozenset[str]) -> bool:
    """Whether a text has somebody whom the question does not name: by a role, or by a name."""
    if any(_adds(match[0], known) for match in PERSON.finditer(told)):
        return True
    verbs = {stem(match["verb"].casefold()) for match in _WHO_DOES.finditer(as_verbs(question))}
    asked = question.casefold()
    return (
        any(
            label and _is_of_the_label(label, asked)
            for match in LABELLED.finditer(told)
            for label in match.groups()
        )
        or _is_named(told, known)
        or _does_it(told, verbs, known)
        or _is_named_ko(question, told, known)
    )


_BETWEEN = 4
"""Words back from a verb in which its subject is looked for: has always been."""
_WHO_DOES = lazy_pattern(
    rf"\bwho\s+(?:(?:{AUXILIARY}|is|are|was|were|to|also)\s+){{0,3}}(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_ADVERB = lazy_pattern(rf"{AUXILIARY}|be|who|also|only|always|never|\w+ly", re.IGNORECASE)
_WHO_KO = lazy_pattern(r"누가(?P<does>(?: [가-힣]+){1,3})")


def _is_of_the_label(label: str, asked: str) -> bool:
    """Whether a name behind a label is what is asked for: the owner, or the word of the question
    (supplier: Millstone, who supplies the flour)."""
    label = label.casefold()
    least = 5 if label.isascii() else 2
    return label in LABELS or (len(label) >= least - 1 and label[:least] in asked)


def _is_named(told: str, known: frozenset[str]) -> bool:
    """Whether a text has a name with capitals: of two words, or behind one that names somebody."""
    for match in CAPITALS.finditer(told):
        before, words = told[max(0, match.start() - 20) : match.start()], match[0].split()
        while words and words[0].casefold() in NO_NAMES:
            before = f"{words.pop(0)} "
        new = [each for each in words if each.casefold() not in NO_NAMES and _adds(each, known)]
        if not new or BEFORE_A_PLACE.search(before) or {*map(str.casefold, words)} & TITLES:
            continue
        if len(new) > 1 or BEFORE_A_NAME.search(before):
            return True
    return False


def _does_it(told: str, verbs: Collection[str], known: frozenset[str]) -> bool:
    """Whether a text has the verb that is asked for with another word before it as its subject."""
    for sentence in SENTENCES.split(told) if verbs else ():
        words = re.findall(r"\w[\w'’-]*", as_verbs(sentence))
        for place, word in enumerate(words):
            if stem(word.casefold()) in verbs:
                nearest = words[max(0, place - _BETWEEN) : place]
                before = [each for each in nearest if not _ADVERB.fullmatch(each)]
                if before and content_words(before[-1]) and _adds(before[-1], known):
                    return True
    return False


def _is_named_ko(question: str, told: str, known: frozenset[str]) -> bool:
    """Whether a text has a Korean name: of three syllables with a particle, before a title, or of
    two before the verb that is asked for. Who does something (납품은 누가 하나요) is told by a name
    in Latin letters as well, in a sentence with a word of the question."""
    if any(not present(match["name"]) <= known for match in NAME_KO.finditer(told)):
        return True
    does = [word for match in _WHO_KO.finditer(question) for word in match["does"].split()]
    names = [each for each in SHORT_NAME_KO.finditer(told) if not present(each["name"]) <= known]
    if any(is_told(verb, match["verb"]) for match in names for verb in does):
        return True
    if not any(map(DOES_KO.match, does)):
        return False
    asked = content_words(question)
    return any(
        match["name"].isascii()
        and DOES_KO.match(match["verb"])
        and not BEFORE_AUXILIARY_KO.search(match[0])
        and held(asked, present(sentence))
        for sentence in SENTENCES.split(told)
        for match in SHORT_NAME_KO.finditer(sentence)
        if not present(match["name"]) <= known
    )


def _has_time(question: str, told: str, known: frozenset[str]) -> bool:
    """Whether a text has a time, and no date that the question has itself. Of what is over the
    hours of a day tell nothing but in a sentence that has it."""
    action = _action(question) if IS_OVER.search(question) else ""
    for sentence in SENTENCES.split(told):
        for match in TIME.finditer(HOURS.sub(" ", sentence) if action else sentence):
            if match[0] not in question or not re.search(r"\d", match[0]):
                return True
        if action and _tells(action, sentence) and TIME.search(sentence):
            return True
    return False


def _has_place(question: str, told: str, known: frozenset[str]) -> bool:
    """Whether a text has a place that the question does not name, and that is no time. Where a
    thing is (store: Seoul) does not tell where something was done."""
    is_over = IS_OVER.search(question)
    for pattern in (PLACE, PLACE_KO):
        for match in pattern.finditer(told):
            said = next(filter(None, match.groups()), match[0])
            before = told[max(0, match.start() - 2) : match.start()].rstrip()
            is_from = match[0].rstrip("는도").endswith("에서")
            if not (
                (is_over and before.endswith(":"))
                or TIME.search(match[0])
                or said.casefold() in NO_NAMES
                or not _adds(said, known)
                or said.endswith(NO_SITES_KO)
                or (is_from and NO_FROM.search(said))
            ):
                return True
    return False


def _has_cause(question: str, told: str, known: frozenset[str]) -> bool:
    """Whether a text has a clause that says why, or something beside what the question asks of
    that may be why: what was before it, or with what it came."""
    if CAUSE.search(told):
        return True
    action = _action(question)
    for sentence in SENTENCES.split(told) if action else ():
        explains = EXPLAINS.search(sentence)
        if (AFTER_ALL.search(sentence) or CONDITION.search(sentence)) and _tells(action, sentence):
            return True
        if explains and _tells(action, sentence[: explains.start()]):
            return True
    return False


def _action(question: str) -> str:
    """The last word of a question that says something and is no name, number or time: what
    happened."""
    words: list[str] = re.findall(r"[\w-]+", question)
    for word in reversed(words):
        if content_words(word) and not (re.search(r"\d|^[A-Z]", word) or TIME.search(word)):
            return word
    return ""


def _tells(action: str, text: str) -> bool:
    words = content_words(as_verbs(action))
    return bool(held(words, present(as_verbs(text)))) or is_told(action, text)


_NO_PLACE_ASKED = "".join(
    f"(?<!{each} )"
    for each in (
        "팀은 팀이 부서는 부서가 회사는 회사가 기관은 기관이 업체는 업체가 기업은 기업이 나라는"
        " 나라가 단체는 단체가"
    ).split()
)
_REASON = frozenset("why 왜 cause causes caused reason reasons 원인 이유 사유".split())
_KINDS: tuple[tuple[frozenset[str], str, Callable[[str, str, frozenset[str]], bool]], ...] = (
    (frozenset(["who", "누가", "누구"]),
     rf"{_BEGINS}(?P<clause>who(?:se|m)?\b{CLAUSE})",
     _has_person),
    (frozenset(["who", "누가", "누구"]),
     rf"(?P<clause>누(?:가|구(?!나|든|의|인지)){CLAUSE_KO})", _has_person),
    (frozenset(["when", "언제"]), rf"{_BEGINS}(?P<clause>when{_ASKS}{CLAUSE})", _has_time),
    (frozenset(["when", "언제"]), rf"(?P<clause>언제(?!나|든|라도){CLAUSE_KO})", _has_time),
    (frozenset(["where", "어디"]), rf"{_BEGINS}(?P<clause>where{_ASKS}{CLAUSE})", _has_place),
    (frozenset(["where", "어디"]),
     rf"{_NO_PLACE_ASKED}"
     rf"(?P<clause>어디(?!나|든|까지){CLAUSE_KO})", _has_place),
    (frozenset(["why", "왜"]), rf"{_BEGINS}(?P<clause>why\b{CLAUSE})", _has_cause),
    (frozenset(["why", "왜"]), rf"(?<![가-힣])(?P<clause>왜(?!냐|곡){CLAUSE_KO})", _has_cause),
    (_REASON,
     rf"{_BEGINS}(?P<clause>(?:what (?:was|is|were|are) the (?:cause|reason)|what caused"
     rf"|for what reason|how come)s?\b{CLAUSE})", _has_cause),
    (_REASON,
     r"(?P<clause>(?:[가-힣]+ )?(?:이유|원인|사유)[은는이가을를]? ?"
     r"(?:(?:무엇|뭐|뭔|뭘|알려|말해|설명|궁금)[가-힣]*|(?=[?？.!]*$)))", _has_cause),
)  # fmt: skip
"""The asking words of a kind, how a question asks for it, and whether a text has it. Which team
it is, Korean asks by the word for where (담당 팀은 어디)."""
