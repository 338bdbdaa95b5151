"""Exceptions of comparability: a reviewer admits a refused scenario, says why, and everybody sees it. Never edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from planner.accounts.models import User
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit
from planner.evidence.comparability import refusals
from planner.evidence.models import ComparabilityException
from planner.studies.models import Scenario, Study

LEAST = 20
MOST = 1000
"""Characters of a justification."""


class ExceptionError(ValueError):
    """An exception that cannot be recorded or ended, with the reason in a sentence."""


@dataclass(frozen=True, slots=True)
class Excepted:
    """A scenario that is compared by exception: what was refused, and who admitted it, when and why."""

    scenario_id: UUID
    label: str
    refusal: str
    justification: str
    by: str
    at: datetime

    @property
    def sentence(self) -> str:
        """What stands beside every chart and goes with every export of it."""
        why = self.justification.rstrip(".")
        return f"{self.label} is compared by exception ({self.by}, {self.at:%Y-%m-%d}). {self.refusal} Because: {why}."


def history(study: Study) -> QuerySet[ComparabilityException]:
    """Every row about the study's scenarios, oldest first, those that ended an exception among them."""
    rows = ComparabilityException.objects.filter(scenario__study=study)
    return rows.select_related("scenario", "made_by", "superseded_by").order_by("made_at", "id")


def excepted(study: Study, refused: Mapping[UUID, str]) -> tuple[Excepted, ...]:
    """Those of the `refused` (scenario -> reason) that stand admitted for that very reason; another one is not."""
    if not refused:
        return ()
    newest = history(study).filter(superseded_by=None, admits=True, scenario__in=refused).order_by("scenario__position")
    return tuple(_told(row) for row in newest if row.refusal == refused[row.scenario_id])


def _told(row: ComparabilityException) -> Excepted:
    by = row.made_by.get_username() if row.made_by else "somebody whose account is gone"
    return Excepted(row.scenario_id, row.scenario.label, row.refusal, row.justification, by, row.made_at)


def refusals_of(study: Study) -> dict[UUID, str]:
    """Scenarios of a study that may not be compared with its base, with the reason."""
    return refusals(study, list(Scenario.objects.filter(study=study).order_by("position")))


@transaction.atomic
def exception_record(*, scenario: Scenario, user: User, justification: str) -> ComparabilityException:
    """Admit a refused scenario to comparisons; ExceptionError where nothing is refused, or it is admitted already."""
    study = scenario.study
    require(user, study.workspace, Act.REVIEW)
    last = _last(scenario)
    refusal = refusals_of(study).get(scenario.id)
    if refusal is None:
        raise ExceptionError(f"{scenario.label} is compared anyhow: nothing is refused, so nothing can be excepted.")
    if last and last.admits and last.refusal == refusal:
        raise ExceptionError(f"{scenario.label} is compared by exception already.")
    return _added(scenario, user, justification, refusal=refusal, last=last, admits=True)


@transaction.atomic
def exception_revoke(*, scenario: Scenario, user: User, justification: str) -> ComparabilityException:
    """End an exception by a row that supersedes it; what it had said stays readable."""
    require(user, scenario.study.workspace, Act.REVIEW)
    last = _last(scenario)
    if last is None or not last.admits:
        raise ExceptionError(f"No exception of {scenario.label} stands, so none can be ended.")
    return _added(scenario, user, justification, refusal=last.refusal, last=last, admits=False)


def _last(scenario: Scenario) -> ComparabilityException | None:
    """The row that holds; two reviewers at once come one after the other."""
    Scenario.objects.select_for_update().get(pk=scenario.pk)
    return ComparabilityException.objects.filter(scenario=scenario, superseded_by=None).first()


def _added(
    scenario: Scenario,
    user: User,
    justification: str,
    *,
    refusal: str,
    last: ComparabilityException | None,
    admits: bool,
) -> ComparabilityException:
    words = justification.replace("\x00", "").strip()
    if not LEAST <= len(words) <= MOST:
        raise ExceptionError(f"The justification has {len(words)} characters; expected {LEAST} to {MOST:,}.")
    row = ComparabilityException.objects.create(
        scenario=scenario, refusal=refusal, admits=admits, justification=words, made_by=user, supersedes=last
    )
    action = "exception.record" if admits else "exception.revoke"
    audit(workspace=scenario.study.workspace, user=user, action=action, target=scenario.label, id=str(row.id))
    return row
