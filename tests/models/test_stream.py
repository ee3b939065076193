"""Streams put together, apart from any connection."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.models.stream import Events, Speech, merge
from tests.models.endpoint import call, event, in_chunks, reply


def chunk(*parts: Any, **candidate: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, **candidate}]}


LINES = 'data: {"a": "한\u2028글"}\r\n\r\n: note\nevent: x\ndata:1\ndata: 2\n\ndata: 3\r\r'
DATA = ['{"a": "한\u2028글"}'.encode(), b"1\n2"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_come_whole_however_the_bytes_are_cut(size: int) -> None:
    raw = LINES.encode()
    events = Events()
    data = [each for at in range(0, len(raw), size) for each in events.feed(raw[at : at + size])]
    assert [*data, events.open] == [*DATA, b"3"]
    assert events.unframed == b""


def test_an_event_without_its_end_stays_open() -> None:
    events = Events()
    assert list(events.feed(b'data: {"a":\ndata: 1')) == []
    assert events.open == b'{"a":\n1'


def test_lines_outside_of_events_are_kept_apart() -> None:
    events = Events()
    assert list(events.feed(b'<html>\ndata: 1\n\n{"error":\n {}}\n')) == [b"1"]
    assert events.unframed == b'<html>\n{"error":\n {}}\n'


def test_a_stream_becomes_the_answer_it_was_made_of() -> None:
    whole = reply(
        {"text": "길게 생각합니다", "thought": True},
        {"text": "먼저 찾아봅니다"},
        call("find_steps", {"query": "a"}, id="1") | {"thoughtSignature": "a+/="},
        call("find_steps", {"query": "b"}),
        finishMessage="done",
    )
    assert merge(in_chunks(whole)) == whole


@pytest.mark.parametrize(
    ("chunks", "parts"),
    [
        ([chunk({"text": "가"}), chunk({"text": "나"})], [{"text": "가나"}]),
        # a signature belongs to the part it came with
        (
            [chunk({"text": "가"}), chunk({"text": "", "thoughtSignature": "s"})],
            [{"text": "가"}, {"text": "", "thoughtSignature": "s"}],
        ),
        (
            [chunk({"text": "가", "thoughtSignature": "s"}), chunk({"text": "나"})],
            [{"text": "가", "thoughtSignature": "s"}, {"text": "나"}],
        ),
        # a thought and an answer are two texts
        (
            [chunk({"text": "음", "thought": True}), chunk({"text": "답"})],
            [{"text": "음", "thought": True}, {"text": "답"}],
        ),
        # parts of one chunk are parts
        (
            [chunk({"text": "THOUGHT: 음"}, {"text": "답"}), chunk({"text": "변"})],
            [{"text": "THOUGHT: 음"}, {"text": "답변"}],
        ),
        # what a stream of calls ends with
        ([chunk(call("f")), chunk({"text": ""})], [call("f")]),
        ([chunk({"text": ""}), chunk(call("f"))], [{"text": ""}, call("f")]),
        ([chunk({"text": "가"}), chunk(), {"usageMetadata": {}}], [{"text": "가"}]),
    ],
)
def test_parts_are_joined(chunks: list[Any], parts: list[Any]) -> None:
    assert merge(chunks)["candidates"][0]["content"] == {"role": "model", "parts": parts}


def test_the_last_word_of_each_field_holds() -> None:
    merged = merge(
        [
            chunk({"text": "가"}, finishReason=None) | {"usageMetadata": {"promptTokenCount": 1}},
            {"candidates": [{"finishReason": "STOP"}], "modelVersion": "m"},
            {"candidates": [], "usageMetadata": {"promptTokenCount": 2}, "modelVersion": None},
        ]
    )
    assert merged == {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": "가"}]}, "finishReason": "STOP"}
        ],
        "usageMetadata": {"promptTokenCount": 2},
        "modelVersion": "m",
    }


def test_no_chunks_are_no_answer() -> None:
    assert merge([]) == {}


@pytest.mark.parametrize(
    ("chunks", "heard", "spoken"),
    [
        ([chunk({"text": "가"}), chunk({"text": "나 "}), chunk({"text": "다"})], "가나 다", True),
        ([chunk({"text": "음", "thought": True}), chunk({"text": "답"})], "답", True),
        ([chunk({"text": "음", "thought": True})], "", False),
        ([chunk({"text": "\n \n"})], "", False),
        ([chunk({"text": "\n"}), chunk({"text": " 답"}), chunk({"text": "\n"})], "답\n", True),
        ([chunk({"text": " TH"}), chunk({"text": "OUGHT"}), chunk({"text": ": 음"})], "", False),
        ([chunk({"text": "TH"}), chunk({"text": "E END"})], "THE END", True),
        ([chunk({"text": "THOUGHT: 음"}, {"text": "답"})], "답", True),
        ([chunk({"text": "보자 def"}), chunk({"text": "ault_api.f()"})], "보자 ", True),
        ([chunk({"text": "보자 def"}), chunk({"text": "ine"})], "보자 define", True),
        ([chunk({"text": "``"}), chunk({"text": "`tool_code\nf()"})], "", False),
        ([chunk({"text": "찾을게요"}), chunk(call("f")), chunk({"text": ""})], "찾을게요", True),
        ([{"usageMetadata": {}}, chunk(), {"candidates": [{}]}], "", False),
    ],
)
def test_only_what_is_for_the_reader_is_told(chunks: list[Any], heard: str, spoken: bool) -> None:
    told: list[str] = []
    speech = Speech(told.append)
    for each in chunks:
        speech.hear(each)
    assert ("".join(told), speech.spoken) == (heard, spoken)
    assert "" not in told


def test_what_was_held_back_without_need_is_told_at_the_end() -> None:
    for text in ("see default_api docs", "TH", "end with defau"):
        told: list[str] = []
        speech = Speech(told.append)
        speech.hear(chunk({"text": text}))
        assert "".join(told) != text
        speech.end()
        assert "".join(told) == text


def test_a_written_thought_is_never_told() -> None:
    told: list[str] = []
    speech = Speech(told.append)
    speech.hear(chunk({"text": "THOUGHT: 음"}))
    speech.end()
    assert told == []


def test_without_a_listener_nothing_counts_as_told() -> None:
    speech = Speech(None)
    speech.hear(chunk({"text": "답"}))
    speech.end()
    assert not speech.spoken


def test_a_long_stream_is_put_together_in_time() -> None:
    chunks = in_chunks(reply({"text": "가나다라마" * 4000}))
    speech = Speech(lambda text: None)
    events = Events()
    read = []
    for each in chunks:
        read += [json.loads(data) for data in events.feed(event(each))]
        speech.hear(read[-1])
    assert len(chunks) == 10_000
    assert merge(read)["candidates"][0]["content"]["parts"] == [{"text": "가나다라마" * 4000}]
