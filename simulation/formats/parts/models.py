"""Which GPU model a file means: settled by the catalogue where only one fits, asked about where it is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from simulation.catalogues.gpu_models import gpu_models
from simulation.catalogues.gpu_names import identify
from simulation.formats.interview import Interview
from simulation.formats.reading import Question

AS_WRITTEN = "as-written"


@dataclass(frozen=True, slots=True)
class Meant:
    """What a model name was taken for. `chosen`: a person said so, the file does not."""

    model: str
    chosen: bool = False


def meant(interview: Interview, written: Iterable[str]) -> dict[str, Meant] | None:
    """Each name as written -> the model meant; None while one of them is an open question."""
    found: dict[str, Meant | None] = {name: _one(interview, name) for name in sorted(set(written))}
    return None if None in found.values() else {name: one for name, one in found.items() if one is not None}


def _one(interview: Interview, name: str) -> Meant | None:
    fitting = identify(name).candidates
    if len(fitting) == 1:
        return Meant(fitting[0])
    offered = fitting or tuple(gpu_models())
    answer = interview.ask(
        Question(
            f"model.{name}",
            f"{name} is which model?" if fitting else f"{name} is not a model that we know: which one is meant?",
            "choice",
            (*((model, model) for model in offered), (AS_WRITTEN, f"keep “{name}”; memory and power stay unknown")),
            None,
            "memory and power of a GPU are taken from its model",
        )
    )
    if answer is None:
        return None
    return Meant(name if answer == AS_WRITTEN else answer, chosen=True)
