"""Which field stands where in a `sacct` export: header, delimiter, trailing delimiter, free text in the middle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from simulation.formats.collector import CellError
from simulation.formats.errors import FormatError
from simulation.formats.reading import Question
from simulation.formats.source import Source

XDMOD = (
    *("jobid", "jobidraw", "cluster", "partition", "qos", "account", "group", "gid", "user", "uid"),
    *("submit", "eligible", "start", "end", "elapsed", "exitcode", "state", "nnodes", "ncpus", "reqcpus"),
    *("reqmem", "reqtres", "alloctres", "timelimit", "nodelist", "jobname"),
)
FREE_TEXT = frozenset({"jobname", "comment", "admincomment", "systemcomment", "workdir", "submitline", "extra"})
_DELIMITERS = ("|", ";", "\t", "^", "~", "!", ",")


@dataclass(frozen=True, slots=True)
class Layout:
    """Fields in order (lower case), the delimiter, the header line if there is one, a delimiter at line ends."""

    fields: tuple[str, ...]
    delimiter: str
    header: str | None
    trailing: bool

    def split(self, line: str) -> dict[str, str]:
        """Field -> text of one line; CellError where the cells do not fit the fields."""
        cells = line.split(self.delimiter)
        if self.trailing and cells and not cells[-1]:
            cells.pop()
        extra = len(cells) - len(self.fields)
        if extra > 0:
            cells = self._joined(cells, extra, line)
        elif extra < 0:
            raise CellError(None, line, f"{len(self.fields)} fields", f"only {len(cells)} fields: a line is broken")
        return dict(zip(self.fields, cells, strict=True))

    def _joined(self, cells: list[str], extra: int, line: str) -> list[str]:
        free = [at for at, field in enumerate(self.fields) if field in FREE_TEXT]
        if len(free) != 1:
            raise CellError(
                None, line, f"{len(self.fields)} fields", f"{len(cells)} fields: a free text holds the separator"
            )
        at = free[0]
        return [*cells[:at], self.delimiter.join(cells[at : at + extra + 1]), *cells[at + extra + 1 :]]


def is_header(line: str) -> bool:
    """Whether a line names the fields of a sacct export."""
    return line[:1].isalpha() and not {"jobid", "jobidraw"}.isdisjoint(re.split(r"\W+", line.lower()))


def find_layout(source: Source) -> Layout | None:
    """The layout of the file; None where it has no header and the layout has not been answered yet."""
    lines = [line for _, line in _first(source.lines(), 3) if line.strip()]
    if not lines:
        raise FormatError(source.name, expected="a header or a job row; there are only blank lines")
    first = lines[0]
    if len(lines) > 1 and re.fullmatch(r"[- ]+", lines[1]):
        raise FormatError(
            source.name,
            line=2,
            value=lines[1],
            expected="the output of sacct -P; this form of fixed widths cuts values",
        )
    if is_header(first):
        return _from_header(first)
    return _asked(source, first)


def _first(lines: Iterator[tuple[int, str]], n: int) -> list[tuple[int, str]]:
    return [line for line, _ in zip(lines, range(n), strict=False)]


def _from_header(line: str) -> Layout:
    found = re.match(r"\w+(?:%-?\d+)?(\W+?)(?=\w|$)", line)
    delimiter = found[1] if found else "|"
    trailing = line.endswith(delimiter)
    names = line.removesuffix(delimiter).split(delimiter)
    return Layout(tuple(name.split("%")[0].strip().lower() for name in names), delimiter, line, trailing)


def _asked(source: Source, first: str) -> Layout | None:
    delimiter = max(_DELIMITERS, key=first.count)
    answer = source.interview.ask(
        Question(
            "layout",
            "The file has no header line: which fields does it hold, in order?",
            "text",
            (("xdmod", "The 26 fields that Open XDMoD's shredder asks for: " + ", ".join(XDMOD)),),
            None,
            f"the first line has {first.count(delimiter) + 1} cells; type the -o list of the export if it is another",
        )
    )
    if answer is None:
        return None
    fields = XDMOD if answer == "xdmod" else tuple(name.split("%")[0].strip().lower() for name in answer.split(","))
    if "jobid" not in fields and "jobidraw" not in fields:
        raise source.interview.refusal("layout", answer, "xdmod, or field names with JobID among them")
    trailing = first.endswith(delimiter) and first.count(delimiter) == len(fields)
    return Layout(fields, delimiter, None, trailing)
