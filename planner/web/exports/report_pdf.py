"""A report as PDF: numbered pages, tables that repeat their heads and are not cut inside a row, vector figures."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from planner.web.exports.report import Grid, Report, Section
from planner.web.pictures.draw import drawing
from planner.web.pictures.fonts import BOLD, REGULAR, drawable, folder
from planner.web.pictures.marks import Drawing, Path, Words
from planner.web.pictures.palette import ink

SIZES = ("a4", "letter")
_MARGIN = 40.0
_PADDING = 6.0  # of the frame that text stands in
_ANCHORS = {"start": "drawString", "middle": "drawCentredString", "end": "drawRightString"}


def report_pdf(report: Report, size: str = "a4") -> bytes:
    """Equal reports give equal bytes: no time is written into the file."""
    from reportlab.lib import pagesizes  # loaded for this, not by every page
    from reportlab.platypus import SimpleDocTemplate

    folder()
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out, pagesize=pagesizes.letter if size == "letter" else pagesizes.A4, title=report.title, author="Headroom",
        leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN, invariant=1, lang="en",
    )  # fmt: skip
    inner = document.width - 2 * _PADDING
    document.build(list(_story(report, inner)), onFirstPage=_numbered, onLaterPages=_numbered)
    return out.getvalue()


def _numbered(canvas: Any, document: Any) -> None:
    canvas.setFont(REGULAR, 7)
    canvas.setFillColor(ink("ink2"))
    canvas.drawRightString(document.pagesize[0] - _MARGIN, _MARGIN / 2, f"page {canvas.getPageNumber()}")
    canvas.drawString(_MARGIN, _MARGIN / 2, drawable(document.title)[:100])


def _story(report: Report, width: float) -> Iterator[Any]:
    from reportlab.platypus import Spacer

    yield _text(report.title, 15, bold=True)
    yield _text(" · ".join(report.facts), 8, "ink2")
    if report.illustrative:
        yield _text("Illustrative: this belongs to the example, and its numbers are of no cluster of yours.", 8)
    for section in report.sections:
        yield Spacer(0, 12)
        yield from _section(section, report, width)
    yield Spacer(0, 12)
    yield _text("What every number here was made of", 8, bold=True)
    for name, value in report.about.items():
        yield _text(f"{name}: {value}", 7, "ink2")


def _section(section: Section, report: Report, width: float) -> Iterator[Any]:
    yield _text(section.title, 10.5, bold=True, keep=True)
    for words in section.words:
        yield _text(words, 8)
    for figure in section.figures:
        yield _picture(drawing(figure, report.about), width)
    if section.grid:
        yield _table(section.grid, width)


def _text(text: str, size: float, color: str = "ink", *, bold: bool = False, keep: bool = False) -> Any:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle(
        "of the report", fontName=BOLD if bold else REGULAR, fontSize=size, leading=size * 1.35, textColor=ink(color),
        keepWithNext=keep, spaceAfter=3, splitLongWords=True,
    )  # fmt: skip
    return Paragraph(escape(drawable(text)), style)


def _table(grid: Grid, width: float) -> Any:
    from reportlab.platypus import LongTable, TableStyle

    rows = [[_text(head, 6.5, "ink2") for head in grid.head]]
    rows += [[_text(cell, 6.5) for cell in row] for row in grid.rows]
    rules = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.7, ink("edge")),
        ("LINEBELOW", (0, 1), (-1, -1), 0.4, ink("line")),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
    ]
    shares = [_share(grid, column) for column in range(len(grid.head))]
    widths = [width * share / sum(shares) for share in shares]
    return LongTable(rows, colWidths=widths, repeatRows=1, style=TableStyle(rules))


def _share(grid: Grid, column: int) -> float:
    """Wide columns for long texts, in bounds."""
    longest = max((len(row[column]) for row in (grid.head, *grid.rows)), default=1)
    return min(max(longest, 8), 60) ** 0.75


def _picture(drawn: Drawing, width: float) -> Any:
    """The drawing as vectors, as wide as the page's text."""
    from reportlab.platypus import Flowable

    class Picture(Flowable):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.width, self.height = width, drawn.height * width / drawn.width

        def draw(self) -> None:
            self.canv.scale(width / drawn.width, width / drawn.width)
            for mark in drawn.marks:
                _put(self.canv, mark, drawn.height)

    return Picture()


def _put(canvas: Any, mark: Path | Words, height: float) -> None:
    """Here y grows upwards."""
    if isinstance(mark, Words):
        canvas.setFont(BOLD if mark.bold else REGULAR, mark.size)
        canvas.setFillColor(mark.color)
        getattr(canvas, _ANCHORS[mark.anchor])(mark.x, height - mark.y, drawable(mark.text))
        return
    path = canvas.beginPath()
    path.moveTo(mark.points[0][0], height - mark.points[0][1])
    for x, y in mark.points[1:]:
        path.lineTo(x, height - y)
    if mark.closed:
        path.close()
    canvas.setDash(list(mark.dash))
    canvas.setLineWidth(mark.width)
    canvas.setFillColor(mark.fill or ink("paper"))
    canvas.setStrokeColor(mark.stroke or ink("paper"))
    canvas.setFillAlpha(mark.opacity)
    canvas.drawPath(path, stroke=bool(mark.stroke), fill=bool(mark.fill))
    canvas.setFillAlpha(1)
