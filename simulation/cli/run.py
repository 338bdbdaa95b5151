"""run: simulate a scenario, given in one file or in parts, and leave its results in a folder."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from simulation.cli.errors import InputError
from simulation.provenance import weakest


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("run", help="simulate a scenario")
    parser.add_argument(
        "scenario",
        type=Path,
        nargs="+",
        metavar="SCENARIO.json",
        help="a scenario, or its parts as convert writes them",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for metrics, records and manifest")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the manifest and metrics as JSON")


def main(args: argparse.Namespace) -> int:
    from simulation.engine.errors import EngineError
    from simulation.results import write_results
    from simulation.run import simulate

    scenario = read_scenario(*args.scenario)
    named = ", ".join(map(str, args.scenario))
    if args.seed < 0:
        raise InputError(f"--seed is {args.seed}, expected 0 or more")
    try:
        outcome = simulate(scenario, args.seed)
    except ValueError as error:
        raise InputError(f"{named}: {error}") from error
    except EngineError as error:
        print(f"error: the run broke off: {error}", file=sys.stderr)
        return 3
    try:
        manifest = write_results(args.out, scenario, args.seed, outcome)
    except OSError as error:
        raise InputError(f"{args.out}: {error.strerror or error}") from error
    _report(args, manifest, outcome.document)
    return 0


def read_scenario(*paths: Path) -> Any:
    """The scenario that JSON files hold together; InputError names file, place inside, value and what was expected."""
    from pydantic import ValidationError

    from simulation.scenario import Scenario

    document: Any = None
    for path in paths:
        found = _read(path)
        document = found if document is None else _joined(document, found, path)
    try:
        return Scenario.model_validate(document)
    except ValidationError as error:
        named = ", ".join(map(str, paths))
        raise InputError("\n".join(_sentence(named, fault) for fault in error.errors()[:20])) from error


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{path}: expected a JSON document: {error}") from error


def _joined(first: Any, second: Any, path: Path, place: str = "") -> Any:
    """Both documents as one; what both say must agree, or it is not known which one is meant."""
    if isinstance(first, dict) and isinstance(second, dict):
        within = f"{place}." if place else ""
        both = {key: _joined(first[key], second[key], path, within + key) for key in first.keys() & second.keys()}
        return {**first, **second, **both}
    if first == second:
        return first
    if place.startswith("origins."):
        return str(weakest([first, second]))
    if place.startswith("sources."):
        return f"{first}; {second}"
    raise InputError(f"{path}: {place or 'the document'} is given by another file too, with another value")


def _sentence(named: str, fault: Any) -> str:
    place = ".".join(str(part) for part in fault["loc"]) or "the document"
    value = repr(fault["input"])
    return f"{named}: {place} is {value if len(value) <= 80 else value[:77] + '...'}: {fault['msg']}"


def _report(args: argparse.Namespace, manifest: dict[str, Any], document: dict[str, Any]) -> None:
    if args.json:
        print(json.dumps({"manifest": manifest, "metrics": document["metrics"]}, sort_keys=True, indent=2))
        return
    for name, metric in document["metrics"].items():
        value = "unknown" if metric["value"] is None else f"{metric['value']:.6g} {metric['unit']}".rstrip()
        print(f"{name:24} {value}")
    print(f"results in {args.out}")
