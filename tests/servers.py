"""Real servers for tests, each with its own port and scratch folder, that can also be killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from planner.config.broker import free_port
from tests.programs import postgres_folder


def wait_until(true: Callable[[], object], seconds: float, what: str, every_s: float = 0.05) -> None:
    """Wait for a condition; a test that waits in vain says what for."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(every_s)


def port_answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Server:
    """A program that listens on one port of the loopback address."""

    def __init__(self, command: list[str], port: int, log: Path, account: dict[str, object] | None = None) -> None:
        self.command, self.port, self.log, self.account = command, port, log, account or {}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, **self.account
            )
        wait_until(lambda: port_answers(self.port), 20, f"{self.command[0]} listens")

    def signal(self, number: int) -> None:
        """To the server and whatever it has started."""
        assert self.process is not None, "it runs"
        os.killpg(self.process.pid, number)

    def kill(self) -> None:
        """As if the power had failed."""
        if self.process is not None:
            self.signal(signal.SIGKILL)
            self.process.wait()
            self.process = None


def redis_url(port: int) -> str:
    return f"redis://127.0.0.1:{port}/0"


def broker_server(program: str, folder: Path, *, persistent: bool) -> Server:
    """A Redis or Valkey server; one that is not persistent forgets all messages when it is killed."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    kept = ["--appendonly", "yes"] if persistent else ["--appendonly", "no"]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", *kept]
    return Server([program, *options], port, folder / "broker.log")


@contextmanager
def postgres_server() -> Iterator[str]:
    """The DATABASE_URL of an empty PostgreSQL of its own. The server refuses to run as root, so it then is postgres."""
    programs = postgres_folder()
    assert programs is not None, "mark the test with `postgres`"
    folder = Path(tempfile.mkdtemp(prefix="headroom-pg-"))
    account: dict[str, object] = {}
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        account = {"user": "postgres", "group": "postgres", "extra_groups": []}
    data, port = folder / "data", free_port()
    made = [str(programs / "initdb"), "--pgdata", str(data), "--username", "headroom", "--auth", "trust"]
    subprocess.run([*made, "--no-sync", "--encoding", "UTF8"], check=True, capture_output=True, cwd="/", **account)
    options = ["-c", "fsync=off", "-c", f"unix_socket_directories={folder}", "-c", "listen_addresses=127.0.0.1"]
    command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), *options]
    server = Server(command, port, folder / "postgres.log", account | {"cwd": "/"})
    try:
        server.start()
        yield f"postgres://headroom@127.0.0.1:{port}/postgres"
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)
