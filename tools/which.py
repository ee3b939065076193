"""Which one of several a question means, where it is not the one that a plan looks for: an earlier
or a later one than the latest, the longest of all, every one, or any but the one that it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from tools.documents import content_words, held, present
from tools.kinds import SENTENCES
from tools.patterns import lazy_pattern
from tools.slots import When
from tools.tokens import has_hangul, noun

_EARLIEST = lazy_pattern(
    r"(?<![가-힣])(?:첫(?! ?번째) ?[가-힣]+|(?:가장|제일|맨) (?:오래된|먼저|이른|옛|처음)\S*"
    r"|최초의?"
    r"|처음(?:으로)? \S*[난한긴던은] (?!시각|시간|때|날|것)\S+)"
    r"|\b(?:oldest|earliest|the very first|initial)\b",
    re.IGNORECASE,
)
_EARLIER = lazy_pattern(
    r"(?<![가-힣])(?:그 ?(?:전|이전|앞)(?:의|에)? (?=[가-힣])|지지난|전전"
    r"|(?:전|예전|이전|과거|옛날)에 (?:쓰|사용|있|돌|운영)\S*"
    r"|(?:마지막|최근|최신|지난번|이번)[^,.?]{0,20}(?:말고|아닌|제외|빼고))"
    r"|\b(?:former|formerly|used to (?:use|run|have|be)|second[- ](?:to[- ])?last|last but one"
    r"|penultimate|next[- ]to[- ]last|before (?:that|the (?:last|latest|most recent|newest)))\b"
    r"|\b(?:not|other than|except|besides) (?:the|its) (?:last|latest|newest|most recent)\b",
    re.IGNORECASE,
)

_SUPERLATIVE = lazy_pattern(
    r"\b(?:long|short|cheap|bigg|larg|small|fast|slow|high|low|hott|cold|heavi|light|busi|strong|weak"
    r"|near|clos|easi|hard|young|tall|deep|wid|great|safe|saf|rich|few|quick|quiet|loud)est\b"
    r"|\b(?:worst|best)\b|\b(?:the|its) (?:most|least) (?!recent|of\b|part\b)\w+"
    r"|(?<![가-힣])(?:가장|제일) (?!최근|최신|새|늦|나중|마지막|가까운 때)[가-힣]+",
    re.IGNORECASE,
)
_ARTICLE = lazy_pattern(r"^(?:the|its) ", re.IGNORECASE)
_ONCE = lazy_pattern(
    r"(?<![가-힣])(?:이전|예전|과거|옛날?|종전)(?:의|에|엔|까지)?"
    r"(?= (?P<was_ko>[가-힣A-Za-z]\w*))?(?![가-힣])"
    r"|(?:(?<=의 )|^)전(?= (?P<one_ko>[가-힣]+))"
    r"|(?<![\w-])(?P<until_ko>\w*[가-힣A-Za-z](?<![의가은는를을이에])) (?:바로 )?"
    r"(?:전|이전|직전)(?:의|에|엔|까지)?(?=[\s?？.,]|$)"
    r"|[가-힣]+(?<![았었했됐났갔왔였겠렸졌혔쳤])던(?= (?P<used_ko>[가-힣A-Za-z]\w*))"
    r"|\b(?<!years )(?<!how )(?:old|former|previous|earlier|past) (?P<was>[\w-]+)"
    r"|\b(?:formerly|previously|back then|in the past|used to (?:be|have|run|use))\b"
    r"|\b(?:before|prior to)(?: (?:the|its|their|that|this|an?))?(?: (?P<until>[\w-]+))?",
    re.IGNORECASE,
)
"""Words for an earlier state of a thing, or for what was before something, with what they stand
beside."""
_SAYS_ONCE = lazy_pattern(
    r"(?<![가-힣])(?:이전|예전|과거|옛|종전|직전|전(?=[\s의에엔까.,]|$))|던 "
    r"|\b(?:old|former|previous|earlier|past|formerly|previously|before|prior|used to)\b",
    re.IGNORECASE,
)
_TO_COME = lazy_pattern(
    r"\b(?:next (?!to\b|door\b|of\b)\w+|tomorrow|upcoming|in (?:the )?future)"
    r"|(?<![가-힣])(?:다음(?:번|에)? (?!과|같|중|의)[가-힣]+|내일|모레|앞으로|내년|향후)",
    re.IGNORECASE,
)

_BUT_KO = lazy_pattern(
    r"(?: ?(?:환자|버전|계정|서버|프로젝트|건))?(?:[이가은는을를도만]|에서|의 것)? ?"
    r"(?:아닌|아니라|말고|말구|제외|빼고|뺀|외에|외의|이외)"
)
_BUT = lazy_pattern(
    r"(?:\b(?:not|n't|except(?: for)?|excluding|excepting|besides|apart from|aside from|other than"
    r"|rather than|instead of)|\b(?:every|all|any|each|no)\b[^,.;]{0,30}\bbut)"
    r"(?: (?:of|for|in|on|by|the|patient|version|server|project|account)){0,2} ?$",
    re.IGNORECASE,
)
_IS_NOT = lazy_pattern(
    r"\b(?:what|which) (?:is|was|are|were)(?: not|n't) (?:the|an?|one|among)\b.*"
    r"|[가-힣]+[이가] 아닌 (?:것|게|건|거)\S*",
    re.IGNORECASE,
)
_COMPOUND = lazy_pattern(r"(?<![A-Za-z0-9_-])[A-Za-z]+(?:-[A-Za-z]+)+(?![A-Za-z0-9_-])")


def another_time(question: str, whens: Collection[When], *, timed: bool) -> Iterator[str]:
    """The question's words for another than the latest, where a plan looks for one of a time.
    ``timed`` says that it names a time, by which the right one is found."""
    if not any(whens):
        return
    for pattern in [_EARLIEST] if timed else [_EARLIEST, _EARLIER]:
        if found := pattern.search(question):
            yield found[0].strip()


def of_before(question: str, times: Sequence[str]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """A function from the texts that fill the slots to the words by which ``question`` asks of an
    earlier state or of what was before something, and which not every text says of the same: the
    present one may stand where the earlier one was asked for. ``times`` are its words for a time;
    before a day that it names is none of these."""
    said: list[tuple[str, str]] = []
    for match in _ONCE.finditer(question):
        words, beside = match[0].strip(), next(filter(None, match.groups()), "")
        beside = noun(beside) or beside
        bare = re.sub(r"(?<=전)(?:의|에|엔|까지)$", "", words)
        if any(bare in each and (bare != each or re.search(r"\d", each)) for each in times):
            continue
        if not match["until_ko"] and beside and not words.endswith(beside):
            words = f"{words} {beside}"
        said.append((words, beside))

    def left(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                words
                for words, beside in said
                if not beside or not all(_tells_of(each, beside) for each in texts)
            )
        )

    return left


def _tells_of(text: str, beside: str) -> bool:
    """Whether one sentence of a text speaks of an earlier state of a thing."""
    words = content_words(beside)
    return any(
        _SAYS_ONCE.search(sentence) and len(held(words, present(sentence))) == len(words)
        for sentence in SENTENCES.split(text)
    )


def superlatives(question: str) -> Iterator[str]:
    """The question's words for the one that has most of something: the longest, 가장 긴."""
    for match in _SUPERLATIVE.finditer(question):
        yield match[0]


