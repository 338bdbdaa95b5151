"""A half-filled study builder survives a reload: it is kept in the session, workspace by workspace."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, QueryDict

from planner.accounts.models import Workspace
from planner.studies import proposal
from planner.studies.models import Study

_KEY = "study-draft"
MOST = 20_000  # characters; more is not a form that a person filled


def kept(request: HttpRequest, workspace: Workspace) -> QueryDict:
    return QueryDict(request.session.get(f"{_KEY}-{workspace.slug}", ""))


def keep(request: HttpRequest, workspace: Workspace, given: QueryDict) -> None:
    fields = given.copy()
    fields.pop("csrfmiddlewaretoken", None)
    text = fields.urlencode()
    if len(text) <= MOST:
        request.session[f"{_KEY}-{workspace.slug}"] = text


def forget(request: HttpRequest, workspace: Workspace) -> None:
    request.session.pop(f"{_KEY}-{workspace.slug}", None)


def proposed(workspace: Workspace) -> QueryDict:
    """The form before anybody has filled it: the base of the newest study, else parts that fit, under some policies."""
    newest = proposal.newest_study(workspace)
    given = QueryDict(mutable=True)
    given.update({"base_policy": "fcfs-quota", "base_serving": "static-replicas", "sampling": "resampled"})
    if newest is not None:
        filled = like(newest)
        given.update({name: filled[name] for name in filled if _of_base(name, newest)})
    parts = proposal.parts_of(newest) if newest else {}
    if not parts.get("cluster") or not parts.get("workload"):
        parts = proposal.parts_that_fit(workspace)
    for name, id in parts.items():
        given[name] = id
    given["seeds"] = "10"
    given.setlist("policy", list(proposal.POLICIES))
    return given


def _of_base(name: str, study: Study) -> bool:
    if name.startswith("parameters-"):
        return name == f"parameters-{study.base['training']['system']}"
    return name not in _VARIED and not name.startswith("nodes-")


_VARIED = ("question", "policy", "serving", "sheet", "demand", "seeds")


def like(study: Study) -> QueryDict:
    """The form as it would have been filled for `study`."""
    base, axes = study.base, study.axes
    given = QueryDict(mutable=True)
    given.update({"question": study.question, "base_policy": base["training"]["system"],
                  "base_serving": base["serving"]["system"], "seeds": str(axes.get("seeds", 10)),
                  "sampling": base["sampling"]["mode"]})  # fmt: skip
    for name in ("cluster", "workload", "prices", "slos"):
        given[name] = base.get(name) or ""
    given.setlist("policy", list(dict.fromkeys(v["system"] for v in axes.get("training", []))))
    given.setlist("serving", list(dict.fromkeys(v["system"] for v in axes.get("serving", []))))
    given.setlist("sheet", list(axes.get("prices", [])))
    given["demand"] = " ".join(f"{v:g}" for v in axes.get("demand_factors", []))
    given["horizon"] = f"{base['horizon_s'] / 86_400:g}" if base.get("horizon_s") else ""
    given["quotas"] = ", ".join(f"{k} {v:g}" for k, v in base.get("quotas", {}).items())
    for name, value in base.get("overheads", {}).items():
        given[f"overhead-{name}"] = "" if value is None else f"{value:g}"
    for variant in [base["training"], *axes.get("training", [])]:
        given[f"parameters-{variant['system']}"] = _settings(variant.get("parameters", {}))
    for pool, texts in _nodes(axes).items():
        given[f"nodes-{pool}"] = ", ".join(texts)
    return given


def _settings(parameters: dict[str, Any]) -> str:
    return "; ".join(f"{key} = {value}" for key, value in parameters.items())


def _nodes(axes: dict[str, Any]) -> dict[str, list[str]]:
    """Changes of one pool at a time, as they are typed."""
    typed: dict[str, list[str]] = {}
    for variant in axes.get("clusters", []):
        if len(variant["pool_changes"]) == 1:
            ((pool, change),) = variant["pool_changes"].items()
            delta = change.get("nodes_delta")
            typed.setdefault(pool, []).append(f"{delta:+d}" if delta is not None else str(change["nodes"]))
    return typed
