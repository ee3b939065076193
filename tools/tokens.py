"""How a text becomes units that can be compared: whole words, and Hangul (Han, Kana) bigrams.

Korean writes particles and endings onto a word, and compounds without spaces; two-syllable
windows over the word without its particle meet both. Other words count whole, so that
``billing_admin``, ``srv-prod-17`` and ``8.0.5`` are each one unit.

``units`` are for comparing by rule (a query with a line, a word with a question); ``terms`` are
for an index that ranks by how rare and how frequent each of them is.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from tools.hidden import in_one_piece
from tools.patterns import lazy_pattern

_WORD = lazy_pattern(r"\w+(?:[-.]\w+)*")
_WIDE = (
    ("Hangul", "가", "힣"),
    ("Han", "\u3400", "\u9fff"),
    ("Han", "\uf900", "\ufaff"),
    ("Kana", "\u3041", "\u30ff"),
)
"""Letters that are written without spaces between words. They are told one by one: a pattern that
leaves 38,000 letters out of ``\\w`` takes 6 ms to compile."""

_HANGUL = (("\u1100", "\u11ff"), ("\u3130", "\u318f"), ("\ua960", "\ua97f"), ("가", "\ud7ff"))

_PARTICLES = frozenset(
    "은 는 이 가 을 를 에 에서 에게 에는 에서는 으로 로 으로는 로는 의 와 과 도 만 부터 까지 "
    "이나 나 이라 라고 이란 란 처럼 보다 마다 밖에 조차 하고 이랑 랑 께 께서 한테".split()
)
_LONGEST_PARTICLE = max(map(len, _PARTICLES))

TERMS_VERSION = 3
"""Grows when ``terms`` gives others for the same text, so that an index is made anew."""

LONGEST_TERM = 200
"""In characters; a longer run is no word but data."""

SAYS_NOTHING = frozenset(
    "a about above after again all an and any are as at be been before being below between both "
    "but by can could d did do does down during each for from get give had has have he her his how "
    "i if in into is it its just ll long made make many may me might much must my need no not of "
    "off on only or other our out over own please re s same say shall she should show so some such "
    "t take tell than that the their them then there these they this those to too under up us ve "
    "very want was we were what when where which who whom whose why will with would you your "
    "무엇 어떻 떻게 어떤 어디 디서 디에 언제 누가 누구 얼마 마나 며칠 칠인 칠이 몇 몇시 시에 "
    "뭐야 뭐가 뭐예 뭔가 왜 알려 려줘 하나 나요 인가 가요 있나 있는 있어 수 것 좀 되나 해야 야해 "
    "하는 되는 관해 대해 방법 궁금 합니 니다 습니 입니 해주 주세 세요 예요 이에 에요 어요 아요 "
    "이야 일까 까요 필요 요해 전에".split()
)
"""Units that questions are full of and that say nothing about the subject. Measured as the words
that no index is asked for: MRR@10 .954 on KorQuAD dev, .725 on StrategyQA-ko, Recall@10 .890 on
HotpotQA-100, the same as or better than either of two shorter lists."""


def fold(text: str) -> str:
    """NFC, case-folded, spaces collapsed: two spellings of one query become one key."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def has_hangul(text: str) -> bool:
    """Whether a letter of ``text`` is Hangul: a syllable, or a jamo (of input that was never put
    together, or of NFD)."""
    return not text.isascii() and any(
        low <= letter <= high for letter in text for low, high in _HANGUL
    )


def units(text: str) -> list[str]:
    """The comparable units of ``text``, in order, repeats kept."""
    found: list[str] = []
    for run, is_wide in _runs(text):
        found.extend(bigrams(_without_particle(run)) if is_wide else _word_units(run))
    return found


def terms(text: str) -> list[str]:
    """What an index holds of ``text``: its units, English words by their stem, and a two-syllable
    word, which is its only bigram, twice.

    Measured on KorQuAD dev and StrategyQA-ko (MRR@10): bigrams alone .949 and .700, with the
    two-syllable words .951 and .722; whole words of any length as well were worse.
    """
    return [stem(unit) for unit in _weighted_units(text)]


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question without the words that questions are full of; all of them
    when nothing else is in it. Measured worth .015 of MRR@10 on StrategyQA-ko, .001 on KorQuAD."""
    asked = dict.fromkeys(_weighted_units(text))
    telling = [unit for unit in asked if unit not in SAYS_NOTHING]
    return list(dict.fromkeys(map(stem, telling or asked)))


class Tokens(NamedTuple):
    """What an index holds of a text: its terms, and the ``morphemes`` that an analyser adds.

    ``name`` changes when the same text would give others, so that an index is made anew.
    """

    name: str = str(TERMS_VERSION)
    morphemes: Callable[[str], list[str]] = lambda text: []

    def of_text(self, text: str) -> list[str]:
        """The tokens of a passage."""
        return terms(text) + self.morphemes(text)

    def of_question(self, question: str) -> list[str]:
        """The distinct tokens that a question is asked with."""
        return list(dict.fromkeys(query_terms(question) + self.morphemes(question)))


TERMS = Tokens()
"""The terms alone, which need no analyser."""


def _weighted_units(text: str) -> Iterator[str]:
    for run, is_wide in _runs(text):
        if is_wide:
            word = _without_particle(run)
            yield from bigrams(word)
            if len(word) == 2:
                yield word
        else:
            yield from (word for word in _word_units(run) if len(word) <= LONGEST_TERM)


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text, each with whether it is one of wide letters of one script."""
    folded = fold(in_one_piece(text))
    if folded.isascii():
        yield from ((word, False) for word in _WORD.findall(folded))
        return
    for script, letters in groupby(folded, _wide_script):
        run = "".join(letters)
        if script:
            yield run, True
        else:
            yield from ((word, False) for word in _WORD.findall(run))


