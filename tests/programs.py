"""Programs that some tests need. A missing one skips the test with the reason; STRICT=1 makes that a failure."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from scripts.compose_check import compose_command

DEBIAN_POSTGRES = Path("/usr/lib/postgresql")


def chromium() -> str | None:
    given = os.environ.get("CHROMIUM")
    return given or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def redis_server() -> str | None:
    return shutil.which("redis-server")


def postgres_folder() -> Path | None:
    """The folder of initdb and postgres: on the path, else the newest of Debian's."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(DEBIAN_POSTGRES.glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    return versions[-1].parent if versions else None


def compose() -> list[str] | None:
    return compose_command()


PROBES = {
    "browser": (chromium, "Chromium is missing (Debian: chromium)"),
    "postgres": (postgres_folder, "PostgreSQL is missing (Debian: postgresql)"),
    "redis": (redis_server, "redis-server is missing (Debian: redis-server)"),
    "compose": (compose, "Docker Compose is missing (Debian: docker-compose)"),
}


def strict() -> bool:
    return os.environ.get("STRICT", "") not in ("", "0")
