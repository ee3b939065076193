"""The house rules that a reader of one file cannot see."""

import ast
import code
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import agent
import tools

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path for folder in ("agent", "tools", "code") for path in (ROOT / folder).rglob("*.py")
)
IMPORTERS = {"import_module", "__import__", "find_spec", "run_module", "exec", "eval"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


def imported(module: ast.AST) -> Iterator[str]:
    """The dotted names that a file imports, by statement or by a string given to an importer."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in IMPORTERS:
            for each in ast.walk(node):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield from re.findall(r"[\w.]+", each.value)


def called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def under(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def tracked() -> list[Path]:
    """Every file of the project; of a checkout, those that git knows or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    names = listed.stdout.decode().split("\0") if listed.returncode == 0 else []
    found = [ROOT / name for name in names if name] or list(ROOT.rglob("*"))
    hidden = {".venv", ".git", "__pycache__"}
    return [path for path in found if path.is_file() and not hidden & set(path.parts)]


def test_there_is_something_to_look_at() -> None:
    assert {"agent/loop.py", "agent/settings.py", "tools/corpus.py"} <= {*map(name_of, SOURCES)}


def test_agent_and_tools_are_ours() -> None:
    for package in (agent, tools):
        assert package.__file__ is not None
        assert Path(package.__file__).resolve().parent.parent == ROOT


def test_tools_never_imports_agent() -> None:
    guilty = [
        name_of(path)
        for path in SOURCES
        if path.is_relative_to(ROOT / "tools")
        and any(under(name, "agent") for name in imported(tree(path)))
    ]
    assert guilty == []


def test_only_the_gemini_model_imports_the_sdk() -> None:
    users = [
        name_of(path)
        for path in SOURCES
        if any(under(name, "google") for name in imported(tree(path)))
    ]
    assert users == ["agent/models/gemini.py"]


def test_only_the_settings_read_the_environment() -> None:
    wanted = {"environ", "environb", "getenv", "getenvb", "putenv", "expandvars"}
    readers = []
    for path in SOURCES:
        for node in ast.walk(tree(path)):
            attribute = isinstance(node, ast.Attribute) and node.attr in wanted
            name = isinstance(node, ast.alias) and node.name in wanted
            if (attribute and not is_argument(node)) or name:
                readers.append(name_of(path))
    assert set(readers) == {"agent/settings.py"}


def is_argument(node: ast.AST) -> bool:
    """An attribute of something other than the os module."""
    value = node.value if isinstance(node, ast.Attribute) else None
    return not (isinstance(value, ast.Name) and value.id in ("os", "posix", "nt", "path"))


@pytest.mark.parametrize(
    "guilty",
    [
        "import google.genai",
        "from google import genai",
        "from google.genai import types",
        "import importlib; importlib.import_module('google.genai')",
        "__import__('google.genai')",
        "exec('from google import genai')",
    ],
)
def test_every_way_to_import_is_seen(guilty: str) -> None:
    assert any(under(name, "google") for name in imported(ast.parse(guilty)))


def test_one_function_asks_a_model_again_and_again() -> None:
    loops = (ast.For, ast.While, ast.comprehension)
    askers = []
    for path in SOURCES:
        if not path.is_relative_to(ROOT / "agent"):
            continue
        for function in ast.walk(tree(path)):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            repeated = (node for node in ast.walk(function) if holds(node, loops))
            if any(
                isinstance(node, ast.Call) and called(node) == "generate"
                for loop in repeated
                for node in ast.walk(loop)
            ):
                askers.append(f"{name_of(path)}:{function.name}")
    assert askers == ["agent/loop.py:run_agent"]


def holds(node: ast.AST, loops: tuple[type[ast.AST], ...]) -> bool:
    """A loop, or an expression that is one."""
    return isinstance(node, loops) or any(
        isinstance(child, ast.comprehension) for child in ast.iter_child_nodes(node)
    )


def test_code_is_a_folder_of_scripts_and_never_a_package() -> None:
    assert not list((ROOT / "code").rglob("__init__.py"))
    assert hasattr(code, "InteractiveConsole")


def test_no_file_that_may_be_run_shadows_another_module() -> None:
    taken = sys.stdlib_module_names | {"agent", "tools", "google", "tenacity", "pytest"}
    shadowing = [
        name_of(path)
        for path in SOURCES
        if path.stem in taken and not path.is_relative_to(ROOT / "tools")
    ]
    assert shadowing == []


def test_no_tracked_file_names_a_registry_or_a_machine() -> None:
    dot, slash = "[.]", "/"
    hosts = [
        rf"pypi{dot}(org|io)",
        rf"pythonhosted{dot}",
        rf"npmjs{dot}",
        rf"debian{dot}org",
        rf"index{slash}simple|{slash}simple{slash}",
        "-" + "-(extra-)?index-url|" + "-" + "-find-links|" + "-" + "-trusted-host",
    ]
    folders = [rf"(?<![\w.]){slash}{name}{slash}" for name in ("work", "root", "farm")]
    pattern = re.compile("|".join([*hosts, *folders]))
    guilty = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "ignore")
        guilty += [f"{name_of(path)}: {found[0]}" for found in pattern.finditer(text)]
    assert guilty == []
