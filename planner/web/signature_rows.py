"""The signature of a system as its page shows it: two figures on one axis, and a verdict in a sentence."""

from __future__ import annotations

from typing import Any

from planner.evidence.models import SignatureRun
from planner.web.figures.effects import Gain, effect_figure
from planner.web.figures.figure import Figure, Source
from simulation.provenance import Origin


def signature_figures(run: SignatureRun, title: str, workload: str) -> list[Figure]:
    """`title` and `workload` in the words of the system."""
    found = run.document
    seeds = f"engine {found['engine']}, {workload}; {len(found['seeds'])} paired seeds, whiskers 95 %."
    against = f"against {found['baseline']}{_changes(found)}"
    quantity = f"{found['quantity'][:1].upper()}{found['quantity'][1:]}, {found['direction']} by"
    whole = _gains("with it", found)
    cut = _gains(f"{found['ablated']}: {found['replaced_by']}", found["when_ablated"])
    return [
        effect_figure(
            "signature", f"Signature: {_after_a_colon(title)}", quantity, whole, cut,
            source=Source(Origin.SIMULATED, f"{against}, {seeds}"),
        ),
        effect_figure(
            "ablation", f"Ablation: {found['ablated']} as in the baseline", quantity, cut, whole,
            source=Source(Origin.SIMULATED, f"same draws. {verdict(found)}"),
        ),
    ]  # fmt: skip


def _after_a_colon(title: str) -> str:
    return title if title[:2].isupper() else f"{title[:1].lower()}{title[1:]}"


def verdict(found: dict[str, Any]) -> str:
    """What signature and ablation say together."""
    family = found["ablated"]
    if not found["shown"]:
        return "The signature does not hold: the effect is not shown."
    if found["shown_when_ablated"]:
        return f"The effect survives: {family} is not what decides."
    return f"Without its {family} the effect is not shown any more. So {family} decides."


def further(found: dict[str, Any]) -> list[dict[str, Any]]:
    """What must show besides, in words."""
    return [
        {"name": f"{e['quantity']}, {e['direction']}", "text": _text(e), "said": "shown" if e["shown"] else "not shown"}
        for e in found["also"]
    ]


def _text(effect: dict[str, Any]) -> str:
    if effect["effect"] is None or effect["interval"] is None:
        return "unknown"
    scale, unit = (100.0, "%") if effect["relative"] else (1.0, effect["unit"])
    low, high = (scale * end for end in effect["interval"])
    return f"by {scale * effect['effect']:.1f} [{low:.1f}, {high:.1f}] {unit}".rstrip()


def _changes(found: dict[str, Any]) -> str:
    return "".join(f" with {key} {value}" for key, value in found["baseline_changes"].items())


def _gains(name: str, effect: dict[str, Any]) -> list[Gain]:
    """In percent: of the baseline's value, or, of a share, in points."""
    if effect["effect"] is None or effect["interval"] is None:
        return []
    mean, low, high = (100 * v for v in (effect["effect"], *effect["interval"]))
    shown = effect["interval"][0] > effect["least"]
    return [Gain(name, mean, low, high, 100 * effect["least"], shown, effect["n"])]
