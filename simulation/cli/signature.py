"""signature: does the mechanism that sets a system apart show, and only while it is there?"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from simulation.cli.errors import InputError

if TYPE_CHECKING:
    from simulation.signatures import Finding, SignatureResult
    from simulation.systems.system import System


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("signature", help="run the experiment that sets a system apart, and its ablation")
    parser.add_argument("slug", nargs="?", metavar="SLUG", help="a system (see `systems`)")
    parser.add_argument("--all", action="store_true", help="every system that has a signature")
    parser.add_argument("--ablate", metavar="FAMILY", help="family to ablate instead of the deciding one")
    parser.add_argument("--seeds", type=int, metavar="N", help="paired seeds, 2 or more")
    parser.add_argument("--json", action="store_true", help="print objects as JSON: a list with --all")


def main(args: argparse.Namespace) -> int:
    """0 where each effect is shown, and no more under its ablation; else 1."""
    from simulation.signatures import SEEDS, run_signature

    seeds = SEEDS if args.seeds is None else args.seeds
    if seeds < 2:
        raise InputError(f"--seeds is {seeds}, expected 2 or more: one seed has no interval")
    results = []
    for system in _systems(args):
        try:
            results.append(run_signature(system, range(seeds), args.ablate))
        except ValueError as error:
            raise InputError(str(error)) from error
        if not args.json:
            print("\n".join(_lines(results[-1])), flush=True)
    if args.json:
        documents = [result.document() for result in results]
        print(json.dumps(documents if args.all else documents[0], indent=2))
    return 0 if all(result.holds for result in results) else 1


def _systems(args: argparse.Namespace) -> list[System]:
    from simulation.signatures import with_signature
    from simulation.systems.registry import SYSTEMS

    if args.all == (args.slug is not None):
        raise InputError("expected either SLUG or --all")
    if args.all:
        if args.ablate:
            raise InputError("--ablate names a family of one system, not of --all")
        return with_signature()
    if args.slug not in SYSTEMS:
        raise InputError(f"no system {args.slug!r}; expected one of {', '.join(SYSTEMS)}")
    return [SYSTEMS[args.slug]]


def _lines(result: SignatureResult) -> list[str]:
    verdict = "holds" if result.holds else "FAILS"
    changed = "".join(f", {key} {value}" for key, value in result.changes.items())
    return [
        f"{result.slug} against {result.baseline}{changed}: {verdict} ({len(result.seeds)} seeds)",
        *(f"  {_line(finding)}" for finding in (result.found, *result.also)),
        f"  with {result.ablated} {result.replaced_by}: {_line(result.found_when_ablated)}",
    ]


def _line(finding: Finding) -> str:
    gain = finding.gain
    said = "shown" if finding.shown else "not shown"
    if gain.mean is None or gain.low is None or gain.high is None:
        return f"{finding.effect.words()}: unknown, {said}"
    scale, unit = (100.0, "%") if finding.effect.relative else (1.0, finding.effect.measure.unit)
    found = f"{gain.mean * scale:.4g} [{gain.low * scale:.4g}, {gain.high * scale:.4g}] {unit}".rstrip()
    return f"{finding.effect.words()}: {found}, {said}"
