"""The commands of docker-compose.yml, word for word, as processes against a real PostgreSQL and redis-server."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from planner.config.broker import free_port
from planner.config.management.commands.up import health_of
from tests.conftest import ROOT
from tests.faults.installation import Installation
from tests.programs import compose, redis_server
from tests.servers import Server, postgres_server, wait_until

FILE = ROOT / "docker-compose.yml"
PROGRAMS = Path(sys.executable).parent


def filled(text: str, values: dict[str, str]) -> str:
    """Compose's ${NAME}, ${NAME:-default} and ${NAME:?words}, with values from an .env file."""

    def value(found: re.Match[str]) -> str:
        name, _, other = found[1].partition(":")
        return values[name] if name in values or not other.startswith("-") else other[1:]

    return re.sub(r"\$\{([^}]+)\}", value, text)


def example_values() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def services(values: dict[str, str]) -> dict[str, dict]:
    return yaml.safe_load(filled(FILE.read_text(), values))["services"]


def arguments(service: dict) -> list[str]:
    program, *rest = shlex.split(service["command"])
    return [str(PROGRAMS / program), *rest]


@pytest.mark.compose
def test_docker_compose_accepts_the_file_and_reads_it_as_we_do():
    command = [*compose(), "--env-file", ".env.example", "config"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    theirs = yaml.safe_load(done.stdout)["services"]
    ours = services(example_values())
    assert set(theirs) == set(ours)
    for name in ("prepare", "web", "worker", "reaper"):
        given = theirs[name]["command"]
        assert (given if isinstance(given, list) else shlex.split(given)) == shlex.split(ours[name]["command"])


def test_no_secret_stands_in_the_file():
    secrets = re.findall(r"^\s*\w*(?:PASSWORD|SECRET)\w*:\s*(.+)$", FILE.read_text(), re.MULTILINE)
    assert secrets
    assert all(value.startswith("${") for value in secrets)


def test_containers_and_procfile_run_the_same_commands():
    ours = services({**example_values(), "HEADROOM_BIND": "$HEADROOM_BIND", "HEADROOM_WORKERS": "$HEADROOM_WORKERS"})
    for line in (ROOT / "Procfile").read_text().splitlines():
        name, _, command = line.partition(":")
        assert ours[name]["command"] == command.strip()


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.xdist_group("faults")
def test_the_same_commands_give_a_working_installation(tmp_path):
    port, redis_port, password = free_port(), free_port(), "planted-broker-password"
    values = example_values() | {"HEADROOM_BIND": f"127.0.0.1:{port}", "REDIS_PASSWORD": password}
    given = services(values)
    environment = given["web"]["environment"]
    with postgres_server() as database_url:
        broker_command = [redis_server(), *shlex.split(given["broker"]["command"])[1:]]
        local = ["--port", str(redis_port), "--bind", "127.0.0.1", "--dir", str(tmp_path)]
        broker = Server([*broker_command, *local], redis_port, tmp_path / "broker.log")
        broker.start()
        moved = {
            "REDIS_URL": environment["REDIS_URL"].replace("@broker:6379", f"@127.0.0.1:{redis_port}"),
            "STATIC_ROOT": str(ROOT / "var" / "static-tests"),
        }
        installation = Installation(tmp_path / "state", broker, database_url, **environment | moved | {
            "DATABASE_URL": database_url})  # fmt: skip
        try:
            prepared = installation.start(*arguments(given["prepare"]))
            assert prepared.wait(120) == 0, installation.log()
            for name in ("web", "worker", "reaper"):
                installation.start(*arguments(given[name]))
            wait_until(lambda: health_of(f"http://127.0.0.1:{port}"), 120, "all parts are healthy", every_s=0.3)
            wait_until(lambda: installation.states()["done"] >= 8, 120, "runs of the example are done", every_s=0.3)
            assert password not in installation.log()
        finally:
            installation.stop_all()
