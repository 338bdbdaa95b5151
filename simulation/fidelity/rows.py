"""One line of agreement: what a case should say, what the engine says, and whether that is near enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """`error` is |ours - theirs|, in the unit of the quantity; `tolerance` is the most that passes.

    None: how near one must come is not known, and the row says how near it is.
    """

    case: str
    quantity: str
    theirs: float
    ours: float | None  # None: the run did not produce it
    tolerance: float | None = 0.0
    unit: str = "s"
    speedup: float | None = None  # CPU seconds of the other simulator over ours; None: unknown

    @property
    def error(self) -> float | None:
        return None if self.ours is None else abs(self.ours - self.theirs)

    @property
    def verdict(self) -> str:
        """Where a tolerance is known pass or fail; else reported, or recorded if there is nothing of ours."""
        if self.tolerance is None:
            return "recorded" if self.ours is None else "reported"
        return "pass" if self.error is not None and self.error <= self.tolerance else "fail"

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "error": self.error, "verdict": self.verdict}
