"""How numbers are written on pages: units that suit the size, figures that suit the unit, a true minus sign."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MINUS = "−"
_SPANS = (
    (0.0, 1000.0, "ms"),
    (1.0, 1.0, "s"),
    (120.0, 1 / 60, "min"),
    (7200.0, 1 / 3600, "h"),
    (172_800.0, 1 / 86_400, "d"),
)
_LARGE = {  # unit -> (from which size, factor, unit shown), smallest first
    "USD": ((0.0, 1.0, "$"), (10_000.0, 1e-3, "k$"), (1_000_000.0, 1e-6, "M$")),
    "kWh": ((0.0, 1.0, "kWh"), (10_000.0, 1e-3, "MWh")),
    "kg CO2e": ((0.0, 1.0, "kg CO2e"), (10_000.0, 1e-3, "t CO2e")),
}
_SHARES = ("share",)
_COUNTED = ("jobs",)


@dataclass(frozen=True, slots=True)
class Scale:
    """One unit and one number of decimals for everything that stands in one column or on one axis."""

    factor: float
    unit: str
    digits: int

    def of(self, value: float) -> float:
        return value * self.factor

    def text(self, value: float | None, *, sign: bool = False) -> str:
        if value is None:
            return "–"
        return written(self.of(value), self.digits, sign=sign)

    def small(self, value: float) -> str:
        """Like `text`, with one decimal more where the value would be written as zero; below that, "under"."""
        for digits in (self.digits, self.digits + 1):
            text = written(self.of(value), digits)
            if value == 0 or any(c in "123456789" for c in text):
                return text
        return f"under {10.0 ** -(self.digits + 1):.{self.digits + 1}f}"

    def round(self, value: float) -> str:
        """A number that a person chose: as many decimals as it has, and its unit."""
        return f"{self.of(value):,.6g} {self.unit}".replace("-", MINUS).strip()

    def with_unit(self, value: float | None) -> str:
        return f"{self.text(value)} {self.unit}".strip()

    @property
    def head(self) -> str:
        return f"({self.unit})" if self.unit else ""


def written(value: float, digits: int, *, sign: bool = False) -> str:
    """`value` with thousands separated; a rounded zero has no sign."""
    text = f"{abs(value):,.{digits}f}"
    negative = value < 0 and any(c in "123456789" for c in text)
    return (MINUS if negative else "+" if sign else "") + text


def scale_for(unit: str, values: Iterable[float | None]) -> Scale:
    """The scale that suits the middle one of `values` (given in `unit`): a few extremes do not hide the others."""
    sizes = sorted(abs(v) for v in values if v)
    middle = sizes[len(sizes) // 2] if sizes else 0.0
    if unit in _SHARES:
        return Scale(100.0, "%", 1)
    factor, shown = _suitable(unit, middle)
    return Scale(factor, shown, 0 if unit in _COUNTED else _digits(middle * factor))


def fine_scale(unit: str, values: Iterable[float | None]) -> Scale:
    """Like `scale_for`, but spans under 2 h stay in seconds: for the few cases that are compared digit by digit."""
    known = [v for v in values if v is not None]
    if unit != "s" or max(known, default=0.0) >= 7200:
        return scale_for(unit, known)
    return Scale(1.0, "s", 0 if all(v == round(v) for v in known) else 2)


def _suitable(unit: str, size: float) -> tuple[float, str]:
    steps = _SPANS if unit == "s" else _LARGE.get(unit)
    if steps is None:
        return 1.0, "" if unit == "1" else unit
    if unit == "s" and size == 0:
        return 1.0, "s"
    chosen = [(factor, shown) for least, factor, shown in steps if size >= least]
    return chosen[-1]


def _digits(size: float) -> int:
    """Three figures or so."""
    return 0 if size >= 200 or size == 0 else 1 if size >= 10 else 2 if size >= 0.1 else 3


def span(seconds: float | None) -> str:
    """A time span in words: s below 2 min, min below 2 h, h below 2 d, then d."""
    if seconds is None:
        return "–"
    scale = scale_for("s", [seconds])
    value = scale.of(seconds)
    digits = 0 if scale.unit == "min" or value >= 10 or value == round(value) else 1
    return f"{written(value, digits)} {scale.unit}"


def span_range(low: float, high: float) -> str:
    """A range of spans with one unit: "3 to 7 min", "up to 29 s", "under 1 s"."""
    if high < 1:
        return "under 1 s"
    scale = scale_for("s", [high])
    a, b = (written(scale.of(v), 0) for v in (low, high))
    if a == b:
        return f"{a} {scale.unit}"
    return f"up to {b} {scale.unit}" if a == "0" else f"{a} to {b} {scale.unit}"


def money(usd: float | None) -> str:
    """An amount of money as cards show it: 12.34 $, 71.2 k$, 1.2 M$."""
    if usd is None:
        return "–"
    scale = scale_for("USD", [usd])
    digits = 2 if scale.unit == "$" else 1
    return f"{written(scale.of(usd), digits)} {scale.unit}"


def number(value: float | None) -> str:
    """A bare number: whole where it is whole, else with the decimals that its size asks for."""
    if value is None:
        return "–"
    return written(value, 0 if value == round(value) else _digits(abs(value)))


def times(ratio: float) -> str:
    """How many times as much: whole from ten on."""
    return written(ratio, 0 if ratio >= 10 else 1 if ratio >= 1 else 2)
