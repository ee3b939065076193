"""The messages of the API as JSON: which fields there are, in which spellings, of which kind.

Proto JSON takes a field in camelCase and in snake_case, and one object where a list of objects
is expected; the official SDK sends a mixture. Reading gives a view in camelCase and the list of
faults; the caller's own objects are never changed. The field names are those of the v1 and v1beta
reference and of google-genai 3.6.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from agent.offline.known import Known
from agent.offline.refusals import Violation
from tools.patterns import lazy_pattern

Faults = list[Violation]
Path = str | None
"""Where a value stands in the request; None while nobody has asked, because writing the place of
each field takes longer than reading it."""

Kind = Callable[[Any, Path, Faults], Any]
"""Reads a value at a path, adds what is wrong with it, and returns its view."""

_TYPES = "type.googleapis.com/google.ai.generativelanguage.v1beta."
_BASE64 = lazy_pattern(r"[A-Za-z0-9+/_-]*={0,2}")


def view_of(kind: Kind, value: Any) -> tuple[Any, Faults]:
    """The view of a whole request, and what is wrong with it."""
    faults: Faults = []
    view = kind(value, None, faults)
    if faults:
        faults = []
        view = kind(value, "", faults)
    return view, faults


def unknown_name(name: str, path: Path) -> Violation:
    """A field that the message has not."""
    where = f" at '{path}'" if path else ""
    text = f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
    return Violation(path or "", text)


def _not_a_list(name: str, path: Path) -> Violation:
    where = f" at '{path}'" if path else ""
    return Violation(
        path or "",
        f'Invalid JSON payload received. Unknown name "{name}"{where}: '
        "Proto field is not repeating, cannot start list.",
    )


def _invalid(path: Path, kind: str, value: Any) -> Violation:
    shown = json.dumps(value, ensure_ascii=False, default=str)[:200]
    return Violation(path or "", f"Invalid value at '{path}' ({kind}), {shown}")


class Message:
    """A kind of object: its fields, given in snake_case, each under both spellings."""

    def __init__(self, name: str, /, **fields: Kind) -> None:
        self.name = name
        self.fields: dict[str, tuple[str, str, Kind, bool, type | None]] = {}
        self.add(**fields)

    def add(self, **fields: Kind) -> None:
        for snake, kind in fields.items():
            camel = re.sub(r"_(.)", lambda match: match[1].upper(), snake)
            takes_lists = getattr(kind, "takes_lists", False)
            sound = _SOUND.get(kind)
            self.fields[snake] = self.fields[camel] = (camel, snake, kind, takes_lists, sound)

    def __call__(self, value: Any, path: Path, faults: Faults) -> dict[str, Any]:
        if not isinstance(value, dict):
            faults.append(_invalid(path, _TYPES + self.name, value))
            return {}
        view: dict[str, Any] = {}
        fields, prefix = self.fields, path and path + "."
        entries: dict[str, Any] = value
        for key, each in entries.items():
            field = fields.get(key)
            if field is None:
                faults.append(unknown_name(key, path))
            elif each is not None:  # null is the same as leaving the field out
                camel, snake, kind, takes_lists, sound = field
                if type(each) is sound:
                    view[camel] = each
                elif isinstance(each, list) and not takes_lists:
                    faults.append(_not_a_list(key, path))
                else:
                    place = None if prefix is None else prefix + snake
                    view[camel] = kind(each, place, faults)
        return view


class Repeated:
    """A list of one kind; one value alone is a list of one."""

    takes_lists = True

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def __call__(self, value: Any, path: Path, faults: Faults) -> list[Any]:
        items: list[Any] = value if isinstance(value, list) else [value]
        if path is None:
            return [self.kind(each, None, faults) for each in items]
        return [self.kind(each, f"{path}[{i}]", faults) for i, each in enumerate(items)]


class Again:
    """A kind whose values come again with every request: one that has no fault and is its own view
    is not read twice."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._is_its_own_view = Known(self._reads_as_it_is)

    def __call__(self, value: Any, path: Path, faults: Faults) -> Any:
        return value if self._is_its_own_view(value) else self.kind(value, path, faults)

    def _reads_as_it_is(self, value: Any) -> bool:
        faults: Faults = []
        return bool(self.kind(value, None, faults) == value) and not faults


class Mapped:
    """An object whose keys are names and whose values are of one kind."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def __call__(self, value: Any, path: Path, faults: Faults) -> dict[str, Any]:
        if not isinstance(value, dict):
            faults.append(_invalid(path, "map", value))
            return {}
        entries: dict[str, Any] = value
        return {
            name: self.kind(each, None if path is None else f"{path}[{i}].value", faults)
            for i, (name, each) in enumerate(entries.items())
        }


class Choice:
    """One of several words, in any case."""

    def __init__(self, name: str, *words: str) -> None:
        self.name = name
        self.words = {word.lower(): word for word in words}

    def __call__(self, value: Any, path: Path, faults: Faults) -> str:
        word = self.words.get(value.lower()) if isinstance(value, str) else None
        if word is None:
            faults.append(_invalid(path, _TYPES + self.name, value))
        return word or ""


def text(value: Any, path: Path, faults: Faults) -> str:
    """A string."""
    if isinstance(value, str):
        return value
    faults.append(_invalid(path, "TYPE_STRING", value))
    return ""


def struct(value: Any, path: Path, faults: Faults) -> dict[str, Any]:
    """Any object; its inside is the caller's business."""
    if isinstance(value, dict):
        entries: dict[str, Any] = value
        return entries
    faults.append(_invalid(path, "type.googleapis.com/google.protobuf.Struct", value))
    return {}


