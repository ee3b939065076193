"""Bringing an index up to date with the files it is made of."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from os import stat_result
from pathlib import PurePosixPath

from tools.index.columns import Held, each_of, field_name
from tools.index.engine import IndexFault
from tools.index.index import Writer
from tools.index.reading import READER_VERSION, Content, ReadingError, read_content
from tools.index.reading.files import Found, Listing, Root, list_files, read_file
from tools.index.reading.rules import BUILT_IN
from tools.index.store import Chunk, Document

COMMIT_SECONDS = 5.0
"""How much work the end of the process can cost at most."""

_RACY_NS = 2_000_000_000
"""A file that was written so shortly before it was read may change without a newer time."""

_INODE = 2**63 - 1
"""Bits of a file's number that SQLite holds."""

Progress = Callable[[int, int, str], None]
"""Called with the files done, all files, and the path of the file that comes next."""


@dataclass
class Update:
    """What happened. ``failed`` are files that could not be read, with what was there before
    still found; ``partly`` are documents with parts that could not; ``vanished`` are files that
    were there when the folder was listed and not when they were to be read; paths as documents
    have them."""

    total: int = 0
    done: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    stopped: bool = False
    failed: list[tuple[str, ReadingError]] = field(default_factory=list[tuple[str, ReadingError]])
    partly: list[tuple[str, ReadingError]] = field(default_factory=list[tuple[str, ReadingError]])
    other: Counter[str] = field(default_factory=Counter[str])
    vanished: list[str] = field(default_factory=list[str])
    links: int = 0
    special: int = 0


def update(
    writer: Writer,
    roots: Sequence[Root],
    progress: Progress = lambda done, total, path: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.monotonic,
    *,
    may_empty: bool = False,
    reread: bool = False,
) -> Update:
    """Read what is new or changed under ``roots``, take out what has gone.

    Every few seconds what is done is committed, and ``stop`` ends the work before the next file:
    the next call goes on from there. Raises IndexFault when the disk is full, and ``index.emptied``
    where a root had documents and has none now, as a disk that is not mounted: nothing is taken out
    then, unless it ``may_empty`` the index. ``reread`` reads every file, also one that looks as it
    did.
    """
    listing = list_files(roots)
    told = Update(
        total=len(listing.files),
        other=listing.other,
        links=listing.links,
        special=listing.special,
    )
    told.failed.extend(listing.closed)
    known = writer.documents()
    if not may_empty:
        _check_emptied(known, roots, listing)
    for path in _gone(known, listing):
        writer.delete(path)
        told.removed += 1
    committed = clock()
    for found in listing.files:
        if stop():
            told.stopped = True
            writer.is_complete = False
            break
        progress(told.done, told.total, found.path)
        _take(writer, found, known.get(found.path), told, reread)
        told.done += 1
        if clock() - committed > COMMIT_SECONDS:
            writer.commit()
            committed = clock()
    progress(told.done, told.total, "")
    return told


def _check_emptied(known: Mapping[str, Document], roots: Sequence[Root], listing: Listing) -> None:
    there = [found.path for found in listing.files] + [folder for folder, _ in listing.closed]
    for root in roots:
        before = sum(path.startswith(root.prefix) for path in known)
        if before and not any(path.startswith(root.prefix) for path in there):
            raise IndexFault("emptied", path=root.path, count=before)


def _gone(known: dict[str, Document], listing: Listing) -> Iterator[str]:
    """Documents whose file is no longer there; of a folder that cannot be looked into, none."""
    there = {found.path for found in listing.files}
    closed = tuple(folder for folder, _ in listing.closed)
    for path in known:
        if path not in there and not path.startswith(closed):
            yield path


def _take(writer: Writer, found: Found, known: Document | None, told: Update, reread: bool) -> None:
    try:
        state = found.file.stat()
        if known is not None and not reread and _is_same(known, state, found):
            told.unchanged += 1
            told.partly.extend(_told(known))
            return
        data, state = read_file(found.file)
        document = _document(found, data, state)
        if known is not None and known.digest == document.digest:
            times = {name: getattr(document, name) for name in ("mtime_ns", "ctime_ns", "inode")}
            writer.touch(replace(known, size=document.size, **times))
            told.unchanged += 1
            told.partly.extend(_told(known))
            return
        content = read_content(found.path, data)
    except FileNotFoundError:
        told.vanished.append(found.path)
        if known is not None:
            writer.delete(found.path)
            told.removed += 1
        return
    except OSError as error:
        told.failed.append((found.path, ReadingError("unreadable", reason=error.strerror or "")))
        return
    except ReadingError as error:
        told.failed.append((found.path, error))
        return
    document = replace(
        document,
        title=content.title,
        fields={**document.fields, **_own(content.facets, document.fields)},
        problems=[(problem.fault, problem.values) for problem in content.problems],
    )
    writer.put(document, _chunks(document, content))
    told.partly.extend(_told(document))
    if known is None:
        told.added += 1
    else:
        told.changed += 1


def _told(document: Document) -> Iterator[tuple[str, ReadingError]]:
    """The parts of a document that could not be read, also when it was read by an earlier run."""
    for fault, values in document.problems:
        yield document.path, ReadingError(fault, **values)


def _chunks(document: Document, content: Content) -> Iterator[Chunk]:
    path = document.path
    name = PurePosixPath(path).with_suffix("").as_posix()
    for piece in content.pieces:
        above = dict.fromkeys([name, content.title, *piece.headings])
        yield Chunk(
            id=f"{path}:{piece.place}",
            text=piece.text,
            context=" ".join(filter(None, above)),
            fields=_own(piece.fields, document.fields),
            line=piece.line,
            page=piece.page or None,
        )


def _own(fields: Mapping[str, Held], by_place: Mapping[str, Held]) -> dict[str, Held]:
    """Fields that a document or a row gives itself. They come before those that it has by its
    place, but the built-in ones, which stay beside them."""
    return {
        name: (*each_of(by_place.get(name)), *each_of(held)) if name in BUILT_IN else held
        for name, held in _named(fields).items()
    }


def _named(fields: Mapping[str, Held]) -> dict[str, Held]:
    return {field_name(name): value for name, value in fields.items() if field_name(name)}


def _reader(found: Found) -> str:
    """Changes when the same bytes would be read otherwise."""
    return f"{READER_VERSION}-{found.rules.digest[:12]}-"


def _is_same(known: Document, state: stat_result, found: Found) -> bool:
    """Whether a file need not be read: same size, same times (whoever sets the one of its content
    back cannot set back the one of its entry), the same file, and read the same way."""
    return (
        known.size == state.st_size
        and known.mtime_ns == state.st_mtime_ns
        and known.ctime_ns == state.st_ctime_ns
        and known.inode == state.st_ino & _INODE
        and known.digest.startswith(_reader(found))
    )


def _document(found: Found, data: bytes, state: stat_result) -> Document:
    is_racy = time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) < _RACY_NS
    return Document(
        path=found.path,
        digest=_reader(found) + sha256(data).hexdigest(),
        size=state.st_size,
        mtime_ns=0 if is_racy else state.st_mtime_ns,
        fields=_named(found.rules.fields(found.path, found.inside)),
        ctime_ns=state.st_ctime_ns,
        inode=state.st_ino & _INODE,
    )
