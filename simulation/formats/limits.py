"""How large a file may be. The defaults hold for the command line; a website passes its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds that every reader enforces while it streams (bytes, characters, counts)."""

    file_bytes: int = 200_000_000
    expanded_bytes: int = 200_000_000
    expansion_ratio: int = 100
    archive_entries: int = 1_000
    entry_bytes: int = 50_000_000
    line_chars: int = 1_000_000
    cell_chars: int = 100_000
    columns: int = 1_000
    rows: int = 5_000_000
    nesting: int = 50


DEFAULT_LIMITS = Limits()
