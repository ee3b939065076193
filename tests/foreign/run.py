"""Clients that somebody else wrote: the official SDKs for JavaScript, Go and Java, each in a
conversation of three steps with ``bareloop serve``, plain and streamed, and with broken histories.

``make foreign`` runs them. A language whose toolchain or package is not to be had is skipped, and
the reason is told. What is built lies in a folder of the system's own for temporary files.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from agent.offline import refusals  # noqa: E402
from agent.offline.server import serve  # noqa: E402

JS = "@google/genai@3"
GO = "google.golang.org/genai@v1.77.0"
LONGEST_S = 500
"""Seconds for one command; the first time packages are fetched."""

REFUSED = {
    "response_without_call": refusals.RESPONSE_WITHOUT_CALL.message,
    "counts_differ": refusals.COUNTS_DIFFER.message,
    "missing_signature": refusals.missing_signature("get_weather", 2).message,
}


class Skipped(Exception):
    """The language is not to be had on this machine."""


def run(folder: Path, *command: str, may_lack: bool = False) -> str:
    """The output of a command. Raises Skipped for a preparation that fails."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            timeout=LONGEST_S,
            env={**os.environ, "GOFLAGS": "-mod=mod"},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Skipped(f"{command[0]} took more than {LONGEST_S} s") from None
    if done.returncode and may_lack:
        told = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
        raise Skipped(f"{' '.join(command[:3])}: {told[:200]}")
    return done.stdout if done.returncode == 0 else f"{done.stdout}\n{done.stderr}"


def needs(*programs: str) -> None:
    for each in programs:
        if shutil.which(each) is None:
            raise Skipped(f"{each} is not installed")


def js(folder: Path, url: str) -> str:
    needs("node", "npm")
    quiet = ("--no-save", "--no-package-lock", "--no-audit", "--no-fund")
    run(folder, "npm", "install", *quiet, JS, may_lack=True)
    return run(folder, "node", "conversation.mjs", url)


def go(folder: Path, url: str) -> str:
    needs("go")
    run(folder, "go", "mod", "init", "foreign")
    run(folder, "go", "get", GO, may_lack=True)
    return run(folder, "go", "run", "conversation.go", url)


def java(folder: Path, url: str) -> str:
    needs("javac", "mvn")
    run(folder, "mvn", "-q", "-B", "compile", may_lack=True)
    classpath = ("-DincludeScope=runtime", "-Dmdep.outputFile=classpath")
    run(folder, "mvn", "-q", "-B", "dependency:build-classpath", *classpath, may_lack=True)
    found = (folder / "classpath").read_text().strip()
    return run(folder, "java", "-cp", f"target/classes:{found}", "Conversation", url)


LANGUAGES = {"js": js, "go": go, "java": java}


def faults(printed: str) -> list[str]:
    """What is wrong with the results of a program; empty where all is right."""
    lines: list[dict[str, Any]] = []
    for line in printed.splitlines():
        if line.startswith("{"):
            lines.append(json.loads(line))
    found: list[str] = []
    for way in ("plain", "stream"):
        talks = [each for each in lines if each["way"] == way and "called" in each]
        if [each["called"] for each in talks] != [["get_weather", "search_handbook"]]:
            found.append(f"{way}: called {[each['called'] for each in talks]}")
        found += [f"{way}: {each['answer']}" for each in talks if "4 degrees" not in each["answer"]]
        told = {each["broken"]: each for each in lines if each["way"] == way and "broken" in each}
        for name, message in REFUSED.items():
            given = told.get(name, {"code": 0, "message": ""})
            if given["code"] != 400 or message not in given["message"]:
                found.append(f"{way}: {name}: {given['code']} {given['message'][:200]}")
    return found or ([] if lines else [printed[-1000:]])


def main(names: Sequence[str]) -> int:
    """Run the languages named, all of them unless some are; 1 where one of them goes wrong,
    2 for a name that is none."""
    if unknown := [each for each in names if each not in LANGUAGES]:
        print(f"Not there: {', '.join(unknown)}. There are: {', '.join(LANGUAGES)}.")
        return 2
    wrong = 0
    for name in names or LANGUAGES:
        with tempfile.TemporaryDirectory() as built, serve() as server:
            folder = Path(built) / name
            shutil.copytree(HERE / name, folder)
            try:
                found = faults(LANGUAGES[name](folder, server.url))
            except Skipped as reason:
                print(f"{name}: skipped, {reason}")
                continue
        wrong += bool(found)
        print(f"{name}: " + ("passed: 3 steps and 3 refusals, plain and streamed" if not found
                             else "; ".join(found)))  # fmt: skip
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
