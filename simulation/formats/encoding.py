"""Which encoding a text is in: byte order marks, UTF-8, UTF-16; anything else is asked, never guessed."""

from __future__ import annotations

import codecs
import io
from dataclasses import dataclass

from simulation.formats.errors import FormatError

CHUNK = 65_536
BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
LEGACY = (
    ("windows-1252", "Windows-1252, Western Europe"),
    ("iso-8859-15", "ISO 8859-15, Western Europe"),
    ("windows-1250", "Windows-1250, Central Europe"),
    ("mac-roman", "Mac Roman"),
    ("gb18030", "GB 18030, Chinese"),
)


@dataclass(frozen=True, slots=True)
class EncodingScan:
    """`encoding` None: not Unicode; then `bad_line` is the first such line and `options` show it in each encoding."""

    encoding: str | None
    bad_line: int = 0
    options: tuple[tuple[str, str], ...] = ()


def scan(stream: io.BufferedReader, name: str) -> EncodingScan:
    """Read the whole of `stream` once; FormatError where it is no text at all."""
    head = stream.peek(CHUNK)[:CHUNK]
    encoding = _unicode_kind(head, name)
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    lines, tail = 1, b""
    while chunk := stream.read(CHUNK):
        if encoding.startswith("utf-8") and (zero := chunk.find(0)) >= 0:
            raise FormatError(
                name, line=lines + chunk.count(b"\n", 0, zero), value="a zero byte", expected="text; this is binary"
            )
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError as error:
            if not encoding.startswith("utf-8"):
                raise FormatError(name, value="a broken character", expected="UTF-16 text, as its mark says") from None
            at = max(0, error.start - len(error.object) + len(chunk))
            return EncodingScan(None, lines + chunk.count(b"\n", 0, at), _options(_line_around(tail + chunk, at, tail)))
        lines += chunk.count(b"\n")
        tail = chunk[-200:]
    return EncodingScan(encoding)


def _unicode_kind(head: bytes, name: str) -> str:
    for mark, encoding in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return encoding
    zeros = head.count(0)
    if not zeros:
        return "utf-8"
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.4 * len(head) / 2 and even == 0:
        return "utf-16-le"
    if even > 0.4 * len(head) / 2 and odd == 0:
        return "utf-16-be"
    line = head.count(b"\n", 0, head.find(0)) + 1
    raise FormatError(name, line=line, value="a zero byte", expected="text; this is binary")


def _line_around(data: bytes, at: int, tail: bytes) -> bytes:
    at += len(tail)
    start = max(data.rfind(b"\n", 0, at) + 1, at - 40)
    end = data.find(b"\n", at)
    return data[start : min(end if end >= 0 else len(data), at + 40)].strip()


def _options(sample: bytes) -> tuple[tuple[str, str], ...]:
    shown = []
    for encoding, title in LEGACY:
        try:
            shown.append((encoding, f"{title}: {sample.decode(encoding)}"))
        except UnicodeDecodeError:
            continue
    return tuple(shown)
