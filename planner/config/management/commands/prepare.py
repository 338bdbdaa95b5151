"""Makes an installation ready to start: tables, static files, first account, example workspace. May be repeated."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from planner.config.sign_in import first_sign_in
from planner.config.static_files import static_collect


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--static-only", action="store_true", help="nothing but the static files")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["static_only"]:
            static_collect()
            return
        # Beside the rest, as it is slow the first time.
        static = subprocess.Popen([sys.executable, "manage.py", "prepare", "--static-only"])
        try:
            call_command("migrate", interactive=False, verbosity=0)
            first_sign_in()
            call_command("load_example")
        finally:
            code = static.wait()
        if code:
            raise CommandError("the static files could not be collected")
