"""What a person may do to a run: stop it, or ask for it once more."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Case, CharField, DateTimeField, F, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Now

from planner.accounts.models import User
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit
from planner.studies.models import Run, Study
from planner.studies.runs.submission import runs_enqueue


@transaction.atomic
def run_cancel(*, run: Run, user: User) -> bool:
    """Stop one run: at once where it waits, within about a second where it runs. False: it had ended already."""
    study = run.scenario.study
    require(user, study.workspace, Act.EDIT)
    stopped = _cancel(Run.objects.filter(pk=run.pk))
    audit(workspace=study.workspace, user=user, action="run.cancel", target=str(run.pk), stopped=stopped)
    return bool(stopped)


@transaction.atomic
def study_cancel(*, study: Study, user: User) -> int:
    """Stop all runs of a study that have not ended; how many those were."""
    require(user, study.workspace, Act.EDIT)
    ids = Run.objects.filter(scenario__study=study).exclude(state__in=Run.FINAL).values_list("pk", flat=True)
    stopped = _cancel(Run.objects.filter(pk__in=list(ids)))
    audit(workspace=study.workspace, user=user, action="study.cancel", target=str(study.pk), stopped=stopped)
    return stopped


@transaction.atomic
def run_retry(*, run: Run, user: User) -> bool:
    """Queue a failed or cancelled run anew, with all its attempts. False: it is in no such state."""
    study = run.scenario.study
    require(user, study.workspace, Act.EDIT)
    again = Run.objects.filter(pk=run.pk, state__in=(Run.State.FAILED, Run.State.CANCELLED)).update(
        state=Run.State.QUEUED, attempt=0, reason="", token=None, worker="", progress=0.0,
        cancel_requested=False, started_at=None, finished_at=None,
    )  # fmt: skip
    if again:
        runs_enqueue([run.pk])
        audit(workspace=study.workspace, user=user, action="run.retry", target=str(run.pk))
    return bool(again)


def _cancel(runs: QuerySet[Run]) -> int:
    """One statement for waiting and running runs, so that none slips through while it changes from one to the other."""
    waiting = Q(state=Run.State.QUEUED)
    return runs.exclude(state__in=Run.FINAL).update(
        cancel_requested=True,
        state=Case(When(waiting, then=Value(Run.State.CANCELLED)), default=F("state"), output_field=CharField()),
        finished_at=Case(When(waiting, then=Now()), default=F("finished_at"), output_field=DateTimeField()),
        reason=Case(
            When(waiting, then=Value("Cancelled before it started.")), default=F("reason"), output_field=TextField()
        ),
    )
