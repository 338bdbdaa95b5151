"""The one place where the environment is read. Defaults run at once on a bare machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

import environ

from simulation.kernel_cache import keep_kernels

ROOT = Path(__file__).resolve().parents[2]
env = environ.Env()


def state_dir() -> Path:
    """Folder of everything that a running installation writes (database, broker, caches, keys)."""
    path = Path(env.str("HEADROOM_STATE", default=str(ROOT / "var")))
    path.mkdir(parents=True, exist_ok=True)
    return path


def engine_environment() -> None:
    """What the engine's libraries read when they are first imported: where compiled kernels are kept, one thread each.

    Workers are processes; with a pool of threads in each of them they would fight for the cores.
    """
    keep_kernels(state_dir())
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def secret_key() -> str:
    """`SECRET_KEY`, else a random key made once and kept outside the tree's history."""
    given = env.str("SECRET_KEY", default="")
    if given:
        return given
    path = state_dir() / "secret_key"
    if not path.exists():
        _write_once(path, secrets.token_urlsafe(50))
    return path.read_text()


def _write_once(path: Path, text: str) -> None:
    """Write a private file whole or not at all; of several processes that do so at once, the first one's is kept."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}-") as new:
        new.write(text)
        new.flush()
        with contextlib.suppress(FileExistsError):
            os.link(new.name, path)
