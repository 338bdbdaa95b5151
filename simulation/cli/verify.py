"""verify: run everything in a bundle again, and compare its result files byte by byte."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulation.cli.errors import InputError

if TYPE_CHECKING:
    from simulation.bundles.read import Bundle
    from simulation.bundles.verify import Verification


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("verify", help="run a bundle again and compare its results")
    parser.add_argument("bundle", type=Path, metavar="BUNDLE.zip")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def main(args: argparse.Namespace) -> int:
    """0 where every result file is equal, 1 where one differs, 2 where this is no bundle, 3 where a run broke off."""
    from simulation.bundles.verify import verify
    from simulation.engine.errors import EngineError

    bundle = read(args.bundle)
    try:
        found = verify(bundle, None if args.json or not sys.stderr.isatty() else _progress)
    except ValueError as error:
        raise InputError(f"{args.bundle}: {error}") from error
    except EngineError as error:
        print(f"error: a run broke off: {error}", file=sys.stderr)
        return 3
    _report(bundle, found, as_json=args.json)
    return 0 if found.holds else 1


def read(path: Path) -> Bundle:
    """The bundle at `path`; InputError where it is none, or is not whole and unchanged."""
    from simulation.bundles.archive import TOTAL_BYTES
    from simulation.bundles.errors import BundleError
    from simulation.bundles.read import read_bundle

    try:
        with path.open("rb") as stream:
            content = stream.read(TOTAL_BYTES + 1)
        return read_bundle(content)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except BundleError as error:
        raise InputError(f"{path}: {error}") from error


def _progress(done: int, of: int) -> None:
    print(f"\r{done} of {of} runs", end="\n" if done == of else "", file=sys.stderr, flush=True)


def _report(bundle: Bundle, found: Verification, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"holds": found.holds, **asdict(found)}, indent=2))
        return
    different = {difference.file for difference in found.differences}
    for name in sorted(bundle.outputs.keys() | different):
        print(f"{'differs' if name in different else 'equal':8} {name}")
    if found.differences:
        print(f"first difference: {found.differences[0]}")
    if not found.same_engine:
        print(f"the bundle was made by engine {bundle.description.engine}, this is another one")
    if not found.same_platform:
        print("the bundle was made on another platform: numbers of tables may differ by 1e-9, relatively")
    verdict = "all results are equal" if not found.differences else "holds" if found.holds else "DOES NOT HOLD"
    print(f"{found.runs} runs, {found.files} result files: {verdict}")
