"""A search server as a person names it, and what can go wrong on the way to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from tools.index.engine import IndexFault
from tools.loopback import is_loopback
from tools.patterns import lazy_pattern

PORT = 9200
MOST_SHARDS = 64

_URL = lazy_pattern(
    r"opensearch(?P<plain>\+http)?://(?P<hosts>[^/?#\s]+)(?:/(?P<prefix>[^/?#\s]*)/?)?"
    r"(?:\?(?P<options>[^#\s]*))?",
    re.IGNORECASE,
)
_HOST = lazy_pattern(r"(?P<name>\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::(?P<port>\d{1,5}))?", re.ASCII)
_PREFIX = lazy_pattern(r"[a-z0-9][a-z0-9_-]{0,59}")


class ServerFault(IndexFault):
    """A search server that could not be asked, so that nothing is known about what it holds. Keys:
    ``index.server_down``, ``index.server_login``, ``index.server_tls``, ``index.server_other`` (it
    is no OpenSearch), ``index.server_old``, ``index.server_busy``, ``index.server_parts`` (shards
    are missing), ``index.server_refused``, ``index.server_ca`` (no file of certificates)."""


@dataclass(frozen=True)
class Login:
    """How this machine proves who it is, and whom it trusts. ``password`` never appears in
    ``repr``; ``ca_file`` is empty for the certificates of the system."""

    user: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""


ANONYMOUS = Login()


@dataclass(frozen=True)
class Server:
    """One cluster: the ``hosts`` (name, port) to ask in turn, by TLS unless ``plain``; ``prefix``
    begins the name of everything of ours there; ``shards`` are those of a new index."""

    hosts: tuple[tuple[str, int], ...]
    plain: bool = False
    prefix: str = "bareloop"
    shards: int = 1

    @classmethod
    def parse(cls, url: str) -> Server:
        """The server that a URL names: ``opensearch://host:9200/prefix?shards=2``, with several
        hosts between commas. Without TLS it is ``opensearch+http://``, within this machine only.
        Raises IndexFault for anything else, ``index.server_password`` for one that holds a
        password; no URL is repeated there."""
        if "@" in url:
            raise IndexFault("server_password")
        match = _URL.fullmatch(url.strip())
        hosts = [_HOST.fullmatch(each) for each in match["hosts"].split(",")] if match else [None]
        places = [(each["name"], int(each["port"] or PORT)) for each in hosts if each]
        if match is None or len(places) < len(hosts) or max(port for _, port in places) > 65535:
            raise IndexFault("engine")
        plain = bool(match["plain"])
        if plain and not all(is_loopback(name) for name, _ in places):
            raise IndexFault("server_plain")
        prefix, shards = match["prefix"] or "bareloop", _shards(match["options"] or "")
        if not _PREFIX.fullmatch(prefix):
            raise IndexFault("server_prefix")
        return cls(tuple(places), plain, prefix, shards)

    def is_near(self, url: str, prefix: str = "") -> bool:
        """Whether ``url`` names the same cluster, as far as one can tell: by a host of both; and,
        if given, this prefix."""
        other = Server.parse(url) if url else None
        shared = other is not None and set(self.hosts) & set(other.hosts)
        return bool(shared) and prefix in ("", other.prefix if other else "")

    def holds(self, url: str) -> bool:
        """Whether an index that was made at ``url`` can stay as it is."""
        return self.is_near(url, self.prefix) and Server.parse(url).shards == self.shards

    @property
    def url(self) -> str:
        """How a person writes it; it holds nothing that is secret."""
        scheme = "opensearch+http" if self.plain else "opensearch"
        options = f"?shards={self.shards}" if self.shards != 1 else ""
        return f"{scheme}://{self.told}/{self.prefix}{options}"

    @property
    def told(self) -> str:
        """The hosts, for a sentence."""
        return ",".join(f"{name}:{port}" for name, port in self.hosts)


def _shards(options: str) -> int:
    given = dict(parse_qsl(options, keep_blank_values=True))
    written = given.pop("shards", "1")
    if given or not written.isascii() or not written.isdigit():
        raise IndexFault("engine")
    if not 1 <= int(written) <= MOST_SHARDS:
        raise IndexFault("engine")
    return int(written)
