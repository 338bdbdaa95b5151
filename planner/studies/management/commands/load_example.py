"""Makes the example workspace and queues its studies. May be repeated: what is there is left alone."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner.accounts.models import User, Workspace
from planner.studies.example import example_create
from planner.studies.progress import progress_of
from planner.studies.selectors import studies


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--owner", metavar="NAME", help="whose workspace it is (else the first account's)")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = _owner(options["owner"])
        if not options["owner"] and _was_deleted():
            self.stdout.write("The example was deleted here and is left out; load_example --owner NAME brings it back.")
            return
        workspace = example_create(user=owner)
        for study in studies(workspace):
            self.stdout.write(f"{study.question} {progress_of(study).words}.")


def _owner(name: str | None) -> User:
    if name is None:
        first = User.objects.order_by("id").first()
        if first is None:
            raise CommandError("There is no account yet; make one first (manage.py createsuperuser).")
        return first
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist:
        raise CommandError(f"There is no account called {name}.") from None


def _was_deleted() -> bool:
    """An installation that has workspaces but no example was relieved of it; it must not come back by itself."""
    return Workspace.objects.exists() and not Workspace.objects.filter(is_example=True).exists()
