"""Opening a file safely: size and expansion guards, gzip, text encodings, and lines that cannot be endless."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from simulation.formats.encoding import EncodingScan, scan
from simulation.formats.errors import FormatError
from simulation.formats.interview import Interview
from simulation.formats.limits import Limits
from simulation.formats.reading import RAW_CHARS, Question

CHUNK = 65_536
GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
HEAD_LINES = 20
RATIO_COUNTS_FROM = 1_000_000
"""Expansion is judged from this many bytes on: a few equal rows may well shrink a hundredfold."""

FOREIGN_MAGIC = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x7fELF": "a program",
    b"PAR1": "a Parquet file",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook (.xls): save it as .xlsx or CSV",
    b"7z\xbc\xaf": "a 7z archive",
    b"BZh": "a bzip2 file: unpack it first",
    b"\xfd7zXZ": "an xz file: unpack it first",
    b"SQLite format 3": "a database file",
}


@dataclass
class Source:
    """A file under its guards. `stream` is seekable and stands anywhere; each reading call starts from the front."""

    name: str
    stream: BinaryIO
    limits: Limits
    sha256: str
    size: int
    interview: Interview
    _scan: EncodingScan | None = field(default=None, repr=False)

    @property
    def gzipped(self) -> bool:
        return self.starts_with(GZIP_MAGIC)

    @property
    def zipped(self) -> bool:
        return self.starts_with(ZIP_MAGIC)

    def starts_with(self, magic: bytes) -> bool:
        self.stream.seek(0)
        return self.stream.read(len(magic)) == magic

    def bytes(self) -> io.BufferedReader:
        """The content, gzip taken off; FormatError while reading where it grows beyond its limits."""
        gzipped = self.gzipped
        self.stream.seek(0)
        raw: io.RawIOBase = _Gunzip(self) if gzipped else _Shared(self.stream)
        return io.BufferedReader(raw, CHUNK)

    def text(self) -> io.TextIOWrapper:
        """The content as text with \\n line ends, in the encoding found, or answered where several fit."""
        encoding = self.encoding()  # first: it reads the stream
        return io.TextIOWrapper(self.bytes(), encoding=encoding, errors="strict", newline=None)

    def encoding(self) -> str:
        if self._scan is None:
            self._refuse_foreign()
            self._scan = scan(self.bytes(), self.name)
        if self._scan.encoding is not None:
            return self._scan.encoding
        question = Question(
            "encoding",
            "Which encoding is this text in?",
            "choice",
            self._scan.options,
            None,
            f"line {self._scan.bad_line} is not UTF-8; the wrong choice spoils names with accents",
        )
        return self.interview.ask(question) or "latin-1"

    def _refuse_foreign(self) -> None:
        start = self.bytes().read(16)
        if not start:
            raise FormatError(self.name, expected="at least one row; the file is empty")
        if start.startswith(ZIP_MAGIC):
            raise FormatError(self.name, value="a zip archive or workbook", expected="a text file")
        for magic, what in FOREIGN_MAGIC.items():
            if start.startswith(magic):
                raise FormatError(self.name, value=what, expected="a text file or an .xlsx workbook")

    def lines(self, *, long: bool = False) -> Iterator[tuple[int, str]]:
        """(line number from 1, line without its end); FormatError for a file, or (unless `long`) a line, too long."""
        limit, number = self.limits.expanded_bytes if long else self.limits.line_chars, 0
        stream = self.text()
        try:
            while line := stream.readline(limit + 1):
                number += 1
                if len(line) > limit:
                    raise FormatError(
                        self.name, line=number, value=line[:40], expected=f"lines of at most {limit:,} characters"
                    )
                if number > self.limits.rows:
                    raise FormatError(self.name, line=number, expected=f"at most {self.limits.rows:,} lines")
                yield number, line.rstrip("\n")
        except UnicodeDecodeError as error:
            raise FormatError(
                self.name,
                line=number + 1,
                value=repr(error.object[error.start : error.start + 4]),
                expected=f"text in the encoding {error.encoding}",
            ) from None

    def head(self) -> tuple[str, ...]:
        """The first lines as they are, each cut to 500 characters."""
        return tuple(line[:RAW_CHARS] for (_, line), _ in zip(self.lines(long=True), range(HEAD_LINES), strict=False))

    def facts(self) -> list[str]:
        """Sentences about the file itself, for the preview."""
        packed = ", unpacked from gzip" if self.gzipped else ""
        return [f"{self.size:,} bytes{packed}.", f"Text encoding: {self.encoding()}."]


def open_source(
    source: str | Path | BinaryIO, *, filename: str, limits: Limits, interview: Interview
) -> tuple[Source, BinaryIO | None]:
    """The source, and the stream to close afterwards where this function opened it."""
    if isinstance(source, str | Path):
        path = Path(source)
        try:
            stream: BinaryIO = path.open("rb")
        except OSError as error:
            raise FormatError(path.name, expected=f"a readable file ({error.strerror})") from None
        return _hashed(filename or path.name, stream, limits, interview), stream
    return _hashed(filename or Path(str(getattr(source, "name", ""))).name, source, limits, interview), None


def _hashed(name: str, stream: BinaryIO, limits: Limits, interview: Interview) -> Source:
    digest, size = hashlib.sha256(), 0
    interview.file = name
    stream.seek(0)
    while chunk := stream.read(CHUNK):
        size += len(chunk)
        if size > limits.file_bytes:
            raise FormatError(name, expected=f"at most {limits.file_bytes:,} bytes")
        digest.update(chunk)
    return Source(name, stream, limits, digest.hexdigest(), size, interview)


class _Shared(io.RawIOBase):
    """A view of a stream that stays open when the view is closed."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Gunzip(io.RawIOBase):
    """gzip, unpacked piece by piece; sizes are counted while reading, never believed from a header."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._members = gzip.GzipFile(fileobj=_Shared(source.stream))
        self._total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        name, limits = self._source.name, self._source.limits
        try:
            data = self._members.read(len(buffer))
        except (OSError, EOFError, zlib.error):
            raise FormatError(name, expected="a whole gzip file; this one is damaged or cut off") from None
        self._total += len(data)
        if self._total > limits.expanded_bytes:
            raise FormatError(name, expected=f"at most {limits.expanded_bytes:,} bytes when unpacked")
        if self._total > RATIO_COUNTS_FROM and self._total > limits.expansion_ratio * self._source.size:
            raise FormatError(name, expected=f"gzip that unpacks to at most {limits.expansion_ratio} times its size")
        buffer[: len(data)] = data
        return len(data)
