"""Runs the whole installation on this terminal: broker, web server, workers, reaper. Ctrl-C stops all of it."""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Collection
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from planner.config.broker import Broker, broker_choose
from planner.config.env import ROOT, env, state_dir
from planner.config.supervisor import Milestone, StartError, Supervisor
from planner.studies.runs.presence import process_names, worker_other_than

_WITHOUT_BROKER = "python manage.py run_worker --slots $HEADROOM_WORKERS"


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        os.umask(0o077)  # database, keys and logs are for this account alone
        host, port = env.str("HEADROOM_HOST", default="127.0.0.1"), env.int("HEADROOM_PORT", default=8000)
        refuse_used_port(host, port)
        broker = broker_choose(env.str("REDIS_URL", default=""), state_dir() / "broker")
        self._say(f"Broker: {broker.says}.")
        supervisor = Supervisor(environment(host, port, broker), state_dir() / "log", self._say)
        supervisor.catch_signals()
        try:
            self._run(supervisor, broker, f"http://{host}:{port}")
        except StartError as error:
            raise CommandError(f"{error}\nEverything has been stopped.") from None
        finally:
            self._say("Stopping ...")
            supervisor.stop()
            self._say("Stopped; nothing is left running.")

    def _run(self, supervisor: Supervisor, broker: Broker, address: str) -> None:
        if broker.command:
            supervisor.start("broker", broker.command)
        self._say("Preparing tables, static files and the example ...")
        commands = processes(broker, supervisor.env)
        if not supervisor.finish("migrate", [sys.executable, "manage.py", "migrate", "--no-input"]):
            return
        before = process_names()
        # Compiling the engine takes a minute the first time: it goes on while the rest is prepared.
        supervisor.start("worker", commands.pop("worker"))
        if not supervisor.finish("prepare", [sys.executable, "manage.py", "prepare"]):
            return
        for name, command in commands.items():
            supervisor.start(name, command)
        supervisor.watch(
            [
                Milestone(lambda: health_of(address) is not None, lambda: welcome(address)),
                Milestone(lambda: ready_since(before, address), lambda: "Workers are ready."),
            ]
        )

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def refuse_used_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} cannot be used ({error.strerror}). Choose another one: HEADROOM_PORT={port + 1} make run"
            ) from None


def environment(host: str, port: int, broker: Broker) -> dict[str, str]:
    """Of all processes: the programs of this environment first on the path, and one broker for all."""
    return {
        "HEADROOM_WORKERS": "2",
        "REMAP_SIGTERM": "SIGQUIT",  # Celery: end soon and hand back, instead of finishing what may take an hour
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "HEADROOM_BIND": f"{host}:{port}",
        "REDIS_URL": broker.url,
    }


def processes(broker: Broker, given: dict[str, str]) -> dict[str, list[str]]:
    """The commands of the Procfile by name; without a broker, workers that need none."""
    lines = (line.partition(":") for line in (ROOT / "Procfile").read_text().splitlines() if line.strip())
    commands = {name.strip(): command for name, _, command in lines}
    if not broker.url:
        commands["worker"] = _WITHOUT_BROKER
    return {name: [_filled(word, given) for word in shlex.split(command)] for name, command in commands.items()}


def _filled(word: str, given: dict[str, str]) -> str:
    """A word of a command with the variables that it names ($NAME)."""
    for name in ("HEADROOM_BIND", "HEADROOM_WORKERS"):
        word = word.replace(f"${name}", given[name])
    return word


def health_of(address: str) -> bool | None:
    """The verdict of the health page; None while no page comes."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=2) as answer:
            return bool(json.load(answer)["ok"])
    except urllib.error.HTTPError:
        return False
    except (urllib.error.URLError, OSError, ValueError):
        return None


def ready_since(before: Collection[str], address: str) -> bool:
    """Whether everything works and a worker has come that was not there `before`: one that was killed in an earlier
    start is taken for alive for some seconds more."""
    try:
        return bool(health_of(address)) and worker_other_than(before)
    except DatabaseError:  # busy: the next look tells
        return False
    finally:
        connection.close_if_unusable_or_obsolete()


def welcome(address: str) -> str:
    from planner.config.sign_in import sign_in_words  # needs the tables

    return (
        f"\nHeadroom is ready: {address}\n{sign_in_words()}\nCtrl-C stops everything."
        "\nWorkers compile the engine on their first start; runs begin within a minute or two."
    )
