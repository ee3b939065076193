"""Whether a test notices when the code is wrong: ``make mutants``.

One small fault at a time goes into a copy of the project: a comparison turned or off by one, a
number one more or one less, ``and`` for ``or``, a condition denied, a ``not`` or a statement gone,
None returned. Once, without a fault, the tests of the file are watched (tests/reached.py): a fault
then meets those that reach its statement, the quickest first, and those that start a process, which
nobody watches. What survives is printed, unless tests/mutants.toml holds why it does no harm; a
judgement is found by its text, and one whose text is gone is printed too.

Decorators, annotations, texts and what stands inside an f-string are left as they are.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
JUDGED = Path(__file__).with_suffix(".toml")
LEFT_BEHIND = (".git", ".venv", ".peers", ".*_cache", ".hypothesis")
BASELINE_S = 600
NOTHING_RAN = 5
"""How pytest ends when there is no such test."""

TESTS = {
    "agent/loop.py": "test_loop.py test_ask.py test_limits.py",
    "agent/limits.py": (
        "test_limits.py test_ask.py test_rounds.py test_conditions.py test_failure_modes.py"
    ),
    "agent/evidence.py": (
        "test_limits.py test_ask.py test_rounds.py test_citations.py test_self_correction.py"
        " test_one_piece.py test_semantic.py test_product_tools.py test_conditions.py"
        " test_side_by_side.py test_projectx.py test_web.py test_context_tools.py"
        " test_beyond_the_plan.py test_another_thing.py test_support.py test_law.py"
        " properties/test_found.py"
    ),
    "tools/filter_context.py": (
        "tools/test_filter_context.py test_context_tools.py properties/test_pure.py"
    ),
    "tools/products.py": (
        "tools/test_products.py test_product_tools.py test_where.py properties/test_pure.py"
    ),
}
"""For each file the tests that should notice what is wrong with it; paths under tests/."""

TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OTHER_SIGN: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """One fault: ``text`` is the whole file with it; ``before`` and ``after`` are its lines.
    ``statement`` are the first and the last line of where it runs, None for what runs when the file
    is imported."""

    file: str
    line: int
    function: str
    before: str
    after: str
    text: str
    statement: tuple[int, int] | None

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.file, self.function, self.before, self.after

    def __str__(self) -> str:
        place = f"{self.file}:{self.line} {self.function}"
        return f"{place}\n    - {self.before}\n    + {self.after}"


def changes(node: ast.AST) -> Iterator[str]:
    """What may stand in the place of ``node``, each with one fault."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for turned in TURNED[type(operator)]:
                other = deepcopy(node)
                other.ops[at] = turned()
                yield f"({ast.unparse(other)})"
    elif isinstance(node, ast.BoolOp):
        operator = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield f"({ast.unparse(ast.BoolOp(operator, node.values))})"
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER_SIGN:
        other = ast.BinOp(node.left, OTHER_SIGN[type(node.op)](), node.right)
        yield f"({ast.unparse(other)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield from (f"{node.value + 1}", f"{node.value - 1}")
    elif isinstance(node, ast.Return) and node.value is not None:
        if ast.unparse(node.value) != "None":
            yield "return None"
    elif can_go(node):
        yield "pass"


def can_go(node: ast.AST) -> bool:
    """Whether ``node`` is a statement without which the rest still runs."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return not isinstance(node.targets[0], ast.Name | ast.Tuple)
    return isinstance(node, ast.Raise | ast.AugAssign | ast.Continue)


def conditions(node: ast.AST) -> list[ast.expr]:
    """The conditions of ``node`` that another fault does not deny already."""
    if isinstance(node, ast.comprehension):
        found = node.ifs
    else:
        found = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else []
    denied = (ast.Compare, ast.UnaryOp)
    return [each for each in found if not isinstance(each, denied)]


class Place(NamedTuple):
    """Where a node stands: its function or class, and the lines of its statement in a function."""

    name: str
    statement: tuple[int, int] | None
    in_function: bool


def parts(node: ast.AST, place: Place) -> Iterator[tuple[ast.AST, Place]]:
    """Every node that may be changed, with its place."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.stmt) and place.in_function:
        below = getattr(node, "body", None)
        last = max(node.lineno, below[0].lineno - 1) if below else node.end_lineno
        place = place._replace(statement=(node.lineno, last or node.lineno))
    yield node, place
    left = {"annotation", "returns", "decorator_list", "type_params"}
    inner = place
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inner = place._replace(name=f"{place.name}.{node.name}".removeprefix("module."))
    for name, value in ast.iter_fields(node):
        if name not in left:
            runs_later = isinstance(node, ast.FunctionDef) and name == "body"
            where = inner._replace(in_function=True) if runs_later else inner
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    yield from parts(each, where)


