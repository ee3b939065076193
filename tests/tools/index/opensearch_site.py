"""A small OpenSearch on this machine, for one test: it holds indexes, searches them, and refuses
every request that the published API does not have.

Nothing in the program under test is replaced: it speaks HTTP, or TLS, to a port. The same tests
run against a real cluster (tests/cluster), which is how this one is known to answer alike.
"""

from __future__ import annotations

import fnmatch
import json
import math
import socket
import ssl
import struct
import sys
import threading
import traceback
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.tools.index import opensearch_api as api
from tests.tools.tls_site import certificates

HOST = "127.0.0.1"
MOST_CLAUSES = 1024
K1, B = 1.2, 0.75
LARGEST = 2**63 - 1
ITEM_ERRORS = {
    400: "mapper_parsing_exception",
    429: "rejected_execution_exception",
    500: "node_disconnected_exception",
    503: "unavailable_shards_exception",
}


class Refused(Exception):
    """An answer that is an error of the server's own."""

    def __init__(self, status: int, kind: str) -> None:
        self.status, self.kind = status, kind
        super().__init__(kind)


@dataclass
class Fault:
    """What goes wrong with the next ``times`` requests of an operation (``""``: of any):
    ``status`` of all or (``items``) of every second row of a bulk request, ``page`` (HTML with
    200), ``drop`` (the connection, after the request was done), ``shards`` (some are missing)."""

    kind: str
    operation: str = ""
    times: int = 1
    status: int = 0


@dataclass
class Held:
    """One physical index: what is searched, and what waits for a refresh."""

    settings: dict[str, Any]
    mappings: dict[str, Any]
    seen: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    coming: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])


