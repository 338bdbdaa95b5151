"""The documentation cannot fall behind: metrics are those of the registry, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import engine_reference, formats_reference, metrics_reference
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_reference_of_metrics_is_made_from_the_registry():
    assert metrics_reference.PAGE.read_text() == metrics_reference.reference(), (
        "run python -m scripts.metrics_reference"
    )


def test_the_reference_of_formats_is_made_from_the_registry():
    assert formats_reference.PAGE.read_text() == formats_reference.reference(), (
        "run python -m scripts.formats_reference"
    )


def test_the_pages_about_the_engine_are_made_from_its_snapshots():
    made = (engine_reference.agreement_reference(), engine_reference.speed_reference())
    kept = tuple(page.read_text() for page in (engine_reference.AGREEMENT, engine_reference.SPEED))
    assert kept == made, "run python -m scripts.engine_reference"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_every_page_is_reached_from_the_index():
    index = (ROOT / "docs" / "index.md").read_text()
    missing = [p for p in PAGES[1:] if p.name != "index.md" and str(p.relative_to(ROOT / "docs")) not in index]
    assert missing == []
