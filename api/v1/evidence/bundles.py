"""Bundles: a study or a run taken away as one zip, brought in again, and held against what it claimed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint
from api.errors import MEDIA_TYPE
from api.idempotency import once
from api.schema import ProblemSerializer
from api.uploads import TakesFile
from api.v1.studies.runs import OfRun
from api.v1.studies.views import OfStudy
from planner.accounts.selectors import Act
from planner.compare.board import Board, board
from planner.evidence.bundles.bringing_in import agreement_of, bundle_import
from planner.evidence.bundles.export import run_bundle, study_bundle
from planner.web.study_view import telling_axes
from simulation.bundles.errors import BundleError
from simulation.bundles.licences import LICENCES

ZIP = "application/zip"
KEPT = "InC"
"""In copyright: nobody gives rights away by leaving a field out."""

_ASKED = [
    OpenApiParameter("licence", str, enum=list(LICENCES), default=KEPT, description="of what is in it"),
    OpenApiParameter("anonymised", bool, description="names replaced by a stated rule"),
]


_ANSWERS = {
    (200, ZIP): OpenApiTypes.BINARY,
    (409, MEDIA_TYPE): OpenApiResponse(ProblemSerializer, description="It cannot be taken away as it is; why is said."),
}


class ZipRenderer(BaseRenderer):
    media_type = ZIP
    format = "zip"
    charset = None
    render_style = "binary"

    def render(self, data: bytes, *args: Any, **kwargs: Any) -> bytes:
        return data


class NotYet(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class _Asked(serializers.Serializer):
    """What the address asks of a bundle."""

    licence = serializers.ChoiceField(list(LICENCES), default=KEPT)
    anonymised = serializers.BooleanField(default=False)


class _Packed(Endpoint):
    renderer_classes = [ZipRenderer]

    def packed(self, name: str, table: Board, pack: Callable[..., bytes]) -> Response:
        """`pack` takes who asks, the axes of the study's front, and what the address asks of a bundle."""
        asked = _Asked(data=self.request.query_params.dict())
        asked.is_valid(raise_exception=True)
        try:
            content = pack(user=self.request.user, axes=telling_axes(table), **asked.validated_data)
        except BundleError as error:
            raise NotYet(str(error)) from None
        return Response(content, headers={"Content-Disposition": f'attachment; filename="{name}"'})


class StudyBundle(_Packed, OfStudy):
    @extend_schema(parameters=_ASKED, responses=_ANSWERS)
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """A finished study as one zip: inputs, results, front, how to run it again without this website."""
        found = self.study()
        return self.packed(f"study-{str(found.id)[:8]}.zip", board(found), partial(study_bundle, study=found))


class RunBundle(_Packed, OfRun):
    @extend_schema(parameters=_ASKED, responses=_ANSWERS)
    def get(self, request: Request, workspace: str, run: UUID) -> Response:
        """One finished run as a zip, with the records of its jobs where they are quickly made again."""
        found = self.run()
        table = board(found.scenario.study)
        return self.packed(f"run-{str(found.id)[:8]}.zip", table, partial(run_bundle, run=found))


class BundleUploadSerializer(serializers.Serializer):
    file = serializers.FileField(max_length=255)


class BroughtInSerializer(serializers.Serializer):
    study = serializers.UUIDField()
    added = serializers.BooleanField(help_text="false: this very bundle was brought in before")


class BundleImport(TakesFile, Endpoint):
    @extend_schema(request={"multipart/form-data": BundleUploadSerializer}, responses={201: BroughtInSerializer})
    @once
    def post(self, request: Request, workspace: str) -> Response:
        """Bring in a study: its catalogue is restored and its runs are computed here. Nothing in it is executed."""
        here = self.here(Act.EDIT)
        given = BundleUploadSerializer(data=self.sent())
        if not given.is_valid():
            raise ValidationError(given.errors)
        file = given.validated_data["file"]
        study, added = bundle_import(workspace=here, user=request.user, content=file.read(), file_name=file.name)
        return Response(BroughtInSerializer({"study": study.id, "added": added}).data, status=201)


class DifferentSerializer(serializers.Serializer):
    run = serializers.UUIDField(source="id")
    scenario = serializers.CharField(source="scenario.label")
    seed = serializers.IntegerField()


class AgreementSerializer(serializers.Serializer):
    """How the results that were computed here stand against those that the bundle claims."""

    file_name = serializers.CharField(source="brought.file_name")
    sha256 = serializers.CharField(source="brought.sha256")
    engine = serializers.CharField(source="brought.engine")
    same_engine = serializers.BooleanField()
    anonymised = serializers.CharField(source="brought.anonymised", help_text="the rule; empty: true names")
    equal = serializers.IntegerField(help_text="runs of equal bytes")
    waiting = serializers.IntegerField()
    different = DifferentSerializer(many=True)


class StudyOriginSerializer(serializers.Serializer):
    agreement = AgreementSerializer(allow_null=True, help_text="null: it did not come in as a bundle")


class StudyAgreement(OfStudy):
    @extend_schema(responses=StudyOriginSerializer)
    def get(self, request: Request, workspace: str, study: UUID) -> Response:
        """A study that came in as a bundle: its results against what the bundle claims of each run."""
        return Response(StudyOriginSerializer({"agreement": agreement_of(self.study())}).data)
