"""What is kept on disk, when the disk, the clock or a byte fails: one sentence, and nothing lost
that was saved."""

from __future__ import annotations

import io
import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.chat.sessions import read_session
from agent.cli import main
from tests.cases.legality import faults

ROOT = Path(__file__).parent.parent.parent
OFFICE = str(ROOT / "tests/data/office")
QUESTIONS = ("노트북을 잃어버리면 어디에 알리나요?", "Which network do guests use?",
             "연차는 이틀 전까지 누구에게 알리나요?")  # fmt: skip
Chat = Callable[..., tuple[int, str, str]]
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def chat(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """chat("line", ..., arguments=[...]) -> exit code, stdout, stderr; in this process."""

    def run(*lines: str, arguments: tuple[str, ...] = ()) -> tuple[int, str, str]:
        said = io.TextIOWrapper(io.BytesIO("".join(f"{line}\n" for line in lines).encode()))
        streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "12"]
        with monkeypatch.context() as patch:
            patch.setenv("BARELOOP_DATA", str(data))
            patch.setenv("BARELOOP_LANG", "en")
            patch.chdir(tmp_path)
            patch.setattr(sys, "stdin", said)
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            code = main(["chat", *arguments])
        out, err = (each.buffer.getvalue().decode() for each in streams)
        return code, out, err

    return run


def only(data: Path) -> Path:
    (path,) = (data / "sessions").glob("*.jsonl")
    return path


# a byte that fails


def damage(data: bytes, chance: random.Random) -> bytes:
    """Something that happens to files: a changed letter, a garbled place, a lost or a doubled
    line, an end that is missing, a hole of zeros."""
    lines = data.splitlines(keepends=True)
    at, place = chance.randrange(len(data)), chance.randrange(len(lines))
    match chance.randrange(7):
        case 0:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        case 1:
            names = [b'"record"', b'"contents"', b'"parts"', b'"role"', b'"question"', b'"place"',
                     b'"event"', b'"searches"', b'"usage"', b'"evidence"', b'"status"', b'"text"',
                     b'"limit"', b'"passage"', b'"model"', b'"step"', b'"hits"']  # fmt: skip
            name = chance.choice(names)
            return data.replace(name, name[:-2] + b'z"', chance.randrange(1, 5))
        case 2:
            return b"".join(lines[:place] + lines[place + 1 :])
        case 3:
            return b"".join([*lines[:place], lines[place], *lines[place:]])
        case 4:
            return data[:at]
        case 5:
            return data[:at] + bytes(chance.randrange(1, 600)) + data[at:]
        case _:
            values = [b"null", b"[]", b"{}", b"3", b'"x"', b"1e999", b"[[]]"]
            value = chance.choice(values)
            names = ["record", "contents", "parts", "place", "evidence", "searches", "usage", "id",
                     "passage", "text", "question", "status", "answer", "message"]  # fmt: skip
            key = f'"{chance.choice(names)}": '.encode()
            return data.replace(key, key + value + b', "zz": ', 1)


