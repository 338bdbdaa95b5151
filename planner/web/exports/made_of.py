"""What an export was made of: the engine, the inputs with their digests. It holds for every row of a table."""

from __future__ import annotations

from typing import Any

from planner.catalog.models import Revision
from planner.studies.models import Run, Study
from planner.web.study_facts import parts


def of_study(study: Study, engine: str, *, view: str = "") -> dict[str, str]:
    told = {"study": study.question, "asked": study.created_at.isoformat(), "engine": engine or "not run yet"}
    told |= _parts(study, study.base)
    return told | ({"view": view} if view else {})


def of_run(run: Run) -> dict[str, str]:
    """`run` has a result."""
    scenario, result = run.scenario, run.result
    told = {"study": scenario.study.question, "scenario": scenario.label, "seed": str(run.seed)}
    if result is not None:
        told |= {"engine": result.engine_version, "result_sha256": result.sha256}
    return told | {"scenario_digest": scenario.digest} | _parts(scenario.study, scenario.spec)


def of_revision(revision: Revision) -> dict[str, str]:
    source = revision.source
    told = {"item": str(revision), "saved": revision.created_at.isoformat(), "sha256": revision.digest}
    return told | {"origin": revision.origin, "source": source.title}


def _parts(study: Study, spec: dict[str, Any]) -> dict[str, str]:
    found = parts(study.workspace, spec)
    return {part.role: f"{part.name}, sha256 {part.revision.digest}" for part in found}
