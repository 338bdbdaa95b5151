"""Scenarios: strict, canonical, and with digests that follow the content and nothing else."""

from __future__ import annotations

import json
import random

import pytest
from pydantic import ValidationError

from simulation.scenario import (
    Cluster,
    JobTable,
    Pool,
    PriceLine,
    Prices,
    Requests,
    Scenario,
    Service,
    Slo,
    Workload,
    canonical_bytes,
    digest_of,
    scenario_digest,
    workload_digest,
)

POOL = {"name": "p", "gpu_model": "A100", "nodes": 2, "gpus_per_node": 8}
JOBS = {"id": ["a", "b"], "submit_s": [0.0, 1.0], "duration_s": [10.0, 20.0], "gpus": [1, 2]}


def scenario(**more) -> Scenario:
    return Scenario.model_validate({"cluster": {"pools": [POOL]}, "workload": {"jobs": JOBS}} | more)


def shuffled(value, rng):
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(value[key], rng) for key in keys}
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value


def test_key_order_does_not_change_the_digest():
    document = scenario(quotas={"x": 0.5, "a": 0.5}).model_dump(mode="json")
    for seed in range(5):
        again = Scenario.model_validate(shuffled(document, random.Random(seed)))
        assert scenario_digest(again) == scenario_digest(scenario(quotas={"x": 0.5, "a": 0.5}))


def test_a_round_trip_through_json_keeps_the_digest():
    one = scenario(prices=Prices(lines=[PriceLine(pool="p", usd_per_gpu_h="2.50")]))
    assert scenario_digest(Scenario.model_validate_json(one.model_dump_json())) == scenario_digest(one)


def test_names_sources_and_limits_do_not_change_the_digest_but_content_does():
    base = scenario_digest(scenario())
    assert (
        scenario_digest(scenario(name="x", sources={"workload": "y"}, slos=[Slo(metric="jct_mean_s", limit=1)])) == base
    )
    for change in (
        {"horizon_s": 5.0},
        {"quotas": {"a": 1.0}},
        {"training": {"system": "sjf"}},
        {"workload": {"jobs": JOBS | {"gpus": [1, 3]}}},
        {"cluster": {"pools": [POOL | {"nodes": 3}]}},
        {"origins": {"workload": "measured"}},
    ):
        assert scenario_digest(scenario(**change)) != base


def test_a_known_workload_digest_may_be_passed():
    one = scenario()
    assert scenario_digest(one, workload_digest(one.workload)) == scenario_digest(one)


def test_canonical_json_is_sorted_compact_utf8_without_nan():
    assert canonical_bytes({"b": 1, "a": "é"}) == '{"a":"é","b":1}'.encode()
    assert digest_of({"a": 1}) == digest_of(json.loads('{ "a": 1 }'))
    with pytest.raises(ValueError, match="Out of range float values"):
        canonical_bytes({"a": float("nan")})


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"colour": 1}, ("colour",)),
        ({"cluster": {"pools": [POOL | {"gpu": 1}]}}, ("cluster", "pools", 0, "gpu")),
        ({"workload": {"jobs": JOBS | {"prio": [1, 2]}}}, ("workload", "jobs", "prio")),
        ({"sampling": {"mode": "replay", "seed": 1}}, ("sampling", "seed")),
    ],
)
def test_unknown_fields_are_refused_by_name(document, where):
    with pytest.raises(ValidationError) as caught:
        scenario(**document)
    (error,) = caught.value.errors()
    assert (error["loc"], error["type"]) == (where, "extra_forbidden")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: JobTable(**JOBS | {"gpus": [1, 0]}), "job b: gpus is 0, expected 1 or more"),
        (lambda: JobTable(**JOBS | {"duration_s": [-1.0, 1.0]}), "job a: duration_s is -1.0, expected 0 or more"),
        (lambda: JobTable(**JOBS | {"submit_s": [0.0, -3.0]}), "job b: submit_s is -3.0, expected 0 or more"),
        (lambda: JobTable(**JOBS | {"tenant": ["t"]}), "column tenant has 1 rows, id has 2"),
        (lambda: JobTable(**JOBS | {"duration_s": [float("inf"), 1.0]}), "finite number"),
        (lambda: Cluster(pools=[Pool(**POOL), Pool(**POOL)]), "pool names must differ"),
        (lambda: Cluster(pools=[]), "at least 1 item"),
        (
            lambda: Cluster(pools=[Pool(**POOL | {"nodes": 50_000}), Pool(**POOL | {"name": "q"})]),
            "more than 50000 nodes",
        ),
        (lambda: Requests(), "give either times_s or phases"),
        (lambda: Requests(times_s=[1.0], phases=[]), "give either times_s or phases"),
        (lambda: Requests(phases=[]), "generated requests need end_s"),
        (lambda: Service(name="s", alpha_s=-1, requests=Requests(times_s=[])), "greater than or equal to 0"),
        (lambda: PriceLine(usd_per_gpu_h="-1"), "greater than or equal to 0"),
        (lambda: PriceLine(usd_per_gpu_h="free"), "valid decimal"),
    ],
)
def test_errors_say_what_was_expected(build, message):
    with pytest.raises(ValidationError, match=message):
        build()


def test_values_are_immutable():
    with pytest.raises(ValidationError, match="frozen"):
        scenario().name = "x"


def test_the_schema_version_is_checked():
    with pytest.raises(ValidationError, match="Input should be 1"):
        scenario(schema_version=2)


def test_an_empty_workload_is_a_workload():
    assert scenario_digest(Scenario(cluster=Cluster(pools=[Pool(**POOL)]), workload=Workload()))
