"""What a selection of lines cost, and when it has paid for itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Selection:
    """One use of ``filter_context``, made at model turn ``step``.

    ``chunks`` passages with ``lines`` lines were read, ``kept`` lines handed on, ``left_out`` not
    read at all. ``before`` and ``after`` are characters. ``prompt_tokens`` and ``output_tokens``
    are the selector's own, ``turn_tokens`` those of the model's turn that asked for it; ``saved``
    is how many tokens fewer every later request carries than with the whole passages, by estimate:
    below 0 where they stand in the history anyway.
    """

    step: int
    outcome: str
    chunks: int
    lines: int
    kept: int
    left_out: tuple[str, ...]
    before: int
    after: int
    prompt_tokens: int
    output_tokens: int
    turn_tokens: int
    saved: int

    @property
    def tokens(self) -> int:
        """What the selector used."""
        return self.prompt_tokens + self.output_tokens

    @property
    def break_even(self) -> int | None:
        """How many later requests must carry the lines before the selector and the turn that asked
        for it have paid for themselves; None when none ever does."""
        return -(-(self.tokens + self.turn_tokens) // self.saved) if self.saved > 0 else None

    def as_record(self, steps: int | None = None) -> dict[str, Any]:
        """The selection as JSON; with the ``steps`` of a run that has ended, also how many later
        requests carried its lines, and what it saved by then (below 0: cost) in tokens."""
        record = {
            **asdict(self),
            "left_out": list(self.left_out),
            "tokens": self.tokens,
            "break_even": self.break_even,
        }
        if steps is not None:
            later = max(steps - self.step, 0)
            cost = self.tokens + self.turn_tokens
            record |= {"later_requests": later, "net": self.saved * later - cost}
        return record
