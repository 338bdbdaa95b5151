"""Files as one zip whose bytes depend on their names and contents alone."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from typing import Final

from simulation.bundles.errors import BundleError

TOTAL_BYTES: Final = 200 * 10**6
ENTRY_BYTES: Final = 50 * 10**6
ENTRIES: Final = 1_000
RATIO: Final = 100
"""Unpacked over packed size of one file; what would be packed tighter is stored as it is."""

_NO_TIME = (1980, 1, 1, 0, 0, 0)
_PLAIN_FILE = 0o100644 << 16
_UNIX = 3


def pack(files: Mapping[str, bytes]) -> bytes:
    """A zip of `files` (name -> content), sorted, without times and owners: equal content gives equal bytes.

    BundleError where it would be larger than what a reader of bundles takes.
    """
    _refuse_large(files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.create_system, entry.external_attr = _UNIX, _PLAIN_FILE
            entry.compress_type = _method(files[name])
            archive.writestr(entry, files[name], compresslevel=6)
    return out.getvalue()


def _method(content: bytes) -> int:
    packed = len(zlib.compress(content, 6))
    return zipfile.ZIP_STORED if len(content) > RATIO // 2 * packed else zipfile.ZIP_DEFLATED


def _refuse_large(files: Mapping[str, bytes]) -> None:
    total = sum(map(len, files.values()))
    if len(files) > ENTRIES:
        raise BundleError(f"the bundle would have {len(files):,} files; a bundle has at most {ENTRIES:,}")
    if total > TOTAL_BYTES:
        raise BundleError(f"the bundle would hold {total:,} bytes; a bundle holds at most {TOTAL_BYTES:,}")
    for name, content in files.items():
        if len(content) > ENTRY_BYTES:
            raise BundleError(f"{name} would have {len(content):,} bytes; a file has at most {ENTRY_BYTES:,}")
