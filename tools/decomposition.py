"""What a question asks for, piece by piece, and in which words each piece can be searched.

By rule and without a model: the words stay those of the question, but for what such a question
always needs as well (the year before, where growth in a year is asked for). When in doubt a
question is one piece: a question cut where it should not be is searched more and answered less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple
from unicodedata import normalize

from tools.courtesy import without_courtesy
from tools.documents import content_words
from tools.marks import ID, marks
from tools.patterns import lazy_pattern
from tools.tokens import fold

MOST_PIECES = 5
"""Requirements that a model may propose. The question itself may ask for more."""

_NEAR = 0.8
_HEAD = lazy_pattern(r"^(reason) for ", re.IGNORECASE)

_REQUEST = lazy_pattern(
    r"\s*(?:까지|모두|전부|다|각각|자세히|간단히|좀|함께|같이)?\s*(?:에\s*(?:대해|관해)서?\s*)?"
    r"(?:정리해|요약해|비교해|설명하)\s*"
    r"(?:줘요?|주세요|주십시오|주실래요|줄래요?|달라\S*|라|요)?[.?!？。]*\s*$"
    r"|\s*(?:은|는|이|가)?\s*(?:무엇|뭐)(?:인가요|입니까|이야|예요|야|지)?[.?!？。]*\s*$"
    r"|(?<=[가-힣]) (?:모두|전부|다|각각|함께|같이)$"
)
_POLITE = lazy_pattern(
    r"^\s*(?:please\s+)?(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?"
    r"(?:explain|describe|summari[sz]e|compare|list|find)(?:\s+about)?\s+",
    re.IGNORECASE,
)
_ASKING = lazy_pattern(
    r"^\s*(?:(?:and|also)\s+)?(?:what|which|who|when|where|how)"
    r"(?:'s|\s+(?:is|are|was|were|did|does|do))?\s+"
    r"(?:the\s+)?(?=\w)"
    r"|^\s*(?:the|its|their|and|also)\s+(?=\w)",
    re.IGNORECASE,
)
_BETWEEN = lazy_pattern(
    r"^(?:the\s+)?(?:differences?|comparison)\s+(?:between|of)\s+"
    r"|(?<=[가-힣A-Za-z0-9)])(?:의|\s*(?:간|사이)의?)\s*차이점?(?:은|는|이|가|을|를)?[.?!？。]*\s*$",
    re.IGNORECASE,
)
_WHY = lazy_pattern(
    r"^\s*(?:and\s+)?why\b\s*(?:(?:is|are|was|were|did|does|do|has|have)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)

_NO_PARTICLE = (
    *"결과 효과 학과 사과 교과 부과 초과 치과 내과 외과 신경과 정신과".split(),
    *(rf"\b{word}" for word in "성과 통과 경과 일과 안과 전과 기와 쇼와".split()),
)
"""Words that end like one with the particle for "and"; some only where they are the whole word:
출시일과 has it, 보안과 too."""

_IN_I = "쓰놓보쌓줄높붙먹녹죽섞덮끓꺾속"
"""What stands before 이 in the stem of a verb: 놓이고 is no 이고."""

_JOINED = lazy_pattern(
    r"\s*[,，、;；](?!\d)\s*(?:그리고\s+|및\s+|또한?\s+|and\s+|as well as\s+)?"
    r"|\s+(?:그리고|및|또)\s+"
    r"|\s+(?:as well as|along with|together with|and then|and also|and|plus|versus|vs\.?)\s+"
    rf"|(?<=[가-힣A-Za-z0-9)])[와과]{''.join(f'(?<!{each})' for each in _NO_PARTICLE)}\s+"
    r"(?!관련|함께|같|달리|더불어|동시|비슷|다르|다른|반대|마찬|상관|별개|구분|구별|연관)"
    rf"|(?<=[가-힣])(?:(?<![{_IN_I}])이고|(?<!불구)하고|되고|이랑|(?<=[리있없인받내오나치키])(?<!그리)고"
    rf"|(?<=[{_IN_I}]이)고),?\s+(?!있|싶|나서|계)"
    r"|[?？]\s+(?=\S)",
    re.IGNORECASE,
)
_NAMES = lazy_pattern(
    r"\b[A-Z]\w+ and [A-Z]\w+\b|\bThe [A-Z]\w+ and the [A-Z]\w+\b"
    r"|\b[A-Z]\w*, (?:\d+(?:st|nd|rd|th) )?(?:[A-Z]\w+ ){1,3}of [A-Z]\w+"
)
_SENTENCES = lazy_pattern(r"(?<=\S)[.!?。]\s+")
_EITHER = lazy_pattern(
    r"(이?야|이?니|이?냐|인가요?|이?예요|이에요|입니까|이?지),\s+(?=\S+\1[?？.]*$)"
)
_WHO_OR_WHEN = (
    r"(?:누가|누구(?:에게|한테)?|언제(?:부터|까지)?|어디(?:서|에서|에|로)?|왜|어떻게|얼마나"
    r"|무엇을|뭘)"
)
_FACETS = lazy_pattern(rf"(?<![가-힣]){_WHO_OR_WHEN}(?:,\s*(?:그리고 )?{_WHO_OR_WHEN})+(?![가-힣])")
"""What is asked of one thing in one breath: 언제, 어디서, 누가."""
_SETTING_KO = lazy_pattern(r"[가-힣](?:[은는인한운싼큰픈]데|지만|니까|려고|려면|[가-힣]서),\s")
"""The end of a clause before what is asked: 내보내고 싶은데."""
_FIXED = lazy_pattern(
    r"\b(?:terms and conditions|research and development|pros and cons|questions? and answers?"
    r"|mergers and acquisitions|health and safety|command and control|bread and butter"
    r"|(?:search|find) and replace|(?:copy|cut) and paste|drag and drop|trial and error"
    r"|supply and demand|profit and loss|lost and found|bed and breakfast|black and white)\b",
    re.IGNORECASE,
)
_DONE_BEFORE = lazy_pattern(
    r"(?:^|(?<=\s))(?!무엇|누구|어디)\S+[을를]\s+[가-힣]{1,3}고,?\s"
    r"|[가-힣] (?:후|뒤|다음|때|경우)(?:에는|에)?,\s"
)
"""What is done before what is asked, or when: 연차를 내고, 나간 뒤에."""
_TIED = str.maketrans(" ,;", "\ue000\ue001\ue002")
_UNTIED = str.maketrans("\ue000\ue001\ue002", " ,;")
"""In place of what joins, where nothing is cut."""
_TIED_SPACE = "\ue000"

_ENDING = lazy_pattern(
    r"(?<=[가-힣A-Za-z0-9)]{2})(?:(?<!언제)(?<!어디)(?<!얼마)까지|을|를|(?:은|는)요?)$"
)
_DETAILS = lazy_pattern(r"(?<=[가-힣]) (?:내역|내용|정보|세부 ?사항|상세)(?:은|는|이|가|을|를)?$")
"""A word that asks for all that is known of what stands before it: 수리 내역."""
_LEADING = lazy_pattern(r"^(?:그리고|또한?|해당|관련|각)\s+")
_THIS = lazy_pattern(r"^[그이]\s+(?=(\S*))")
_EXTENT = lazy_pattern(r"(?<!언제)(?<!어디)(?<!얼마)까지도?$")

_GREW_KO = lazy_pattern(
    r"(?P<year>(?:19|20)\d\d)년(?:도|에|의)?\s*(?P<measure>[가-힣A-Za-z ]{0,20}?)[이가]?\s*"
    r"(?:가장|제일)\s*"
    r"(?:많이|크게|빠르게|높게)?\s*"
    r"(?P<verb>(?:증가|성장|감소|하락|상승)(?!률|율|폭)|늘어|줄어|오른|내린|늘|줄)\S*\s+"
    r"(?P<thing>[가-힣A-Za-z]+?)(?:[과와은는이가의을를]|하고|이랑)?(?=[\s,.?!]|$)"
)
_RATE_KO = lazy_pattern(
    r"(?P<year>(?:19|20)\d\d)년(?:도|에|의)?\s*(?:(?:가장|제일)\s*)?(?P<of>[가-힣A-Za-z ]{0,20}?)"
    r"(?P<verb>성장|증가|감소|하락|상승)(?P<rate>률|율|폭)[이가]?\s*(?:(?:가장|제일)\s*)?"
    r"(?:높|크|컸|큰|빠르|낮|작)\S*\s+"
    r"(?P<thing>[가-힣A-Za-z]+?)(?:[과와은는이가의을를]|하고|이랑)?(?=[\s,.?!]|$)"
)
_GREW_EN = lazy_pattern(
    r"(?<![A-Za-z])(?P<thing>[A-Za-z]+)\s+(?:that\s+|which\s+)?(?:with|had|has|saw|showed)\s+the\s+"
    r"(?P<most>largest|biggest|highest|greatest|strongest|fastest|steepest|most)\s+"
    r"(?P<measure>[a-z]+\s+)??(?P<verb>growth|increase|rise|gain|decline|drop|decrease|fall)"
    r"(?:\s+(?:in|of)\s+(?P<of>[a-z]+))?\s+(?:in|during|for)\s+(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_GREW_EN_MOST = lazy_pattern(
    r"(?<![A-Za-z])(?!(?:which|what)\b)(?P<thing>[A-Za-z]+)(?:(?:'s|\s+whose)\s+(?P<measure>[a-z]+))?\s+"
    r"(?P<verb>grew|rose|increased|fell|declined|dropped)\s+(?:the\s+)?(?P<most>most|fastest)\s+(?:in|during)\s+"
    r"(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_NOUNS = {
    "늘어": "증가", "늘": "증가", "오른": "상승", "줄어": "감소", "줄": "감소", "내린": "하락",
    "grew": "growth", "rose": "growth", "increased": "growth",
    "fell": "decline", "declined": "decline", "dropped": "decline",
}  # fmt: skip

_HOW_IT_GOES = lazy_pattern(
    r"^(?P<subject>.+?)(?:은|는|이|가)?\s*(?:지금|현재|요즘|최근)?\s*"
    r"(?:어떻게\s*(?:되고|되어|돼|진행되고|진행)\s*(?:가고|있|가|중)\S*(?:\s*있\S*)?"
    r"|(?:어떤|무슨)\s*(?:상황|상태)(?:이?야|이?에요|예요|인가요?|입니까|이?지)?"
    r"|(?:의\s*)?(?:진행\s*)?(?:상황|현황|상태)(?:은|는|이|가|을|를)?\s*(?:어때|어떤가|어떻|어떠|알려|뭐|무엇)?\S*"
    r"(?:\s*줘)?)\s*[?？.!]*$"
)
_HOW_A_PROJECT_IS = lazy_pattern(
    r"^(?P<subject>(?:\S+ ){0,3}?\S*(?:프로젝트|과제|작업|공사|개발)(?: [A-Z0-9가-힣]\S*)?)"
    r" (?:지금|현재|요즘|최근) ?(?:어때|어떤가|어떠|어떻)\S*\s*[?？.!]*$"
)
"""Of nothing else: how the market is these days asks for no status."""
_HOW_IT_GOES_EN = lazy_pattern(
    r"^(?:how\s+is\s+(?P<a>.+?)\s+(?:going|doing|coming along|progressing)"
    r"|(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:current\s+)?(?:status|state)\s+of\s+(?P<b>.+?)"
    r"|what(?:'s|\s+is)\s+(?:happening|going on)\s+with\s+(?P<c>.+?)"
    r"|(?P<d>(?-i:[A-Z0-9]\S*)(?:\s(?-i:[A-Z0-9]\S*)){0,2})\s+status)"
    r"(?:\s+(?:now|today|at the moment|right now|currently))?\s*[?.!]*$",
    re.IGNORECASE,
)
_NOW = lazy_pattern(r"\s*(?:지금|현재|요즘|최근)$")


def decompose(question: str) -> tuple[str, ...]:
    """The pieces of a question, in its order; one piece is the question itself.

    Each holds a word that says what it is about, and what it shares with the others: the opening
    hours of each of two branches. "A and B" is two, a name like "Simon and Garfunkel" and a number
    like 10,000 are not cut.
    """
    return _pieces(question, clauses=True)


def _pieces(question: str, *, clauses: bool) -> tuple[str, ...]:
    """The same; ``clauses`` says whether Korean clauses about one thing are pieces too."""
    text = " ".join(without_courtesy(question).split())
    grown = _grown(text)
    if grown is None and _hangs_together(text):
        return (question.strip(),)
    pieces = list(grown.pieces) if grown else []
    parts = list(_split(grown.rest if grown else text, clauses))
    for piece in parts if grown else shared(parts, text):
        words = content_words(piece)
        if (words or marks(piece)) and not near(piece, pieces):
            pieces.append(grown.told(piece) if grown and len(words) == 1 else piece)
    return tuple(pieces) if len(pieces) > 1 else (question.strip(),)


def asks_for(question: str) -> tuple[str, ...]:
    """The pieces of a question, clauses about one thing as one, and of one piece the question
    without what only asks."""
    pieces = _pieces(question, clauses=False)
    if len(pieces) == 1:
        text = " ".join(without_courtesy(question).split())
        asked = _POLITE.sub("", _REQUEST.sub("", text))
        asked = re.sub(r"^(?:i|we|you|one)\s+", "", _ASKING.sub("", asked), flags=re.IGNORECASE)
        pieces = (_ENDING.sub("", _DETAILS.sub("", asked.strip(" .?!？。,"))),)
    return tuple(each for piece in pieces for each in _SENTENCES.split(piece))


def rewrites(piece: str, today: date | None = None) -> tuple[str, ...]:
    """The words in which a piece may be searched, the first as it stands. A question of how
    something goes is asked as what reports on that: its status, delays and open risks."""
    text = " ".join(piece.split())
    korean = re.search(r"[가-힣]", text) and (
        _HOW_IT_GOES.match(text) or _HOW_A_PROJECT_IS.match(text)
    )
    if korean:
        subject = _NOW.sub("", korean["subject"])
        if content_words(subject):
            when = f"{today.year}년 {(today.month + 2) // 3}분기 " if today else ""
            return (
                f"{subject} {when}상태 보고서",
                f"{subject} 현재 지연 원인",
                f"{subject} 미해결 위험 요소",
            )
    if english := _HOW_IT_GOES_EN.match(text):
        subject = next(filter(None, english.groups()))
        when = f" {today.year} Q{(today.month + 2) // 3}" if today else ""
        return (
            f"{subject}{when} status report",
            f"{subject} current cause of delay",
            f"{subject} open risks",
        )
    return (text,)


def near(query: str, others: Sequence[str]) -> str | None:
    """The first of ``others`` that asks for nearly the same words as ``query``: the same words in
    another order, form or number, or all but a fifth of them. Where a number or an id differs, it
    is another query."""
    words = _words(query)
    for other in others:
        theirs = _words(other)
        if fold(query) == fold(other) or (
            words
            and not _asks_otherwise(query, other)
            and _numbered(words) == _numbered(theirs)
            and marks(query) == marks(other)
            and len(words & theirs) >= _NEAR * len(words | theirs)
        ):
            return other
    return None


def named_once(pieces: Sequence[str]) -> tuple[str, ...]:
    """``pieces`` without those that another one says in full: pays the fee beside who pays the fee.
    One with less to say is another piece (the fee, who pays the fee), unless it asks by a word of
    its own, which then stands in the longer one as well."""
    return tuple(
        each
        for n, each in enumerate(pieces)
        if not any(_says(other, each) for m, other in enumerate(pieces) if m != n)
    )


def _says(whole: str, part: str) -> bool:
    one, other = map(fold, (whole, part))
    if one == other or f" {other} " not in f" {one} ":
        return False
    asks = _ASKED.search(part) or _ASKS_WHAT.search(part)
    return asks is not None or _words(whole) == _words(part)


def _asks_otherwise(one: str, other: str) -> bool:
    """Whether two questions of the same words ask by different ones (얼마, 언제), or one of
    them for something of what the other is about: reason for the crash."""
    asked, others = (set(_ASKS_WHAT.findall(each)) for each in (one, other))
    if asked and others and not asked & others:
        return True
    heads = [(_HEAD.match(each), rest) for each, rest in ((one, other), (other, one))]
    return any(head and not set(_words(head[1])) & set(_words(rest)) for head, rest in heads)


def _words(text: str) -> frozenset[frozenset[str]]:
    return frozenset(content_words(text))


def _numbered(words: frozenset[frozenset[str]]) -> set[frozenset[str]]:
    return {word for word in words if any(map(str.isdigit, "".join(word)))}


class _Grown(NamedTuple):
    """What has grown most in a year: the figures of both years and the thing itself, the rest of
    the question, and in which words a short part of that is told."""

    pieces: tuple[str, str]
    rest: str
    told: Callable[[str], str]


def _grown(text: str) -> _Grown | None:
    if found := _RATE_KO.search(text):
        year, thing = int(found["year"]), found["thing"]
        rate = f"{found['of'].strip()} {found['verb']}{found['rate']}".strip()
        pieces = (
            f"{year - 1}년과 {year}년 {thing}별 {rate}",
            f"{year}년 {rate} 순위가 가장 높은 {thing}",
        )
        return _Grown(pieces, text[found.end() :], lambda part: f"{thing} {rate} {part}")
    if found := _GREW_KO.search(text):
        year, thing, measure = int(found["year"]), found["thing"], found["measure"].strip()
        verb = _NOUNS.get(found["verb"], found["verb"])
        of = f"{measure} {verb}".strip()
        pieces = (
            f"{year - 1}년과 {year}년 {thing}별 {measure or verb}",
            f"{year}년 {of} 폭이 가장 큰 {thing}",
        )
        return _Grown(pieces, text[found.end() :], lambda part: f"{thing} {of} {part}")
    if found := _GREW_EN.search(text) or _GREW_EN_MOST.search(text):
        year, thing = int(found["year"]), found["thing"]
        verb = _NOUNS.get(found["verb"].lower(), found["verb"].lower())
        measure = (found["measure"] or found.groupdict().get("of") or "").strip()
        of = f"{measure} {verb}".strip()
        pieces = (
            f"{measure or verb} by {thing} in {year - 1} and {year}",
            f"{thing} with the largest {of} in {year}",
        )
        return _Grown(pieces, text[found.end() :], lambda part: f"{part} for {thing} {of}")
    return None


_LONGEST_LIST = 20
"""Content words of a question; a longer one describes a thing rather than listing several."""

_YES_OR_NO = lazy_pattern(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|if)\b",
    re.IGNORECASE,
)
_ASKS_WHAT = lazy_pattern(r"무엇|무슨|뭐|뭔|언제|어디|누가|누구|얼마|며칠|몇|어떤|어떻|어느|왜")
_QUOTED = lazy_pattern(r"[\"“「『][^\"”」』]+[\"”」』]")
_YES_OR_NO_KO = lazy_pattern(r"(?:나요|가요|까요?|니까|은가|는가)[?？.!\s]*$")
_FINITE = lazy_pattern(
    r"\b(?:that|who|whom|whose|which|while|when|where|known|was|were|is|are|has|had|did|does|or"
    r"|he|she|they|his)\b|^(?:\d|as |after |before |following |it |\w+ed )",
    re.IGNORECASE,
)
_ONLY_NAMES = lazy_pattern(r"(?:[A-Z]\w*[\s?.]*)+(?:and\s+(?:[A-Z]\w*[\s?.]*)+)?")
_NEW_QUESTION = lazy_pattern(
    r"^(?:and |also )?(?:(?:by|at|from|to|for|in|on|with|until|since) )?"
    r"(?:what|which|who|when|where|how|why|(?<=[a-z] )whom)\b",
    re.IGNORECASE,
)
_ONLY_ASKS = lazy_pattern(
    r"^(?:(?:at|by|for|from|in|on|to|with) )?"
    r"(?:what|which|how (?:many|much|long|often))(?: [a-z]+)?$",
    re.IGNORECASE,
)
_STATED = lazy_pattern(
    r"^(?!.*\b(?:what|which|whom?|whose|when|where|how|why)\b)"
    r"(?:(?:i|we|he|she|they|it|there|you|somebody|someone)\b"
    r"|(?:my|our|his|her|their) \S+ \S+"
    r"|(?:the|a|an) (?:\S+ ){1,4}?"
    r"(?:is|are|was|were|has|have|had|does|do|did|can|cannot|will|\w+ed)\b)",
    re.IGNORECASE,
)
"""What somebody tells before asking: my printer is jammed."""
_ASKED = lazy_pattern(r"\b(?:what|which|who|whose|whom|when|where|how|why)\b", re.IGNORECASE)
_SETTING = lazy_pattern(
    r"^(?:considering|given|based|according|among|between|if|after|before|since|because|for|in|on|at"
    r"|with|as|regarding|concerning|of|from|under)\b",
    re.IGNORECASE,
)
_TIES = lazy_pattern(
    r"^how (?:is|are|was|were|does|do|did)\b.*\b(?:connected|related|linked|tied|associated"
    r"|compared?|differ(?:ent)?|alike|similar|relate)\b",
    re.IGNORECASE,
)
_CLAUSE = lazy_pattern(r"\w (?:who|which|whose)\b", re.IGNORECASE)
_CLAUSE_GOES_ON = lazy_pattern(r"^(?:who|whose|which)\b", re.IGNORECASE)
_AMONG = lazy_pattern(r"\s(?:사이|간)의?\s(?!차이)")
_RELATIVE = lazy_pattern(r"[을를] (?:[가-힣]{1,6} )?[가-힣]{1,6}는 [가-힣]")
"""A clause about a thing, with an object of its own: 위니펙을 연결하는 철도."""
_ADNOMINAL = lazy_pattern(r"[가-힣](?:한|된|던|진|킨|친|른|린|운|온|간|낸|든|인|힌|긴)\s+[가-힣]")


def _hangs_together(text: str) -> bool:
    """Whether what commas and "and" join in a question says one thing together: it asks whether
    something is so, it is long, or a later part is a clause about the one before. Of 429 questions
    of MultiHop-RAG 26 were one piece without this rule, and commas made pieces of dates."""
    asked = _POLITE.sub("", text)
    later = [part.strip() for part in _JOINED.split(_QUOTED.sub("x", asked))[1:] if part]
    if re.search("[가-힣]", text):
        if not _ASKS_WHAT.search(text) and (_YES_OR_NO_KO.search(text) or _SETTING_KO.search(text)):
            return True
        ties = (_ADNOMINAL, _RELATIVE, _AMONG)
        return any(each.search(part) for part in later for each in ties)
    parts = [part.strip() for part in _JOINED.split(asked) if part and part.strip()]
    return bool(
        _YES_OR_NO.match(asked)
        or (len(parts) > 1 and _STATED.match(parts[0]) and any(map(_NEW_QUESTION.match, parts[1:])))
        or _TIES.match(asked)
        or (len(parts) > 1 and _ONLY_ASKS.match(parts[0]))
        or _asks_at_the_end(asked)
        or len(content_words(asked)) > _LONGEST_LIST
        or any(_FINITE.search(part) and not _NEW_QUESTION.match(part) for part in later)
        or ("," in asked and any(map(_ONLY_NAMES.fullmatch, later)))
    )


def _asks_at_the_end(asked: str) -> bool:
    """Whether an English question asks one thing, in one place: after what it says of it
    (considering A and B, which C?), within a sentence (he is the head of A and of what B?), or
    going on with a clause (who wrote A and whose B is C?)."""
    parts = [part.strip() for part in _JOINED.split(asked) if part and part.strip()]
    asking = [number for number, part in enumerate(parts) if _ASKED.search(part)]
    if len(parts) < 2 or not asking:
        return False
    earlier, later = parts[: asking[0] + 1], parts[asking[0] + 1 :]
    if any(map(_CLAUSE.search, earlier)) and any(map(_CLAUSE_GOES_ON.search, later)):
        return True
    if len(asking) > 1:
        return False
    place = _ASKED.search(parts[asking[0]])
    within = place is not None and place.start() > 0
    if _SETTING.match(parts[0]):
        return not later and asking[0] > 0
    return within


def _split(text: str, clauses: bool) -> Iterator[str]:
    """The parts between what joins them, without what only asks."""
    whole = _POLITE.sub("", _REQUEST.sub("", text))
    asked = _BETWEEN.sub("", _ASKING.sub("", whole))
    asked = _DONE_BEFORE.sub(lambda match: match[0].translate(_TIED), asked)
    asked = _EITHER.sub(r"\1 ", asked)
    for kept in (_NAMES, _FIXED, _QUOTED, _FACETS):
        asked = kept.sub(lambda match: match[0].translate(_TIED), asked)
    last: list[str] = []
    request = _REQUEST.search(text)
    what = bool(request and _ASKS_WHAT.search(request[0]))
    asked = _of_two(_asking_clauses(asked, what) if clauses else asked)
    parts = [part or "" for part in _JOINED.split(asked)]
    for part in _said_in_full(parts, whole):
        piece = part.strip(" .?!？。,")
        piece = _WHY.sub("reason ", piece)
        piece = _BETWEEN.sub("", _ASKING.sub("", piece))
        piece = _ENDING.sub("", _EXTENT.sub("", _LEADING.sub("", piece))).strip()
        this = _THIS.match(piece)
        if this and not (last and last[-1] == _BARE.sub("", this[1])):
            piece = piece[this.end() :]
        if piece:
            last = piece.split()
            yield piece.translate(_UNTIED)


# Korean clauses, of which each asks something

_ASKS_AS = lazy_pattern(
    r"(?P<word>\S*?(?:얼마|누구|언제|어디|무엇|뭐|며칠)(?:부터|까지|에게|에서)?)"
    r"(?:이?고|이?며|인데요?|인지(?:와|랑|도)?),?$"
)
"""A word that asks and goes on: 얼마고, 며칠이며, 누구인데."""
_COUNTS_AS = lazy_pattern(
    r"(?P<word>[가-힣A-Za-z%]{1,5}?(?:부터|까지)?)(?:이?고|이?며|인데요?|인지(?:와|랑|도)?),?$"
)
"""The same after 몇 and 무슨: 몇 층이고."""
_COUNTING = ("몇", "무슨", "어느", "어떤")
_ENDS_CLAUSE = lazy_pattern(
    r"(?P<verb>[가-힣]{1,8}?)(?P<end>고|으?며|[가-힣]데|는지(?:와|랑|도)?),?$"
)
_NO_VERB = lazy_pattern(
    r"(?:창|재|사|광|보|신|경|공|원|권|참|최|금|냉장|차|중|예|충|피|출|입|수|국|잔|회|상|부|선|제|투|접|라|다|냐|두|놓|말|그리|가지)고,?$"
    r"|(?:가운|군|한|그런)데,?$|^(?:모르|모른|알|아는)[가-힣]*,?$"
)
"""Words that end as a verb that goes on does: 창고, 광고, 가운데."""
_GOES_ON = lazy_pattern(r"(?:있|싶|나서|나면|계시|계신|모르|몰라|상관|관계없)")
_NO_ASKING = r"(?!누가|얼마|누구|언제|어디|무엇|뭐|며칠|몇|왜|어떻|어느|어떤|무슨)"
_OWN_TOPIC = lazy_pattern(
    rf"^(?:{_NO_ASKING}\S+ ){{0,4}}?"
    r"(?!누가|언제|어디|얼마|누구)[가-힣A-Za-z0-9-]+(?:[이가도]|[은는]요?)(?: |$)"
)
_TOPIC = lazy_pattern(
    rf"^(?P<thing>(?:{_NO_ASKING}\S+ ){{0,5}}?(?!누가|얼마|누구|언제|어디)"
    r"\S*[가-힣A-Za-z0-9])[은는] "
)
_SUBJECT = lazy_pattern(
    rf"^(?P<thing>(?:{_NO_ASKING}\S+ ){{0,3}}?(?!누가)\S*[가-힣A-Za-z0-9]{{2}})"
    r"(?P<particle>[이가]) "
)


def _asking_clauses(text: str, what: bool) -> str:
    """``text`` with commas where a clause that asks something ends and the next one asks as well:
    월세는 얼마고 언제 내나요. A clause is told as a question of its own, and one that does not say
    of what it asks is told with the topic of the one before. Nouns in 고 end no clause (창고), and
    one question word may ask for two verbs (누가 신청하고 승인하나요). With ``what`` the last asks
    too: its 무엇인가요 is gone from ``text``."""
    if not re.search("[가-힣]", text):
        return text
    words = text.split(" ")
    asking = [place for place, word in enumerate(words) if _ASKS_WHAT.search(word)]
    clauses: list[str] = []
    begun = asked = 0
    for place, word in enumerate(words[:-1]):
        while asked < len(asking) and asking[asked] < place:
            asked += 1
        has_asked = asked > 0 and asking[asked - 1] >= begun
        told = _clause_ended(words[place - 1] if place > begun else "", word, words[place + 1])
        if told and (not told.is_verb or (has_asked and (what or asking[-1] > place))):
            clauses.append(" ".join([*words[begun:place], told.word]))
            begun = place + 1
        elif told and has_asked and not _OWN_TOPIC.match(" ".join(words[place + 1 : place + 7])):
            words[place] = f"{word}{_TIED_SPACE}"
    if not clauses:
        return " ".join(words).replace(f"{_TIED_SPACE} ", _TIED_SPACE)
    topic = ""
    made: list[str] = []
    for clause in [*clauses, " ".join(words[begun:])]:
        own = _topic(clause)
        is_asked = _ASKS_WHAT.search(clause) or _YES_OR_NO_KO.search(clause)
        if topic and is_asked and not own and not _OWN_TOPIC.match(clause):
            clause = f"{topic} {clause}"
        topic = own or topic
        made.append(clause)
    return ", ".join(made).replace(f"{_TIED_SPACE} ", _TIED_SPACE)


def _topic(clause: str) -> str:
    """What a clause is about, with the particle of a topic; empty where it does not say so."""
    found = _TOPIC.match(clause)
    if found is None:
        found = _SUBJECT.match(clause)
        if found is None or found["particle"] != _particle(found["thing"], False):
            return ""
    thing = found["thing"].rpartition(", ")[2]
    return f"{thing}{_particle(thing, True)}"


class _Ended(NamedTuple):
    """The last word of a clause, as it ends a question."""

    word: str
    is_verb: bool


def _clause_ended(before: str, word: str, after: str) -> _Ended | None:
    """How a clause ends that has ``word``, between two others, as its last; None where it may go
    on."""
    if _NO_VERB.search(word) or _GOES_ON.match(after) or word.endswith("인지"):
        return None
    asks = _ASKS_AS.match(word) or (before in _COUNTING and _COUNTS_AS.match(word))
    if asks:
        is_kind = before in _COUNTING[1:]
        return _Ended(f"{asks['word']}인가요" if is_kind else asks["word"], False)
    verb = _ENDS_CLAUSE.match(word)
    told = _as_question(verb["verb"], verb["end"]) if verb else None
    return _Ended(told, True) if told else None


def _as_question(verb: str, end: str) -> str | None:
    """A verb that goes on, as it ends a question: 내고 is 내나요, 열며 is 여나요."""
    if end.startswith("는지"):
        return f"{verb}는지"
    if end.endswith("데") and end != "는데":
        final = normalize("NFD", end[0])[-1]
        return f"{verb}{end[0]}가요" if final == "\u11ab" else None
    stem = normalize("NFD", verb)
    return normalize("NFC", stem.removesuffix("\u11af")) + "나요"


_OF_TWO = lazy_pattern(
    r"(?<=[가-힣A-Za-z0-9)]) (?:중(?:에서?)?|가운데(?:서|에서)?)"
    r" (?:무엇|뭐|뭘|어느|어떤|누가|누구|어디)[^,]{1,40}$"
)


def _of_two(text: str) -> str:
    """``text`` without the question which of several things is more: each is to be found."""
    found = _OF_TWO.search(text, max(0, len(text) - 80))
    if found and _JOINED.search(text[: found.start()]):
        return text[: found.start()]
    return text


# What the pieces share, and only one of them says

_BARE = lazy_pattern(r"(?<=[가-힣A-Za-z0-9)])(?:의|은|는|이|가|을|를)$")
_OWNER = lazy_pattern(r"^(?P<owner>(?:\S+\s+){0,2}?\S+의)\s+(?P<asked>\S.*)$")
_OF_WHAT = lazy_pattern(r"\s(?:of|for|in|on|at)\s(?:the\s)?(?=\S)", re.IGNORECASE)
_DOES = lazy_pattern(
    r"^\s*(?:when|where|how|why)\s+(?:do|does|did|can|should|will)\s", re.IGNORECASE
)
_PRONOUN = lazy_pattern(r"^(?:i|we|you|one|to)$", re.IGNORECASE)
_SHORT_SETTING = 4
"""Content words of a setting that is said of every piece."""
_SHORT_PIECE = 2
"""Words of a piece that may lack its owner."""
_FACET = lazy_pattern(
    r"(?:원인|사양|조치|방법|절차|조건|종류|이유|상태|현황|위치|담당|목적|결과|효과|장점|단점|역할"
    r"|의미|기능|구조|일수|한도|금액|가격|요금|비용|기한|기간|인원|시간|날짜|번호|비율|크기|용량)$"
)
"""What is asked of a thing, and is no thing of which something else is asked."""


def shared(parts: Sequence[str], question: str) -> list[str]:
    """The parts with what they share and only one of them says: opening hours of two branches, the
    price and the warranty of one model. Where it is not clear that they share it, as they are."""
    if len(parts) < 2:
        return [*parts]
    if re.search("[가-힣]", question):
        return [each for group in _groups(parts) for each in _shared_ko(group)]
    if _SETTING.match(parts[0]) and not _ASKED.search(parts[0]):
        return _set(parts[0], parts[1:], question)
    parts = [parts[0], *(_of_first(part, parts[0]) for part in parts[1:])]
    if _DOES.match(question):
        return _done(parts)
    return _of_the_last(parts if _IT.search(question) else _alike_en(parts))


_OF_EACH = lazy_pattern(
    r"^(?P<thing>(?:\S+ ){0,5}?\S*[가-힣A-Za-z0-9)])(?P<particle>[은는이가]) "
    r"(?:(?:각각|모두|다) )?(?P<asks>(?:(?!\S*[은는이가] )[가-힣]{1,4} )?"
    r"(?:얼마|누구|언제|어디|며칠|몇|무엇|뭐|왜|어떻|무슨|어느).*)$"
)
_PLAIN = lazy_pattern(
    r"^(?!.*(?:무엇|뭐|언제|어디|누가|누구|얼마|며칠|몇|어떤|어느|왜|에도 ))"
    r"(?!.*[가-힣][이가] [가-힣]*[리있없인받내오나치키]$)"
    r"(?:[가-힣A-Za-z0-9()%.-]+(?<![을를은는에로])(?<!에서) ){0,3}"
    r"[가-힣A-Za-z0-9()%.-]+(?<![은는])$"
)
"""A thing by its name, without a clause about it."""
_LONGEST_ASKED = 4
"""Words with which something is asked of each of several things."""
_BETWEEN_THEM = lazy_pattern(r" (?:사이|간|합|합계|차이|거리|비율|관계|순서)(?:의|$| )")


def _groups(parts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The parts up to each that asks something of them."""
    begun = 0
    for n, part in enumerate(parts, 1):
        if _OF_EACH.match(part) or n == len(parts):
            yield parts[begun:n]
            begun = n


