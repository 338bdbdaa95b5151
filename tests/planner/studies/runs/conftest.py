"""Runs on the queue without a catalogue behind them, and no bell."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from planner.studies.models import Run, Scenario, Study

DOCUMENT = {"engine": "0.1.0", "metrics": {"jct_mean_s": {"value": 1950.0, "unit": "s"}}}


@pytest.fixture(autouse=True)
def _no_broker(settings):
    settings.REDIS_URL = ""


@pytest.fixture
def queued(workspace):
    """Makes one queued run of a scenario with the given digest; each call is a study of its own."""

    def make(digest: str = "d1", seed: int = 0, **columns) -> Run:
        study = Study.objects.create(workspace=workspace, question="How many GPUs?", base={}, axes={})
        scenario = Scenario.objects.create(study=study, position=0, label="base", spec={}, digest=digest, family="f")
        run = Run.objects.create(scenario=scenario, seed=seed, enqueued_at=timezone.now())
        Run.objects.filter(pk=run.pk).update(enqueued_at=Now(), **columns)
        return Run.objects.get(pk=run.pk)

    return make


@pytest.fixture
def expire():
    """Lets the lease of a run end, as if its worker had been silent for long."""

    def make(run: Run) -> None:
        Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(hours=1))

    return make


def state_of(run: Run) -> str:
    return Run.objects.get(pk=run.pk).state
