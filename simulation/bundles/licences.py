"""Terms under which a bundle may be passed on, each with its permanent address."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Licence:
    address: str
    name: str
    description: str


LICENCES = {
    "InC": Licence(
        "http://rightsstatements.org/vocab/InC/1.0/", "In copyright", "Nothing is granted: ask whoever made it."
    ),
    "CC-BY-4.0": Licence(
        "https://spdx.org/licenses/CC-BY-4.0", "Creative Commons Attribution 4.0", "Use it and name who made it."
    ),
    "CC0-1.0": Licence(
        "https://spdx.org/licenses/CC0-1.0", "Creative Commons Zero 1.0", "Use it as you like."
    ),
}  # fmt: skip
