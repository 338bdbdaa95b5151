"""Who asks: a token in the Authorization header, or the session of a browser (which then needs its CSRF token)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request

from planner.accounts.models import ApiToken, User
from planner.accounts.tokens import refusal, token_presented, token_seen

_SCHEME = "bearer"


class Bearer(BaseAuthentication):
    """`Authorization: Bearer hr_...`. A header that names another scheme is left to others."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != _SCHEME.encode():
            return None
        if len(words) != 2:
            raise AuthenticationFailed("Expected: Authorization: Bearer <token>.")
        token = token_presented(words[1].decode("latin-1"))
        if why := refusal(token):
            raise AuthenticationFailed(why)
        token_seen(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class InScope(IsAuthenticated):
    """Signed in, and no read-only token where something is written. What the person may do, the services say."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not super().has_permission(request, view):
            return False
        token = request.auth
        if isinstance(token, ApiToken) and token.scope == ApiToken.Scope.READ and request.method not in SAFE_METHODS:
            raise PermissionDenied("This token may only read. Make one that may do all that you may do.")
        return True


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "api.auth.Bearer"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": _SCHEME, "description": "A token made on the page “API tokens”."}
