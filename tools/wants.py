"""What kind of answer a question wants (how many of what, how long, how much money, who), and
whether texts have one of that kind.

A question of how many minutes an outage took has every word of a plan about outages. A number of
minutes is what tells whether the texts answer it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tools.documents import content_words, held, present
from tools.kind_forms import OF_A_KIND
from tools.kinds import CLAUSE, CLAUSE_KO, SENTENCES, unmet
from tools.numerals import ENGLISH, IN_KOREAN, WEEKDAYS, within
from tools.patterns import lazy_pattern
from tools.sufficiency import MONEY
from tools.tokens import has_hangul, noun, stem

_SOME = rf"(?:(?:\d ?|[일이삼사오육칠팔구수몇])?[십백천만억]+(?!에)|\d|{IN_KOREAN}|몇) ?"
_LASTS = (
    rf"{_SOME}(?:초|분(?!기)|시간|주(?!일)|주일|개월|달|해)(?:$|[^가-힣]|[간안은이을의에째동까])"
    r"|\d{1,3} ?일(?:간|이내| ?안| ?동안)|(?<!월)(?<!월 )(?<![\d-])\d{1,3} ?일(?!\d)"
    rf"|\b(?:\d+|an?|{'|'.join(within(1, 10, ENGLISH))}|several|many) ?"
    rf"{OF_A_KIND}(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
    rf"|하루(?!에? ?{_SOME})"
    r"|\bhalf (?:an? )?(?:hour|day|year)s?\b|\b\d+ ?(?:secs?|mins?|hrs?)\b|\bovernight\b"
    r"|\ball (?:day|night|week)\b|\bfrom \d\S* (?:to|until|till) \d"
    r"|\d\S{0,3} ?부터 .{0,12}?\d\S{0,3} ?까지|하룻밤|밤새|종일"
    r"|이틀|사흘|나흘|보름|반나절|당일|끝난 날|\bsame day\b|\bon the day\b|\bday of\b"
    r"|\d일 ?까지|\d-\d\d ?까지|\buntil (?:\d{4}-|further)|즉시|바로|\bat once\b|immediately"
    r"|무기한|영구|계속|forever|indefinite|unlimited|무제한"
)
_TIMES = (
    rf"(?<!제)(?<!제\d){_SOME}(?:번|회|차례)(?!째)"
    rf"|\b(?:(?:\d+|{'|'.join(within(2, 20, ENGLISH))}|several|many) times|once|twice|thrice)\b"
)
_DAYS = "|".join(day for day in WEEKDAYS if day.isascii())
_OFTEN = (
    rf"{_TIMES}|\b(?:every|each) (?:\w+ )?(?:time|second|minute|hour|day|night|week|month|year"
    rf"|quarter|{_DAYS})"
    r"|\b(?:hourly|daily|nightly|(?:bi-?)?weekly|fortnightly|(?:bi-?)?monthly|quarterly|yearly"
    r"|annually)(?= *(?:[.,;!?)]|$)| (?:on|at|by|in|and|for|since|from|as|with|to)\b)"
    r"|마다|매(?:시간|일|주|달|월|분기|년|번|회)|격(?:일|주|월|년)"
)
_UNITS: dict[str, re.Pattern[str]] = {
    unit: lazy_pattern(said, re.IGNORECASE)
    for unit, said in {
        "분|초|시간|주|개월|달": _LASTS,
        "년|해": r"\d ?(?:년|year)|(?<!\d)(?:19|20)\d\d(?!\d)",
        "번|회|차례": _TIMES,
        "명|사람": rf"{_SOME}(?:명|사람|인(?![가-힣]))|\d ?(?:people|persons?|users?|customers?)",
        "퍼센트|프로|%": r"\d ?(?:%|퍼센트|프로(?!젝)|percent)",
        "원": MONEY,
        "글자|자": rf"{_SOME}(?:글자|자(?!녀|동|루|전))|\d ?characters?",
        "개|건|대|장|층|권|마리|배|가지|곳|군데|살|세|잔|병|통|쪽|페이지": "",
    }.items()
}
"""How a number of a Korean unit is written; of most as the unit itself."""

_HOW_MANY_KO = lazy_pattern(
    rf"몇 ?(?P<unit>{'|'.join(sorted('|'.join(_UNITS).split('|'), key=len, reverse=True))})"
)
_HOW_MANY_OF = lazy_pattern(r"몇 ?(?P<unit>[A-Za-z]+)")
_HOW_LONG = lazy_pattern(
    r"\bhow long\b|얼마 ?동안|얼마나 (?:오래|걸|지속|이어|계속|길)|얼마 ?만에", re.IGNORECASE
)
_HOW_LONG_SINCE = lazy_pattern(
    r"\b(?:how long|since when) (?:has|have) (?:[\w'-]+ ){1,6}?(?:been|existed|had)\b"
    r"|지(?:가|는)? ?얼마나 ?(?:됐|되|됩|된|지났)",
    re.IGNORECASE,
)
"""It has been so until now: the hours of a day do not tell since when."""
_HOW_OFTEN = lazy_pattern(
    r"\bhow often\b|얼마나 자주|(?:얼마|며칠)(?:마다|에 한 번)", re.IGNORECASE
)
_HOW_MANY = lazy_pattern(
    r"\bhow (?:many|much) (?!times\b)(?:more |other |different )?(?P<noun>(?!money\b)[\w-]+)",
    re.IGNORECASE,
)
_HOW_MUCH_MONEY = lazy_pattern(
    r"\bhow much\b(?: money\b|.*\b(?:costs?|lost?|lose)\b)", re.IGNORECASE
)
_HOW_MANY_TIMES = lazy_pattern(r"\bhow many times\b", re.IGNORECASE)
_MONEY_SAID = lazy_pattern(MONEY, re.IGNORECASE)
_LASTS_SAID = lazy_pattern(_LASTS, re.IGNORECASE)
_SINCE_SAID = lazy_pattern(
    r"\bsince\b|(?<![\d.,])(?:19|20)\d\d(?!\d)|\d ?(?:년|개월|달|주|일|시간) ?(?:째|간|동안|전|넘)"
    rf"|\bfor (?:\w+ ){{0,2}}?(?:\d+|an?|{'|'.join(within(1, 20, ENGLISH))}|several|many) "
    r"(?:minute|hour|day|week|month|year)s?\b|\b(?:days|weeks|months|years) ago\b",
    re.IGNORECASE,
)
_OFTEN_SAID = lazy_pattern(_OFTEN, re.IGNORECASE)
_TIMES_SAID = lazy_pattern(_TIMES, re.IGNORECASE)
_DIGIT = lazy_pattern(r"\d")
LATIN_SENTENCE = lazy_pattern(r"[A-Za-z]{2,} [a-z]{2,} ")
"""Words of an English sentence, which a row of a table has not."""

_TAKES = lazy_pattern(
    r"\b(?:t[ao]ke[sn]?|took|last(?:s|ed)?|within|for|in|after|over|until|since) "
    r"(?:\w+ ){0,2}?(?:\d|an?\b|half|"
    rf"{'|'.join(within(1, 10, ENGLISH))}|several|many)|\bsame day\b"
    r"|걸[렸리린려]|만에|동안|소요|지속|이어|계속|이내|내내|무기한",
    re.IGNORECASE,
)
"""Words that say that it lasts so long, beside those of the question."""

_LONG_CLAUSE = lazy_pattern(
    rf"(?P<clause>\bhow long\b{CLAUSE}"
    rf"|(?:얼마 ?동안|얼마나 (?:오래|걸|지속|이어|계속|길)|얼마 ?만에){CLAUSE_KO})",
    re.IGNORECASE,
)


_TOPIC = lazy_pattern(
    r"(?P<topic>[\w-]+)\s+(?:(?:총|모두|전부|최대|최소|대략|약|각각|보통|정확히)\s+)*"
    r"(?P<asks>얼마|며칠|몇(?! ?[A-Za-z])|누구|언제|어디|무엇|뭐)"
)
_WHO_KO = lazy_pattern(r"누가\s+(?P<verb>[가-힣]+)")
_WHO = lazy_pattern(r"\bwho\s+(?:(?:has|have|had)\s+)?(?P<verb>[\w-]+)", re.IGNORECASE)
_WHAT = lazy_pattern(
    r"\b(?:which|what) (?P<noun>[\w-]+) (?:is|are|was|were|do|does|did|must|should|can|may|will"
    r"|applies|apply)\b|\bhow much (?:is|are|was|were|will|would) (?:the |an? )?"
    r"(?P<much>(?:(?!of\b|for\b|if\b|when\b|in\b|on\b)[\w'-]+ ){0,3}(?!of\b|for\b|if\b|when\b)"
    r"[\w-]+)",
    re.IGNORECASE,
)
_PERSON = lazy_pattern(
    r"(?P<ko>[가-힣]{2,})\s+누구|\bwho(?:'s| is| was| are| were) (?:the |an? )?(?P<en>"
    r"(?:(?!of\b|for\b|in\b|on\b|to\b)[\w-]+ ){0,2}?[\w-]+)(?= (?:of|for|in|on|to|that|who|when)\b"
    r"|[?.!]*$)",
    re.IGNORECASE,
)
_DONE_KO = lazy_pattern(r"(?<=[가-힣]{2})(?:하|되|했|됐|받|시키|시켰)[가-힣]*$")
_USUAL_DOING = frozenset("맡고 맡았 맡은 맡는 맡나 하고 했는 했나 하나 되나 해야 이야 인가".split())


_IS_THERE = lazy_pattern(
    r"(?P<thing>[\w-]*[\w가-힣])(?:이|가|은|는|도|만) ?(?:있|없|필요|가능)[가-힣]*[?？.!]*$"
)
_WHICH_KO = lazy_pattern(r"(?<![가-힣])(?:어느|무슨) (?P<thing>[\w-]+)")
_LAST_KO = lazy_pattern(
    r"(?P<verb>[가-힣]{2,} ?수) (?:있|없)[가-힣]*[?？.!]*$"
    r"|(?<!몇 )(?<![가-힣])"
    r"(?P<last>[가-힣]*(?:나요|까요|니까|는지|[은는]가요?|[가-힣]가요))[?？.!]*$"
)
_LIGHT_KO = lazy_pattern(
    r"^(?:있|없|되|돼|됐|된|될|하나|하는|할까|합니|한가|했|해|알|주|줄|걸[리렸]|나[나요]|났|날|생[기겼]|일어|발생|맞|인[가나]|아[닌니]"
    r"|[이]?[입습]니|어[떤떻느디]|언제|누구|누가|무[엇슨]|뭐|뭔|얼마|몇|며칠|왜|필요|가능|궁금|그런|이런|건가|는가|수$|[가-힣]인가)"
)
"""Verbs that ask for nothing beside what they are asked of."""
_LIGHT_THING = frozenset(
    "일 것 거 곳 때 경우 사람 문제 상태 상황 식 방식 방법 종류 내용 점 이유 원인 쪽".split()
)


_IS_IT_KO = lazy_pattern(r"(?:이?[였었]나요|인가요?|입니까)$")
"""Whether it is something (만료였나요): no verb that the evidence must have."""


def predicates(question: str) -> Iterator[str]:
    """What a Korean question says at its end: what there is (GPU가 있나요), which one (어느 랙에),
    or the verb (식히나요)."""
    if match := _IS_THERE.search(question):
        yield match["thing"]
    for match in _WHICH_KO.finditer(question):
        thing = noun(match["thing"]) or match["thing"].rstrip("은는이가에")
        if thing not in _LIGHT_THING:
            yield thing
    if match := _LAST_KO.search(question):
        verb = (match["verb"] or match["last"]).replace(" ", "")
        if not _LIGHT_KO.search(verb) and not _IS_IT_KO.search(verb):
            yield _DONE_KO.sub("", verb)


def topics(question: str) -> Iterator[str]:
    """The words of a question that name what it wants to know of a thing, where it says by another
    word of what kind that is: 벌금은 얼마, 담당 의사는 누구, who diagnosed, which doctor."""
    for match in _TOPIC.finditer(question):
        if bare := noun(match["topic"]):
            yield bare
        elif match["asks"] == "얼마" and has_hangul(match["topic"]):
            if not re.search(r"(?:면|고|서|니|게|려|에|의)$", match["topic"]):
                yield match["topic"]
    for match in _WHO_KO.finditer(question):
        if match["verb"][:2] not in _USUAL_DOING:
            yield _DONE_KO.sub("", match["verb"])
    for match in _WHO.finditer(question):
        yield match["verb"]
    for match in _WHAT.finditer(question):
        yield match["noun"] or match["much"].split()[-1]


def persons(question: str) -> Iterator[str]:
    """The words for whom a question wants to know by name: that a text speaks of a doctor does not
    say who that is."""
    for match in _PERSON.finditer(question):
        if match["en"]:
            yield match["en"].split()[-1]
        else:
            yield noun(match["ko"]) or re.sub(r"(?<=[가-힣])[은는이가]$", "", match["ko"])


def names_a_unit(question: str) -> bool:
    """Whether a question says in which Latin unit it wants its number (몇 GB): a number in that is
    what it asks for, in whichever language a row of a table names it."""
    return _HOW_MANY_OF.search(question) is not None


def how_long_of_another(question: str, found: str) -> Iterator[str]:
    """The clause of ``question`` that asks how long, where ``found`` has durations and none of
    what the question is about."""
    if (match := _LONG_CLAUSE.search(question)) and _LASTS_SAID.search(found):
        if not _lasts(question, found):
            yield match["clause"].strip(" ,")


def _lasts(question: str, found: str) -> bool:
    """Whether a duration in a text is told of what the question is about: in a sentence with a word
    of it, or with one that says that it lasts so long. A text in the other language has no words
    of the question, and a row of a table no sentence."""
    words = content_words(question)
    for sentence in SENTENCES.split(found):
        if _LASTS_SAID.search(sentence) and (
            held(words, present(sentence))
            or _TAKES.search(sentence)
            or has_hangul(sentence) != has_hangul(question)
        ):
            return True
    return False


def leaves_open(question: str, found: str) -> bool:
    """Whether ``question`` asks who, when, where, why or for a number of something, and ``found``
    has none of that kind."""
    return any(unmet(question, found)) or lacks(question, found)


def lacks(question: str, found: str) -> bool:
    """Whether ``question`` wants a number of something and ``found`` has none of that kind."""
    return any(not has(found) for has in _wanted(question))


def _wanted(question: str) -> Iterator[Callable[[str], bool]]:
    if _HOW_LONG_SINCE.search(question):
        yield _searching(_SINCE_SAID)
    elif _HOW_LONG.search(question):
        yield _searching(_LASTS_SAID)
    if _HOW_OFTEN.search(question):
        yield _searching(_OFTEN_SAID)
    if _HOW_MANY_TIMES.search(question):
        yield _searching(_TIMES_SAID)
    if _HOW_MUCH_MONEY.search(question):
        yield _searching(_MONEY_SAID)
    for match in _HOW_MANY.finditer(question):
        if content_words(match["noun"]):
            yield _counted(match["noun"])
    for match in _HOW_MANY_KO.finditer(question):
        yield _counted_ko(match["unit"])
    for match in _HOW_MANY_OF.finditer(question):
        yield _searching(re.compile(rf"\d ?{match['unit']}(?![A-Za-z])", re.IGNORECASE))


def _searching(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda found: pattern.search(found) is not None


_KOREAN = {
    "second": "초", "minute": "분(?!기)", "hour": "시간", "day": "일", "week": "주",
    "month": "(?:개월|달)", "year": "년",
}  # fmt: skip


def _counted(thing: str) -> Callable[[str], bool]:
    """Whether a text speaks of what is counted; one without an English sentence may in its own
    words, and a time may be told in Korean."""
    words = content_words(thing)
    korean = _KOREAN.get(stem(thing.lower()))
    in_korean = re.compile(rf"(?<!월)(?<!월 )(?<![\d-])\d{{1,3}} ?{korean}") if korean else None

    def has(found: str) -> bool:
        if in_korean and in_korean.search(found):
            return True
        if not LATIN_SENTENCE.search(found):
            return _DIGIT.search(found) is not None
        return all(2 * len(word & present(found)) >= len(word) for word in words)

    return has


def _counted_ko(unit: str) -> Callable[[str], bool]:
    said = next(said for units, said in _UNITS.items() if unit in units.split("|"))
    pattern = re.compile(f"{_SOME}{re.escape(unit)}") if not said.pattern else said

    def has(found: str) -> bool:
        return (pattern if has_hangul(found) else _DIGIT).search(found) is not None

    return has
