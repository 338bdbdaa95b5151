"""A recipe: one mechanism for each stage that a system uses, and what a scenario may change in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from simulation.engine.view import Regime
from simulation.mechanisms.families import FAMILIES
from simulation.mechanisms.inputs.inputs import Inputs
from simulation.mechanisms.network.network import Network
from simulation.mechanisms.ordering import Ordering
from simulation.mechanisms.parameters import Mechanism
from simulation.mechanisms.placement import Placement
from simulation.mechanisms.power.power import Power
from simulation.mechanisms.preemption import Preemption
from simulation.mechanisms.scaling import StaticReplicas, UtilisationAutoscaler
from simulation.mechanisms.sharing.sharing import Sharing
from simulation.mechanisms.sizing import Sizing
from simulation.mechanisms.tenancy import Tenancy
from simulation.mechanisms.walk import Walk

PLACE_TAKEN = ("ordering", "walk", "preemption", "tenancy")  # by a sizing member that plans the whole assignment
ADDED = ("sharing", "network", "inputs", "power")  # to any training system


@dataclass(frozen=True)
class Recipe:
    """Stages that a system leaves empty are None: a training system scales no services, and the reverse.

    A sizing member that plans the whole assignment takes the place of ordering, walk, preemption and tenancy, as far
    as the system leaves them empty.
    """

    ordering: Ordering | None = None
    walk: Walk | None = None
    placement: Placement | None = None
    preemption: Preemption | None = None
    sizing: Sizing | None = None
    tenancy: Tenancy | None = None
    sharing: Sharing | None = None
    network: Network | None = None
    inputs: Inputs | None = None
    power: Power | None = None
    scaling: StaticReplicas | UtilisationAutoscaler | None = None

    @property
    def stages(self) -> dict[str, Mechanism]:
        """Filled stages by family, in the order of a decision."""
        found = {f.name: getattr(self, f.name) for f in fields(self)}
        return {family: member for family, member in found.items() if member is not None}

    @property
    def replaceable(self) -> tuple[str, ...]:
        """Families of which a scenario may name a member, though some may be empty now."""
        if self.sizing is None:
            return tuple(self.stages)
        others = (*(PLACE_TAKEN if self.sizing.plans else ()), *ADDED)
        return (*self.stages, *(family for family in others if family not in self.stages))

    @property
    def information(self) -> Regime:
        """The strongest regime that a stage needs."""
        stages = (
            self.ordering, self.walk, self.placement, self.sizing, self.tenancy, self.sharing, self.network,
            self.inputs, self.power,
        )  # fmt: skip
        return max((stage.information for stage in stages if stage), default=Regime.BLIND)

    def describe(self) -> dict[str, Any]:
        """JSON: stage -> {"member": name, "parameters": {name: value}}."""
        return {
            family: {"member": type(stage).member, "parameters": stage.values()}  # type: ignore[attr-defined]
            for family, stage in self.stages.items()
        }

    def parameters(self) -> list[dict[str, Any]]:
        """One row a parameter of the stages, with its key in a scenario ("ordering.promote")."""
        return [
            {"key": f"{family}.{row['name']}", "family": family, **row}
            for family, stage in self.stages.items()
            for row in stage.parameters()
        ]

    def changed(self, overrides: Mapping[str, Any]) -> Recipe:
        """This recipe with "family.parameter": value, or "family": member name (applied first), replaced.

        Raises ValueError naming the key and what was expected.
        """
        recipe = self
        for key in sorted(overrides, key=lambda key: ("." in key, key)):
            family, _, name = key.partition(".")
            if family not in (recipe.stages if name else self.replaceable):
                raise ValueError(f"parameter {key!r}: expected a stage of this system ({', '.join(self.stages)})")
            try:
                stage = recipe.stages[family].changed(name, overrides[key]) if name else _member(family, overrides[key])
            except ValueError as error:
                raise ValueError(f"parameter {key!r}: {error}") from error
            changes: dict[str, Any] = {family: stage}
            recipe = replace(recipe, **changes)
        return recipe


def _member(family: str, name: object) -> Mechanism:
    members = FAMILIES[family]
    if name not in members:
        raise ValueError(f"is {name!r}, expected one of {', '.join(members)}")
    member: Mechanism = members[str(name)]()
    return member
