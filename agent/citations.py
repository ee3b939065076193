"""Which passages an answer cites, whether they exist, and whether they say what stands beside them.

A sentence is compared with the evidence that it cites, one without a citation with all evidence:
what it puts in quotation marks, every figure with its unit (``agent.figures``) and every name in
it must be there, some of its words, and no negation on one side alone (``agent.wording``). That
they are there does not make it true, and a false sentence in much the same words passes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from os.path import commonprefix
from typing import NamedTuple

from agent.catalogue import SENTENCES
from agent.figures import Figures, Number, chains, numbers, plain
from agent.wording import (
    only_other_words,
    other_people,
    other_words,
    turned_round,
    unknown_names,
)
from tools.documents import Passage
from tools.patterns import lazy_pattern
from tools.tokens import fold

_QUOTE_MARGIN = 8
"""Characters beside a bracket that must stand in the evidence too before it counts as quoted."""


class Citation(NamedTuple):
    """One ``[id]`` of an answer; ``ok`` when the ledger holds that passage, ``supported`` when no
    sentence that cites it says what it does not."""

    id: str
    ok: bool
    supported: bool = True


class Unsupported(NamedTuple):
    """A sentence of an answer, where it ends there, what its evidence lacks, and whom it cites."""

    sentence: str
    end: int
    lacking: tuple[str, ...]
    ids: tuple[str, ...]


def cited(
    answer: str, ledger: Mapping[str, Passage], faults: Sequence[Unsupported] = ()
) -> list[Citation]:
    """The citations of an answer, in order, each once.

    A bracket inside text quoted verbatim from evidence belongs to the quotation. Ids are compared
    without regard to case and spaces around them; ``[a, b]`` is two.
    """
    faulty = {name for each in faults for name in each.ids}
    found = {name: ok for _, names in _marks(answer, ledger) for name, ok in names.items()}
    return [Citation(name, ok, ok and name not in faulty) for name, ok in found.items()]


def unsupported(
    answer: str, ledger: Mapping[str, Passage], given: Sequence[str] = ()
) -> list[Unsupported]:
    """The sentences with a quotation, a number or a name that their evidence does not have, nor
    ``given`` (the question, the person's conditions), those with next to none of its words (of a
    short one, with none at all), and those that deny what it says or the other way round. One that
    cites nothing and speaks of the answer itself ("the documents say:") is none of them."""
    marks = list(_marks(answer, ledger))
    places = [match.start() for match, _ in marks]
    by_ids: dict[tuple[str, ...], _Said] = {}
    whole: dict[str, set[str]] = {}
    found: list[Unsupported] = []
    for start, end in _sentences(answer):
        inside = marks[bisect_left(places, start) : bisect_left(places, end)]
        ids = tuple(dict.fromkeys(name for _, names in inside for name, ok in names.items() if ok))
        cited_or_all = [ledger[name] for name in ids] or [*ledger.values()]
        claim = answer[start:end]
        for match, _ in reversed(inside):
            claim = claim[: match.start() - start] + " " + claim[match.end() - start :]
        for name in ids:
            if name not in whole:
                whole[name] = _whole_sentences(ledger[name].text)
        if any(claim.strip() in whole[name] for name in ids):
            continue  # a whole sentence of what it cites: nothing to compare
        if claim.strip() in _leads():
            continue  # what the offline model says of itself

        def said_by(named: tuple[str, ...]) -> _Said:
            if named not in by_ids:
                passages = [ledger[name] for name in named] or [*ledger.values()]
                by_ids[named] = _Said([*map(_evidence, passages), *given])
            return by_ids[named]

        said = said_by(ids)
        claims = [*_claims(claim, said)]
        lacking = [each.written for each in claims if each not in said]
        lacking += said.figures.otherwise(claim)
        if ids or not _OF_ITSELF.search(claim):
            there = len(claims) - len(lacking)
            lacking += _otherwise(claim, cited_or_all, given, there, is_cited=bool(ids))
        for piece, beside in _beside(answer[start:end], start, inside):
            near = said_by(beside)
            lacking += [each.written for each in _claims(piece, near) if each not in near]
        if ids and not lacking and not claims and not _OF_ITSELF.search(claim):
            lacking += only_other_words(claim, "\n".join(map(_evidence, cited_or_all)))
        if lacking:
            written = tuple(dict.fromkeys(lacking))
            found.append(Unsupported(answer[start:end].strip(), end, written, ids))
    return found


def _beside(
    sentence: str, start: int, marks: Sequence[tuple[re.Match[str], dict[str, bool]]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The pieces of a sentence that end with a citation, each with the ids on both sides of it,
    where it cites at several places: 7 days [a] and 9 days [b]. What follows the last one may
    belong to all."""
    pieces: list[str] = []
    cited_at: list[tuple[str, ...]] = []
    ended = 0
    for match, names in marks:
        piece = sentence[ended : match.start() - start]
        ids = tuple(name for name, ok in names.items() if ok)
        ended = match.end() - start
        if cited_at and _JOINED.fullmatch(piece):
            cited_at[-1] += ids
        else:
            pieces.append(piece)
            cited_at.append(ids)
    if len(pieces) < 2 or not all(cited_at):
        return
    for piece, before, after in zip(pieces, [(), *cited_at], cited_at, strict=False):
        yield piece, tuple(dict.fromkeys((*before, *after)))


