from __future__ import annotations

from django.urls import path

from api.v1.accounts import audit, views

urlpatterns = [
    path("me/", views.Me.as_view(), name="me"),
    path("account/tokens/", views.Tokens.as_view(), name="tokens"),
    path("account/tokens/<uuid:token>/revoke", views.TokenRevoke.as_view(), name="token-revoke"),
    path("workspaces/", views.Workspaces.as_view(), name="workspaces"),
    path("example/", views.Example.as_view(), name="example"),
    path("w/<slug:workspace>/", views.Overview.as_view(), name="workspace"),
    path("w/<slug:workspace>/audit/", audit.Audit.as_view(), name="audit"),
]
