"""Rows that are written once."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models


class ImmutableError(Exception):
    """A row that is never edited was about to be."""


class ImmutableRows(models.QuerySet):
    def update(self, **changes: Any) -> NoReturn:
        raise ImmutableError(f"Rows of {self.model.__name__} are never edited; add a new one.")


class Immutable(models.Model):
    """A row that is written once: a correction is another row, so that what was computed from it stays explained."""

    objects = ImmutableRows.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise ImmutableError(f"Rows of {type(self).__name__} are never edited; add a new one.")
        super().save(*args, **kwargs)
