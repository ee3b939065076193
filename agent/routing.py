"""How much a question needs, decided before the loop: one retrieval, several, or a person.

Rules first. Where they cannot tell and there is a language model, it is asked once and may answer
with one of three words; an answer that is none of them counts as complex, which costs more and
misses less.
"""

from __future__ import annotations

import json
import re
from typing import Literal, NamedTuple

from agent.consultant import Consultant
from agent.run import Route
from tools.decomposition import rewrites
from tools.documents import content_words
from tools.patterns import lazy_pattern
from tools.problems import ToolProblem
from tools.risks import risk_of

Reason = Literal[
    "forced", "risk", "several_parts", "comparison", "sequence", "chain", "dates", "how_it_goes",
    "one_thing", "model", "unreadable", "plan", "plan_holds", "undecided",
]  # fmt: skip

_COMPARED = lazy_pattern(
    r"(?:[와과]|보다|중에서?|가운데)\s.*(?:차이|비교|더\s|어느|다른)|차이점?|비교"
    r"|\b(?:versus|vs\.?|compared? (?:to|with)|compare|differences?|which of|rather than|than)\b",
    re.IGNORECASE,
)
_THEN = lazy_pattern(
    r"(?:그|한|된|난)\s*(?:다음|뒤|후)에?\s|그\s*결과|그로\s*인"
    r"|\b(?:and then|after that|as a result|afterwards|subsequently)\b",
    re.IGNORECASE,
)
_CHAIN = lazy_pattern(
    r"[가-힣]+의\s+\S+의\s+\S+의\s"
    r"|(?:쓰인|사용된|사용하는|맡은|담당한|담당하는|만든|개발한|소속된|속한|설치된|쓰는)\s+\S+(?:의\s|[이가은는을를]?\s)"
    r"|\bof the \w+(?: \w+)? (?:of|that|who|which|used|owned|made|run|written|directed|founded)\b"
    r"|\b(?:that|who|which) (?:\w+ed|made|wrote|runs?|owns?|uses?|won|led)\b.*\b(?:of|by|in)\b"
    r"|'s \w+'s\b",
    re.IGNORECASE,
)
_DATED = lazy_pattern(
    r"(?:\d{4}년|\d{1,2}월|\d{1,2}일|\d{4}-\d\d-\d\d).*?(?:기준|당시|이전|이후|부터|까지|시행)"
    r"|\b(?:as of|before|after|since|until|between) .{0,15}(?:19|20)\d\d",
    re.IGNORECASE,
)
_YEARS = lazy_pattern(r"(?:19|20)\d\d")
_SHORT = 8
"""Content words up to which a question without any sign of more is one thing."""

_SHORT_YES_NO = 3
"""The same of a question for yes or no, which weighs facts of several things sooner than it asks
for one: on half of StrategyQA a single search brought .32 less of the evidence, from four words on
nothing less where it counts as undecided."""
_YES_NO = lazy_pattern(
    r"^(?:(?:is|are|was|were|am|do|does|did|can|could|will|would|should|may|might|must|has|have"
    r"|had)(?:n['’]t)? \w.*\?"
    r"|(?!.*(?:무엇|무슨|뭐|언제|어디|누구|누가|얼마|며칠|몇|왜|어떻|어떤|어느)).*"
    r"(?:나요|까요?|[은는]가요?|인가요?|던가요?|을?지요|죠)\s*\?)$",
    re.IGNORECASE,
)

CHOOSE = """\
How much does this question need? simple: one search finds the answer. complex: several things \
must be found, or one must be found before another can be looked for. held: a person should look \
first, because somebody would come to harm if the answer were wrong. Answer with that one word."""
_SCHEMA = {"type": "string", "enum": ["simple", "complex", "held"]}


class Routed(NamedTuple):
    """A route and why it was taken."""

    route: Route
    reason: Reason


def route_of(question: str, pieces: int, consultant: Consultant) -> Routed:
    """The route of an open question of which ``pieces`` can be told apart."""
    if risk_of(question):
        return Routed("held", "risk")
    decided = _by_rule(question, pieces)
    if decided is not None:
        return decided
    return _asked(question, consultant) if consultant.is_model else Routed("complex", "undecided")


def _by_rule(question: str, pieces: int) -> Routed | None:
    """What the words alone say; None when they do not."""
    text = " ".join(question.split())
    if pieces > 1:
        return Routed("complex", "several_parts")
    if _COMPARED.search(text):
        return Routed("complex", "comparison")
    if _THEN.search(text):
        return Routed("complex", "sequence")
    if _CHAIN.search(text):
        return Routed("complex", "chain")
    if _DATED.search(text) or len(set(_YEARS.findall(text))) > 1:
        return Routed("complex", "dates")
    if len(rewrites(text)) > 1:
        return Routed("complex", "how_it_goes")
    if len(content_words(text)) <= (_SHORT_YES_NO if _YES_NO.search(text) else _SHORT):
        return Routed("simple", "one_thing")
    return None


def _asked(question: str, consultant: Consultant) -> Routed:
    try:
        words = consultant.ask(CHOOSE, _SCHEMA, question, "")
    except ToolProblem:
        return Routed("complex", "unreadable")
    match _word(words):
        case "simple":
            return Routed("simple", "model")
        case "complex":
            return Routed("complex", "model")
        case "held":
            return Routed("held", "model")
        case _:
            return Routed("complex", "unreadable")


def _word(words: str) -> str:
    """The one word of a reply, as JSON writes it or bare."""
    try:
        value = json.loads(words)
    except (ValueError, RecursionError):
        value = words
    return value.strip().casefold() if isinstance(value, str) else ""
