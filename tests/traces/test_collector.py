"""An export is accepted by an OpenTelemetry collector, where there is one."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.traces import recorded
from tests.traces.recorded import QUESTION, billing, record
from tests.traces.test_diagnose import CITED, NONE, PERMISSION, STEPS

PROGRAM = next(filter(None, map(shutil.which, ("otelcol", "otelcol-contrib"))), None)

CONFIGURATION = """\
receivers: {{otlp: {{protocols: {{http: {{endpoint: "127.0.0.1:{port}"}}}}}}}}
exporters: {{debug: {{verbosity: detailed}}}}
service:
  telemetry: {{metrics: {{level: none}}}}
  pipelines: {{traces: {{receivers: [otlp], exporters: [debug]}}}}
"""


@contextmanager
def collector(folder: Path) -> Iterator[tuple[int, Path]]:
    """A collector on this machine: its port, and what it writes of the spans it took."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "config.yaml").write_text(CONFIGURATION.format(port=port), "utf-8")
    log = folder / "collector.log"
    assert PROGRAM
    with log.open("wb") as out:
        process = subprocess.Popen(
            [PROGRAM, "--config", str(folder / "config.yaml")], stdout=out, stderr=out
        )
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, log.read_text("utf-8")
                time.sleep(0.05)
            yield port, log
        finally:
            process.terminate()
            process.wait(20)


@pytest.mark.skipif(PROGRAM is None, reason="no OpenTelemetry collector (otelcol) is on PATH")
def test_a_collector_takes_every_span(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, out = tmp_path / "t.jsonl", tmp_path / "spans.jsonl"
    for number in range(2):
        record(file, QUESTION, billing(), STEPS, NONE, PERMISSION, CITED, number=number)
    recorded.bareloop(capsys, monkeypatch)("export", file, "--otlp", out, "--content")
    lines = out.read_text("utf-8").splitlines()
    with collector(tmp_path) as (port, log):
        for line in lines:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            head = {"Content-Type": "application/json"}
            connection.request("POST", "/v1/traces", line.encode(), head)
            answer = connection.getresponse()
            body = answer.read().decode()
            assert (answer.status, "rejectedSpans" in body) == (200, False), body
            connection.close()
        for _ in range(100):
            if log.read_text("utf-8").count("invoke_agent bareloop") >= len(lines):
                break
            time.sleep(0.05)
    written = log.read_text("utf-8")
    assert written.count("invoke_agent bareloop") == len(lines) == 2
    assert written.count("execute_tool find_permission") == 4
