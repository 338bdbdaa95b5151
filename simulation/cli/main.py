"""The table of subcommands, and the shape of what they say when something is wrong."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from simulation.cli.errors import InputError

# A module is imported when its name is on the command line (or help is asked for); it imports what is heavy in `main`.
COMMANDS = {
    "run": "simulation.cli.run",
    "systems": "simulation.cli.systems",
    "convert": "simulation.cli.convert",
    "signature": "simulation.cli.signature",
    "fidelity": "simulation.cli.fidelity",
    "bundle": "simulation.cli.bundle",
    "verify": "simulation.cli.verify",
}


def main(argv: Sequence[str]) -> int:
    """Run one subcommand; returns the exit code: 0 fine, 1 a check failed, 2 wrong input, 3 the run broke off."""
    parser = argparse.ArgumentParser(prog="python -m simulation", description="Simulate GPU clusters.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = [argv[0]] if argv and argv[0] in COMMANDS else list(COMMANDS)
    modules = {name: importlib.import_module(COMMANDS[name]) for name in wanted}
    for module in modules.values():
        module.add_parser(subparsers)
    args = parser.parse_args(argv)
    try:
        code: int = modules[args.command].main(args)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return code