def _otherwise(
    claim: str, passages: Sequence[Passage], given: Sequence[str], there: int, *, is_cited: bool
) -> Iterator[str]:
    """What a sentence says in words that the passages do not have, or denies; ``there`` is how
    many of its figures and names they have."""
    evidence = [_evidence(each) for each in passages]
    said = _ADDRESS.sub(" ", claim)
    yield from unknown_names(said, [*evidence, *given])
    yield from other_people(said, [*evidence, *given])
    yield from other_words(said, "\n".join(evidence if is_cited else [*evidence, *given]), there)
    if is_cited and (negation := turned_round(said, [each.text for each in passages])):
        yield negation


def marked(answer: str, faults: Sequence[Unsupported], mark: str) -> str:
    """The answer with ``mark`` after every sentence that is not supported."""
    for each in sorted(faults, key=lambda fault: -fault.end):
        answer = f"{answer[: each.end]} {mark}{answer[each.end :]}"
    return answer


def _marks(
    answer: str, ledger: Mapping[str, Passage]
) -> Iterator[tuple[re.Match[str], dict[str, bool]]]:
    """Every bracket that cites, with its ids and whether the ledger has them."""
    texts = [passage.text for passage in ledger.values() if "[" in passage.text]
    known = {fold(name): name for name in ledger}
    for match in _brackets(ledger).finditer(answer):
        if _is_quoted(answer, match, texts):
            continue
        inside = match[1]
        names = [inside] if fold(inside) in known else inside.split(",")
        stripped = filter(None, (each.strip() for each in names))
        yield match, {known.get(fold(name), name): fold(name) in known for name in stripped}


_SENTENCE = lazy_pattern(r".+?(?:[.!?。](?:\s*\[[^\[\]\n]+\])*(?=\s|$)|$)", re.MULTILINE)
_JOINED = lazy_pattern(r"\W*(?:and|or|및|와|과|또는|그리고)?\W*", re.IGNORECASE)
"""What stands between two citations of the same."""
_QUOTED = lazy_pattern(
    r'"([^"\n]{2,})"|“([^”\n]{2,})”|‘([^’\n]{2,})’|「([^」\n]{2,})」|『([^』\n]{2,})』'
    r"|«([^»\n]{2,})»|《([^》\n]{2,})》|(?<!\w)'([^'\n]{2,})'(?![A-Za-z0-9_])"
)
_ADDRESS = lazy_pattern(
    r"(?:https?://|ftp://|www\.)[^\s<>\"'()\[\]{}]+|\b(?:javascript|data|file|vbscript):[^\s<>\"'\[\]{}]+",
    re.IGNORECASE,
)
_OF_ITSELF = lazy_pattern(
    r":\s*$|\?\s*$|^\s*#|근거|자료|문서|출처|인용|질문|답변|모델|확인|알려|찾|요약"
    r"|\b(?:evidence|sources?|documents?|passages?|quot\w+|questions?|answers?|found|find|model"
    r"|summary|information|following|below|above)\b",
    re.IGNORECASE,
)
"""Sentences of an answer about the answer."""
_LISTED = lazy_pattern(r"^\s*(?:[-*•]\s*)?(?:\(?\d{1,2}[.)]|#+)(?:\s+|$)|^\s*[①-⑳]", re.MULTILINE)
_COUNTED = lazy_pattern(
    r"(?<![\d.,])\d{1,2}\s?(?:가지|건의|개의? (?:근거|항목|문서|출처|조건)|단계로|"
    r"(?:things|ways|points|sources|reasons|items|parts|documents|passages)\b)",
    re.IGNORECASE,
)
_NUMBER_WITH_UNIT = lazy_pattern(r"\d[\d.,]*[a-z]{1,4}2?|[cdkm]?m[23]")
_NAMED = lazy_pattern(
    r"(?<![\w.-])(?=[\w.-]*[A-Za-z])(?=[\w.-]*[\d_])\w+(?:[-.]\w+)*(?![\w])", re.ASCII
)


