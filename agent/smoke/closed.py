"""Nothing leaves this machine while scripts run, unless the person said that it may."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from tools.loopback import is_loopback

_BY_ADDRESS = ("socket.connect", "socket.sendto", "socket.sendmsg")
_BY_NAME = ("socket.getaddrinfo", "socket.gethostbyname")

_open = True
_watched = False


class Closed(OSError):
    """A script tried to reach another machine; told as any other failure of the network is."""


@contextmanager
def closed(is_open: bool) -> Generator[None]:
    """Let sockets reach this machine only, within the block. An audit hook sees every socket that
    Python opens, whatever library asks for it, and cannot be taken away: so it is added once and
    switched."""
    global _open, _watched
    if not _watched and not is_open:
        sys.addaudithook(_watch)
        _watched = True
    before, _open = _open, is_open
    try:
        yield
    finally:
        _open = before


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if _open or event not in _BY_ADDRESS + _BY_NAME:
        return
    address = args[1] if event in _BY_ADDRESS else args[0]
    host = address[0] if isinstance(address, tuple) and address else address
    if event in _BY_ADDRESS and not isinstance(address, tuple):
        return  # a socket of the file system
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "localhost")
    if not is_loopback(text.partition("%")[0]):
        raise Closed(f"the network is closed: {text}")
