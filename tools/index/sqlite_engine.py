"""The engine that needs nothing but Python: SQLite's full-text search (FTS5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.index.columns import Held, Kind, Value, comparable, each_of, folded
from tools.index.database import connect, faults, folder_bytes, is_writable
from tools.index.engine import EngineDamaged, Frequencies, Hit, Row
from tools.index.where import Condition, Where, kind

# The tokenizer splits at spaces alone, for the tokens are ours: beyond ASCII everything is a
# token character to it. External content, for bm25() is wrong without the text's lengths.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, tokens TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS attributes (
    id INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, value NOT NULL,
    PRIMARY KEY (id, name, kind, value)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5(
    tokens, content='rows', content_rowid='id', tokenize="ascii tokenchars '-._'"
);
"""
# One row for each token of the index, with the number of rows it is in.
_VOCABULARY = "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'found', 'row')"
_COMPARISONS = {"=": "=", "!=": "=", "in": "=", "not in": "="}


class SqliteEngine:
    """Rows in ``folder``/found.sqlite3. Every match is scored, so time grows with the corpus;
    words in more than half of the rows count next to nothing, as FTS5's bm25() has it."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "found.sqlite3"
        with faults(self._path):
            folder.mkdir(parents=True, exist_ok=True)
            self._reading = connect(self._path)
            self._writing = connect(self._path)
            if is_writable(self._path):
                self._writing.executescript(_SCHEMA)
            self._reading.execute(_VOCABULARY)

    def add(self, rows: Iterable[Row]) -> None:
        with faults(self._path):
            self._begin()
            for row in rows:
                text = " ".join(row.tokens)
                self._writing.execute("INSERT INTO rows VALUES (?, ?)", (row.id, text))
                self._writing.execute(
                    "INSERT INTO found(rowid, tokens) VALUES (?, ?)", (row.id, text)
                )
                self._writing.executemany(
                    "INSERT INTO attributes VALUES (?, ?, ?, ?)",
                    [
                        (row.id, name, *each)
                        for name, held in comparable(row.fields).items()
                        for each in _distinct(held)
                    ],
                )

    def delete(self, ids: Iterable[int]) -> None:
        with faults(self._path):
            self._begin()
            for each in ids:
                self._writing.execute(
                    "INSERT INTO found(found, rowid, tokens) "
                    "SELECT 'delete', id, tokens FROM rows WHERE id = ?",
                    (each,),
                )
                self._writing.execute("DELETE FROM rows WHERE id = ?", (each,))
                self._writing.execute("DELETE FROM attributes WHERE id = ?", (each,))

    def commit(self) -> None:
        with faults(self._path):
            self._writing.commit()

    def reload(self) -> None:
        """Nothing to do: every search sees what has been committed."""

    def search(self, tokens: Sequence[str], where: Where, k: int) -> list[Hit]:
        wanted = list(dict.fromkeys(tokens))
        if not wanted or k < 1:
            return []
        given: list[Value] = [_any_of(wanted)]
        conditions = ["found MATCH ?"]
        for condition in where.conditions:
            conditions.append(_clause(condition, given))
        statement = (
            f"SELECT rowid, -bm25(found) AS score FROM found WHERE {' AND '.join(conditions)} "
            "ORDER BY score DESC, rowid LIMIT ?"
        )
        with faults(self._path):
            found = self._reading.execute(statement, (*given, k)).fetchall()
        return [Hit(int(each), float(score)) for each, score in found]

    def frequencies(self, tokens: Sequence[str]) -> Frequencies:
        found: dict[str, int] = {}
        with faults(self._path):
            for token in dict.fromkeys(tokens):
                row = self._reading.execute(
                    "SELECT doc FROM vocabulary WHERE term = ?", (token,)
                ).fetchone()
                found[token] = int(row[0]) if row else 0
            rows = self._rows()
        return Frequencies(rows, found)

    def verify(self) -> None:
        """SQLite keeps no checksums: its structure, and that the index agrees with the rows."""
        with faults(self._path):
            if self._reading.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise EngineDamaged("quick_check")
            if is_writable(self._path):
                self._writing.execute("INSERT INTO found(found) VALUES ('integrity-check')")

    def stats(self) -> dict[str, Any]:
        with faults(self._path):
            rows = self._rows()
        return {"engine": self.name, "rows": rows, "bytes": folder_bytes(self.folder)}

    def close(self) -> None:
        self._reading.close()
        self._writing.close()

    def _rows(self) -> int:
        return int(self._reading.execute("SELECT count(*) FROM found_docsize").fetchone()[0])

    def _begin(self) -> None:
        if not self._writing.in_transaction:
            self._writing.execute("BEGIN IMMEDIATE")


def _distinct(held: Held) -> list[tuple[Kind, Value]]:
    """The values of a field with their kinds, each once."""
    return list(dict.fromkeys((kind(value), _kept(value)) for value in each_of(held)))


def _kept(value: Value) -> Value:
    return folded(value) if isinstance(value, str) else value


def _any_of(tokens: Sequence[str]) -> str:
    return " OR ".join('"' + token.replace('"', '""') + '"' for token in tokens)


def _clause(condition: Condition, given: list[Value]) -> str:
    """One condition as a probe of the row's attribute, so that it bounds the match and never the
    other way round. Its values are appended to ``given``."""
    tests = []
    if condition.operator == "range":
        tests.append(_test("BETWEEN ? AND ?", condition.values, given, condition.place))
    else:
        sign = _COMPARISONS.get(condition.operator, condition.operator)
        for value in condition.values:
            tests.append(_test(f"{sign} ?", (value,), given, condition.place))
    either = " OR ".join(tests)
    return f"NOT ({either})" if condition.operator in ("!=", "not in") else f"({either})"


def _test(comparison: str, values: Sequence[Value], given: list[Value], field: str) -> str:
    given += [field, kind(values[0]), *map(_kept, values)]
    return (
        "EXISTS (SELECT 1 FROM attributes a WHERE a.id = found.rowid "
        f"AND a.name = ? AND a.kind = ? AND a.value {comparison})"
    )
