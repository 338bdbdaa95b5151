"""Instants by the database's clock. No lease is ever judged by the clock of a worker."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import DateTimeField, DurationField, ExpressionWrapper, Value
from django.db.models.functions import Now


def from_now(seconds: float) -> ExpressionWrapper:
    """The instant `seconds` after the database's now (before it where negative)."""
    span = Value(timedelta(seconds=seconds), output_field=DurationField())
    return ExpressionWrapper(Now() + span, output_field=DateTimeField())
