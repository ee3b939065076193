"""Whether texts have something of the kind that each asking word of a question wants: a person, a
time, a place, a cause.

"When and why did it fail?" asks two things, and a text with a day answers one of them. A kind is
told by plain tests of the words there; in doubt it is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache

from tools.documents import content_words, held, present
from tools.numerals import MONTH_NAMES, WEEKDAYS
from tools.patterns import lazy_pattern

SENTENCES = lazy_pattern(r"(?<=[.!?])\s+|[\n;]")

_BEGINS = r"(?:^\W*|[,;.?]\s*|\b(?:and|or|also|by|to|with|for|from|know|say|tell me)\s+)"
_ASKS = (
    r"(?=(?:'s)?\s*(?:exactly )?(?:(?:did|do|does|is|are|was|were|has|have|had|will|would|can"
    r"|could|shall|should|must|may|to|and|or)\b|[,;?.!]|$))"
)
"""When and where within a sentence (the fee when it rains) ask for nothing."""
CLAUSE = r"(?:[^,;.?!](?!\b(?:who|when|where|why|how|what|which)\b))*"
CLAUSE_KO = r"[가-힣]*(?:[ ,]+(?!누가|누구|언제|어디|왜|얼마)[가-힣\w-]+){0,2}"

_NO_ACTOR = (
    "hand|law|default|mistake|accident|e?-?mail|post|phone|car|noon|itself|then|now|hours?|weeks?"
    "|days?"
)
_PERSON = lazy_pattern(
    r"\b(?:team|crew|group|staff|department|unit|company|engineer|doctor|nurse|manager|operator"
    r"|administrator|admin|director|technician|vendor|supplier|everybody|everyone|anybody|anyone"
    r"|nobody)s?\b|\w[-_](?:team|crew|admin)\b|\b(?:owner|author|assignee|contact|by)\)?:|\S@\w"
    rf"|\bby (?:the |an? |our )?(?!(?:{_NO_ACTOR})\b)[a-z]{{2,}}(?<!ing)\b"
    r"|팀|부서|담당|[가-힣]{2,}(?:씨|님)(?![가-힣])|대리(?![점인])|과장|부장|차장|사원|주임|의사|간호사"
    r"|교수|직원|관리자|기사|업체|회사|기관|위원|크루|본부",
    re.IGNORECASE,
)
_NAME = lazy_pattern(
    r"(?P<before>(?:^|[.!?:]\s+|\n\s*)?)(?<![\w-])(?P<name>[A-Z][a-z]+(?:[-'’][A-Z]?[a-z]+)?)"
    r"(?P<after>\s+(?:[A-Z][a-z]|(?:has|had|may|will|can|must|is|was|\w+ed|\w+s)\b))?"
)
_SURNAMES = "김이박최정강조윤장임한오서신권황안송류유홍전고문양손배백허남심노하곽성차주우구민진지엄"
_NAME_KO = lazy_pattern(
    rf"(?<![가-힣])(?P<name>[{_SURNAMES}][가-힣]{{1,2}}?)"
    r"(?:[이가은는의]|에게|에서|께서|,|\.|이다|입니다|$)(?![가-힣])"
)

_MONTH = rf"(?:{'|'.join(name for name in MONTH_NAMES if name != 'may')}|may(?= \d)|(?<=\d )may)"
_DAYS = "|".join(WEEKDAYS)
_TIME = lazy_pattern(
    r"\d{4}[-./]\d|\d ?(?:월|일|년|시(?!간)|분기)|\d:\d\d|\b(?:19|20)\d\d\b"
    rf"|\b{_MONTH}\b|{_DAYS}|\b(?:at|from|by|until|till) \d|\b\d+ ?(?:a\.?m|p\.?m|o'clock)"
    r"|\b(?:noon|midnight|today|yesterday|tomorrow|tonight|morning|afternoon|evening|night|spring"
    r"|summer|autumn|winter|weekend|weekdays?|hourly|daily|weekly|monthly|yearly|annually|always"
    r"|(?:last|next|this|every|each) (?:year|month|week|day|quarter)|ago|once|while|when|after"
    r"|before|until|during|as soon as|immediately)\b"
    r"|어제|오늘|내일|모레|작년|올해|내년|지난|이번|다음|오전|오후|정오|자정|아침|저녁|새벽|밤|매[일주월년]"
    r"|주말|평일|상반기|하반기|즉시|바로|때(?!문)|뒤|후(?![가-힣])|후에|전에|까지|부터|이후|직후"
    r"|[가-힣]면(?![가-힣])",
    re.IGNORECASE,
)
_WHEN_IT_WAS = lazy_pattern(
    rf"(?:\bon |\bat )?(?:[\w:.+/-]*\d[\w:.+/-]*|\b{_MONTH}\b|{_DAYS}|오전|오후|\b[ap]\.?m\b)"
    r"(?:에|부터|까지)?(?![가-힣])",
    re.IGNORECASE,
)

_NO_PLACE = rf"{'|'.join(MONTH_NAMES)}|{_DAYS}"
_NO_HALL = (
    "morning|afternoon|evening|night|day|week|month|year|spring|summer|autumn|winter|case|event|end"
    "|meantime|past|future|same|way|moment|time|first|last|next|hour|minute|few|lot|total|cost|price"
)
_PLACE = lazy_pattern(
    r"\b(?:located|situated|location|address|stands?|stood|lies|place|region|country|city|town"
    r"|street|site|building|floor|room|rack|shelf|office|branch|hall|warehouse|zone|area|campus"
    r"|cent(?:er|re)|factory|plant|hospital|school|station|home|abroad|outside|inside|folder"
    r"|page|menu|desk|counter|ward|shop|store)s?\b"
    rf"|\b(?:in|at|near|from|to) (?:the )?(?!(?:{_NO_PLACE})\b)(?-i:[A-Z])[a-z]+"
    rf"|\bon (?:the |an? )?(?!(?:{_NO_PLACE}|time|hold|request|average|sale|week\w+)\b)[a-z]{{3,}}"
    rf"|\b(?:in|at) (?:the|an?|our) (?!(?:{_NO_HALL})\b)[a-z]{{3,}}"
    r"|\b(?:in|at) [a-z]+-[a-z\d]+|\b(?:under|behind|beside|opposite|next to) "
    r"|에 ?(?:있|위치|놓|둔|두|설치|보관|자리)|위치|장소|주소|소재"
    r"|\d ?(?:층|호(?![가-힣]))|랙|건물|지점|지역|도시|센터|사무실|창고|병동|병원|본사|공장"
    r"|매장|메뉴|화면"
    r"|(?<![\d가-힣])[가-힣]{2,}[시도구군동](?:에|의|,|\.|$)"
    r"|(?<!기간)(?<!중)에서|옆|앞|안에|위에|아래|근처|맞은편",
    re.IGNORECASE,
)
_CAUSE = lazy_pattern(
    r"\b(?:because|cause[ds]?|reasons?|due to|owing to|thanks to|since|so|result(?:s|ed)? (?:of|in)"
    r"|therefore|in order to|leads? to|led to|if|when|with (?:more|less|fewer|no|too))\b"
    r"|원인|이유|때문|탓|사유|므로|로 인[해하한]|니까|덕분|위[해하한]|려고|도록"
    r"|[가-힣]면(?![가-힣])|(?<![에께가-힣])[가-힣]+(?<![에께])서(?![가-힣])",
    re.IGNORECASE,
)


def unmet(question: str, found: str, planned: Collection[str]) -> Iterator[str]:
    """The clauses of ``question`` that want a person, a time, a place or a cause, where ``found``
    has none. ``planned`` are words in which a plan says itself that its evidence tells that."""
    known = present("\n".join([question, *planned]))
    for words, clause, has in _KINDS:
        match = _clause(clause).search(question)
        if match and not words & {*planned} and not has(question, found, known):
            yield match["clause"].strip(" ,")


def says_why(question: str, found: str) -> bool:
    """Whether a Korean question asks why, and a text has a word for a cause: then it need not have
    the verb as well (왜 멈췄나요, 장애 원인)."""
    return "왜" in question and _CAUSE.search(found) is not None


@cache
def _clause(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _has_person(question: str, found: str, known: frozenset[str]) -> bool:
    """Whether a text speaks of a person by a word or has a name that the question does not."""
    if _PERSON.search(found):
        return True
    for match in _NAME.finditer(found):
        words = content_words(match["name"])
        if words and not words[0] <= known and (not match["before"] or match["after"]):
            return True
    return any(not present(match["name"]) & known for match in _NAME_KO.finditer(found))


def _has_time(question: str, found: str, known: frozenset[str]) -> bool:
    return _TIME.search(found) is not None


def _has_place(question: str, found: str, known: frozenset[str]) -> bool:
    return _PLACE.search(found) is not None


def _has_cause(question: str, found: str, known: frozenset[str]) -> bool:
    """Whether a text has a word for a cause, or says more in a sentence with a word of the question
    than that and a time: a cause needs no word of its own."""
    if _CAUSE.search(found):
        return True
    words = content_words(question)
    for sentence in SENTENCES.split(found):
        rest = content_words(_WHEN_IT_WAS.sub(" ", sentence))
        if held(words, present(sentence)) and len(held(rest, known)) < len(rest):
            return True
    return False


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
     r"(?<!팀은 )(?<!팀이 )(?<!부서는 )(?<!부서가 )(?<!회사는 )(?<!기관은 )(?<!업체는 )"
     rf"(?P<clause>어디(?!나|든|까지){CLAUSE_KO})", _has_place),
    (frozenset(["why", "왜"]), rf"{_BEGINS}(?P<clause>why\b{CLAUSE})", _has_cause),
    (frozenset(["why", "왜"]), rf"(?<![가-힣])(?P<clause>왜(?!냐|곡){CLAUSE_KO})", _has_cause),
)  # fmt: skip
"""The asking words of a kind, how a question asks for it, and whether a text has it. Which team
it is, Korean asks by the word for where (담당 팀은 어디)."""
