"""Two tables of results of one workload, held against each other job by job."""

from __future__ import annotations

import numpy as np

from simulation.fidelity.profiles.profile import Agreement
from simulation.fidelity.results import Results
from simulation.fidelity.rows import Row
from simulation.records import Floats, Ints


def compare(case: str, theirs: Results, ours: Results, agreement: Agreement, speedup: float | None) -> list[Row]:
    """Rows of one case. Every job of theirs must be one of ours; one that is missing differs in everything."""
    at = _places(theirs, ours)
    rows = [Row(case, "jobs that ended", _ended(theirs.end_s), _ended(ours.end_s), unit="jobs", speedup=speedup)]
    if agreement.each_job_s is not None:
        rows += _job_by_job(case, theirs, ours, at, agreement.each_job_s, speedup)
    if np.isfinite(theirs.end_s).any():
        rows.append(_mean_jct(case, theirs, ours, agreement, speedup))
    if agreement.preemptions and np.isfinite(theirs.preemptions).all():
        counted = float(ours.preemptions[at[at >= 0]].sum())
        rows.append(Row(case, "preemptions", float(theirs.preemptions.sum()), counted, unit="times", speedup=speedup))
    if agreement.deadlines is not None:
        within = float(agreement.deadlines)
        rows.append(Row(case, "deadlines met", _met(theirs), _met(ours), within, "jobs", speedup))
    return rows


def _met(results: Results) -> float:
    """Jobs that ended by their deadline."""
    return float((results.end_s <= results.deadline_s).sum())


def _places(theirs: Results, ours: Results) -> Ints:
    """Row of ours for each job of theirs, -1 where there is none."""
    row_of = {name: row for row, name in enumerate(ours.id)}
    return np.array([row_of.get(name, -1) for name in theirs.id], dtype=np.int64)


def _ended(end_s: Floats) -> float:
    return float(np.isfinite(end_s).sum())


def _job_by_job(
    case: str, theirs: Results, ours: Results, at: Ints, within_s: float, speedup: float | None
) -> list[Row]:
    """How many jobs start and end as theirs do, and the largest difference of either."""
    differences = [_difference(t, o, at) for t, o in ((theirs.start_s, ours.start_s), (theirs.end_s, ours.end_s))]
    alike = np.logical_and.reduce([difference <= within_s for difference in differences])
    rows = [Row(case, "jobs that start and end alike", float(len(theirs)), float(alike.sum()), 0.0, "jobs", speedup)]
    for name, difference in zip(("a first start", "an end"), differences, strict=True):
        largest = float(difference.max(initial=0.0))
        ours_s = largest if np.isfinite(largest) else None
        rows.append(Row(case, f"largest difference of {name}", 0.0, ours_s, within_s, "s", speedup))
    return rows


def _difference(theirs_s: Floats, ours_s: Floats, at: Ints) -> Floats:
    """Seconds between the two; 0 where both never happened, inf where only one did."""
    here = np.where(at >= 0, ours_s[at], np.nan) if len(ours_s) else np.full(len(at), np.nan)
    apart = np.abs(here - theirs_s)
    never = np.isnan(here) & np.isnan(theirs_s) & (at >= 0)
    return np.where(never, 0.0, np.where(np.isnan(apart), np.inf, apart))


def _mean_jct(case: str, theirs: Results, ours: Results, agreement: Agreement, speedup: float | None) -> Row:
    """The mean over those jobs that ended, each in its own table."""
    their_jct_s, our_jct_s = _jct_s(theirs), _jct_s(ours)
    mean_s = float(their_jct_s.mean())
    within_s = agreement.each_job_s if agreement.mean_jct is None else agreement.mean_jct * mean_s
    if within_s is not None:
        # sums of a thousand large floats differ in their last bits with the order of the rows
        within_s = max(within_s, 1e-9 * mean_s)
    our_mean_s = float(our_jct_s.mean()) if len(our_jct_s) else None
    return Row(case, "mean JCT", mean_s, our_mean_s, within_s, "s", speedup)


def _jct_s(results: Results) -> Floats:
    ended = np.isfinite(results.end_s)
    jct_s: Floats = results.end_s[ended] - results.submit_s[ended]
    return jct_s
