"""Cases are what lies in the reference folder: a results file that is added becomes a case."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simulation.fidelity.peers import PROFILES, RECORDED
from simulation.fidelity.profiles.profile import Inputs, Profile

INDEX = "index-training.csv"
PREFIX, SUFFIX = "results-", ".csv"


@dataclass(frozen=True, slots=True)
class Case:
    """A run of a peer: PEER/RUN/POLICY. `results` None: the trace comes without results, and must run to its end."""

    name: str
    profile: Profile
    policy: str
    inputs: Inputs
    results: Path | None
    their_cpu_s: float | None  # of the whole process, None: not recorded


def reference_folder() -> Path | None:
    """Where reference runs are looked for: HEADROOM_SHARED, or ../shared beside the checkout; None: not there."""
    given = os.environ.get("HEADROOM_SHARED")
    shared = Path(given) if given else Path(__file__).resolve().parents[2].parent / "shared"
    return shared / "reference" if (shared / "reference").is_dir() else None


def discover(reference: Path) -> list[Case]:
    """Every case of the peers that have a profile, in the order of the table and of names."""
    cpu_s = _recorded_cpu_s(reference / INDEX)
    return [case for profile in PROFILES for case in _of_profile(reference, profile, cpu_s)]


@dataclass(frozen=True, slots=True)
class Record:
    """Results that are kept for the record, and why they are not emulated."""

    name: str
    results: Path
    why: str


def recorded_only(reference: Path) -> list[Record]:
    """Of peers with a profile the policies that it leaves out; of the others everything."""
    left_out = {profile.folder: profile.recorded_only for profile in PROFILES}
    return [
        Record(f"{peer}/{path.parent.name}/{policy}", path, why)
        for peer in (*left_out, *RECORDED)
        for path, policy in _results(reference / peer)
        if (why := RECORDED.get(peer) or left_out[peer].get(policy))
    ]


def _results(peer: Path) -> list[tuple[Path, str]]:
    """Results files of a peer, and the policy that each name says."""
    return [(path, path.name[len(PREFIX) : -len(SUFFIX)]) for path in sorted(peer.glob(f"*/{PREFIX}*{SUFFIX}"))]


def _of_profile(reference: Path, profile: Profile, cpu_s: dict[str, float]) -> Iterator[Case]:
    peer = reference / profile.folder
    for path, policy in _results(peer):
        if policy not in profile.recorded_only:
            name = f"{profile.folder}/{path.parent.name}/{policy}"
            known = cpu_s.get(path.relative_to(reference).as_posix())
            yield Case(name, profile, policy, profile.inputs(path.parent), path, known)
    if peer.is_dir():
        for run, inputs in profile.unrecorded(peer):
            for policy in profile.policies_without_results:
                yield Case(f"{profile.folder}/{run}/{policy}", profile, policy, inputs, None, None)


def _recorded_cpu_s(index: Path) -> dict[str, float]:
    """File of results -> CPU seconds that the peer took; empty where there is no index."""
    if not index.is_file():
        return {}
    with index.open(newline="", encoding="utf-8") as lines:
        return {row["file"]: float(row["cpu_s"]) for row in csv.DictReader(lines) if row["cpu_s"]}
