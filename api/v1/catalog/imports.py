"""A file on its way in: uploaded, asked about, accepted or discarded; what was refused, row by row."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from uuid import UUID

from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint, Listing, Table
from api.idempotency import once
from api.uploads import TakesFile
from api.v1.catalog.bodies import Answers, LastAnswers
from api.v1.catalog.filters import ImportFilter
from api.v1.catalog.import_serializers import (
    AcceptedSerializer,
    FormatSerializer,
    ImportLineSerializer,
    ImportSerializer,
    RejectedSerializer,
    UploadSerializer,
)
from planner.accounts.models import Workspace
from planner.accounts.selectors import Act
from planner.catalog import selectors
from planner.catalog.models import Import
from planner.catalog.services_imports import (
    import_accept,
    import_again,
    import_answer,
    import_create,
    import_discard,
    rejected_rows,
)
from simulation.formats.registry import FORMATS


class OfImport(Endpoint):
    def importing(self, act: Act = Act.READ) -> Import:
        return selectors.import_for(self.request.user, self.here(act), self.kwargs["importing"], act)

    def again(self, id: UUID) -> Response:
        """The import as it stands now."""
        found = selectors.import_for(self.request.user, self.here(), id)
        return Response(ImportSerializer(found).data)


class Imports(TakesFile, Listing):
    """Files that were uploaded, newest first; discarded ones are left out."""

    serializer_class = ImportLineSerializer
    queryset = Import.objects.none()
    filter_backends = [DjangoFilterBackend]
    filterset_class = ImportFilter

    def rows(self, workspace: Workspace) -> Any:
        return selectors.import_lines(workspace)

    @extend_schema(
        request={"multipart/form-data": UploadSerializer, "application/json": UploadSerializer},
        responses={201: ImportSerializer},
    )
    @once
    def post(self, request: Request, workspace: str) -> Response:
        """Upload a file, or text; what was understood of it and what is asked comes back. Nothing is saved yet."""
        here = self.here(Act.EDIT)
        asked = UploadSerializer(data=self.sent())
        asked.is_valid(raise_exception=True)
        upload, text = asked.validated_data.get("file"), asked.validated_data.get("text", "")
        if upload is None and not text.strip():
            raise ValidationError({"file": "Send a file, or text."})
        importing = import_create(
            workspace=here,
            user=request.user,
            upload=upload or BytesIO(text.encode()),
            filename=asked.validated_data.get("filename") or (upload.name if upload else "pasted text"),
            kind=asked.validated_data.get("kind") or None,
            format=asked.validated_data.get("format") or None,
        )
        return Response(ImportSerializer(importing).data, status=201)


class OneImport(OfImport):
    @extend_schema(responses=ImportSerializer)
    def get(self, request: Request, workspace: str, importing: UUID) -> Response:
        """What was understood, what is asked, and whether the rows add up."""
        return Response(ImportSerializer(self.importing()).data)

    @extend_schema(request=Answers, responses=ImportSerializer)
    def patch(self, request: Request, workspace: str, importing: UUID) -> Response:
        """Answer some questions or all, or have the file read as another format."""
        found, given = self.importing(Act.EDIT), self.body(Answers)
        import_answer(importing=found, user=request.user, answers=dict(given.answers), format=given.format)
        return self.again(found.id)


class ImportAccept(OfImport):
    @extend_schema(request=LastAnswers, responses=AcceptedSerializer)
    @once
    def post(self, request: Request, workspace: str, importing: UUID) -> Response:
        """Save what the file says as one revision: of the item `item`, or of a new one called `name`."""
        found, given = self.importing(Act.EDIT), self.body(LastAnswers)
        revision = import_accept(importing=found, user=request.user, answers=dict(given.answers))
        return Response(AcceptedSerializer({"added": found.added, "revision": revision}).data)


class ImportDiscard(OfImport):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, workspace: str, importing: UUID) -> Response:
        """Forget a file that was not accepted."""
        import_discard(importing=self.importing(Act.EDIT), user=request.user)
        return Response(status=204)


class ImportAgain(OfImport):
    @extend_schema(request=None, responses={201: ImportSerializer})
    @once
    def post(self, request: Request, workspace: str, importing: UUID) -> Response:
        """Open the file of an accepted import anew, in order to answer differently."""
        opened = import_again(importing=self.importing(Act.EDIT), user=request.user)
        return Response(ImportSerializer(opened).data, status=201)


class Rejected(OfImport, Listing):
    """Every refused row with its reason, read from the stored file."""

    serializer_class = RejectedSerializer

    def get_queryset(self) -> Any:
        return rejected_rows(self.importing(), self.request.user)


class Formats(Table):
    @extend_schema(responses=FormatSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The formats that are read, and how people get such a file."""
        return Response(FormatSerializer(FORMATS.values(), many=True).data)
