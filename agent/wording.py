"""What a sentence of an answer says otherwise than its evidence: names that are not there, next to
none of its words, or the opposite.

It is a look at words and no understanding; a false sentence that keeps close to the words passes.
Each rule is set where a sentence is nearly never caught that says in a person's own words what the
text has. Measured on questions with their answer put behind them, against the passage that has it
(1,500 of KorQuAD dev, the 100 of HotpotQA): names 1 and 3, Korean names 2 and 0, other words 6 and
0, negations 7 and 0. With the passage of another question other words are 1,437 and 98. Of 5,778
short sentences with an answer of KorQuAD alone (정답은 ...입니다) none is caught for its words by
its own passage, 1,863 by another. Of 862 English and 217 Korean sentences that were negated by
a rule, 855 and 165 are caught beside the sentence itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize

from tools.documents import content_words, coverage, held, present
from tools.numerals import MONTHS, WEEKDAYS
from tools.patterns import lazy_pattern
from tools.tokens import fold, has_hangul, stem, units

_FEWEST = 4
"""Content words from which on a sentence is compared: of fewer, one other word is too much."""

_LEAST_SHARED = 0.25
"""The share of a sentence's content words that its evidence must have."""

_SAME_MATTER = 0.66
"""The share of a sentence's content words that one clause has which speaks of the same."""

_HALF = 0.5
"""The same where the other clauses have the rest."""

_POINTS_ELSEWHERE = lazy_pattern(
    r"(?:참고|참조|문의)(?:하|해)|보(?:세요|십시오|시기 바)"
    r"|^\W*(?:please )?(?:see|refer to|contact|ask)\b",
    re.IGNORECASE,
)
_YES_OR_NO = lazy_pattern(
    r"\b(?:yes|no|not|certainly|indeed|surely|correct|true|false|right|possible|impossible)\b"
    r"|(?<![가-힣])(?:네|예|아니[요오]|그렇|그러|맞|가능|불가능|필요|아[닙닌])[가-힣]*",
    re.IGNORECASE,
)
_CAPITALISED = lazy_pattern(r"(?<![\w'’.-])[A-Z][a-z]+(?:[A-Z][a-z]+)*(?![A-Za-z0-9_-])")
_BEGINS = lazy_pattern(r"(?:^|[.!?:;•·|\"“‘「『(\[]|\n)\s*(?:[-*#>\d.)]+\s*)?$")
_NO_NAMES = {*MONTHS, *WEEKDAYS, "korean", "english", "internet"}
_PERSON = lazy_pattern(
    "(?P<name>[김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허유남심노하곽성차주우구민나진"
    "지엄채원천방공현함변염여추도소석선설길연위표명][가-힣][가-힣])"
    "(?<![자인장서료비금소점품물법률권회과팀청부실원들적로지])"
    "(?:(?:이|가|은|는|을|를|의|와|과|도|에게|께서|님|씨|입니다|이다|이며|이고|였다|이었다)(?= |$)"
    "|(?= (?:과장|차장|대리|부장|팀장|대표|이사|사장|회장|교수|박사|선생|의원|장관|기자|씨|님)))"
)
"""A Korean name with its particle or before its title; words that end as names of things and
offices do are none."""
_NEGATED = lazy_pattern(
    r"(?:\b(?:not|never|cannot|no longer|without)|n['’]t)\s+"
    r"(?:(?:be|been|being|yet|ever|always|have|has|had|to|the|an?|any|\w+ly)\s+){0,3}(?P<next>\w+)"
    r"|\bno\s+(?P<thing>[a-z]\w+)"
    r"|(?P<verb>[가-힣]{1,10}?)지(?:는|도|를)?\s?(?:않|못|말|마(?=[세십라]))"
    r"|(?P<can>[가-힣]{1,10})\s수(?:가|는|도)?\s?없(?=[가-힣])"
    r"|(?<![가-힣])(?:안|못)\s(?P<act>[가-힣]+)"
    r"|(?P<noun>[가-힣]{1,10}?)(?:은|는|이|가|도|을|를)?\s?"
    r"(?:없(?=[가-힣])|아니(?=[다며고라었요에])|아닙|아닌(?![가-힣])|금지|불가|금합|금한)",
    re.IGNORECASE,
)
"""A negation with the word that it denies."""