def _shared_ko(parts: Sequence[str]) -> list[str]:
    """Parts with what the last one says: of each of them, where it asks something."""
    asked = _OF_EACH.match(parts[-1])
    if asked is None:
        return _told_ko(parts)
    things = [*parts[:-1], asked["thing"]]
    is_long = len(asked["asks"].split()) > _LONGEST_ASKED
    if is_long or not all(map(_PLAIN.match, things)) or _BETWEEN_THEM.search(asked["thing"]):
        return _told_ko(parts)
    topical = asked["particle"] in "은는"
    return [f"{each}{_particle(each, topical)} {asked['asks']}" for each in _told_ko(things)]


def _particle(word: str, topical: bool) -> str:
    """The particle of a topic or a subject after a word."""
    is_closed = "가" <= word[-1] <= "힣" and (ord(word[-1]) - ord("가")) % 28 > 0
    return ("은" if is_closed else "는") if topical else ("이" if is_closed else "가")


def _told_ko(parts: Sequence[str]) -> list[str]:
    """Korean parts with whose or of what they are."""
    if len(parts) < 2:
        return [*parts]
    last = next((n for n in range(1, len(parts)) if _OWNER.match(parts[n])), len(parts) - 1)
    return _owned([*_alike_ko(parts[: last + 1]), *parts[last + 1 :]])


