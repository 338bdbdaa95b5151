"""Bringing a bundle in: its catalogue, its study and its runs. Results in it are claims; the runs are computed here."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F

from planner.accounts.models import User, Workspace
from planner.accounts.selectors import Act, require
from planner.accounts.services import audit
from planner.catalog.documents import DocumentError
from planner.evidence.bundles.study_file import revisions_restored, rewritten, study_in
from planner.evidence.models import BundleImport
from planner.studies.models import Run, Study
from planner.studies.services import study_create
from planner.studies.spec import SpecError
from simulation import ENGINE_VERSION
from simulation.bundles.errors import BundleError
from simulation.bundles.read import Bundle, read_bundle


def bundle_import(*, workspace: Workspace, user: User, content: bytes, file_name: str) -> tuple[Study, bool]:
    """The study of a bundle, asked again in this workspace, and whether it is new; the same bundle gives it once.

    BundleError in one sentence, and nothing stored, where the bundle is not whole or asks what cannot be asked here.
    """
    require(user, workspace, Act.EDIT)
    sha256 = hashlib.sha256(content).hexdigest()
    before = BundleImport.objects.filter(study__workspace=workspace, sha256=sha256).select_related("study").first()
    if before is not None:
        return before.study, False
    bundle = read_bundle(content)
    with transaction.atomic():
        study = _restored(bundle, workspace, user, sha256)
        BundleImport.objects.create(
            study=study,
            file_name=file_name[:255],
            sha256=sha256,
            engine=bundle.description.engine,
            anonymised=bundle.description.anonymised or "",
            claims=_claims(bundle),
            imported_by=user,
        )
        audit(workspace=workspace, user=user, action="bundle.import", target=study.question, sha256=sha256)
    return study, True


def _restored(bundle: Bundle, workspace: Workspace, user: User, sha256: str) -> Study:
    """The study with the very scenarios that the bundle tells of; their runs are queued."""
    told = study_in(bundle.study)
    workloads = (scenario.workload for scenario in bundle.scenarios)
    try:
        here = revisions_restored(told, workloads, sha256, workspace=workspace, user=user)
        base, axes = rewritten(told, here)
        study = study_create(
            workspace=workspace, user=user, question=told.question, base=base, axes=axes, is_example=told.is_example
        )
    except (DocumentError, SpecError) as error:
        raise BundleError(f"inputs/study.json: {str(error)[:300]}") from error
    made = list(study.scenarios.order_by("position").values_list("digest", flat=True))
    for place, claimed in enumerate(bundle.description.scenarios):
        if claimed.digest not in made:
            raise BundleError(f"run.json: scenarios.{place}: this version makes another scenario of inputs/study.json")
    return study


def _claims(bundle: Bundle) -> dict[str, str]:
    """sha256 of each result that the bundle claims, by scenario digest and seed."""
    described = bundle.description
    return {
        claim_key(described.scenarios[run.scenario].digest, run.seed): run.sha256
        for run in described.runs
        if run.sha256 is not None
    }


def claim_key(digest: str, seed: int) -> str:
    return f"{digest}:{seed}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the results computed here stand against those that the bundle claims, run by run."""

    brought: BundleImport
    equal: int
    different: tuple[Run, ...]
    waiting: int

    @property
    def same_engine(self) -> bool:
        return self.brought.engine == ENGINE_VERSION


def agreement_of(study: Study) -> Agreement | None:
    """None where the study was not brought in by a bundle."""
    brought = BundleImport.objects.filter(study=study).select_related("imported_by").first()
    if brought is None:
        return None
    runs = Run.objects.filter(scenario__study=study).select_related("scenario").defer("scenario__spec")
    equal, waiting = 0, 0
    different: list[Run] = []
    for run in runs.annotate(computed=F("result__sha256")):
        claimed = brought.claims.get(claim_key(run.scenario.digest, run.seed))
        if claimed is None:
            continue
        if run.computed is None:
            waiting += 1
        elif run.computed == claimed:
            equal += 1
        else:
            different.append(run)
    return Agreement(brought, equal, tuple(different), waiting)
