"""The model names the offline Gemini answers to: a wrong name fails here as it would there."""

from __future__ import annotations

from typing import Any, NamedTuple

from agent.offline.refusals import NO_THINKING_LEVEL, Refusal, thinking_level

OFFLINE = "offline"
AS_OF = "2026-11-29"
"""When the names below were gathered from the model and deprecation pages. The 2.0 family was
shut down on 2026-06-01."""

_ALL = frozenset({"MINIMAL", "LOW", "MEDIUM", "HIGH"})
_NOT_MINIMAL = _ALL - {"MINIMAL"}
_NONE: frozenset[str] = frozenset()


class ModelEntry(NamedTuple):
    """One name: the thinking levels it takes, and whether only v1beta knows it."""

    name: str
    levels: frozenset[str] = _ALL
    beta_only: bool = False

    def described(self) -> dict[str, Any]:
        """The entry as models.get gives it."""
        return {
            "name": f"models/{self.name}",
            "version": AS_OF,
            "displayName": self.name,
            "description": "Answered by the offline model (no LLM).",
            "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536,
            "supportedGenerationMethods": ["generateContent", "countTokens"],
        }

    def refuses(self, level: str) -> Refusal | None:
        """The API's answer to a thinking level this model does not have."""
        if not level or level == "THINKING_LEVEL_UNSPECIFIED" or level in self.levels:
            return None
        return thinking_level(level) if self.levels else NO_THINKING_LEVEL


MODELS = (
    ModelEntry(OFFLINE),
    ModelEntry("gemini-4-argon", _NOT_MINIMAL),
    ModelEntry("gemini-4-hydrogen", _NOT_MINIMAL),
    ModelEntry("gemini-3.8-flash", _NOT_MINIMAL),
    ModelEntry("gemini-3.7-flash", _NOT_MINIMAL),
    ModelEntry("gemini-3.6-flash"),
    ModelEntry("gemini-3.5-flash"),
    ModelEntry("gemini-3.5-flash-lite"),
    ModelEntry("gemini-3.1-flash-lite"),
    ModelEntry("gemini-3.1-pro-preview"),
    ModelEntry("gemini-3-flash-preview"),
    ModelEntry("gemini-2.5-pro", _NONE),
    ModelEntry("gemini-2.5-flash", _NONE),
    ModelEntry("gemini-2.5-flash-lite", _NONE),
    ModelEntry("gemini-pro-latest", beta_only=True),
    ModelEntry("gemini-flash-latest", beta_only=True),
    ModelEntry("gemini-flash-lite-latest", beta_only=True),
)
_BY_NAME = {entry.name: entry for entry in MODELS}


def known(version: str) -> list[ModelEntry]:
    """The models an API version lists."""
    return [entry for entry in MODELS if version == "v1beta" or not entry.beta_only]


def find(name: str, version: str) -> ModelEntry | None:
    """The entry for a model name, or None when this API version does not know it."""
    entry = _BY_NAME.get(name)
    return None if entry is None or (entry.beta_only and version != "v1beta") else entry
