"""A changed loop as a function that can be called. ``agent.loop`` itself is never touched."""

from __future__ import annotations

import ast
import itertools
import types
from collections.abc import Callable
from typing import Any

from agent.ask import Loop

FUSE = 12
"""Steps after which a loop that lost its bound is ended from outside."""

CHANGED = "the changed loop.py"
"""The file name of a changed loop in a traceback."""

_NAME = "_fuse"


class FuseBlown(Exception):
    """A loop went on for ``FUSE`` steps."""


def load(source: str) -> Loop:
    """``run_agent`` of a changed source, in a private module that nobody can import. Each of its
    loops has a fuse, which counts the steps of all its runs together: load it anew for each run.

    Raises SyntaxError for what is no Python, AttributeError where run_agent is gone.
    """
    tree = ast.parse(source, CHANGED)
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While):
            call = ast.Call(ast.Name(_NAME, ast.Load()), [], [])
            node.body.insert(0, ast.copy_location(ast.Expr(call), node.body[0]))
    module = types.ModuleType("changed_loop")
    module.__dict__[_NAME] = _fuse()
    code = compile(ast.fix_missing_locations(tree), CHANGED, "exec", dont_inherit=True)
    exec(code, module.__dict__)
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
