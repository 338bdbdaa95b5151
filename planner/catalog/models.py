"""What a scenario is made of: clusters, prices, workloads and SLOs as immutable revisions, and imports."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from planner.accounts.immutable import Immutable
from planner.accounts.models import Workspace

ORIGINS = [(o, o) for o in ("measured", "simulated", "cited", "assumed", "illustrative")]


class Source(Immutable):
    """Where figures come from. Never edited: a correction is a new row that supersedes the old one."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="sources")
    origin = models.CharField(max_length=12, choices=ORIGINS)
    title = models.CharField(max_length=200)
    file_name = models.CharField(max_length=255, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    entered_at = models.DateTimeField(auto_now_add=True)
    supersedes = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True)

    def __str__(self) -> str:
        return self.title


class Kind(models.TextChoices):
    CLUSTER = "cluster", "Cluster"
    PRICES = "prices", "Price sheet"
    WORKLOAD = "workload", "Workload"
    SLOS = "slos", "SLO set"


class Item(models.Model):
    """A named thing of the catalogue; what it says stands in its revisions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="items")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["workspace", "kind", "name"], name="item_name_once")]

    def __str__(self) -> str:
        return self.name


class Revision(Immutable):
    """One immutable version of an item.

    `document` is JSON of the matching part of `simulation.scenario` (Cluster, Prices, list of Slo), with the origin of
    each group beside it. A workload is large: its canonical JSON is kept gzipped in `payload` instead, and
    `document` stays empty. `summary` holds what lists and pages show, so that they never open the payload.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    document = models.JSONField(default=dict)
    payload = models.BinaryField(null=True)
    digest = models.CharField(max_length=64)
    summary = models.JSONField(default=dict)
    origin = models.CharField(max_length=12, choices=ORIGINS)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="revisions")
    note = models.CharField(max_length=300, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["item", "-number"]
        constraints = [models.UniqueConstraint(fields=["item", "number"], name="revision_number_once")]

    def __str__(self) -> str:
        return f"{self.item} rev {self.number}"


class Import(models.Model):
    """A file on its way in: uploaded, asked about, accepted in one transaction or discarded."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", "Waiting for answers"
        ACCEPTED = "accepted", "Accepted"
        DISCARDED = "discarded", "Discarded"

    class Of(models.TextChoices):
        JOBS = "jobs", "Jobs"
        NODES = "nodes", "Nodes"
        REQUESTS = "requests", "Requests"
        PRICES = "prices", "Prices"
        QUOTES = "quotes", "Prices over time"
        CHARGES = "charges", "Billing rows"
        CARBON = "carbon", "Carbon of a grid"
        TRIALS = "trials", "Trials of a search"
        BENCHMARKS = "benchmarks", "Serving benchmarks"
        SAMPLES = "samples", "Power samples"
        DEVICES = "devices", "Devices and their links"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="imports")
    state = models.CharField(max_length=10, choices=State.choices, default=State.UPLOADED)
    kind = models.CharField(max_length=10)  # one of Of; not a choice, so that a new kind of file needs no migration
    format = models.CharField(max_length=30)
    file_name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    answers = models.JSONField(default=dict)
    preview = models.JSONField(default=dict)
    revision = models.ForeignKey(Revision, on_delete=models.SET_NULL, null=True, related_name="imports")
    added = models.BooleanField(null=True, help_text="False: the revision had been there before")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.file_name


class ImportIssue(models.Model):
    """A row of the file that was rejected or warned about, kept with its reason."""

    importing = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="issues")
    rejected = models.BooleanField()
    line = models.PositiveBigIntegerField()
    column = models.CharField(max_length=100, blank=True)
    value = models.CharField(max_length=200, blank=True)
    expected = models.CharField(max_length=200, blank=True)
    reason = models.CharField(max_length=300)
    raw = models.TextField(blank=True)

    class Meta:
        ordering = ["importing", "line", "id"]

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"