class _Claim(NamedTuple):
    """What a sentence says that can be looked up: a number by its value, numbers that are one thing
    together (a date), words, or an address, which must be there as it stands: what follows it could
    carry data out."""

    written: str
    number: Number | None = None
    is_address: bool = False
    is_chain: bool = False


class _Said:
    """What texts say: their numbers, in every form they can be read in, and their words."""

    def __init__(self, texts: Collection[str]) -> None:
        whole = plain("\n".join(texts))
        self.figures = Figures(whole)
        self._words = _squeezed(whole)
        self._addresses = {_address(match) for match in _ADDRESS.finditer(whole)}

    def __contains__(self, claim: _Claim) -> bool:
        if claim.is_address:
            return claim.written in self._addresses
        if claim.number is not None:
            return claim.number in self.figures
        if claim.is_chain:
            return self.figures.has_chain(claim.written)
        return _squeezed(claim.written) in self._words


def _claims(sentence: str, said: _Said) -> Iterator[_Claim]:
    """The addresses, quotations, names with digits and numbers of a sentence; what only numbers or
    counts the parts of the answer is none, nor a time of day where it is compared as one."""
    rest = plain(sentence)
    for match in _ADDRESS.finditer(rest):
        yield _Claim(_address(match), is_address=True)
    rest = sentence = _ADDRESS.sub(" ", sentence)
    for match in _QUOTED.finditer(sentence):
        words = next(filter(None, match.groups()))
        for piece in re.split(r"\.{3}|…", words):
            if _squeezed(piece):
                yield _Claim(piece.strip())
        rest = rest.replace(match[0], " ")
    rest = _COUNTED.sub(" ", _LISTED.sub(" ", said.figures.without_times(plain(rest))))
    for match in _NAMED.finditer(rest):
        if not _NUMBER_WITH_UNIT.fullmatch(match[0]):
            yield _Claim(match[0])
            rest = rest.replace(match[0], " ")
    for written in chains(rest):
        yield _Claim(written, is_chain=True)
        rest = rest.replace(written, " ")
    for number in numbers(rest):
        yield _Claim(number.written, number)


def _address(match: re.Match[str]) -> str:
    """An address without the signs of the sentence around it."""
    return match[0].rstrip(".,;:!?。")


def _squeezed(text: str) -> str:
    """Letters and digits alone: spacing and punctuation do not make other words."""
    return "".join(filter(str.isalnum, plain(text)))


def _sentences(answer: str) -> Iterator[tuple[int, int]]:
    for match in _SENTENCE.finditer(answer):
        yield match.start(), match.end()


@cache
def _leads() -> set[str]:
    """The sentences that the offline model puts before its quotations."""
    keys = ("offline.quotes", "offline.quotes.near")
    return _whole_sentences("\n".join(each for key in keys for each in SENTENCES[key]))


def _whole_sentences(text: str) -> set[str]:
    return {text[start:end].strip() for start, end in _sentences(text)}


def _evidence(passage: Passage) -> str:
    return f"{passage.context}\n{passage.text}\n{passage.source} {passage.id}"


def _brackets(ledger: Mapping[str, Passage]) -> re.Pattern[str]:
    """``[...]``, where a known id may itself hold brackets (a file name can)."""
    odd = [re.escape(name) for name in ledger if "[" in name or "]" in name]
    return re.compile(r"\[(" + "|".join([*odd, r"[^\[\]\n]+"]) + r")\]")


def _is_quoted(answer: str, match: re.Match[str], texts: Sequence[str]) -> bool:
    longest = max(map(len, texts), default=0)
    before = answer[max(0, match.start() - longest) : match.start()]
    after = answer[match.end() : match.end() + longest]
    for text in texts:
        for place in re.finditer(re.escape(match[0]), text):
            left = commonprefix([before[::-1], text[: place.start()][::-1]])
            right = commonprefix([after, text[place.end() :]])
            if len(left) + len(right) >= min(_QUOTE_MARGIN, len(text) - len(match[0])):
                return True
    return False
