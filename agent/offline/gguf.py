"""A small real model out of a GGUF file, behind the offline Gemini's rules: an unscripted opponent
for a client. Nothing is claimed of its answers.

llama.cpp runs in this process (package xllamacpp, the extra ``gguf``). A grammar lets the model say
one thing: a call of a declared function, or a text. What it cannot finish within its tokens is
passed on as the API does, with MAX_TOKENS.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

from agent.catalogue import Problem
from agent.messages import Content, function_calls, function_responses, visible_text
from agent.offline.protocol import DEFAULT_RULES, Answer, Prompt, Request, Rules, read
from agent.offline.replies import Part, reply_body

CONTEXT = 4096
"""Tokens that the model reads and writes together."""
MAX_TOKENS = 160
MOST_CHARACTERS = 5_000
"""Of a conversation, the last ones are shown to the model; a Hangul syllable may be three tokens,
and what does not fit even so is cut once more."""


class GgufGemini:
    """Answers requests with the model in ``path``, one after the other. Raises Problem when the
    package is not installed or the file is no model."""

    def __init__(self, path: Path, rules: Rules = DEFAULT_RULES) -> None:
        try:
            import xllamacpp  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError:
            raise Problem("serve.gguf_missing") from None
        if not path.is_file():
            raise Problem("serve.gguf_unreadable", path=path)
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx = CONTEXT
        params.n_parallel = 1
        params.verbosity = -1
        params.warmup = False
        # threads that wait for each other: more than half of the processors are slower than one
        params.cpuparams.n_threads = max(1, (os.cpu_count() or 1) // 2)
        try:
            self._model: Any = xllamacpp.Server(params)
        except Exception:
            raise Problem("serve.gguf_unreadable", path=path) from None
        self._rules = rules
        self._lock = threading.Lock()

    def respond(self, request: Request) -> Answer:
        found = read(request, self._rules)
        if isinstance(found, Answer):
            return found
        said, is_whole = self._say(found)
        return Answer(200, reply_body(found, _turn(said), "STOP" if is_whole else "MAX_TOKENS"))

    def _say(self, prompt: Prompt) -> tuple[str, bool]:
        """What the model writes, and whether it came to its end."""
        schema = {"type": "json_schema", "json_schema": {"name": "turn", "schema": _schema(prompt)}}
        for most in (MOST_CHARACTERS, MOST_CHARACTERS // 4, 200):
            wanted = {
                "messages": _messages(prompt, most),
                "max_tokens": MAX_TOKENS,
                "temperature": 0,
                "repeat_penalty": 1.2,
                "response_format": schema,
            }
            with self._lock:
                answer = self._model.handle_chat_completions(wanted)
            if isinstance(answer, dict) and answer.get("choices"):
                choice = answer["choices"][0]
                return str(choice["message"].get("content") or ""), choice[
                    "finish_reason"
                ] != "length"
        return "", True


def _turn(said: str) -> list[Part]:
    """The parts of a turn; a text as it is where it is not the JSON that the grammar asks for."""
    try:
        given = json.loads(said)
    except ValueError:
        return [{"text": said}] if said else []
    if isinstance(given, dict) and isinstance(given.get("call"), str):
        return [{"functionCall": {"name": given["call"], "args": given.get("args") or {}}}]
    return [{"text": str(given.get("text", "") if isinstance(given, dict) else given)}]


def _schema(prompt: Prompt) -> dict[str, Any]:
    """What the model may write: a call of a function that it may call, or a text."""
    calls: list[dict[str, Any]] = []
    if prompt.mode != "NONE":
        for each in prompt.declarations:
            if each["name"] in prompt.allowed:
                calls.append(_object({"call": {"const": each["name"]}, "args": _arguments(each)}))
    text = _object({"text": {"type": "string", "maxLength": 400}})
    return {"anyOf": calls if calls and prompt.mode == "ANY" else [*calls, text]}


def _arguments(declaration: dict[str, Any]) -> dict[str, Any]:
    """Every required argument as a short text, a number or whatever else it is declared as."""
    shape = declaration.get("parametersJsonSchema") or declaration.get("parameters") or {}
    given = shape.get("properties") or {}
    wanted = {name: _type(given.get(name) or {}) for name in shape.get("required") or given}
    return _object(wanted)


def _type(shape: dict[str, Any]) -> dict[str, Any]:
    kind = str(shape.get("type", "string")).lower()
    if kind == "array":
        return {"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 3}
    if kind in ("integer", "number", "boolean"):
        return {"type": kind}
    return {"type": "string", "maxLength": 60}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _messages(prompt: Prompt, most: int) -> list[dict[str, str]]:
    """The conversation for a chat template: what was said last, and the functions there are."""
    functions = "; ".join(
        f"{each['name']}: {each.get('description', '')}" for each in prompt.declarations
    )
    told = "\n".join(_told(each) for each in prompt.contents)
    system = f"Functions: {functions}. {prompt.system}"
    return [
        {"role": "system", "content": system[: most // 2]},
        {"role": "user", "content": told[-(most // 2) :]},
    ]


def _told(content: Content) -> str:
    lines = [visible_text(content)]
    lines += [f"Call: {json.dumps(each, ensure_ascii=False)}" for each in function_calls(content)]
    lines += [
        f"Result of {each.get('name')}: {json.dumps(each.get('response'), ensure_ascii=False)}"
        for each in function_responses(content)
    ]
    return "\n".join(line for line in lines if line)
