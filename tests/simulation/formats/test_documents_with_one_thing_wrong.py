"""Whatever stands in one place of a JSON document: a reading or the one error, and every record accounted for."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.formats.errors import FormatError
from tests.simulation.formats.conftest import read_text
from tests.simulation.formats.test_aws_offer import document as offers
from tests.simulation.formats.test_aws_spot import change
from tests.simulation.formats.test_azure_retail import ITEM
from tests.simulation.formats.test_dcgm_and_prometheus import series
from tests.simulation.formats.test_gcp_skus import CORE, GPU, RAM
from tests.simulation.formats.test_kubernetes_jobs import job as manifest
from tests.simulation.formats.test_kubernetes_jobs import queue
from tests.simulation.formats.test_kubernetes_nodes import node
from tests.simulation.formats.test_llm_bench import RUN
from tests.simulation.formats.test_slurm_sacct_json import job as accounted

STEP = {"tres": {"allocated": []}}
META = {"plugin": {"data_parser": "data_parser/v0.0.41"}}
DOCUMENTS = {
    "slurm-sacct-json": {
        "jobs": [accounted(steps=[STEP]), accounted(job_id=8)],
        "meta": META,
        "errors": [],
        "warnings": [],
    },
    "kubernetes-nodes": {
        "kind": "List",
        "items": [node("a"), node("b", spec={"taints": [{"key": "x", "effect": "y"}]})],
    },
    "kubernetes-jobs": {
        "kind": "List",
        "items": [manifest("a", parallelism=2), manifest("b"), queue(4, 2, cohort="c")],
    },
    "prometheus-query": {
        "status": "success",
        "data": {"resultType": "matrix", "result": [series([[1_780_272_000, "300"], [1_780_272_060, "310"]])]},
    },
    "aws-offer-json": offers(),
    "aws-spot": {"SpotPriceHistory": [change("9"), change("8", "2026-03-02T00:00:00Z")], "NextToken": ""},
    "azure-retail": {
        "Items": [ITEM, {**ITEM, "type": "Reservation", "reservationTerm": "1 Year"}],
        "NextPageLink": None,
    },
    "gcp-skus": {"skus": [GPU, CORE, RAM], "nextPageToken": ""},
    "llm-bench": RUN,
}
RECORDS = {
    "slurm-sacct-json": 2,
    "kubernetes-nodes": 2,
    "kubernetes-jobs": 3,
    "prometheus-query": 2,
    "aws-offer-json": 1,
    "aws-spot": 2,
}
RECORDS |= {"azure-retail": 2, "gcp-skus": 3, "llm-bench": 1}

hostile = st.sampled_from(
    [
        None,
        "",
        0,
        -1,
        1e300,
        2**70,
        "NaN",
        "=1+1",
        "9" * 400,
        "x" * 2_000,
        [],
        {},
        [[]],
        [None],
        {"a": None},
        True,
        "\u202e",
        ["1"],
    ]
)


def places(value, path=()):
    """Paths of everything inside a document."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*path, key))


@pytest.mark.parametrize("slug", DOCUMENTS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_one_thing_wrong(slug, data):
    document = copy.deepcopy(DOCUMENTS[slug])
    *parents, last = data.draw(st.sampled_from([path for path in places(document) if path]))
    where = document
    for key in parents:
        where = where[key]
    where[last] = data.draw(hostile)
    try:
        reading = read_text(slug, json.dumps(document))
    except FormatError:
        return
    assert reading.counts.accepted + reading.counts.warned == len(reading.table)
    assert all(issue.reason and issue.expected for issue in reading.rejected)


@pytest.mark.parametrize("slug", DOCUMENTS)
def test_nothing_wrong(slug):
    reading = read_text(slug, json.dumps(DOCUMENTS[slug]))
    assert (reading.counts.in_file, reading.counts.rejected) == (RECORDS[slug], 0)


@pytest.mark.parametrize("slug", DOCUMENTS)
def test_cut_off_anywhere(slug):
    whole = json.dumps(DOCUMENTS[slug])
    for end in range(0, len(whole), 97):
        with pytest.raises(FormatError):
            read_text(slug, whole[:end])