_AUX = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|must|may|might)"
_INVERTED = lazy_pattern(
    r"^(?:(?:at|by|for|in|on|from|to) )?"
    r"(?:when|where|why|how(?: (?:long|often|(?:much|many)(?: \w+)?))?"
    rf"|(?:what|which)(?: \w+)?|whom) (?P<aux>{_AUX}) (?P<rest>.+)$",
    re.IGNORECASE,
)
_ACTED = lazy_pattern(rf"^who (?:{_AUX} )?(?!{_AUX}\b)\w+ (?P<rest>.+)$", re.IGNORECASE)
_ACTS = lazy_pattern(r"^who (?P<verb>\w+)$", re.IGNORECASE)
_ACTS_ON = lazy_pattern(
    r"^(?:and )?(?:who )?\w+ (?P<rest>(?:the|a|an|this|that) .+)$", re.IGNORECASE
)
_IT = lazy_pattern(r"\b(?:it|they|them)\b(?!['’])", re.IGNORECASE)
_TAKES = lazy_pattern(r"\bit (?:takes?|took)\b", re.IGNORECASE)
"""What somebody did takes its time, and not the thing."""
_WHERE_IT_IS = lazy_pattern(
    r"^(?:and )?(?:where|when|who|how) (?:is|are|was|were) (?:it|they)[?.! ]*$", re.IGNORECASE
)
_WHICH = lazy_pattern(r"^(?:which|what) (?P<kind>[a-z]+)\b", re.IGNORECASE)
_WHICH_ONE = lazy_pattern(r"^(?:and )?which (?:ones?|of (?:them|these|those))\b", re.IGNORECASE)
_ARTICLE = lazy_pattern(r"^(?:the|a|an|my|our|your|their|this|that|these|those) ", re.IGNORECASE)
_FURTHER = lazy_pattern(
    r" (?:on|in|at|for|to|from|by|with|after|before|when|if|during|until|since|per|as)\b.*$",
    re.IGNORECASE,
)
_NO_SUBJECT = lazy_pattern(
    r"^(?:i|we|you|one|it|they|he|she|there|people|somebody)\b", re.IGNORECASE
)
_STATE = lazy_pattern(
    r" (?:\w+(?:ed|en|wn|ught|pt|ade|old|ent|aid|ung|one|ut)|open|due|ready|available|free|run"
    r"|valid|safe|full|empty)$",
    re.IGNORECASE,
)
_WHEN_IT_DID = lazy_pattern(
    r" (?:last|first|ever|usually|still|next|also|now|normally|often|finally|already)$",
    re.IGNORECASE,
)


