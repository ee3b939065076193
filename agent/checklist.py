"""What an open question needs, owned by code: the model proposes, and code keeps count.

A plan in a corpus was written by a person, and its slots are the checklist. An open question has
none, so the model may propose one. It binds the run from then on: nothing on it can be taken back,
and while something is missing no answer is shown as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tools.decomposition import MOST_PIECES, near
from tools.documents import Passage, content_words, present
from tools.marks import marks
from tools.names import named
from tools.patterns import lazy_pattern
from tools.problems import ToolProblem
from tools.sufficiency import Sufficiency, asked_word, assess, not_found
from tools.tokens import fold, stem

Judge = Callable[[Sequence[str], Sequence[Passage]], "Judgement | None"]
"""(requirements, passages) -> what a model thinks of them; None when it gave no verdict."""

_LONGEST = 200
_MARK = lazy_pattern(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_LATIN = lazy_pattern(r"(?<![A-Za-z0-9_.-])[A-Za-z]{2,}(?![A-Za-z0-9_]|[.-]\w)")
_CORPUS = lazy_pattern(r"^\[([^\[\]]{1,80})\]\s*")


_IN_A_NOUN = tuple(
    (lazy_pattern(nouns, re.IGNORECASE), lazy_pattern(asks, re.IGNORECASE))
    for nouns, asks in (
        (
            r"^(?:dates?|days?|times?|years?|period)$|(?:날짜|시기|시각|일자|시점|연도)$",
            r"\bwhen\b|언제|며칠",
        ),
        (r"^(?:persons?|people|names?|team)$|(?:사람|이름|담당자)$", r"\bwho(?:m|se)?\b|누가|누구"),
        (
            r"^(?:places?|locations?|cit(?:y|ies)|countr(?:y|ies))$|(?:장소|위치|곳)$",
            r"\bwhere\b|어디",
        ),
        (r"^(?:prices?|costs?|amounts?|fees?)$|(?:가격|금액|비용|요금)$", r"\bhow much\b|얼마"),
        (r"^(?:numbers?|counts?)$|(?:수|개수|횟수|인원)$", r"\bhow many\b|몇"),
        (r"^(?:duration|length|time|period)$|(?:기간|시간)$", r"\bhow long\b|얼마나|얼마 ?동안"),
        (r"^(?:reasons?|causes?)$|(?:이유|원인|까닭)$", r"\bwhy\b|왜"),
        (r"^(?:ways?|methods?|steps?|procedure)$|(?:방법|절차|순서)$", r"\bhow\b|어떻게|려면"),
        (r"^(?:details?|information|list|description|status)$|(?:내용|정보|목록|현황|상세)$", r""),
    )
)
"""Words for a kind of answer, and how a question asks for it."""


@dataclass(frozen=True)
class Judgement:
    """A model's opinion: requirement -> ids of its evidence, and queries it would try. What it does
    not find is believed. What it finds must be there for code too, except where the evidence is in
    another script than the requirement, so that words cannot tell."""

    covered: dict[str, tuple[str, ...]]
    next_queries: tuple[str, ...] = ()


@dataclass
class Checklist:
    """The requirements of one question, and the verdicts on them.

    ``pieces`` are what code itself reads in the question; where there are several they are the
    checklist until a plan is proposed, and what a proposal leaves out of them is added to it.
    ``corpora`` are the names a requirement may be looked for in; one that was planned for a corpus
    (``where``) is covered by nothing else. A round is what is searched between two verdicts.
    ``believed`` are the requirements that are covered on a model's word alone, and ``doubted`` says
    that by its word they are not all covered.
    """

    question: str
    max_rounds: int = 3
    max_queries: int = 5
    pieces: tuple[str, ...] = ()
    corpora: Sequence[str] = ()
    proposed: list[str] = field(default_factory=list[str])
    where: dict[str, str] = field(default_factory=dict[str, str])
    verdicts: list[Sufficiency] = field(default_factory=list[Sufficiency])
    in_round: list[str] = field(default_factory=list[str])
    believed: tuple[str, ...] = ()
    doubted: bool = False
    _seen: list[int] = field(default_factory=list[int])
    _missing: dict[tuple[Any, ...], tuple[str, ...]] = field(default_factory=dict[Any, Any])

    @property
    def requirements(self) -> tuple[str, ...]:
        """What must be covered; empty where the question is one piece and nothing was proposed."""
        return tuple(self.proposed) or (self.pieces if len(self.pieces) > 1 else ())

    @property
    def rounds(self) -> int:
        """Rounds that were judged, and the one that is open."""
        return len(self.verdicts) + bool(self.in_round)

    @property
    def is_used_up(self) -> bool:
        """Whether no round is left."""
        return len(self.verdicts) >= self.max_rounds

    @property
    def is_stale(self) -> bool:
        """Whether a round after the first brought no new passage."""
        return len(self._seen) > 1 and self._seen[-1] <= self._seen[-2]

    @property
    def knows_no_way(self) -> bool:
        """Whether the last verdict could not say what else to search, and nothing was since."""
        return bool(self.verdicts) and not (self.in_round or self.verdicts[-1].next_queries)

    @property
    def steps(self) -> int:
        """Grows with a plan and with every verdict on something new: both are progress."""
        return bool(self.proposed) + len(self.verdicts)

    def propose(self, written: str) -> list[str]:
        """Take in the requirements of ``written``, one a line, each perhaps after ``[corpus]``.
        Returns the whole checklist. Raises ToolProblem, naming the reason for each line, when
        one cannot be taken; then none is."""
        lines = [_MARK.sub("", line).strip() for line in written.splitlines()]
        lines = [line[:_LONGEST] for line in lines if line]
        if not lines:
            raise ToolProblem("invalid_arguments", "No requirement is given: write one a line.")
        taken = list(self.proposed)
        rejected: list[dict[str, str]] = []
        where: dict[str, str] = {}
        for line in lines:
            named = _CORPUS.match(line)
            corpus = self._corpus(named[1]) if named else None
            text = line[named.end() :] if named and (corpus or self.corpora) else line
            if any(fold(text) == fold(each) for each in self.proposed):
                continue
            if reason := self._fault(text, taken, named[1] if named and not corpus else ""):
                rejected.append({"requirement": line, "reason": reason})
                continue
            taken.append(text)
            where |= {text: corpus} if corpus else {}
        if rejected:
            raise ToolProblem(
                "plan_rejected",
                "Nothing was taken. Mend what is named and propose the whole plan again.",
                rejected=rejected,
                at_most=MOST_PIECES,
            )
        self.proposed = taken + self._left_out(taken)
        self.where |= where
        return list(self.proposed)

    def _corpus(self, written: str) -> str | None:
        return next((name for name in self.corpora if fold(name) == fold(written)), None)

    def _fault(self, text: str, taken: Sequence[str], unknown: str) -> str | None:
        """Why a requirement cannot be on the checklist, in words for the model."""
        if unknown and self.corpora:
            return f"there is no corpus {unknown}; there are: {', '.join(self.corpora)}"
        asked, wanted = content_words(self.question), content_words(text)
        if not wanted:
            return "it has no word that says what it is about"
        if not any(_shares(word, other) for word in wanted for other in asked):
            return "it has no word of the question, so the question does not ask for it"
        if beyond := self._beyond(text):
            return f"the question does not ask for {beyond}: keep to what it names"
        if other := near(text, taken):
            return f"it is the same as: {other}"
        if len(taken) >= MOST_PIECES:
            return f"there are {MOST_PIECES} already, and no question needs more"
        return None

    def _beyond(self, text: str) -> str:
        """What a requirement is about and the question is not: most of its words, or of a question
        of several things the word for what is asked, but for one that says in a noun what the
        question asks by its asking word (when, a date). A question in one piece may need another
        thing first, so there its name will do."""
        asked = content_words("\n".join([self.question, *self.pieces]))
        others = [
            written
            for written in re.findall(r"[\w.-]+", text)
            if (words := content_words(written))
            and not any(_shares(word, other) for word in words for other in asked)
        ]
        last = asked_word(text)
        if any(kind.search(last) and asks.search(self.question) for kind, asks in _IN_A_NOUN):
            others = [each for each in others if each != last]
        if len(self.pieces) > 1:
            if last in others:
                return last
        elif any(name in text for name in named(self.question)) or (
            marks(text) & marks(self.question)
        ):
            return ""
        return ", ".join(others) if 2 * len(others) > len(content_words(text)) else ""

    def _left_out(self, taken: Sequence[str]) -> list[str]:
        """The pieces of the question that no requirement asks for: a plan cannot make a question
        easier than it is, not even one that asks for more than a plan may hold."""
        words = [word for each in taken for word in content_words(each)]
        marked = marks("\n".join(taken))
        return [
            piece
            for piece in (self.pieces if len(self.pieces) > 1 else ())
            if not (_mostly(content_words(piece), words) and marks(piece) <= marked)
        ]

    def refuse_query(self, query: str, used: Sequence[str]) -> None:
        """Raises ToolProblem for a query that would bring nothing or does not fit in the round."""
        if other := near(query, used):
            raise ToolProblem(
                "near_repeat",
                "Nearly these words were searched already: aim at what is missing.",
                searched=other,
            )
        if len(self.in_round) >= self.max_queries:
            raise ToolProblem(
                "round_full",
                f"All {self.max_queries} searches of this round are used: call check_sufficiency.",
            )

    def judge(self, passages: Sequence[Passage], used: Sequence[str], judge: Judge) -> Sufficiency:
        """End the round with a verdict. ``judge`` may take away from what code finds covered, and
        propose queries; see ``Judgement`` for what it may add. Raises ToolProblem when nothing was
        searched since the last verdict."""
        if not self.in_round:
            raise ToolProblem(
                "nothing_searched",
                "Nothing was searched since the last verdict: search for what is missing.",
                missing=list(self.missing(passages)),
            )
        verdict = assess(
            self.question,
            self.requirements,
            passages,
            used,
            self.max_queries,
            self._may_cover,
        )
        opinion = judge([*verdict.covered, *verdict.missing], passages)
        self.believed, self.doubted = (), False
        if opinion is not None:
            known = {*verdict.covered}
            verdict = self._with(verdict, opinion, used, passages)
            self.believed = tuple(each for each in verdict.covered if each not in known)
            self.doubted = not verdict.sufficient
        self.verdicts.append(verdict)
        self._seen.append(len(passages))
        self.in_round = []
        return verdict

    def _with(
        self,
        verdict: Sufficiency,
        opinion: Judgement,
        used: Sequence[str],
        passages: Sequence[Passage],
    ) -> Sufficiency:
        wanted = self.requirements or (*verdict.covered, *verdict.missing)
        found = {each: verdict.evidence[each] for each in verdict.covered}
        kept = {each: self._kept(each, opinion, found.get(each, ()), passages) for each in wanted}
        covered = tuple(each for each in wanted if kept[each])
        missing = tuple(each for each in wanted if not kept[each])
        queries = list(verdict.next_queries)
        for query in opinion.next_queries:
            if missing and content_words(query) and not near(query, [*used, *queries]):
                queries.append(query)
        return replace(
            verdict,
            sufficient=bool(covered) and not missing,
            covered=covered,
            missing=missing,
            next_queries=tuple(queries[: self.max_queries]),
            evidence={each: kept[each] for each in covered},
        )

    def _kept(
        self, each: str, opinion: Judgement, found: Sequence[str], passages: Sequence[Passage]
    ) -> tuple[str, ...]:
        """What a model names as evidence of a requirement and code finds too, or cannot tell by
        words as it is in another script; of that at least its ids, numbers and Latin names must be
        there."""
        named = [one for one in passages if one.id in opinion.covered.get(each, ())]
        other = [
            one
            for one in named
            if _is_hangul(each) != _is_hangul(one.text) and self._may_cover(each, one)
        ]
        if not _has_marks_of(each, other):
            other = []
        return tuple(one.id for one in named if one.id in found or one in other)

    def _may_cover(self, requirement: str, passage: Passage) -> bool:
        """Whether a passage is from the corpus that a requirement was planned for."""
        corpus = self.where.get(requirement)
        if corpus is None or len(self.corpora) < 2:
            return True
        return corpus in passage.source.split(", ") or any(
            name.startswith(f"{corpus}:") for name in (passage.id, *passage.also)
        )

    def missing(self, passages: Sequence[Passage]) -> tuple[str, ...]:
        """What no passage covers: by the last verdict, or by words where passages came since. Of a
        question in one piece it is what it names and no passage has."""
        if self.verdicts and self._seen[-1] == len(passages) and self._is_current:
            return self.verdicts[-1].missing
        state = (self.requirements, tuple(each.id for each in passages))
        if state not in self._missing:
            self._missing = {state: self._uncovered(passages)}
        return self._missing[state]

    def unconfirmed(self, passages: Sequence[Passage]) -> tuple[str, ...]:
        """What an answer cannot rest on though it is shown: requirements that only a model found
        covered, and of a question in one piece that is not covered what no passage speaks of."""
        if self.requirements or not passages:
            return self.believed
        is_judged = self.verdicts and self._seen[-1] == len(passages)
        verdict = self.verdicts[-1] if is_judged else assess(self.question, (), passages, ())
        if verdict.sufficient:
            return self.believed
        from tools.lacking import lacking

        left = lacking(self.question, passages)
        return left or ((self.question,) if self.doubted else ())

    def _uncovered(self, passages: Sequence[Passage]) -> tuple[str, ...]:
        if not self.requirements:
            return not_found(self.question, passages)
        verdict = assess(self.question, self.requirements, passages, (), may_cover=self._may_cover)
        return verdict.missing

    @property
    def _is_current(self) -> bool:
        if not self.requirements:
            return False
        judged = {*self.verdicts[-1].covered, *self.verdicts[-1].missing}
        return judged == set(self.requirements)

    def as_record(self) -> list[dict[str, Any]]:
        """The verdicts as the record has them."""
        return [told(each) for each in self.verdicts]

    def is_sufficient(self, passages: Sequence[Passage]) -> bool:
        """Whether the last verdict says so and still holds."""
        if not self.verdicts or not self.verdicts[-1].sufficient:
            return False
        return not self.missing(passages)


def told(verdict: Sufficiency) -> dict[str, Any]:
    """A verdict as the tool's output and the record have it."""
    return {
        "sufficient": verdict.sufficient,
        "covered": list(verdict.covered),
        "missing": list(verdict.missing),
        "next_queries": list(verdict.next_queries),
        "evidence": {each: list(ids) for each, ids in verdict.evidence.items()},
    }


def _has_marks_of(requirement: str, passages: Sequence[Passage]) -> bool:
    """Whether passages have the ids and the numbers of a requirement in another script, and of a
    Korean one its words in Latin letters."""
    text = "\n".join(f"{each.source} {each.searched}" for each in passages)
    there = {_in_any_script(each) for each in marks(text)}
    written = _LATIN.findall(requirement) if _is_hangul(requirement) else []
    return all(_in_any_script(each) in there for each in marks(requirement)) and all(
        stem(fold(each)) in present(text) for each in written
    )


def _in_any_script(mark: str) -> str:
    """A mark without the Korean word that it counts: 3층, floor 3."""
    return re.sub("(?<=\\d)[가-힣]+$", "", mark)


def _is_hangul(text: str) -> bool:
    return re.search("[가-힣]", text) is not None


def _shares(word: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two words have half of the shorter one's units in common."""
    return 2 * len(word & other) >= min(len(word), len(other))


def _mostly(words: Sequence[frozenset[str]], there: Sequence[frozenset[str]]) -> bool:
    found = [word for word in words if any(_shares(word, each) for each in there)]
    return 2 * len(found) > len(words)
