"""Results of serving benchmarks: shown and checked, and nothing is saved, as no part of a scenario is made of them."""

from __future__ import annotations

from planner.catalog.drafts.draft import Context, Draft
from simulation.formats.interview import Interview
from simulation.formats.parts.part import ask_origin
from simulation.formats.reading import Reading


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    made = Draft(None, ask_origin(interview, reading))
    made.said = ["A benchmark is measured latency and throughput: compare it with a run. It is no part of a scenario."]
    return made
