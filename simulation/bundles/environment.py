"""Where a bundle was made: libraries, interpreter, platform and revision of the code. No name of a host or person."""

from __future__ import annotations

import platform
import subprocess
import sys
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from simulation.scenario import canonical_bytes

_ROOT = Path(__file__).resolve().parents[2]
_LOCK = _ROOT / "requirements.txt"


def environment_files() -> dict[str, bytes]:
    return {
        "environment/requirements.lock": _lock(),
        "environment/python.txt": f"{platform.python_implementation()} {sys.version.split()[0]}\n".encode(),
        "environment/platform.json": canonical_bytes(this_platform()) + b"\n",
        "environment/git.json": canonical_bytes(_revision()) + b"\n",
    }


def this_platform() -> dict[str, str]:
    """What results may depend on in their last bits."""
    return {"system": platform.system(), "machine": platform.machine(), "python": platform.python_version()}


def _lock() -> bytes:
    """The lock that the product is installed from; without a checkout, the versions that are installed."""
    if _LOCK.is_file():
        return _LOCK.read_bytes()
    found = {f"{one.metadata['Name']}=={one.version}" for one in metadata.distributions()}
    return "".join(f"{line}\n" for line in sorted(found)).encode()


@cache
def _revision() -> dict[str, Any]:
    """Commit of the checkout, and whether files under version control were changed; None: not recorded."""
    try:
        commit, changed = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "changed": None}
    return {"commit": commit.strip(), "changed": bool(changed.strip())}


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=True, timeout=10)
    return done.stdout
