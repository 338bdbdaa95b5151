"""The one place where the environment is read. Defaults run at once on a bare machine."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import environ

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
    os.environ.setdefault("NUMBA_CACHE_DIR", str(state_dir() / "kernels"))
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def secret_key() -> str:
    """`SECRET_KEY`, else a random key made once and kept outside the tree's history."""
    given = env.str("SECRET_KEY", default="")
    if given:
        return given
    path = state_dir() / "secret_key"
    try:
        with path.open("x") as new:
            path.chmod(0o600)
            new.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    return path.read_text()
