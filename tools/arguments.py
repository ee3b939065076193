"""What a tool's signature may say about its arguments beyond their type."""

from __future__ import annotations

from typing import NamedTuple


class Bounds(NamedTuple):
    """The least and the greatest number an argument takes, both allowed; None means no bound.
    Used as ``Annotated[int, "highest price in won", Bounds(0)]``."""

    minimum: float | None = None
    maximum: float | None = None

    @property
    def schema(self) -> dict[str, float]:
        """The bounds as JSON schema keywords."""
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {keyword: value for keyword, value in bounds.items() if value is not None}
