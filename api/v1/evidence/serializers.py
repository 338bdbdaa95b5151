from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.v1.fields import OriginField
from planner.evidence.models import SignatureRun
from planner.web.system_rows import origin_of


class SystemLineSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField()
    venue = serializers.CharField(allow_null=True)
    year = serializers.IntegerField(allow_null=True)
    workload = serializers.ChoiceField(["training", "inference"])
    objectives = serializers.ListField(child=serializers.CharField())
    resources = serializers.ListField(child=serializers.CharField())
    information = serializers.CharField(help_text="what it may know of jobs")
    description = serializers.CharField()


class ParameterSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="as a scenario names it")
    description = serializers.CharField()
    value = serializers.JSONField()
    unit = serializers.CharField()
    low = serializers.JSONField()
    high = serializers.JSONField()
    choices = serializers.JSONField()
    source = serializers.CharField()
    origin = serializers.SerializerMethodField()

    def get_origin(self, row: dict[str, Any]) -> OriginField():
        return str(origin_of(row["source"]))


class ClaimSerializer(serializers.Serializer):
    """What its authors published: shown, never ranked."""

    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    up_to = serializers.FloatField(allow_null=True)
    unit = serializers.CharField()
    origin = OriginField()
    baseline = serializers.CharField()
    hardware = serializers.CharField()
    workload = serializers.CharField()
    kind = serializers.CharField()
    place = serializers.CharField()
    confidence = serializers.CharField()


class SignatureSerializer(serializers.ModelSerializer):
    document = serializers.JSONField(help_text="what was found; null until a worker has run it")

    class Meta:
        model = SignatureRun
        fields = ("id", "system", "engine_version", "seeds", "asked_at", "finished_at", "document")


class SystemSerializer(SystemLineSerializer):
    sources = serializers.ListField(child=serializers.CharField())
    recipe = serializers.JSONField()
    parameters = ParameterSerializer(many=True)
    claims = ClaimSerializer(many=True)
    has_signature = serializers.BooleanField()
    signature = SignatureSerializer(allow_null=True, help_text="the latest that was run, by this engine")
    asked = SignatureSerializer(allow_null=True, help_text="one that a worker has yet to run")


class GridCellSerializer(serializers.Serializer):
    objective = serializers.CharField()
    use = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())


class MetricSerializer(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField()
    better = serializers.CharField(allow_null=True)
    definition = serializers.CharField()
    formula = serializers.CharField()
    inputs = serializers.ListField(child=serializers.CharField())


class TermSerializer(serializers.Serializer):
    term = serializers.CharField()
    meaning = serializers.CharField()


class GlossarySerializer(serializers.Serializer):
    rows = MetricSerializer(many=True, help_text="the metrics")
    objectives = serializers.ListField(child=serializers.CharField(), help_text="metrics that a front may have")
    terms = TermSerializer(many=True)
    origins = TermSerializer(many=True)
