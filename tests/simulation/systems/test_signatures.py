"""What sets a system apart shows in a small experiment, and only while its deciding mechanism is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simulation.generators.experiments import recurring
from simulation.metrics.measures import MEAN_JCT, PREEMPTIONS
from simulation.run import run_records
from simulation.scenario import Choice, Scenario
from simulation.signatures import run_signature, with_signature
from simulation.systems.registry import SYSTEMS
from simulation.systems.signature import Effect

SIGNED = [system.slug for system in with_signature()]


def test_only_the_system_that_does_nothing_has_no_signature() -> None:
    assert [slug for slug, system in SYSTEMS.items() if system.signature is None] == ["static-replicas"]


@pytest.mark.parametrize("slug", SIGNED)
def test_a_signature_holds_and_its_ablation_kills_it(slug: str) -> None:
    result = run_signature(SYSTEMS[slug], range(6))
    assert result.shown
    assert not result.shown_when_ablated


@pytest.mark.slow
@pytest.mark.parametrize("slug", SIGNED)
def test_it_does_so_over_many_seeds_none_of_them_those_of_the_small_form(slug: str) -> None:
    assert run_signature(SYSTEMS[slug], range(100, 140)).holds


@pytest.mark.parametrize("slug", SIGNED)
def test_an_experiment_is_drawn_from_its_seed_alone(slug: str) -> None:
    signature = SYSTEMS[slug].signature
    assert signature is not None
    first, again, other = (signature.experiment(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_each_family_that_sets_attained_service_apart_is_needed() -> None:
    """Order without preemption, or preemption without the order, is not enough."""
    for family in ("preemption", "ordering"):
        assert not run_signature(SYSTEMS["tiresias"], range(6), family).shown_when_ablated


def test_a_planted_signature_without_effect_is_not_shown() -> None:
    sjf = SYSTEMS["sjf"]
    assert sjf.signature is not None
    preempting = replace(sjf.signature, effect=Effect(PREEMPTIONS, "higher", relative=False))
    result = run_signature(replace(sjf, signature=preempting), range(3))
    assert (result.shown, result.holds) == (False, False)
    assert result.found.document()["interval"] == [0.0, 0.0]


def test_a_planted_signature_that_survives_its_ablation_does_not_hold() -> None:
    """Against a baseline that stops at its head it is the walk that counts: preemption decides nothing there."""
    tiresias = SYSTEMS["tiresias"]
    assert tiresias.signature is not None
    planted = replace(tiresias, signature=replace(tiresias.signature, changes={}, also=()))
    result = run_signature(planted, range(6))
    assert result.shown
    assert result.shown_when_ablated
    assert not result.holds


def test_one_seed_shows_nothing() -> None:
    result = run_signature(SYSTEMS["sjf"], [0])
    assert not result.shown
    assert result.document()["interval"] is None


@pytest.mark.parametrize(
    ("slug", "family", "said"),
    [
        ("srtf", "ordering", None),
        (
            "tiresias",
            "walk",
            "'walk': expected a family that sets 'tiresias' apart here (ordering, placement, preemption",
        ),
        ("static-replicas", None, "has no signature"),
    ],
)
def test_what_cannot_be_ablated_is_explained(slug: str, family: str | None, said: str | None) -> None:
    if said is None:
        assert run_signature(SYSTEMS[slug], range(2), family).ablated == family
        return
    with pytest.raises(ValueError, match=r"expected a family|no signature") as caught:
        run_signature(SYSTEMS[slug], range(2), family)
    assert said in str(caught.value)


def recurring_jobs(seed: int) -> Scenario:
    """Run times of one name differ threefold, so that history leaves much to be known."""
    return recurring(np.random.default_rng(seed), load=0.95, spread=1.0)


def mean_jct_s(scenario: Scenario, system: str, **parameters: object) -> float:
    changes = {key.replace("__", "."): value for key, value in parameters.items()}
    choice = Choice(system=system, parameters=changes)
    return MEAN_JCT.of(run_records(scenario.model_copy(update={"training": choice})))


def test_history_without_its_names_is_worth_little() -> None:
    """Names and users dealt out anew: what finished jobs took says nothing of those that wait."""
    helios = SYSTEMS["helios"]
    assert helios.signature is not None

    def shuffled(rng: np.random.Generator) -> Scenario:
        drawn = helios.signature.experiment(rng)  # type: ignore[union-attr]
        jobs = drawn.workload.jobs
        assert jobs is not None
        dealt = rng.permutation(len(jobs))
        columns = {key: [getattr(jobs, key)[i] for i in dealt] for key in ("user", "name")}
        workload = drawn.workload.model_copy(update={"jobs": jobs.model_copy(update=columns)})
        return drawn.model_copy(update={"workload": workload})

    planted = replace(helios, signature=replace(helios.signature, experiment=shuffled))
    assert not run_signature(planted, range(6)).shown


def test_history_lies_between_knowing_nothing_and_knowing_all() -> None:
    means = np.array(
        [
            (
                mean_jct_s(drawn, "helios", ordering="shortest", ordering__by_gpu_time=True),
                mean_jct_s(drawn, "helios"),
                mean_jct_s(drawn, "fcfs-quota"),
            )
            for drawn in map(recurring_jobs, range(6))
        ]
    ).mean(axis=0)
    assert means[0] < means[1] < means[2]
