"""Whether function declarations and their configuration are ones the API takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agent.messages import Declaration
from agent.offline import refusals
from agent.offline.refusals import Refusal
from tools.patterns import lazy_pattern

Fault = tuple[str, str]

_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_NAME_RULE = (
    "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, "
    "A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64."
)


def field_faults(tools: Sequence[dict[str, Any]]) -> Iterator[Fault]:
    """What is wrong inside the declarations: names and the schemas of ``parameters``.

    ``parametersJsonSchema`` is JSON Schema, where an object without properties or a choice of
    numbers is legal; the official SDK sends both.
    """
    for i, tool in enumerate(tools):
        for j, declaration in enumerate(tool.get("functionDeclarations") or []):
            path = f"tools[{i}].function_declarations[{j}]"
            if not _NAME.fullmatch(declaration.get("name") or ""):
                yield f"{path}.name", _NAME_RULE
            if "parameters" in declaration:
                yield from _schema_faults(declaration["parameters"], f"{path}.parameters")


def _schema_faults(schema: dict[str, Any], path: str) -> Iterator[Fault]:
    kind, properties = schema.get("type"), schema.get("properties") or {}
    if kind == "OBJECT" and not properties:
        yield f"{path}.properties", "should be non-empty for OBJECT type"
    if kind != "OBJECT" and properties:
        yield f"{path}.properties", "only allowed for OBJECT type"
    if kind == "ARRAY" and "items" not in schema:
        yield f"{path}.items", "missing field."
    if kind != "STRING" and schema.get("enum"):
        yield f"{path}.enum", "only allowed for STRING type"
    for i, name in enumerate(schema.get("required") or []):
        if name not in properties:
            yield f"{path}.required[{i}]", "property is not defined"
    for name, each in properties.items():
        yield from _schema_faults(each, f"{path}.properties[{name}]")
    if schema.get("items"):
        yield from _schema_faults(schema["items"], f"{path}.items")
    for i, each in enumerate(schema.get("anyOf") or []):
        yield from _schema_faults(each, f"{path}.any_of[{i}]")


def check(declarations: Sequence[Declaration], config: dict[str, Any] | None) -> Refusal | None:
    """The API's answer to declarations that clash, or a calling mode without any."""
    if config is not None and not declarations:
        return refusals.CONFIG_WITHOUT_DECLARATIONS
    seen: set[str] = set()
    for declaration in declarations:
        if declaration["name"] in seen:
            return refusals.duplicate_function(declaration["name"])
        seen.add(declaration["name"])
        if "parameters" in declaration and "parametersJsonSchema" in declaration:
            return refusals.INVALID_ARGUMENT
    return None
