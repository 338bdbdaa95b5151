"""Every run of a bundle once more, and its result files made anew: equal to the last byte, or where they differ."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from simulation import ENGINE_VERSION
from simulation.bundles.difference import Difference, differences
from simulation.bundles.environment import this_platform
from simulation.bundles.experiment import Experiment, Run
from simulation.bundles.outputs import output_files
from simulation.bundles.read import Bundle
from simulation.run import simulate


@dataclass(frozen=True, slots=True)
class Verification:
    """`same_engine`, `same_platform`: as the bundle was made. `runs`: how many were run again."""

    runs: int
    files: int
    differences: tuple[Difference, ...]
    same_engine: bool
    same_platform: bool

    @property
    def holds(self) -> bool:
        """All files are equal; on another platform, numbers of tables that are as close as the tolerance are too."""
        return all(d.close and not self.same_platform for d in self.differences)


def verify(bundle: Bundle, progress: Callable[[int, int], None] | None = None) -> Verification:
    """Run all runs that have a result. progress: gets (runs done, of).

    Raises ValueError or EngineError where this engine does not take a scenario of the bundle.
    """
    again = rerun(bundle, progress)
    computed = output_files(again)
    platform = json.loads(bundle.files.get("environment/platform.json", b"{}"))
    return Verification(
        runs=len(again.runs),
        files=len(computed),
        differences=tuple(differences(bundle.outputs, computed)),
        same_engine=bundle.description.engine == ENGINE_VERSION,
        same_platform=platform == this_platform(),
    )


def rerun(bundle: Bundle, progress: Callable[[int, int], None] | None = None) -> Experiment:
    """The experiment of the bundle, computed here and now."""
    described = bundle.description
    wanted = [(place, run) for place, run in enumerate(described.runs) if run.sha256 is not None]
    runs, records = [], None
    for done, (place, run) in enumerate(wanted, start=1):
        outcome = simulate(bundle.scenarios[run.scenario], run.seed)
        runs.append(Run(run.scenario, run.seed, outcome.document))
        records = outcome.records if place == described.jobs.run else records
        if progress:
            progress(done, len(wanted))
    return Experiment(
        kind=described.kind,
        title=described.title,
        engine=ENGINE_VERSION,
        scenarios=bundle.scenarios,
        families=tuple(scenario.family for scenario in described.scenarios),
        runs=tuple(runs),
        axes=described.axes,
        records=records,
    )
