"""inputs/study.json: the question with its catalogue, from which another installation asks the same question again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from planner.accounts.models import User, Workspace
from planner.catalog import selectors
from planner.catalog.models import Kind, Revision
from planner.catalog.services import INHERITED, NewSource, revision_add
from simulation.bundles.anonymise import Anonymiser, without_names
from simulation.bundles.errors import BundleError
from simulation.bundles.layout import STUDY
from simulation.provenance import Origin
from simulation.scenario import Cluster, Workload, workload_digest

NAMELESS = "left out with the names"
FIELDS = {"cluster": Kind.CLUSTER, "workload": Kind.WORKLOAD, "prices": Kind.PRICES, "slos": Kind.SLOS}
"""Field of a spec that refers to a revision -> kind of that revision."""


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SourceTold(Part):
    origin: Origin
    title: str
    file_name: str = ""
    sha256: str = ""
    detail: dict[str, Any] = {}


class RevisionTold(Part):
    """A revision as it was; of a workload the content stands in the scenarios, told by its digest."""

    id: str
    kind: Kind
    name: str = Field(max_length=100)
    number: int
    origin: Origin
    document: dict[str, Any] = {}
    workload: str | None = None
    note: str = ""
    facts: dict[str, Any] = {}
    source: SourceTold


class ExceptionTold(Part):
    """A scenario on the front although its terms differ. It is told, not taken over: who brings it in judges anew."""

    scenario: str
    refusal: str
    justification: str
    by: str
    at: datetime


class StudyTold(Part):
    version: Literal[1] = 1
    question: str
    base: dict[str, Any]
    axes: dict[str, Any]
    is_example: bool = False
    revisions: list[RevisionTold]
    exceptions: list[ExceptionTold] = []


def study_told(
    workspace: Workspace, question: str, base: Mapping[str, Any], axes: Mapping[str, Any], *, is_example: bool
) -> StudyTold:
    """What study.json says of a study (or of one scenario of it, with its own spec as base)."""
    revisions = [selectors.revision_for(workspace, id, kind) for kind, id in _references(base, axes)]
    return StudyTold(
        question=question,
        base=dict(base),
        axes=dict(axes),
        is_example=is_example,
        revisions=[_told(revision) for revision in sorted(revisions, key=lambda r: (r.item.name, r.number))],
    )


def _references(base: Mapping[str, Any], axes: Mapping[str, Any]) -> Iterator[tuple[Kind, str]]:
    """Each revision once."""
    named = [(kind, base[field]) for field, kind in FIELDS.items() if base.get(field)]
    yield from dict.fromkeys([*named, *((Kind.PRICES, id) for id in axes.get("prices", []))])


def _told(revision: Revision) -> RevisionTold:
    source = revision.source
    return RevisionTold(
        id=str(revision.id),
        kind=Kind(revision.item.kind),
        name=revision.item.name,
        number=revision.number,
        origin=Origin(revision.origin),
        document=revision.document,
        workload=revision.digest if revision.item.kind == Kind.WORKLOAD else None,
        note=revision.note,
        facts={key: revision.summary[key] for key in INHERITED if key in revision.summary},
        source=SourceTold(
            origin=Origin(source.origin),
            title=source.title,
            file_name=source.file_name,
            sha256=source.sha256,
            detail={key: value for key, value in source.detail.items() if key != "import"},
        ),
    )


def without_names_told(told: StudyTold, anonymiser: Anonymiser, workloads: Mapping[str, Workload]) -> StudyTold:
    """The same question about a catalogue whose names are numbers. `workloads`: true digest -> renamed workload."""
    numbers = {one.id: place for place, one in enumerate(told.revisions, start=1)}
    revisions = [
        one.model_copy(
            update={
                "name": f"{one.kind.label} {numbers[one.id]}",
                "document": _document_without_names(one),
                "workload": workload_digest(workloads[one.workload]) if one.workload else None,
                "note": "",
                "source": SourceTold(origin=one.source.origin, title=NAMELESS),
            }
        )
        for one in told.revisions
    ]
    base = {**told.base, "quotas": anonymiser.quotas(told.base.get("quotas", {}))}
    exceptions = [one.model_copy(update={"refusal": NAMELESS, "by": NAMELESS}) for one in told.exceptions]
    return told.model_copy(update={"base": base, "revisions": revisions, "exceptions": exceptions})


def _document_without_names(one: RevisionTold) -> dict[str, Any]:
    if one.kind == Kind.CLUSTER:
        cluster = without_names(Cluster.model_validate(one.document["cluster"]))
        return {"cluster": cluster.model_dump(mode="json"), "origins": one.document.get("origins", {})}
    return {key: value for key, value in one.document.items() if key != "as_given"}


def study_in(document: Mapping[str, Any] | None) -> StudyTold:
    """BundleError where there is no study.json, or it is not what it should be."""
    if document is None:
        raise BundleError(f"{STUDY} is missing: this bundle was not made by a planner, and can only be verified")
    try:
        return StudyTold.model_validate(document)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"])) or "the whole"
        raise BundleError(f"{STUDY}: {place}: {fault['msg']}") from None


def revisions_restored(
    told: StudyTold, workloads: Iterable[Workload], bundle: str, *, workspace: Workspace, user: User
) -> dict[str, str]:
    """The catalogue of a bundle (by its sha256) in this workspace: id in the bundle -> id here.

    What is there already is not doubled. DocumentError or BundleError where a revision is not what its kind needs.
    """
    by_digest = {workload_digest(workload): workload for workload in {id(w): w for w in workloads}.values()}
    here: dict[str, str] = {}
    for one in sorted(told.revisions, key=lambda r: (r.name, r.number)):
        if one.workload is not None and one.workload not in by_digest:
            raise BundleError(f"{STUDY}: the workload {one.workload[:12]} of {one.name} is in none of the scenarios")
        workload = by_digest[one.workload] if one.workload else None
        here[one.id] = str(_saved(one, workload, bundle, workspace, user).id)
    return here


def _saved(one: RevisionTold, workload: Workload | None, bundle: str, workspace: Workspace, user: User) -> Revision:
    source = one.source.model_copy(update={"detail": {**one.source.detail, "bundle": bundle}})
    try:
        return revision_add(
            workspace=workspace,
            user=user,
            kind=one.kind,
            name=one.name,
            origin=one.origin,
            document=None if workload else dict(one.document),
            workload=workload,
            note=one.note,
            facts=one.facts,
            source=NewSource(**source.model_dump()),
        )
    except (KeyError, TypeError, AttributeError) as error:  # a document of another shape than its kind has
        raise BundleError(f"{STUDY}: {one.name}: not a {one.kind.label.lower()} ({str(error)[:80]})") from error


def rewritten(told: StudyTold, here: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Base and axes with the ids of this installation; BundleError where they refer to what the bundle has not."""
    try:
        base = {**told.base, **{field: here[told.base[field]] for field in FIELDS if told.base.get(field)}}
        axes = {**told.axes, "prices": [here[id] for id in told.axes.get("prices", [])]}
    except (KeyError, TypeError):
        raise BundleError(f"{STUDY}: base or axes refer to a revision that is not in the bundle") from None
    return base, axes
