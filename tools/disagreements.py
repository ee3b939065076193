"""Passages that say the same sentence with another number: 가격은 29,000원, 가격은 35,000원.

Which one holds, and whether both speak of the same thing, code cannot know; that they differ, it
can. So this is for telling the reader, never for refusing an answer. It sees less than there is:
a sentence in other words, or with a number in words, is another sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from tools.documents import Passage
from tools.tokens import fold, units

Disagreement = dict[str, str]
"""Passage id -> the number it gives, with its unit, as it stands there."""

_COMPARED = 20_000  # characters of a passage; no model is given more
_LONGEST = 300  # characters of a sentence; what is longer is none
_SENTENCE_END = re.compile(r"\n|(?<=[^\s0-9][.!?])\s+")
_NUMBER = re.compile(r"(?<![0-9.,])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![0-9]|[.,][0-9])")
_MONEY = re.compile(r"[$₩€£¥] ?$")
_DATE = re.compile(r"월 ?$|제 ?$")
_UNIT = re.compile(
    r" ?(?:[십백천만억조]+ ?)?(?:원|달러|유로|엔|위안)"
    r"|%| ?(?:퍼센트|시간|분|초|시|일|주|개월|명|개|킬로그램|그램|킬로미터|미터)"
    r"| ?(?:won|krw|usd|eur|dollars?|euros?|percent|seconds?|minutes?|hours?|days?|weeks?|months?"
    r"|years?|people|users?|kg|g|mg|km|m|cm|mm|l|ml|kb|mb|gb|tb|hz|mhz|ghz|w|kw|v|mah|ms)\b"
)
"""What is counted or measured. Left out is what names a thing instead: 년, 월, 호, 층, 번, 장."""


def disagreements(passages: Sequence[Passage]) -> list[Disagreement]:
    """Every sentence that two or more passages say alike but for one number with a unit. Under two
    headings of one document it may be about two things, and is not compared."""
    said: dict[str, dict[str, _Said]] = {}
    for passage in passages:
        for sentence, number, written in _statements(passage.text[:_COMPARED]):
            said.setdefault(sentence, {}).setdefault(passage.id, _Said(passage, number, written))
    found = ([each for each in by.values() if each.differs(by.values())] for by in said.values())
    return [
        {each.passage.id: each.written for each in differing} for differing in found if differing
    ]


class _Said(NamedTuple):
    passage: Passage
    number: Decimal
    written: str

    def differs(self, others: Iterable[_Said]) -> bool:
        """Whether one of ``others`` gives another number for what may be the same thing."""
        mine = self.passage
        return any(
            self.number != each.number
            and (mine.source != each.passage.source or mine.context == each.passage.context)
            for each in others
        )


def _statements(text: str) -> Iterator[tuple[str, Decimal, str]]:
    """(sentence without the number, the number, the number with its unit)."""
    for sentence in map(fold, _SENTENCE_END.split(text)):
        for match in _NUMBER.finditer(sentence) if len(sentence) <= _LONGEST else ():
            before, after = sentence[: match.start()], sentence[match.end() :]
            money, unit = _MONEY.search(before), _UNIT.match(after)
            if not (money or unit) or _DATE.search(before):
                continue
            sign, name = money[0] if money else "", unit[0] if unit else ""
            around = before.removesuffix(sign) + " " + after.removeprefix(name)
            if units(around):
                number = Decimal(match[0].replace(",", ""))
                yield f"{before}#{after}".strip(" -*•.!?"), number, f"{sign}{match[0]}{name}"