def base64_text(value: Any, path: Path, faults: Faults) -> str:
    """Bytes as base64, standard or url-safe."""
    written = text(value, path, faults)
    if not _BASE64.fullmatch(written) or len(written.rstrip("=")) % 4 == 1:
        shown = json.dumps(written[:80])
        problem = f"Invalid value at '{path}' (TYPE_BYTES), Base64 decoding failed for {shown}"
        faults.append(Violation(path or "", problem))
    return written


_SOUND: dict[Kind, type] = {text: str, struct: dict}
"""The type that a value of such a kind has where nothing is wrong with it; it is its own view."""


class _Anything:
    takes_lists = True

    def __call__(self, value: Any, path: Path, faults: Faults) -> Any:
        return value


anything = _Anything()
"""A field that is known, and whose value makes no difference offline."""


def _open(names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), anything)


SCHEMA = Message(
    "Schema",
    type=Choice("Type", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"),
    enum=Repeated(text),
    required=Repeated(text),
    **_open(
        "format title description nullable min_items max_items min_properties max_properties "
        "min_length max_length pattern example property_ordering default minimum maximum"
    ),
)
"""The OpenAPI subset of ``parameters``. ``default`` is in it: the reference says that it is taken
and ignored; ``additionalProperties``, ``$ref``, ``const`` and the like are not."""
SCHEMA.add(properties=Mapped(SCHEMA), items=SCHEMA, any_of=Repeated(SCHEMA))

FUNCTION_CALL = Message(
    "FunctionCall", id=text, name=text, args=struct, **_open("partial_args will_continue")
)
FUNCTION_RESPONSE = Message(
    "FunctionResponse",
    id=text,
    name=text,
    response=struct,
    **_open("parts scheduling will_continue"),
)
PART_DATA = frozenset(
    "text inlineData fileData functionCall functionResponse executableCode codeExecutionResult "
    "toolCall toolResponse audioTranscription".split()
)
"""The fields of which a part must have one."""
PART = Message(
    "Part",
    text=text,
    function_call=FUNCTION_CALL,
    function_response=FUNCTION_RESPONSE,
    thought_signature=base64_text,
    **_open(
        "thought inline_data file_data executable_code code_execution_result video_metadata "
        "media_resolution tool_call tool_response part_metadata audio_transcription "
        "media_processing speech_metadata document_metadata spreadsheet_metadata audio_metadata"
    ),
)
CONTENT = Message("Content", role=text, parts=Repeated(PART))
DECLARATION = Message(
    "FunctionDeclaration",
    name=text,
    description=text,
    parameters=SCHEMA,
    parameters_json_schema=struct,
    response=SCHEMA,
    **_open("response_json_schema behavior"),
)
TOOL = Message(
    "Tool",
    function_declarations=Repeated(DECLARATION),
    **_open(
        "google_search google_search_retrieval google_maps code_execution url_context "
        "computer_use file_search mcp_servers"
    ),
)
TOOL_CONFIG = Message(
    "ToolConfig",
    function_calling_config=Message(
        "FunctionCallingConfig",
        mode=Choice(
            "FunctionCallingConfig.Mode", "MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"
        ),
        allowed_function_names=Repeated(text),
    ),
    **_open("retrieval_config include_server_side_tool_invocations"),
)
THINKING = Message(
    "ThinkingConfig",
    include_thoughts=anything,
    thinking_budget=anything,
    thinking_level=Choice(
        "ThinkingConfig.ThinkingLevel",
        "THINKING_LEVEL_UNSPECIFIED",
        "MINIMAL",
        "LOW",
        "MEDIUM",
        "HIGH",
    ),
)
GENERATION = Message(
    "GenerationConfig",
    thinking_config=THINKING,
    **_open(
        "temperature top_p top_k candidate_count max_output_tokens stop_sequences seed "
        "presence_penalty frequency_penalty response_mime_type response_schema "
        "response_json_schema response_modalities response_logprobs logprobs speech_config "
        "media_resolution image_config enable_enhanced_civic_answers response_format "
        "translation_config audio_transcription_config enable_affective_dialog"
    ),
)
REQUEST = Message(
    "GenerateContentRequest",
    contents=Repeated(Again(CONTENT)),
    system_instruction=CONTENT,
    tools=Repeated(TOOL),
    tool_config=TOOL_CONFIG,
    generation_config=GENERATION,
    **_open("model safety_settings cached_content store service_tier labels continuation_token"),
)
COUNT_TOKENS = Message(
    "CountTokensRequest", contents=Repeated(CONTENT), generate_content_request=REQUEST
)
