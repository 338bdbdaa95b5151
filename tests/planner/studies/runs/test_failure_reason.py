from __future__ import annotations

import pytest

from planner.studies.runs.failure import reason_of


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("job a/7: gpus is 0"), "ValueError: job a/7: gpus is 0"),
        (OSError("cannot open /srv/headroom/var/cache/x.nbi"), "OSError: cannot open x.nbi"),
        (OSError(r"cannot open C:\Users\someone\x.nbi"), "OSError: cannot open x.nbi"),
        (RuntimeError("postgres://me:hunter2@db/runs is away"), "RuntimeError: postgres://***@db/runs is away"),
        (KeyError(), "KeyError"),
        (ValueError("many\n   lines\tof text"), "ValueError: many lines of text"),
    ],
)  # fmt: skip
def test_a_reason_tells_what_is_wrong_and_nothing_of_the_machine(error, words):
    assert reason_of(error) == words


def test_a_secret_of_the_settings_is_never_shown(settings):
    settings.SECRET_KEY = "planted-canary-of-this-test"
    assert "canary" not in reason_of(ValueError("bad key planted-canary-of-this-test"))


def test_a_reason_is_short(settings):
    assert len(reason_of(ValueError("x" * 10_000))) == 500


def test_too_much_memory_is_said_in_words(settings):
    settings.RUN_MEMORY_LIMIT_BYTES = 2 * 1024**3
    assert "2.0 GiB" in reason_of(MemoryError())
