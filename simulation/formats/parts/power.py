"""Power samples -> measured idle and peak power of GPU models, under the names of the catalogue."""

from __future__ import annotations

from simulation.formats.interview import Interview
from simulation.formats.parts.models import meant
from simulation.formats.power_figures import ModelPower, model_powers
from simulation.formats.reading import Reading
from simulation.formats.tables import Table


def measured_powers(reading: Reading, interview: Interview) -> dict[str, ModelPower] | None:
    """Model of the catalogue -> its power over all cards of that model; None while a model is an open question."""
    table = reading.table
    models = meant(interview, {model for model in table["gpu_model"] if model})
    if models is None:
        return None
    named = [models[model].model if model else None for model in table["gpu_model"]]
    together = Table(table.kind, {**table.columns, "gpu_model": named})
    return {power.model: power for power in model_powers(together)}
