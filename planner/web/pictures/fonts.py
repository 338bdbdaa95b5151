"""The font of pictures and PDFs: Bitstream Vera, which comes with reportlab; and how wide words are in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

REGULAR, BOLD = "Vera", "VeraBd"
_SPOKEN = {
    "↙": "down-left:", "↖": "up-left:", "↘": "down-right:", "↗": "up-right:", "↓": "down", "↑": "up", "→": "to",
}  # fmt: skip
"""Signs that the font has not, in words."""


@cache
def folder() -> Path:
    """The folder of the font files; they are made known to reportlab."""
    import reportlab  # loaded for pictures and PDFs, not by every page
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    where = Path(reportlab.__file__).parent / "fonts"
    for name in (REGULAR, BOLD):
        pdfmetrics.registerFont(TTFont(name, str(where / f"{name}.ttf")))
    pdfmetrics.registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)
    return where


def width(text: str, size: float, *, bold: bool = False) -> float:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    folder()
    return float(stringWidth(text, BOLD if bold else REGULAR, size))


def drawable(text: str) -> str:
    for sign, words in _SPOKEN.items():
        text = text.replace(sign, words)
    return text


def wrapped(text: str, size: float, room: float) -> list[str]:
    """`text` as lines that are at most `room` wide; a word that is longer stands alone."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
