"""Delimited files without a header line, whose columns are known; a header that somebody put in front is skipped."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.collector import CellError, Collector
from simulation.formats.delimited import Record, records
from simulation.formats.source import Source

Layouts = tuple[tuple[str, ...], ...]


class HeadlessRows:
    """Rows whose number of cells says which of `layouts` they are in: that of the first row that fits one."""

    def __init__(self, source: Source, delimiter: str, layouts: Layouts) -> None:
        self._source, self._delimiter = source, delimiter
        self._widths = {len(layout): layout for layout in layouts}
        self.in_file = 0
        self.layout: tuple[str, ...] | None = None

    def data(self, collector: Collector) -> Iterator[tuple[Record, dict[str, str]]]:
        """Each sound row with its cells by name; every other line goes to the collector."""
        for record in records(self._source, self._delimiter):
            self.in_file += 1
            cells = [cell.strip() for cell in record.cells]
            if record.error is not None:
                collector.reject(record.line, record.error, record.raw)
            elif not any(cells):
                collector.skipped += 1
            elif not self._fits(len(cells)):
                collector.reject(record.line, self._ragged(len(cells)), record.raw)
            elif tuple(cells) == self.layout:
                collector.skipped += 1
            else:
                yield record, dict(zip(self.layout or (), cells, strict=True))

    def _fits(self, width: int) -> bool:
        if self.layout is None:
            self.layout = self._widths.get(width)
        return self.layout is not None and len(self.layout) == width

    def _ragged(self, width: int) -> CellError:
        wanted = " or ".join(str(n) for n in self._widths) if self.layout is None else str(len(self.layout))
        return CellError(None, f"{width} cells", f"{wanted} cells", "a ragged row")
