"""What a sentence of an answer says otherwise than its evidence: names that are not there, next to
none of its words, or the opposite.

It is a look at words and no understanding; a false sentence that keeps close to the words passes.
Each rule is set where a sentence is nearly never caught that says in a person's own words what the
text has. Measured on questions with their answer put behind them, against the passage that has it
(1,500 of KorQuAD dev, the 100 of HotpotQA): names 1 and 3, other words 6 and 0, negations 5 and 0.
With the passage of another question other words are 1,437 and 98. Of 862 English and 217 Korean
sentences that were negated by a rule, 855 and 160 are caught beside the sentence itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from tools.documents import content_words, coverage
from tools.patterns import lazy_pattern
from tools.tokens import fold, has_hangul, stem, units

_FEWEST = 4
"""Content words from which on a sentence is compared: of fewer, one other word is too much."""

_LEAST_SHARED = 0.25
"""The share of a sentence's content words that its evidence must have."""

_SAME_MATTER = 0.66
"""The share of a sentence's content words that one clause has which speaks of the same."""

_POINTS_ELSEWHERE = lazy_pattern(
    r"(?:참고|참조|문의)(?:하|해)|보(?:세요|십시오|시기 바)"
    r"|^\W*(?:please )?(?:see|refer to|contact|ask)\b",
    re.IGNORECASE,
)
_CAPITALISED = lazy_pattern(r"(?<![\w'’.-])[A-Z][a-z]+(?:[A-Z][a-z]+)*(?![A-Za-z0-9_-])")
_BEGINS = lazy_pattern(r"(?:^|[.!?:;•·|\"“‘「『(\[]|\n)\s*(?:[-*#>\d.)]+\s*)?$")
_NO_NAMES = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday korean english internet".split()
)
_NEGATED = lazy_pattern(
    r"(?:\b(?:not|never|cannot|no longer|without)|n['’]t)\s+"
    r"(?:(?:be|been|being|yet|ever|always|have|has|had|to|the|an?|any|\w+ly)\s+){0,3}(?P<next>\w+)"
    r"|\bno\s+(?P<thing>[a-z]\w+)"
    r"|(?P<verb>[가-힣]+?)지(?:는|도|를)?\s?(?:않|못|말|마(?=[세십라]))"
    r"|(?<![가-힣])(?:안|못)\s(?P<act>[가-힣]+)"
    r"|(?P<noun>[가-힣]+?)(?:은|는|이|가|도|을|를)?\s?"
    r"(?:없(?=[가-힣])|아니(?=[다며고라었요에])|아닙|아닌(?![가-힣])|금지|불가|금합|금한)",
    re.IGNORECASE,
)
"""A negation with the word that it denies."""

_HANGING = lazy_pattern(f"(?:{_NEGATED.pattern})[가-힣]*", re.IGNORECASE)
_TWICE = lazy_pattern(
    r"[가-힣]지\s?않으면\s?안\s?[가-힣]+|[가-힣]지\s?않을\s?수\s?없|없지\s?않|밖에\s?(?:없|안)"
    r"|뿐만?\s?아니라|\bnot (?:only|until|just|merely|necessarily)\b|\bwithout exception\b"
    r"|\bno (?:later|more|less|fewer|earlier|sooner)\b",
    re.IGNORECASE,
)
"""Two negations that are none, and negations of something else than what is said."""

_CLAUSE = lazy_pattern(
    r"[.!?。;\n·|]+|,?\s+\b(?:but|while|although|though|whereas)\b|,\s+(?=(?:and|which|who|so)\b)"
    r"|(?<=[가-힣]{2}(?:고|며))[,\s]|(?<=[가-힣](?:지만|는데|으나))[,\s]"
)


def unknown_names(sentence: str, texts: Sequence[str]) -> Iterator[str]:
    """The names in Latin letters that a sentence has and no text: words with a capital, but for
    those that begin something. Where the texts have no Latin letters nothing can be said."""
    whole = normalize("NFKC", "\n".join(texts))
    if not re.search(r"[A-Za-z]{2}", whole) or (has_hangul(whole) and not has_hangul(sentence)):
        return
    there = {stem(unit) for unit in units(whole)}
    squeezed = "".join(filter(str.isalnum, fold(whole)))
    sentence = normalize("NFKC", sentence)
    for match in _CAPITALISED.finditer(sentence):
        word = match[0]
        if _BEGINS.search(sentence[: match.start()]) and not has_hangul(sentence):
            continue
        if fold(word) in _NO_NAMES or stem(fold(word)) in there or fold(word) in squeezed:
            continue
        yield word


def other_words(sentence: str, text: str) -> list[str]:
    """The words of a sentence that has next to none of ``text``, though they are in one script;
    else nothing, and nothing for one that only points the reader elsewhere."""
    if _POINTS_ELSEWHERE.search(sentence):
        return []
    if len(content_words(sentence)) < _FEWEST or has_hangul(sentence) != has_hangul(text):
        return []
    if coverage(sentence, text) >= _LEAST_SHARED:
        return []
    words = dict.fromkeys(re.findall(r"[\w.-]*\w", sentence))
    return [each for each in words if content_words(each) and not coverage(each, text)]


def turned_round(sentence: str, texts: Sequence[str]) -> str | None:
    """What a sentence denies and the clause that speaks of the same says, or the other way round:
    the words of the negation."""
    theirs = [clause for text in texts for clause in _clauses(text)]
    for mine in _clauses(sentence):
        opposed = {each: words for each in theirs if (words := _opposition(mine, each))}
        plain = _without_negation(mine)
        if not opposed or not content_words(plain):
            continue
        best = max(theirs, key=lambda each: coverage(plain, each))
        if best in opposed and coverage(plain, best) >= _SAME_MATTER:
            return opposed[best]
    return None


def _opposition(one: str, other: str) -> str | None:
    """The negation that one of two clauses has, where the other says what it denies."""
    mine, theirs = _denied(one), _denied(other)
    if mine and not theirs and _speaks_of(other, mine):
        return mine[0]
    return theirs[0] if theirs and not mine and _speaks_of(one, theirs) else None


def _clauses(text: str) -> Iterator[str]:
    for piece in _CLAUSE.split(text):
        if piece and piece.strip():
            yield piece.strip()


def _denied(text: str) -> re.Match[str] | None:
    return _NEGATED.search(_TWICE.sub(" ", text))


def _without_negation(text: str) -> str:
    """``text`` without its negations and what they hang on, but for a thing that is denied."""
    return _HANGING.sub(lambda match: f" {match['noun'] or ''} ", _TWICE.sub(" ", text))


def _word_of(denied: re.Match[str]) -> str:
    return next(filter(None, denied.groups()), "")


def _speaks_of(text: str, denied: re.Match[str]) -> bool:
    """Whether ``text`` has the word that is denied, in one of its forms."""
    word = fold(_word_of(denied))
    if has_hangul(word):
        return re.search(rf"(?<![가-힣]){re.escape(word[:2])}", fold(text)) is not None
    return stem(word) in {stem(unit) for unit in units(text)}
