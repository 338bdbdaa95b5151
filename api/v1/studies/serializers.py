from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.v1.fields import NumberSerializer, RangeField
from planner.studies.models import Result, Run, Scenario, Study


class StatesField(serializers.DictField):
    """Runs by state."""

    child = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer):
    states = StatesField()
    total = serializers.IntegerField()
    fraction = serializers.FloatField(help_text="0 to 1, with the parts of running runs")
    left_s = RangeField(help_text="from, to; null: unsure")
    finished = serializers.BooleanField()
    words = serializers.CharField()


class _StudySerializer(serializers.ModelSerializer):
    created_by = serializers.CharField(source="created_by.username", default=None)

    class Meta:
        model = Study
        fields = ("id", "question", "is_example", "created_by", "created_at", "archived_at")


class StudyLineSerializer(_StudySerializer):
    scenarios = serializers.IntegerField(source="scenarios_total")
    runs = serializers.SerializerMethodField(help_text="by state")

    class Meta(_StudySerializer.Meta):
        fields = (*_StudySerializer.Meta.fields, "scenarios", "runs")

    def get_runs(self, study: Any) -> dict[str, int]:
        return {state: getattr(study, f"runs_{state}") for state in Run.State.values}


class StudySerializer(_StudySerializer):
    base = serializers.JSONField(help_text="as it can be sent again to make another study")
    axes = serializers.JSONField()
    slos = serializers.JSONField(help_text="limits, as they stood before the first run")
    progress = ProgressSerializer()

    class Meta(_StudySerializer.Meta):
        fields = (*_StudySerializer.Meta.fields, "base", "axes", "slos", "progress")


class ScenarioSerializer(serializers.ModelSerializer):
    runs = serializers.SerializerMethodField(help_text="by state")

    class Meta:
        model = Scenario
        fields = ("id", "position", "label", "changes", "spec", "digest", "family", "regime", "runs")

    def get_runs(self, scenario: Any) -> dict[str, int]:
        return {state: getattr(scenario, f"runs_{state}") for state in Run.State.values}


class StudyProblemSerializer(serializers.Serializer):
    field = serializers.CharField()
    sentence = serializers.CharField()


class PlanSerializer(serializers.Serializer):
    """What a study would cost; problems stand in the way, warnings do not."""

    scenarios = serializers.IntegerField()
    runs = serializers.IntegerField()
    already_known = serializers.IntegerField(help_text="runs whose result is stored")
    ahead = serializers.IntegerField(help_text="runs that wait before these")
    workers = serializers.IntegerField(help_text="runs that are done at once")
    starts_in_s = RangeField()
    takes_s = RangeField()
    labels = serializers.ListField(child=serializers.CharField())
    warnings = serializers.ListField(child=serializers.CharField())
    problems = StudyProblemSerializer(many=True)


class ProposalSerializer(serializers.Serializer):
    """Where to begin: parts of the catalogue that go together, and policies for a first comparison."""

    base = serializers.DictField(child=serializers.UUIDField(allow_null=True), help_text="role -> revision")
    policies = serializers.ListField(child=serializers.CharField())


class ResultSerializer(serializers.ModelSerializer):
    class Meta:
        model = Result
        fields = ("sha256", "engine_version", "compute_s")


class RunSerializer(serializers.ModelSerializer):
    study = serializers.UUIDField(source="scenario.study_id")
    scenario = serializers.UUIDField(source="scenario_id")
    label = serializers.CharField(source="scenario.label")
    result = ResultSerializer(allow_null=True)

    class Meta:
        model = Run
        fields = ("id", "study", "scenario", "label", "seed", "state", "reason", "attempt", "progress",
                  "cancel_requested", "created_at", "enqueued_at", "started_at", "finished_at", "result")  # fmt: skip


class DoneSerializer(serializers.Serializer):
    """Whether anything was changed; a repetition changes nothing."""

    changed = serializers.IntegerField(help_text="runs")


class HeldSerializer(serializers.Serializer):
    """One statistic of a simulated baseline against what the log measured."""

    quantity = serializers.CharField()
    statistic = serializers.CharField()
    measured = NumberSerializer()
    simulated = NumberSerializer()
    bias = NumberSerializer(help_text="simulated minus measured")
    ratio = NumberSerializer(help_text="simulated over measured")
    few = serializers.BooleanField(help_text="too few values for this statistic")


class PlaceSerializer(serializers.Serializer):
    run = RunSerializer()
    place = serializers.IntegerField(help_text="among all that wait; 0: at work")
    done_in_s = RangeField()


class WorkforceSerializer(serializers.Serializer):
    workers = serializers.IntegerField()
    slots = serializers.IntegerField()
    starting = serializers.IntegerField()
    missing = serializers.CharField(help_text="why no run is taken now; empty where one is")


class QueueSerializer(serializers.Serializer):
    running = serializers.IntegerField()
    waiting = serializers.IntegerField()
    failed = serializers.IntegerField()
    workforce = WorkforceSerializer()
    rows = PlaceSerializer(many=True, help_text="at most 200, in their order")
    ended = StatesField(help_text="of the last 24 h")


class RunTableSerializer(serializers.Serializer):
    table = serializers.CharField()
    rows = serializers.ListField(
        child=serializers.DictField(), help_text="units stand in `unit`, or at the ends of the names of figures"
    )
