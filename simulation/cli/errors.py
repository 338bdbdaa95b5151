"""Wrong input on the command line."""

from __future__ import annotations


class InputError(Exception):
    """Something that the caller gave is wrong; the message says what and where. Exit code 2."""
