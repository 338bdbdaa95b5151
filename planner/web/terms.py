"""Words of the pages that are not metrics, each in a sentence."""

from __future__ import annotations

from simulation.provenance import Origin

ORIGIN_MEANINGS = {
    Origin.MEASURED: "read from a real machine: a log's own start and end times, power samples, a price list",
    Origin.SIMULATED: "produced by a run of this engine: run, engine version, seed and digests of the inputs are kept",
    Origin.CITED: "published by others, with system, metric, hardware, workload and exact place",
    Origin.ASSUMED: "typed in by a person: who, when and why are kept",
    Origin.ILLUSTRATIVE: "made up in order to explain or to try out; proves nothing",
}

TERMS = (
    ("Cluster", "Pools of equal nodes with their GPUs; every edit makes a new revision, and revisions never change."),
    ("Price sheet", "Prices per GPU-hour, by pool or by GPU model, with electricity and carbon where they are known."),
    ("Workload", "Training jobs and services with their requests: from a log, a trace or a generator."),
    ("SLO", "A limit on a metric. A hard limit decides whether a scenario is feasible; a soft one is a preference."),
    ("Study", "A question: a base scenario and the axes along which it is varied."),
    ("Scenario", "One cluster, workload, price sheet and policy, with the list of what differs from the base."),
    ("Seed", "The number that random draws start from. Scenarios of a study share them and are compared in pairs."),
    ("Run", "One scenario with one seed, computed once by a worker."),
    ("Replication", "The same scenario under another seed: the spread over seeds gives the interval."),
    ("Interval", "The range that holds the true mean with 95 % confidence, from the replications."),
    ("No difference shown", "The interval of the paired difference to the baseline includes zero."),
    ("1 seed", "Only one replication is finished: there is no interval, and nothing can be said about a difference."),
    ("Front", "The feasible scenarios that no other feasible scenario beats in both metrics of the figure."),
    ("Dominated", "Another feasible scenario is at least as good in both metrics and better in one."),
    ("Infeasible", "A hard limit is missed; such a scenario never enters the front."),
    ("Knee", "The point of the front after which each further gain costs the most."),
    ("Hypervolume", "The area that the front dominates, up to the stated corner; larger is better."),
    ("Comparable", "Runs share a front if workload, cluster, horizon and metric agree, but for what the study varies."),
    ("Binding limit", "The limit that alone turns most scenarios away."),
    ("Gang", "GPUs that a job needs all at once."),
    ("Rate profile", "How fast a job is by GPU model, number and spread of GPUs: measured, or modelled."),
    ("Extrapolated rate", "One outside of what was measured, or over a link of unknown bandwidth; runs count them."),
    ("Goodput", "Samples a second times what each still teaches at that batch size; the useful speed of training."),
    ("Checkpoint", "Saved progress: what an interruption without notice cannot take away."),
    ("Fate", "How a job ends whatever the policy: completed, failed, or killed by its user."),
    ("Domain", "All equal GPUs of a cluster, whichever pool they are in; a gang stays inside one."),
    ("Entitled share", "The part of the cluster that a tenant may count on: its quota, else an equal share."),
    ("Baseline", "The scenario that differences are taken against; any row of the table can be it."),
)  # fmt: skip
