"""The one table of what folders of reference runs mean: peer -> emulation profile, or curves of packings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from simulation.fidelity.packing import openb
from simulation.fidelity.profiles import elasticflow, gavel, lucid, muri, tiresias
from simulation.fidelity.profiles.profile import Profile
from simulation.fidelity.rows import Row

PROFILES: tuple[Profile, ...] = (tiresias.PROFILE, muri.PROFILE, lucid.PROFILE, gavel.PROFILE, elasticflow.PROFILE)

# peer -> why none of its runs is emulated
RECORDED: dict[str, str] = {"sia": "its workload and the measurements behind its goodput are not in the folder"}

# reference folder -> name of a case and what gives its rows
CURVES: tuple[Callable[[Path], dict[str, Callable[[], list[Row]]]], ...] = (openb.cases,)
