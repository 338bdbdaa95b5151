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
SLUG = "research-platform"


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

    def imports(self) -> list[str]:
        return [str(uuid.UUID(id)) for (id,) in self._rows("select i.id from catalog_import i", "i.workspace_id")]

    def base_run(self) -> str:
        """The first run of the base: the page with everything on it."""
        runs = "select r.id from studies_run r join studies_scenario s on s.id = r.scenario_id"
        first = f"{runs} and s.position = 0 and r.seed = 0 join studies_study t on t.id = s.study_id"
        ((id,),) = self._rows(first, "t.workspace_id")
        return str(uuid.UUID(id))

    def items(self) -> list[tuple[str, str]]:
        rows = self._rows("select c.id, c.kind from catalog_item c", "c.workspace_id")
        return [(str(uuid.UUID(id)), kind) for id, kind in rows]

    def _rows(self, select: str, workspace: str) -> list[tuple]:
        """Of the one workspace whose pages are looked at; other tests make others."""
        return self.installation.rows(f"{select} join accounts_workspace w on w.id = {workspace} and w.slug = '{SLUG}'")

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.address}/healthz", timeout=2).close()
        except urllib.error.HTTPError:
            return True  # it answers, though something is still missing
        except OSError:
            return False
        return True
