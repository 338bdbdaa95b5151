"""Numbers as people type them: blanks between thousands, comma or point; what can be read in two ways is asked."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms

from simulation.formats.collector import CellError
from simulation.formats.quantities import span

BLANKS = re.compile(r"[\s'\u00a0\u2009\u202f]")
TWO_READINGS = re.compile(r"-?[1-9]\d{0,2},\d{3}")


class NumberField(forms.DecimalField):
    """A decimal number in a text box, with the unit that it is in."""

    def __init__(self, *, unit: str = "", **options: Any) -> None:
        self.unit = unit
        options.setdefault("widget", forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}))
        options.setdefault("max_digits", 20)
        super().__init__(**options)

    def to_python(self, value: Any) -> Decimal | None:
        if isinstance(value, str):
            value = self._plain(BLANKS.sub("", value))
        return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        return as_typed(value) if isinstance(value, float) else value

    def _plain(self, text: str) -> str:
        if TWO_READINGS.fullmatch(text):
            one, other = text.replace(",", "."), text.replace(",", "")
            raise forms.ValidationError(f"{text} can be read as {one} or as {other}: write it without the comma.")
        return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


class WholeField(NumberField):
    """A whole number in a text box."""

    default_error_messages = {"max_decimal_places": "Enter a whole number."}

    def __init__(self, **options: Any) -> None:
        super().__init__(decimal_places=0, **options)

    def clean(self, value: Any) -> int | None:
        found = super().clean(value)
        return None if found is None else int(found)


class SizeField(NumberField):
    """Bytes, typed in a larger unit of `unit_bytes`."""

    def __init__(self, *, unit_bytes: int, **options: Any) -> None:
        self.unit_bytes = unit_bytes
        super().__init__(**options)

    def prepare_value(self, value: Any) -> Any:
        return as_typed(round(value / self.unit_bytes, 10)) if isinstance(value, int) else value

    def clean(self, value: Any) -> int | None:
        found = super().clean(value)
        return None if found is None else round(found * self.unit_bytes)


class SpanField(forms.CharField):
    """A time span in seconds, typed with its unit: 90 min, 1.5 h, 10 d, 1-12:00:00; a bare number is in seconds."""

    def __init__(self, *, unit: str = "", **options: Any) -> None:
        self.unit = unit
        options.setdefault("widget", forms.TextInput(attrs={"autocomplete": "off"}))
        super().__init__(max_length=60, **options)

    def prepare_value(self, value: Any) -> Any:
        return span_as_typed(value) if isinstance(value, float) else value

    def clean(self, value: Any) -> float | None:
        return span_typed(super().clean(value))


def span_typed(text: str) -> float | None:
    """Seconds of a typed span, None of a blank one; ValidationError says what was expected."""
    try:
        return span(text, "", "seconds")
    except CellError as error:
        raise forms.ValidationError(f"Expected {error.expected}; {text} is {error.reason}.") from None


def as_typed(value: float) -> str:
    """A figure as a person would type it: 700, not 700.0; it is read back as the same number."""
    return repr(value).removesuffix(".0")


def span_as_typed(seconds: float) -> str:
    """A span in the largest unit in which it is short, and exactly itself."""
    for letter, size in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        short = round(seconds / size, 2)
        if short >= 1 and short * size == seconds:
            return f"{as_typed(short)} {letter}"
    return as_typed(seconds)
