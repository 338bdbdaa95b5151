"""`manage.py signatures [SLUG ...]`: run signatures, those of all systems by default, for the systems' pages."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import Http404

from planner.evidence.library import system_for, systems
from planner.evidence.services import SEEDS, signature_record


class Command(BaseCommand):
    help = "Run the signatures of systems and keep what was found."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", nargs="*", metavar="SLUG", help="none: every system that has a signature")
        parser.add_argument("--seeds", type=int, default=SEEDS, help="paired seeds, 2 or more")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["seeds"] < 2:
            raise CommandError(f"--seeds is {options['seeds']}, expected 2 or more")
        slugs = options["system"] or [s.slug for s in systems() if s.signature]
        for slug in slugs:
            try:
                system_for(slug)
                found = signature_record(system=slug, seeds=options["seeds"]).document
            except Http404:
                raise CommandError(f"no system {slug!r}") from None
            except ValueError as error:
                raise CommandError(str(error)) from None
            shown, ablated = found["shown"], found["shown_when_ablated"]
            self.stdout.write(f"{slug}: {'holds' if shown and not ablated else 'FAILS'}")
