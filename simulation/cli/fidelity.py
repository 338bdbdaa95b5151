"""fidelity: does the engine agree with what is known?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from simulation.cli.errors import InputError


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("fidelity", help="compare the engine with known results")
    parser.add_argument("case", nargs="*", metavar="CASE", help="names of cases; none: all")
    parser.add_argument("--reference", type=Path, help="folder of reference runs of other simulators")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")


def main(args: argparse.Namespace) -> int:
    """0 where all rows pass, 1 where one fails."""
    from simulation.fidelity.cases import CASES, run_cases

    unknown = [name for name in args.case if name not in CASES]
    if unknown:
        raise InputError(f"no case {unknown[0]!r}; expected {', '.join(CASES)}")
    if args.reference is not None and not args.reference.is_dir():
        raise InputError(f"--reference {args.reference}: no such folder")
    rows = run_cases(args.case, args.reference)
    if args.json:
        print(json.dumps([row.document() for row in rows], indent=2))
    else:
        for row in rows:
            ours = "none" if row.ours is None else f"{row.ours:.10g}"
            print(f"{row.verdict:5} {row.case:16} {row.quantity:52} theirs {row.theirs:.10g} ours {ours} {row.unit}")
    return 0 if all(row.verdict == "pass" for row in rows) else 1