def _said_in_full(parts: Sequence[str], question: str) -> list[str]:
    """English parts with what the first one speaks of, where a later one only points at it: when
    does the bakery open and when does it close."""
    first = next(iter(_JOINED.split(question)), "").strip() if len(parts) > 1 else ""
    if not first or re.search("[가-힣]", question):
        return [*parts]
    made = [*parts]
    if _ACTS.match(first) and (acted_on := _ACTS_ON.match(parts[1].strip())):
        made[0] = f"{parts[0]} {acted_on['rest']}"
    subject, kind = _subject(first), _WHICH.match(first)
    for n, part in enumerate(parts[1:], 1):
        if kind and _WHICH_ONE.match(part):
            made[n] = _WHICH_ONE.sub(f"which {kind['kind']}", part)
        elif not (subject and _NEW_QUESTION.match(part.strip())):
            continue
        elif _points_at(subject, part) and not (_ACTED.match(first) and _TAKES.search(part)):
            told = _IT.sub(lambda _: subject, part, count=1)
            made[n] = told.translate(_TIED) if _WHERE_IT_IS.match(part) else told
    return made


def _points_at(subject: str, part: str) -> bool:
    """Whether a part speaks of it, or of them, where that may be the subject."""
    pointing = _IT.search(part)
    is_plural = re.search(r"[a-z](?<![sui])s$", subject) is not None
    return pointing is not None and (pointing[0].lower() == "it") != is_plural


