"""Writes of studies: ask a question, archive it. Runs and their states are written by `runs`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit
from planner.studies import runs
from planner.studies.drafts import Draft, draft
from planner.studies.models import Run, Scenario, Study
from planner.studies.spec import Problem, SpecError


@transaction.atomic
def study_create(
    *,
    workspace: Workspace,
    user: User,
    question: str,
    base: Mapping[str, Any],
    axes: Mapping[str, Any],
    is_example: bool = False,
) -> Study:
    """A study with its scenarios and one run a scenario and seed, all in one transaction.

    Runs whose result is already known are done at once; the others are queued. SpecError names the wrong fields.
    """
    require(user, workspace, Act.EDIT)
    asked = _question(question)
    made = draft(workspace, base, axes)
    study = Study.objects.create(
        workspace=workspace,
        question=asked,
        base=made.base.model_dump(mode="json"),
        axes=made.axes.model_dump(mode="json"),
        slos=made.slos,
        is_example=is_example,
        created_by=user,
    )
    scenarios = _scenarios(study, made)
    to_do = runs.runs_enqueue(_runs(scenarios, made.axes.seeds))
    audit(workspace=workspace, user=user, action="study.create", target=asked, queued=to_do, id=str(study.id))
    return study


def _question(text: str) -> str:
    question = " ".join(text.split())
    if not 1 <= len(question) <= 200 or "\x00" in question:
        raise SpecError([Problem("question", f"Ask in 1 to 200 characters (given: {len(question)})")])
    return question


def _scenarios(study: Study, made: Draft) -> list[Scenario]:
    rows = zip(made.variants, made.marks, strict=True)
    return Scenario.objects.bulk_create(
        Scenario(
            study=study,
            position=position,
            label=variant.label,
            spec=variant.spec,
            changes=variant.changes,
            digest=mark.digest,
            family=mark.family,
            regime=mark.regime,
        )
        for position, (variant, mark) in enumerate(rows)
    )


def _runs(scenarios: list[Scenario], seeds: int) -> list[UUID]:
    """One run a scenario and seed, seed by seed, so that every scenario has an answer early."""
    rows = [Run(scenario=scenario, seed=seed) for seed in range(seeds) for scenario in scenarios]
    return [run.id for run in Run.objects.bulk_create(rows)]


@transaction.atomic
def study_archive(*, study: Study, user: User) -> Study:
    """Take a study out of the lists; its results stay, and so does its address."""
    return _archived(study, user, timezone.now(), "study.archive")


@transaction.atomic
def study_restore(*, study: Study, user: User) -> Study:
    return _archived(study, user, None, "study.restore")


def _archived(study: Study, user: User, at: datetime | None, action: str) -> Study:
    require(user, study.workspace, Act.EDIT)
    study.archived_at = at
    study.save(update_fields=["archived_at"])
    audit(workspace=study.workspace, user=user, action=action, target=study.question)
    return study
