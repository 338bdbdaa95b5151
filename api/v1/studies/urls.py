from __future__ import annotations

from django.urls import path

from api.v1.studies import runs, shares, views

_STUDIES = "w/<slug:workspace>/studies/"
_STUDY = f"{_STUDIES}<uuid:study>/"
_RUN = "w/<slug:workspace>/runs/<uuid:run>/"

urlpatterns = [
    path(_STUDIES, views.Studies.as_view(), name="studies"),
    path(f"{_STUDIES}plan", views.Plan.as_view(), name="study-plan"),
    path(f"{_STUDIES}proposal", views.Proposal.as_view(), name="study-proposal"),
    path(_STUDY, views.OneStudy.as_view(), name="study"),
    path(f"{_STUDY}progress", views.StudyProgress.as_view(), name="study-progress"),
    path(f"{_STUDY}cancel", views.StudyCancel.as_view(), name="study-cancel"),
    path(f"{_STUDY}scenarios/", views.Scenarios.as_view(), name="study-scenarios"),
    path(f"{_STUDY}shares/", shares.StudyShares.as_view(), name="study-shares"),
    path("w/<slug:workspace>/runs/", runs.Runs.as_view(), name="runs"),
    path(_RUN, runs.OneRun.as_view(), name="run"),
    path(f"{_RUN}result.json", runs.RunResult.as_view(), name="run-result"),
    path(f"{_RUN}tables/<slug:table>/", runs.RunTable.as_view(), name="run-table"),
    path(f"{_RUN}measured/", runs.RunMeasured.as_view(), name="run-measured"),
    path(f"{_RUN}cancel", runs.RunCancel.as_view(), name="run-cancel"),
    path(f"{_RUN}retry", runs.RunRetry.as_view(), name="run-retry"),
    path(f"{_RUN}shares/", shares.RunShares.as_view(), name="run-shares"),
    path("w/<slug:workspace>/shares/<uuid:link>/revoke", shares.ShareRevoke.as_view(), name="share-revoke"),
    path("w/<slug:workspace>/queue/", runs.Queue.as_view(), name="queue"),
]