def _subject(question: str) -> str:
    """What an English question speaks of, as its words put it; empty where that is not plain."""
    if len(ids := {*ID.findall(question)}) == 1:
        return str(ids.pop())
    if inverted := _INVERTED.match(question):
        rest = _FURTHER.sub("", _ARTICLE.sub("", inverted["rest"].strip(" ?.!")))
        if _NO_SUBJECT.match(rest):
            return ""
        if inverted["aux"].lower() in ("is", "are", "was", "were"):
            return _STATE.sub("", rest)
        return _WHEN_IT_DID.sub("", rest.rpartition(" ")[0])
    acted = _ACTED.match(question)
    return _FURTHER.sub("", _ARTICLE.sub("", acted["rest"].strip(" ?.!"))) if acted else ""


_AT_WHAT = lazy_pattern(
    r"^(?:up to|at|in|on|for|by|to|with|from|until|since) (?:what|which) (?P<asked>[a-z]+)"
    rf"(?: {_AUX} (?P<again>.+))?$",
    re.IGNORECASE,
)
_MEASURES = lazy_pattern(
    rf"^(?:(?:long|often|much|many)\s+)?(?:{_AUX}\s+)?(?:the\s+)?(?=\w)", re.IGNORECASE
)


def _of_first(part: str, first: str) -> str:
    """A part that only asks, with what is asked about: and why, and at what temperature. It may say
    that once more: at what temperature is it baked."""
    about = _MEASURES.sub("", first)
    if part == "reason":
        return f"reason for {about}"
    at = _AT_WHAT.match(part)
    if at is None or (at["again"] and {*content_words(at["again"])} != {*content_words(about)}):
        return part
    return f"{at['asked']} of {about}"


