"""Where each job may run: jobs with the same permitted GPU models, memory and profile are one class."""

from __future__ import annotations

import numpy as np

from simulation.records import Floats, Ints
from simulation.scenario import JobTable
from simulation.world.cluster import Nodes, permitted_domains
from simulation.world.links import nearest_level
from simulation.world.rates import MEMORY, RATE, Rates

Classes = list[tuple[int, ...]]  # domains of each class, fastest first


def build_classes(table: JobTable, rows: Ints, rates: Rates, nodes: Nodes) -> tuple[Ints, Classes, Floats]:
    """Class of each job, the domains of each class, and the memory (bytes of a GPU, 0: unknown) of each job."""
    index: dict[tuple[tuple[str, ...], float, int], int] = {}
    klass, memory = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows))
    for job, row in enumerate(rows.tolist()):
        models = tuple(sorted(set(table.gpu_models[row]))) if table.gpu_models else ()
        profile = int(rates.profile[job])
        memory[job] = need = _memory(table, row, profile, rates)
        klass[job] = index.setdefault((models, need, profile), len(index))
    classes = [_domains(nodes, models, need, profile, rates) for models, need, profile in index]
    return klass, classes or [permitted_domains(nodes, ())], memory


def _memory(table: JobTable, row: int, profile: int, rates: Rates) -> float:
    """Bytes of one GPU that a job needs: its own figure, else that of its profile, else 0 (unknown)."""
    own = table.memory_bytes[row] if table.memory_bytes else None
    if own is not None:
        return float(own)
    of_profile = float(rates.traits[profile, MEMORY]) if profile >= 0 else np.nan
    return 0.0 if np.isnan(of_profile) else of_profile


def _domains(nodes: Nodes, models: tuple[str, ...], need: float, profile: int, rates: Rates) -> tuple[int, ...]:
    """Domains with enough memory on which the profile runs at all; unknown memory is taken to be enough."""
    large = [d for d in permitted_domains(nodes, models) if not nodes.domain_memory[d] < need]
    return tuple(d for d in large if profile < 0 or rates.table[profile, 0, d, :, 1:, RATE].any())


def widest_gang(nodes: Nodes, classes: Classes, klass: Ints) -> Ints:
    """GPUs of the largest permitted domain of each job, 0 where there is none."""
    gpus = nodes.domain_gpus()
    return np.array([max((int(gpus[d]) for d in members), default=0) for members in classes], dtype=np.int64)[klass]


def fastest_rate(nodes: Nodes, classes: Classes, klass: Ints, gang: Ints, rates: Rates) -> Floats:
    """Best rate of each job's gang alone on the cluster, in reference seconds a second; nan where it never fits."""
    fastest, gpus = np.full(len(gang), np.nan), nodes.domain_gpus()
    for row, members in enumerate(classes):
        for d in members:
            mine = (klass == row) & (gang <= gpus[d])
            fastest[mine] = np.fmax(fastest[mine], _rate_on(nodes, d, np.flatnonzero(mine), gang, rates))
    return np.where(fastest > 0, fastest, np.nan)


def _rate_on(nodes: Nodes, domain: int, jobs: Ints, gang: Ints, rates: Rates) -> Floats:
    """The work of a job over the time that it takes there, phase by phase."""
    rate = np.full(len(jobs), nodes.domain_speed[domain])
    profile = rates.profile[jobs]
    if (profile < 0).all():
        return rate
    of, mine = profile[profile >= 0], jobs[profile >= 0]
    level = nearest_level(gang[mine], nodes.domain_wiring[domain])
    units = rates.table[
        of[:, None], np.arange(rates.table.shape[1])[None, :], domain, level[:, None], gang[mine][:, None], RATE
    ]
    lengths = np.diff(rates.phase_end[of], axis=1, prepend=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        seconds = np.where(lengths > 0, lengths / units, 0.0).sum(axis=1)
        rate[profile >= 0] = rates.per_unit_s[mine] / seconds
    return rate
