"""The command line: python -m simulation COMMAND."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from simulation.kernel_cache import ROOT, keep_kernels

if __name__ == "__main__":
    keep_kernels(Path(os.environ.get("HEADROOM_STATE", ROOT / "var")))
    from simulation.cli.main import main

    sys.exit(main(sys.argv[1:]))
