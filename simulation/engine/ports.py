"""How the jobs whose all-reduce crosses a network port share it."""

from __future__ import annotations

from typing import Final

import numpy as np

from simulation.by_address import ByAddress
from simulation.records import Ints

EQUAL: Final = 0
BY_PRIORITY: Final = 1
SHIFTED: Final = 2


class PortLaw(ByAddress):
    """`turn` (jobs,): what the law knows of each job; empty where it need not.

    EQUAL        whoever communicates at the same time as others has an equal part of the bandwidth; they meet by chance
    BY_PRIORITY  who has the higher `turn` takes all that it can use, equals share what is left
    SHIFTED      as EQUAL, but iterations begin `turn` microseconds late, so that they meet as little as can be
    """

    law: int
    turn: Ints


def port_law(law: int, jobs: int) -> PortLaw:
    return PortLaw(law, np.zeros(0 if law == EQUAL else jobs, np.int64))
