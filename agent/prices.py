"""What models cost: the one place to bring up to date."""

from __future__ import annotations

PRICES_AS_OF = "2026-11-29"
PRICES: dict[str, tuple[float, float]] = {
    "gemini-3.8-flash": (0.75, 3.75),
    "gemini-3.7-flash": (0.75, 3.75),
    "gemini-3.6-flash": (0.75, 3.75),
    "gemini-3.5-flash-lite": (0.30, 2.50),
    "gemini-3.1-flash-lite": (0.25, 1.50),
    "gemini-3-flash-preview": (0.50, 3.00),
    "gemini-4-hydrogen": (1.50, 7.50),
    "gemini-2.5-flash-lite": (0.10, 0.40),
}
"""US dollars per million prompt and output tokens, as published by ``PRICES_AS_OF``. The 3.6 to
3.8 Flash prices hold until 2026-12-31."""
