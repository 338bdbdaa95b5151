"""Numbers as people type them: blanks between thousands, comma or point; what can be read in two ways is asked."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms

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

    def _plain(self, text: str) -> str:
        if TWO_READINGS.fullmatch(text):
            one, other = text.replace(",", "."), text.replace(",", "")
            raise forms.ValidationError(f"{text} can be read as {one} or as {other}: write it without the comma.")
        return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


class WholeField(NumberField):
    """A whole number in a text box."""

    def __init__(self, **options: Any) -> None:
        super().__init__(decimal_places=0, **options)

    def clean(self, value: Any) -> int | None:
        found = super().clean(value)
        return None if found is None else int(found)
