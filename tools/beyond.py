"""What a question asks for beyond the plan that it was matched with.

A plan fits a question that has its words; the question may have others as well. What is asked there
is nothing that a slot looks for, so the slots can all be filled and half of the question is open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tools.courtesy import without_courtesy
from tools.decomposition import asks_for
from tools.documents import content_words, held, present, undenied
from tools.kinds import asks, says_why, unmet
from tools.marks import UNIT, contradicts, marked_words, marks, ordinals
from tools.patterns import lazy_pattern
from tools.sources.asked import times_in
from tools.sufficiency import asked_word, has_quantity, tells_by_kind
from tools.tokens import covers, has_hangul, noun
from tools.verbs import as_verbs, is_told
from tools.wants import (
    LATIN_SENTENCE,
    how_long_of_another,
    lacks,
    names_a_unit,
    persons,
    predicates,
    topics,
)
from tools.which import (
    all_of,
    another_time,
    any_but,
    is_said,
    of_before,
    other_names,
    superlatives,
    to_come,
)

if TYPE_CHECKING:
    from tools.corpus import Plan
    from tools.slots import When

_USUAL = present(
    "last latest recent recently newest current currently known happen happened occur occurred "
    "appear appears appeared "
    "exactly also need needed used uses using problem issue details information there work works "
    "최근 최신 현재 지금 발생 생긴 알려진 알려 쓰인 사용된 쓰는 쓰던 정확히 관련 경우 문제 내용 "
    "정보 상세 자세히 필요한 전체 모두 둘 각각 어느 어떤지"
)
"""Words that ask for nothing of their own."""
_THING = lazy_pattern(r"(?:사용|이용|발생|관련|필요|정보|내용)[자법량처료권률율원성실]")
"""Words that begin as one of those do, and ask for something: 사용자."""

_ASKING = present(
    "mean meant explain describe name number kind type way thing lot yes often times money until "
    "previous taken given long old big total wonder like right today everything summarise "
    "summarize every list 모든 온갖 전부 빠짐없이 "
    "가장 제일 일어난 요약 정리 이력 "
    "마지막 지난번 이번 말고 동안 안에 자주 오래 먹고 먹나 먹어 까지 부터 이상 이하 최대 최소 짜리"
)
"""Words of which no evidence needs to have one: they ask, or say which of its answers counts."""
_NO_WORD_KO = lazy_pattern(
    r"^(?:얼마|며칠|언제|어디|어느|어떤|어떻|무엇|무슨|누구|누가|왜|몇|[가-힣]$|[일이삼사오육칠팔구]?[십백천만억]+$|원짜리|걸[렸리린려]"
    r"|[가-힣](?:도|려면)$|있|없|알[고아려]|싶|혹시|설명|궁금|말씀)"
)
_VERB_KO = lazy_pattern(
    r"(?:[는은던을]지|[는은던]데|면서?|려[면고]|다가|도록|나요|까요?|니까|는가요?|을까|세요|해요?|줘요?"
    r"|[했됐었았였겠]\S*|[하되]\S{1,3})$"
)
"""Verbs, of which the evidence has another form: what is told by other words is a noun."""
_HOW_MANY_OF = lazy_pattern(r"(?<![가-힣])몇 ?[가-힣]+")
_IS_KO = lazy_pattern(r"(?<=[가-힣]{2})(?:인지|인가요?|이에요|예요|입니까|이야|이고|이며|인)$")
_DONE_KO = lazy_pattern(r"(?<=[가-힣]{2})[하되했됐해돼한된할될][가-힣]*$")


_OF = lazy_pattern(r"\s(?:of|for|in|on|at|by|from|to|with)\s", re.IGNORECASE)
_ONE_SYLLABLE = lazy_pattern(r"^([가-힣])[은는이가을를의]$")
"""A word whose particle is half of it: 팀은."""
_OBJECT = lazy_pattern(
    r"(?<![가-힣])(?P<noun>(?![것수일점말때곳줄뜻등데중번건게거분시]|무얼)[가-힣])[을를](?![가-힣])"
)
"""A noun of one syllable that something is done to: 벌을 받나요."""
_HOW_TO = lazy_pattern(
    r"\bhow\s+(?:(?:do|can|could|should|must|may)\s+(?:i|you|we|one)|to)\s+(\w+)", re.IGNORECASE
)

_YES_NO = lazy_pattern(
    r"^\W*(?:is|are|was|were|do|does|did|has|have|had)\b|(?:인가요?|입니까|이에요|예요|[였었]나요|맞나요|맞아요)\W*$",
    re.IGNORECASE,
)
_AMOUNT = lazy_pattern(rf"(?<![\w.,])\d[\d,.]*(?:{UNIT.pattern})", re.IGNORECASE)
_HOW = lazy_pattern(r"^(?=(?:many|much|long|often)\b)", re.IGNORECASE)
_WHO = lazy_pattern(r"\b(?:who|which|what)\s+$", re.IGNORECASE)
_MEASURE = lazy_pattern(r"^(?:how )?(?:many times|many|much|long|often)\b", re.IGNORECASE)
_LIGHT = lazy_pattern(r"\b(?:taken|given|done|made|had)\b", re.IGNORECASE)
"""Verbs that ask for nothing beside how often or how long they are done."""
_MAY_BE = lazy_pattern(r"\b(?:may|can|could|must|should) be (?:taken|made|had)\b", re.IGNORECASE)
"""What deposit may be taken is which one there is."""
_CLAUSE = lazy_pattern(
    r"\s(?:when|if|after|before|because|unless|until|since|while|without|per|as)\s", re.IGNORECASE
)
_QUANTITY_OF = lazy_pattern(
    r"(?P<of>[가-힣A-Za-z]+?) ?(?P<quantity>금액|일수|기한|기간|날짜|기일|시간|시각|일시|인원|비율"
    r"|한도|횟수|개수|번호|크기|용량|나이)(?:[은는이가을를도]|와|과)?$"
    r"|\b(?P<what>[A-Za-z]+) (?P<number>numbers?|amounts?|rates?)$",
    re.IGNORECASE,
)
"""A quantity that tells by a word of its own what it is of: 전화번호, phone number."""
_OF_ITS_OWN = lazy_pattern(r"(?:수수료|급여)|^(?:fees?|salary|allowance)", re.IGNORECASE)
"""Amounts of money that not every amount is."""


def beyond(
    question: str,
    plan: Plan,
    *,
    timed: bool,
    has_more: Callable[[Sequence[str]], bool] = lambda texts: True,
) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """A function from the texts that fill the slots to what ``question`` asks for and neither the
    plan nor those texts speak of: pieces of it, numbers and months of which the texts have others,
    and which one of several it means. A piece counts as spoken of when the word for what is asked
    is, and of several pieces when more than half of its words are. ``timed`` says that a time in
    the question chooses the evidence, ``has_more`` whether there are others of another time than
    those texts."""
    question = without_courtesy(question)
    times = times_in(question) if timed else []
    text = _without(times, question)
    is_one = plan.speaks_of_all(question)
    pieces = (question.strip(" .?!"),) if is_one else asks_for(question)
    named = marked_words(text)
    whens: set[When] = {slot.when for slot in plan.slots if slot.when}
    others = [
        *another_time(question, whens, timed=bool(times)),
        *any_but(question, plan.asks.values()),
    ]
    further = [*superlatives(question), *(to_come(question) if whens == {"latest"} else ())]
    every = [*all_of(question, plan.things_of_time)]
    wanted, places = marks(text), ordinals(text)
    words_of_plan = plan.told(question)
    told = "\n".join([words_of_plan, *times])
    planned = _there(told) | _USUAL

    def left(texts: Sequence[str]) -> tuple[str, ...]:
        found = "\n".join(texts)
        known = _there(f"{told}\n{found}")
        tells = bool(plan.words) or has_hangul(found)

        def is_known(written: str) -> bool:
            words = _words(written)
            there = known if _THING.search(written) else known | _USUAL
            return (
                len(held(words, there)) == len(words)
                or (not _OF_ITS_OWN.search(written) and tells_by_kind(written, found))
                or any(each and covers(written, each) for each in plan.alternatives)
                or (has_hangul(written) and (not tells or is_told(written, f"{told}\n{found}")))
                or (len(written) == 1 and f" {written}" in f" {found}")
            )

        def is_planned(written: str) -> bool:
            words = _words(written)
            return len(held(words, planned)) == len(words)

        missing: list[str] = []
        for piece in (_HOW.sub("how ", each) for each in pieces):
            measured = _MEASURE.sub("", piece)
            asking = piece if measured == piece else _LIGHT.sub("", measured).strip()
            words = [each for each in re.findall(r"[\w.-]+", asking) if _words(each)]
            bare = {each: _ONE_SYLLABLE.sub(r"\1", each) for each in words}  # 팀은, and 식이
            unknown = [each for each in words if not (is_known(each) or is_known(bare[each]))]
            head = _MAY_BE.sub("", _CLAUSE.split(asking)[0] or asking)
            whole = question if len(pieces) == 1 else _with_who(question, piece)
            asked = {
                "" if names_a_unit(piece) else asked_word(head),
                *topics(whole),
                *(() if says_why(whole, found) else predicates(whole)),
                *_owners_of_quantity(head),
            }
            if len(pieces) == 1:
                asked |= set(_HOW_TO.findall(question))
            mostly = len(pieces) > 1 and 2 * len(unknown) >= len(words)
            is_open = any(_words(each) and not is_known(each) for each in asked)
            is_open = (
                is_open
                or lacks(plan.in_words_of(found, whole), found)
                or not all(map(is_planned, persons(whole)))
            )
            if (unknown and mostly) or is_open:
                missing.append(piece)
        clauses = (
            *unmet(question, found, plan.alternatives),
            *how_long_of_another(question, found),
        )
        missing += _in_pieces(clauses, pieces, question)
        missing = list(dict.fromkeys(missing))
        said = marks(found)
        other = [each for each in sorted(wanted - marks(told)) if contradicts(said, each)]
        lacked = [named.get(each, each) for each in (*other, *sorted(places - ordinals(found)))]
        lacked += [*others, *other_names(text, found, told)]
        lacked += every if every and has_more(texts) else ()
        lacked += [each for each in further if not is_said(each, f"{words_of_plan}\n{found}")]
        return (*missing, *(each for each in lacked if not any(each in one for one in missing)))

    return left


def unconfirmed(
    question: str, plan: Plan, *, timed: bool
) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """A function from the texts that fill the slots to the question's words that neither they nor
    the plan have: a backup server, customers in Busan. Nothing says that the answer is theirs.
    Words in a language that no text is in are left out."""
    question = without_courtesy(question)
    times = times_in(question)
    timed = timed and any(slot.when for slot in plan.slots)
    text = _HOW_MANY_OF.sub(" ", _MEASURED.sub(" ", _without(times, question)))
    told = plan.told(question)
    if names_a_unit(question):
        text = ""
    earlier = of_before(question, times if timed else [])

    def left(texts: Sequence[str]) -> tuple[str, ...]:
        before: Sequence[str] = earlier(texts)
        found = "\n".join(texts)
        left_over = words_without(text, told, found)
        left_over += _other_amounts(text, found)
        left_over += _not_measured(question, f"{told}\n{found}")
        left_over += [] if timed else _other_times(times, found)
        left_over = [each for each in left_over if not any(each in words for words in before)]
        said = list(dict.fromkeys([*left_over, *before]))
        return tuple(each for each in said if not any(_is_in(each, other) for other in said))

    return left


def words_without(text: str, told: str, found: str) -> list[str]:
    """The words of ``text`` that neither ``told`` nor ``found`` has, and that ask for something;
    those of a language that ``found`` is not in are left out."""
    there = f"{told}\n{found}"
    known = _there(there) | _USUAL | _ASKING
    latin, hangul = LATIN_SENTENCE.search(found), has_hangul(found)
    left_over: list[str] = []
    for written in re.findall(r"(?<![\w.-])[^\W\d][\w.-]*(?<![.-])", text):
        bare = _IS_KO.sub("", noun(written) or _ONE_SYLLABLE.sub(r"\1", written))
        bare = _DONE_KO.sub("", bare)
        words = _words(bare)
        if not words or not (hangul if has_hangul(written) else latin):
            continue
        is_known = len(held(words, known)) == len(words) or is_told(written, there)
        says_it = _NO_WORD_KO.search(bare) or _VERB_KO.search(written)
        if not is_known and not says_it and not has_quantity(bare, found):
            left_over.append(bare)
    if hangul:
        short = (match["noun"] for match in _OBJECT.finditer(text))
        left_over += [each for each in short if not re.search(rf"(?<![가-힣]){each}", there)]
    denied = undenied(text, found) if (hangul if has_hangul(text) else latin) else ""
    return [*left_over, denied] if denied else left_over


def _other_amounts(question: str, found: str) -> Iterator[str]:
    """The amounts that a question asks to confirm (is it 256 GB) and a text does not have."""
    if _YES_NO.search(question):
        there = {_squeezed(each[0]) for each in _AMOUNT.finditer(found)}
        yield from (
            match[0] for match in _AMOUNT.finditer(question) if _squeezed(match[0]) not in there
        )


_MEASURED = lazy_pattern(
    r"\bhow (?:(?P<by>(?!(?:many|much|long|often|soon|come|to|do|does|did|is|are|can)\b)[a-z]+)"
    r"(?= (?:is|are|was|were|do|does|did|has|have|had|will|can|may|must|should)\b)"
    r"|many (?P<of>[a-z]+)(?: (?:more|other|of)\b)?)",
    re.IGNORECASE,
)
_TOLD_BY = {
    "heavy": "weight", "tall": "height", "high": "height", "deep": "depth", "wide": "width",
    "big": "size", "large": "size", "small": "size", "old": "age", "far": "distance",
    "fast": "speed", "late": "hours", "early": "hours", "warm": "temperature",
    "hot": "temperature", "cold": "temperature", "expensive": "price", "cheap": "price",
}  # fmt: skip
"""The noun of what is asked by an adjective."""
_AMOUNTS = lazy_pattern(
    r"\b(?:limit|fee|price|cost|deposit|budget|discount|fine|penalty|salary|allowance|rent)s?\b",
    re.IGNORECASE,
)
"""How high or large one of these is asks for an amount, as how much does."""
_BY_UNIT = ("hours", "temperature", "price")
"""Those of which a number with its unit tells."""


def _not_measured(question: str, there: str) -> Iterator[str]:
    """What a question asks by a measure (how heavy, how many visitors) of which ``there``
    has no word: that it tells other things of the same is no answer."""
    for match in _MEASURED.finditer(question):
        by, of = match["by"], match["of"]
        of_it = re.split(r"\band\b|[,;.]", question[match.end() :])[0]
        if by and not _AMOUNTS.search(of_it):
            noun_of = _TOLD_BY.get(by.casefold(), by)
            is_told = present(by) <= present(there) or present(noun_of) <= present(there)
            is_told = is_told or (noun_of in _BY_UNIT and has_quantity(noun_of, there))
        elif of:
            is_told = present(of) <= present(there)
        else:
            is_told = True
        if not is_told:
            yield match[0]


_FROM_OR_UNTIL = lazy_pattern(
    r"\b(?:before|after|until|till|since|from|by)\b|[년월일] ?이?[전후]|까지|부터|이래",
    re.IGNORECASE,
)
_YEAR = lazy_pattern(r"(?:19|20)\d\d")


def _other_times(times: Sequence[str], found: str) -> list[str]:
    """The times that a question names and a text does not, each once: where no evidence is chosen
    by its time, what was found may be of another one."""
    there = present(found)
    left_over: list[str] = []
    for each in times:
        years = _YEAR.findall(each)
        is_told = all(year in found for year in years) if years else present(each) <= there
        if not is_told or _FROM_OR_UNTIL.search(each):
            left_over.append(each)
    return [each for each in left_over if not any(each != one and each in one for one in times)]


def _is_in(words: str, other: str) -> bool:
    return words != other and f" {words} ".casefold() in f" {other} ".casefold()


def _squeezed(amount: str) -> str:
    return re.sub(r"[\s,]", "", amount).casefold().removesuffix("s").replace("코어", "core")


def _without(times: Iterable[str], question: str) -> str:
    for each in times:
        question = question.replace(each, " ")
    return question


def _in_pieces(clauses: Iterable[str], pieces: Sequence[str], question: str) -> Iterator[str]:
    """Each clause; of a question in one piece that asks one thing that piece."""
    is_one = len(pieces) == 1 and len(asks(question)) < 2
    yield from (pieces[0] if is_one else clause for clause in clauses)


def _with_who(question: str, piece: str) -> str:
    """A piece with the word right before it in the question that asks who or which."""
    found = _WHO.search(question[: max(question.find(piece), 0)])
    return f"{found[0]}{piece}" if found else piece


def _words(text: str) -> list[frozenset[str]]:
    """The words of ``text`` that say something, verbs as they are looked up."""
    return content_words(as_verbs(text))


def _there(text: str) -> frozenset[str]:
    """What ``text`` has, to be compared with those."""
    return present(as_verbs(text))


def _owners_of_quantity(head: str) -> list[str]:
    """What the quantity that is asked for is of, where that is said right before it."""
    match = _QUANTITY_OF.search(" ".join(_OF.split(f"{head} ", maxsplit=1)[0].split()))
    return [match["of"] or match["what"]] if match else []