class OpenSearchSite(ThreadingHTTPServer):
    """``requests`` are (operation, path) as they came, ``violations`` what must be empty."""

    daemon_threads = True

    def __init__(self, *, tls: bool = False, login: tuple[str, str] | None = None) -> None:
        super().__init__((HOST, 0), _Handler)
        self.indexes: dict[str, Held] = {}
        self.aliases: dict[str, set[str]] = {}
        self.templates: dict[str, Any] = {}
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str]] = []
        self.violations: list[str] = []
        self.bodies: list[bytes] = []
        self.version: dict[str, Any] = {"distribution": "opensearch", "number": "2.19.6"}
        self.login = login
        self.lock = threading.RLock()
        self.scheme = "opensearch" if tls else "opensearch+http"
        self.trusted = Path()
        if tls:
            self.trusted, served = certificates(HOST)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(served)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    @property
    def url(self) -> str:
        """What names this server for ``--engine``."""
        return f"{self.scheme}://{HOST}:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up, or did not trust the certificate, is part of the play."""
        if not isinstance(sys.exception(), OSError):
            self.violations.append(traceback.format_exc())

    def fault(self, operation: str) -> Fault | None:
        with self.lock:
            for each in self.faults:
                if each.times > 0 and each.operation in ("", operation):
                    each.times -= 1
                    return each
        return None

    # What the operations do. Parts of paths are ``index``, ``name``, ``metric``.

    def named(self, name: str) -> list[str]:
        """The physical indexes behind a name, an alias or a pattern."""
        if "*" in name:
            return sorted(fnmatch.filter(self.indexes, name))
        found = self.aliases.get(name) or ({name} if name in self.indexes else set())
        if not found:
            raise Refused(404, "index_not_found_exception")
        return sorted(found)

    def one(self, name: str) -> Held:
        (found,) = self.named(name)
        return self.indexes[found]

    def info(self) -> dict[str, Any]:
        return {"name": "stub", "cluster_name": "stub", "version": self.version, "tagline": ""}

    def put_index_template(self, name: str, body: Any) -> dict[str, Any]:
        self.templates[name] = body
        return {"acknowledged": True}

    def create(self, index: str, body: Any = None) -> dict[str, Any]:
        if index in self.indexes or index in self.aliases:
            raise Refused(400, "resource_already_exists_exception")
        if index != index.lower() or set(index) & set(' "*\\<|,>/?#:'):
            raise Refused(400, "invalid_index_name_exception")
        fitting = [
            each
            for each in self.templates.values()
            if any(fnmatch.fnmatch(index, pattern) for pattern in each["index_patterns"])
        ]
        chosen = max(fitting, key=lambda each: each.get("priority", 0), default={})
        inside = {**chosen.get("template", {}), **(body or {})}
        self.indexes[index] = Held(inside.get("settings", {}), inside.get("mappings", {}))
        return {"acknowledged": True, "shards_acknowledged": True, "index": index}

    def delete(self, index: str) -> dict[str, Any]:
        if index not in self.indexes:
            raise Refused(404, "index_not_found_exception")
        del self.indexes[index]
        for name in list(self.aliases):
            self.aliases[name].discard(index)
            if not self.aliases[name]:
                del self.aliases[name]
        return {"acknowledged": True}

    def get_alias(self, name: str = "", index: str = "") -> dict[str, Any]:
        if name and name not in self.aliases:
            raise Refused(404, f"alias [{name}] missing")
        wanted = self.aliases[name] if name else self.named(index)
        return {
            each: {"aliases": {alias: {} for alias, of in self.aliases.items() if each in of}}
            for each in wanted
        }

    def update_aliases(self, body: Any) -> dict[str, Any]:
        after = {name: set(of) for name, of in self.aliases.items()}
        for action in body["actions"]:
            ((kind, given),) = action.items()
            if given["index"] not in self.indexes:
                raise Refused(404, "index_not_found_exception")
            if kind == "add":
                after.setdefault(given["alias"], set()).add(given["index"])
            elif given["index"] not in after.get(given["alias"], ()):
                raise Refused(404, "aliases_not_found_exception")
            else:
                after[given["alias"]].discard(given["index"])
        self.aliases = {name: of for name, of in after.items() if of}
        return {"acknowledged": True}

    def bulk(self, index: str, body: Any, require_alias: str, fault: Fault | None) -> Any:
        items: list[dict[str, Any]] = []
        lines = iter(body)
        for number, line in enumerate(lines):
            ((action, given),) = line.items()
            document = None if action == "delete" else next(lines)
            told: dict[str, Any] = {"_index": index, "_id": given["_id"]}
            try:
                if fault and number % 2 == 0:
                    raise Refused(fault.status, ITEM_ERRORS[fault.status])
                if require_alias == "true" and index not in self.aliases:
                    raise Refused(404, "index_not_found_exception")
                if action != "delete" and index not in self.indexes and index not in self.aliases:
                    self.create(index)
                told |= self._written(self.one(index), int(given["_id"]), document)
            except Refused as refused:
                error = {"type": refused.kind, "reason": refused.kind}
                told |= {"status": refused.status, "error": error}
            items.append({action: told})
        errors = any("error" in each for item in items for each in item.values())
        return {"took": 1, "errors": errors, "items": items}

    def _written(self, held: Held, number: int, document: Any) -> dict[str, Any]:
        if document is None:
            was_there = held.coming.pop(number, None) is not None
            return {"status": 200 if was_there else 404,
                    "result": "deleted" if was_there else "not_found"}  # fmt: skip
        _validate(held.mappings, document)
        created = number not in held.coming
        held.coming[number] = document
        return {"status": 201 if created else 200, "result": "created" if created else "updated"}

    def refresh(self, index: str) -> dict[str, Any]:
        for name in self.named(index):
            self.indexes[name].seen = dict(self.indexes[name].coming)
        return {"_shards": {"total": 1, "successful": 1, "failed": 0}}

    def flush(self, index: str) -> dict[str, Any]:
        self.named(index)
        return {"_shards": {"total": 1, "successful": 1, "failed": 0}}

    def count(self, index: str, body: Any = None) -> dict[str, Any]:
        rows = sum(len(self.indexes[name].seen) for name in self.named(index))
        return {"count": rows, "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0}}

    def stats(self, index: str, metric: str) -> dict[str, Any]:
        size = sum(len(json.dumps(self.indexes[name].seen)) for name in self.named(index))
        store = {"store": {"size_in_bytes": size, "reserved_in_bytes": 0}}
        return {"_all": {"primaries": store, "total": store}, "indices": {}}

    def _shards(self, index: str) -> int:
        return max(
            int(self.indexes[name].settings["number_of_shards"]) for name in self.named(index)
        )

    def search(self, index: str, body: Any, search_type: str) -> dict[str, Any]:
        rows = {each: row for name in self.named(index) for each, row in
                self.indexes[name].seen.items()}  # fmt: skip
        query = body.get("query")
        if _clauses(query) > MOST_CLAUSES:
            raise Refused(400, "too_many_nested_clauses")
        shards = 1 if search_type == "dfs_query_then_fetch" else self._shards(index)
        scores: dict[int, tuple[float, dict[str, Any]]] = {}
        for shard in range(shards):
            scores |= _scores(query, {n: row for n, row in rows.items() if n % shards == shard})
        # version 3 dropped the constant factor
        factor = 1.0 if self.version["number"] < "3" else K1 + 1
        hits = [
            {"_index": index, "_id": str(each), "_score": None, "sort": [score / factor, row["id"]]}
            for each, (score, row) in scores.items()
        ]
        hits.sort(key=lambda hit: (-hit["sort"][0], hit["sort"][1]))
        told: dict[str, Any] = {"hits": hits[: body.get("size", 10)], "max_score": None}
        if body.get("track_total_hits", True):
            told["total"] = {"value": len(hits), "relation": "eq"}
        answer = {
            "took": 1,
            "timed_out": False,
            "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
            "hits": told,
        }
        if "aggs" in body:
            answer["aggregations"] = {
                name: {
                    "buckets": [
                        {"doc_count": len(_scores(each, rows))}
                        for each in given["filters"]["filters"]
                    ]
                }
                for name, given in body["aggs"].items()
            }
        return answer


def _validate(mappings: dict[str, Any], document: dict[str, Any]) -> None:
    """What the mapping makes of a document: fields it does not have, and values that do not fit."""
    for name, value in document.items():
        if name not in mappings["properties"]:
            raise Refused(400, "strict_dynamic_mapping_exception")
        if not isinstance(value, dict):
            continue
        paths = [next(iter(each.values())) for each in mappings["dynamic_templates"]]
        kind = next(each["mapping"]["type"] for each in paths if each["path_match"] == f"{name}.*")
        for each in value.values():
            if not all(_fits(kind, one) for one in each):
                raise Refused(400, "mapper_parsing_exception")


def _fits(kind: str, value: Any) -> bool:
    if kind == "keyword":
        return isinstance(value, str) and len(value.encode()) <= 32_766
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "long":
        return type(value) is int and -LARGEST - 1 <= value <= LARGEST
    return type(value) in (int, float)


def _clauses(query: Any) -> int:
    if not query or "bool" not in query:
        return int(bool(query))
    given = query["bool"]
    return sum(
        _clauses(each)
        for part in ("must", "should", "filter", "must_not")
        for each in (given[part] if isinstance(given.get(part), list) else [])
    )


def _scores(query: Any, rows: dict[int, dict[str, Any]]) -> dict[int, tuple[float, dict[str, Any]]]:
    """The rows that a query finds, with their scores."""
    terms = _terms(query)
    lengths = {each: row["tokens"].split() for each, row in rows.items()}
    mean = sum(map(len, lengths.values())) / len(rows) if rows else 1.0
    weights: dict[str, float] = {}
    for term in terms:
        among = sum(term in tokens for tokens in lengths.values())
        weights[term] = math.log(1 + (len(rows) - among + 0.5) / (among + 0.5))
    found: dict[int, tuple[float, dict[str, Any]]] = {}
    for each, row in rows.items():
        if query is not None and not _keeps(query, row):
            continue
        counts = Counter(lengths[each])
        norm = K1 * (1 - B + B * len(lengths[each]) / mean)
        score = sum(
            weights[term] * counts[term] * (K1 + 1) / (counts[term] + norm)
            for term in terms
            if counts[term]
        )
        # as single precision, in which the server ranks
        found[each] = (struct.unpack("f", struct.pack("f", score))[0], row)
    return found


def _terms(query: Any) -> list[str]:
    """The tokens that are scored: not those of filters."""
    scored = query.get("bool", {}).get("should", []) if query else []
    return [each["term"]["tokens"]["value"] for each in scored if "tokens" in each.get("term", {})]


def _keeps(query: dict[str, Any], row: dict[str, Any]) -> bool:
    ((kind, given),) = query.items()
    if kind == "bool":
        should = [_keeps(each, row) for each in given.get("should", [])]
        musts = [*given.get("must", []), *given.get("filter", [])]
        least = given.get("minimum_should_match", 0 if musts else 1)
        return (
            all(_keeps(each, row) for each in musts)
            and not any(_keeps(each, row) for each in given.get("must_not", []))
            and (not should or sum(should) >= least)
        )
    ((path, wanted),) = given.items()
    if path == "tokens":
        return wanted["value"] in row["tokens"].split()
    place, _, name = path.partition(".")
    values = row.get(place, {}).get(name, [])
    if kind == "terms":
        return any(value in wanted for value in values)
    signs = {
        "gte": lambda one, other: one >= other,
        "gt": lambda one, other: one > other,
        "lte": lambda one, other: one <= other,
        "lt": lambda one, other: one < other,
    }
    return any(
        all(signs[sign](_ordered(value), _ordered(bound)) for sign, bound in wanted.items())
        for value in values
    )


def _ordered(value: Any) -> Any:
    """Terms are ordered by their bytes."""
    return value.encode() if isinstance(value, str) else value


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: OpenSearchSite

    def _answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        site = self.server
        site.bodies.append(raw)
        split = urlsplit(self.path)
        parameters = dict(parse_qsl(split.query, keep_blank_values=True))
        if site.login and self.headers.get("Authorization") != _basic(*site.login):
            self._write(401, b"Unauthorized", "text/plain; charset=UTF-8")
            return
        try:
            asked, parts = api.operation(self.command, unquote(split.path))
            body = _body(raw, asked.content)
            api.check(asked, parameters, self.headers.get("Content-Type", ""), body)
        except (api.Violation, ValueError) as violation:
            site.violations.append(f"{self.command} {self.path}: {violation}")
            self._write_error(400, "illegal_argument_exception")
            return
        site.requests.append((asked.name, split.path))
        self._play(asked.name, parts, parameters, body)

    do_GET = do_POST = do_PUT = do_DELETE = _answer

    def _play(self, name: str, parts: Any, parameters: Any, body: Any) -> None:
        site = self.server
        fault = site.fault(name)
        if fault and fault.kind == "status":
            self._write_error(fault.status, "rejected_execution_exception")
            return
        if fault and fault.kind == "page":
            self._write(200, b"<!DOCTYPE html><p>It works!</p>", "text/html; charset=UTF-8")
            return
        given = dict(parts) if body is None else {**parts, "body": body}
        if name == "bulk":
            given["require_alias"] = parameters.get("require_alias", "false")
            given["fault"] = fault if fault and fault.kind == "items" else None
        if name == "search":
            given["search_type"] = parameters.get("search_type", "query_then_fetch")
        try:
            with site.lock:
                answer = getattr(site, name.rpartition(".")[2])(**given)
        except Refused as refused:
            self._write_error(refused.status, refused.kind)
            return
        if fault and fault.kind == "shards":
            if parameters.get("allow_partial_search_results") == "false":
                self._write_error(503, "search_phase_execution_exception")
                return
            answer["_shards"]["failed"] = 1
        if fault and fault.kind == "drop":
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        self._write(200, json.dumps(answer).encode(), "application/json; charset=UTF-8")

    def _write_error(self, status: int, kind: str) -> None:
        error: Any = kind
        if not kind.startswith("alias ["):
            error = {"root_cause": [{"type": kind, "reason": ""}], "type": kind, "reason": ""}
        told = json.dumps({"error": error, "status": status}).encode()
        self._write(status, told, "application/json; charset=UTF-8")

    def _write(self, status: int, body: bytes, content: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


def _basic(user: str, password: str) -> str:
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


def _body(raw: bytes, content: str) -> Any:
    if not raw:
        return None
    if content != "application/x-ndjson":
        return json.loads(raw)
    if not raw.endswith(b"\n"):
        raise ValueError("a bulk request ends with a line feed")
    return [json.loads(line) for line in raw.splitlines()]


@contextmanager
def open_search_site(
    *, tls: bool = False, login: tuple[str, str] | None = None
) -> Iterator[OpenSearchSite]:
    """The server, until the block ends. It must not have been asked what its API does not have."""
    site = OpenSearchSite(tls=tls, login=login)
    threading.Thread(target=site.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
    assert site.violations == []
