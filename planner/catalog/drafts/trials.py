"""Trials of a search -> a workload revision: each is a job that came when it started."""

from __future__ import annotations

from planner.catalog.drafts.draft import Context, Draft, drafted
from planner.catalog.drafts.jobs import called
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.parts import trials
from simulation.formats.reading import Reading


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    return drafted(Kind.WORKLOAD, trials.part(reading, interview, called(reading, interview, context)))
