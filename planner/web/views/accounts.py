"""Signing in and out. Wrong passwords are counted and locked out by axes."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView


class SignIn(LoginView):
    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True


class SignOut(LogoutView):
    http_method_names = ["post"]
