"""GPU models as files write them: one model, several that it may be (a question), or none that we know.

`gpu_aliases.csv` has one row for each model that a spelling may mean. Spellings are compared without case, blanks,
punctuation and the vendor's own words; nothing is matched by likeness.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from simulation.catalogues.gpu_models import gpu_models

TABLE = Path(__file__).with_name("gpu_aliases.csv")

_SHARE = re.compile(r"[-_ ](mig[-_ ][\w.+]+|shared)$")  # a slice or share of a card: the card's model counts
_VENDOR_WORDS = re.compile(r"nvidia|tesla|geforce|quadro|amd|instinct")
_PUNCTUATION = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class Identified:
    """What a spelling may mean; `candidates` are names of the catalogue."""

    text: str
    candidates: tuple[str, ...]

    @property
    def model(self) -> str | None:
        """The model where there is exactly one."""
        return self.candidates[0] if len(self.candidates) == 1 else None

    @property
    def kind(self) -> Literal["exact", "ambiguous", "unknown"]:
        if not self.candidates:
            return "unknown"
        return "exact" if len(self.candidates) == 1 else "ambiguous"


def identify(text: str) -> Identified:
    """The models that `text` may mean: `a100` is one of four, `NVIDIA-A100-SXM4-80GB` is one, `G2` is none."""
    return Identified(text, _aliases().get(_key(text), ()))


def _key(text: str) -> str:
    whole = _SHARE.sub("", text.strip().casefold())
    return _PUNCTUATION.sub("", _VENDOR_WORDS.sub("", whole))


@cache
def _aliases() -> dict[str, tuple[str, ...]]:
    names = gpu_models()
    table: dict[str, list[str]] = {_key(name): [name] for name in names}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(csv.DictReader(file), start=2):
            if line["model"] not in names:
                raise ValueError(f"{TABLE.name}, row {number}: model {line['model']} is not in the catalogue")
            meant = table.setdefault(_key(line["alias"]), [])
            if line["model"] not in meant:
                meant.append(line["model"])
    return {key: tuple(meant) for key, meant in table.items()}
