"""Each page as calls of the API: which addresses give what it shows and do what its buttons do."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse


@dataclass(frozen=True, slots=True)
class Call:
    """`name` is that of a route in the namespace `api`; arguments that it does not share with the page are `fixed`."""

    method: str
    name: str
    fixed: Mapping[str, str] = field(default_factory=dict)
    keeps_view: bool = False  # takes the page's own query


def _get(name: str, *, keeps_view: bool = False, **fixed: str) -> Call:
    return Call("GET", name, fixed, keeps_view)


def _post(name: str) -> Call:
    return Call("POST", name)


def _patch(name: str) -> Call:
    return Call("PATCH", name)


def _of_kind(folder: str, one: str, *tables: str) -> Iterator[tuple[str, tuple[Call, ...]]]:
    """The pages that all kinds of the catalogue have."""
    revisions = f"{one}-revisions"
    yield folder, (_get(folder),)
    yield one, (_get(one, keeps_view=True), *(_get(t, keeps_view=True) for t in tables), _get(revisions))
    yield f"{one}-archive", (_patch(one),)
    yield f"{one}-rename", (_patch(one),)
    yield f"{one}-changes", (_get(f"{one}-changes", keeps_view=True),)
    yield f"{one}-file", (_get(one, keeps_view=True), *(_get(t, keeps_view=True) for t in tables))
    if one != "workload":
        yield f"{one}-new", (_post(folder),)
        yield f"{one}-edit", (_get(one), _post(revisions))


_VIEWED = (_get("study-front", keeps_view=True), _get("study-board", keeps_view=True))
_TABLES = tuple(_get("run-table", table=table) for table in ("metrics", "tenants", "services", "costs", "latency"))
_PARTS = tuple(_get(folder) for folder in ("clusters", "workloads", "prices", "slos"))

CALLS: dict[str, tuple[Call, ...]] = {
    "home": (_get("me"), _get("workspaces")),
    "tokens": (_get("tokens"),),
    "token-revoke": (_post("token-revoke"),),
    "glossary": (_get("glossary"),),
    "fidelity": (_get("fidelity", keeps_view=True),),
    "fidelity-table": (_get("fidelity", keeps_view=True),),
    "speed": (_get("speed"), _get("fidelity")),
    "workspace-new": (_post("workspaces"),),
    "example-new": (_post("example"),),
    "workspace": (_get("workspace"), _get("studies"), _get("queue"), *_PARTS),
    "workspace-pulse": (_get("workspace"), _get("queue")),
    "workspace-delete": (Call("DELETE", "workspace"),),
    "audit": (_get("audit", keeps_view=True),),
    "audit-file": (_get("audit", keeps_view=True),),
    **dict(_of_kind("clusters", "cluster", "cluster-pools")),
    **dict(_of_kind("prices", "price-sheet", "price-sheet-lines", "price-sheet-cost")),
    **dict(_of_kind("workloads", "workload")),
    **dict(_of_kind("slos", "slo-set", "slo-set-limits")),
    "workload-combine": (_post("workload-combine"),),
    "imports": (_get("imports"),),
    "import-new": (_get("formats"), _post("imports")),
    "import": (_get("import"), _patch("import"), _post("import-accept"), _get("import-rejected")),
    "import-rejected": (_get("import-rejected"),),
    "import-discard": (_post("import-discard"),),
    "import-again": (_post("import-again"),),
    "bundle-import": (_post("bundle-import"),),
    "studies": (_get("studies"),),
    "study-new": (_get("study-proposal"), *_PARTS, _get("systems"), _post("studies")),
    "study-new-plan": (_post("study-plan"),),
    "study": (_get("study"), *_VIEWED, _get("study-scenarios")),
    "study-progress": (_get("study-progress"),),
    "study-cancel": (_post("study-cancel"),),
    "study-file": (*_VIEWED, _get("study-scenarios")),
    "study-figure": (_get("study-front", keeps_view=True),),
    "study-report": (*_VIEWED, _get("study-scenarios"), _get("study-evidence")),
    "study-share": (_get("study-shares"), _post("study-shares")),
    "share-revoke": (_post("share-revoke"),),
    "study-source": (_get("study-source", keeps_view=True),),
    "study-exceptions": (_get("study-exceptions"), _post("study-exceptions")),
    "study-evidence": (_get("study-evidence"), _get("study-agreement")),
    "study-take": (_get("study-bundle"),),
    "study-bundle": (_get("study-bundle", keeps_view=True),),
    "run": (_get("run"), *_TABLES, _get("run-measured"), _get("run-result")),
    "run-file": (_get("run-table"),),
    "run-figure": (_get("run-result"),),
    "run-report": (_get("run"), *_TABLES, _get("run-evidence")),
    "run-share": (_get("run-shares"), _post("run-shares")),
    "run-progress": (_get("run"),),
    "run-numbers": (_get("run-numbers", keeps_view=True),),
    "run-trace": (_get("run-trace"),),
    "run-evidence": (_get("run-evidence"),),
    "run-take": (_get("run-bundle"),),
    "run-bundle": (_get("run-bundle", keeps_view=True),),
    "run-json": (_get("run-result"),),
    "run-cancel": (_post("run-cancel"),),
    "run-retry": (_post("run-retry"),),
    "queue": (_get("queue"), _get("runs")),
    "queue-progress": (_get("queue"),),
    "queue-count": (_get("workspace"),),
    "systems": (_get("systems"),),
    "systems-file": (_get("systems"),),
    "system": (_get("system"), _post("system-signature")),
    "system-signature": (_post("system-signature"),),
    "system-signature-state": (_get("system"),),
    "sources": (_get("sources", keeps_view=True),),
    "source-correction": (_post("source-correction"),),
    "library": (_get("library", keeps_view=True),),
    "grid": (_get("grid", keeps_view=True),),
}
"""Page -> calls. A test fails where a page is missing here and has no reason to be."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A call as people copy it."""

    method: str
    path: str
    shell: str
    python: str


