"""fidelity: does the engine agree with what is known?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulation.cli.errors import InputError

if TYPE_CHECKING:
    from simulation.fidelity.rows import Row


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("fidelity", help="compare the engine with known results")
    parser.add_argument(
        "case", nargs="*", metavar="CASE", help="cases, or folders of cases (PEER, PEER/RUN); none: all"
    )
    parser.add_argument(
        "--reference", type=Path, help="folder of reference runs of other simulators (HEADROOM_SHARED/reference)"
    )
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")


def main(args: argparse.Namespace) -> int:
    """0 where no row fails, else 1."""
    from simulation.fidelity.cases import names_of, run_cases

    reference = _reference(args.reference)
    try:
        cases = run_cases(args.case, reference)
    except KeyError as error:
        raise InputError(f"no case {error.args[0]!r}; expected one of {', '.join(names_of(reference))}") from error
    rows = []
    for of_case in cases:
        rows += of_case
        if not args.json:
            print("\n".join(_line(row) for row in of_case), flush=True)
    if args.json:
        print(json.dumps([row.document() for row in rows], indent=2))
    return 1 if any(row.verdict == "fail" for row in rows) else 0


def _reference(given: Path | None) -> Path | None:
    """The folder that was named, or the usual one; without it a sentence says what is left out."""
    from simulation.fidelity.discovery import reference_folder

    if given is not None and not given.is_dir():
        raise InputError(f"--reference {given}: no such folder")
    folder = given or reference_folder()
    if folder is None:
        print("No folder of reference runs (HEADROOM_SHARED or --reference): built-in cases only.", file=sys.stderr)
    return folder


def _line(row: Row) -> str:
    ours = "none" if row.ours is None else f"{row.ours:.10g}"
    faster = "" if row.speedup is None else f"  {row.speedup:.3g} times faster"
    within = "" if row.tolerance is None else f"(tolerance {row.tolerance:.3g})"
    compared = f"theirs {row.theirs:.10g} ours {ours} {row.unit} {within}{faster}".rstrip()
    return f"{row.verdict:8} {row.case:48} {row.quantity:52} {compared}"