def mutants(file: str) -> list[Mutant]:
    """Every fault that ``file`` may get, in the order of its lines."""
    source = (ROOT / file).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    unchanged = ast.dump(tree)
    found: dict[str, Mutant] = {}
    for node, where in parts(tree, Place("module", None, in_function=False)):
        asked = [(node, text) for text in changes(node)]
        asked += [(each, f"(not ({ast.unparse(each)}))") for each in conditions(node)]
        for place, text in asked:
            first, last = starts[place.lineno - 1], starts[place.end_lineno]
            start, end = (
                first + place.col_offset,
                starts[place.end_lineno - 1] + place.end_col_offset,
            )
            after = source[first:start] + text.encode() + source[end:last]
            whole = (source[:first] + after + source[last:]).decode()
            if ast.dump(ast.parse(whole)) != unchanged:
                shown = [" ".join(each.decode().split()) for each in (source[first:last], after)]
                fault = Mutant(file, place.lineno, where.name, *shown, whole, where.statement)
                found.setdefault(whole, fault)
    return sorted(found.values(), key=lambda each: each.line)


@dataclass(frozen=True)
class Watched:
    """What the tests of a file reached without a fault: by test the lines, whether it also ran
    where nobody watched, and its seconds."""

    tests: dict[str, tuple[frozenset[int], bool, float]]

    def that_may_notice(self, mutant: Mutant) -> list[list[str]]:
        """The tests that may notice ``mutant``, those that reach it before those that nobody
        watched, the quickest first; and before all others those of the file that reaches it most:
        one file is read much sooner than all are."""
        first, last = mutant.statement or (0, sys.maxsize)
        found: list[tuple[bool, float, str]] = []
        for name, (reached, elsewhere, seconds) in self.tests.items():
            is_reached = mutant.statement is None or any(first <= each <= last for each in reached)
            if is_reached or elsewhere:
                found.append((not is_reached, seconds, name))
        counts = Counter(_file(name) for unwatched, _, name in found if not unwatched)
        nearest = max(counts, key=lambda file: counts[file], default="")
        stages: tuple[list[str], list[str]] = ([], [])
        for unwatched, _, name in sorted(found):
            stages[unwatched or _file(name) != nearest].append(name)
        return [each for each in stages if each]


def _file(test: str) -> str:
    return test.partition("::")[0]


def watch(copy: Path, file: str) -> Watched | None:
    """What the tests of ``file`` reach; None where they do not pass without a fault."""
    out = copy.parent / "reached.json"
    watched = {"REACHED_FILE": str(copy / file), "REACHED_OUT": str(out)}
    paths = [f"tests/{each}" for each in TESTS[file].split()]
    if run_tests(copy, paths, BASELINE_S, watched, keep=True) != "passed":
        return None
    return Watched({
        name: (frozenset(lines), elsewhere, seconds)
        for name, (lines, elsewhere, seconds) in json.loads(out.read_text("utf-8")).items()
    })  # fmt: skip


def run_tests(
    copy: Path, paths: Sequence[str], seconds: float, told: dict[str, str], *, keep: bool = False
) -> str:
    """ "passed", "failed" or "late" for these tests on the code in ``copy``. ``told`` is what
    tests/reached.py is to do. ``keep`` lets compiled code be written, which a changed file must
    never leave behind."""
    surroundings = {**os.environ, "PYTHONPATH": str(copy), "PYTHONUTF8": "1", **told}
    if not keep:
        surroundings["PYTHONDONTWRITEBYTECODE"] = "1"
    options = [
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.reached",
        f"--basetemp={copy.parent / (copy.name + '-tmp')}",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *paths],
        cwd=copy,
        env=surroundings,
        stdout=subprocess.PIPE if keep else subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "late"
    if keep and process.returncode:
        print(said.decode(errors="replace")[-3000:])
    return "failed" if process.returncode not in (0, NOTHING_RAN) else "passed"


