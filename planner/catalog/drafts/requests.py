"""Requests of a log -> a workload revision with one service."""

from __future__ import annotations

from planner.catalog.drafts.draft import Context, Draft, drafted
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.parts import requests
from simulation.formats.reading import Reading


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    return drafted(Kind.WORKLOAD, requests.part(reading, interview))
