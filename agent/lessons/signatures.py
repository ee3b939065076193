"""What is certain about the outcome of a run, whatever the wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.lessons.traces import Trace


@dataclass(frozen=True)
class Signature:
    """Facts of a trace by name, and what they must be: a text must occur in the fact, anything
    else must be equal to it. See ``Trace`` and ``Run.as_record`` for the names."""

    expected: Mapping[str, Any]

    def differences(self, trace: Trace) -> list[str]:
        """What is otherwise in ``trace``; empty when the signature holds."""
        return [
            f"{name}: {trace.facts.get(name)!r}, not {wanted!r}"
            for name, wanted in self.expected.items()
            if not _holds(wanted, trace.facts.get(name))
        ]

    def holds(self, trace: Trace) -> bool:
        return not self.differences(trace)


def _holds(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, str):
        return isinstance(found, str) and wanted in found
    return type(wanted) is type(found) and bool(wanted == found)
