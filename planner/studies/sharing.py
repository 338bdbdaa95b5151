"""What leaves a workspace: the study or run that a share link opens, and the note that one was exported."""

from __future__ import annotations

from django.http import Http404

from planner.accounts.models import ShareLink, User
from planner.accounts.selectors import require
from planner.accounts.services import audit
from planner.studies.models import Run, Study


def shared_study(link: ShareLink) -> Study:
    """Http404 where the study is gone, or never was one of the link's workspace."""
    wanted = Study.objects.filter(workspace=link.workspace, pk=link.target)
    found = wanted.select_related("workspace", "created_by").first()
    if found is None:
        raise Http404("The study of this link is gone")
    return found


def shared_run(link: ShareLink) -> Run:
    wanted = Run.objects.filter(scenario__study__workspace=link.workspace, pk=link.target)
    found = wanted.select_related("scenario__study__workspace", "result").first()
    if found is None:
        raise Http404("The run of this link is gone")
    return found


def study_exported(*, study: Study, user: User, what: str) -> None:
    """Note in the audit log that `user` took `what` of a study away."""
    require(user, study.workspace)
    audit(workspace=study.workspace, user=user, action="study.export", target=study.question, what=what)


def run_exported(*, run: Run, user: User, what: str) -> None:
    scenario = run.scenario
    require(user, scenario.study.workspace)
    target = f"{scenario.label}, seed {run.seed}"
    audit(workspace=scenario.study.workspace, user=user, action="run.export", target=target, what=what, id=str(run.pk))
