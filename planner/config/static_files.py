"""Static files for the web server: collected, hashed and compressed, but only when they have changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def static_collect() -> bool:
    """Collect where anything differs from the last time. Compressing the figure library alone takes seconds."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    now = _state_of_sources()
    if stamp.exists() and stamp.read_text() == now:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(now)
    return True


def _state_of_sources() -> str:
    """A digest over name, size and time of every file that would be collected."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            at = storage.get_modified_time(path).timestamp()
            digest.update(f"{path} {storage.size(path)} {at}\n".encode())
    return digest.hexdigest()
