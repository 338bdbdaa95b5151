"""Where compiled kernels are kept: in a folder of their own for each state of the engine's source.

The compiler looks only at the file of a kernel, not at those whose kernels it calls: in a folder that outlived a change
of these it would find, and run, what they were before.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def engine_digest() -> str:
    """Of the engine's source."""
    sources = sorted((ROOT / "simulation").rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


def keep_kernels(state: Path) -> None:
    """Name the folder, unless it is named already; to be called before numba is imported, which reads it.

    Where `state` cannot be written, kernels are kept as numba keeps them by itself.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = state / "kernels" / engine_digest()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["NUMBA_CACHE_DIR"] = str(folder)
