"""The OpenAPI document: what every operation answers beside its own result is added here, once."""

from __future__ import annotations

import inspect
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from api.errors import CODES, MEDIA_TYPE
from api.idempotency import HEADER

_ALWAYS = {401: "unauthenticated", 403: "forbidden", 404: "not-found", 406: "not-acceptable", 429: "throttled"}
_ON_READS = {400: "invalid"}
_ON_WRITES = {400: "invalid", 409: "conflict", 413: "too-large", 415: "unsupported-media-type"}


class TroubleSerializer(serializers.Serializer):
    """One thing that is wrong; what does not apply is null."""

    field = serializers.CharField(allow_null=True, help_text="path of the field, such as lines.2.amount")
    message = serializers.CharField()
    line = serializers.IntegerField(allow_null=True, help_text="of a file, from 1")
    column = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)
    expected = serializers.CharField(allow_null=True)


class ProblemSerializer(serializers.Serializer):
    """Everything that is refused."""

    code = serializers.ChoiceField(choices=[(code, meaning) for code, meaning in CODES.items()])
    status = serializers.IntegerField()
    message = serializers.CharField()
    problems = TroubleSerializer(many=True)
    request_id = serializers.CharField()


class Schema(AutoSchema):
    def get_description(self) -> str:
        """What a method says of itself; a list is told by its class."""
        handler = getattr(self.view, self.method.lower())
        return inspect.cleandoc(handler.__doc__ or "") or inspect.getdoc(type(self.view)) or ""

    def get_tags(self) -> list[str]:
        return [self.view.__module__.split(".")[2]]

    def get_override_parameters(self) -> list[Any]:
        given = super().get_override_parameters()
        handler = getattr(self.view, self.method.lower(), None)
        if getattr(handler, "keyed", False):
            words = "Done once under this key, however often it is sent within 24 hours."
            given = [*given, OpenApiParameter(HEADER, str, OpenApiParameter.HEADER, description=words)]
        if self.method == "GET":
            words = "The ETag of an earlier answer: 304 where nothing has changed."
            given = [*given, OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description=words)]
        return given

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        """Here and not where operations say what they answer, because what they say replaces what a schema says."""
        bodies = super()._get_response_bodies(direction)
        if self.method == "GET":
            bodies["304"] = {"description": "Nothing has changed."}
        refused = _ALWAYS | (_ON_READS if self.method == "GET" else _ON_WRITES)
        for status, code in sorted(refused.items()):
            told = OpenApiResponse(ProblemSerializer, description=CODES[code])
            bodies[str(status)] = self._get_response_for_code(told, str(status), [MEDIA_TYPE], direction)
        return bodies
