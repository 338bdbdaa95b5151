"""Installations for fault tests. They start and kill processes, so they run one after the other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from planner.config.broker import embedded_program
from tests.faults.installation import Installation
from tests.servers import broker_server, postgres_server


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("faults"))


@pytest.fixture(scope="session")
def migrated(tmp_path_factory) -> Path:
    """A SQLite file with all tables, made once and copied."""
    made = Installation(tmp_path_factory.mktemp("migrated"))
    made.manage("migrate", "--no-input")
    return made.folder / "headroom.sqlite3"


@pytest.fixture
def install(tmp_path, migrated):
    """Makes an installation with a broker: on SQLite, or on the given PostgreSQL. Everything ends with the test."""
    made = []

    def make(*, persistent: bool = False, database_url: str = "", **env: str) -> Installation:
        broker = broker_server(embedded_program(), tmp_path / "broker", persistent=persistent)
        broker.start()
        installation = Installation(tmp_path / "state", broker, database_url, **env)
        made.append(installation)
        if database_url:
            installation.manage("migrate", "--no-input")
        else:
            shutil.copy(migrated, installation.folder)
        return installation

    yield make
    for installation in made:
        installation.stop_all()


@pytest.fixture
def postgres():
    with postgres_server() as url:
        yield url
