"""An installation with its address: web server, worker, database file."""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request
import uuid
from pathlib import Path

from planner.config.broker import free_port
from tests.faults.installation import Installation
from tests.servers import wait_until

NAME, PASSWORD = "ines", "correct horse battery"


class Site:
    """An installation with its address."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        account = {"DJANGO_SUPERUSER_PASSWORD": PASSWORD, "DJANGO_SUPERUSER_USERNAME": NAME}
        kernels = {"NUMBA_CACHE_DIR": os.environ["NUMBA_CACHE_DIR"]}
        self.installation = Installation(folder, **account, **kernels, DJANGO_SUPERUSER_EMAIL="ines@site.example")

    def start(self) -> None:
        for words in (("migrate", "--no-input"), ("prepare", "--static-only"), ("createsuperuser", "--no-input")):
            self.installation.manage(*words)
        bind = ("--bind", f"127.0.0.1:{self.port}", "--threads", "4", "--no-control-socket")
        self.installation.start(sys.executable, "-m", "gunicorn", "planner.config.wsgi", *bind)
        self.installation.start(sys.executable, "manage.py", "run_worker", "--slots", "1")
        wait_until(self._answers, 60, f"the site answers; {self.installation.log()[-2000:]}")

    def ids(self, table: str) -> list[str]:
        return [str(uuid.UUID(id)) for (id,) in self.installation.rows(f"select id from {table}")]

    def base_run(self) -> str:
        """The first run of the base: the page with everything on it."""
        first = "select r.id from studies_run r join studies_scenario s on s.id = r.scenario_id"
        ((id,),) = self.installation.rows(f"{first} where s.position = 0 and r.seed = 0")
        return str(uuid.UUID(id))

    def items(self) -> list[tuple[str, str]]:
        rows = self.installation.rows("select id, kind from catalog_item")
        return [(str(uuid.UUID(id)), kind) for id, kind in rows]

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.address}/healthz", timeout=2).close()
        except urllib.error.HTTPError:
            return True  # it answers, though something is still missing
        except OSError:
            return False
        return True