def to_come(question: str) -> Iterator[str]:
    """The question's words for one that is still to come: tomorrow, the next failure."""
    if found := _TO_COME.search(question):
        yield found[0]


_ALL = lazy_pattern(
    r"\b(?:every|each|all|(?:two|three|four|five)(?! (?:second|minute|hour|day|week|month|year))"
    r"|both(?= (?:of )?(?:(?:the|its|their) )?(?:[\w-]+ )?[\w-]+s\b)"
    r"(?! (?:(?:the|its|their) (?:[\w-]+ ){1,6}?and\b|[\w-]+ and (?!the\b|what\b|how\b|who\b)))"
    r"|(?:which|what)(?= [\w-]+s (?:has|have|had|did|do|were|are|happened|occurred|hit)\b))\b"
    r"(?: (?:of|the|its|their|past|previous|known|last|latest))*"
    r"(?P<en>(?: (?!of\b|for\b|in\b|on\b|at\b|with\b|and\b|that\b|ha[sd]\b|have\b"
    r"|did\b)[\w-]+){1,2}"
    r"(?: of(?: the| its)? [\w-]+s\b)?)"
    r"|(?<![가-힣])(?:모든|온갖|양쪽|(?:두|세|네|\d)(?! ?(?:번째|시간|분|달|주|해)"
    r"| [가-힣]+ (?:중|가운데) )"
    r"(?: ?(?:번|차례|건)의?)?) (?P<ko>[가-힣]+(?: [가-힣]+)?)"
    r"|(?<![A-Za-z])(?P<listed>[가-힣]+)(?: (?:이력|내역|기록|목록|원인)[을를은이]?)?"
    r" (?:(?:모두|전부|빠짐없이|하나하나|다)"
    r"(?= ?(?:알려|말해|말씀|보여|나열|정리|요약|적어|써|설명|찾아|궁금|[?？.]|$))"
    r"|[둘셋넷] ?다(?![가-힣])|(?<!의 )(?:두|세|네|\d) ?(?:건|번|차례)(?!째| ?중| ?있))",
    re.IGNORECASE,
)
_ONE_OF_THEM = lazy_pattern(
    r"\b(?:last|latest|newest|most recent)\b(?! (?:two|three|four|five)\b)(?<!two latest)"
    r"|(?:마지막|최근|최신|지난번)(?! (?:[가-힣]+ )?(?:두|세|네|\d) ?(?!번째))",
    re.IGNORECASE,
)
_SEVERAL_KO = lazy_pattern(r"[가-힣](?:와|과|이랑|하고|,|및) ?")


