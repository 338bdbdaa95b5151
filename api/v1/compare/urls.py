from __future__ import annotations

from django.urls import path

from api.v1.compare import views

_STUDY = "w/<slug:workspace>/studies/<uuid:study>/"

urlpatterns = [
    path(f"{_STUDY}board/", views.StudyBoard.as_view(), name="study-board"),
    path(f"{_STUDY}front/", views.StudyFront.as_view(), name="study-front"),
    path(f"{_STUDY}source", views.NumberSource.as_view(), name="study-source"),
]
