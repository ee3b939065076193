"""What can go wrong in a tool, told so that the caller can put it in words."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, ClassVar

from tools.home import tilde


class InputError(ValueError):
    """Something a person gave that cannot be used. ``key`` names the fault's sentence in the
    message catalogue, ``values`` fill it."""

    area: ClassVar[str]

    def __init__(self, fault: str, **values: Any) -> None:
        self.fault = fault
        self.key = f"{self.area}.{fault}"
        self.values = {name: _told(value) for name, value in values.items()}
        super().__init__(f"{fault}: {self.values}")


def _told(value: Any) -> str:
    return tilde(value) if isinstance(value, PurePath) else str(value)


class CorpusError(InputError):
    """A corpus or a folder of documents that cannot be used."""

    area = "corpus"


class FilterError(InputError):
    """A condition that cannot be meant as it was given."""

    area = "filters"


class ToolProblem(Exception):
    """A call that was refused, in words for the model: ``code``, one sentence, and what would be
    allowed instead. It becomes an error response, never a failure of the run."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        self.code = code
        self.message = message
        self.details = details
        super().__init__(message)


class Unavailable(ToolProblem):
    """A source that could not be asked just now: neither hits nor an empty result."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__("unavailable", message, **details)
