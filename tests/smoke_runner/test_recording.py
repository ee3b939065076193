"""Gemini is recorded once, through the official SDK, and held to what it answered ever after."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.offline.responder import Responder
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from tests.smoke_runner.conftest import Smoke, Write

KEY = "AIzaSyOFNOBODY-only-for-tests-000000000"
REPLAY = """\
version: 1
corpus: billing
model: replay
turns:
  - ask: invoice export
    expect: {status: complete, searches: 3, args: {find_steps: {query: invoice export}}}
  - ask: 청구서 내보내기 권한은?
    expect: {status: complete, answer: billing_admin}
"""
Gemini = Callable[..., Any]


@pytest.fixture
def gemini(monkeypatch: pytest.MonkeyPatch) -> Gemini:
    """A server in the place of Gemini, and the key for it, for as long as a block lasts."""

    @contextmanager
    def standing(responder: Responder | None = None) -> Iterator[None]:
        with serve(responder=responder) as server, monkeypatch.context() as patch:
            patch.setenv("GEMINI_API_KEY", KEY)
            patch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
            yield

    return standing


@pytest.fixture
def recorded(smoke: Smoke, write: Write, gemini: Gemini, tmp_path: Path) -> Path:
    """A script with its recording."""
    write(REPLAY)
    with gemini():
        done = smoke("--record", "talk.yaml")
    assert done == (0, "passed  talk.yaml (wrote talk.recording.yaml)\n1 passed\n", "")
    return tmp_path / "talk.recording.yaml"


def test_a_recording_takes_the_place_of_gemini(smoke: Smoke, recorded: Path) -> None:
    before = recorded.read_bytes()
    assert smoke(".") == (0, "passed  talk.yaml\n1 passed\n", "")
    assert recorded.read_bytes() == before


def test_a_recording_can_be_read_by_a_person(recorded: Path) -> None:
    text = recorded.read_text("utf-8")
    assert text.startswith("version: 1\nmodel: gemini-3.8-flash\ntoday: '")
    assert "text: 청구서 내보내기 권한은?\n" in text and "\\u" not in text
    assert text.count("You answer questions from evidence") == 1
    assert text.count("billing_admin role") < 8  # what was said before is not written again
    assert "thoughtSignature: (left out)\n" in text and "!!" not in text
    assert KEY not in text and "x-goog" not in text
    assert recorded.stat().st_mode & 0o777 == 0o600


def test_the_record_is_that_of_the_recorded_model(smoke: Smoke, recorded: Path) -> None:
    import json

    script = json.loads(smoke("talk.yaml", "--json").out)["scripts"][0]
    assert [each["record"]["model"] for each in script["turns"]] == ["gemini-3.8-flash"] * 2
    assert script["turns"][0]["record"]["usage"]["requests"] == 4


def test_a_miss_shows_the_nearest_recording_and_what_differs(
    smoke: Smoke, recorded: Path, write: Write
) -> None:
    write(REPLAY.replace("권한은?", "권한과 절차는?"))
    done = smoke("talk.yaml")
    assert (done.code, done.err) == (1, "")
    hunk = re.search(r"-\d+,3 \+\d+,3", done.out)
    assert hunk and done.out == (
        "FAILED  talk.yaml\n"
        "  talk.yaml:7: Request 5 is not in talk.recording.yaml; this sets it apart from "
        "exchange 5, the nearest:\n"
        "    --- recorded\n"
        "    +++ asked\n"
        f"    @@ {hunk[0]} @@\n"
        "       parts:\n"
        "    -  - text: 청구서 내보내기 권한은?\n"
        "    +  - text: 청구서 내보내기 권한과 절차는?\n"
        "     mode: ANY\n"
        "1 failed\n"
    )


def test_what_is_no_longer_asked_is_told(smoke: Smoke, recorded: Path, write: Write) -> None:
    write(REPLAY[: REPLAY.index("  - ask: 청구서")])
    done = smoke("talk.yaml")
    assert done.code == 1
    assert "talk.yaml:3: Nobody asked for exchange 5, 6, 7, 8 of talk.recording.yaml;" in done.out


def test_a_limit_that_bites_earlier_is_no_miss(smoke: Smoke, recorded: Path, write: Write) -> None:
    write(REPLAY.replace("model:", "limits: {max_searches: 2}\nmodel:"))
    done = smoke("talk.yaml")
    assert "status: expected complete, got incomplete" in done.out


def test_no_recording_is_a_failure(smoke: Smoke, write: Write) -> None:
    write(REPLAY)
    done = smoke("talk.yaml")
    assert done == (
        1,
        "FAILED  talk.yaml\n  talk.yaml:3: There is no recording talk.recording.yaml; make it "
        "with --record and a key.\n1 failed\n",
        "",
    )


def test_no_key_is_a_reason_to_leave_it_out(smoke: Smoke, write: Write) -> None:
    write(REPLAY)
    write(REPLAY.replace("replay", "live"), "live.yaml")
    told = "it asks Gemini, and there is no key or the model is offline; set GEMINI_API_KEY"
    for flag in ("--record", "--live"):
        done = smoke("live.yaml", flag)
        assert done == (3, f"skipped live.yaml: {told}\n1 skipped\n", "")
    assert smoke("talk.yaml", "--record").code == 3
    assert smoke("live.yaml", "--live", "--model", "gemini-3.8-flash").code == 3
    assert not list(Path().glob("*.recording.yaml"))


def test_a_live_script_needs_permission_wherever_it_goes(
    smoke: Smoke, write: Write, gemini: Gemini, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(REPLAY.replace("replay", "live"))
    closed = (3, "skipped talk.yaml: it asks Gemini; --live lets it\n1 skipped\n", "")
    with gemini():
        assert smoke("talk.yaml") == closed
        assert smoke("talk.yaml", "--live").code == 0
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "https://gateway.example")
    assert smoke("talk.yaml") == closed
    monkeypatch.delenv("GEMINI_API_KEY")
    assert smoke("talk.yaml") == closed


def test_a_broken_key_is_told_before_anything_runs_against_it(
    smoke: Smoke, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(REPLAY)
    write("version: 1\nturns: [{ask: invoice export, expect: {status: complete}}]", "z.yaml")
    monkeypatch.setenv("GEMINI_API_KEY", "열쇠-열쇠-열쇠")
    done = smoke(".", "--record")
    assert done.code == 2 and "  talk.yaml:3: GEMINI_API_KEY" in done.out
    assert "열쇠-" not in done.out and "passed  z.yaml" in done.out
    assert smoke("talk.yaml").code == 1  # a replay needs none


@pytest.mark.parametrize(
    "secret",
    [
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "Bearer abcdefghijklmnopqrstuvwxyz",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "-----BEGIN PRIVATE KEY-----",
        "AKIAABCDEFGHIJKLMNOP",
        "sk-abcdefghijklmnopqrstuv",
        "xoxb-1234567890-abc",
        "ya29.abcdefghijklmnopqrstuvwxyz",
        KEY,
    ],
)
def test_a_secret_is_not_written(
    smoke: Smoke, write: Write, gemini: Gemini, tmp_path: Path, secret: str
) -> None:
    write(f"창고 열쇠는 {secret}\n", "docs/a.txt")
    write("version: 1\ndocs: docs\nmodel: replay\nturns: [{ask: '창고 열쇠는?'}]")
    with gemini():
        done = smoke("--record", "talk.yaml")
    assert done.code == 1 and "looks like a secret" in done.out
    assert secret not in done.out and not list(tmp_path.glob("*.recording.yaml"))
    assert not list(tmp_path.glob(".*recording*"))


def test_a_text_that_only_comes_near_is_written(smoke: Smoke, write: Write, gemini: Gemini) -> None:
    near = "AIzaShort sk-abc bearer of news AKIA1234 ya29 ghp_x"
    write(f"창고 열쇠는 {near}\n", "docs/a.txt")
    write("version: 1\ndocs: docs\nmodel: replay\nturns: [{ask: '창고 열쇠는?'}]")
    with gemini():
        assert smoke("--record", "talk.yaml").code == 0
    assert smoke("talk.yaml").code == 0


def test_a_secret_in_a_recording_is_told_and_not_used(smoke: Smoke, recorded: Path) -> None:
    text = recorded.read_text("utf-8")
    at = text.index("billing_admin role")
    recorded.write_text(f"{text[:at]}AIza{'S' * 35} {text[at:]}", "utf-8")
    done = smoke("talk.yaml")
    line = text.count("\n", 0, at) + 1
    assert done.code == 2
    assert f"  talk.recording.yaml:{line}: Here is what looks like a secret" in done.out
    assert "AIzaS" not in done.out


def test_a_request_changed_by_hand_is_told(smoke: Smoke, recorded: Path) -> None:
    text = recorded.read_text("utf-8")
    recorded.write_text(text.replace("- text: invoice export\n", "- text: invoices\n", 1), "utf-8")
    done = smoke("talk.yaml")
    assert done.code == 2 and "talk.recording.yaml:5: This request was changed by hand" in done.out


def test_an_answer_may_be_changed_by_hand(smoke: Smoke, recorded: Path) -> None:
    text = recorded.read_text("utf-8")
    at = text.rindex("[permission-1]")
    recorded.write_text(text[:at] + "[nowhere-1]" + text[at + len("[permission-1]") :], "utf-8")
    done = smoke("talk.yaml")
    assert done.code == 1 and "status" not in done.out.splitlines()[2]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("modl: x", "1: modl is unknown; did you mean: model"),
        ("version: 1", "1: model is missing."),
    ],
)
def test_a_recording_that_is_none(smoke: Smoke, write: Write, wrong: str, told: str) -> None:
    write(REPLAY)
    write(wrong, "talk.recording.yaml")
    done = smoke("talk.yaml")
    assert done.code == 2 and f"  talk.recording.yaml:{told}" in done.out


def test_a_reply_that_was_lost_and_came_the_second_time_is_kept_once(
    smoke: Smoke, write: Write, gemini: Gemini, tmp_path: Path
) -> None:
    write("노트북을 잃어버리면 119번\n", "docs/a.txt")
    write("version: 1\ndocs: docs\nmodel: replay\nturns: [{ask: '노트북을 잃어버리면?'}]")
    answers: list[dict[str, Any]] = [
        {"status": 503},
        {"calls": [{"name": "search_documents", "args": {"query": "노트북"}}]},
        {"text": "119번 [a.txt:1]"},
    ]
    with gemini(ScriptedGemini({"responses": answers})):
        assert smoke("--record", "talk.yaml").code == 0
    text = (tmp_path / "talk.recording.yaml").read_text("utf-8")
    assert text.count("\n- key: ") == 2
    assert smoke("talk.yaml").code == 0


def test_what_was_cut_short_by_bad_luck_is_not_written(
    smoke: Smoke, write: Write, gemini: Gemini, tmp_path: Path
) -> None:
    write(REPLAY)
    with gemini(ScriptedGemini({"responses": [{"status": 429, "daily": True}]})):
        done = smoke("--record", "talk.yaml")
    assert done.code == 1 and "A reply never came (quota), so talk.recording.yaml" in done.out
    assert not list(tmp_path.glob("*.recording.yaml"))


def test_an_empty_reply_is_asked_again_in_the_replay_too(
    smoke: Smoke, write: Write, gemini: Gemini
) -> None:
    write("노트북을 잃어버리면 119번\n", "docs/a.txt")
    write(
        "version: 1\ndocs: docs\nmodel: replay\n"
        "turns: [{ask: '노트북을 잃어버리면?', expect: {status: open, steps: 2}}]"
    )
    answers: list[dict[str, Any]] = [
        {"text": ""},
        {"calls": [{"name": "search_documents", "args": {"query": "노트북"}}]},
        {"text": "119번 [a.txt:1]"},
    ]
    with gemini(ScriptedGemini({"responses": answers})):
        assert smoke("--record", "talk.yaml").code == 0
    assert smoke("talk.yaml").code == 0


def test_what_changes_from_run_to_run_is_no_miss(
    smoke: Smoke, write: Write, gemini: Gemini, tmp_path: Path
) -> None:
    """The time at which products were looked up, and the day it is."""
    write("version: 1\ncorpus: products\nmodel: replay\nturns: [{ask: 저소음 키보드}]", "a.yaml")
    write(
        "version: 1\ndocs: docs\nmodel: replay\nturns: [{ask: '식비는 얼마? 노트북은 몇 번?'}]",
        "b.yaml",
    )
    write("식비는 40,000원\n노트북을 잃어버리면 119번\n", "docs/a.txt")
    with gemini():
        assert smoke("--record", ".").code == 0
    for path in tmp_path.glob("*.recording.yaml"):
        assert re.search(r"\(time\)|Today is \d", path.read_text("utf-8"))
    text = (tmp_path / "b.recording.yaml").read_text("utf-8")
    day = re.search(r"^today: '(.*)'$", text, re.MULTILINE)
    assert day and f"Today is {day[1]}" in text
    assert smoke(".").code == 0


def test_selections_are_recorded_too(smoke: Smoke, write: Write, gemini: Gemini) -> None:
    write(
        "식비 안내\n식비는 하루 40,000원까지 인정합니다.\n숙박비는 120,000원입니다.\n", "docs/a.txt"
    )
    write(
        "version: 1\ndocs: docs\nnarrow: true\nmodel: replay\nturns:\n"
        "  - ask: 식비는 얼마?\n"
        "    expect: {tools: [search_documents, filter_context], citations: all_ok}\n"
    )
    answers: list[dict[str, Any]] = [
        {"calls": [{"name": "search_documents", "args": {"query": "식비"}}]},
        {"calls": [{"name": "filter_context", "args": {"question": "식비", "ids": "all"}}]},
        {"text": "[1]"},
        {"text": "식비는 하루 40,000원까지입니다. [a.txt:2]"},
    ]
    with gemini(ScriptedGemini({"responses": answers})):
        assert smoke("--record", "talk.yaml").code == 0
    assert smoke("talk.yaml").code == 0


def test_a_selection_that_was_not_recorded_is_told(
    smoke: Smoke, write: Write, gemini: Gemini
) -> None:
    """A tool turns whatever is raised into an error for the model; a miss is told all the same."""
    write(
        "식비 안내\n식비는 하루 40,000원까지 인정합니다.\n숙박비는 120,000원입니다.\n", "docs/a.txt"
    )
    write(
        "version: 1\ndocs: docs\nnarrow: true\nmodel: replay\nlimits: {max_steps: 2}\n"
        "turns: [{ask: 식비, expect: {status: incomplete, stop: max_steps}}]"
    )
    answers: list[dict[str, Any]] = [
        {"calls": [{"name": "search_documents", "args": {"query": "식비"}}]},
        {"calls": [{"name": "filter_context", "args": {"question": "식비", "ids": "all"}}]},
        {"text": "[1]"},
    ]
    with gemini(ScriptedGemini({"responses": answers})):
        assert smoke("--record", "talk.yaml").code == 0
    recording = Path("talk.recording.yaml")
    *rest, _ = recording.read_text("utf-8").split("\n- key: ")
    recording.write_text("\n- key: ".join(rest) + "\n", "utf-8")
    done = smoke("talk.yaml")
    assert done.code == 1 and "talk.yaml:6: Request 3 is not in talk.recording.yaml" in done.out


def test_ids_of_calls_do_not_count(smoke: Smoke, recorded: Path) -> None:
    text = recorded.read_text("utf-8")
    changed = re.sub(r"id: call_(\w+)", r"id: another-\1", text)
    assert changed != text
    recorded.write_text(changed, "utf-8")
    assert smoke("talk.yaml").code == 0


def test_a_request_that_is_asked_twice_has_two_replies() -> None:
    from agent.messages import user
    from agent.smoke.recording import NotRecorded, Recorder, Replay
    from tests.replies import Replies, turn

    recorder = Recorder(Replies(turn("one"), turn("two")))
    for _ in range(2):
        recorder.generate([user("which?")], [])
    replay = Replay("gemini", recorder.exchanges)
    assert replay.left == [1, 2]
    said = [replay.generate([user("which?")], []).text for _ in range(2)]
    assert said == ["one", "two"] and replay.left == []
    with pytest.raises(NotRecorded, match="request 3"):
        replay.generate([user("which?")], [])


class Web:
    """A web search of a test."""

    asked: list[str] = []  # noqa: RUF012

    def search(self, query: str, limit: int, timeout_s: float) -> list[Any]:
        from tools.web.backend import SearchHit

        self.asked.append(query)
        return [SearchHit("달빛 도서관", "https://library.example/", "오전 9시에 엽니다.")]


def test_searches_of_the_web_are_recorded(
    smoke: Smoke, write: Write, gemini: Gemini, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        "version: 1\nweb: true\nmodel: replay\n"
        "turns: [{ask: 달빛 도서관 시간, expect: {status: open, evidence: [w1]}}]"
    )
    monkeypatch.setenv("BARELOOP_SEARCH", f"{__name__}:Web")
    Web.asked.clear()
    with gemini():
        assert smoke("--record", "talk.yaml").out.startswith("passed")
    assert len(Web.asked) == 1
    assert smoke("talk.yaml").out.startswith("passed") and len(Web.asked) == 1
    assert "snippet: 오전 9시에 엽니다." in Path("talk.recording.yaml").read_text("utf-8")
