"""A zip from elsewhere as files in memory, or one sentence why not. Nothing is written, nothing is run.

Sizes are counted while reading: what the headers of an archive say is never believed.
"""

from __future__ import annotations

import gzip
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from typing import IO

from simulation.bundles.archive import ENTRIES, ENTRY_BYTES, RATIO, TOTAL_BYTES
from simulation.bundles.errors import BundleError
from simulation.bundles.layout import JOBS, permitted

_CHUNK = 1 << 16
_SMALL = 1 << 16
"""A file up to this size may be packed as tightly as it likes."""
_END = struct.Struct("<4s4H2LH")
_ENTRY_OF_DIRECTORY = 46 + 200
"""Bytes that one file takes in the directory of an archive, its name included, at most."""
_FORBIDDEN_STARTS = {
    b"PK\x03\x04": "an archive inside the archive",
    b"\x7fELF": "a program",
    b"MZ": "a program",
    b"#!": "a program",
    b"\xca\xfe\xba\xbe": "a program",
}


def unpack(content: bytes) -> dict[str, bytes]:
    """The files of a bundle by name. BundleError says in one sentence what is wrong, and with which file."""
    _refuse_shape(content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            _refuse_entries(entries, len(content))
            return _read_all(archive, entries)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        raise BundleError(f"the archive is damaged: {str(error)[:200]}") from None


def _refuse_shape(content: bytes) -> None:
    """Exactly one plain zip, from the first byte to the last, with a directory of a sane size."""
    if len(content) > TOTAL_BYTES:
        raise BundleError(f"the archive has {len(content):,} bytes; a bundle has at most {TOTAL_BYTES:,}")
    if content[:4] != b"PK\x03\x04" or len(content) < _END.size:
        raise BundleError("this is no zip archive")
    mark, _, _, _, entries, size, _, comment = _END.unpack(content[-_END.size :])
    if mark != b"PK\x05\x06" or comment:
        raise BundleError("the archive does not end where a zip ends")
    if entries > ENTRIES or size > ENTRIES * _ENTRY_OF_DIRECTORY:
        raise BundleError(f"the archive has more than {ENTRIES:,} files")


def _refuse_entries(entries: Sequence[zipfile.ZipInfo], size: int) -> None:
    if len(entries) > ENTRIES:
        raise BundleError(f"the archive has more than {ENTRIES:,} files")
    seen: set[str] = set()
    for entry in entries:
        _refuse_name(entry.orig_filename)
        if entry.filename in seen:
            raise BundleError(f"{entry.filename} stands in the archive twice")
        seen.add(entry.filename)
        _refuse_kind(entry)
    ordered = sorted(entries, key=lambda e: e.header_offset)
    if not ordered or ordered[0].header_offset != 0:
        raise BundleError("the archive does not begin with its first file")
    ends = [e.header_offset for e in ordered[1:]] + [size]
    for entry, end in zip(ordered, ends, strict=True):
        if entry.header_offset + 30 + len(entry.orig_filename) + entry.compress_size > end:
            raise BundleError(f"{entry.filename} overlaps another file of the archive")


def _refuse_name(name: str) -> None:
    shown = name if len(name) <= 80 else f"{name[:77]}..."
    if not name.isascii() or not name.isprintable():
        raise BundleError(f"{shown!r}: a name in a bundle is plain ASCII")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/"):
        raise BundleError(f"{shown!r} points outside the bundle")
    if not permitted(name):
        raise BundleError(f"{shown!r} is no file of a bundle")


def _refuse_kind(entry: zipfile.ZipInfo) -> None:
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise BundleError(f"{entry.filename} is a link, a folder or a device, not a file")
    if mode & 0o111:
        raise BundleError(f"{entry.filename} is marked as a program")
    if entry.flag_bits & 0x1:
        raise BundleError(f"{entry.filename} is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BundleError(f"{entry.filename} is packed in a way that a bundle does not use")


def _read_all(archive: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = TOTAL_BYTES
    for entry in entries:
        content = _read(archive, entry, left)
        left -= len(content)
        _refuse_content(entry.filename, content)
        files[entry.filename] = content
    return files


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    with archive.open(entry) as stream:
        return _counted(stream, entry.filename, entry.compress_size, left)


def _counted(stream: IO[bytes] | gzip.GzipFile, name: str, packed: int, left: int) -> bytes:
    """All of `stream`, given up at the first byte too many."""
    taken = bytearray()
    while chunk := stream.read(_CHUNK):
        taken += chunk
        if len(taken) > left:
            raise BundleError(f"{name}: the archive unpacks to more than {TOTAL_BYTES:,} bytes")
        if len(taken) > ENTRY_BYTES:
            raise BundleError(f"{name} unpacks to more than {ENTRY_BYTES:,} bytes")
        if len(taken) > max(_SMALL, RATIO * packed):
            raise BundleError(f"{name} unpacks to more than {RATIO} times its size")
    return bytes(taken)


def _refuse_content(name: str, content: bytes) -> None:
    if name == JOBS:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            content = _counted(stream, name, len(content), ENTRY_BYTES)
    for start, what in _FORBIDDEN_STARTS.items():
        if content.startswith(start):
            raise BundleError(f"{name} is {what}, not what its name says")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise BundleError(f"{name}: byte {error.start + 1:,} is not UTF-8") from None
    if "\x00" in text:
        raise BundleError(f"{name} contains NUL characters")