def _shape(word: str) -> str:
    """A word with its number or single capital left open: 2024년 and 2025년 have one shape."""
    bare = _BARE.sub("", word)
    return re.sub(r"\d+", "#", re.sub(r"(?<![A-Za-z])[A-Z](?![A-Za-z])", "@", bare)).casefold()


def _alike_ko(parts: Sequence[str]) -> list[str]:
    """Parts that end in the kind of thing of which the last one asks: 서울 지점, 부산 지점의 영업
    시간."""
    words = parts[-1].split()
    kind = _shape(parts[-2].split()[-1])
    place = next((n for n, word in enumerate(words[:3]) if _shape(word) == kind), None)
    made = [*parts]
    if place is None:
        single = all(len(part.split()) == 1 for part in parts[:-1]) and len(words) > 1
        if single and words[0].endswith("의") and not any(map(_FACET.search, parts[:-1])):
            return [f"{part}의 {' '.join(words[1:])}" for part in parts[:-1]] + [parts[-1]]
        return made
    tail = " ".join(words[place + 1 :])
    joint = "의 " if words[place].endswith("의") else " "
    heads: list[str] = []
    for n in reversed(range(len(parts))):
        told = parts[n].split()
        last = place if n == len(parts) - 1 else len(told) - 1
        if _shape(told[last]) != kind:
            break
        if told[:last]:
            heads.append(" ".join(told[:last]))
        if tail and n < len(parts) - 1:
            made[n] = f"{parts[n]}{joint}{tail}"
    if kind in ("@", "#") and place == 0 and heads:
        made[-1] = f"{heads[-1]} {parts[-1]}"
    return made


