"""What every address asks of whoever comes: the table behind the matrix of who may do what."""

from __future__ import annotations

PUBLIC, SIGNED_IN, OWN, READ, EDIT, ADMINISTER = "public", "signed in", "own", "read", "edit", "administer"
REVIEW = "review"
"""OWN: things of one person, which exist for nobody else."""

_READ_ONLY_PAGES = (
    "workspace", "workspace-pulse", "studies", "study", "study-progress", "study-source", "run",
    "run-progress", "run-json", "queue", "queue-progress", "queue-count", "systems", "system",
    "system-signature-state", "library", "grid", "imports",
    "import-rejected", "study-evidence", "study-take", "study-bundle", "run-evidence", "run-take", "run-bundle",
    "run-numbers", "run-trace", "sources", "study-file", "study-figure", "study-report", "run-file", "run-figure",
    "run-report", "systems-file",
)  # fmt: skip
_ACTS = (
    "study-new-plan", "study-cancel", "run-cancel", "run-retry", "system-signature", "workload-combine",
    "import-discard", "import-again", "share-revoke",
)  # fmt: skip
_KINDS = (("clusters", "cluster"), ("prices", "price-sheet"), ("workloads", "workload"), ("slos", "slo-set"))


def _pages() -> dict[str, dict[str, str]]:
    rows = {name: {"GET": READ} for name in _READ_ONLY_PAGES} | {name: {"POST": EDIT} for name in _ACTS}
    for folder, one in _KINDS:
        rows |= {folder: {"GET": READ}, one: {"GET": READ}, f"{one}-changes": {"GET": READ}}
        rows[f"{one}-file"] = {"GET": READ}
        rows |= {f"{one}-archive": {"POST": EDIT}, f"{one}-rename": {"POST": EDIT}}
        if one != "workload":
            rows |= {f"{one}-{act}": {"GET": EDIT, "POST": EDIT} for act in ("new", "edit")}
    return rows | {
        "home": {"GET": SIGNED_IN},
        "sign-in": {"GET": PUBLIC, "POST": PUBLIC},
        "sign-out": {"POST": PUBLIC},
        "health": {"GET": PUBLIC},
        **{name: {"GET": SIGNED_IN} for name in ("glossary", "fidelity", "fidelity-table", "speed")},
        "api-docs": {"GET": SIGNED_IN},
        "tokens": {"GET": SIGNED_IN, "POST": SIGNED_IN},
        "token-revoke": {"POST": OWN},
        "workspace-new": {"GET": SIGNED_IN, "POST": SIGNED_IN},
        "example-new": {"POST": SIGNED_IN},
        "workspace-delete": {"POST": ADMINISTER},
        "audit": {"GET": ADMINISTER},
        "audit-file": {"GET": ADMINISTER},
        "study-share": {"GET": EDIT, "POST": EDIT},
        "run-share": {"GET": EDIT, "POST": EDIT},
        "shared": {"GET": PUBLIC},
        "study-new": {"GET": EDIT, "POST": EDIT},
        "import-new": {"GET": EDIT, "POST": EDIT},
        "bundle-import": {"GET": EDIT, "POST": EDIT},
        "import": {"GET": READ, "POST": EDIT},
        "study-exceptions": {"GET": READ, "POST": REVIEW},
        "source-correction": {"GET": EDIT, "POST": EDIT},
    }


def _api() -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for folder, one in _KINDS:
        typed = {} if one == "workload" else {"POST": EDIT}
        rows |= {folder: {"GET": READ, **typed}, f"{one}-revisions": {"GET": READ, **typed}}
        rows |= {one: {"GET": READ, "PATCH": EDIT}, f"{one}-changes": {"GET": READ}}
    tables = ("cluster-pools", "price-sheet-lines", "price-sheet-cost", "slo-set-limits", "import-rejected",
              "study-proposal", "study-progress", "study-scenarios", "study-board", "study-front", "study-source",
              "runs", "run", "run-result", "run-table", "run-measured", "queue", "systems", "system", "library",
              "grid", "study-evidence", "study-agreement", "study-bundle", "run-evidence", "run-bundle",
              "run-numbers", "run-trace", "sources")  # fmt: skip
    acts = ("workload-combine", "import-accept", "import-discard", "import-again", "study-plan", "study-cancel",
            "run-cancel", "run-retry", "system-signature", "bundle-import", "share-revoke",
            "source-correction")  # fmt: skip
    rows |= {name: {"GET": READ} for name in tables} | {name: {"POST": EDIT} for name in acts}
    rows |= {
        name: {"GET": SIGNED_IN} for name in ("me", "tokens", "gpu-models", "formats", "glossary", "fidelity", "speed")
    }
    return rows | {
        "openapi": {"GET": PUBLIC},
        "token-revoke": {"POST": OWN},
        "workspaces": {"GET": SIGNED_IN, "POST": SIGNED_IN},
        "example": {"POST": SIGNED_IN},
        "workspace": {"GET": READ, "DELETE": ADMINISTER},
        "audit": {"GET": ADMINISTER},
        "study-shares": {"GET": EDIT, "POST": EDIT},
        "run-shares": {"GET": EDIT, "POST": EDIT},
        "imports": {"GET": READ, "POST": EDIT},
        "import": {"GET": READ, "PATCH": EDIT},
        "studies": {"GET": READ, "POST": EDIT},
        "study": {"GET": READ, "PATCH": EDIT},
        "study-exceptions": {"GET": READ, "POST": REVIEW},
    }


CONDITIONS: dict[str, dict[str, str]] = _pages() | {f"api:{name}": row for name, row in _api().items()}
"""Route -> method -> what is asked for."""
EXEMPT = {"api:nowhere": "answers 404 to everybody"}
