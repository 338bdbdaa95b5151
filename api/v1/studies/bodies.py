"""A study as it is asked for: a base, and the axes along which it is varied."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from api.bodies import Given
from planner.studies.spec import Axes, Base


class PlannedStudy(Given):
    base: Base
    axes: Axes = Axes()

    def documents(self) -> dict[str, dict[str, Any]]:
        return {"base": self.base.model_dump(mode="json"), "axes": self.axes.model_dump(mode="json")}


class NewStudy(PlannedStudy):
    question: Annotated[str, Field(min_length=1, max_length=200)]


class ChangedStudy(Given):
    """Out of the lists, and back. The question, the base and the axes of a study never change."""

    archived: bool
