"""Whether a history is one the API takes, judged without any of the project's own code."""

from __future__ import annotations

from typing import Any

Part = dict[str, Any]


def faults(contents: Any) -> list[str]:
    """What is wrong with the contents of a request, in words; empty for a legal history."""
    if not isinstance(contents, list) or not contents:
        return ["there are no contents"]
    found = [fault for place, each in enumerate(contents) for fault in _shape(place, each)]
    if found:
        return found
    if not _texts(contents[0]["parts"]) or _named(contents[0]["parts"], "functionResponse"):
        found.append("the first content is no text of a person")
    if contents[0]["role"] != "user" or contents[-1]["role"] != "user":
        found.append("the history does not go from user to user")
    before: dict[str, Any] = {"role": "model", "parts": []}
    for place, content in enumerate(contents):
        if content["role"] == before["role"]:
            found.append(f"{place}: two turns of the {content['role']} in a row")
        found += [f"{place}: {fault}" for fault in _pairing(before["parts"], content)]
        before = content
    return found


def _shape(place: int, content: Any) -> list[str]:
    if not isinstance(content, dict) or content.get("role") not in ("user", "model"):
        return [f"{place}: neither a user's nor a model's content"]
    parts = content.get("parts")
    if not isinstance(parts, list) or not parts:
        return [f"{place}: no parts"]
    if not all(isinstance(part, dict) and part for part in parts):
        return [f"{place}: an empty part"]
    if all(
        part.keys() <= {"text", "thought"} and not (part.get("text") or "").strip()
        for part in parts
    ):
        return [f"{place}: nothing but empty text"]
    return []


def _pairing(asked: list[Part], content: dict[str, Any]) -> list[str]:
    """Whether ``content`` answers the calls before it, all of them, in order, and says no more."""
    calls, responses = _named(asked, "functionCall"), _named(content["parts"], "functionResponse")
    if content["role"] == "model":
        return ["a response of the model"] if responses else []
    if _named(content["parts"], "functionCall"):
        return ["a call of the user"]
    if not calls and not responses:
        return []
    if len(responses) != len(content["parts"]):
        return ["a response turn with something else in it, or none where one is due"]
    if [_identity(each) for each in calls] != [_identity(each) for each in responses]:
        return ["responses that do not fit their calls"]
    empty = [each for each in responses if not isinstance(each.get("response"), dict)]
    return ["a response that is no object"] if empty else []


def _identity(each: dict[str, Any]) -> tuple[Any, Any]:
    return each.get("name"), each.get("id")


def _named(parts: list[Part], kind: str) -> list[dict[str, Any]]:
    return [part[kind] for part in parts if kind in part]


def _texts(parts: list[Part]) -> list[str]:
    return [part["text"] for part in parts if part.get("text")]
