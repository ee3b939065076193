"""Documents on disk, as passages that can be found and cited."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal
from unicodedata import normalize

from tools.fences import looks_like_orders
from tools.hidden import in_one_piece
from tools.patterns import lazy_pattern
from tools.problems import CorpusError
from tools.tokens import (
    SAYS_NOTHING,
    asked_noun,
    has_hangul,
    plainly,
    query_terms,
    rarity,
    stem,
    terms,
    units,
)

if TYPE_CHECKING:
    from tools.choosing import Sample

SUFFIXES = {".md", ".markdown", ".txt"}
MAX_FILE_BYTES = 5_000_000
MAX_FOLDER_BYTES = 10_000_000

_HEADING = lazy_pattern(r"\s{0,3}#{1,6}(\s|$)|\s*(=+|-+)\s*$")
_FENCE = lazy_pattern(r"\s{0,3}(```|~~~)")
_WIDE = lazy_pattern(r"[가-힣]+")
_COMMENT = lazy_pattern(r"<!--.*?-->", re.DOTALL)
_TABLE_RULE = lazy_pattern(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")


@dataclass(frozen=True)
class Passage:
    """A piece of text that can be cited. ``source`` names where it came from; ``body`` is the text
    without headings and ``context`` the headings above it, both for searching. ``closest`` marks
    one that only comes near in meaning: there is nothing nearer, and it may answer nothing.
    ``also`` are the ids of others that say the same."""

    id: str
    text: str
    source: str
    score: float = 0.0
    body: str = ""
    context: str = ""
    line: int = 0
    closest: bool = False
    also: tuple[str, ...] = ()

    @property
    def searched(self) -> str:
        """What it is found by."""
        return searched(self.text, self.body, self.context)

    @property
    def reads_like_orders(self) -> bool:
        """Whether its text, its headings or its name seem to tell a model what to do."""
        return any(map(looks_like_orders, (self.text, self.context, self.source, self.id)))


def searched(text: str, body: str, context: str) -> str:
    """What a passage is found by: its text with all that it stands under."""
    return f"{context}\n{body or text}"


def read_text(path: Path) -> str:
    """A text file as NFC. UTF-8 and UTF-16 with a byte order mark, UTF-8, else CP949 (the legacy
    Korean code page). Raises CorpusError when the file cannot be read as text."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise CorpusError("file_too_large", path=path, limit=MAX_FILE_BYTES // 1_000_000)
        data = path.read_bytes()
    except OSError as error:
        raise CorpusError("unreadable", path=path, reason=error.strerror or "") from None
    return normalize("NFC", _decode(path, data)).replace("\r\n", "\n").replace("\r", "\n")


def _decode(path: Path, data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp949"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise CorpusError("not_text", path=path)


def document_files(folder: Path, unread: list[CorpusError] | None = None) -> list[Path]:
    """The Markdown and text files under ``folder``, in order of their path; hidden ones and links
    that lead out of the folder or around in circles are left out. ``unread`` gets the folders in
    it that cannot be read. Raises CorpusError where it is no folder, or cannot be read itself."""
    if not folder.is_dir():
        raise CorpusError("not_a_folder" if folder.exists() else "no_folder", folder=folder)

    def fails(error: OSError) -> None:
        fault = CorpusError("closed_folder", folder=error.filename, reason=error.strerror or "?")
        if Path(error.filename) == folder:
            raise fault
        if unread is not None and not isinstance(error, FileNotFoundError):  # it may have gone
            unread.append(fault)

    root = folder.resolve()
    found: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=fails):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            file = Path(place, name)
            if file.suffix.lower() in SUFFIXES and not name.startswith("."):
                if file.is_file() and file.resolve().is_relative_to(root):
                    found.append(file)
    return sorted(found, key=lambda file: normalize("NFC", file.relative_to(folder).as_posix()))


def is_heading(line: str) -> bool:
    """Whether a Markdown line only names what follows (a heading or its underline)."""
    return bool(_HEADING.match(line))


def overlap_search(query: str, passages: Sequence[Passage], top_k: int) -> list[Passage]:
    """The passages that share units with the query, best first: the score is the number of
    distinct shared units, ties go by id, and a passage that shares none is left out."""
    wanted = set(units(query))
    scored = [replace(each, score=float(len(wanted & set(units(each.text))))) for each in passages]
    found = [each for each in scored if each.score > 0]
    return sorted(found, key=lambda each: (-each.score, each.id))[:top_k]


