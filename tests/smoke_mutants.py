"""Every script of tests/smoke fails when what it pins is broken: ``make smoke-mutants``.

A copy of the project gets one fault at a time, the script is held in it and must fail (1): passing
would mean that it pins nothing, a script error (2) that the fault broke something else.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    """``before`` stands once in ``file`` and becomes ``after``."""

    file: str
    before: str
    after: str


EVIDENCE, GUARDED, RUN = "agent/evidence.py", "agent/models/guarded.py", "agent/run.py"
ASK, LIMITS, CORPUS = "agent/ask.py", "agent/limits.py", "tools/corpus.py"

ANY_SEARCHES = Fault(
    EVIDENCE,
    '        if len(self.searches) >= self.max_searches:\n            return "max_searches"',
    '        if len(self.searches) > self.max_searches:\n            return "max_searches"',
)
NO_PATTERN = Fault(EVIDENCE, "pattern = slot.pattern(values)", "pattern = None")
UNCITED = Fault(
    EVIDENCE,
    'return "it cites nothing; put the [id] of its evidence after a claim"',
    "return None",
)
UNKNOWN_IDS = Fault(
    EVIDENCE,
    '        if unknown:\n            return f"no tool',
    '        if False:\n            return f"no tool',
)
NO_RISK = Fault("tools/risks.py", ".search(words))", ".search(''))")
NO_CAP = Fault("agent/loop.py", "range(1, limits.max_steps + 1)", "range(1, limits.max_steps + 2)")
ANY_PERSON = Fault(
    "tools/sources/source.py", "def check(self, permissions: frozenset[str]) -> None:",
    "def check(self, permissions: frozenset[str]) -> None:\n        return\n\n"
    "    def checked(self, permissions: frozenset[str]) -> None:",
)  # fmt: skip
ANY_PRODUCT = Fault(
    "tools/filters.py", "    def broken_by(self, ",
    "    def broken_by(self, *given: Any) -> list[str]:\n        return []\n\n"
    "    def really_broken_by(self, ",
)  # fmt: skip
NO_CHOICE = Fault(CORPUS, "return next(fitting, None)", "return None")
NOT_TAKEN_IN = Fault(
    EVIDENCE,
    "self.ledger[passage.id] = self.found[passage.id] = passage",
    "self.found[passage.id] = passage",
)

FAULTS: dict[str, Fault] = {
    "billing_budget": ANY_SEARCHES,
    "billing_complete_en": Fault(
        EVIDENCE, "if slot and hits:", "if slot and hits and not self.accepted:"
    ),
    "billing_complete_ko": NO_CHOICE,
    "billing_two_turns": Fault(
        EVIDENCE, "if slot.name in self.accepted:", "if slot.name in self.accepted or self.ledger:"
    ),
    "cites_nothing": UNCITED,
    "context_full": Fault(
        EVIDENCE, "left_out, hits = len(hits) - len(taken), taken", "left_out, hits = 0, taken"
    ),
    "cost_budget": Fault(GUARDED, 'return "cost_budget"', "return None"),
    "default_searches": Fault(LIMITS, "USUAL_SEARCHES = 3", "USUAL_SEARCHES = 4"),
    "default_steps": Fault(LIMITS, "max_steps: int = 8", "max_steps: int = 7"),
    "docs_nothing_found": Fault(
        EVIDENCE, 'return "held" if self.weighty and asked else "exhausted"', 'return "held"'
    ),
    "docs_two_languages": NOT_TAKEN_IN,
    "filter_context": Fault(
        EVIDENCE, "self.ledger[line.id] = self.chosen[line.id] = line",
        "self.ledger[line.id] = line",
    ),
    "finish_reasons": Fault(
        RUN, 'if reply.outcome != "answer":', 'if reply.outcome not in ("answer", "truncated"):'
    ),
    "forbidden_query": Fault(EVIDENCE, "if self.prepared_only and not fitting:", "if False:"),
    "hospital_allergy": NO_PATTERN,
    "hospital_held": Fault(
        ASK, 'if run.route == "held":\n            return _end(run, "held")', "pass"
    ),
    "hospital_missing": NO_PATTERN,
    "law_on_a_day": NO_PATTERN,
    "law_today": NO_PATTERN,
    "max_steps": NO_CAP,
    "messages_in_english": Fault(
        "agent/chat/room.py", "language=language_for(question, self.settings.language),\n"
        "            listeners", "language=language_for(question),\n            listeners",
    ),
    "no_progress": Fault(
        EVIDENCE, 'return "no_progress" if idle >= 2 else "search"', 'return "search"'
    ),
    "orders_in_a_document": NOT_TAKEN_IN,
    "orders_obeyed": UNCITED,
    "parallel_beyond_budget": Fault(
        EVIDENCE, "if len(self.searches) + len(self._running) >= self.max_searches:",
        "if len(self.searches) >= self.max_searches:",
    ),
    "parallel_calls": Fault(
        EVIDENCE, "self.accepted[slot], self.beside[slot] = hits[0], hits[1:]",
        "self.accepted, self.beside[slot] = {slot: hits[0]}, hits[1:]",
    ),
    "personnel_and_canteen": NO_CHOICE,
    "products_confirmed": Fault(
        "agent/proposals.py", "        if answer:\n", "        if not answer:\n"
    ),
    "products_found": ANY_PRODUCT,
    "products_hard_filters": ANY_PRODUCT,
    "products_loosened": ANY_PRODUCT,
    "projectx_chain": Fault(
        "tools/slots.py", "    def pattern(self, ", "    def pattern(self, *given: Any) -> Any:\n"
        "        return None\n\n    def real_pattern(self, ",
    ),
    "projectx_rounds": Fault(
        EVIDENCE, "self.rounds >= self.max_rounds:", "self.rounds > self.max_rounds:"
    ),
    "refusals_and_faults": Fault(
        "agent/models/wire.py", 'return ("quota", "daily_quota", False) if daily',
        'return ("network", "", False) if daily',
    ),
    "repeated_call": Fault(
        EVIDENCE,
        '        if repeats >= 2:\n            return "repeated_call"\n        if not self.wanted',
        "        if not self.wanted",
    ),
    "risk_is_held": NO_RISK,
    "several_parts": Fault("agent/routing.py", "    if pieces > 1:\n", "    if pieces > 9:\n"),
    "support_refund": Fault(CORPUS, "(won_named(question) or 0) >= self.won_from",
                            "(won_named(question) or 0) > self.won_from"),
    "support_with_permission": Fault(
        CORPUS, "return replace(self, permissions=frozenset(permissions))", "return self"
    ),
    "support_without_permission": ANY_PERSON,
    "time_budget": Fault(GUARDED, 'return "time_budget"', "return None"),
    "token_budget": Fault(GUARDED, 'return "token_budget"', "return None"),
    "unknown_citation": UNKNOWN_IDS,
    "unsupported": Fault(
        ASK, 'return _end(run, "unsupported")', 'return _end(run, "exhausted")'
    ),
    "web_pages": Fault("tools/fences.py", 'return text.translate(_MARKS)', "return text"),
    "web_unavailable": Fault(
        EVIDENCE, 'self._log(tool, slot, query, "unavailable", [])',
        'self._log(tool, slot, query, "none", [])',
    ),
}  # fmt: skip
"""Script -> what breaks what it pins."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT", help="names of scripts (all)")
    wanted = parser.parse_args().scripts or sorted(_shipped())
    if lacking := sorted(_shipped() ^ FAULTS.keys()):
        print(f"A script without a fault, or a fault without a script: {', '.join(lacking)}")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        for name in ("agent", "tools", "tests/smoke", "tests/data"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, copy / name, ignore=ignored)
        if (code := _held(copy, *wanted)) != 0:
            print(f"The scripts do not pass as they are (exit code {code}).")
            return 1
        survived = [name for name in wanted if not _fails(copy, name, FAULTS[name])]
    print(f"{len(wanted) - len(survived)} of {len(wanted)} scripts fail when they should.")
    return 1 if survived else 0


def _shipped() -> set[str]:
    paths = (ROOT / "tests/smoke").glob("*.yaml")
    return {path.stem for path in paths if not path.name.endswith(".recording.yaml")}


def _fails(copy: Path, name: str, fault: Fault) -> bool:
    """Whether a script fails with a fault; what it did instead is printed."""
    path = copy / fault.file
    whole = path.read_text("utf-8")
    if whole.count(fault.before) != 1:
        print(f"{name}: in {fault.file} this is not there once: {fault.before}")
        return False
    path.write_text(whole.replace(fault.before, fault.after), "utf-8")
    try:
        code = _held(copy, name)
    finally:
        path.write_text(whole, "utf-8")
    if code != 1:
        print(f"{name}: exit code {code} with {fault.file}: {' '.join(fault.after.split())}")
    return code == 1


def _held(copy: Path, *names: str) -> int:
    """The exit code of scripts that are held in the copy, with the copy's own code."""
    scripts = [f"tests/smoke/{name}.yaml" for name in names]
    environ = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", "agent.cli", "smoke", *scripts],
        cwd=copy, env=environ, stdout=subprocess.DEVNULL, timeout=300, check=False,
    ).returncode  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
