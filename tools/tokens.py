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

TERMS_VERSION = 4
"""Grows when ``terms`` gives others for the same text, so that an index is made anew."""

LONGEST_TERM = 200
"""In characters; a longer run is no word but data."""

SAYS_NOTHING = frozenset(
    "a about above after again all an and any are as at be been before being below between both "
    "but by can could d did do does during each for from get give had has have he her his how "
    "i if in into is it its just ll long made make many may me might much must my need no not of "
    "off on only or other our out over please re s same say shall she should show so some such "
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


_OWN = lazy_pattern(r"(\b(?:my|your|his|her|its|our|their)|['’]s) own\b", re.IGNORECASE)
_NOT = lazy_pattern(r"\b[a-z]+n['’]t\b", re.IGNORECASE)


def plainly(question: str) -> str:
    """``question`` without the own of "their own car", as the verb of those letters says something,
    and with not for isn't."""
    return _NOT.sub("not", _OWN.sub(r"\1", question))


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question without the words that questions are full of; all of them
    when nothing else is in it. Measured worth .015 of MRR@10 on StrategyQA-ko, .001 on KorQuAD."""
    asked = dict.fromkeys(_weighted_units(plainly(text)))
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
    """An English word without plural, ``-ed``, ``-ing``, ``-ly``, and a doer as what he does
    (owner, own), by rule and not by dictionary; anything with a digit, a mark or a letter beyond
    a to z as it is.

    English doubles a consonant after one short vowel and writes a silent e after a long one: hopped
    is of hop, and hoped of hope. So the e is put back where a word of one syllable ends in a vowel
    and a consonant, and after letters that no word ends in without it (v, c, dg). In a longer word
    nothing tells (visited, invited), and the e goes from all of its forms.
    """
    if not (word.isascii() and word.isalpha()) or len(word) < 4:
        return word
    root = _uninflected(_DOERS.get(_singular(word), _singular(word)))
    if root.endswith("ly") and len(root) > 5 and not root.endswith(_NO_ADVERB):
        root = _uninflected(root[:-2])
    if _RECOVERY.search(root):
        root = root[:-1]
    return f"{root[:-1]}i" if _Y.search(root) else root


_Y = lazy_pattern(r"..[^aeiou]y$")
_DOERS = {
    "owner": "own", "maintainer": "maintain", "approver": "approve", "reviewer": "review",
    "manager": "manage", "organizer": "organize", "organiser": "organise", "supplier": "supply",
}  # fmt: skip
"""Who is named for what he does: of most words in -er (server, number, driver) no rule tells."""
_NO_ADVERB = ("upply", "apply", "eply", "imply", "omply", "tiply")
_RECOVERY = lazy_pattern(r"..[io]very$")
"""delivery, recovery, discovery: what is delivered and the like."""

_VOWEL_CONSONANT = r"[aeiouy][^aeiouwxy]$"
_SILENT_E = lazy_pattern(
    rf"^(?:[^aeiou]*|[^aeiou]*[qg]u){_VOWEL_CONSONANT}|^[^aeiou]+u$|[gq]u$|queu$"
    r"|(?:v|(?<!^syn)c|(?<![tz])z)$|[^aeiouyhlrw]l$|[^aeious]s$|(?:[aeo][aeiou]|ui|ie)s$|[dr]g$|(?:ch|r)ang$|[eu]ng$"
    r"|[^aeiour]r$|[iu]at$|creat$|^unit$|quir$|guid$|^[ptw]ast$|^(?:ba|brea|clo|loa|soo)th$"
    r"|suad$|(?:^ca|^a|^ni|da|rta)ch$"
)
"""What a word ends in of which the silent e was taken off."""
_EITHER_WAY = lazy_pattern(rf"(?:^|[^aeiou]|[qg]u){_VOWEL_CONSONANT}|[^aeiou][uo]$")
"""What a longer word ends in with a silent e as well as without."""


def _uninflected(word: str) -> str:
    """A word without ``-ed`` and ``-ing``, and without a silent e where nothing tells whether it
    has one."""
    if _DIED.search(word):
        return f"{word[:-4]}ie" if word.endswith("ying") else word[:-1]
    if word.endswith("ied"):
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and _ROOT.search(rest) and not word.endswith("eed"):
            return _verb_of(rest)
    rest = word.removesuffix("e")
    either_way = _is_long(rest) and _EITHER_WAY.search(rest) and not _SILENT_E.search(rest)
    return rest if either_way else word


def _verb_of(rest: str) -> str:
    """The verb of which an ending left ``rest``."""
    if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "szfeo":
        stays = rest[-1] == "l" and (not _is_long(rest) or _ENDS_IN_LL.search(rest))
        return rest if stays else rest[:-1]
    return f"{rest}e" if _SILENT_E.search(rest) else rest


_DIED = lazy_pattern(r"^[dltv]ied$|^[dltv]ying$|(?:agr|fr|decr|rant)eed$")
_ENDS_IN_LL = lazy_pattern(r"(?:[bcfhtw]a|[fhkp]i|[stwp]e|[fp]u|(?<!^cont)(?<!^pat)ro)ll$")
"""A longer word that ends in ll by itself: installed, recalled, but cancelled and controlled."""
_ROOT = lazy_pattern(r"..[aeiouy]|[aeiouy].|^[aeiou][^aeiouwxy]$")
"""What a verb has at least before its ending: of used us, of string no vowel."""
_VOWELS = lazy_pattern(r"[aeiou]+|(?<=[^aeiou])y")


def _is_long(word: str) -> bool:
    """Whether a word has several syllables."""
    return len(_VOWELS.findall(word)) > 1


def _singular(word: str) -> str:
    """The plural's s taken off by the rules of Harman's S stemmer (1991), and an e before it that
    only the plural has (boxes, dishes, heroes)."""
    if _PLURAL_IE.search(word):
        return word[:-1]
    if word.endswith("ies") and word[-4:-3] not in ("a", "e"):
        return f"{word[:-3]}y"
    if _PLURAL_E.search(word):
        return word[:-2]
    if word.endswith("s") and word[-2:-1] not in ("u", "s"):
        return word[:-1]
    return word


_PLURAL_IE = lazy_pattern(
    r"^(?:.|mov|cook|zomb|rook|self|calor|prair|hood|brown|smooth|ind|gen)ies$"
)
"""Plurals of words in -ie: movies, but copies of copy."""
_PLURAL_E = lazy_pattern(
    r"(?:ss|x|[tz]z|sh|(?<!^ca)(?<!^a)(?<!^ni)(?<!da)(?<!rta)ch|^bus|^gas|...o)es$"
)


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
    rf"(?:(?<=[가-힣]{{2}})|(?<=[A-Za-z0-9]))(?:"
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
