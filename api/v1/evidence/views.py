"""The library of systems, their signatures, the grid, and what every word means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.endpoint import Endpoint, Listing, Table
from api.idempotency import once
from api.v1.evidence.serializers import (
    GlossarySerializer,
    GridCellSerializer,
    SignatureSerializer,
    SystemLineSerializer,
    SystemSerializer,
)
from planner.accounts.models import Workspace
from planner.accounts.selectors import Act
from planner.evidence import library
from planner.evidence.services import signature_ask
from planner.evidence.signatures import signature_asked, signature_of
from planner.web.terms import ORIGIN_MEANINGS, TERMS
from simulation.metrics.definitions import METRICS, OBJECTIVES

if TYPE_CHECKING:
    from simulation.systems.system import System

_WORK = OpenApiParameter("work", str, enum=list(library.WORK), description="those of one kind of work")


def _asked(request: Request) -> list[System]:
    work = request.query_params.get("work", "")
    return library.systems(work) if work in ("", *library.WORK) else []


@extend_schema(parameters=[_WORK])
class Systems(Listing):
    """The systems that can be simulated, in the order of the library."""

    serializer_class = SystemLineSerializer

    def rows(self, workspace: Workspace) -> Any:
        return _asked(self.request)


class OneSystem(Endpoint):
    @extend_schema(responses=SystemSerializer)
    def get(self, request: Request, workspace: str, system: str) -> Response:
        """A system with its recipe, parameters, published claims and signature."""
        self.here()
        found = library.system_for(system)
        told = found.document() | {
            "has_signature": found.signature is not None,
            "signature": signature_of(system),
            "asked": signature_asked(system),
        }
        return Response(SystemSerializer(told).data)


class Signature(Endpoint):
    @extend_schema(request=None, responses={202: SignatureSerializer})
    @once
    def post(self, request: Request, workspace: str, system: str) -> Response:
        """Ask a worker to run the signature of a system; asked twice it is one question."""
        asked = signature_ask(workspace=self.here(Act.EDIT), user=request.user, system=system)
        if asked is None:
            raise Http404("This system has no signature")
        return Response(SignatureSerializer(asked).data, status=202)


class Grid(Table):
    @extend_schema(parameters=[_WORK], responses=GridCellSerializer(many=True))
    def get(self, request: Request, workspace: str) -> Response:
        """Every objective against every use of resources, with the systems that stand there."""
        from simulation.systems.taxonomy import OBJECTIVES as AIMS
        from simulation.systems.taxonomy import USES, grid

        self.here()
        found = grid(_asked(request))
        cells = [
            {"objective": aim, "use": use.slug, "systems": [system.slug for system in found[aim, use.slug]]}
            for aim in AIMS
            for use in USES
        ]
        return Response(GridCellSerializer(cells, many=True).data)


class Glossary(Table):
    @extend_schema(responses=GlossarySerializer)
    def get(self, request: Request) -> Response:
        """Every metric with its unit, definition and formula; what the words and the origins mean."""
        told = {
            "rows": METRICS.values(),
            "objectives": OBJECTIVES,
            "terms": [{"term": term, "meaning": meaning} for term, meaning in TERMS],
            "origins": [{"term": str(origin), "meaning": words} for origin, words in ORIGIN_MEANINGS.items()],
        }
        return Response(GlossarySerializer(told).data)
