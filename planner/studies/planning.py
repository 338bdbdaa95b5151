"""What a study would cost before it is asked: runs, time, and what is missing from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from planner.accounts.models import Workspace
from planner.studies import vocabulary
from planner.studies.drafts import Draft, draft
from planner.studies.models import Run
from planner.studies.pace import OPEN, paces, slots_alive, takes_s, work_left
from planner.studies.runs.presence import workforce
from planner.studies.selectors import known_results
from planner.studies.spec import Problem, SpecError
from simulation.scenario import Choice


@dataclass(frozen=True, slots=True)
class Plan:
    """`problems` stand in the way; `warnings` are said and do not. Times are ranges in seconds, None is unsure."""

    scenarios: int
    runs: int
    already_known: int
    ahead: int  # runs that wait before these
    workers: int  # runs that are done at once
    starts_in_s: tuple[float, float] | None
    takes_s: tuple[float, float] | None
    labels: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def study_plan(workspace: Workspace, base: Mapping[str, Any], axes: Mapping[str, Any]) -> Plan:
    """The plan of the study that `base` and `axes` describe; what is wrong with them stands in `problems`."""
    try:
        made = draft(workspace, base, axes)
    except SpecError as error:
        return Plan(0, 0, 0, 0, slots_alive(), None, None, problems=tuple(error.problems))
    seeds = made.axes.seeds
    known = known_results({mark.digest for mark in made.marks}, seeds)
    work = Counter(
        variant.spec["training"]["system"]
        for variant, mark in zip(made.variants, made.marks, strict=True)
        for seed in range(seeds)
        if (mark.digest, seed) not in known
    )
    slots = slots_alive()
    past = paces(Run.objects.filter(scenario__spec__workload=made.base.workload))
    return Plan(
        scenarios=len(made.variants),
        runs=len(made.variants) * seeds,
        already_known=len(made.variants) * seeds - work.total(),
        ahead=Run.objects.filter(state__in=OPEN).count(),
        workers=slots,
        starts_in_s=_wait_for_queue(slots),
        takes_s=takes_s(work, past, slots),
        labels=tuple(v.label for v in made.variants),
        warnings=tuple(_warnings(made, slots)),
    )


def _wait_for_queue(slots: int) -> tuple[float, float] | None:
    """How long the runs that are open now keep all slots, judged by all runs that ever finished."""
    if not slots:
        return None
    return takes_s(work_left(Run.objects.all()), paces(Run.objects.all()), slots)


def _warnings(made: Draft, slots: int) -> list[str]:
    said = [*made.warnings, *(missing_baselines(made.policies) if made.jobs else [])]
    if not slots:
        said.append(f"{workforce().missing} The runs wait until then; none is lost.")
    replay = all(v.spec["sampling"] == {"mode": "replay", "demand_factor": 1.0} for v in made.variants)
    if made.axes.seeds > 1 and replay:
        said.append("The workload is replayed as recorded: seeds differ only where requests are generated.")
    if made.axes.seeds == 1 and not replay:
        said.append("With 1 seed there is no interval, and no difference can be shown.")
    return said


def missing_baselines(policies: Collection[Choice]) -> list[str]:
    """A sentence for each baseline that a fair comparison of training policies should have and this one has not."""
    there = {words for policy in policies for words in vocabulary.baselines_of(policy)}
    return [f"Baseline missing: {words}." for words in vocabulary.BASELINES if words not in there]
