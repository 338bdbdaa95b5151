"""`signature` as others rely on it: the object, its list, and exit codes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from simulation.cli.main import main
from simulation.signatures import with_signature
from simulation.systems.registry import SYSTEMS

PROMISED = {"slug", "baseline", "effect", "interval", "shown", "ablated", "shown_when_ablated"}


def test_one_signature_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["signature", "sjf", "--seeds", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() >= PROMISED
    assert found["interval"][0] < found["effect"] < found["interval"][1]
    assert (found["ablated"], found["replaced_by"], found["seeds"]) == ("ordering", "arrival", [0, 1, 2])


@pytest.mark.parametrize("slugs", [("sjf", "tiresias"), pytest.param(tuple(SYSTEMS), marks=pytest.mark.slow)])
def test_all_signatures_are_a_list(
    slugs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three seeds show the form; that each holds is for more of them to say (see systems/test_signatures)."""
    signed = [system for system in with_signature() if system.slug in slugs]
    if len(slugs) < len(SYSTEMS):
        monkeypatch.setattr("simulation.signatures.with_signature", lambda: signed)
    code = main(["signature", "--all", "--seeds", "3", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [row["slug"] for row in found] == [system.slug for system in signed] != []
    for row in found:
        assert row.keys() >= PROMISED
    assert code == int(not all(row["shown"] and not row["shown_when_ablated"] for row in found))


def test_another_family_can_be_ablated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["signature", "tiresias", "--ablate", "ordering", "--seeds", "6"]) == 0
    said = capsys.readouterr().out
    assert "tiresias against fcfs-quota, walk fit-first: holds (6 seeds)" in said
    assert "with ordering arrival: mean JCT lower by more than 30%" in said


def test_an_effect_that_survives_the_ablation_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    """Placement has nothing to do with it."""
    assert main(["signature", "tiresias", "--ablate", "placement", "--seeds", "6", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["shown"], found["ablated"], found["shown_when_ablated"]) == (True, "placement", True)


def test_a_signature_without_effect_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sjf = SYSTEMS["sjf"]
    assert sjf.signature is not None
    planted = replace(sjf.signature, effect=replace(sjf.signature.effect, direction="higher"))
    monkeypatch.setitem(SYSTEMS, "sjf", replace(sjf, signature=planted))
    assert main(["signature", "sjf", "--seeds", "3"]) == 1
    assert "FAILS" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "no system 'nonsense'; expected one of fcfs-quota"),
        ([], "expected either SLUG or --all"),
        (["sjf", "--all"], "expected either SLUG or --all"),
        (["--all", "--ablate", "walk"], "a family of one system"),
        (["sjf", "--seeds", "1"], "--seeds is 1, expected 2 or more"),
        (["sjf", "--ablate", "nonsense"], "'nonsense': expected a family that sets 'sjf' apart here (ordering"),
        (["static-replicas"], "has no signature"),
    ],
)
def test_wrong_input_is_explained(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["signature", *arguments]) == 2
    assert said in capsys.readouterr().err
