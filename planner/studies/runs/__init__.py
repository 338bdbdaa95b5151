"""The queue of record: runs are rows; every step of their state machine is one conditional UPDATE.

queued -> running -> done | failed | cancelled, and running -> queued only when a lease has run out (or a worker
hands its run back as it stops). A broker only rings the bell; losing every message loses no run.
"""

from __future__ import annotations

from planner.studies.runs.cancel import run_cancel, run_retry, study_cancel
from planner.studies.runs.submission import runs_enqueue

__all__ = ["run_cancel", "run_retry", "runs_enqueue", "study_cancel"]
