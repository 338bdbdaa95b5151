"""systems: what can be simulated."""

from __future__ import annotations

import argparse
import json
from typing import Any


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("systems", help="list scheduling systems and their recipes")
    parser.add_argument("--json", action="store_true")


def main(args: argparse.Namespace) -> int:
    from simulation.systems.registry import SYSTEMS

    if args.json:
        print(json.dumps([system.document() for system in SYSTEMS.values()], indent=2))
        return 0
    for system in SYSTEMS.values():
        stages = ", ".join(f"{family} {stage['member']}" for family, stage in system.recipe.describe().items())
        print(f"{system.slug:24} {system.workload:10} {stages}")
    return 0
