"""The command line: python -m simulation COMMAND."""

from __future__ import annotations

import sys

from simulation.cli.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
