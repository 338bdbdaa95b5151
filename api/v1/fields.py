"""Fields that many answers share: a number is never without its unit and its origin."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from simulation.provenance import Origin

ORIGINS = [origin.value for origin in Origin]


class OriginField(serializers.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(choices=ORIGINS, **options)

    def to_representation(self, value: Any) -> str:
        return str(value)


class NumberSerializer(serializers.Serializer):
    """A number; null is unknown (never 0), and the note says why."""

    value = serializers.FloatField(allow_null=True)
    unit = serializers.CharField(help_text="1: a bare number")
    origin = OriginField(allow_null=True, help_text="null where the value is unknown")
    source = serializers.CharField(default="", help_text="where it comes from, in words")
    note = serializers.CharField(default="")


class MoneySerializer(NumberSerializer):
    """An amount of money, exact: a decimal in a text."""

    value = serializers.CharField(allow_null=True)


class InputSerializer(serializers.Serializer):
    """A group of inputs that a number rests on, and where it comes from."""

    group = serializers.CharField()
    origin = OriginField()
    source = serializers.CharField()
    revision = serializers.UUIDField(allow_null=True, source="revision.id", default=None)
    name = serializers.CharField(source="revision.__str__", default="")
    digest = serializers.CharField(source="revision.digest", default="")
    file_name = serializers.CharField(source="revision.source.file_name", default="", help_text="empty: typed in")
    sha256 = serializers.CharField(source="revision.source.sha256", default="", help_text="of the file")
    entered_by = serializers.CharField(source="revision.source.entered_by.username", default="")
    entered_at = serializers.DateTimeField(source="revision.source.entered_at", default=None, allow_null=True)


class RangeField(serializers.ListField):
    """From, to; null is unsure."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.FloatField(), min_length=2, max_length=2, allow_null=True, **options)


def number(value: float | Decimal | None, unit: str, origin: str, source: str = "", note: str = "") -> dict[str, Any]:
    known = None if value is None else str(origin)
    return {"value": value, "unit": unit or "1", "origin": known, "source": source, "note": note}
