"""An engine on other machines: OpenSearch 2 or later, through its official client.

Each index is a physical one with a name of its own, and is searched by an alias that all machines
know. A new one is filled beside the old, takes over the alias in one step, and only then the old
one goes: searches go on all the while. The server gets tokens and fields; texts stay in the store.
"""

from __future__ import annotations

import json
import ssl
import time
import warnings
from base64 import b64encode
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from tools.index.columns import Value, comparable, each_of, folded
from tools.index.engine import EngineDamaged, Frequencies, Hit, Row
from tools.index.server import Login, Server, ServerFault
from tools.index.where import Condition, Where, is_whole, whole_bounds

OLDEST = 2
"""The first version that is known to have all that is used here."""

K1, B = 1.2, 0.75

_SEARCH_SECONDS = 10
_PATIENT = {"request_timeout": 60}
_PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds before each further try of what a busy server did not take."""

_MOST_ROWS = 1000
_MOST_BYTES = 5_000_000
_LONGEST_WORD = 8_000
"""Characters of a word in a field: a term is 32,766 bytes at most."""

_LONGEST_TOKEN = 8_191
_MOST_TOKENS = 900
"""Of a question: a query may have 1,024 clauses, those of the conditions among them."""

_BUSY = (429, 502, 503, 504)
_LOST = {"node_disconnected_exception", "node_not_connected_exception", "node_closed_exception"}
_MAY_PASS = ("index.server_down", "index.server_busy")
_MAY_HEAL = ("index.server_parts", "index.server_busy")

Operation = tuple[str, ...]
"""The lines of one row in a bulk request."""


class OpenSearchEngine:
    """Rows in the index ``{alias}-{token}`` of a server, which must be there unless it ``is_new``
    (then it is made with the first rows). Raises ImportError where opensearch-py is not installed,
    and ServerFault when the server cannot be asked, also at once.

    What goes into an index that is being searched waits in memory for ``commit``, so that nobody
    sees half of it. Of a question with more than 900 different tokens the rarest are looked for.
    """

    name = "opensearch"

    def __init__(
        self,
        server: Server,
        login: Login,
        alias: str,
        token: str,
        *,
        is_new: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        import opensearchpy

        self.server = server
        self.alias = alias
        self.index = f"{alias}-{token}"
        self._library = opensearchpy
        self._sleep = sleep
        self._waiting: dict[int, Operation] = {}
        self._client = self._connected(login)
        with self._faults():
            self._scale = self._checked()
            if not is_new and self.index not in self._bearers():
                raise EngineDamaged(self.index)
        self._is_public = self._is_made = not is_new

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            action = json.dumps({"index": {"_id": str(row.id)}})
            self._waiting[row.id] = action, json.dumps(_document(row), ensure_ascii=False)
            if not self._is_public and len(self._waiting) >= _MOST_ROWS:
                self._send()

    def delete(self, ids: Iterable[int]) -> None:
        for each in ids:
            self._waiting[each] = (json.dumps({"delete": {"_id": str(each)}}),)

    def commit(self) -> None:
        self._send()
        with self._faults():
            self._client.indices.flush(index=self.index, params=_PATIENT)
            seen = self._client.indices.refresh(index=self.index, params=_PATIENT)
            if seen["_shards"]["failed"]:
                raise ServerFault("server_parts", server=self.server.told)
            if not self._is_public:
                self._take_over()

    def reload(self) -> None:
        """Nothing to do: every search sees what has been committed."""

    def search(self, tokens: Sequence[str], where: Where, k: int) -> list[Hit]:
        wanted = list(dict.fromkeys(tokens))
        if not wanted or k < 1 or not self._is_public:
            return []
        if len(wanted) > _MOST_TOKENS:
            wanted = self._rarest(wanted)
        query: dict[str, Any] = {
            "should": [{"term": {"tokens": {"value": token}}} for token in wanted],
            "minimum_should_match": 1,
        }
        for condition in where.conditions:
            negative = condition.operator in ("!=", "not in")
            query.setdefault("must_not" if negative else "filter", []).append(_clause(condition))
        found = self._ask(
            {
                "size": k,
                "query": {"bool": query},
                "sort": [{"_score": {"order": "desc"}}, {"id": {"order": "asc"}}],
                "_source": False,
                "track_total_hits": False,
            }
        )
        return [
            Hit(int(each["_id"]), float(each["sort"][0]) * self._scale)
            for each in found["hits"]["hits"]
        ]

    def frequencies(self, tokens: Sequence[str]) -> Frequencies:
        wanted = list(dict.fromkeys(tokens))
        if not self._is_public:
            return Frequencies(0, dict.fromkeys(wanted, 0))
        body: dict[str, Any] = {"size": 0, "track_total_hits": True}
        if wanted:
            each_of = [{"term": {"tokens": {"value": token}}} for token in wanted]
            body["aggs"] = {"rows": {"filters": {"filters": each_of}}}
        found = self._ask(body)
        counts = found["aggregations"]["rows"]["buckets"] if wanted else []
        of = {token: int(each["doc_count"]) for token, each in zip(wanted, counts, strict=True)}
        return Frequencies(int(found["hits"]["total"]["value"]), of)

    def _rarest(self, tokens: Sequence[str]) -> list[str]:
        of = self.frequencies(tokens).of
        return sorted(filter(of.get, tokens), key=of.__getitem__)[:_MOST_TOKENS]

    def verify(self) -> None:
        """Looks whether the alias leads to this index and all its parts are there; their checksums
        are the server's concern, which sets a damaged copy aside itself."""
        with self._faults():
            if self._is_public and self._bearers() != {self.index}:
                raise EngineDamaged(self.index)
        self.stats()

    def stats(self) -> dict[str, Any]:
        """As every engine's; ``bytes`` are those of the primary shards."""
        told = {"engine": self.name, "rows": 0, "bytes": 0}
        if not self._is_public:
            return told
        with self._faults():
            counted = self._client.count(index=self.index)
            if counted["_shards"]["failed"]:
                raise ServerFault("server_parts", server=self.server.told)
            held = self._client.indices.stats(index=self.index, metric="store")
        size = held["_all"]["primaries"]["store"]["size_in_bytes"]
        return {**told, "rows": int(counted["count"]), "bytes": int(size)}

    def sweep(self, keep: bool = True) -> None:
        """Takes away the physical indexes of this alias: all but this one, or (``keep`` False) this
        one too."""
        with self._faults():
            for each in sorted(self._client.indices.get_alias(index=f"{self.alias}-*")):
                if not (keep and each == self.index):
                    self._client.indices.delete(index=each, params={"ignore_unavailable": "true"})

    def close(self) -> None:
        self._waiting.clear()
        self._client.close()

    # The connection

    def _connected(self, login: Login) -> Any:
        warnings.filterwarnings("ignore", category=self._library.exceptions.OpenSearchWarning)
        options: dict[str, Any] = {}
        if not self.server.plain:
            options["ssl_context"] = self._trusted(login.ca_file)
        if login.user:
            pair = b64encode(f"{login.user}:{login.password}".encode())
            options["headers"] = {"authorization": f"Basic {pair.decode()}"}
        return self._library.OpenSearch(
            hosts=[{"host": name.strip("[]"), "port": port} for name, port in self.server.hosts],
            use_ssl=not self.server.plain,
            timeout=_SEARCH_SECONDS,
            max_retries=len(self.server.hosts),
            retry_on_timeout=len(self.server.hosts) > 1,
            **options,
        )

    def _trusted(self, ca_file: str) -> ssl.SSLContext:
        try:
            return ssl.create_default_context(cafile=ca_file or None)
        except (OSError, ssl.SSLError):
            raise ServerFault("server_ca", path=ca_file) from None

    def _checked(self) -> float:
        """Asks the server what it is. Gives what its scores are multiplied with to be those of the
        other engines: since version 3 they lack the constant factor k1 + 1."""
        told = self._client.info()
        if told["version"]["distribution"] != "opensearch":
            raise ServerFault("server_other", server=self.server.told)
        number = told["version"]["number"]
        major = int(number.partition(".")[0])
        if major < OLDEST:
            raise ServerFault(
                "server_old", server=self.server.told, version=number, oldest=f"{OLDEST}.0"
            )
        return 1.0 if major < 3 else K1 + 1

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        """One search. A node that dies in the midst of it takes its part along; the next try goes
        to the copies on the others."""
        for pause in _PAUSES[:2]:
            try:
                return self._ask_once(body)
            except ServerFault as fault:
                if fault.key not in _MAY_HEAL:
                    raise
                self._sleep(pause)
        return self._ask_once(body)

    def _ask_once(self, body: dict[str, Any]) -> dict[str, Any]:
        """One search by the alias: of all shards or a fault, with the statistics of all of them,
        and on the same copies each time, because copies count deleted rows differently."""
        with self._faults():
            found: dict[str, Any] = self._client.search(
                index=self.alias,
                body=body,
                params={
                    "search_type": "dfs_query_then_fetch",
                    "allow_partial_search_results": "false",
                    "preference": self.alias,
                },
            )
        return found

    @contextmanager
    def _faults(self) -> Generator[None]:
        """Turns what the client raises, and an answer of another shape, into ServerFault; an index
        or alias that is not there into EngineDamaged, for the store can make it again."""
        known = self._library.exceptions
        fault, values = "server_other", {"server": self.server.told}
        try:
            yield
            return
        except known.SSLError:
            fault = "server_tls"
        except known.ConnectionError:
            fault = "server_down"
        except known.TransportError as error:
            kinds = _kinds(error)
            if "index_not_found_exception" in kinds:
                raise EngineDamaged(self.index) from None
            if "search_phase_execution_exception" in kinds and int(error.status_code) >= 500:
                fault = "server_parts"
            elif error.status_code in _BUSY or kinds & _LOST:
                fault = "server_busy"
            elif error.status_code in (401, 403) and "cluster_block_exception" not in kinds:
                fault = "server_login"
            elif kinds:
                fault, values["reason"] = "server_refused", ", ".join(sorted(kinds))
        except (
            known.OpenSearchException,
            KeyError,
            TypeError,
            ValueError,
            AttributeError,
        ) as error:
            if isinstance(error, ServerFault):
                raise
        raise ServerFault(fault, **values) from None

    # Writing

    def _send(self) -> None:
        """Sends what waits, in pieces. An index that is searched is written by its alias, so that
        one that somebody deleted is not made anew by the way, with half of its rows."""
        self._make()
        operations = list(self._waiting.values())
        piece: list[Operation] = []
        size = 0
        for each in operations:
            piece.append(each)
            size += sum(map(len, each))
            if len(piece) >= _MOST_ROWS or size >= _MOST_BYTES:
                self._send_all(piece)
                piece, size = [], 0
        self._send_all(piece)
        self._waiting.clear()

    def _send_all(self, operations: list[Operation]) -> None:
        """Sends until everything is taken. What a busy server refuses, or loses the connection
        over, is sent again after a pause: ids are fixed, so that twice is as good as once."""
        fault = ServerFault("server_busy", server=self.server.told)
        for pause in (0.0, *_PAUSES):
            if not operations:
                return
            self._sleep(pause)
            try:
                operations = self._refused(operations)
            except ServerFault as met:
                if met.key not in _MAY_PASS:
                    raise
                fault = met
        if operations:
            raise fault

    def _refused(self, operations: list[Operation]) -> list[Operation]:
        """Sends one request, and gives back what a busy server did not take."""
        left: list[Operation] = []
        with self._faults():
            answer = self._client.bulk(
                index=self.alias if self._is_public else self.index,
                body="\n".join(line for each in operations for line in each) + "\n",
                params={"require_alias": "true" if self._is_public else "false", **_PATIENT},
                headers={"content-type": "application/x-ndjson"},
            )
            for operation, item in zip(operations, answer["items"], strict=True):
                ((_, result),) = item.items()
                status, error = result["status"], result.get("error", {})
                if status in _BUSY or (error and error["type"] in _LOST):
                    left.append(operation)
                elif error and error["type"] == "index_not_found_exception":
                    raise EngineDamaged(self.index)
                elif error:
                    raise ServerFault(
                        "server_refused", server=self.server.told, reason=error["type"]
                    )
        return left

    def _make(self) -> None:
        """Makes the index, by a template that also tells the server's keeper what is ours."""
        if self._is_made:
            return
        with self._faults():
            self._client.indices.put_index_template(
                name=self.server.prefix, body=_template(self.server)
            )
            self._client.indices.create(index=self.index, params=_PATIENT)
        self._is_made = True

    def _take_over(self) -> None:
        """Gives the alias to this index alone, in one step."""
        others = sorted(self._bearers() - {self.index})
        taken = [{"remove": {"index": each, "alias": self.alias}} for each in others]
        given = {"add": {"index": self.index, "alias": self.alias}}
        self._client.indices.update_aliases(body={"actions": [*taken, given]})
        self._is_public = True

    def _bearers(self) -> set[str]:
        """The physical indexes that the alias leads to."""
        try:
            return set(self._client.indices.get_alias(name=self.alias))
        except self._library.exceptions.NotFoundError as error:
            if not isinstance(error.info, dict):
                raise
            return set()


