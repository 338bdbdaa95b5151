"""The one error of this package: what is wrong with a file, where, and what was expected."""

from __future__ import annotations

SHOWN_CHARS = 80


class FormatError(Exception):
    """A file (or an answer to a question) cannot be read; the text names file, row, column, value and expectation."""

    def __init__(
        self, file: str, *, expected: str, value: str = "", line: int | None = None, column: str | None = None
    ) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.value = value
        self.expected = expected
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        place = [self.file or "the file"]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        found = f"found {shortened(self.value)!r}, " if self.value else ""
        return f"{', '.join(place)}: {found}expected {self.expected}"


def shortened(text: str, limit: int = SHOWN_CHARS) -> str:
    """`text` cut to `limit` characters, with an ellipsis where something was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
