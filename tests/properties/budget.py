"""How often each property is tried."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from hypothesis import settings

FEW = 500
"""Examples of the main property in the suite; the same ones every time."""

EXAMPLES = int(os.environ.get("PROPERTY_EXAMPLES", FEW))
"""Examples of the main property; more than a few are other ones every time."""

Test = TypeVar("Test", bound=Callable[..., object])


def some(test: Test) -> Test:
    """A property that needs fewer examples than the main one."""
    return settings(max_examples=max(EXAMPLES // 10, 1))(test)
