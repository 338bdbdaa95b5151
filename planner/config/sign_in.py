"""How the first person signs in to a new installation."""

from __future__ import annotations

import secrets
from pathlib import Path

from planner.accounts.models import User
from planner.accounts.services import first_user_create
from planner.config.env import env, state_dir


def first_sign_in() -> None:
    """Make the first account, with the given password or a random one that is kept in the state folder."""
    first_user_create(username=_name(), password=_given_password() or _kept_password())


def sign_in_words() -> str:
    """What to tell the person at the terminal."""
    user = User.objects.filter(username=_name()).first()
    if user is None:
        return "Sign in with your account."
    if _given_password():
        return f"Sign in as {user.username} with the password of HEADROOM_ADMIN_PASSWORD."
    path = _password_file()
    if path.exists() and user.check_password(path.read_text()):
        return f"Sign in as {user.username} with the password {path.read_text()} (kept in {path})."
    return f"Sign in as {user.username} with your password."


def _name() -> str:
    return env.str("HEADROOM_ADMIN_USER", default="admin")


def _given_password() -> str:
    return env.str("HEADROOM_ADMIN_PASSWORD", default="")


def _password_file() -> Path:
    return state_dir() / "admin_password"


def _kept_password() -> str:
    path = _password_file()
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(12))
    return path.read_text()
