"""May two numbers share an axis? Only if all terms agree that the study does not vary itself; there is no switch."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from planner.studies.assembly import Materials
from planner.studies.models import Scenario, Study
from planner.studies.spec import Axes
from planner.studies.terms import NAMES, Term, Terms, loosened, terms_of

_UNSAID = Term(None, "not stated")


def comparable(a: Terms, b: Terms, *, varied: Collection[str] = ()) -> str | None:
    """None where `a` may be compared with `b`, else one sentence that names every term of `a` that differs."""
    loose = loosened(varied)
    differing = [
        f"other {words}: {mine.words}, not {theirs.words}"
        for name, words in NAMES.items()
        if name not in loose
        for mine, theirs in [(a.get(name, _UNSAID), b.get(name, _UNSAID))]
        if mine.key != theirs.key
    ]
    if not differing:
        return None
    sentence = "; ".join(differing)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def refusals(study: Study, scenarios: Sequence[Scenario]) -> dict[UUID, str]:
    """Those of `scenarios` (in order, the base first) that may not be compared with the base, with the reason."""
    base = scenarios[0] if scenarios else None
    others = [s for s in scenarios if base and s.family != base.family]
    if not base or not others:
        return {}
    materials = Materials(study.workspace)
    varied = Axes.model_validate(study.axes).varied
    theirs = terms_of(materials, base.spec)
    reasons = {s.id: comparable(terms_of(materials, s.spec), theirs, varied=varied) for s in others}
    return {id: reason for id, reason in reasons.items() if reason}


def engines_differ(version: str, others: str, runs: int, total: int) -> str | None:
    """The sentence for `runs` of `total` runs of a scenario that another engine version computed, or None."""
    if not runs:
        return None
    part = "All its" if runs == total else f"{runs} of its {total}"
    return f"{part} finished runs are left out: computed by engine {others}, the rest of the study by {version}."
