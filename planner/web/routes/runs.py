from __future__ import annotations

from django.urls import path

from planner.web.views import queue, runs

urlpatterns = [
    path("runs/<uuid:run>/", runs.run, name="run"),
    path("queue/", queue.queue, name="queue"),
    path("queue/count", queue.queue_count, name="queue-count"),
]
