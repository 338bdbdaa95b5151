"""What the planner says about systems, asked of the engine's registry. The engine is loaded when first asked."""

from __future__ import annotations

from simulation.scenario import Choice

WORKLOADS = {"training": "training", "serving": "inference"}  # role in a scenario -> what the registry calls it

# Baselines that a fair comparison of training policies has, each told by the stages of a recipe.
BASELINES = {
    "first come, first served inside static quotas": {"ordering": {"arrival"}, "tenancy": {"static-quota"}},
    "a policy that prefers short jobs": {"ordering": {"shortest", "shortest-remaining"}},
    "a policy that looks at GPU time and shares": {"ordering": {"attained-service", "least-share"}},
}


def titles() -> dict[str, str]:
    """Short name of each system by its slug."""
    from simulation.systems.registry import SYSTEMS

    return {slug: system.name for slug, system in SYSTEMS.items()}


def complaints(role: str, choice: Choice) -> list[tuple[str, str]]:
    """What the engine would not take of `choice`, as (part, sentence): the system, or its parameters."""
    from simulation.systems.policy import policy_of
    from simulation.systems.registry import SYSTEMS, recipe_for

    try:
        recipe = recipe_for(choice.system, choice.parameters, WORKLOADS[role])
        if role == "training":
            policy_of(recipe)  # refuses stages that do not go together
    except ValueError as error:
        known = choice.system in SYSTEMS and SYSTEMS[choice.system].workload == WORKLOADS[role]
        return [("parameters" if known else "system", str(error))]
    return []


def regime(choice: Choice) -> str:
    """What a policy, of training or of services, may know: blind, estimate, oracle, ..."""
    from simulation.systems.registry import SYSTEMS, recipe_for

    workload = SYSTEMS[choice.system].workload if choice.system in SYSTEMS else "training"
    return recipe_for(choice.system, choice.parameters, workload).information.name.lower()


def baselines_of(choice: Choice) -> set[str]:
    """Which of the baselines a training policy can stand for."""
    from simulation.systems.registry import recipe_for

    stages = {f: s["member"] for f, s in recipe_for(choice.system, choice.parameters, "training").describe().items()}
    return {
        words
        for words, wanted in BASELINES.items()
        if all(stages.get(family) in members for family, members in wanted.items())
    }