_HANGING = lazy_pattern(f"(?:{_NEGATED.pattern})[가-힣]*", re.IGNORECASE)
_TWICE = lazy_pattern(
    r"[가-힣]지\s?않으면\s?안\s?[가-힣]+|[가-힣]지\s?않을\s?수\s?없|없지\s?않|밖에\s?(?:없|안)"
    r"|뿐만?\s?아니라|없이는?\s[^.\n]{0,40}?(?:지\s?(?:않|못)|수\s?없)"
    r"|\bnot (?:only|until|just|merely|necessarily)\b|\bwithout exception\b"
    r"|\b(?:not|cannot)\b[^.\n]{0,40}?\bwithout\b|\bno (?:later|more|less|fewer|earlier|sooner)\b",
    re.IGNORECASE,
)
"""Two negations that are none, and negations of something else than what is said."""

_POINTING = lazy_pattern(r"(?<![가-힣])(?:이|그|저|해당)(?=\s)")
_CLAUSE = lazy_pattern(
    r"[.!?。;\n·|]+|(?<=[가-힣](?:고|며)),\s|,?\s+\b(?:but|while|although|though|whereas)\b|,\s+(?=(?:and|which|who|so)\b)"
    r"|(?<=[가-힣]{2}(?:고|며))[,\s]|(?<=[가-힣](?:지만|는데|으나))[,\s]"
)


def unknown_names(sentence: str, texts: Sequence[str]) -> Iterator[str]:
    """The names in Latin letters that a sentence has and no text: words with a capital, but for
    those that begin something. Where the texts have no Latin letters nothing can be said."""
    whole = normalize("NFKC", "\n".join(texts))
    if not re.search(r"[A-Za-z]{2}", whole) or (has_hangul(whole) and not has_hangul(sentence)):
        return
    there = present(whole)
    squeezed = "".join(filter(str.isalnum, fold(whole)))
    sentence = normalize("NFKC", sentence)
    for match in _CAPITALISED.finditer(sentence):
        word = match[0]
        if _BEGINS.search(sentence[: match.start()]) and not has_hangul(sentence):
            continue
        if fold(word) in _NO_NAMES or stem(fold(word)) in there or fold(word) in squeezed:
            continue
        yield word


def other_people(sentence: str, texts: Sequence[str]) -> Iterator[str]:
    """The Korean names of a sentence that stand beside a word beside which the texts, which do not
    have them, have another name."""
    squeezed = "".join("".join(texts).split())
    for mine in _people(sentence):
        theirs = (each for text in texts for each in _people(text))
        if mine.name not in squeezed and any(map(mine.stands_as, theirs)):
            yield mine.name


class _Person(NamedTuple):
    """What looks like a Korean name, and the words beside it."""

    name: str
    before: str
    after: str

    def stands_as(self, other: _Person) -> bool:
        """Whether the same word stands before or after both."""
        beside = ((self.before, other.before), (self.after, other.after))
        return any(len(one) > 1 and one[:2] == another[:2] for one, another in beside)


def _people(text: str) -> Iterator[_Person]:
    words = ["", *re.findall("[가-힣A-Za-z0-9]+", text), ""]
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        match = _PERSON.match(f"{word} {after}")
        if match and match.end() == len(word):
            yield _Person(match["name"], before, after)


def other_words(sentence: str, text: str, there: int = 0) -> list[str]:
    """The words of a sentence that has next to none of ``text``, though they are in one script;
    else nothing, and nothing for one that only points the reader elsewhere. ``there`` is how many
    of its figures the text is known to have, in whatever form."""
    if _POINTS_ELSEWHERE.search(sentence):
        return []
    words = content_words(sentence)
    if len(words) < _FEWEST or has_hangul(sentence) != has_hangul(text):
        return []
    if coverage(sentence, text) * len(words) + there >= _LEAST_SHARED * (len(words) + there):
        return []
    written = dict.fromkeys(re.findall(r"[\w.-]*\w", sentence))
    return [each for each in written if content_words(each) and not coverage(each, text)]


