from __future__ import annotations

from django.urls import path

from planner.web.views import accounts, glossary, home, tokens

urlpatterns = [
    path("", home.home, name="home"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out/", accounts.SignOut.as_view(), name="sign-out"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<uuid:token>/revoke", tokens.revoke, name="token-revoke"),
    path("glossary/", glossary.glossary, name="glossary"),
    path("workspaces/new/", home.workspace_new, name="workspace-new"),
    path("example/", home.example_new, name="example-new"),
    path("w/<slug:workspace>/", home.workspace, name="workspace"),
    path("w/<slug:workspace>/pulse", home.workspace_pulse, name="workspace-pulse"),
    path("w/<slug:workspace>/delete", home.workspace_delete, name="workspace-delete"),
]
