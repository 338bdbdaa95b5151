from __future__ import annotations

from rest_framework import serializers

from api.v1.fields import InputSerializer, OriginField


class DifferenceSerializer(serializers.Serializer):
    """Scenario minus baseline, paired by seed."""

    absolute = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    relative = serializers.FloatField(allow_null=True)
    shown = serializers.BooleanField(help_text="the interval leaves out zero")
    words = serializers.CharField()
    seeds = serializers.IntegerField()


class CellSerializer(serializers.Serializer):
    """One metric of one scenario over its finished seeds; null is unknown, and the note says why."""

    value = serializers.FloatField(allow_null=True)
    unit = serializers.CharField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    method = serializers.CharField()
    seeds = serializers.IntegerField()
    origin = OriginField()
    inputs = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField()
    difference = DifferenceSerializer(allow_null=True)


class VerdictSerializer(serializers.Serializer):
    metric = serializers.CharField()
    limit = serializers.FloatField()
    unit = serializers.CharField()
    hard = serializers.BooleanField()
    value = serializers.FloatField(allow_null=True)
    met = serializers.BooleanField(allow_null=True)
    by = serializers.FloatField(allow_null=True)
    clear = serializers.BooleanField(allow_null=True, help_text="the interval does not reach across the limit")


class ShareField(serializers.ListField):
    """On the front in a of b seeds."""

    child = serializers.IntegerField()


class RowSerializer(serializers.Serializer):
    scenario_id = serializers.UUIDField()
    label = serializers.CharField()
    changes = serializers.JSONField(help_text="path, old, new and unit of what differs from the base")
    is_base = serializers.BooleanField()
    regime = serializers.CharField()
    states = serializers.DictField(child=serializers.IntegerField(), help_text="runs by state")
    feasible = serializers.BooleanField(allow_null=True)
    verdicts = VerdictSerializer(many=True)
    front_share = ShareField(allow_null=True)
    run_ids = serializers.ListField(child=serializers.UUIDField())
    digest = serializers.CharField()
    cells = serializers.DictField(child=CellSerializer(), help_text="by metric")


class ColumnSerializer(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField()
    better = serializers.CharField(allow_null=True)
    definition = serializers.CharField()
    formula = serializers.CharField()
    varies = serializers.BooleanField()
    known = serializers.BooleanField()


class ExcludedSerializer(serializers.Serializer):
    scenario_id = serializers.UUIDField()
    label = serializers.CharField()
    sentence = serializers.CharField()


class ExceptedSerializer(serializers.Serializer):
    """A scenario that a reviewer has admitted although its terms differ."""

    scenario_id = serializers.UUIDField()
    label = serializers.CharField()
    refusal = serializers.CharField(help_text="why it may not be compared otherwise")
    justification = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()


class BoardSerializer(serializers.Serializer):
    """The comparison: scenarios down, metrics across, differences against the baseline."""

    baseline = serializers.UUIDField(allow_null=True)
    engine = serializers.CharField()
    seeds = serializers.IntegerField()
    metrics = ColumnSerializer(many=True)
    rows = RowSerializer(many=True)
    excluded = ExcludedSerializer(many=True, help_text="what may not be compared, and why")
    exceptions = ExceptedSerializer(many=True)
    notes = serializers.ListField(child=serializers.CharField(), help_text="what of the address was not understood")


class PointSerializer(serializers.Serializer):
    scenario_id = serializers.UUIDField()
    label = serializers.CharField()
    status = serializers.ChoiceField(["front", "dominated", "infeasible", "excluded"])
    why = serializers.CharField()
    x = CellSerializer(allow_null=True)
    y = CellSerializer(allow_null=True)
    is_base = serializers.BooleanField()
    share = ShareField(allow_null=True)
    partial = serializers.BooleanField()


class LimitOfViewSerializer(serializers.Serializer):
    metric = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField()
    limit = serializers.FloatField()
    hard = serializers.BooleanField()
    at_least = serializers.BooleanField()
    from_slo = serializers.BooleanField()
    turns_away = serializers.IntegerField()
    alone = serializers.IntegerField(help_text="turned away by this limit and no other")


class MissSerializer(serializers.Serializer):
    scenario_id = serializers.UUIDField()
    label = serializers.CharField()
    metric = serializers.CharField()
    unit = serializers.CharField()
    by = serializers.FloatField()


class PickSerializer(serializers.Serializer):
    name = serializers.CharField()
    scenario_id = serializers.UUIDField()
    label = serializers.CharField()
    reason = serializers.CharField()
    is_knee = serializers.BooleanField()


class HypervolumeSerializer(serializers.Serializer):
    value = serializers.FloatField(allow_null=True)
    unit = serializers.CharField()
    reference = serializers.ListField(child=serializers.FloatField(), allow_null=True, help_text="the worst corner")


class FrontSerializer(serializers.Serializer):
    """The Pareto front of two metrics under limits."""

    x = ColumnSerializer()
    y = ColumnSerializer()
    rows = PointSerializer(many=True, help_text="one a scenario")
    line = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()), help_text="from the best x to the best y"
    )
    hypervolume = HypervolumeSerializer()
    picks = PickSerializer(many=True)
    limits = LimitOfViewSerializer(many=True)
    binding = LimitOfViewSerializer(allow_null=True)
    nearest = MissSerializer(allow_null=True)
    counts = serializers.DictField(child=serializers.IntegerField())
    exceptions = ExceptedSerializer(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class SeedValueSerializer(serializers.Serializer):
    seed = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    run = serializers.UUIDField(allow_null=True)


class NumberSourceSerializer(serializers.Serializer):
    """Where one number of a comparison comes from."""

    metric = ColumnSerializer()
    cell = CellSerializer()
    meaning = serializers.CharField(help_text="of the origin")
    engine = serializers.CharField()
    inputs = InputSerializer(many=True)
    rows = SeedValueSerializer(many=True)
