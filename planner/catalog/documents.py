"""What a revision says, as stored: checked and normalised on the way in, typed again on the way out."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from planner.catalog.models import Kind, Revision
from simulation.provenance import Origin, weakest
from simulation.scenario import (
    Cluster,
    Prices,
    Slo,
    Workload,
    canonical_bytes,
    digest_of,
    workload_digest,
)


class DocumentError(ValueError):
    """A document that is not what its kind needs; the text names the field and what was expected."""


@dataclass(frozen=True, slots=True)
class Content:
    """A revision's content, ready to be stored: JSON or gzipped bytes, with the digest of what it says."""

    document: dict[str, Any]
    payload: bytes | None
    digest: str


def content_of(kind: str, document: dict[str, Any] | None, workload: Workload | None, origin: Origin) -> Content:
    """Content for a new revision of `kind`; DocumentError where the document does not fit."""
    if kind == Kind.WORKLOAD:
        if workload is None:
            raise DocumentError("a workload revision needs a workload")
        body = canonical_bytes(workload.model_dump(mode="json"))
        return Content({}, gzip.compress(body, compresslevel=6, mtime=0), workload_digest(workload))
    if document is None:
        raise DocumentError(f"a {kind} revision needs a document")
    try:
        normal = _NORMALISE[Kind(kind)](document, origin)
    except ValidationError as error:
        raise DocumentError(_sentences(error)) from None
    return Content(normal, None, digest_of(normal))


def _cluster(document: dict[str, Any], origin: Origin) -> dict[str, Any]:
    cluster = Cluster.model_validate(document["cluster"])
    origins = {"cluster": origin, "power": origin, **document.get("origins", {})}
    return {
        "cluster": cluster.model_dump(mode="json"),
        "origins": {group: str(Origin(kind)) for group, kind in origins.items()},
        "figures": document.get("figures", {}),
    }


def _prices(document: dict[str, Any], origin: Origin) -> dict[str, Any]:
    prices = Prices.model_validate(document["prices"])
    origins = {"prices": origin, "carbon": origin, **document.get("origins", {})}
    return {
        "prices": prices.model_dump(mode="json"),
        "currency": document.get("currency", "USD"),
        "origins": {group: str(Origin(kind)) for group, kind in origins.items()},
        "as_given": document.get("as_given", {}),
    }


def _slos(document: dict[str, Any], origin: Origin) -> dict[str, Any]:
    return {"slos": [slo.model_dump(mode="json") for slo in _LIMITS.validate_python(document["slos"])]}


_LIMITS = TypeAdapter(list[Slo])
_NORMALISE = {Kind.CLUSTER: _cluster, Kind.PRICES: _prices, Kind.SLOS: _slos}


def _sentences(error: ValidationError) -> str:
    """Every complaint of the check as 'pools, row 2, nodes: ...' (rows counted from 1, as a person does)."""
    lines = []
    for one in error.errors():
        place = [f"row {part + 1}" if isinstance(part, int) else str(part) for part in one["loc"]]
        lines.append(f"{', '.join(place) or 'the whole'}: {complaint(one)}")
    return "; ".join(lines)


def complaint(one: Mapping[str, Any]) -> str:
    """What a document's check expected, and what it found instead."""
    found = f" (found {one['input']!r})" if isinstance(one["input"], str | int | float) else ""
    return (
        one["msg"].replace("Input should be a ", "Expected a ").replace("Input should be", "Expected a value") + found
    )


def cluster_in(revision: Revision) -> Cluster:
    return Cluster.model_validate(revision.document["cluster"])


def prices_in(revision: Revision) -> Prices:
    return Prices.model_validate(revision.document["prices"])


def slos_in(revision: Revision) -> list[Slo]:
    return [Slo.model_validate(slo) for slo in revision.document["slos"]]


def workload_in(revision: Revision) -> Workload:
    if revision.payload is None:
        raise DocumentError(f"{revision} is not a workload")
    return Workload.model_validate_json(gzip.decompress(bytes(revision.payload)))


def origins_in(revision: Revision) -> dict[str, Origin]:
    """Origin of each group of inputs that the revision gives to a scenario (see simulation.scenario.Origins)."""
    if revision.item.kind == Kind.WORKLOAD:
        return {"workload": Origin(revision.origin)}
    stored = revision.document.get("origins", {})
    return {group: Origin(kind) for group, kind in stored.items()}


def main_origin(kind: str, document: dict[str, Any], origin: Origin) -> Origin:
    """Origin of a revision as a whole: that of the group it is named after; power and carbon have their own marks."""
    return weakest([origin, document.get("origins", {}).get(kind, origin)])
