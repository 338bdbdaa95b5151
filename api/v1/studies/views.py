"""Studies: asked, planned, watched, cancelled."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint, Listing
from api.idempotency import once
from api.v1.studies.bodies import ChangedStudy, NewStudy, PlannedStudy
from api.v1.studies.filters import StudyFilter
from api.v1.studies.serializers import (
    DoneSerializer,
    PlanSerializer,
    ProgressSerializer,
    ProposalSerializer,
    ScenarioSerializer,
    StudyLineSerializer,
    StudySerializer,
)
from planner.accounts.models import Workspace
from planner.accounts.selectors import Act
from planner.studies import proposal, runs, selectors
from planner.studies.models import Scenario, Study
from planner.studies.planning import study_plan
from planner.studies.progress import progress_of
from planner.studies.services import study_archive, study_create, study_restore


class OfStudy(Endpoint):
    def study(self, act: Act = Act.READ) -> Study:
        return selectors.study_for(self.request.user, self.here(act), self.kwargs["study"], act)


def told(study: Study) -> dict[str, Any]:
    study.progress = progress_of(study)
    return StudySerializer(study).data


class Studies(Listing):
    """Studies, newest first, each with its runs by state; archived ones by `archived=true`."""

    serializer_class = StudyLineSerializer
    queryset = Study.objects.none()
    filter_backends = [DjangoFilterBackend]
    filterset_class = StudyFilter

    def rows(self, workspace: Workspace) -> Any:
        archived = self.request.query_params.get("archived", "").lower() == "true"
        return selectors.studies(workspace, archived=archived)

    @extend_schema(request=NewStudy, responses={201: StudySerializer})
    @once
    def post(self, request: Request, workspace: str) -> Response:
        """Ask a question: all its runs are queued at once; those whose result is known are done."""
        here, given = self.here(Act.EDIT), self.body(NewStudy)
        made = study_create(workspace=here, user=request.user, question=given.question, **given.documents())
        return Response(told(made), status=201)


class Plan(Endpoint):
    @extend_schema(request=PlannedStudy, responses=PlanSerializer)
    def post(self, request: Request, workspace: str) -> Response:
        """What a study would be: scenarios, runs, how many are known, how long it takes. Nothing is saved."""
        here, given = self.here(Act.EDIT), self.body(PlannedStudy)
        return Response(PlanSerializer(study_plan(here, **given.documents())).data)


class Proposal(Endpoint):
    @extend_schema(responses=ProposalSerializer)
    def get(self, request: Request, workspace: str) -> Response:
        """What a study of this workspace may start from."""
        parts = proposal.parts_that_fit(self.here())
        base = {role: id or None for role, id in parts.items()}
        return Response(ProposalSerializer({"base": base, "policies": proposal.POLICIES}).data)


class OneStudy(OfStudy):
    @extend_schema(responses=StudySerializer)
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """A study as it was asked, and how far it is."""
        return Response(told(self.study()))

    @extend_schema(request=ChangedStudy, responses=StudySerializer)
    def patch(self, request: Request, workspace: str, study: UUID) -> Response:
        """Take a study out of the lists, or bring it back; its results stay, and so does its address."""
        found, asked = self.study(Act.EDIT), self.body(ChangedStudy)
        change = study_archive if asked.archived else study_restore
        return Response(told(change(study=found, user=request.user)))


class StudyProgress(OfStudy):
    @extend_schema(responses=ProgressSerializer)
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """How far it is. Light enough to be asked every second, with If-None-Match."""
        return Response(ProgressSerializer(progress_of(self.study())).data)


class StudyCancel(OfStudy):
    @extend_schema(request=None, responses=DoneSerializer)
    @once
    def post(self, request: Request, workspace: str, study: UUID) -> Response:
        """Stop all runs that have not ended; finished ones are kept."""
        stopped = runs.study_cancel(study=self.study(Act.EDIT), user=request.user)
        return Response(DoneSerializer({"changed": stopped}).data)


class Scenarios(OfStudy, Listing):
    """The scenarios of a study in their order, each with what differs from the base and its runs by state."""

    serializer_class = ScenarioSerializer
    queryset = Scenario.objects.none()

    def get_queryset(self) -> Any:
        return selectors.scenarios(self.study())
