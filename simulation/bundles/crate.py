"""ro-crate-metadata.json: the bundle as an RO-Crate of the Process Run profile, told from its other files."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Final

from simulation.bundles.checksums import sha256
from simulation.bundles.description import Description
from simulation.bundles.experiment import Publication
from simulation.bundles.layout import CRATE, OUTPUTS, described, media_type
from simulation.bundles.licences import LICENCES
from simulation.scenario import canonical_bytes

CRATE_VERSION: Final = "1.1"
PROFILE_VERSION: Final = "0.5"
_CRATE: Final = f"https://w3id.org/ro/crate/{CRATE_VERSION}"
_PROFILE: Final = f"https://w3id.org/ro/wfrun/process/{PROFILE_VERSION}"
_ACTION: Final = "#runs"
_RELEASES: Final = "https://headroom.invalid/engine"
"""An absolute address is wanted, and releases have none yet: names under .invalid are reserved for leading nowhere."""
_SPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "urn:headroom")
"""People and organisations have no address of their own here; equal names get equal identifiers."""

Entity = dict[str, Any]


def crate_file(files: Mapping[str, bytes], description: Description, publication: Publication) -> bytes:
    """The metadata of `files`; call it when they are complete."""
    graph = [
        _about_itself(),
        _root(files, description, publication),
        *_context(publication),
        _software(description.engine),
        _action(files, description, publication),
        *(_file(name, content) for name, content in sorted(files.items())),
    ]
    return canonical_bytes({"@context": f"{_CRATE}/context", "@graph": graph}) + b"\n"


def _about_itself() -> Entity:
    return {"@id": CRATE, "@type": "CreativeWork", "conformsTo": _link(_CRATE), "about": _link("./")}


def _root(files: Iterable[str], description: Description, publication: Publication) -> Entity:
    runs = f"{len(description.scenarios)} scenarios, {len(description.runs)} runs"
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": description.title,
        "description": f"Simulated with the Headroom engine {description.engine}: {runs}.",
        "datePublished": publication.date,
        "license": _link(LICENCES[publication.licence].address),
        "conformsTo": _link(_PROFILE),
        "author": _link(_person(publication)),
        "publisher": _link(_organisation(publication)),
        "hasPart": _links(sorted(files)),
        "mentions": _link(_ACTION),
    }


def _context(publication: Publication) -> list[Entity]:
    """The profile, the licence, who made it and for whom."""
    licence = LICENCES[publication.licence]
    return [
        {"@id": _PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": PROFILE_VERSION},
        {
            "@id": licence.address,
            "@type": "CreativeWork",
            "name": licence.name,
            "description": licence.description,
        },
        {
            "@id": _person(publication),
            "@type": "Person",
            "name": publication.author,
            "affiliation": _link(_organisation(publication)),
        },
        {
            "@id": _organisation(publication),
            "@type": "Organization",
            "name": publication.organisation,
            "url": _organisation(publication),
        },
    ]


def _software(engine: str) -> Entity:
    return {
        "@id": _release(engine),
        "@type": "SoftwareApplication",
        "name": "Headroom engine",
        "softwareVersion": engine,
        "url": _release(engine),
    }


def _action(files: Iterable[str], description: Description, publication: Publication) -> Entity:
    """All runs of the bundle as one act: it began with the first and ended with the last."""
    started = [run.started for run in description.runs if run.started]
    finished = [run.finished for run in description.runs if run.finished]
    failed = [run for run in description.runs if run.sha256 is None]
    ended = "FailedActionStatus" if failed else "CompletedActionStatus"
    action = {
        "@id": _ACTION,
        "@type": "CreateAction",
        "name": f"Simulation of {len(description.runs)} runs",
        "description": f"Run again with: {description.command}",
        "startTime": min(started, default=publication.date),
        "endTime": max(finished, default=publication.date),
        "actionStatus": f"http://schema.org/{ended}",
        "instrument": _link(_release(description.engine)),
        "agent": _link(_person(publication)),
        "object": _links(name for name in sorted(files) if name.startswith("inputs/")),
        "result": _links(name for name in sorted(files) if name.startswith(OUTPUTS)),
    }
    return action | ({"error": f"{len(failed)} runs have no result: {failed[0].reason}"} if failed else {})


def _file(name: str, content: bytes) -> Entity:
    words = described(name)
    return {
        "@id": name,
        "@type": "File",
        "name": words.name,
        "description": words.description,
        "encodingFormat": media_type(name),
        "contentSize": str(len(content)),
        "sha256": sha256(content),
    }


def _link(address: str) -> Entity:
    return {"@id": address}


def _links(names: Iterable[str]) -> Any:
    """One link, or a list of several: a list of one is not what validators expect."""
    links = [_link(name) for name in names]
    return links[0] if len(links) == 1 else links


def _person(publication: Publication) -> str:
    return f"urn:uuid:{uuid.uuid5(_SPACE, f'person {publication.author} of {publication.organisation}')}"


def _organisation(publication: Publication) -> str:
    return f"urn:uuid:{uuid.uuid5(_SPACE, f'organisation {publication.organisation}')}"


def _release(engine: str) -> str:
    return f"{_RELEASES}/{engine}"
