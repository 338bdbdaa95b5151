"""Archives that somebody made in order to do harm, each with words of the sentence by which it must be refused."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache

from simulation.bundles.archive import pack
from simulation.bundles.checksums import checksum_list
from simulation.bundles.guard import unpack
from simulation.bundles.layout import CHECKSUMS

Hostile = tuple[str, bytes, str]

SLIP_NAMES = (
    "../x", "../../etc/passwd", "inputs/../../x", "/etc/passwd", "//host/share", "\\windows\\x", "..\\..\\x", "C:/x",
    "c:x", "inputs/..\\x", "outputs/../run.json", "./../x", "a/b/../../../x", "~/../x", "file:///etc/passwd",
)  # fmt: skip
ODD_NAMES = (
    "x", "run.json ", " run.json", "run.json/", "RUN.JSON", "inputs", "inputs/", "inputs/scenario.json/x", ".hidden",
    "inputs/evil.py", "outputs/x.sh", "setup.py", "x.exe", "outputs/figures/x.html", "inputs/scenarios/1.json",
    "inputs/scenarios/00000.json", "inputs/workloads/ABCDEFABCDEF.json", "a" * 300, "inputs/" + "b/" * 120 + "c",
    "ru\u0301n.json", "run.json\u200b", "\u202enosj.nur", "run\uff0ejson", "run.json\n", "run\x01.json", "\u65e5\u672c",
    "outputs/\u2024\u2024/x", "CON", "nul.txt", "aux.json", "run.json::$DATA", "%2e%2e/x", "inputs/%2e%2e/x", "*", "?",
)  # fmt: skip
MODES = {"link": 0o120777, "folder": 0o040755, "character device": 0o020666, "block device": 0o060666,
         "pipe": 0o010644, "socket": 0o140644}  # fmt: skip
EXECUTABLE = (0o100755, 0o100744, 0o100654, 0o100645)
PROGRAMS = (b"\x7fELF\x02\x01", b"MZ\x90\x00", b"#!/bin/sh\nrm -rf /\n", b"\xca\xfe\xba\xbe\x00")


def hostile_archives(bundle: bytes) -> Iterator[Hostile]:
    """More than two hundred, each made out of an honest `bundle`."""
    files = unpack(bundle)
    yield from _names(files)
    yield from _kinds(files)
    yield from _bombs(files)
    yield from _contents(files)
    yield from _lies(files)
    yield from _shapes(bundle)
    yield from _damaged(bundle)


def _zip(files: dict[str, bytes], extra: list[tuple[zipfile.ZipInfo, bytes]] = ()) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        for entry, content in extra:
            archive.writestr(entry, content)
    return out.getvalue()


def signed(files: dict[str, bytes]) -> dict[str, bytes]:
    """With checksums that are right."""
    bare = {name: content for name, content in files.items() if name != CHECKSUMS}
    return {**bare, CHECKSUMS: checksum_list(bare)}


def _names(files: dict[str, bytes]) -> Iterator[Hostile]:
    for name in SLIP_NAMES:
        yield f"path {name}", _zip(signed({**files, name: b"x"})), "points outside the bundle|plain ASCII"
    for name in ODD_NAMES:
        yield f"name {name[:20]!r}", _zip(signed({**files, name: b"x"})), "no file of a bundle|plain ASCII|outside"
    for name in ("run.json", "inputs/scenario.json", CHECKSUMS, "README.md"):
        twice = [(zipfile.ZipInfo(name), b"other")]
        yield f"twice {name}", _quietly(lambda twice=twice: _zip(files, twice)), "twice|overlaps"


def _quietly(make: Callable[[], bytes]) -> bytes:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile warns of the duplicate that is wanted here
        return make()


def _kinds(files: dict[str, bytes]) -> Iterator[Hostile]:
    for place in ("run.json", "outputs/front.csv", "README.md"):
        rest = {name: content for name, content in files.items() if name != place}
        for what, mode in MODES.items():
            yield f"{what} {place}", _zip(rest, [(_entry(place, mode), b"/etc/passwd")]), "a link, a folder or a device"
        for mode in EXECUTABLE:
            yield f"mode {mode:o} {place}", _zip(rest, [(_entry(place, mode), files[place])]), "marked as a program"
    for name in ("run.json", "README.md"):
        yield f"encrypted {name}", _flagged(_zip(files), name), "encrypted|damaged"
        for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            rest = {key: content for key, content in files.items() if key != name}
            yield f"method {method} {name}", _zip(rest, [(entry, files[name])]), "packed in a way"


def _entry(name: str, mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, mode << 16
    return entry


def _flagged(archive: bytes, name: str) -> bytes:
    """`archive` whose directory says that `name` is encrypted."""
    at = archive.rindex(b"PK\x01\x02", 0, archive.rindex(name.encode()))
    return archive[: at + 8] + struct.pack("<H", 1) + archive[at + 10 :]


def _bombs(files: dict[str, bytes]) -> Iterator[Hostile]:
    for name in ("README.md", "outputs/front.csv", "inputs/scenario.json"):
        for size in (10**7, 10**8, 5 * 10**8):
            yield f"bomb {name} {size}", _bomb(files, name, size), "unpacks to more than"
    for said in (0, 10, 1000):
        yield (
            f"bomb that says {said}",
            _bomb(files, "README.md", 10**8, said),
            "unpacks to more than|damaged|was changed",
        )
    many = {f"inputs/scenarios/{i:04}.json": b"{}" for i in range(1_001)}
    yield "too many files", _zip({**files, **many}), "more than 1,000 files"
    yield "far too many files", _zip({f"inputs/scenarios/{i:04}.json": b"" for i in range(9_999)}), "more than 1,000"
    wide = dict.fromkeys((f"inputs/scenarios/{i:04}.json" for i in range(200)), _stretched(1_100_000))
    yield "too much in all", _zip({**files, **wide}), "unpacks to more than 200,000,000"


def _stretched(size: int) -> bytes:
    """Text that packs well, and not so well that it would be refused for that alone."""
    rng = random.Random(5)
    return b"".join(bytes([rng.randrange(32, 127)]) * 64 for _ in range(size // 64))


def _stored(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def _bomb(files: dict[str, bytes], name: str, size: int, said: int | None = None) -> bytes:
    """`name` replaced by very many zeros, packed; with `said`, headers that lie about how many."""
    entry = zipfile.ZipInfo(name)
    rest = _zip({key: content for key, content in files.items() if key != name})
    return _with_raw(rest, entry.filename, _zeros(size), size if said is None else said)


@cache
def _zeros(size: int) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join(squeeze.compress(b"0" * 10**6) for _ in range(size // 10**6)) + squeeze.flush()


def _with_raw(archive: bytes, name: str, packed: bytes, said: int) -> bytes:
    """`archive` with one more entry, written by hand."""
    *_, count, _, size, offset, _ = struct.unpack("<4s4H2LH", archive[-22:])
    body, directory = archive[:offset], archive[offset : offset + size]
    common = struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 33, 0, len(packed), said, len(name), 0)
    local = b"PK\x03\x04" + common + name.encode() + packed
    central = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHLL", 0, 0, 0, 0, offset) + name.encode()
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, count + 1, count + 1, size + len(central), offset + len(local), 0
    )
    return body + local + directory + central + end


def _contents(files: dict[str, bytes]) -> Iterator[Hostile]:
    nested = pack({"run.json": b"{}"})
    for name in ("README.md", "run.json", "outputs/metrics.csv", "inputs/scenario.json", "environment/python.txt"):
        yield f"nested {name}", _zip(signed({**files, name: nested})), "an archive inside the archive"
        for program in PROGRAMS:
            yield f"program {program[:4]!r} {name}", _zip(signed({**files, name: program})), "is a program"
        for text in (b"\xff\xfe" + "x".encode("utf-16-le"), b"caf\xe9", b"\xed\xa0\x80", b"\xc0\xaf"):
            yield f"encoding {text!r} {name}", _zip(signed({**files, name: text})), "is not UTF-8|NUL"
        yield f"NUL {name}", _zip(signed({**files, name: b"a\x00b"})), "NUL"
    packed_bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = packed_bomb.compress(b"0" * 10**8) + packed_bomb.flush()
    yield "bomb in the packed table", _stored(signed({**files, "outputs/jobs.csv.gz": bomb})), "unpacks to more than"
    yield "no packed table", _zip(signed({**files, "outputs/jobs.csv.gz": b"id,tenant\n"})), "damaged"


def _lies(files: dict[str, bytes]) -> Iterator[Hostile]:
    for name in sorted(files.keys() - {CHECKSUMS}):
        changed = files[name] + b"\n" if not name.endswith(".gz") else files[name][:-8] + b"\x00" * 8
        yield f"changed {name}", _zip({**files, name: changed}), "was changed|damaged"
        missing = {key: content for key, content in files.items() if key != name}
        yield f"missing {name}", _zip(missing), "is not there"
        short = b"".join(line for line in files[CHECKSUMS].splitlines(True) if name.encode() not in line)
        yield f"not listed {name}", _zip({**files, CHECKSUMS: short}), "is not listed"
    yield "extra file", _zip({**files, "inputs/study.json": b"{}"}), "inputs/study.json is not listed"
    yield "no checksums", _zip({n: c for n, c in files.items() if n != CHECKSUMS}), "is missing"
    for text in (b"", b"garbage\n", b"0" * 64 + b" run.json\n", files[CHECKSUMS] * 2, b"../x\n"):
        yield f"checksums {text[:10]!r}", _zip({**files, CHECKSUMS: text}), "expected a sha256|is not listed"
    for name in ("run.json", "inputs/scenario.json"):
        for text in (b"", b"[]", b"{}", b"null", b"[" * 100_000, b'{"a": NaN}', b'{"version": 99}'):
            yield f"{name} is {text[:10]!r}", _zip(signed({**files, name: text})), name.replace(".", r"\.")


def _shapes(bundle: bytes) -> Iterator[Hostile]:
    yield "a program in front", b"MZ" + b"\x00" * 100 + bundle, "no zip archive"
    yield "a page in front", b"<script>alert(1)</script>" + bundle, "no zip archive"
    yield "something behind", bundle + b"#!/bin/sh\n", "does not end where a zip ends"
    yield "two archives", bundle + bundle, "does not begin with its first file"
    comment = bundle[:-2] + struct.pack("<H", 5) + b"hello"
    yield "with a comment", comment, "does not end where a zip ends"
    yield "overlapping", _overlapping(bundle), "overlaps|damaged"
    for content in (b"", b"P", b"PK\x05\x06" + b"\x00" * 18, b"Rar!\x1a\x07\x00", b"\x1f\x8b\x08\x00", b"7z\xbc\xaf"):
        yield f"other {content[:4]!r}", content, "no zip archive"


def _overlapping(bundle: bytes) -> bytes:
    """The directory's second entry points to the first one's content."""
    first = bundle.index(b"PK\x01\x02")
    second = bundle.index(b"PK\x01\x02", first + 4)
    return bundle[: second + 42] + bundle[first + 42 : first + 46] + bundle[second + 46 :]


def _damaged(bundle: bytes) -> Iterator[Hostile]:
    """Cut off, or with one byte changed somewhere inside: never taken as it is."""
    rng = random.Random(11)
    for _ in range(12):
        cut = rng.randrange(1, len(bundle) - 1)
        yield f"cut at {cut}", bundle[:cut], "."
    for _ in range(24):
        at = rng.randrange(200, len(bundle) // 2)
        yield f"byte {at}", bundle[:at] + bytes([bundle[at] ^ 0x5A]) + bundle[at + 1 :], "."
