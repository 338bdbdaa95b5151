"""A report as one HTML file: it loads nothing, opens from a mail, and prints."""

from __future__ import annotations

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from planner.web.exports.report import Report, Section
from planner.web.pictures.draw import drawing
from planner.web.pictures.svg import svg


def report_html(report: Report, *, shared: bool = False) -> str:
    """`shared`: seen under a share link, which no search engine may list."""
    sections = [(section, _pictures(section, report)) for section in report.sections]
    return render_to_string("exports/report.html", {"report": report, "sections": sections, "shared": shared})


def _pictures(section: Section, report: Report) -> list[tuple[object, SafeString]]:
    """Each figure with its SVG, in which every text was escaped."""
    return [(figure, mark_safe(svg(drawing(figure, report.about)))) for figure in section.figures]
