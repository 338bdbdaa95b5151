"""The base of what is sent: unknown fields are refused, so that a misspelt one is not passed over."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Why = Annotated[str, StringConstraints(strip_whitespace=True, max_length=300)]


class Given(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
