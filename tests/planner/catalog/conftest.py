"""Files brought by the owner of a workspace."""

from __future__ import annotations

from io import BytesIO

import pytest

from planner.catalog.models import Import
from planner.catalog.services_imports import import_create


@pytest.fixture
def upload(workspace, owner):
    def make(text: str | bytes, name: str = "march.psv", **more) -> Import:
        content = text.encode() if isinstance(text, str) else text
        return import_create(workspace=workspace, user=owner, upload=BytesIO(content), filename=name, **more)

    return make
