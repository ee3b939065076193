"""Documents on disk, as passages that can be found and cited."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import normalize

from tools.problems import CorpusError
from tools.tokens import units

SUFFIXES = {".md", ".markdown", ".txt"}
MAX_FILE_BYTES = 20_000_000

_HEADING = re.compile(r"\s{0,3}#{1,6}(\s|$)|\s*(=+|-+)\s*$")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
COMMON = frozenset(
    "a an and are as at be by can do does for from how i in is it me my of on or our that the this "
    "to what when where which who why will with you your "
    "무엇 어떻 떻게 어떤 알려 려줘 하나 나요 인가 가요 있나 뭐야 해야 야해 하는 관해 대해 방법 "
    "궁금 합니 니다 습니 입니 해주 주세 세요 어디 언제 누가 얼마".split()
)
"""Units that questions are full of and that say nothing about the subject."""


@dataclass(frozen=True)
class Passage:
    """A piece of text that can be cited. ``source`` names where it came from; ``body`` is the text
    without headings and ``context`` the headings above it, both for searching."""

    id: str
    text: str
    source: str
    score: float = 0.0
    body: str = ""
    context: str = ""


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


def document_files(folder: Path) -> list[Path]:
    """The Markdown and text files under ``folder``, in order of their path; hidden ones and links
    that lead out of the folder or around in circles are left out."""
    if not folder.is_dir():
        raise CorpusError("no_folder", folder=folder)
    root = folder.resolve()
    found = [
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in SUFFIXES
        and file.is_file()
        and file.resolve().is_relative_to(root)
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    ]
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

    A line is scored by the rarity of the units it shares with the question (inverse document
    frequency), with half the weight for units that only its headings or file name share. A line
    counts as found when it carries enough of the question: two units, or one of at most two.
    ``skipped`` are the files that could not be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped: list[CorpusError] = []
        self._lines = [line for file in document_files(path) for line in self._read(file)]
        self._units = [
            (frozenset(units(line.body)), frozenset(units(line.context))) for line in self._lines
        ]
        frequency = Counter(unit for body, context in self._units for unit in body | context)
        total = len(self._lines)
        self._rarity = {
            unit: math.log(1 + (total - count + 0.5) / (count + 0.5))
            for unit, count in frequency.items()
        }

    @property
    def name(self) -> str:
        """The folder's own name."""
        return normalize("NFC", self.path.resolve().name)

    @property
    def is_empty(self) -> bool:
        """Whether there is no line to find."""
        return not self._lines

    def search(self, query: str, top_k: int = 5) -> list[Passage]:
        """The best lines for a question, best first; none when no line carries enough of it."""
        wanted = {unit for unit in units(query) if unit not in COMMON}
        found = [
            replace(line, score=round(score, 3))
            for line, (body, context) in zip(self._lines, self._units, strict=True)
            if (score := self._score(wanted, body, context)) > 0
        ]
        return sorted(found, key=lambda line: (-line.score, line.id))[:top_k]

    def _score(self, wanted: set[str], body: frozenset[str], context: frozenset[str]) -> float:
        shared = wanted & body
        named = (wanted & context) - shared
        if not wanted or len(shared | named) < min(2, (len(wanted) + 1) // 2):
            return 0.0
        return sum(self._rarity[unit] for unit in shared) + 0.5 * sum(
            self._rarity[unit] for unit in named
        )

    def _read(self, file: Path) -> Iterator[Passage]:
        name = normalize("NFC", file.relative_to(self.path).as_posix())
        try:
            text = read_text(file)
        except CorpusError as error:
            self.skipped.append(error)
            return
        yield from _lines(name, text)


def _lines(name: str, text: str) -> Iterator[Passage]:
    """Every line of ``text`` that says something, with the headings it stands under."""
    headings: dict[int, str] = {}
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and is_heading(line):
            level = len(line.lstrip()) - len(line.lstrip().lstrip("#"))
            if level:
                headings = {key: each for key, each in headings.items() if key < level}
                headings[level] = line.strip("# \t")
        elif units(line):
            context = " ".join([Path(name).stem, *headings.values()])
            yield Passage(f"{name}:{number}", line.strip(), name, body=line, context=context)