def outcome(mutant: Mutant, watched: Watched, copies: SimpleQueue[Path], seconds: float) -> str:
    """ "noticed", "survived", or "late" for a fault that runs out of time."""
    copy = copies.get()
    path = copy / mutant.file
    original, was = path.read_bytes(), path.stat()
    chosen = copy.parent / f"{copy.name}.json"
    try:
        path.write_bytes(mutant.text.encode())
        for tests in watched.that_may_notice(mutant):
            chosen.write_text(json.dumps(tests), "utf-8")
            paths = [*dict.fromkeys(map(_file, tests))]
            result = run_tests(copy, paths, seconds, {"REACHED_CHOSEN": str(chosen)})
            if result != "passed":
                return "noticed" if result == "failed" else "late"
        return "survived"
    finally:
        path.write_bytes(original)
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
        copies.put(copy)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--sample", type=int, default=60, help="how many faults; 0 is all (60)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--files", nargs="+", choices=TESTS, default=[*TESTS], metavar="FILE")
    parser.add_argument("--function", help="only the faults of this one, as Evidence.missing")
    parser.add_argument("--lines", type=int, nargs=2, metavar=("FIRST", "LAST"), help="only these")
    parser.add_argument(
        "--seconds", type=float, default=180, help="limit of one run of tests (180)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="faults tried side by side (1)")
    return parser.parse_args()


def main() -> int:
    asked = arguments()
    # some tests press Ctrl-C, which a shell switches off for what it starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    judged = {
        (each["file"], each["function"], each["before"], each["after"]): each["why"]
        for each in tomllib.loads(JUDGED.read_text("utf-8")).get("judged", [])
    }
    possible = [each for file in asked.files for each in mutants(file)]
    known = {each.key for each in possible}
    gone = [key for key in judged if key[0] in asked.files and key not in known]
    first, last = asked.lines or (1, sys.maxsize)
    chosen = [
        each
        for each in possible
        if asked.function in (None, each.function) and first <= each.line <= last
    ]
    if 0 < asked.sample < len(chosen):
        places = random.Random(asked.seed).sample(range(len(chosen)), asked.sample)
        chosen = [chosen[at] for at in sorted(places)]
    tried = [each for each in chosen if each.key not in judged]
    counts = Counter({"judged": len(chosen) - len(tried)})
    survivors: list[Mutant] = []
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        copy = Path(scratch) / "copy0"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
        watched: dict[str, Watched] = {}
        for file in dict.fromkeys(each.file for each in tried):
            reached = watch(copy, file)
            if reached is None:
                print(f"Without a fault these tests do not pass: {TESTS[file]}")
                return 2
            watched[file] = reached
        copies: SimpleQueue[Path] = SimpleQueue()
        copies.put(copy)
        for number in range(1, asked.jobs):
            copies.put(shutil.copytree(copy, copy.with_name(f"copy{number}")))
        with ThreadPoolExecutor(asked.jobs) as pool:
            waiting = [
                pool.submit(outcome, each, watched[each.file], copies, asked.seconds)
                for each in tried
            ]
            try:
                for mutant, result in zip(tried, waiting, strict=True):
                    counts[result.result()] += 1
                    if result.result() == "survived":
                        survivors.append(mutant)
                        print(f"survived: {mutant}", flush=True)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    for key in gone:
        print("judged, but no longer there: " + " | ".join(key))
    print(
        f"{len(chosen)} of {len(possible)} faults: {counts['noticed']} noticed, "
        f"{counts['late']} out of time, {counts['judged']} judged harmless, "
        f"{len(survivors)} survived ({time.monotonic() - began:.0f} s)."
    )
    return 1 if survivors or gone else 0


if __name__ == "__main__":
    raise SystemExit(main())
