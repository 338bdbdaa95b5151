from __future__ import annotations

from django.urls import path

from planner.web.views import bundles, evidence, numbers, queue, runs

urlpatterns = [
    path("runs/<uuid:run>/", runs.run, name="run"),
    path("runs/<uuid:run>/progress", runs.run_progress, name="run-progress"),
    path("runs/<uuid:run>/result.json", runs.run_json, name="run-json"),
    path("runs/<uuid:run>/cancel", runs.run_cancel, name="run-cancel"),
    path("runs/<uuid:run>/retry", runs.run_retry, name="run-retry"),
    path("runs/<uuid:run>/numbers/", numbers.run_numbers, name="run-numbers"),
    path("runs/<uuid:run>/numbers/<slug:metric>/", numbers.run_trace, name="run-trace"),
    path("runs/<uuid:run>/evidence/", evidence.run_evidence, name="run-evidence"),
    path("runs/<uuid:run>/take-away/", bundles.run_take, name="run-take"),
    path("runs/<uuid:run>/bundle.zip", bundles.run_zip, name="run-bundle"),
    path("queue/", queue.queue, name="queue"),
    path("queue/progress", queue.queue_progress, name="queue-progress"),
    path("queue/count", queue.queue_count, name="queue-count"),
]