def _owned(parts: Sequence[str]) -> list[str]:
    """Parts of which an earlier one names whose they are: 부산 지점의 영업 시간, 전화번호."""
    owners: list[str] = []
    made: list[str] = []
    for part in parts:
        owner = _OWNER.match(part)
        telling = bool(owners) and all(len(each.split()) > 1 or marks(each) for each in owners)
        if owner and not made:
            owners = [owner["owner"]]
        elif (
            owner and owners and _shape(owner["owner"].split()[-1]) == _shape(owners[0].split()[-1])
        ):
            owners += [owner["owner"]] if owner["owner"] not in owners else []
        elif telling and not owner and len(part.split()) <= _SHORT_PIECE and not marks(part):
            made += [f"{each} {part}" for each in owners]
            continue
        made.append(part)
    return made


def _set(setting: str, parts: Sequence[str], question: str) -> list[str]:
    """Parts that are asked of one setting, said once before them: in project X, which server and
    what cause. A long setting is something to find by itself."""
    asked = shared(parts, question.partition(setting)[2].lstrip(" ,"))
    if len(content_words(setting)) > _SHORT_SETTING:
        return [setting, *asked]
    return [f"{part} {setting[0].lower()}{setting[1:]}" for part in asked]


def _done(parts: Sequence[str]) -> list[str]:
    """What one thing does: when the cafeteria opens, and when it closes."""
    made = _alike_en(parts)
    for n in range(1, len(made)):
        before = made[n - 1].split()
        if len(made[n].split()) == 1 and len(before) > 1 and made[n].islower():
            made[n] = " ".join([*before[:-1], made[n]])
    if _PRONOUN.match(made[0].split()[0]) and len(made[0].split()) == 2:
        return [" ".join(made)]  # no object of its own: "copy and delete a folder" is one thing
    return made