@cache
def _wide_script(letter: str) -> str:
    """The name of the wide script that a letter is of; empty for any other letter."""
    return next((name for name, low, high in _WIDE if low <= letter <= high), "")


def rarity(rows: int, holding: int) -> float:
    """How much a token says that ``holding`` of ``rows`` texts have: inverse document frequency, as
    BM25 in Lucene has it."""
    holding = min(holding, rows)
    return math.log(1 + (rows - holding + 0.5) / (holding + 0.5))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """An English word without plural, ``-ed``, ``-ing``, ``-ly`` and a silent e, by rule and not
    by dictionary; anything with a digit, a mark or a letter beyond a to z as it is."""
    if not (word.isascii() and word.isalpha()) or len(word) < 4:
        return word
    root = _singular(word)
    for ending in ("ing", "ed"):
        rest = root.removesuffix(ending)
        if rest != root and len(rest) >= 3 and re.search(r"[aeiouy]", rest):
            doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            root = rest[:-1] if doubled else rest
            break
    if root.endswith("ly") and len(root) > 5:
        root = root[:-2]
    if root.endswith("e") and len(root) > 5:
        root = root[:-1]
    return f"{root[:-1]}i" if re.search(r"..[^aeiou]y$", root) else root


def _singular(word: str) -> str:
    """The plural's s taken off by the rules of Harman's S stemmer (1991)."""
    if word.endswith("ies") and word[-4:-3] not in ("a", "e"):
        return f"{word[:-3]}y"
    if word.endswith("es") and word[-3:-2] not in ("a", "e", "o"):
        return word[:-1]
    if word.endswith("s") and word[-2:-1] not in ("u", "s"):
        return word[:-1]
    return word


def bigrams(word: str) -> list[str]:
    """The two-syllable windows of ``word``; a one-syllable word is its own unit."""
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]


def covers(text: str, word: str) -> bool:
    """Whether ``word`` occurs in ``text``: a wide word by all of its bigrams (its ending may
    differ), any other word whole. Several words must all occur."""
    present = set(units(text))
    wanted = set(units(word))
    return bool(wanted) and wanted <= present


def _word_units(word: str) -> list[str]:
    """``sign-in`` is also ``sign`` and ``in``; an id or a version (with a digit) only itself."""
    pieces = re.split(r"[-.]", word)
    if len(pieces) == 1 or any(character.isdigit() for character in word):
        return [word]
    return [word, *pieces]


def noun(word: str) -> str:
    """A Korean word without its particle; empty where it has none, and so may be no noun."""
    bare = _without_particle(fold(word))
    return bare if len(bare) > 1 and bare != fold(word) else ""


_DO = r"(?:(?<!야)하|(?:(?<![도야])|(?<=[시보인유주선의]도))되)"
"""하 and 되 of a noun: 시도되나요 is of 시도, 해도되나요 and 해야하나요 are of none."""
_ASKED_KO = lazy_pattern(
    rf"(?<=[가-힣]{{2}})(?:"
    rf"{_DO}(?:(?:시?나|는가|신가|시는가|던가)요?|나봐요?|(?:는|시는|던|셨는)지요?|는데요?|는|던|니|냐|느냐|려고|려면"
    r"|려는데요?|고|고요|고자|며|면|면서|지|지요|죠|기|게|도록|세요|십니까|셨나요|습니까)"
    rf"|{_DO}(?:[여어였었][가-힣]*)|(?<!야)(?:[했됐]|돼(?!지)|[합됩]니[다까])[가-힣]*"
    r"|해(?:[요야도서]|주|줘|드|달라)[가-힣]*"
    r"|[한된]다(?:면|고|는)?|한가요?|[한된]지요?|[할될](?:까요?|지요?|게요|래요)"
    r"|(?:[할될]수|(?<![알할될갈볼쓸살줄올낼을]수))[있없](?:(?:나|는가)요?|는지요?|습니[까다]|어요|을까요)"
    r"|인(?:가요|지|지요|데요)|이?[였었]나요|입니[다까]|이?[에예]요|일까요?"
    r")$"
)


@lru_cache(maxsize=50_000)
def asked_noun(word: str) -> str:
    """The noun of which a Korean word is the verb, or says that something is it, in an ending of a
    question or a statement: 승인 of 승인하나요, 팀장 of 팀장인가요. Any other word as it is."""
    return word if word.isascii() else _ASKED_KO.sub("", word)


@lru_cache(maxsize=50_000)
def _without_particle(word: str) -> str:
    for length in range(min(_LONGEST_PARTICLE, len(word) - 2), 0, -1):
        if word[-length:] in _PARTICLES:
            return word[:-length]
    return word
