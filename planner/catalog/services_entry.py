"""Clusters, price sheets and SLO sets typed in by hand. Typed numbers are assumed; who, when and why is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from planner.accounts.models import User, Workspace
from planner.catalog import consistency
from planner.catalog.documents import DocumentError
from planner.catalog.figures import Told, figure, group_origins, resolved, told_in
from planner.catalog.models import Item, Kind, Revision
from planner.catalog.money import PriceEntry, plain, unit_price
from planner.catalog.services import NewSource, item_rename, revision_add
from simulation.provenance import Origin
from simulation.scenario import Cluster, Prices, Slo

UNASKED = (
    "cores_per_node", "memory_per_node_bytes", "links", "node_overhead_w", "off_w", "boot_s", "interruptions",
    "starts_down", "node_names",
)  # fmt: skip
"""Fields of a pool that an edit may leave out, and which then stay as they were."""
HANGS_ON = {"links": "gpus_per_node", "node_names": "nodes"}
"""Field -> the field without which it means nothing."""


@transaction.atomic
def cluster_enter(
    *,
    workspace: Workspace,
    user: User,
    pools: Sequence[dict[str, Any]],
    why: str,
    name: str = "",
    pue: float = 1.0,
    changes: Sequence[dict[str, Any]] | None = None,
    continues: Mapping[str, str] | None = None,
    item: Item | None = None,
    based_on: Revision | None = None,
) -> Revision:
    """A cluster as typed in: one dict a pool with the fields of `simulation.hardware.Pool`.

    Blank memory and powers are taken from the catalogue of GPU models (cited) where it has them, else stay unknown.
    On an edit, figures that did not change keep the origin they had; `continues` says which pool was called what
    before (None: as now). `changes` None: those recorded stay. DocumentError names the row that cannot be.
    """
    _new_name(workspace, Kind.CLUSTER, item, name)
    before, known = _continued(based_on, pools, continues)
    told = figure(Origin.ASSUMED, _typed_by(user, why))
    filled = [{**_untyped(pool, before.get(pool["name"])), **pool} for pool in pools]
    figures = {
        pool["name"]: resolved(pool, told, before.get(pool["name"]), known.get(pool["name"], {})) for pool in filled
    }
    cluster = {"name": name.strip() or (item.name if item else ""), "pools": filled, "pue": pue}
    cluster["changes"] = _changes_of(based_on, {pool["name"] for pool in filled}, changes)
    origins = group_origins(figures.values(), Origin.ASSUMED)
    if pue != 1.0 and not (based_on and based_on.document["cluster"]["pue"] == pue):
        origins["power"] = str(Origin.ASSUMED)
    document = {"cluster": cluster, "origins": origins, "figures": figures}
    revision = _entered(workspace, user, Kind.CLUSTER, document, why, name, item, based_on, Origin(origins["cluster"]))
    _refuse(consistency.of_cluster(Cluster.model_validate(revision.document["cluster"])))
    return revision


def _continued(
    based_on: Revision | None, pools: Sequence[dict[str, Any]], continues: Mapping[str, str] | None
) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Told]]]:
    """What each pool was before the edit, and the origins of its figures, both by its name of now."""
    if based_on is None:
        return {}, {}
    there, told = {pool["name"]: pool for pool in based_on.document["cluster"]["pools"]}, told_in(based_on)
    earlier = {pool["name"]: pool["name"] for pool in pools} if continues is None else continues
    kept = {now: was for now, was in earlier.items() if was in there}
    if len(set(kept.values())) < len(kept):
        raise DocumentError("pools: two of them continue the same one; start one of them anew")
    return {now: there[was] for now, was in kept.items()}, {now: told[was] for now, was in kept.items()}


def _untyped(pool: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    """What an edit leaves out and keeps: all of `UNASKED`, while what it hangs on stays as it was."""
    if before is None:
        return {}
    changed = {field for field, needs in HANGS_ON.items() if before[needs] != pool.get(needs)}
    return {field: before[field] for field in UNASKED if field in before and field not in changed}


def _changes_of(
    based_on: Revision | None, pools: set[str], given: Sequence[dict[str, Any]] | None
) -> list[dict[str, Any]]:
    """Recorded changes: those `given`, in the order that they had where they are the same; else those of before."""
    before = based_on.document["cluster"].get("changes", []) if based_on else []
    if given is None:
        return [change for change in before if change["pool"] in pools]
    same = sorted(map(_change_key, given)) == sorted(map(_change_key, before))
    return before if same else sorted(given, key=_change_key)


def _change_key(change: dict[str, Any]) -> tuple[float, str, int, bool]:
    return change["at_s"], change["pool"], change["nodes"], change["up"]


def pools_changed(revision: Revision, changes: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
    """Pools of a cluster revision with `{"pool": {"nodes": 12}}` or `{"pool": {"nodes_delta": 4}}` applied.

    DocumentError for a pool that is not there or a count below zero.
    """
    pools = {pool["name"]: dict(pool) for pool in revision.document["cluster"]["pools"]}
    for name, change in changes.items():
        if name not in pools:
            raise DocumentError(f"pool {name}: {revision} has no such pool; it has {', '.join(pools)}")
        nodes = change["nodes"] if "nodes" in change else pools[name]["nodes"] + change.get("nodes_delta", 0)
        if nodes < 0:
            raise DocumentError(f"pool {name}: {nodes} nodes, expected 0 or more")
        if nodes != pools[name]["nodes"]:
            pools[name] |= {"nodes": nodes, "node_names": None}
    return list(pools.values())


@dataclass(frozen=True, slots=True)
class Tariff:
    """What a price sheet says beside its lines. `rate_usd` is dated and typed; it is needed for other currencies."""

    currency: str = "USD"
    rate_usd: Decimal | None = None
    rate_date: str = ""
    charge_idle: bool = True
    electricity_per_kwh: Decimal | None = None
    carbon_g_per_kwh: float | None = None


@transaction.atomic
def prices_enter(
    *,
    workspace: Workspace,
    user: User,
    lines: Sequence[PriceEntry],
    tariff: Tariff,
    why: str,
    name: str = "",
    item: Item | None = None,
    based_on: Revision | None = None,
) -> Revision:
    """A price sheet as typed in. Each line keeps its own unit; the price per GPU-hour is worked out and kept beside."""
    _new_name(workspace, Kind.PRICES, item, name)
    document = price_document(lines, tariff, Origin.ASSUMED)
    if based_on is not None:
        _keep_unasked(document, based_on.document)
    _refuse(consistency.of_prices(Prices.model_validate(document["prices"])))
    return _entered(workspace, user, Kind.PRICES, document, why, name, item, based_on)


def _keep_unasked(document: dict[str, Any], before: dict[str, Any]) -> None:
    """What a form does not ask and an edit keeps: later prices of a line, what a carbon figure is, changes imported."""
    lines = {_line_key(line): line.get("steps", []) for line in before["prices"]["lines"]}
    for line in document["prices"]["lines"]:
        if steps := lines.get(_line_key(line)):
            line["steps"] = steps
    given = before.get("as_given", {})
    document["as_given"] |= {"series": given["series"]} if "series" in given else {}
    if "carbon" in given and document["prices"]["carbon_g_per_kwh"] == before["prices"]["carbon_g_per_kwh"]:
        document["as_given"]["carbon"] = given["carbon"]
        document["origins"]["carbon"] = before["origins"]["carbon"]


def _line_key(line: dict[str, Any]) -> tuple[Any, ...]:
    return (line["pool"], line["gpu_model"], line["purchase"], Decimal(line["usd_per_gpu_h"]))


def price_document(lines: Sequence[PriceEntry], tariff: Tariff, origin: Origin) -> dict[str, Any]:
    """Document of a price sheet; DocumentError where currencies mix or a rate is missing."""
    rate = _rate(lines, tariff)
    electricity = tariff.electricity_per_kwh
    prices = {
        "lines": [
            {
                "pool": line.pool or None,
                "gpu_model": line.gpu_model or None,
                "purchase": line.purchase or None,
                "usd_per_gpu_h": unit_price(line, rate, f"line {at}"),
            }
            for at, line in enumerate(lines, start=1)
        ],
        "charge_idle": tariff.charge_idle,
        "electricity_usd_per_kwh": None if electricity is None else plain(electricity * rate),
        "carbon_g_per_kwh": tariff.carbon_g_per_kwh,
    }
    given = {
        "lines": [{key: None if v is None else str(v) for key, v in asdict(line).items()} for line in lines],
        "rate_usd": str(rate),
        "rate_date": tariff.rate_date,
    }
    worst = str(Origin.ASSUMED if tariff.currency != "USD" else origin)
    origins = {"prices": worst, "carbon": str(Origin.ASSUMED)}
    return {"prices": prices, "currency": tariff.currency, "origins": origins, "as_given": given}


def _rate(lines: Sequence[PriceEntry], tariff: Tariff) -> Decimal:
    currencies = sorted({line.currency or tariff.currency for line in lines} | {tariff.currency})
    if len(currencies) > 1:
        raise DocumentError(f"currencies: {' and '.join(currencies)} in one sheet; make a sheet for each")
    if tariff.currency == "USD":
        return Decimal(1)
    if not tariff.rate_usd or tariff.rate_usd <= 0 or not tariff.rate_date:
        raise DocumentError(f"rate: how many USD is 1 {tariff.currency}, and on which date?")
    return tariff.rate_usd


@transaction.atomic
def slos_enter(
    *,
    workspace: Workspace,
    user: User,
    slos: Sequence[dict[str, Any]],
    why: str,
    name: str = "",
    item: Item | None = None,
    based_on: Revision | None = None,
) -> Revision:
    """Limits on metrics as typed in: one dict a limit with metric, limit and hard."""
    _new_name(workspace, Kind.SLOS, item, name)
    if not slos:
        raise DocumentError("limits: give at least one")
    revision = _entered(workspace, user, Kind.SLOS, {"slos": list(slos)}, why, name, item, based_on)
    _refuse(consistency.of_slos([Slo.model_validate(slo) for slo in revision.document["slos"]]))
    return revision


def _entered(
    workspace: Workspace,
    user: User,
    kind: Kind,
    document: dict[str, Any],
    why: str,
    name: str,
    item: Item | None,
    based_on: Revision | None,
    origin: Origin = Origin.ASSUMED,
) -> Revision:
    if item is not None and name.strip() not in ("", item.name):
        item_rename(item=item, user=user, name=name)
    when = timezone.now().isoformat(timespec="seconds")
    source = NewSource(_typed_by(user, why), Origin.ASSUMED, detail={"why": why, "when": when})
    return revision_add(
        workspace=workspace,
        user=user,
        kind=kind,
        name=name,
        item=item,
        document=document,
        origin=origin,
        source=source,
        note=why,
        based_on=based_on,
    )


def _typed_by(user: User, why: str) -> str:
    return f"typed by {user.get_username()}" + (f": {why}" if why else "")


def _new_name(workspace: Workspace, kind: Kind, item: Item | None, name: str) -> None:
    if item is None and Item.objects.filter(workspace=workspace, kind=kind, name=name.strip()).exists():
        raise DocumentError(f"name: there is a {kind.label.lower()} called {name.strip()}; open it to change it")


def _refuse(problems: Any) -> None:
    stopping = [str(problem) for problem in problems if problem.stops]
    if stopping:
        raise DocumentError("; ".join(stopping))
