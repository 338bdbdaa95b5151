"""The one table of what folders of reference runs mean: peer -> emulation profile."""

from __future__ import annotations

from simulation.fidelity.profiles import elasticflow, gavel, lucid, muri, tiresias
from simulation.fidelity.profiles.profile import Profile

PROFILES: tuple[Profile, ...] = (tiresias.PROFILE, muri.PROFILE, lucid.PROFILE, gavel.PROFILE, elasticflow.PROFILE)
