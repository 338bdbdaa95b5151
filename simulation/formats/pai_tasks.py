"""What the tasks of a PAI job hold together: GPUs in percent of one, cores in percent, memory in GiB, by instance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from simulation.formats.collector import CellError
from simulation.formats.quantities import checked_span, count, device_count, number

TASK_COLUMNS = (
    *("job_name", "task_name", "inst_num", "status", "start_time", "end_time"),
    *("plan_cpu", "plan_mem", "plan_gpu", "gpu_type"),
)
PERCENT = 100
GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Task:
    """Equal instances. `gpus_each`, `cpus_each`, `memory_each` (bytes) are of one instance; None: unknown."""

    instances: int | None
    gpus_each: float | None
    cpus_each: float | None
    memory_each: float | None
    model: str | None
    start_s: float | None
    end_s: float | None

    @classmethod
    def damaged(cls) -> Task:
        """A task whose row cannot be read: it held something, and nobody knows what."""
        return cls(None, None, None, None, None, None, None)

    def total(self, each: float | None) -> float | None:
        return None if each is None or self.instances is None else each * self.instances


def task_of(cells: dict[str, str]) -> Task:
    """A row of the task table; CellError where a cell cannot be."""
    start, end = (number(cells[name], name) for name in ("start_time", "end_time"))
    if start is not None and end is not None and end < start:
        raise CellError("end_time", cells["end_time"], f"{start:g} or later", "ends before it starts")
    each = {name: number(cells[name], name) for name in ("plan_gpu", "plan_cpu", "plan_mem")}
    for name, value in each.items():
        if value is not None and value < 0:
            raise CellError(name, cells[name], "0 or more", "a negative amount")
    device_count(str(math.ceil((each["plan_gpu"] or 0) / PERCENT)), "plan_gpu")
    gpus, cpus, memory = each["plan_gpu"], each["plan_cpu"], each["plan_mem"]
    return Task(
        count(cells["inst_num"], "inst_num"),
        None if gpus is None else gpus / PERCENT,
        None if cpus is None else cpus / PERCENT,
        None if memory is None else memory * GIB,
        cells["gpu_type"] or None,
        None if start is None else checked_span(start, cells["start_time"], "start_time"),
        None if end is None else checked_span(end, cells["end_time"], "end_time"),
    )


@dataclass(frozen=True, slots=True)
class Holdings:
    """How tasks add up. `unplanned`: what an empty plan_gpu means, "unknown" or "none"."""

    unplanned: str

    def of(self, tasks: list[Task]) -> tuple[dict[str, Any], list[CellError]]:
        """Columns of the jobs table: gpus, gpu_share, gpu_s, gpu_model, cpus, memory_bytes."""
        oddities = []
        parts = [(task, self._gpus_each(task)) for task in tasks]
        known = [(task, each) for task, each in parts if each is not None and task.instances is not None]
        models = {task.model for task, each in known if each and task.model}
        if len(models) > 1:
            oddities.append(CellError("gpu_type", ", ".join(sorted(models)), "one GPU type", "its tasks differ in it"))
        held: dict[str, Any] = {
            "gpu_model": next(iter(models)) if len(models) == 1 else None,
            "cpus": _sum([task.total(task.cpus_each) for task in tasks]),
            "memory_bytes": _whole(_sum([task.total(task.memory_each) for task in tasks])),
        }
        if not tasks or len(known) < len(tasks):
            if tasks:
                oddities.append(CellError("plan_gpu", "", "a number in every task", "GPU count unknown, not 0"))
            return held, oddities
        devices = sum((task.instances or 0) * math.ceil(each) for task, each in known)
        total = sum((task.instances or 0) * each for task, each in known)
        if len({each / math.ceil(each) for _, each in known if each}) > 1:
            oddities.append(CellError("plan_gpu", f"{total:g} of {devices}", "equal parts", "the mean part was taken"))
        held |= {"gpus": devices, "gpu_share": total / devices if total < devices else None, "gpu_s": _gpu_s(known)}
        return held, oddities

    def _gpus_each(self, task: Task) -> float | None:
        if task.gpus_each is None and self.unplanned == "none" and task.instances is not None:
            return 0.0
        return task.gpus_each


def _gpu_s(parts: list[tuple[Task, float]]) -> float | None:
    """Each task holds its GPUs for its own time."""
    total = 0.0
    for task, each in parts:
        if each == 0:
            continue
        if task.start_s is None or task.end_s is None:
            return None
        total += (task.instances or 0) * each * (task.end_s - task.start_s)
    return total


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if values and len(known) == len(values) else None


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
