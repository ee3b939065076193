"""What of OpenSearch's published API may be asked: paths, methods, parameters and bodies.

The facts are those of the project's API specification and of its documentation for 2.x, written
down for what a search engine of an index needs; anything else is a violation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

EVERYWHERE = {"pretty", "human", "error_trace", "source", "filter_path"}
"""Parameters of every operation."""

WILDCARDS = {"allow_no_indices", "expand_wildcards", "ignore_unavailable"}
PATIENCE = {"cluster_manager_timeout", "master_timeout", "timeout"}

Body = Callable[[Any], None]


class Violation(Exception):
    """A request that the specification does not have."""


@dataclass(frozen=True)
class Operation:
    """One operation: ``name`` as the specification groups it."""

    name: str
    method: str
    path: str
    parameters: set[str] = field(default_factory=set)
    body: Body | None = None
    required: bool = False
    content: str = "application/json"


def must(condition: object, what: str) -> None:
    if not condition:
        raise Violation(what)


def shaped(value: Any, where: str, /, **kinds: type | tuple[type, ...] | Body) -> None:
    """An object with no other keys than these, each of its kind."""
    must(isinstance(value, dict), f"{where} is no object")
    for key, each in value.items():
        must(key in kinds, f"{where} has no {key}")
        wanted = kinds[key]
        if isinstance(wanted, type | tuple):
            fits = isinstance(each, wanted) and (bool in _all(wanted) or type(each) is not bool)
            must(fits, f"{where}.{key} is {each!r}")
        else:
            wanted(each)


def _all(kinds: type | tuple[type, ...]) -> tuple[type, ...]:
    return kinds if isinstance(kinds, tuple) else (kinds,)


def several(check: Body) -> Body:
    """One or a list of them."""

    def each_of(value: Any) -> None:
        for each in value if isinstance(value, list) else [value]:
            check(each)

    return each_of


VALUE = (str, int, float, bool)


def query(value: Any) -> None:
    """A query: one kind of it, with its own parameters."""
    must(isinstance(value, dict) and len(value) == 1, f"a query has one kind: {value!r}")
    ((kind, inside),) = value.items()
    must(kind in ("bool", "term", "terms", "range"), f"query {kind}")
    if kind == "bool":
        shaped(
            inside,
            "bool",
            must=several(query),
            should=several(query),
            filter=several(query),
            must_not=several(query),
            minimum_should_match=(int, str),
            boost=(int, float),
        )
        return
    must(isinstance(inside, dict) and len(inside) == 1, f"{kind} names one field")
    ((_, given),) = inside.items()
    if kind == "term":
        shaped(given, "term", value=VALUE, boost=(int, float), case_insensitive=bool)
        must("value" in given, "term without value")
    elif kind == "terms":
        must(isinstance(given, list) and given, "terms is a list")
        must(len(given) <= 65_536, "too many terms")
    else:
        bound = (str, int, float)
        shaped(
            given, "range", gt=bound, gte=bound, lt=bound, lte=bound, boost=(int, float),
            format=str, relation=str, time_zone=str,
        )  # fmt: skip


def _order(value: Any) -> None:
    must(isinstance(value, dict) and len(value) == 1, f"sort by one field: {value!r}")
    ((_, inside),) = value.items()
    shaped(inside, "sort", order=str, missing=VALUE, mode=str, unmapped_type=str)
    must(inside.get("order", "asc") in ("asc", "desc"), "order")


def _aggregations(value: Any) -> None:
    for each in value.values():
        shaped(each, "aggregation", filters=_filters)


def _filters(value: Any) -> None:
    def some(filters: Any) -> None:
        for each in filters.values() if isinstance(filters, dict) else filters:
            query(each)

    shaped(value, "filters", filters=some, other_bucket=bool, other_bucket_key=str)


def search(value: Any) -> None:
    shaped(
        value,
        "search",
        size=int,
        query=query,
        sort=several(_order),
        aggs=_aggregations,
        _source=(bool, str, list, dict),
        track_total_hits=(bool, int),
        track_scores=bool,
        timeout=str,
    )
    must(value.get("size", 10) <= 10_000, "beyond max_result_window")


def aliases(value: Any) -> None:
    names = {
        "index": str, "indices": list, "alias": str, "aliases": list, "must_exist": bool,
    }  # fmt: skip

    def action(each: Any) -> None:
        must(isinstance(each, dict) and len(each) == 1, "an action is one thing")
        shaped(
            each,
            "action",
            add=lambda one: shaped(one, "add", **names, is_write_index=bool, filter=query),
            remove=lambda one: shaped(one, "remove", **names),
            remove_index=lambda one: shaped(one, "remove_index", **names),
        )

    must(isinstance(value.get("actions"), list), "actions")
    shaped(value, "aliases", actions=several(action))


SETTINGS = {
    "number_of_shards": int,
    "auto_expand_replicas": str,
    "refresh_interval": str,
    "mapping.total_fields.limit": int,
}


def template(value: Any) -> None:
    shaped(
        value,
        "index template",
        index_patterns=list,
        priority=int,
        version=int,
        composed_of=list,
        template=lambda inside: shaped(
            inside, "template", settings=_settings, mappings=mappings, aliases=dict
        ),
        _meta=dict,
    )
    must(value.get("index_patterns"), "index_patterns is required")


def _settings(value: Any) -> None:
    shaped(value, "settings", **SETTINGS, similarity=_similarity, analysis=_analysis)


def _similarity(value: Any) -> None:
    for each in value.values():
        must(each["type"] == "BM25", "similarity")
        shaped(
            each, "BM25", type=str, k1=(int, float), b=(int, float), discount_overlaps=bool
        )  # fmt: skip


def _analysis(value: Any) -> None:
    shaped(value, "analysis", tokenizer=dict, analyzer=dict)
    for each in value["tokenizer"].values():
        must(each["type"] == "whitespace", "tokenizer")
        shaped(each, "whitespace", type=str, max_token_length=int)
        must(1 <= each.get("max_token_length", 255) <= 1_048_576, "max_token_length")
    for each in value["analyzer"].values():
        shaped(each, "analyzer", type=str, tokenizer=str, filter=list, char_filter=list)


def mappings(value: Any) -> None:
    shaped(
        value,
        "mappings",
        dynamic=lambda each: must(each in (True, False, "strict"), "dynamic"),
        date_detection=bool,
        numeric_detection=bool,
        _source=lambda each: shaped(each, "_source", enabled=bool, includes=list, excludes=list),
        dynamic_templates=several(_dynamic),
        properties=_properties,
    )


def _dynamic(value: Any) -> None:
    must(len(value) == 1, "a dynamic template has one name")
    for each in value.values():
        shaped(
            each, "dynamic template", path_match=str, path_unmatch=str, match=str, unmatch=str,
            match_mapping_type=str, mapping=_field,
        )  # fmt: skip


def _properties(value: Any) -> None:
    for each in value.values():
        _field(each)


def _field(value: Any) -> None:
    kinds = {
        "text": {"analyzer": str, "index_options": str, "norms": bool, "similarity": str},
        "keyword": {"ignore_above": int, "doc_values": bool, "index": bool, "norms": bool},
        "object": {"dynamic": (bool, str), "enabled": bool, "properties": _properties},
        **{each: {"doc_values": bool, "index": bool} for each in ("long", "double", "boolean")},
    }
    must(value.get("type", "object") in kinds, f"field type {value.get('type')}")
    shaped(value, "field", type=str, **kinds[value.get("type", "object")])
    options = ("docs", "freqs", "positions", "offsets")
    must(value.get("index_options", "positions") in options, "index_options")


def index(value: Any) -> None:
    shaped(value, "index", settings=_settings, mappings=mappings, aliases=dict)


def bulk(lines: Any) -> None:
    """Lines in pairs, but for deletions, which are one."""
    waiting = iter(lines)
    for line in waiting:
        must(isinstance(line, dict) and len(line) == 1, "a bulk action is one thing")
        ((action, given),) = line.items()
        must(action in ("index", "create", "delete", "update"), f"bulk action {action}")
        shaped(
            given, action, _id=str, _index=str, routing=str, require_alias=bool, pipeline=str,
            if_seq_no=int, if_primary_term=int, version=int, version_type=str,
        )  # fmt: skip
        must(len(given.get("_id", "").encode()) <= 512, "_id of more than 512 bytes")
        if action != "delete":
            must(isinstance(next(waiting, None), dict), f"{action} without its document")


OPERATIONS = (
    Operation("info", "GET", "/"),
    Operation(
        "bulk",
        "POST",
        "/{index}/_bulk",
        {"_source", "_source_excludes", "_source_includes", "pipeline", "refresh", "require_alias",
         "routing", "timeout", "wait_for_active_shards"},
        bulk,
        required=True,
        content="application/x-ndjson",
    ),
    Operation(
        "search",
        "POST",
        "/{index}/_search",
        {"search_type", "allow_partial_search_results", "preference", "routing", "timeout", "size",
         "from", "sort", "track_scores", "track_total_hits", "request_cache", "terminate_after",
         "_source", "typed_keys", "batched_reduce_size", *WILDCARDS},
        search,
    ),
    Operation(
        "count",
        "POST",
        "/{index}/_count",
        {"preference", "routing", "q", "min_score", "terminate_after", *WILDCARDS},
        lambda value: shaped(value, "count", query=query),
    ),
    Operation(
        "indices.put_index_template",
        "PUT",
        "/_index_template/{name}",
        {"create", "cause", "cluster_manager_timeout", "master_timeout"},
        template,
        required=True,
    ),
    Operation("indices.create", "PUT", "/{index}", {"wait_for_active_shards", *PATIENCE}, index),
    Operation("indices.delete", "DELETE", "/{index}", WILDCARDS | PATIENCE),
    Operation("indices.get_alias", "GET", "/_alias/{name}", {"local", *WILDCARDS}),
    Operation("indices.get_alias", "GET", "/{index}/_alias", {"local", *WILDCARDS}),
    Operation("indices.update_aliases", "POST", "/_aliases", PATIENCE, aliases, required=True),
    Operation("indices.refresh", "POST", "/{index}/_refresh", WILDCARDS),
    Operation("indices.flush", "POST", "/{index}/_flush", {"force", "wait_if_ongoing", *WILDCARDS}),
    Operation(
        "indices.stats",
        "GET",
        "/{index}/_stats/{metric}",
        {"level", "fields", "groups", "expand_wildcards", "forbid_closed_indices"},
    ),
)  # fmt: skip

VALUES = {
    "search_type": ("query_then_fetch", "dfs_query_then_fetch"),
    "require_alias": ("true", "false"),
    "allow_partial_search_results": ("true", "false"),
    "ignore_unavailable": ("true", "false"),
}


def operation(method: str, path: str) -> tuple[Operation, dict[str, str]]:
    """Which operation is asked for, and the parts of its path. Raises Violation."""
    for each in OPERATIONS:
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/_+-][^/]*)", each.path)
        found = re.fullmatch(pattern, path)
        if found and each.method == method:
            return each, found.groupdict()
    raise Violation(f"there is no {method} {path}")


def check(asked: Operation, parameters: dict[str, str], content: str, body: Any) -> None:
    """Raises Violation for parameters or a body that the operation does not have."""
    for name, value in parameters.items():
        must(name in asked.parameters | EVERYWHERE, f"{asked.name} has no parameter {name}")
        must(value in VALUES.get(name, (value,)), f"{name}={value}")
    must(not parameters.get("preference", "").startswith("_"), "preference")
    must(body is not None or not asked.required, f"{asked.name} without a body")
    if body is not None:
        must(asked.body is not None, f"{asked.name} takes no body")
        must(content.partition(";")[0] == asked.content, f"{asked.name} as {content}")
        assert asked.body is not None
        asked.body(body)
