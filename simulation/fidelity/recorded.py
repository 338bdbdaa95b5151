"""Runs of others that are not emulated: what they came to is on record, beside the reason."""

from __future__ import annotations

import numpy as np

from simulation.fidelity.discovery import Record
from simulation.fidelity.results import UnreadableError, numbers, read_table
from simulation.fidelity.rows import Row


def rows_on_record(record: Record) -> list[Row]:
    """The mean JCT of theirs; a file that is not understood is a failing row that says so."""
    try:
        table = read_table(record.results)
        jct_s = numbers(record.results, table, "end") - numbers(record.results, table, "submit")
    except (UnreadableError, OSError) as error:
        return [Row(record.name, f"cannot be read: {error}", 1.0, None, unit="file")]
    return [Row(record.name, f"mean JCT, not emulated: {record.why}", float(np.nanmean(jct_s)), None, None, "s")]
