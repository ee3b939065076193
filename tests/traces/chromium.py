"""A headless Chromium, driven over the DevTools protocol through pipes: no port, no library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


class Chromium:
    """One tab. ``said`` is what the page wrote to its console, errors and refusals included."""

    def __init__(self, write: int, read: int) -> None:
        self._write = write
        self._read = os.fdopen(read, "rb", buffering=0)
        self._buffer = b""
        self._count = 0
        self._session: str | None = None
        self.said: list[str] = []
        self._requests: dict[str, str] = {}
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its result; what the page does meanwhile is kept."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = self._read.read(65_536)
            if not chunk:
                raise RuntimeError("Chromium has ended")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._keep(message)
        return message

    def _keep(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.consoleAPICalled":
                self.said += [str(each.get("value")) for each in params["args"]]
            case "Runtime.exceptionThrown":
                self.said.append(params["exceptionDetails"]["text"])
            case "Log.entryAdded":
                self.said.append(params["entry"]["text"])
            case "Network.requestWillBeSent":
                self._requests[params["requestId"]] = params["request"]["url"]
            case "Network.loadingFailed" if params.get("blockedReason") == "csp":
                self._requests.pop(params["requestId"], None)
            case _:
                pass

    @property
    def asked(self) -> list[str]:
        """The addresses that were asked for since the page was opened, its own among them."""
        return [*self._requests.values()]

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a page and wait until it is there."""
        self.said.clear()
        self.send("Page.navigate", url="about:blank")
        self._requests.clear()
        address = path.as_uri() + fragment
        self.send("Page.navigate", url=address)
        self.wait(f"document.readyState + location.href === {json.dumps('complete' + address)}")

    def value(self, expression: str) -> Any:
        """What a JavaScript expression is in the page."""
        done = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"])
        return done["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until a JavaScript expression is true, for ten seconds at most."""
        until = time.monotonic() + 10
        while not self.value(expression):
            if time.monotonic() > until:
                raise TimeoutError(expression)

    def press(self, key: str) -> None:
        """Press a key as a person does."""
        for kind in ("rawKeyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key)

    def click(self, selector: str) -> None:
        """Click the middle of the first element that fits."""
        place = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        x, y = place
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def resize(self, width: int, height: int = 900) -> None:
        """Show the page as on a screen of this width."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip

    def prefer(self, scheme: str) -> None:
        """Prefer a light or a dark theme, as a system does."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)


@contextmanager
def chromium(folder: Path) -> Iterator[Chromium]:
    """Start Chromium with a profile in ``folder``, and end it."""
    assert PROGRAM
    to_child, write = os.pipe()
    read, from_child = os.pipe()
    command = (
        f'exec "$0" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run '
        f'--disable-background-networking --remote-debugging-pipe --user-data-dir="$1" '
        f"3<&{to_child} 4>&{from_child}"
    )
    process = subprocess.Popen(
        ["bash", "-c", command, PROGRAM, str(folder)],
        pass_fds=(to_child, from_child),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "LANG": "C.UTF-8"},
    )
    os.close(to_child)
    os.close(from_child)
    try:
        yield Chromium(write, read)
    finally:
        os.close(write)
        process.terminate()
        process.wait(20)
