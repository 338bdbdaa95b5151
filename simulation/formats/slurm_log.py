"""Jobs of Slurm's accounting on their way to a table: repeated rows and attempts joined, clusters kept apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from simulation.formats.collector import CellError, Collector
from simulation.formats.job_totals import SECONDS_PER_HOUR, job_totals
from simulation.formats.reading import Question, Reading
from simulation.formats.slurm_attempts import Attempt, joined_attempts
from simulation.formats.slurm_job import devices_of, elapsed_of
from simulation.formats.source import Source


@dataclass
class JobLog:
    """What one export held, before attempts are joined. GPU hours are those that rows claim."""

    collector: Collector = field(default_factory=lambda: Collector("jobs"))
    attempts: list[Attempt] = field(default_factory=list)
    in_file: int = 0
    steps_folded: int = 0
    gpu_hours: dict[str, float] = field(default_factory=lambda: {"rejected": 0.0, "steps": 0.0, "duplicates": 0.0})

    def reading(self, source: Source, slug: str, version: str, facts: Iterable[str]) -> Reading:
        """Totals: those of job_totals, `steps_folded`, `duplicates_folded`, `gpu_hours_by_fate`."""
        joined = joined_attempts(self.attempts, source.interview)
        self.collector.folded += joined.folded
        _settle_absent_gpus(source, joined.attempts)
        for attempt in joined.attempts:
            self.collector.keep(attempt.row, attempt.oddities, attempt.raw)
        self.gpu_hours["duplicates"] = joined.duplicate_gpu_hours
        table = self.collector.table()
        totals = job_totals(table)
        by_fate = {"kept": totals["gpu_hours"], **self.gpu_hours}
        totals |= {
            "steps_folded": self.steps_folded,
            "duplicates_folded": joined.duplicates,
            "gpu_hours_by_fate": {**by_fate, "every_line": sum(by_fate.values())},
        }
        return self.collector.reading(source, slug, version, table, in_file=self.in_file, totals=totals, facts=facts)


def claimed_gpu_hours(cells: dict[str, str]) -> float:
    """GPU hours that a row claims by itself; 0 where it does not say, for this is a sum of claims."""
    try:
        devices, elapsed = devices_of(cells)[0], elapsed_of(cells)
    except CellError:
        return 0.0
    return (devices.whole or 0) * (elapsed or 0.0) / SECONDS_PER_HOUR


def choose_cluster(source: Source, log: JobLog) -> None:
    names = sorted({attempt.cluster for attempt in log.attempts})
    if len(names) < 2:
        return
    answer = source.interview.ask(
        Question(
            "cluster",
            "The file holds jobs of several clusters: which one is meant?",
            "choice",
            tuple((name, name or "no name") for name in names),
            None,
            "jobs of different clusters do not share GPUs, so they are never added up",
        )
    )
    if answer is not None:
        kept = [attempt for attempt in log.attempts if attempt.cluster == answer]
        log.collector.skipped += len(log.attempts) - len(kept)
        log.attempts = kept


def _settle_absent_gpus(source: Source, attempts: list[Attempt]) -> None:
    """Where no row at all names a GPU, the site may not count them: 0 would be a guess."""
    rows = [attempt.row for attempt in attempts]
    if not rows or any(row["gpus"] != 0 for row in rows):
        return
    answer = source.interview.ask(
        Question(
            "absent_gpus",
            "No row names a GPU: what does that mean?",
            "choice",
            (("unknown", "the site does not account for GPUs: unknown"), ("none", "these jobs used no GPU: 0")),
            "unknown",
            "Slurm lists gres/gpu only where AccountingStorageTRES names it",
        )
    )
    if answer == "unknown":
        for row in rows:
            row["gpus"] = row["gpu_s"] = None