def _template(server: Server) -> dict[str, Any]:
    """How an index is laid out. Fields lie by kind, as whole numbers, other numbers, words and
    switches: a name may hold several kinds, and values compare with those of their own only."""
    places = {"i": "long", "f": "double", "w": "keyword", "b": "boolean"}
    splitter = {"type": "whitespace", "max_token_length": _LONGEST_TOKEN}
    return {
        "index_patterns": [f"{server.prefix}-*"],
        "priority": 500,
        "template": {
            "settings": {
                "number_of_shards": server.shards,
                "auto_expand_replicas": "0-1",
                "refresh_interval": "-1",
                "mapping.total_fields.limit": 10_000,
                "similarity": {"default": {"type": "BM25", "k1": K1, "b": B}},
                "analysis": {
                    "tokenizer": {"spaces": splitter},
                    "analyzer": {"tokens": {"type": "custom", "tokenizer": "spaces"}},
                },
            },
            "mappings": {
                "dynamic": "strict",
                "date_detection": False,
                "_source": {"enabled": False},
                "dynamic_templates": [
                    {place: {"path_match": f"{place}.*", "mapping": {"type": each}}}
                    for place, each in places.items()
                ],
                "properties": {
                    "id": {"type": "long"},
                    "tokens": {"type": "text", "analyzer": "tokens", "index_options": "freqs"},
                    **{place: {"type": "object", "dynamic": True} for place in places},
                },
            },
        },
    }


