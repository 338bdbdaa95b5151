"""What a preemption costs: seconds of work that are added to the job, so that it also ranks behind by them."""

from __future__ import annotations

from simulation.engine.loop import Loop
from simulation.engine.plan import NOTHING, Beside, Plan

LATE_S = 1.0  # work is counted down to 0, and a job that has none left ends a second later
WIDE_GPUS = 8  # a wider gang pays more
NARROW_S, WIDE_S = 40.0, 60.0


class CheckpointWork(Loop):
    """A loop in which a preempted job has more work to do. That work is booked as overhead, not as useful."""

    def apply(self, plan: Plan, beside: Beside = NOTHING) -> bool:
        before = len(self.preempted)
        done = super().apply(plan, beside)
        s = self.ledger
        for job in self.preempted[before:]:
            gang = s.gang[job]
            more_s = NARROW_S if gang <= WIDE_GPUS else WIDE_S
            s.remaining_s[job] += more_s
            s.useful_gpu_s[job] -= more_s * gang
            s.overhead_gpu_s[job] += more_s * gang
        return done
