from __future__ import annotations

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError

from planner.config import broker
from tests.servers import Server, port_answers


@pytest.fixture
def started(tmp_path):
    """Starts the server of a choice; the test then talks to it."""
    running = []

    def start(choice: broker.Broker) -> Redis:
        port = int(choice.url.rsplit(":", 1)[1].removesuffix("/0"))
        server = Server(choice.command, port, tmp_path / "log")
        server.start()
        client = Redis.from_url(choice.url)
        running.append((server, client))
        return client

    yield start
    for server, client in running:
        client.close()
        server.kill()


@pytest.fixture
def no_program(monkeypatch):
    monkeypatch.setattr(broker.shutil, "which", lambda name: None)


def test_the_embedded_broker_starts_without_any_program(no_program, started, tmp_path):
    choice = broker.broker_choose("", tmp_path / "broker")
    assert "embedded" in choice.says
    client = started(choice)
    assert client.set("a", "1")
    assert client.config_get("appendonly")["appendonly"] == "yes"


def test_nobody_reaches_it_without_the_password(no_program, started, tmp_path):
    choice = broker.broker_choose("", tmp_path / "broker")
    port = started(choice).connection_pool.connection_kwargs["port"]
    stranger = Redis(port=port, retry=None)
    with pytest.raises(AuthenticationError):
        stranger.ping()
    stranger.close()
    assert (tmp_path / "broker" / "broker.conf").stat().st_mode & 0o777 == 0o600
    assert "requirepass" not in " ".join(choice.command)


@pytest.mark.redis
def test_a_server_on_the_path_is_preferred(tmp_path):
    choice = broker.broker_choose("", tmp_path / "broker")
    assert choice.command[0].endswith("redis-server")


def test_a_given_broker_that_answers_is_used(no_program, started, tmp_path):
    running = broker.broker_choose("", tmp_path / "broker")
    started(running)
    choice = broker.broker_choose(running.url, tmp_path / "other")
    assert (choice.url, choice.command) == (running.url, [])


def test_a_given_broker_that_does_not_answer_is_replaced_and_that_is_said(no_program, tmp_path):
    url = f"redis://127.0.0.1:{broker.free_port()}/0"
    choice = broker.broker_choose(url, tmp_path / "broker")
    assert choice.url != url
    assert choice.says.startswith("REDIS_URL does not answer")


def test_where_none_can_run_there_is_none(no_program, monkeypatch, tmp_path):
    monkeypatch.setattr(broker, "embedded_program", lambda: None)
    choice = broker.broker_choose("", tmp_path / "broker")
    assert (choice.url, choice.command) == ("", [])


def test_free_ports_are_free():
    assert not port_answers(broker.free_port())
