"""An archive that is not exactly a bundle is refused in one sentence, and nothing of it is written."""

from __future__ import annotations

import os
import random
import re
import time
import tracemalloc
from pathlib import Path

import pytest

from simulation.bundles.errors import BundleError
from simulation.bundles.layout import permitted
from simulation.bundles.read import read_bundle
from tests.security.hostile_archives import Hostile, hostile_archives
from tests.simulation.bundles.material import run_bundle


@pytest.fixture(scope="module")
def archives() -> list[Hostile]:
    return list(hostile_archives(run_bundle()))


def test_there_are_more_than_two_hundred_different_ones(archives: list[Hostile]) -> None:
    assert len({content for _, content, _ in archives}) >= 200


def test_the_honest_one_is_taken() -> None:
    assert read_bundle(run_bundle()).description.kind == "run"


def test_each_is_refused_in_one_sentence_and_nothing_is_written(
    archives: list[Hostile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    wrong = {}
    for name, content, words in archives:
        started = time.process_time()
        try:
            read_bundle(content)
        except BundleError as error:
            said = str(error)
            if not re.search(words, said) or "\n" in said or len(said) > 400:
                wrong[name] = said
        else:
            wrong[name] = "taken"
        if time.process_time() - started > 20:
            wrong[name] = "took very long"
    assert wrong == {}
    assert os.listdir(tmp_path) == []


def test_a_bomb_is_given_up_before_it_fills_the_memory(archives: list[Hostile]) -> None:
    bombs = [content for name, content, _ in archives if name.startswith("bomb")]
    tracemalloc.start()
    for content in bombs:
        with pytest.raises(BundleError):
            read_bundle(content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 160 * 10**6


def test_no_name_leads_out_of_the_bundle() -> None:
    """5,000 names made of the pieces that attacks are made of."""
    rng = random.Random(7)
    pieces = ["..", ".", "/", "\\", "inputs", "outputs", "run.json", "a", "~", "C:", "%2e", "\u2024", "\x00", " ", "é"]
    for _ in range(5_000):
        name = "".join(rng.choice(pieces) for _ in range(rng.randrange(1, 9)))
        if permitted(name):
            path = os.path.normpath(os.path.join("/bundle", name))
            assert path.startswith("/bundle/")
            assert path == f"/bundle/{name}"
