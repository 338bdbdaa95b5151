"""Jobs of a log -> a workload revision; people in it become pseudonyms unless somebody says otherwise."""

from __future__ import annotations

from collections.abc import Callable

from planner.catalog.drafts.draft import Context, Draft, drafted
from planner.catalog.models import Kind
from simulation.formats.interview import Interview
from simulation.formats.parts import jobs
from simulation.formats.reading import Question, Reading


def draft(reading: Reading, interview: Interview, context: Context) -> Draft:
    return drafted(Kind.WORKLOAD, jobs.part(reading, interview, called(reading, interview, context)))


def called(reading: Reading, interview: Interview, context: Context) -> Callable[[str], str]:
    """What the users of a file are called in the workload; asked where it names any."""
    hidden = any(reading.table["user"]) and _ask_names(interview) == "pseudonyms"
    return context.pseudonym if hidden else str


def _ask_names(interview: Interview) -> str | None:
    return interview.ask(
        Question(
            "names",
            "User names in the workload",
            "choice",
            (("pseudonyms", "stable pseudonyms"), ("keep", "as written")),
            "pseudonyms",
            "the same person gets the same pseudonym in every file of this workspace",
        )
    )