def only_other_words(sentence: str, text: str) -> list[str]:
    """The words of a short sentence of which ``text``, in the same script, has none, nor one that
    begins so; nothing for a single word beside a yes or a no, and for one that points the reader
    elsewhere. A thing in -er (the server) is there where that whole word is: a canteen that serves
    has none."""
    words = content_words(_YES_OR_NO.sub(" ", sentence))
    if not _FEWEST > len(words) > 1 or has_hangul(sentence) != has_hangul(text):
        return []
    if held(words, present(text)) or coverage(sentence, text) or _POINTS_ELSEWHERE.search(sentence):
        return []
    written = [*dict.fromkeys(re.findall(r"[\w.-]*\w", sentence))]
    said = [each for each in written if content_words(each)]
    things = {match["thing"] for match in _THING_IN_ER.finditer(fold(sentence))}
    begun = (
        each if each in things else each[: 2 if has_hangul(each) else 4] for each in map(fold, said)
    )
    there = fold(text)
    return [] if any(each in there for each in begun) else said


_THING_IN_ER = lazy_pattern(
    r"\b(?:the|an?|this|that|each|every|no|our|your|their|its|my) (?P<thing>[a-z]{2,}er)\b"
)
"""A word in -er that is a noun and no comparative: the server. Of the few doers that are one with
their verb (``tools.tokens.stem``) the stem tells."""


def turned_round(sentence: str, texts: Sequence[str]) -> str | None:
    """What a sentence denies and the clause that speaks of the same says, or the other way round:
    the words of the negation."""
    theirs = [clause for text in texts for clause in _clauses(text)]
    whole = "\n".join(theirs)
    for mine in _clauses(sentence):
        opposed = {each: found for each in theirs if (found := _opposition(mine, each))}
        plain = _without_negation(mine)
        if not opposed or not content_words(plain):
            continue
        share = {each: coverage(plain, each) for each in theirs}
        most = max(share.values())
        if most < (_HALF if coverage(plain, whole) == 1 else _SAME_MATTER):
            continue
        nearest = [each for each in theirs if share[each] == most]
        denied = next((opposed[each] for each in nearest if each in opposed), None)
        if denied and not any(_speaks_of(each, denied) for each in nearest if each not in opposed):
            return denied[0]
    return None


def _opposition(one: str, other: str) -> re.Match[str] | None:
    """The negation that one of two clauses has, where the other says what it denies."""
    mine, theirs = _denied(one), _denied(other)
    if bool(mine) == bool(theirs):
        return None
    text = other if mine else one
    return next((each for each in mine or theirs if _speaks_of(text, each)), None)


def _clauses(text: str) -> Iterator[str]:
    for piece in _CLAUSE.split(text):
        if piece and piece.strip():
            yield piece.strip()


def _denied(text: str) -> list[re.Match[str]]:
    return [*_NEGATED.finditer(_TWICE.sub(" ", text))]


def _without_negation(text: str) -> str:
    """``text`` without its negations and what they hang on, but for a thing that is denied, and
    without words that only point."""
    return _POINTING.sub(
        " ", _HANGING.sub(lambda match: f" {match['noun'] or ''} ", _TWICE.sub(" ", text))
    )


def _word_of(denied: re.Match[str]) -> str:
    word = next(filter(None, denied.groups()), "")
    return _without_final(word) if denied["can"] else word


def _without_final(word: str) -> str:
    """A Korean word without the consonant that its last syllable ends in: 쓸 is 쓰."""
    return normalize("NFC", re.sub("[\u11a8-\u11ff]$", "", normalize("NFD", word)))


def _speaks_of(text: str, denied: re.Match[str]) -> bool:
    """Whether ``text`` has the word that is denied, in one of its forms."""
    word = fold(_word_of(denied))
    if has_hangul(word):
        begun = [normalize("NFD", each) for each in re.findall("[가-힣]+", fold(text))]
        return any(each.startswith(form) for form in _forms(word) for each in begun)
    return any(_same_word(word, unit) for unit in units(text))


def _forms(word: str) -> list[str]:
    """The letters with which the forms of a Korean word begin: 먹이지, 먹입니다; 오르지, 올랐다."""
    start = normalize("NFD", word[:2])
    forms = [start]
    if len(word) == 2 and word.endswith("르"):
        forms.append(normalize("NFD", word[0]) + "\u11af")
    return forms


def _same_word(one: str, other: str) -> bool:
    """Whether two English words are forms of one: cause, caused."""
    roots = sorted((stem(one), stem(other)), key=len)
    return roots[0] == roots[1] or (len(roots[0]) > 3 and roots[1] in (f"{roots[0]}e",))
