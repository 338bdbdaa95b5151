"""Accepted tables to parts of a scenario: the questions that a person must answer, then the rules of this package."""

from __future__ import annotations

from collections.abc import Callable

from simulation.formats.columns import Kind
from simulation.formats.interview import Interview
from simulation.formats.parts import jobs, nodes, requests, trials
from simulation.formats.parts.part import Part
from simulation.formats.reading import Reading

PARTS: dict[Kind, Callable[[Reading, Interview], Part]] = {
    "jobs": jobs.part,
    "nodes": nodes.part,
    "requests": requests.part,
    "trials": trials.part,
}
"""Kind of table -> the function that makes a part of a scenario of it. Prices need money rules of their own."""
