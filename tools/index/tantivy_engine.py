"""The default engine: tantivy, Lucene's ranking in a library of 17 MB.

Fields lie in one JSON field, so that new ones need no new index: whole numbers under ``i``, other
numbers under ``f``, switches under ``b``, words under ``w`` in hexadecimal, which keeps tantivy
from reading a date into them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from math import inf, nextafter
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import error as StructError
from struct import unpack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tools.index.columns import Value, comparable, each_of, folded
from tools.index.database import disk_fault, folder_bytes, is_writable
from tools.index.engine import EngineDamaged, Frequencies, Hit, Row
from tools.index.where import Condition, Where, is_whole, whole_bounds

if TYPE_CHECKING:
    from tantivy import Document, IndexWriter, Query, Searcher

_HEAP_BYTES = 128_000_000
_MOST_THREADS = 4
_TIED = 4096
_SEGMENT = (".fast", ".fieldnorm", ".idx", ".pos", ".store", ".term")
_MAGIC = 1337
_AT_ONCE = 1 << 22
_LARGEST_BROKEN = 2.0**52 - 0.5
"""The largest number of 64 bits that is not whole."""
_DISK = ("io error", "os error", "ioerror", "writer was killed", "no space")


class TantivyEngine:
    """Rows in ``folder``; raises ImportError where tantivy is not installed.

    A folder that may not be written is read through links from another one: tantivy takes a lock
    file to read.
    """

    name = "tantivy"

    def __init__(self, folder: Path) -> None:
        import tantivy

        self.folder = folder
        self._tantivy = tantivy
        self._writing: IndexWriter | None = None
        fields = tantivy.SchemaBuilder()
        fields.add_integer_field("id", indexed=True, fast=True)
        fields.add_text_field("tokens", tokenizer_name="whitespace", index_option="freq")
        fields.add_json_field("fields", fast=True, tokenizer_name="raw", index_option="basic")
        self._schema = fields.build()
        self._links: TemporaryDirectory[str] | None = None
        with self._faults():
            folder.mkdir(parents=True, exist_ok=True)
            if not is_writable(folder):
                self._links = TemporaryDirectory(prefix="bareloop-")
            self._link()
            place = self._links.name if self._links else str(folder)
            self._index = tantivy.Index(self._schema, place)
            self._index.config_reader("manual")
            splitter = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
            self._index.register_tokenizer("whitespace", splitter)
        self.reload()

    def add(self, rows: Iterable[Row]) -> None:
        writer = self._writer()
        with self._faults():
            for row in rows:
                writer.add_document(self._document(row))

    def delete(self, ids: Iterable[int]) -> None:
        writer = self._writer()
        with self._faults():
            for each in ids:
                writer.delete_documents_by_term("id", each)

    def commit(self) -> None:
        if self._writing is not None:
            with self._faults():
                self._writing.commit()
        self.reload()

    def reload(self) -> None:
        with self._faults():
            self._link()
            self._index.reload()
            self._searcher: Searcher = self._index.searcher()

    def search(self, tokens: Sequence[str], where: Where, k: int) -> list[Hit]:
        wanted = list(dict.fromkeys(tokens))
        if not wanted or k < 1:
            return []
        with self._faults():
            query = self._query(wanted, where)
            hits = self._best(query, k + 1)
            while len(hits) > k and hits[-1].score == hits[k - 1].score and len(hits) < _TIED:
                more = self._best(query, 2 * len(hits))
                if len(more) == len(hits):
                    break
                hits = more
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]

    def frequencies(self, tokens: Sequence[str]) -> Frequencies:
        with self._faults():
            found = {each: self._searcher.doc_freq("tokens", each) for each in tokens}
        return Frequencies(self._searcher.num_docs, found)

    def verify(self) -> None:
        """Compares the files with the checksums at their ends, which tantivy writes and does not
        read when it opens an index."""
        with self._faults():
            for file in self.folder.iterdir():
                if file.suffix in _SEGMENT and not _is_sound(file):
                    raise EngineDamaged(f"checksum of {file.name}")

    def stats(self) -> dict[str, Any]:
        rows = self._searcher.num_docs
        return {"engine": self.name, "rows": rows, "bytes": folder_bytes(self.folder)}

    def close(self) -> None:
        if self._writing is not None:
            writer, self._writing = self._writing, None
            with self._faults():
                writer.rollback()
                writer.wait_merging_threads()
        if self._links is not None:
            self._links.cleanup()

    def _link(self) -> None:
        """Links every file that is there now, where they are read through links."""
        if self._links is not None:
            for file in self.folder.iterdir():
                if not file.name.endswith(".lock"):
                    with suppress(FileExistsError):
                        (Path(self._links.name) / file.name).symlink_to(file.resolve())

    def _writer(self) -> IndexWriter:
        if self._writing is None:
            threads = min(_MOST_THREADS, os.cpu_count() or 1)
            with self._faults():
                self._writing = self._index.writer(_HEAP_BYTES, threads)
        return self._writing

    def _document(self, row: Row) -> Document:
        document = self._tantivy.Document()
        document.add_integer("id", row.id)
        document.add_text("tokens", " ".join(row.tokens))
        if fields := comparable(row.fields):
            placed: dict[str, dict[str, list[Any]]] = {}
            for name, held in fields.items():
                for value in each_of(held):
                    place, kept = _placed(value)
                    placed.setdefault(place, {}).setdefault(_hex(name), []).append(kept)
            document.add_json("fields", placed)
        return document

    def _best(self, query: Query, limit: int) -> list[Hit]:
        found = self._searcher.search(query, limit, count=False).hits
        ids = self._searcher.fast_field_values("id", [address for _, address in found])
        return [
            Hit(int(each or 0), float(score)) for (score, _), each in zip(found, ids, strict=True)
        ]

    def _query(self, tokens: Sequence[str], where: Where) -> Query:
        query, occur = self._tantivy.Query, self._tantivy.Occur
        any_of = query.boolean_query(
            [
                (occur.Should, query.term_query(self._schema, "tokens", token, "freq"))
                for token in tokens
            ]
        )
        if not where.conditions:
            return any_of
        clauses = [(occur.Must, any_of)]
        for condition in where.conditions:
            kept = query.const_score_query(self._condition(condition), 0.0)
            negative = condition.operator in ("!=", "not in")
            clauses.append((occur.MustNot if negative else occur.Must, kept))
        return query.boolean_query(clauses)

    def _condition(self, condition: Condition) -> Query:
        """What rows keep the condition, or for ``!=`` and ``not in`` what rows break it."""
        query, occur = self._tantivy.Query, self._tantivy.Occur
        if condition.operator in ("=", "!=", "in", "not in"):
            choices = [self._equal(condition.place, value) for value in condition.values]
        else:
            texts = _ranges(condition)
            choices = [self._index.parse_query(text) for text in texts]
        if not choices:
            return query.empty_query()
        if len(choices) == 1:
            return choices[0]
        return query.boolean_query([(occur.Should, each) for each in choices])

    def _equal(self, name: str, value: Value) -> Query:
        place, kept = _placed(value)
        path = f"fields.{place}.{_hex(name)}"
        return self._tantivy.Query.term_query(self._schema, path, kept)

    @contextmanager
    def _faults(self) -> Generator[None]:
        """tantivy raises ValueError for everything, and a panic for the worst damage."""
        try:
            yield
        except OSError as error:
            raise disk_fault(self.folder / "meta.json", error.strerror or str(error)) from None
        except ValueError as error:
            reason = str(error)
            if self._writing is not None and any(each in reason.casefold() for each in _DISK):
                raise disk_fault(self.folder / "meta.json", reason) from None
            raise EngineDamaged(reason) from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            raise EngineDamaged(str(error)) from None


def _is_sound(file: Path) -> bool:
    """The end of a file: a description in JSON with the CRC-32 of all before it, its length, and
    a magic number, four bytes each."""
    try:
        with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as data:
            length, magic = unpack("<II", data[-8:])
            end = len(data) - 8 - length
            told = json.loads(data[end:-8])["crc"] if magic == _MAGIC and end >= 0 else None
            crc = 0
            for start in range(0, max(end, 0), _AT_ONCE):
                crc = crc32(data[start : min(end, start + _AT_ONCE)], crc)
            return bool(told == crc)
    except FileNotFoundError:
        return True
    except (ValueError, KeyError, TypeError, StructError):
        return False


def _hex(text: str) -> str:
    return "x" + text.encode("utf-8", "surrogatepass").hex()


def _placed(value: Value) -> tuple[str, Any]:
    """Where in the JSON field a value lies, and as what."""
    if isinstance(value, bool):
        return "b", value
    if isinstance(value, str):
        return "w", _hex(folded(value))
    if is_whole(value):
        return "i", int(value)
    return "f", float(value)


def _ranges(condition: Condition) -> list[str]:
    """An order as queries, one for each place where such values lie."""
    low, high, low_counts, high_counts = condition.bounds
    opened, closed = "[" if low_counts else "{", "]" if high_counts else "}"
    name = _hex(condition.place)
    texts = []
    lowest, highest = _broken(low, inf), _broken(high, -inf)
    if lowest is None or highest is None or lowest <= highest:
        between = f"{_decimal(lowest)} TO {_decimal(highest)}"
        texts.append(f"fields.f.{name}:{opened}{between}{closed}")
    least, most = whole_bounds(condition)
    if least <= most:
        texts.append(f"fields.i.{name}:[{least} TO {most}]")
    return texts


def _broken(bound: Any, inward: float) -> float | None:
    """A bound for numbers that are not whole, as the next one that is not whole itself: tantivy
    0.27 panics when one of two bounds is."""
    if bound is None:
        return None
    value = max(-_LARGEST_BROKEN, min(_LARGEST_BROKEN, float(bound)))
    return nextafter(value, inward) if value.is_integer() else value


def _decimal(bound: float | None) -> str:
    """A bound written out, for the query language has no exponents."""
    return "*" if bound is None else format(Decimal(bound), "f")
