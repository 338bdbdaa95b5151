"""bundle: simulate a scenario with some seeds, and leave everything that it takes to do so again in one zip."""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulation.cli.errors import InputError
from simulation.cli.run import read_scenario

if TYPE_CHECKING:
    from simulation.bundles.experiment import Experiment, Run
    from simulation.records import RunRecords
    from simulation.scenario import Scenario


def add_parser(subparsers: Any) -> None:
    from simulation.bundles.licences import LICENCES

    parser = subparsers.add_parser("bundle", help="simulate a scenario and pack it for others")
    parser.add_argument("scenario", type=Path, nargs="+", metavar="SCENARIO.json", help="a scenario, or its parts")
    parser.add_argument("--out", type=Path, required=True, metavar="BUNDLE.zip")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="seeds 0 to N-1; records of jobs with one")
    parser.add_argument("--title", default="", help="what was asked; by default the name of the scenario")
    parser.add_argument("--licence", choices=list(LICENCES), default="InC", help="terms of passing it on")
    parser.add_argument("--anonymise", action="store_true", help="replace names by numbers")


def main(args: argparse.Namespace) -> int:
    """0 where the bundle was written, 2 where something given is wrong."""
    from simulation.bundles.errors import BundleError
    from simulation.bundles.experiment import Publication
    from simulation.bundles.write import write_bundle

    if args.seeds < 1:
        raise InputError(f"--seeds is {args.seeds}, expected 1 or more")
    scenario = read_scenario(*args.scenario)
    try:
        experiment = _simulated(scenario, args)
        content = write_bundle(experiment, Publication(experiment.runs[-1].facts.finished or "", licence=args.licence))
        args.out.write_bytes(content)
    except (BundleError, ValueError) as error:
        raise InputError(f"{', '.join(map(str, args.scenario))}: {error}") from error
    except OSError as error:
        raise InputError(f"{args.out}: {error.strerror or error}") from error
    print(f"{len(content):,} bytes in {args.out}; check it with: python -m simulation verify {args.out}")
    return 0


def _simulated(scenario: Scenario, args: argparse.Namespace) -> Experiment:
    from simulation import ENGINE_VERSION
    from simulation.bundles.anonymise import RULE, Anonymiser
    from simulation.bundles.experiment import Experiment

    if args.anonymise:
        scenario = Anonymiser.of([scenario]).scenario(scenario)
    made = [_run(scenario, seed) for seed in range(args.seeds)]
    return Experiment(
        kind="run",
        title=args.title or scenario.name or "A scenario",
        engine=ENGINE_VERSION,
        scenarios=(scenario,),
        families=("",),
        runs=tuple(run for run, _ in made),
        axes=("cost_usd", "jct_mean_s"),
        records=made[0][1] if args.seeds == 1 else None,
        without_jobs="none: there are several runs",
        anonymised=RULE if args.anonymise else None,
    )


def _run(scenario: Scenario, seed: int) -> tuple[Run, RunRecords]:
    """A run with the facts around it; they change nothing of its result."""
    from simulation.bundles.experiment import Run, RunFacts
    from simulation.run import simulate

    started, began = datetime.now(UTC), time.perf_counter()
    outcome = simulate(scenario, seed)
    wall_time_s = time.perf_counter() - began
    facts = RunFacts(
        id=str(seed),
        started=started.isoformat(timespec="seconds"),
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
        wall_time_s=round(wall_time_s, 3),
    )
    return Run(0, seed, outcome.document, facts), outcome.records
