"""The cited library as it is asked for: filtered, by system, never ranked; and what of it stands beside a study."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from simulation.library.published import CONFIDENCES, Published, about, claims, works
from simulation.metrics.definitions import METRICS

FIELDS = ("system", "metric", "confidence")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for; `notes` tell what of it is not known and was left out."""

    system: str = ""
    metric: str = ""
    confidence: str = ""
    notes: tuple[str, ...] = ()

    @property
    def narrow(self) -> bool:
        return bool(self.system or self.metric or self.confidence)

    def holds(self, one: Published) -> bool:
        pairs = ((self.system, one.work.slug), (self.metric, one.of), (self.confidence, one.claim.confidence))
        return all(asked in ("", found) for asked, found in pairs)


def asked_of(query: Mapping[str, str]) -> Asked:
    known: dict[str, Collection[str]] = {"system": works(), "metric": metrics(), "confidence": CONFIDENCES}
    asked = {name: query.get(name, "") for name in FIELDS}
    wrong = [name for name, value in asked.items() if value and value not in known[name]]
    notes = tuple(f"There is no {name} “{asked[name][:40]}” in the library; all are shown." for name in wrong)
    return Asked(**{name: "" if name in wrong else value for name, value in asked.items()}, notes=notes)


def library(asked: Asked) -> list[Published]:
    """Claims by system: an order that says nothing about who is better."""
    return [one for one in claims() if asked.holds(one)]


def metrics() -> dict[str, str]:
    """Metrics of the engine that somebody has published a claim about, with their titles."""
    there = {one.of for one in claims()}
    return {name: metric.title for name, metric in METRICS.items() if name in there}


@dataclass(frozen=True, slots=True)
class Beside:
    """What was published about one metric of a study: claims of its own systems, and how many there are in all."""

    metric: str
    title: str
    own: tuple[Published, ...]
    total: int


def beside(metrics: Collection[str], systems: Collection[str]) -> list[Beside]:
    """For each of `metrics` that anybody has published about. Annotations: no figure of a study is joined to them."""
    found = [(name, about(name)) for name in dict.fromkeys(metrics)]
    return [
        Beside(name, METRICS[name].title, tuple(one for one in all_ if one.work.slug in systems), len(all_))
        for name, all_ in found
        if all_
    ]
