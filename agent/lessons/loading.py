"""A changed loop as a function that can be called. ``agent.loop`` itself is never touched."""

from __future__ import annotations

import ast
import itertools
import types
import warnings
from collections.abc import Callable
from typing import Any, Literal

from agent.ask import Loop

FUSE = 12
"""Steps after which a loop that lost its bound is ended from outside."""

CHANGED = "the changed loop.py"
"""The file name of a changed loop in a traceback."""

_NAME = "_fuse"


class FuseBlown(Exception):
    """A loop went on for ``FUSE`` steps."""


class Unloadable(Exception):
    """A changed source that gives no loop: it is no Python ("syntax", at ``line``), it raises
    something before anything is asked ("raised"), or run_agent is not in it ("gone")."""

    def __init__(
        self, kind: Literal["syntax", "raised", "gone"], reason: str = "", line: int = 1
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.line = line


def parse(source: str) -> ast.Module:
    """The tree of a source that can be compiled, too. Raises Unloadable for any other."""
    if "\0" in source:
        line = source[: source.index("\0")].count("\n") + 1
        raise Unloadable("syntax", "null byte", line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, CHANGED)
            compile(source, CHANGED, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Unloadable("syntax", error.msg, error.lineno or 1) from None
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise Unloadable("syntax", str(error)) from None  # brackets in brackets
    return tree


def load(source: str) -> Loop:
    """``run_agent`` of a changed source, in a private module that nobody can import. Each of its
    loops has a fuse, which counts the steps of all its runs together: load it anew for each run.

    Raises Unloadable where there is none.
    """
    tree = parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While):
            call = ast.Call(ast.Name(_NAME, ast.Load()), [], [])
            node.body.insert(0, ast.copy_location(ast.Expr(call), node.body[0]))
    module = types.ModuleType("changed_loop")
    module.__dict__[_NAME] = _fuse()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(ast.fix_missing_locations(tree), CHANGED, "exec", dont_inherit=True)
    try:
        exec(code, module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as failure:  # a student's exit() ends the run, not the lesson
        raise Unloadable("raised", f"{type(failure).__name__} {failure}".strip()) from None
    if not hasattr(module, "run_agent"):
        raise Unloadable("gone")
    loop: Loop = module.run_agent
    return loop


def _fuse() -> Callable[[], None]:
    steps = itertools.count(1)

    def check() -> None:
        if next(steps) > FUSE:
            raise FuseBlown

    return check


def line_of(failure: BaseException) -> int | None:
    """The line of the changed loop in which something was raised."""
    lines: list[int] = []
    trace: Any = failure.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == CHANGED:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines[-1] if lines else None
