from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.v1.fields import MoneySerializer, NumberSerializer, OriginField
from planner.catalog.models import Item, Revision, Source


class NewestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="newest_id")
    number = serializers.IntegerField(source="newest_number")
    origin = OriginField(source="newest_origin")
    created_at = serializers.DateTimeField(source="newest_at")


class ItemSerializer(serializers.ModelSerializer):
    """A line of a list: an item with its newest revision, whose origin holds for all figures of the summary."""

    revision = serializers.SerializerMethodField(help_text="the newest; null where nothing was saved yet")
    summary = serializers.JSONField(source="newest_summary", help_text="units stand at the ends of the names")

    class Meta:
        model = Item
        fields = ("id", "kind", "name", "archived_at", "revision", "summary")

    def get_revision(self, item: Any) -> NewestSerializer(allow_null=True):
        return NewestSerializer(item).data if item.newest_id else None


class SourceSerializer(serializers.ModelSerializer):
    entered_by = serializers.CharField(source="entered_by.username", default=None)

    class Meta:
        model = Source
        fields = ("id", "origin", "title", "file_name", "sha256", "entered_by", "entered_at")


class RevisionSerializer(serializers.ModelSerializer):
    source = SourceSerializer()
    created_by = serializers.CharField(source="created_by.username", default=None)

    class Meta:
        model = Revision
        fields = ("id", "number", "origin", "digest", "note", "created_by", "created_at", "summary", "source")


class FullItemSerializer(serializers.ModelSerializer):
    """An item at one of its revisions, with the whole document (null for workloads, which are large)."""

    revision = RevisionSerializer()
    document = serializers.JSONField(source="revision.document")
    problems = serializers.ListField(child=serializers.CharField(), help_text="what does not fit, row by row")

    class Meta:
        model = Item
        fields = ("id", "kind", "name", "archived_at", "revision", "document", "problems")


class PoolRowSerializer(serializers.Serializer):
    """A pool of a cluster, each figure with its origin."""

    name = serializers.CharField()
    gpu_model = serializers.CharField()
    purchase = serializers.CharField()
    nodes = NumberSerializer()
    gpus_per_node = NumberSerializer()
    gpus = NumberSerializer()
    gpu_memory_bytes = NumberSerializer()
    idle_w = NumberSerializer()
    peak_w = NumberSerializer()
    node_overhead_w = NumberSerializer()
    speed = NumberSerializer()


class PriceRowSerializer(serializers.Serializer):
    pool = serializers.CharField(allow_null=True)
    gpu_model = serializers.CharField(allow_null=True)
    purchase = serializers.CharField(allow_null=True)
    price = MoneySerializer()


class LimitSerializer(serializers.Serializer):
    metric = serializers.CharField()
    title = serializers.CharField()
    limit = NumberSerializer()
    hard = serializers.BooleanField()


class PoolCostSerializer(serializers.Serializer):
    pool = serializers.CharField()
    gpu_h = NumberSerializer()
    price = MoneySerializer()
    cost = MoneySerializer()


class CostSerializer(serializers.Serializer):
    """What a cluster costs a month of 730 h under a price sheet, used or not."""

    cluster = serializers.UUIDField(help_text="revision")
    prices = serializers.UUIDField(help_text="revision")
    rows = PoolCostSerializer(many=True)
    total = MoneySerializer()
    problems = serializers.ListField(child=serializers.CharField())


class ChangeSerializer(serializers.Serializer):
    """One field that differs between two revisions; null: it was not there."""

    path = serializers.CharField()
    old = serializers.JSONField()
    new = serializers.JSONField()


class ModelFigureSerializer(serializers.Serializer):
    """A GPU model of the catalogue."""

    model = serializers.CharField()
    gpu_memory_bytes = NumberSerializer()
    idle_w = NumberSerializer()
    peak_w = NumberSerializer()