def _document(row: Row) -> dict[str, Any]:
    document: dict[str, Any] = {"id": row.id, "tokens": " ".join(row.tokens)}
    for name, held in comparable(row.fields).items():
        for value in each_of(held):
            place, kept = _placed(value)
            document.setdefault(place, {}).setdefault(name, []).append(kept)
    return document


def _placed(value: Value) -> tuple[str, Value]:
    """Under which object a value lies, and as what."""
    if isinstance(value, bool):
        return "b", value
    if isinstance(value, str):
        return "w", _word(folded(value))
    return ("i", int(value)) if is_whole(value) else ("f", float(value))


def _word(word: str) -> str:
    """A word as a term. One too long for the server keeps its beginning, and a digest, to be told
    from others that begin alike."""
    if len(word) <= _LONGEST_WORD:
        return word
    return word[:_LONGEST_WORD] + sha256(word.encode()).hexdigest()


def _clause(condition: Condition) -> dict[str, Any]:
    """What rows keep the condition, or for ``!=`` and ``not in`` what rows break it."""
    if condition.operator in ("=", "!=", "in", "not in"):
        chosen: dict[str, list[Value]] = {}
        for value in condition.values:
            place, kept = _placed(value)
            chosen.setdefault(f"{place}.{condition.place}", []).append(kept)
        return _either([{"terms": {path: values}} for path, values in chosen.items()])
    low, high, low_counts, high_counts = condition.bounds
    signs = "gte" if low_counts else "gt", "lte" if high_counts else "lt"
    bounds = {
        sign: float(bound)
        for sign, bound in zip(signs, (low, high), strict=True)
        if bound is not None
    }
    choices: list[dict[str, Any]] = [{"range": {f"f.{condition.place}": bounds}}]
    least, most = whole_bounds(condition)
    if least <= most:
        choices.append({"range": {f"i.{condition.place}": {"gte": least, "lte": most}}})
    return _either(choices)


def _either(choices: list[dict[str, Any]]) -> dict[str, Any]:
    return choices[0] if len(choices) == 1 else {"bool": {"should": choices}}


def _kinds(error: Any) -> set[str]:
    """The names that the server has for what went wrong."""
    told = error.info.get("error") if isinstance(error.info, dict) else None
    if not isinstance(told, dict):
        return set()
    causes = [told, *told.get("root_cause", [])]
    return {str(each["type"]) for each in causes if "type" in each}
