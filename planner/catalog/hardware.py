"""Figures of GPU models from the engine's catalogue, as the documents of clusters keep them."""

from __future__ import annotations

from simulation.catalogues.gpu_models import BYTES_PER_GB, gpu_models
from simulation.provenance import Figure

ATTRIBUTES = {"gpu_memory_bytes": "memory", "idle_w": "idle_power", "peak_w": "peak_power"}
"""Field of a pool -> attribute of the catalogue."""


def model_names() -> list[str]:
    return list(gpu_models())


def known_model(name: str) -> bool:
    return name in gpu_models()


def published(model: str, field: str) -> tuple[int | float | None, dict[str, str] | None]:
    """A pool's figure as the catalogue has it, with origin and source; (None, None) where it has none."""
    known = gpu_models().get(model)
    figure: Figure | None = known.figures.get(ATTRIBUTES[field]) if known else None
    if figure is None or figure.value is None:
        return None, None
    value = int(figure.value * BYTES_PER_GB) if field == "gpu_memory_bytes" else figure.value
    return value, {"origin": str(figure.origin), "source": figure.source}
