"""Loss curves: what they are by hand, who observes what, and where a rule ends a job."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from simulation.loss_curve import PARAMETERS, EarlyStop, LossCurve
from simulation.scenario import Workload, workload_digest
from simulation.world.losses import LAWS, build_losses, loss, observed, stops_after
from tests.simulation.building import table


def curve(family: str = "inverse", iterations: int = 100, **more: Any) -> LossCurve:
    names = PARAMETERS[family]  # type: ignore[index]
    parameters = {name: value for name, value in more.items() if name in names}
    rest = {name: value for name, value in more.items() if name not in names}
    return LossCurve(name="l", family=family, parameters=parameters, iterations=iterations, **rest)  # type: ignore[arg-type]


def test_families_by_hand() -> None:
    at = np.array([1, 4])
    assert loss(curve(a=0.5, b=0.5, c=0.2), at).tolist() == pytest.approx([1.2, 0.6])
    assert loss(curve("power", a=2.0, alpha=0.5, c=0.1), at).tolist() == pytest.approx([2.1, 1.1])
    assert loss(curve("exponential", a=2.0, b=0.1, c=0.5), at).tolist() == pytest.approx([2.309675, 1.840640])
    assert loss(curve("weibull", a=2.0, kappa=0.25, delta=2.0, c=0.5), at).tolist() == pytest.approx(
        [2.378826, 1.235759]
    )
    assert loss(curve("mmf", a=2.0, kappa=0.25, delta=1.0, c=0.5), at).tolist() == pytest.approx([2.1, 1.5])
    assert loss(curve("inverse-log", a=1.0, c=0.5), at).tolist() == pytest.approx([1.942695, 1.121335])


def test_every_family_has_its_law() -> None:
    assert LAWS.keys() == PARAMETERS.keys()


def test_a_target_or_too_long_without_a_gain_ends_a_job() -> None:
    losses = np.array([9.0, 5.0, 4.0, 4.5, 4.0, 3.9, 3.9, 3.9])
    assert stops_after(losses, EarlyStop(target=5.0)) == 2
    assert stops_after(losses, EarlyStop(target=1.0)) == 8
    assert stops_after(losses, EarlyStop(patience=2)) == 5  # 4.0 again is no gain
    assert stops_after(losses, EarlyStop(patience=3)) == 8
    assert stops_after(losses, EarlyStop(patience=3, least_gain=0.5)) == 6  # 3.9 is too little of one
    assert stops_after(losses, EarlyStop(patience=2, target=5.0)) == 2


def test_what_is_seen_is_what_is_done_and_no_more() -> None:
    losses = build_losses(["l", None], np.arange(2), [curve(iterations=4, a=1.0, b=0.0, c=0.0)])
    assert losses.seen(0, 0.0).tolist() == []
    assert losses.seen(0, 0.4999).tolist() == [1.0]
    assert losses.seen(0, 0.5).tolist() == [1.0, 0.5]
    assert losses.seen(0, 0.3 + 0.2).tolist() == [1.0, 0.5]
    assert losses.seen(1, 1.0).tolist() == []


def test_noise_is_the_job_s_own_and_the_same_each_time() -> None:
    noisy = curve(a=0.2, b=1.0, c=0.3, noise=0.05, seed=4)
    assert observed(noisy, 7).tolist() == observed(noisy, 7).tolist()
    assert observed(noisy, 7).tolist() != observed(noisy, 8).tolist()
    off = np.concatenate([observed(noisy, row) - loss(noisy, np.arange(1, 101)) for row in range(40)])
    assert off.std() == pytest.approx(0.05, rel=0.05)
    assert abs(off.mean()) < 4 * 0.05 / np.sqrt(len(off))


def test_the_part_of_a_job_is_what_its_own_noise_makes_of_the_rule() -> None:
    noisy = curve(a=0.2, b=1.0, c=0.3, noise=0.02, stop=EarlyStop(target=0.4))
    losses = build_losses(["l"] * 5, np.arange(5), [noisy])
    for job, part in enumerate(losses.part.tolist()):
        stop = round(part * 100)
        assert observed(noisy, job)[stop - 1] <= 0.4
        assert (observed(noisy, job)[: stop - 1] > 0.4).all()
    assert len(set(losses.part.tolist())) > 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"parameters": {"a": 1.0}}, "inverse has the parameters a, b, c"),
        ({"parameters": {"a": 1.0, "b": -1.0, "c": 0.0}}, "b is -1.0, expected 0 or more"),
        ({"parameters": {"a": 0.0, "b": 0.0, "c": 0.0}}, "a and b are both 0"),
        ({"stop": {}}, "needs a target or a patience"),
    ],
)
def test_what_makes_no_curve_is_refused(change: dict[str, Any], words: str) -> None:
    given = {"name": "l", "family": "inverse", "parameters": {"a": 1, "b": 1, "c": 0}, "iterations": 5} | change
    with pytest.raises(ValidationError, match=words):
        LossCurve.model_validate(given)


def test_a_job_s_curve_must_be_there() -> None:
    with pytest.raises(ValidationError, match="loss 'x' of a job: expected one of none given"):
        Workload(jobs=table((0, 1, 1), loss=["x"]))


def test_workloads_without_curves_keep_their_digest() -> None:
    """As it was before there were any."""
    assert workload_digest(Workload(jobs=table((0.0, 10.0, 1)))) == DIGEST


DIGEST = "b5f446af225cdd28e97168b7c83fda963de74e3dd69a64c60e989f1490f4eb5a"
