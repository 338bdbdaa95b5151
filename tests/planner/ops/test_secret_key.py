from __future__ import annotations

import pytest

from planner.config import env


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADROOM_STATE", str(tmp_path))
    monkeypatch.delenv("SECRET_KEY", raising=False)
    return tmp_path


def test_a_key_is_made_once_and_only_its_owner_can_read_it(state):
    key = env.secret_key()
    assert len(key) >= 50
    assert env.secret_key() == key
    assert [file.name for file in state.iterdir()] == ["secret_key"]
    assert (state / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_given_key_is_taken_and_none_is_made(state, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "given")
    assert env.secret_key() == "given"
    assert not list(state.iterdir())


def test_of_two_processes_that_make_a_key_at_once_the_first_one_wins(state, monkeypatch):
    """The other one comes between our look and the end of our writing."""
    seen, link = [], env.os.link

    def other_comes_first(source, target):
        monkeypatch.setattr(env.os, "link", link)
        seen.append(env.secret_key())
        link(source, target)

    monkeypatch.setattr(env.os, "link", other_comes_first)
    assert [env.secret_key(), env.secret_key()] == seen * 2
    assert len(seen[0]) >= 50