def calls_of(request: HttpRequest) -> list[Shown]:
    """The page that was asked for, as calls."""
    at = request.resolver_match
    if at is None or at.namespaces:
        return []
    query = request.META.get("QUERY_STRING", "")
    return [
        _shown(request, call, address(call, at.kwargs), query if call.keeps_view else "")
        for call in CALLS.get(at.url_name or "", ())
    ]


def address(call: Call, arguments: Mapping[str, Any]) -> str:
    """Where `call` goes, with as many of the page's arguments as it shares, from the left."""
    own = [(name, value) for name, value in arguments.items() if name != "kind"]
    for shared in range(len(own), -1, -1):
        try:
            return reverse(f"api:{call.name}", kwargs={**dict(own[:shared]), **call.fixed})
        except NoReverseMatch:
            continue
    raise NoReverseMatch(f"api:{call.name} needs more than the page has: {sorted(arguments)}")


def _shown(request: HttpRequest, call: Call, path: str, query: str) -> Shown:
    full = f"{path}?{query}" if query else path
    url = shlex.quote(request.build_absolute_uri(full))
    words = ["curl", "-H", '"Authorization: Bearer $HEADROOM_TOKEN"']
    words += [] if call.method == "GET" else ["-X", call.method]
    words += ["-H", "'Content-Type: application/json'", "-d", "@body.json"] if call.method in ("POST", "PATCH") else []
    return Shown(call.method, full, " ".join([*words, url]), _python(call.method, full))


def _python(method: str, path: str) -> str:
    if path.partition("?")[0].endswith(".zip"):
        return f"headroom.download({path.removeprefix('/api/v1/')!r}, 'bundle.zip')"
    body = ", body" if method in ("POST", "PATCH") else ""
    act = "frame" if method == "GET" else method.lower()
    return f"headroom.{act}({path.removeprefix('/api/v1/')!r}{body})"
