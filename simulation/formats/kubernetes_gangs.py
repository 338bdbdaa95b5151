"""Kinds of jobs on Kubernetes: which pods each starts at once, and how many of them it needs to begin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.kubernetes import Object, inside, listed, mapping, text, whole
from simulation.formats.kubernetes_pods import Pod, pod_of

MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism"
MAX_PODS = 1_000_000


@dataclass(frozen=True, slots=True)
class Gang:
    """Pods at once as (number, pod). `least`: pods that it needs to begin; `waves`: how often the whole set runs."""

    pods: tuple[tuple[int, Pod], ...]
    least: int
    waves: int = 1

    @property
    def size(self) -> int:
        return sum(number for number, _ in self.pods)

    @property
    def gpus(self) -> int | None:
        """GPUs of all pods; None where one of them cannot be counted."""
        if any(number and pod.gpus is None for number, pod in self.pods):
            return None
        return sum(number * (pod.gpus or 0) for number, pod in self.pods)


def _number(value: Any, column: str, otherwise: int) -> int:
    return whole(value, column, MAX_PODS) if value not in (None, "") else otherwise


def _whole_gang(pods: list[tuple[int, Pod]]) -> Gang:
    return Gang(tuple(pods), sum(number for number, _ in pods))


def _job(job: Object) -> Gang:
    at_once = _number(inside(job, "spec", "parallelism"), "parallelism", 1)
    in_all = _number(inside(job, "spec", "completions"), "completions", at_once)
    at_once = min(at_once, in_all)
    least = _number(inside(job, "metadata", "annotations", MIN_PARALLELISM), MIN_PARALLELISM, at_once)
    waves = -(-in_all // at_once) if at_once else 0
    return Gang(((at_once, pod_of(inside(job, "spec", "template"))),), min(least, at_once), waves)


def _volcano_job(job: Object) -> Gang:
    tasks = listed(job, "spec", "tasks")
    pods = [(_number(inside(t, "replicas"), "replicas", 1), pod_of(inside(t, "template"))) for t in tasks]
    size = sum(number for number, _ in pods)
    least = _number(inside(job, "spec", "minAvailable"), "minAvailable", size)
    if least > size:
        raise CellError("minAvailable", str(least), f"at most {size}, the pods of all tasks", "it can never begin")
    return Gang(tuple(pods), least)


def _replica_specs(job: Object) -> Gang:
    """PyTorchJob and its kin: roles under a key that ends with ReplicaSpecs."""
    roles = next((value for key, value in mapping(job, "spec").items() if key.endswith("ReplicaSpecs")), None)
    if not isinstance(roles, dict):
        raise CellError("spec", text(job, "kind"), "roles under a key such as pytorchReplicaSpecs", "no roles")
    return _whole_gang(
        [(_number(inside(r, "replicas"), "replicas", 1), pod_of(inside(r, "template"))) for r in roles.values()]
    )


def _ray(job: Object) -> Gang:
    cluster = mapping(job, "spec", "rayClusterSpec") or mapping(job, "spec")
    head = (1, pod_of(inside(cluster, "headGroupSpec", "template")))
    groups = listed(cluster, "workerGroupSpecs")
    workers = [(_number(inside(g, "replicas"), "replicas", 1), pod_of(inside(g, "template"))) for g in groups]
    return _whole_gang([head, *workers])


def _job_set(job: Object) -> Gang:
    pods = []
    for one in listed(job, "spec", "replicatedJobs"):
        gang = _job(mapping(one, "template"))
        pods += [(_number(inside(one, "replicas"), "replicas", 1) * number, pod) for number, pod in gang.pods]
    return _whole_gang(pods)


def _pod(pod: Object) -> Gang:
    return _whole_gang([(1, pod_of(pod))])


GANGS: dict[tuple[str, str], Callable[[Object], Gang]] = {
    ("batch", "Job"): _job,
    ("batch.volcano.sh", "Job"): _volcano_job,
    ("kubeflow.org", "PyTorchJob"): _replica_specs,
    ("kubeflow.org", "TFJob"): _replica_specs,
    ("kubeflow.org", "MPIJob"): _replica_specs,
    ("kubeflow.org", "XGBoostJob"): _replica_specs,
    ("kubeflow.org", "PaddleJob"): _replica_specs,
    ("kubeflow.org", "JAXJob"): _replica_specs,
    ("ray.io", "RayJob"): _ray,
    ("ray.io", "RayCluster"): _ray,
    ("jobset.x-k8s.io", "JobSet"): _job_set,
    ("", "Pod"): _pod,
}
"""(API group, kind) -> the function that gives its pods."""


def group_and_kind(one: Object) -> tuple[str, str]:
    """The API group, '' for the core one, and the kind."""
    version = text(one, "apiVersion")
    return (version.rsplit("/", 1)[0] if "/" in version else "", text(one, "kind"))
