"""Folders of compiled kernels, one for each engine that was warmed here: those of engines long gone are removed."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from django.conf import settings

OURS = re.compile(r"[0-9a-f]{12}")  # named after the engine's digest
KEPT = 1
"""Engines before this one whose kernels stay: their workers may still be ending, or be gone back to."""


def old_kernels_remove() -> None:
    """Of the folders of an installation alone; one that was named from outside (NUMBA_CACHE_DIR) is left as it is."""
    current = Path(os.environ.get("NUMBA_CACHE_DIR", ""))
    if current.parent != settings.STATE_DIR / "kernels" or not current.is_dir():
        return
    os.utime(current)  # the order is that of the last warming
    others = [folder for folder in current.parent.iterdir() if OURS.fullmatch(folder.name) and folder != current]
    for folder in sorted(others, key=lambda one: one.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)  # another worker may be at it too
