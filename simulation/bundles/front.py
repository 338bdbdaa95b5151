"""The front of a bundle: which scenarios no other beats in two metrics."""

from __future__ import annotations

from simulation.bundles.experiment import Experiment
from simulation.bundles.front_picture import Point, figure, picture
from simulation.bundles.layout import FRONT_DATA, FRONT_PICTURE
from simulation.bundles.tables import table
from simulation.metrics.definitions import METRICS
from simulation.provenance import weakest
from simulation.scenario import Scenario, canonical_bytes
from simulation.search.fronts import pareto_front
from simulation.statistics.intervals import estimate


def front_files(experiment: Experiment) -> dict[str, bytes]:
    points = _points(experiment)
    x, y = experiment.axes
    rows = (
        {"scenario": p.scenario, "x_metric": x, "x": p.x, "y_metric": y, "y": p.y, "status": p.status} for p in points
    )
    return {
        "outputs/front.csv": table("outputs/front.csv", rows),
        FRONT_DATA: canonical_bytes(figure(points, x, y)) + b"\n",
        FRONT_PICTURE: picture(points, x, y).encode(),
    }


def _points(experiment: Experiment) -> list[Point]:
    """One a scenario that has results. Those of another family than the first are beside the front, not on it."""
    finished = [i for i in range(len(experiment.scenarios)) if experiment.documents_of(i)]
    means = {i: _means(experiment, i) for i in finished}
    compared = [i for i in finished if experiment.families[i] == experiment.families[0]]
    better = [METRICS[metric].better or "lower" for metric in experiment.axes]
    places = [[means[i][metric] for metric in experiment.axes] for i in compared]
    found = pareto_front(places, better, [_feasible(experiment.scenarios[i], means[i]) for i in compared])
    status = dict.fromkeys(finished, "not comparable")
    named = {"front": found.front, "dominated": found.dominated, "infeasible": found.infeasible}
    for word, members in {**named, "unknown": found.set_aside}.items():
        status |= {compared[member]: word for member in members}
    return [_point(experiment, i, means[i], status[i]) for i in finished]


def _point(experiment: Experiment, place: int, means: dict[str, float | None], status: str) -> Point:
    documents = experiment.documents_of(place).values()
    origin = weakest(d["metrics"][metric]["origin"] for d in documents for metric in experiment.axes)
    x, y = (means[metric] for metric in experiment.axes)
    return Point(experiment.scenarios[place].name, x, y, origin, status)


def _means(experiment: Experiment, place: int) -> dict[str, float | None]:
    entries = [document["metrics"] for document in experiment.documents_of(place).values()]
    by_metric = {name: [entry[name]["value"] for entry in entries] for name in entries[0]}
    return {name: None if None in values else estimate(values).mean for name, values in by_metric.items()}


def _feasible(scenario: Scenario, means: dict[str, float | None]) -> bool:
    """Whether no hard limit is missed; a limit on an unknown value is not kept."""
    for slo in scenario.slos:
        value = means.get(slo.metric)
        at_least = slo.metric in METRICS and METRICS[slo.metric].better == "higher"
        if slo.hard and (value is None or (value < slo.limit if at_least else value > slo.limit)):
            return False
    return True
