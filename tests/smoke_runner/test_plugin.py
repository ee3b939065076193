"""The same scripts as tests of pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.smoke_runner.test_runner import BAD, GOOD, LIVE, WRONG

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = {"good": GOOD, "bad": BAD, "wrong": WRONG, "live": LIVE}


def written(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.yaml").write_text(SCRIPTS[name], "utf-8")


def ran(python, folder: Path, *arguments: str):
    return python(
        "-m", "pytest", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(folder),
        "-q", "-rs", *arguments, cwd=folder, PYTHONPATH=str(ROOT),
    )  # fmt: skip


PLUGIN = ("-p", "agent.smoke.pytest_plugin")


def test_scripts_are_collected_and_failures_can_be_read(python, tmp_path: Path) -> None:
    written(tmp_path / "smoke", *SCRIPTS)
    (tmp_path / "smoke/good.recording.yaml").write_text("version: 1", "utf-8")
    done = ran(python, tmp_path, *PLUGIN)
    assert done.returncode == 1
    assert "2 failed, 1 passed, 1 skipped" in done.stdout
    assert (
        "bad.yaml:8: tools: expected find_steps, find_steps, got find_steps, find_permission "
        in (done.stdout)
    )
    assert "wrong.yaml:2: turnz is unknown; did you mean: turns" in done.stdout
    assert "it asks Gemini; --live lets it" in done.stdout
    assert "Traceback" not in done.stdout and "runtest" not in done.stdout


def test_all_good(python, tmp_path: Path) -> None:
    written(tmp_path / "smoke" / "deep", "good")
    done = ran(python, tmp_path, *PLUGIN)
    assert (done.returncode, done.stdout.splitlines()[-1].startswith("1 passed")) == (0, True)


def test_it_takes_what_is_named_and_leaves_other_files_alone(python, tmp_path: Path) -> None:
    written(tmp_path / "other", "wrong")
    (tmp_path / "other/compose.yaml").write_text("version: 1\nservices: {turns: 1}\n", "utf-8")
    (tmp_path / "other/b.recording.yaml").write_text(GOOD, "utf-8")
    assert "no tests ran" in ran(python, tmp_path, *PLUGIN).stdout
    named = ran(python, tmp_path, *PLUGIN, "other/wrong.yaml")
    assert named.returncode == 1 and "turnz is unknown" in named.stdout


@pytest.mark.parametrize("arguments", [(), (".",)])
def test_it_takes_scripts_wherever_it_is_started(
    python, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """In a folder of another name, and inside of it, also with a mark at the beginning."""
    written(tmp_path / "대본", "good", "bad")
    (tmp_path / "대본/B.YAML").write_text("\ufeff" + GOOD, "utf-8")
    done = ran(python, tmp_path, *PLUGIN, *arguments)
    assert "1 failed, 2 passed" in done.stdout
    inside = python(
        "-m", "pytest", "-p", "no:cacheprovider", "-c", "/dev/null", "-q", *PLUGIN, *arguments,
        cwd=tmp_path / "대본", PYTHONPATH=str(ROOT),
    )  # fmt: skip
    assert "1 failed, 2 passed" in inside.stdout


def test_it_does_not_load_itself(python, tmp_path: Path) -> None:
    written(tmp_path / "smoke", "good")
    assert "no tests ran" in ran(python, tmp_path).stdout


def test_the_scripts_of_the_project_are_tests_of_it(python) -> None:
    done = python("-m", "pytest", "--collect-only", "-q", "tests/smoke")
    assert "tests/smoke/billing_budget.yaml::billing_budget" in done.stdout
