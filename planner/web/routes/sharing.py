"""What leaves a workspace under a link, and who did what: both of a workspace."""

from __future__ import annotations

from django.urls import path

from planner.web.views import audit, share

urlpatterns = [
    path("audit/", audit.audit, name="audit"),
    path("audit.<slug:format>", audit.audit_file, name="audit-file"),
    path("studies/<uuid:study>/share/", share.study_share, name="study-share"),
    path("runs/<uuid:run>/share/", share.run_share, name="run-share"),
    path("shares/<uuid:link>/revoke", share.revoke, name="share-revoke"),
]
