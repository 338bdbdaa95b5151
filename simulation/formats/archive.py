"""Zip archives behind a guard: every entry is unpacked once to count its bytes, before anything in it is read."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from simulation.formats.errors import FormatError
from simulation.formats.source import CHUNK, RATIO_COUNTS_FROM, Source

ENCRYPTED = 0x1
NAMED = "zip archive of "
"""What detectors get as text where the file is an archive, but no workbook: this, and the first names in it."""

_LOCAL_HEADER, _NAME_LENGTH_AT, _NAME_AT = b"PK\x03\x04", 26, 30
Inspect = Callable[[str, bytes], None]


def _inspect_nothing(entry: str, data: bytes) -> None:
    """Content of any kind is let through."""


def names_in(source: Source, what: str) -> set[str]:
    """Names of the entries; FormatError, saying that `what` was expected, where it is damaged or has too many."""
    with _opened(source, what) as archive:
        entries = archive.infolist()
        names = {entry.filename for entry in entries}
        if len(entries) > source.limits.archive_entries or len(names) != len(entries):
            expected = f"at most {source.limits.archive_entries:,} entries, each name once"
            raise FormatError(source.name, expected=expected)
        return names


def guard(source: Source, what: str, *, entry_bytes: int, inspect: Inspect = _inspect_nothing) -> None:
    """FormatError for whatever is hostile or broken in the archive. `inspect(entry, data)` sees all of the content."""
    limits, total = source.limits, 0
    with _opened(source, what) as archive:
        for entry in archive.infolist():
            total += _unpacked_size(archive, entry, source, what, entry_bytes, inspect)
            if total > limits.expanded_bytes:
                raise FormatError(source.name, expected=f"at most {limits.expanded_bytes:,} bytes when unpacked")


def member(source: Source, name: str) -> Source:
    """One entry of an archive that has passed the guard, as a source of its own."""
    source.stream.seek(0)
    archive = zipfile.ZipFile(source.stream)
    stream = cast(BinaryIO, archive.open(name))
    size = archive.getinfo(name).file_size
    return Source(f"{source.name}: {name}", stream, source.limits, source.sha256, size, source.interview)


def first_names(head: bytes) -> list[str]:
    """Names of the entries that begin in the first bytes of an archive."""
    names, at = [], head.find(_LOCAL_HEADER)
    while at >= 0:
        length = int.from_bytes(head[at + _NAME_LENGTH_AT : at + _NAME_LENGTH_AT + 2], "little")
        names.append(head[at + _NAME_AT : at + _NAME_AT + length].decode("utf-8", "replace"))
        at = head.find(_LOCAL_HEADER, at + _NAME_AT)
    return names


@contextmanager
def _opened(source: Source, what: str) -> Iterator[zipfile.ZipFile]:
    source.stream.seek(0)
    try:
        with zipfile.ZipFile(source.stream) as archive:
            yield archive
    except FormatError:
        raise
    except Exception:  # zipfile, zlib and struct each have errors of their own
        raise FormatError(source.name, expected=f"a sound {what}; this one is damaged") from None


def _unpacked_size(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, source: Source, what: str, entry_bytes: int, inspect: Inspect
) -> int:
    name, limits = source.name, source.limits
    if entry.flag_bits & ENCRYPTED:
        raise FormatError(name, value=entry.filename, expected=f"a {what} without a password")
    if entry.filename.startswith(("/", "\\")) or ".." in entry.filename or ":" in entry.filename:
        raise FormatError(name, value=entry.filename, expected=f"entries inside the {what}")
    size, tail = 0, b""
    with archive.open(entry) as stream:
        while chunk := stream.read(CHUNK):
            size += len(chunk)
            if size > entry_bytes:
                raise FormatError(name, value=entry.filename, expected=f"parts of at most {entry_bytes:,} bytes")
            if size > RATIO_COUNTS_FROM and size > limits.expansion_ratio * max(entry.compress_size, 1):
                raise FormatError(
                    name, value=entry.filename, expected=f"parts that unpack to at most {limits.expansion_ratio} times"
                )
            inspect(entry.filename, tail + chunk)
            tail = chunk[-16:]
    return size
