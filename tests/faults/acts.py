"""What people and accidents do to an installation, each in a process of its own: python -m tests.faults.acts ACT ..."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.config.settings")
django.setup()

from django.db import transaction  # noqa: E402

from planner.accounts.models import User, Workspace  # noqa: E402
from planner.accounts.services import workspace_create  # noqa: E402
from planner.catalog.models import Kind  # noqa: E402
from planner.catalog.services import revision_add  # noqa: E402
from planner.studies.models import Run, Scenario, Study  # noqa: E402
from planner.studies.planning import study_plan  # noqa: E402
from planner.studies.runs import run_cancel, runs_enqueue  # noqa: E402
from planner.studies.runs.doorbell import ring  # noqa: E402
from planner.studies.services import study_create  # noqa: E402
from planner.studies.spec import MAX_SEEDS  # noqa: E402
from simulation.scenario import JobTable, Workload  # noqa: E402
from tests.faults.paced import POISON  # noqa: E402


def people() -> tuple[User, Workspace]:
    user, new = User.objects.get_or_create(username="fiona")
    return user, workspace_create(name="Faults", owner=user) if new else Workspace.objects.get(name="Faults")


def base() -> dict[str, Any]:
    """A real scenario, as small as can be: three jobs on one node."""
    user, workspace = people()
    common = {"workspace": workspace, "user": user, "origin": "illustrative", "source": "made up for a test"}
    pool = {"name": "a", "gpu_model": "V100", "nodes": 1, "gpus_per_node": 4}
    cluster = revision_add(kind=Kind.CLUSTER, name="one node", document={"cluster": {"pools": [pool]}}, **common)
    jobs = JobTable(id=["1", "2", "3"], submit_s=[0, 10, 20], duration_s=[60, 30, 10], gpus=[4, 2, 2])
    workload = revision_add(kind=Kind.WORKLOAD, name="three jobs", workload=Workload(jobs=jobs), **common)
    return {"cluster": str(cluster.id), "workload": str(workload.id)}


def all_different(runs: int) -> dict[str, Any]:
    """Axes of as many questions: seeds, and beyond the most of those, factors of demand too."""
    factors = -(-runs // MAX_SEEDS)
    assert runs % factors == 0, "every factor has as many seeds"
    return {"seeds": runs // factors, "demand_factors": [1 + n / 10 for n in range(factors)]}


def submit(runs: str) -> dict[str, Any]:
    """One study of `runs` runs, no two of which ask the same; how long the person waited for it."""
    user, workspace = people()
    given, axes = base(), all_different(int(runs))
    study_plan(workspace, given, axes)  # as the page has done before: the first time loads the table of systems
    began = time.monotonic()
    study = study_create(workspace=workspace, user=user, question="Does it hold?", base=given, axes=axes)
    return {"study": str(study.id), "waited_s": time.monotonic() - began}


def submit_and_die(runs: str) -> None:
    """The web process is killed after the commit and before the bell."""
    user, workspace = people()
    given = base()
    with transaction.atomic():
        transaction.on_commit(lambda: os.kill(os.getpid(), signal.SIGKILL))
        study_create(workspace=workspace, user=user, question="?", base=given, axes={"seeds": int(runs)})


def poison() -> dict[str, Any]:
    """One more run of the study, which kills whoever works on it."""
    with transaction.atomic():
        run = Run.objects.create(scenario=Scenario.objects.get(), seed=POISON)
        runs_enqueue([run.pk])
    return {"run": str(run.pk)}


def ring_often(times: str) -> dict[str, Any]:
    """The same message, many times."""
    run = Run.objects.get()
    return {"rung": ring([run.pk] * int(times))}


def cancel_at_random() -> dict[str, Any]:
    """Cancel every run of the study at some moment: half of them as they wait, half as they run."""
    (user, _), study = people(), Study.objects.get()
    chance = random.Random(20_261_129)
    accepted, left = {}, set(Run.objects.filter(scenario__study=study).values_list("pk", flat=True))
    while left:
        running = set(Run.objects.filter(state=Run.State.RUNNING).values_list("pk", flat=True)) & left
        among = running if running and chance.random() < 0.5 else left
        pk = chance.choice(sorted(among))
        left.discard(pk)
        time.sleep(chance.uniform(0, 0.03))
        accepted[str(pk)] = run_cancel(run=Run.objects.get(pk=pk), user=user)
    return {"accepted": accepted}


ACTS = {act.__name__: act for act in (submit, submit_and_die, poison, ring_often, cancel_at_random)}

if __name__ == "__main__":
    print(json.dumps(ACTS[sys.argv[1]](*sys.argv[2:])))
