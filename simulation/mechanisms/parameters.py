"""Parameters of mechanisms: declared once, with unit, bounds, meaning and source; checked and listed from here."""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any, Self


def parameter(
    default: Any,
    description: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
    source: str = "ours",
) -> Any:
    """A field of a mechanism. Bounds are inclusive, hold for each item of a tuple, and are the search space too."""
    about = {"unit": unit, "low": low, "high": high, "choices": choices, "description": description, "source": source}
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class Mechanism:
    """Base of all members: an immutable set of checked parameters. `member` names it within its family."""

    def __post_init__(self) -> None:
        for item in fields(self):
            _check(f"{type(self).__name__}.{item.name}", item, getattr(self, item.name))

    def parameters(self) -> list[dict[str, Any]]:
        """One row a parameter: name, value, unit, low, high, choices, description, source."""
        return [{"name": f.name, "value": _plain(getattr(self, f.name)), **f.metadata} for f in fields(self)]

    def values(self) -> dict[str, Any]:
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

    def changed(self, name: str, value: Any) -> Self:
        """A copy with another value; ValueError, naming the bounds, where it is not allowed or the name is unknown."""
        known = {f.name: f for f in fields(self)}
        if name not in known:
            raise ValueError(f"has no parameter {name!r}; it has {', '.join(known) or 'none'}")
        return replace(self, **{name: _like(known[name], value)})


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _like(item: Field[Any], value: Any) -> Any:
    """Bring a value from JSON to the type of the default; int to float and list to tuple only."""
    assert item.default is not MISSING
    if isinstance(item.default, tuple) and isinstance(value, list | tuple):
        return tuple(float(v) if isinstance(v, int) and not isinstance(v, bool) else v for v in value)
    if isinstance(item.default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def _check(place: str, item: Field[Any], value: Any) -> None:
    about = item.metadata
    expected = type(item.default)
    if type(value) is not expected:
        raise ValueError(f"{place} is {value!r}, expected {expected.__name__}")
    if about["choices"] is not None and value not in about["choices"]:
        raise ValueError(f"{place} is {value!r}, expected one of {', '.join(about['choices'])}")
    for number in value if isinstance(value, tuple) else (value,):
        low, high = about["low"], about["high"]
        if isinstance(number, bool | str) and not isinstance(value, tuple):
            continue
        if not isinstance(number, int | float) or number != number:
            raise ValueError(f"{place} is {value!r}, expected numbers")
        if (low is not None and number < low) or (high is not None and number > high):
            raise ValueError(f"{place} is {value!r}, expected {_range(low, high)} {about['unit']}".rstrip())


def _range(low: float | None, high: float | None) -> str:
    if high is None:
        return f"{low} or more"
    return f"{high} or less" if low is None else f"{low} to {high}"
