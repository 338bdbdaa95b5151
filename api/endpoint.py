"""What every address of the API has in common: a workspace, bodies that are checked, answers that may be cached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.http import HttpRequest
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from pydantic import BaseModel, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from api.errors import ProblemRenderer
from api.pagination import Pages
from api.tables import CsvRenderer
from planner.accounts.models import Workspace
from planner.accounts.selectors import Act, workspace_for
from planner.studies.spec import Problem, SpecError

Body = TypeVar("Body", bound=BaseModel)


class Endpoint(GenericAPIView):
    """Answers carry an ETag; If-None-Match with the same one is answered by 304 and no body."""

    http_method_names = ["get", "head", "post", "patch", "delete"]
    renderer_classes = [JSONRenderer]
    pagination_class = None
    serializer_class = BaseSerializer

    @method_decorator(conditional_page)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().dispatch(request, *args, **kwargs)

    def here(self, act: Act = Act.READ) -> Workspace:
        """The workspace of the address; 404 to those who are not its members."""
        return workspace_for(self.request.user, self.kwargs["workspace"], act)

    def body(self, model: type[Body]) -> Body:
        """The body of the request as `model`; every complaint names its field."""
        try:
            return model.model_validate(self.request.data)
        except ValidationError as error:
            raise SpecError([_problem(one) for one in error.errors()]) from None

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(response, "exception", False):
            request.accepted_renderer, request.accepted_media_type = ProblemRenderer(), ProblemRenderer.media_type
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Cache-Control"] = "private, no-cache"
        patch_vary_headers(final, ("Authorization", "Cookie"))
        return final


class Table(Endpoint):
    """An address that also answers as CSV: by `Accept: text/csv`, or by `?format=csv`."""

    renderer_classes = [JSONRenderer, CsvRenderer]

    @property
    def as_csv(self) -> bool:
        return self.request.accepted_renderer.format == CsvRenderer.format


class Listing(ListModelMixin, Table):
    """A table that comes in pages. Its rows are those of `rows()`."""

    pagination_class = Pages

    def rows(self, workspace: Workspace) -> Any:
        raise NotImplementedError

    def get_queryset(self) -> Any:
        return self.rows(self.here())

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request, *args, **kwargs)


def _problem(error: Any) -> Problem:
    message = str(error["msg"]).removeprefix("Value error, ")
    given = error.get("input")
    shown = f" (given: {given!r:.60})" if isinstance(given, str | int | float) else ""
    return Problem(_path(error["loc"]), f"{message}{shown}")


def _path(loc: Sequence[str | int]) -> str:
    return ".".join(str(part) for part in loc) or "body"
