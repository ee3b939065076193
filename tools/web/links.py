"""Links of search results: where they lead, and which of them lead to the same page."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

from tools.patterns import lazy_pattern
from tools.web.cleaning import visible

LONGEST = 1_000
"""Characters of an address that is kept; a longer one is no source anybody could check."""

_REDIRECT = lazy_pattern(r"https?://(?:[\w-]+\.)*duckduckgo\.com/l/\?(?:[^#]*?&)?uddg=(.+)", re.I)
_ADVERTISEMENT = lazy_pattern(r"https?://(?:[\w-]+\.)*duckduckgo\.com/y\.js", re.I)
_TRACKING = lazy_pattern(
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|napm", re.I
)
_HOST = lazy_pattern(r"[^\W_][\w-]*(?:\.[^\W_][\w-]*)*\.?")
_ESCAPES = lazy_pattern(r"(?:%[0-9a-f]{2})+", re.I)
_USUAL_PORTS = {"http": 80, "https": 443}
_UNSAFE = lazy_pattern(r"[^\w\-.~/?#!$&'()*+,;=:@%]")


def page_address(href: object) -> str | None:
    """The http or https address that a result leads to: redirects of the search site undone,
    tracking parameters left out, nothing in it that could be read as more than an address. None
    for every other kind of link, and for advertisements."""
    if not isinstance(href, str) or len(href) > 4 * LONGEST:
        return None
    link = visible(href)
    link = _target("https:" + link if link.startswith("//") else link)
    if _ADVERTISEMENT.match(link) or _REDIRECT.match(link):
        return None
    try:
        parts = urlsplit(link)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or "@" in parts.netloc:
        return None
    if not _HOST.fullmatch(host):
        return None
    query = "&".join(each for each in parts.query.split("&") if not _is_tracking(each))
    fragment = parts.fragment.partition(":~:")[0]
    address = f"{parts.scheme.lower()}://{host}" + (f":{port}" if port else "")
    address += _safe(parts.path) or "/"
    address += (f"?{_safe(query)}" if query else "") + (f"#{_safe(fragment)}" if fragment else "")
    return address if len(address) <= LONGEST else None


def page_key(address: str) -> str:
    """Equal for two addresses of one page: scheme, usual port, closing slash and the place within
    the page make no difference."""
    parts = urlsplit(address)
    port = "" if parts.port in (None, 80, 443) else f":{parts.port}"
    path = unquote(parts.path).rstrip("/")
    return f"{(parts.hostname or '').rstrip('.')}{port}{path}?{unquote(parts.query)}"


def resolved(address: str) -> str:
    """An address without its scheme, as a browser comes to it: dot segments followed, letters that
    need no escape without one, the usual port and the place within the page left out."""
    parts = urlsplit(address)
    port = "" if parts.port in (None, _USUAL_PORTS.get(parts.scheme)) else f":{parts.port}"
    query = f"?{readable(parts.query)}" if parts.query else ""
    path = _without_dots(readable(parts.path))
    return f"{(parts.hostname or '').rstrip('.')}{port}{path}{query}"


def readable(part: str) -> str:
    """A part of an address without the escapes that it does not need: of letters and digits of
    every script, and of ``-._~``. Every other escape keeps its meaning, in capitals."""
    return _ESCAPES.sub(_shown, part)


def _shown(escapes: re.Match[str]) -> str:
    told = unquote(escapes[0], errors="surrogateescape")
    return "".join(each if each.isalnum() or each in "-._~" else _escaped(each) for each in told)


def _escaped(letter: str) -> str:
    return quote(letter.encode("utf-8", "surrogateescape"), safe="")


def _without_dots(path: str) -> str:
    """RFC 3986, section 5.2.4, for a path that begins at the root."""
    kept: list[str] = []
    pieces = path.split("/")[1:]
    for piece in pieces:
        if piece == "..":
            del kept[-1:]
        elif piece != ".":
            kept.append(piece)
    if pieces and pieces[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def host_of(address: str) -> str:
    """The site of an address, for a result without a title."""
    return urlsplit(address).hostname or ""


def is_of(address: str, site: str) -> bool:
    """Whether an address is of the host ``site`` or one below it; every address is of ""."""
    host = host_of(address).rstrip(".")
    return not site or host == site or host.endswith(f".{site}")


def is_host(name: str) -> bool:
    """Whether ``name`` is a host as addresses have it: no scheme, no path, no capitals."""
    return bool(_HOST.fullmatch(name)) and name == name.lower() and not name.endswith(".")


def _target(link: str) -> str:
    """Where the search site's own redirect leads. The library has decoded the link once, so that
    the target's parameters may stand among those of the redirect."""
    match = _REDIRECT.match(link)
    if not match:
        return link
    inner = match[1]
    if re.match(r"https?%3a", inner, re.I):
        return unquote(inner.partition("&")[0])
    return re.sub(r"&rut=\w*$", "", inner)


def _is_tracking(parameter: str) -> bool:
    return bool(_TRACKING.fullmatch(parameter.partition("=")[0]))


def _safe(part: str) -> str:
    """Letters of every script stay readable; what is no part of an address is escaped."""
    return _UNSAFE.sub(lambda found: quote(found[0]), part)
