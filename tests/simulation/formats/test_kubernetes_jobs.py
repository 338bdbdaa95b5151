"""Jobs of Kubernetes: a gang is all of its pods, quotas are read beside it, a run time is never made up."""

from __future__ import annotations

import json

import pytest

from simulation.formats.errors import FormatError
from simulation.formats.interview import Interview
from simulation.formats.parts import jobs as jobs_part
from simulation.formats.workload import SPAN_UNKNOWN, choose_jobs
from simulation.provenance import Origin
from tests.simulation.formats.conftest import read_text


def pod(gpus=8, **more):
    limits = {"nvidia.com/gpu": gpus} if gpus else {}
    spec = {"containers": [{"name": "main", "resources": {"limits": limits}}]}
    return {"metadata": more.pop("metadata", {}), "spec": {**spec, **more}}


def job(name="a", template=None, **spec):
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "ns"},
        "spec": {"template": template or pod(), **spec},
    }


def made(kind, spec, version):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec}


def read_objects(*objects, **answers):
    return read_text("kubernetes-jobs", json.dumps({"kind": "List", "items": list(objects)}), answers)


def gpus_of(*objects):
    return read_objects(*objects).table["gpus"]


def test_a_kueue_job_of_four_pods_fills_its_quota_exactly(sample):
    reading = sample("kubernetes-jobs", "k8s-jobs/kueue_queue_and_gpu_job.yaml")
    row = reading.table.row(0)
    assert (row["gpus"], row["tenant"], row["partition"]) == (32, "team-vision", "user-queue")
    assert row["gpu_models_allowed"] == "NVIDIA-H100-80GB-HBM3"
    (quota,) = reading.totals["queues"]
    assert (quota["nominal"], quota["borrowing"]) == (32, 16)
    assert reading.totals["quota_fit"] == {"vision/train-a": "within the own quota, exactly full"}
    assert row["state"] == "Suspended"


def test_a_volcano_job_is_all_three_pods_or_none(sample):
    reading = sample("kubernetes-jobs", "k8s-jobs/volcano_gang_job.yaml")
    assert (reading.table["gpus"], reading.table["tenant"]) == ([8], ["default"])
    assert not any("may begin with" in issue.reason for issue in reading.warned)


def test_a_run_time_is_asked_and_what_is_answered_is_assumed(sample):
    path = "k8s-jobs/volcano_gang_job.yaml"
    asked = sample("kubernetes-jobs", path)
    assert [question.key for question in asked.unanswered] == ["run_time"]
    assert choose_jobs(asked.table).left_out == {SPAN_UNKNOWN: 1}
    reading = sample("kubernetes-jobs", path, {"run_time": "1.5h"})
    assert (reading.table["elapsed_s"], reading.totals["gpu_hours"]) == ([5_400.0], 12.0)
    part = jobs_part.part(reading, Interview())
    assert part.origin is Origin.ASSUMED
    assert part.workload.jobs.gpus == [8]


@pytest.mark.parametrize("answer", ["soon", "-3h", "0h", "90"])
def test_a_run_time_needs_its_unit(answer):
    with pytest.raises(FormatError, match="run_time"):
        read_objects(job(), run_time=answer)


def test_times_that_the_cluster_wrote_are_measured():
    done = job()
    done["metadata"]["creationTimestamp"] = "2026-03-02T10:00:00Z"
    done["status"] = {
        "startTime": "2026-03-02T10:05:00Z",
        "completionTime": "2026-03-02T11:05:00Z",
        "conditions": [{"type": "Complete", "status": "True"}],
    }
    reading = read_objects(done)
    row = reading.table.row(0)
    assert reading.ready
    assert (row["elapsed_s"], row["start_s"] - row["submit_s"], row["outcome"]) == (3_600, 300, "finished")
    assert (reading.origin, reading.totals["gpu_hours"]) == (Origin.MEASURED, 8.0)


def test_pods_at_once_count_and_waves_are_said():
    reading = read_objects(job(parallelism=4, completions=10))
    assert reading.table["gpus"] == [32]
    assert "3 times one after another" in reading.warned[0].reason
    assert gpus_of(job(parallelism=4, completions=2)) == [16]


def test_a_job_that_may_begin_smaller_says_so():
    elastic = job(parallelism=4)
    elastic["metadata"]["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": "2"}
    assert "may begin with 2 of 4 pods" in read_objects(elastic).warned[0].reason


def test_containers_add_and_an_init_container_only_counts_where_it_is_larger():
    def container(gpus, **more):
        return {"resources": {"limits": {"nvidia.com/gpu": gpus}}, **more}

    two = {"spec": {"containers": [container(2), container(2)]}}
    assert gpus_of(job(template=two)) == [4]
    for init, gpus in ((3, 4), (6, 6)):
        assert gpus_of(job(template={"spec": {**two["spec"], "initContainers": [container(init)]}})) == [gpus]
    side_car = {"spec": {**two["spec"], "initContainers": [container(1, restartPolicy="Always"), container(4)]}}
    assert gpus_of(job(template=side_car)) == [5]