def _alike_en(parts: Sequence[str]) -> list[str]:
    """Parts that end in the kind of thing of which the last one tells more: the Seoul branch and
    the Busan branch open; or that begin so: the price of model A and model B."""
    words, before = parts[-1].split(), parts[-2].split()
    kind = _shape(before[-1])
    place = next((n for n, word in enumerate(words[:4]) if _shape(word) == kind), None)
    if place is None or (place == 0 and kind not in ("@", "#")) or len(before) < 2:
        return [*parts]
    tail = words[place + 1 :]
    of = _OF_WHAT.search(parts[-2])
    if not tail and of and not _OF_WHAT.search(parts[-1]):
        head = parts[-2][: of.end()]
        name = "" if place else " ".join(parts[-2][of.end() :].split()[:-1])
        return [*parts[:-1], f"{head}{f'{name} ' if name else ''}{parts[-1]}"]
    if tail and not of:
        return [
            f"{part} {' '.join(tail)}" if _shape(part.split()[-1]) == kind else part
            for part in parts[:-1]
        ] + [parts[-1]]
    return [*parts]


def _of_the_last(parts: Sequence[str]) -> list[str]:
    """Parts of which the last says of what, by name: the price and the warranty of model B."""
    of = _OF_WHAT.search(parts[-1])
    if of is None or not (
        marks(parts[-1][of.start() :]) or re.search(r"\b[A-Z]", parts[-1][of.end() :])
    ):
        return [*parts]
    rest = parts[-1][of.start() :]
    return [
        part
        if len(part.split()) > 3 or _OF_WHAT.search(part) or marks(part) or re.search("[A-Z]", part)
        else f"{part}{rest}"
        for part in parts[:-1]
    ] + [parts[-1]]
