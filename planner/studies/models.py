"""Studies, the scenarios that they compare, their runs (one a scenario and seed) and the results."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from planner.accounts.models import Workspace


class Study(models.Model):
    """A question: a base scenario and the axes along which it is varied. Immutable once its runs are queued."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="studies")
    question = models.CharField(max_length=200)
    base = models.JSONField(help_text="planner.studies.spec: references to revisions, and settings")
    axes = models.JSONField(help_text="planner.studies.spec: policies, cluster changes, price sheets, demand, seeds")
    slos = models.JSONField(default=list, help_text="limits, stored before the first run")
    is_example = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.question


class Scenario(models.Model):
    """One scenario of a study: the base with a readable list of changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="scenarios")
    position = models.PositiveIntegerField()
    label = models.CharField(max_length=120)
    spec = models.JSONField(help_text="like Study.base, with its changes applied")
    changes = models.JSONField(default=list, help_text="[{path, old, new, unit}] against the base")
    digest = models.CharField(max_length=64, help_text="simulation.scenario.scenario_digest")
    family = models.CharField(max_length=64, help_text="digest of what must agree before two runs share a front")
    regime = models.CharField(max_length=20, blank=True, help_text="what its policy may know of jobs")

    class Meta:
        ordering = ["study", "position"]
        constraints = [models.UniqueConstraint(fields=["study", "position"], name="scenario_position_once")]

    def __str__(self) -> str:
        return self.label


class Result(models.Model):
    """What a scenario and seed gave under one engine version: computed once, whoever asks."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    scenario_digest = models.CharField(max_length=64)
    seed = models.PositiveBigIntegerField()
    engine_version = models.CharField(max_length=20)
    document = models.JSONField()
    metrics = models.JSONField(default=dict, help_text="those of the document, for comparisons that read no more")
    sha256 = models.CharField(max_length=64, help_text="of the document's canonical JSON")
    compute_s = models.FloatField(help_text="wall time; says nothing about the result")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scenario_digest", "seed", "engine_version"], name="computed_once")
        ]

    def __str__(self) -> str:
        return f"{self.scenario_digest[:8]} seed {self.seed}"


class Run(models.Model):
    """One replication on the queue. The database is the queue of record; the broker only rings the bell."""

    class State(models.TextChoices):
        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"

    FINAL = (State.DONE, State.FAILED, State.CANCELLED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="runs")
    seed = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED, db_index=True)
    reason = models.TextField(blank=True)
    token = models.UUIDField(null=True)
    worker = models.CharField(max_length=100, blank=True)
    lease_until = models.DateTimeField(null=True, db_index=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    enqueued_at = models.DateTimeField(null=True, db_index=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    progress = models.FloatField(default=0.0)
    cancel_requested = models.BooleanField(default=False)
    result = models.ForeignKey(Result, on_delete=models.PROTECT, null=True, related_name="runs")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [models.UniqueConstraint(fields=["scenario", "seed"], name="one_run_a_seed")]
        indexes = [models.Index(fields=["state", "enqueued_at"], name="queue_order")]

    def __str__(self) -> str:
        return f"{self.scenario} seed {self.seed}"


class Process(models.Model):
    """A worker or reaper that says now and then that it lives; for health pages only, no lease depends on it."""

    class Kind(models.TextChoices):
        WORKER = "worker", "Worker"
        STARTING = "starting", "Worker getting ready"
        REAPER = "reaper", "Reaper"

    name = models.CharField(primary_key=True, max_length=100)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    slots = models.PositiveSmallIntegerField(default=1, help_text="runs that it works on at once")
    started_at = models.DateTimeField()
    last_seen = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "processes"

    def __str__(self) -> str:
        return self.name
