"""Marks, numbers and units for every template: the same look for the same thing on every page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from planner.web import numbers
from planner.web.api_calls import Shown, calls_of
from simulation.metrics.definitions import METRICS
from simulation.provenance import Origin

register = template.Library()


@register.simple_tag
def mark(origin: str, word: bool = False) -> SafeString:
    """Mark and letter of an origin; with `word`, mark and the word itself."""
    kind = Origin(origin)
    if word:
        return format_html('<span class="o o-{}">{}</span>', kind.letter.lower(), kind.value)
    return format_html(
        '<span class="o letter o-{0}" title="{1}"><span class="vh">{1}</span></span>', kind.letter.lower(), kind.value
    )


@register.simple_tag
def gap(reason: str = "", what: str = "Missing") -> SafeString:
    """An en dash that tells why on hover and on focus."""
    why = reason or "not known"
    return format_html(
        '<span class="gap" tabindex="0" role="img" aria-label="{}: {}" data-why="{}">–</span>', what, why, why
    )


@register.simple_tag
def figure_number(
    value: Any, unit: str = "", origin: str = "", note: str = "", scale: numbers.Scale | None = None, interval: str = ""
) -> SafeString:
    """A number as look.md has it: mark at the left, value, small grey unit, interval beneath.

    Takes a bare value, or anything that has `value`, `unit`, `origin` and perhaps `note` (a Cell, a Figure).
    """
    unit, origin = unit or getattr(value, "unit", ""), origin or getattr(value, "origin", "")
    note, amount = note or getattr(value, "note", ""), getattr(value, "value", value)
    if amount is None:
        return gap(note)
    scale = scale or numbers.scale_for(unit, [amount])
    return format_html(
        '<span class="q">{}<span><span class="v">{}</span>{}</span>{}</span>',
        mark(origin) if origin else "",
        scale.text(amount),
        format_html(' <span class="u">{}</span>', scale.unit) if scale.unit else "",
        format_html('<span class="ci">{}</span>', interval) if interval else "",
    )


@register.simple_tag
def metric_term(name: str, text: str = "") -> SafeString:
    """The title of a metric, linked to its definition in the glossary."""
    metric = METRICS.get(name)
    if metric is None:
        return format_html("{}", text or name)
    return format_html(
        '<a class="quiet" href="{}#{}" title="{}">{}</a>',
        reverse("glossary"),
        name,
        metric.definition,
        text or metric.title,
    )


@register.simple_tag(takes_context=True)
def api_calls(context: Context) -> list[Shown]:
    """The page as calls of the API; none on pages of errors, which have no request."""
    return calls_of(context["request"]) if "request" in context else []


@register.simple_tag
def span_range(range_s: tuple[float, float]) -> str:
    """A range of seconds with one unit: "3 to 7 min"."""
    return numbers.span_range(*range_s)


@register.filter
def si_time(seconds: float | None) -> str:
    """Seconds as a span: s below 2 min, min below 2 h, h below 2 d, then d."""
    return numbers.span(seconds)


@register.filter
def money(usd: float | None) -> str:
    return numbers.money(None if usd is None else float(usd))


@register.filter
def number(value: float | None) -> str:
    return numbers.number(None if value is None else float(value))


@register.filter
def percent(share: float | None, digits: int = 1) -> str:
    return "–" if share is None else numbers.written(100 * share, digits)


@register.filter
def scaled(value: float | None, scale: numbers.Scale) -> str | None:
    """`value` in the unit of its column; None stays None, for `missing` to explain."""
    return None if value is None else scale.text(value)


@register.filter
def signed_time(seconds: float) -> str:
    """A difference of spans: +3 min, -2 h."""
    sign = numbers.MINUS if seconds < 0 else "+" if seconds > 0 else ""
    return sign + numbers.span(abs(seconds))


@register.filter
def decimals(value: float | None, digits: int = 2) -> str | None:
    return None if value is None else numbers.written(value, digits)


@register.filter
def gpu_hours(gpu_s: float) -> str:
    return numbers.number(round(gpu_s / 3600, 6))


@register.filter
def missing(value: Any, reason: str = "not known") -> Any:
    """`value`, or where it is None an en dash with `reason`."""
    return gap(reason) if value is None else value


@register.filter
def times(ratio: float) -> str:
    """How many times as much: whole from ten on."""
    return numbers.times(ratio)


@register.filter
def raw(value: float) -> str:
    """A number as scripts and SVG read it, whatever the language of the page."""
    return f"{value:.12g}"


@register.filter
def short_digest(digest: str) -> str:
    return digest[:8]


@register.filter
def words(text: str) -> list[str]:
    """The words of a template's own list."""
    return text.split()


@register.filter
def get(mapping: Any, key: Any) -> Any:
    return mapping.get(key) if mapping is not None else None