class Folder:
    """The lines of the documents in a folder, each citable as ``file:line``.

    A line is found when it carries at least half of the question's content words, or stands under
    a heading or in a file that names them (which counts half). A word counts by the rarity of the
    units it shares (inverse document frequency); lines far below the best one are left out.
    ``skipped`` are the files and folders that could not be read. Raises CorpusError for a folder
    that is not there, is none or cannot be read, or that holds more text than can be read for each
    question.
    """

    kind: ClassVar[Literal["folder"]] = "folder"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped: list[CorpusError] = []
        files = document_files(path, self.skipped)
        if sum(file.stat().st_size for file in files) > MAX_FOLDER_BYTES:
            raise CorpusError("folder_too_large", folder=path, limit=MAX_FOLDER_BYTES // 1_000_000)
        self._lines = [line for file in files for line in self._read(file)]

    @property
    def name(self) -> str:
        """The folder's own name."""
        return printable(self.path.resolve().name)

    @property
    def is_empty(self) -> bool:
        """Whether there is no line to find."""
        return not self._lines

    def sample(self, question: str, k: int) -> Sample:
        """What it has for a question, to compare it with other corpora."""
        from tools.choosing import Sample
        from tools.index.engine import Frequencies

        asked = query_terms(question)
        rows = self._rows
        known = Frequencies(len(rows), {t: sum(t in row for row, _ in rows) for t in asked})
        shared = [(sum(token in row for token in asked), line) for row, line in rows]
        best = sorted((each for each in shared if each[0]), key=lambda each: -each[0])
        return Sample(known, [line for _, line in best[:k]], _terms)

    def search(self, query: str, top_k: int = 5, *, loosely: bool = False) -> list[Passage]:
        """The best lines for a question, best first; none when no line carries enough of it.
        ``loosely`` brings every line with a word of it."""
        words = content_words(query)
        scored = [(self._score(words, *each, loosely), line) for each, line in self._counted]
        best = 0.0 if loosely else max((score for score, _ in scored), default=0.0)
        found = [
            replace(line, score=round(score, 3))
            for score, line in scored
            if score > 0 and score >= _NEAR_THE_BEST * best
        ]
        return sorted(found, key=lambda line: (-line.score, line.source, line.line))[:top_k]

    @cached_property
    def _rows(self) -> list[tuple[frozenset[str], Passage]]:
        """Every line with its terms, as an index would hold it."""
        return [(frozenset(_terms(line)), line) for line in self._lines]

    @cached_property
    def _counted(self) -> list[tuple[tuple[frozenset[str], frozenset[str]], Passage]]:
        """Every line with the units of its text and of its headings."""
        return [
            ((present(line.body), present(f"{_file_name(line)} {line.context}")), line)
            for line in self._lines
        ]

    @cached_property
    def _rarity(self) -> dict[str, float]:
        frequency = Counter(unit for (body, context), _ in self._counted for unit in body | context)
        total = len(self._lines)
        return {unit: rarity(total, count) for unit, count in frequency.items()}

    def _score(
        self,
        words: Sequence[frozenset[str]],
        body: frozenset[str],
        context: frozenset[str],
        loosely: bool,
    ) -> float:
        there = body | context
        return sum(
            self._weight(word, body) + 0.5 * self._weight(word, context)
            for word in (held(words, there) if loosely else carried(words, there))
        )

    def _weight(self, word: frozenset[str], there: frozenset[str]) -> float:
        shared = word & there
        return sum(self._rarity[unit] for unit in shared) / len(word)

    def _read(self, file: Path) -> Iterator[Passage]:
        name = printable(file.relative_to(self.path).as_posix())
        try:
            text = read_text(file)
        except CorpusError as error:
            self.skipped.append(error)
            return
        yield from _lines(name, text)


def _terms(line: Passage) -> list[str]:
    return terms(f"{_file_name(line)} {line.context}\n{line.body}")


def _file_name(line: Passage) -> str:
    """The name of a line's file without folders and ending, which says what it is about."""
    return Path(line.source).stem


_NEAR_THE_BEST = 0.6


def content_words(question: str) -> list[frozenset[str]]:
    """The words of a question that say what it is about, each as its units by stem: no question
    words, no endings that every question has."""
    text = normalize("NFC", plainly(in_one_piece(question)))
    written = re.findall(r"[\w.-]+", text)
    words = [frozenset(units(asked_noun(word))) for word in written]
    kept = [frozenset(map(stem, word)) for word in words if word and not _says_nothing(word)]
    return list(dict.fromkeys(kept))


@lru_cache(maxsize=512)
def present(text: str) -> frozenset[str]:
    """The units of ``text`` as the words of a question are compared with it: by stem. Kept, as one
    passage is compared with every sentence of an answer and every piece of a question."""
    return frozenset(map(stem, units(text)))


def coverage(question: str, text: str) -> float:
    """The share of the question's content words that ``text`` has whole, from 0 to 1; of a Korean
    word the beginning that its forms share will do. An English not of the question counts as one:
    a text that denies nothing says the opposite."""
    words, there = content_words(question), present(text)
    starts = [_letters(word) for word in _WIDE.findall(text)]
    whole = [word for word in words if word <= there or _begins(word, starts)]
    lacks_not = bool(words) and bool(undenied(question, text))
    return len(whole) / (len(words) + lacks_not) if words else 0.0


_NOT = lazy_pattern(
    r"(?<!why )(?<!or )(?<!if )\bnot\b(?! only\b)|\bnever\b"
    r"|(?<=[a-z])n['’]t\b(?! (?:i|we|you|it|they|he|she)\W*$)",
    re.IGNORECASE,
)
_ASKS_IF_NOT = lazy_pattern(r"\W*(?:why )?[a-z]+n['’]t\b", re.IGNORECASE)
"""Isn't it open is the same question as is it open."""
_SENTENCES = lazy_pattern(r"(?<=[.!?])\s+|[\n;]")
_DENIES = lazy_pattern(
    r"\b(?:not|no|never|none|nobody|nothing|without|except|neither|nor|cannot)\b|n['’]t\b"
    r"|[않못없]|아니|아닌|(?<![가-힣])안(?![가-힣])",
    re.IGNORECASE,
)


_NO = lazy_pattern(
    r"\b(?:have|has|had|with|need|needs|get|gets) no\b(?! (?:more|longer|later|less))"
)
_OPPOSITES = tuple(
    (lazy_pattern(one, re.IGNORECASE), lazy_pattern(other, re.IGNORECASE))
    for pair in (
        (
            r"\bbefore\b|(?<=[가-힣] )전에?(?![가-힣])",
            r"\bafter\b|(?<=[가-힣] )[후뒤]에?(?![가-힣])",
        ),
        (r"\b(?:above|over)\b", r"\b(?:below|under)\b"),
        (r"\bup\b", r"\bdown\b"),
        (r"\bwith\b", r"\bwithout\b"),
    )
    for one, other in (pair, pair[::-1])
)


def undenied(question: str, text: str) -> str:
    """The question's word that turns what it asks of around (which are not on Debian, before the
    start), where no sentence of ``text`` with a word of it denies anything, or one has the opposite
    (after the start); empty where it has none, or asks whether something is so (isn't it open)."""
    words = content_words(question)
    about = [each for each in _SENTENCES.split(text) if held(words, present(each))]
    for one, other in _OPPOSITES:
        if (turned := one.search(question)) and not other.search(question):
            if any(map(other.search, about)) and not any(map(one.search, about)):
                return turned[0]
    begun = _ASKS_IF_NOT.match(question)
    start = begun.end() if begun else 0
    found = _NOT.search(question, start) or _NO.search(question)
    if found is None:
        return ""
    told = [*about, *(each for each in _SENTENCES.split(text) if has_hangul(each))]
    return "" if any(map(_DENIES.search, told)) else found[0].strip()


_SHARED_LETTERS = 5
"""Letters (jamo) that two forms of a Korean word share at least: 알리나요, 알립니다."""


def _begins(word: frozenset[str], starts: Sequence[str]) -> bool:
    """Whether a word of the text begins as the word with these bigrams does."""
    firsts = [unit for unit in word if not any(other[1:] == unit[:1] for other in word)]
    begun = [_letters(unit)[:_SHARED_LETTERS] for unit in firsts if len(word) > 1]
    return any(
        len(each) == _SHARED_LETTERS and start.startswith(each)
        for each in begun
        for start in starts
    )


def _letters(word: str) -> str:
    return normalize("NFD", word)


def carried(words: Sequence[frozenset[str]], there: frozenset[str]) -> list[frozenset[str]]:
    """The content words that a text with the units ``there`` has, each by at least half of its
    units, because Korean endings differ. None when they are less than half of ``words``, or only
    say that something is owned, which every row of a list of owners does: such a text is not about
    the question."""
    found = held(words, there)
    if 2 * len(found) < len(words) or (len(words) > 1 and found == [_OWNED]):
        return []
    return found


_OWNED = frozenset(["own"])


def held(words: Sequence[frozenset[str]], there: frozenset[str]) -> list[frozenset[str]]:
    """The same however few they are."""
    return [word for word in words if 2 * len(word & there) >= len(word)]


def _says_nothing(word: frozenset[str]) -> bool:
    return 2 * len(word & SAYS_NOTHING) >= len(word)


def printable(name: str) -> str:
    """A file name that can be shown and cited: NFC, bytes that are no UTF-8 read as CP949 (the
    names in older Korean archives), control characters replaced."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        name = os.fsencode(name).decode("cp949", "replace")
    return normalize("NFC", re.sub(r"[\x00-\x1f\x7f-\x9f]", "\ufffd", name))


def _lines(name: str, text: str) -> Iterator[Passage]:
    """Every line of ``text`` that says something, with the headings it stands under. The first row
    of a table is a heading of its rows; comments say nothing."""
    headings: dict[int, str] = {}
    header = ""
    fenced = False
    lines = _COMMENT.sub(_blank, text).splitlines()
    for number, line in enumerate(lines, 1):
        following = lines[number] if number < len(lines) else ""
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and is_heading(line):
            level = len(line.lstrip()) - len(line.lstrip().lstrip("#"))
            if level:
                headings = {key: each for key, each in headings.items() if key < level}
                headings[level] = line.strip("# \t")
        elif not fenced and _TABLE_RULE.fullmatch(following) and "|" in line:
            header = line
        elif units(line):
            header = header if "|" in line else ""
            context = " ".join(filter(None, [*headings.values(), header]))
            yield Passage(
                f"{name}:{number}", line.strip(), name, body=line, context=context, line=number
            )


def _blank(comment: re.Match[str]) -> str:
    """A comment's line breaks, so that the lines below keep their numbers."""
    return "\n" * comment[0].count("\n")
