"""run: simulate a scenario file and leave its results in a folder."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from simulation.cli.errors import InputError


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("run", help="simulate a scenario")
    parser.add_argument("scenario", type=Path, metavar="SCENARIO.json")
    parser.add_argument("--out", type=Path, required=True, help="folder for metrics, records and manifest")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the manifest and metrics as JSON")


def main(args: argparse.Namespace) -> int:
    from simulation.engine.errors import EngineError
    from simulation.results import write_results
    from simulation.run import simulate

    scenario = read_scenario(args.scenario)
    if args.seed < 0:
        raise InputError(f"--seed is {args.seed}, expected 0 or more")
    try:
        outcome = simulate(scenario, args.seed)
    except ValueError as error:
        raise InputError(f"{args.scenario}: {error}") from error
    except EngineError as error:
        print(f"error: the run broke off: {error}", file=sys.stderr)
        return 3
    try:
        manifest = write_results(args.out, scenario, args.seed, outcome)
    except OSError as error:
        raise InputError(f"{args.out}: {error.strerror or error}") from error
    _report(args, manifest, outcome.document)
    return 0


def read_scenario(path: Path) -> Any:
    """The scenario in a JSON file; InputError names the file, the place inside, the value and what was expected."""
    from pydantic import ValidationError

    from simulation.scenario import Scenario

    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{path}: expected a JSON document: {error}") from error
    try:
        return Scenario.model_validate(document)
    except ValidationError as error:
        raise InputError("\n".join(_sentence(path, fault) for fault in error.errors()[:20])) from error


def _sentence(path: Path, fault: Any) -> str:
    place = ".".join(str(part) for part in fault["loc"]) or "the document"
    value = repr(fault["input"])
    return f"{path}: {place} is {value if len(value) <= 80 else value[:77] + '...'}: {fault['msg']}"


def _report(args: argparse.Namespace, manifest: dict[str, Any], document: dict[str, Any]) -> None:
    if args.json:
        print(json.dumps({"manifest": manifest, "metrics": document["metrics"]}, sort_keys=True, indent=2))
        return
    for name, metric in document["metrics"].items():
        value = "unknown" if metric["value"] is None else f"{metric['value']:.6g} {metric['unit']}".rstrip()
        print(f"{name:24} {value}")
    print(f"results in {args.out}")