AFTERWARDS = ("/history", "/why", "/evidence", "/trace", QUESTIONS[0], "/export md x.md",
              "/export json x.json", "/save t")  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_conversation_goes_on(
    chat: Chat, data: Path, tmp_path: Path, seed: int, kept: bytes
) -> None:
    """Whatever became of its file: no traceback, the rest is there, the next question is answered
    from a history that the model takes."""
    path = data / "sessions" / "20250101-000000-abcd.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(damage(kept, random.Random(seed)))
    chat(arguments=("--list",))
    arguments = ("--docs", OFFICE, "--continue")
    code, out, err = chat(*AFTERWARDS, arguments=arguments)
    if code == 2:  # nothing in it could be used
        assert len(err.splitlines()) == 1
        return
    assert "내선 119번" in out, out + err
    assert "status: open · stopped: answered" in out
    assert read_session(path).records[-1]["question"] == QUESTIONS[0]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a conversation of three questions."""
    from agent.chat.conversation import Conversation
    from agent.chat.place import Place
    from agent.chat.room import Room
    from agent.settings import read_settings

    folder = tmp_path_factory.mktemp("kept")
    talk = Conversation(Room(read_settings({}), Place("docs", OFFICE)), folder)
    for question in QUESTIONS:
        talk.ask(question)
    talk.close()
    return talk.session.path.read_bytes()


# a disk that fails


def full(size: int, data: Path, *arguments: str, said: str) -> subprocess.CompletedProcess[str]:
    """A command in a process whose files can grow to ``size`` bytes: a full disk, to a writer."""
    code = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
        "from agent.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=said, capture_output=True, encoding="utf-8", cwd=ROOT, timeout=60, check=False,
        env={**os.environ, "BARELOOP_DATA": str(data), "BARELOOP_LANG": "en",
             "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files there")
@pytest.mark.parametrize(("left", "is_told"), [(1_000, True), (-10, True), (200, False)])
def test_a_disk_that_fills_up_ends_no_conversation(
    chat: Chat, data: Path, left: int, is_told: bool
) -> None:
    """One sentence says so, also where only the last line lacks its end; what was saved before is
    there, and the answers are not affected."""
    arguments = ("--docs", OFFICE)
    chat(QUESTIONS[0], arguments=arguments)
    begun = only(data).read_bytes()
    chat(QUESTIONS[1], arguments=("--continue",))
    whole = only(data).stat().st_size
    only(data).write_bytes(begun)
    size = len(begun) + left if left == 1_000 else whole + left
    done = full(size, data, "chat", "--continue", said=f"{QUESTIONS[1]}\n")
    assert done.returncode == 0 and "status: open · stopped: answered" in done.stdout
    lost = [line for line in done.stderr.splitlines() if "was not saved to the end" in line]
    assert len(lost) == is_told
    code, out, _ = chat("/history", arguments=("--continue",))
    assert code == 0 and f"1. {QUESTIONS[0]} · open · answered" in out
    assert f"2. {QUESTIONS[1]} · " in out
    chat(QUESTIONS[2], arguments=("--continue",))
    assert f"3. {QUESTIONS[2]} · open" in chat("/history", arguments=("--continue",))[1]


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files there")
def test_what_does_not_fit_on_a_full_disk_takes_no_place_of_what_was_there(data: Path) -> None:
    exercise = ("break", "5", "--predict")
    assert full(1_000_000, data, *exercise, "It stops.", said="").returncode == 0
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    done = full(200, data, *exercise, "It goes on.", said="")
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before


def test_a_trace_whose_last_line_lacks_its_end_is_told(data: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    arguments = ("chat", "--docs", OFFICE, "--trace", str(trace))
    assert "is not whole" not in full(10**6, data, *arguments, said=QUESTIONS[0]).stderr
    size = trace.stat().st_size
    trace.unlink()
    assert full(size - 20, data, *arguments, said=QUESTIONS[0]).stderr.count("is not whole") == 1


@pytest.mark.parametrize("arguments", [
    ["chat", "--continue"], ["chat", "--list"], ["index", OFFICE], ["ask", "--trace", "{}/t", "x"],
])  # fmt: skip
def test_a_home_that_takes_nothing(bareloop: Command, tmp_path: Path, arguments: list[str]) -> None:
    """One sentence, and a question is answered all the same."""
    home = "/proc/none" if sys.platform == "linux" else str(tmp_path / "file" / "none")
    (tmp_path / "file").touch()
    given = [each.format(home) for each in arguments]
    done = bareloop(*given, BARELOOP_DATA=home, BARELOOP_LANG="en")
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and "Traceback" not in done.stderr
    asked = bareloop("chat", "--docs", OFFICE, stdin=QUESTIONS[0], BARELOOP_DATA=home,
                     BARELOOP_LANG="en")  # fmt: skip
    assert asked.returncode == 0 and "status: open · stopped: answered" in asked.stdout


# a clock that jumps


@pytest.mark.parametrize("seconds", [0, -3_000_000_000, 4_000_000_000, 900_000_000_000])
def test_conversations_from_any_time_are_listed(chat: Chat, data: Path, seconds: int) -> None:
    """A clock that was wrong leaves files from another century."""
    chat(QUESTIONS[0], arguments=("--docs", OFFICE))
    os.utime(only(data), (seconds, seconds))
    code, out, _ = chat(arguments=("--list",))
    assert code == 0 and QUESTIONS[0] in out
    code, out, _ = chat("/history", arguments=("--continue",))
    assert code == 0 and f"1. {QUESTIONS[0]} · open" in out


@pytest.mark.parametrize("jump", [-1e9, 0.0, 1e9])
def test_a_clock_that_jumps_in_a_question(jump: float) -> None:
    """Forward it uses the time of the question up; in any case the history stays legal."""
    from agent.ask import ask
    from agent.limits import Limits
    from agent.offline.model import OfflineModel
    from agent.run import Run
    from tools.documents import Folder

    ticks = itertools.count()
    run = Run(clock=lambda: jump if next(ticks) > 5 else 0.0)
    ask(QUESTIONS[0], Folder(Path(OFFICE)), OfflineModel(), Limits(max_seconds=60), run)
    assert run.stop_reason == ("time_budget" if jump > 0 else "answered")
    assert faults([*run.contents, {"role": "user", "parts": [{"text": "?"}]}]) == []
