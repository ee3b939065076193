"""html.duckduckgo.com on this machine: a proxy that ends TLS itself and plays prepared pages.

A client is sent here by HTTPS_PROXY and trusts the certificate by SSL_CERT_FILE: nothing in the
program under test is switched off or replaced, and nothing is looked up or passed on.
"""

from __future__ import annotations

import atexit
import functools
import gzip
import shutil
import socket
import ssl
import struct
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

HOST = "html.duckduckgo.com"


@dataclass(frozen=True)
class Page:
    """What to answer with. ``fault`` names what goes wrong on the way."""

    body: bytes | str = ""
    status: int = 200
    fault: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def raw(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


@dataclass(frozen=True)
class Request:
    """One request that arrived inside TLS."""

    method: str
    path: str
    form: dict[str, str]


class Site(ThreadingHTTPServer):
    """Plays ``play``ed pages in order, the last one for good; keeps what arrived."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.trusted, served = certificates()
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(served)
        self.tls.set_alpn_protocols(["http/1.1"])
        self.proxy_url = f"http://127.0.0.1:{self.server_port}"
        self.pages: list[Page] = []
        self.requests: list[Request] = []
        self.connects: list[str] = []
        self.closing = threading.Event()

    @property
    def environ(self) -> dict[str, str]:
        """What sends a client here, and makes it trust what it finds."""
        return {"HTTPS_PROXY": self.proxy_url, "SSL_CERT_FILE": str(self.trusted)}

    def play(self, *pages: Page) -> None:
        self.pages = list(pages)

    def next_page(self) -> Page:
        return self.pages.pop(0) if len(self.pages) > 1 else self.pages[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is part of the play."""


@contextmanager
def open_site() -> Iterator[Site]:
    """The site, until the block ends. No other host may have been asked for by then."""
    site = Site()
    threading.Thread(target=site.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield site
    finally:
        site.closing.set()
        site.shutdown()
        site.server_close()
    assert set(site.connects) <= {f"{HOST}:443"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Site

    def do_CONNECT(self) -> None:
        self.server.connects.append(self.path)
        if self.path != f"{HOST}:443":
            self.send_error(403)
            return
        self.send_response(200)
        self.end_headers()
        inside = self.server.tls.wrap_socket(self.connection, server_side=True)
        self.connection = inside
        self.rfile, self.wfile = inside.makefile("rb"), inside.makefile("wb", 0)
        self.close_connection = False

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = dict(parse_qsl(sent, keep_blank_values=True, strict_parsing=True))
        self.server.requests.append(Request(self.command, urlsplit(self.path).path, form))
        page = self.server.next_page()
        getattr(self, f"_{page.fault or 'whole'}")(page)

    def _whole(self, page: Page) -> None:
        self._head(page, len(page.raw))
        self.wfile.write(page.raw)

    def _silence(self, page: Page) -> None:
        self._stop()

    def _drip(self, page: Page) -> None:
        """A byte now and then: never silent for long, never done."""
        self._head(page, 1_000_000)
        while not self.server.closing.wait(0.05):
            self.wfile.write(b" ")

    def _drop(self, page: Page) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._close()

    def _cut(self, page: Page) -> None:
        self._head(page, len(page.raw))
        self.wfile.write(page.raw[: len(page.raw) // 2])
        self._close()

    def _zipped(self, page: Page) -> None:
        packed = gzip.compress(page.raw, 1)
        self._head(page, len(packed), {"Content-Encoding": "gzip"})
        self.wfile.write(packed)

    def _stop(self) -> None:
        self.server.closing.wait(20)
        self.close_connection = True

    def _close(self) -> None:
        self.close_connection = True
        self.connection.close()

    def _head(self, page: Page, length: int, more: dict[str, str] | None = None) -> None:
        self.send_response(page.status)
        usual = {"Content-Type": "text/html; charset=UTF-8", "Content-Length": str(length)}
        for name, value in (usual | page.headers | (more or {})).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


def results_page(*rows: str, title: str = "query at DuckDuckGo") -> str:
    """A page of results, in the shape of the real ones as far as a parser looks at it."""
    listed = "".join(rows)
    return (
        '<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; '
        f'charset=UTF-8"><title>{escape(title)}</title></head><body><div id="links" '
        f'class="results">{listed}</div></body></html>'
    )


def row(title: str, url: str, snippet: str) -> str:
    """One result. Texts are escaped here as the site does."""
    href = escape(url)
    return (
        '<div class="result results_links web-result"><div class="links_main result__body">'
        f'<h2 class="result__title"><a class="result__a" href="{href}">{escape(title)}</a></h2>'
        f'<a class="result__snippet" href="{href}">{escape(snippet)}</a></div></div>'
    )


def no_results_page(query: str = "query") -> str:
    """The page for a query that has no results; it repeats the query, as the real one does."""
    return results_page(
        '<div class="result results_links result--no-result"><div class="no-results">'
        f'No  results.</div></div><input value="{escape(query)}">'
    )


CHALLENGE = results_page(
    '<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html" method="POST">'
    '<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>'
)
"""The page that asks for a person; it comes with status 202, sometimes with 200."""


@functools.cache
def certificates(host: str = HOST) -> tuple[Path, Path]:
    """(the file to trust, the file of the site): an authority of our own and its certificate for
    ``host``, valid for a day. One pair for the whole process, because the library's HTTP client
    reads the file to trust once and for all."""
    is_address = host.replace(".", "").isdigit()
    subject = x509.IPAddress(ip_address(host)) if is_address else x509.DNSName(host)
    authority_key = ec.generate_private_key(ec.SECP256R1())
    site_key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority of the tests")])
    authority = (
        _certificate(name, authority_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .issuer_name(name)
        .sign(authority_key, hashes.SHA256())
    )
    site = (
        _certificate(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)]), site_key)
        .add_extension(x509.SubjectAlternativeName([subject]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .issuer_name(name)
        .sign(authority_key, hashes.SHA256())
    )
    folder = tempfile.mkdtemp(prefix="certificates-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    trusted, served = Path(folder, "authority.pem"), Path(folder, "site.pem")
    trusted.write_bytes(authority.public_bytes(Encoding.PEM))
    key = site_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    served.write_bytes(key + site.public_bytes(Encoding.PEM))
    return trusted, served


def _certificate(name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now().astimezone()
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
    )