def all_of(question: str, things: Collection[str]) -> Iterator[str]:
    """The question's words for every one of the ``things`` of which a plan looks for the latest, or
    for more than one: every incident, both outages, which incidents, 모든 장애, 두 장애. In
    원인과 조치를 모두 it is both parts that are asked for."""
    if _ONE_OF_THEM.search(question):
        return
    for match in _ALL.finditer(question):
        named = match["en"] or match["ko"] or match["listed"]
        if match["listed"] and _SEVERAL_KO.search(question[: match.start("listed")]):
            continue
        for each in things:
            known = present(each)
            if has_hangul(each):
                place = match[0].find(each)
                end = len(match[0]) if match["listed"] else place + len(each)
            else:
                place = end = len(match[0]) if known and known <= present(named) else -1
            if place >= 0:
                yield match[0][:end].strip()
                break


def is_said(words: str, text: str) -> bool:
    """Whether a text has the word by which these say the most of something, or what is to come."""
    first = _ARTICLE.sub("", words).split()[0].casefold()
    said = "가장|제일" if first in ("가장", "제일") else re.escape(first)
    return re.search(rf"(?<![a-z])(?:{said})(?![a-z])", text.casefold()) is not None


def any_but(question: str, patterns: Collection[str]) -> Iterator[str]:
    """The question's words that leave out the very thing that a plan takes its name from
    (``patterns``), or that ask what is none."""
    for pattern in patterns:
        for match in re.finditer(pattern, question):
            if after := _BUT_KO.match(question, match.end()):
                yield question[match.start() : after.end()]
            elif before := _BUT.search(question[: match.start()]):
                yield question[before.start() : match.end()]
    if found := _IS_NOT.search(question):
        yield found[0].strip(" ?.!")


def other_names(question: str, found: str, told: str) -> Iterator[str]:
    """The compound names of a question of which the texts have another of the same kind, and not
    this one: store-crew, platform-crew."""
    there = {each.casefold() for each in _COMPOUND.findall(found)}
    known = {each.casefold() for each in _COMPOUND.findall(told)}
    for name in dict.fromkeys(_COMPOUND.findall(question)):
        same = name.casefold()
        if same in there or same in known:
            continue
        last = same.rpartition("-")[2]
        if any(each.rpartition("-")[2] == last for each in there):
            yield name
