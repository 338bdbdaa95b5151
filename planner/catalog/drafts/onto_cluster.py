"""Files that add figures to a cluster which is already in the catalogue: which one is asked, the rest is kept."""

from __future__ import annotations

import copy
from typing import Any

from planner.catalog.drafts.draft import Context
from planner.catalog.models import Revision
from simulation.formats.interview import Interview
from simulation.formats.reading import Question

ITEM = "item"
"""Key of the answer that says where an import goes (see services_imports)."""


def ask_cluster(interview: Interview, context: Context, text: str) -> Revision | None:
    """The newest revision of the cluster that is meant; None while that is open."""
    clusters = context.clusters()
    told = "" if clusters else "; there is none yet: bring a list of nodes first"
    answer = interview.ask(
        Question(
            ITEM,
            text,
            "choice",
            tuple((str(revision.item_id), revision.item.name) for revision in clusters),
            None,
            f"it becomes the next revision of that cluster{told}",
        )
    )
    return next((revision for revision in clusters if str(revision.item_id) == answer), None)


def document_of(revision: Revision) -> dict[str, Any]:
    """A copy of a cluster's document, to be changed."""
    return copy.deepcopy(revision.document)