@pytest.mark.parametrize(
    ("thing", "gpus"),
    [
        (made("PyTorchJob", {"pytorchReplicaSpecs": {
            "Master": {"replicas": 1, "template": pod(8)}, "Worker": {"replicas": 3, "template": pod(8)},
        }}, "kubeflow.org/v1"), 32),
        (made("MPIJob", {"mpiReplicaSpecs": {
            "Launcher": {"replicas": 1, "template": pod(0)}, "Worker": {"replicas": 2, "template": pod(4)},
        }}, "kubeflow.org/v2beta1"), 8),
        (made("RayJob", {"rayClusterSpec": {
            "headGroupSpec": {"template": pod(0)}, "workerGroupSpecs": [{"replicas": 2, "template": pod(8)}],
        }}, "ray.io/v1"), 16),
        (made("JobSet", {"replicatedJobs": [
            {"replicas": 2, "template": {"spec": {"parallelism": 2, "template": pod(4)}}},
        ]}, "jobset.x-k8s.io/v1alpha2"), 16),
        (made("Pod", pod(2)["spec"], "v1"), 2),
    ],
)  # fmt: skip
def test_other_kinds_of_jobs(thing, gpus):
    assert gpus_of(thing) == [gpus]


def test_a_share_of_a_card_is_no_card():
    shared = read_objects(job(template=pod(0, metadata={"annotations": {"gpu-fraction": "0.25"}})))
    assert (shared.table["gpus"], shared.table["gpu_share"]) == ([1], [0.25])
    template = pod(0, metadata={"annotations": {"gpu-fraction": "0.25"}})
    assert gpus_of(job(parallelism=4, template=template)) == [None]


@pytest.mark.parametrize("resource", ["nvidia.com/mig-1g.10gb", "nvidia.com/gpu.shared", "nvidia.com/gpumem"])
def test_parts_of_cards_leave_whole_gpus_unknown(resource):
    template = {"spec": {"containers": [{"resources": {"limits": {resource: 2}}}]}}
    reading = read_objects(job(template=template))
    assert reading.table["gpus"] == [None]
    assert "unknown" in reading.warned[0].reason


def test_devices_by_claim_are_unknown():
    assert gpus_of(job(template=pod(0, resourceClaims=[{"name": "gpu"}]))) == [None]


def queue(nominal, borrowing=None, **spec):
    resource = {"name": "nvidia.com/gpu", "nominalQuota": nominal}
    resource |= {"borrowingLimit": borrowing} if borrowing is not None else {}
    groups = [{"flavors": [{"name": "f", "resources": [resource]}]}]
    one = made("ClusterQueue", {"resourceGroups": groups, **spec}, "kueue.x-k8s.io/v1beta1")
    one["metadata"]["name"] = "q"
    return one


@pytest.mark.parametrize(
    ("nominal", "borrowing", "cohort", "fit"),
    [
        (16, None, None, "within the own quota"),
        (8, None, None, "within the own quota, exactly full"),
        (4, 4, "c", "only with borrowed GPUs"),
        (4, None, "c", "only with borrowed GPUs"),
        (4, None, None, "never"),
        (4, 3, "c", "never"),
    ],
)
def test_whether_a_gang_can_fit_its_queue(nominal, borrowing, cohort, fit):
    one = job()
    one["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "q"}
    told = {"cohort": cohort} if cohort else {}
    assert read_objects(one, queue(nominal, borrowing, **told)).totals["quota_fit"] == {"ns/a": fit}


def test_a_gang_larger_than_its_pods_can_never_begin():
    spec = {"minAvailable": 5, "tasks": [{"replicas": 2, "template": pod()}]}
    reading = read_objects(made("Job", spec, "batch.volcano.sh/v1alpha1"), job("b"))
    assert [(issue.line, issue.column) for issue in reading.rejected] == [(1, "minAvailable")]


@pytest.mark.parametrize("amount", [-1, 1.5, "many", "9" * 30, {"a": 1}, None])
def test_impossible_amounts_refuse_their_job_alone(amount):
    template = {"spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": amount}}}]}}
    reading = read_objects(job(template=template), job("b"))
    assert (reading.counts.rejected, reading.table["id"]) == (1, ["ns/b"])


def test_a_quota_that_is_no_count_is_refused():
    with pytest.raises(FormatError, match="nominalQuota"):
        read_objects(job(), queue("-3"))


def test_a_job_twice_counts_once_and_never_in_two_ways():
    assert read_objects(job(), job()).counts.folded == 1
    assert read_objects(job(), job(parallelism=2)).counts.rejected == 1


def test_objects_of_other_kinds_are_skipped_and_named():
    reading = read_objects(job(), made("ConfigMap", {}, "v1"))
    assert reading.counts.skipped == 1
    assert any("ConfigMap" in fact for fact in reading.facts)


def test_tags_and_aliases_are_never_followed():
    with pytest.raises(FormatError, match="without tags"):
        read_text("kubernetes-jobs", "kind: !!python/object/apply:os.system ['x']\n")
    with pytest.raises(FormatError, match=r"line 2.*without aliases"):
        read_text("kubernetes-jobs", "a: &a [1, 1]\nb: [*a, *a]\n")
