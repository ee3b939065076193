"""A limit to how long something else may take, whatever it does with its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

_SLICE_S = 0.1
"""An interrupt is noticed within this time, also where a wait cannot be interrupted (Windows)."""


def within(seconds: float, act: Callable[[], T]) -> T:
    """What ``act`` returns or raises; TimeoutError when it is not done after ``seconds``. It runs
    in a thread that is then left behind and keeps nothing from ending: neither the program, nor
    an interrupt, which reaches the caller at once."""
    task = _Task(act)
    task.start()
    deadline = time.monotonic() + seconds
    while task.is_alive():
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"not done after {seconds:.1f} s")
        task.join(min(left, _SLICE_S))
    return task.result()


class _Task(threading.Thread, Generic[T]):
    def __init__(self, act: Callable[[], T]) -> None:
        super().__init__(daemon=True, name="search")
        self._act = act
        self._results: list[T] = []
        self._failure: BaseException | None = None

    def run(self) -> None:
        try:
            self._results.append(self._act())
        except BaseException as failure:
            self._failure = failure

    def result(self) -> T:
        if isinstance(self._failure, Exception):
            raise self._failure
        if self._failure is not None:
            # What would end this thread must not end the program.
            raise RuntimeError(type(self._failure).__name__) from self._failure
        return self._results[0]
