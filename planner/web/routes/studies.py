from __future__ import annotations

from django.urls import path

from planner.web.views import bundles, evidence, exceptions, studies, study_new, study_source

urlpatterns = [
    path("", studies.studies, name="studies"),
    path("new/", study_new.study_new, name="study-new"),
    path("new/plan", study_new.study_new_plan, name="study-new-plan"),
    path("<uuid:study>/", studies.study, name="study"),
    path("<uuid:study>/progress", studies.study_progress, name="study-progress"),
    path("<uuid:study>/cancel", studies.study_cancel, name="study-cancel"),
    path("<uuid:study>/source", study_source.study_source, name="study-source"),
    path("<uuid:study>/exceptions/", exceptions.study_exceptions, name="study-exceptions"),
    path("<uuid:study>/evidence/", evidence.study_evidence, name="study-evidence"),
    path("<uuid:study>/take-away/", bundles.study_take, name="study-take"),
    path("<uuid:study>/bundle.zip", bundles.study_zip, name="study-bundle"),
]
