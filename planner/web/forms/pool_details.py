"""What may be said of a pool beyond its row in the table, group by group.

Fields are named as in `simulation.hardware`, which decides what values can be; what is left empty is not said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms

from planner.web.forms.node_changes import ChangesField
from planner.web.forms.numbers import NumberField, SizeField, SpanField, WholeField
from simulation.hardware import Interruptions, Links, Pool


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    help: str
    fields: dict[str, forms.Field]


GROUPS = (
    Group(
        "Host",
        "Left empty, neither cores nor memory hold a job back.",
        {
            "cores_per_node": WholeField(label="CPU cores", unit="a node", required=False),
            "memory_per_node_bytes": SizeField(
                label="Host memory", unit="GiB a node", unit_bytes=2**30, required=False
            ),
        },
    ),
    Group(
        "Links",
        "An island is a set of GPUs joined at full rate (NVLink, NVSwitch), a rack the nodes behind one switch. Rates"
        " are usable GB/s in one direction; left empty, PCIe 3.0 x16 and a network of 100 Gb/s are taken.",
        {
            "island_gpus": WholeField(
                label="GPUs of an island", required=False, help_text="Empty: the whole node is one."
            ),
            "island_gb_s": NumberField(label="Rate inside an island", unit="GB/s a GPU", required=False),
            "node_gb_s": NumberField(label="Rate across islands", unit="GB/s a GPU", required=False),
            "network_gb_s": NumberField(
                label="Network", unit="GB/s a node", required=False, help_text="All ports of a node together."
            ),
            "rack_nodes": WholeField(
                label="Nodes of a rack", required=False, help_text="Empty: the whole pool is one."
            ),
            "oversubscription": NumberField(
                label="Oversubscription between racks", unit="×", required=False,
                help_text="4: a quarter of the rate leaves a rack. Empty: 1, none.",
            ),
        },
    ),
    Group(
        "Power and boot",
        "Some policies switch nodes off: what that saves, and what it costs.",
        {
            "node_overhead_w": NumberField(
                label="Power beside the GPUs", unit="W a node", required=False, help_text="Empty: 0, only GPUs count."
            ),
            "off_w": NumberField(
                label="Power when switched off", unit="W a node", required=False, help_text="Empty: 0."
            ),
            "boot_s": SpanField(
                label="Boot", required=False, help_text="From switched off to ready, such as 5 min. Empty: at once."
            ),
        },
    ),
    Group(
        "Interruptions",
        "Failures, and spot capacity that is taken back: each node is there for a random time (exponential, with the"
        " mean below), then away for one. Spans with their unit: 30 s, 5 min, 1.5 h, 10 d.",
        {
            "mean_up_s": SpanField(label="Time between interruptions", unit="mean", required=False),
            "mean_down_s": SpanField(label="Time until it is back", unit="mean", required=False),
            "notice_s": SpanField(
                label="Notice before", required=False,
                help_text="Spot capacity usually gives some; failures give none (empty).",
            ),
        },
    ),
    Group(
        "Recorded changes",
        "One a line, counted from the start of the scenario: a time, a number of nodes, and down or up.",
        {
            "changes": ChangesField(label="Changes", required=False),
            "starts_down": forms.BooleanField(
                label="All its nodes are down at the start, until a change brings them up", required=False
            ),
        },
    ),
)  # fmt: skip

FIELDS = {name: field for group in GROUPS for name, field in group.fields.items()}


def said_of(pool: Pool) -> dict[str, Any]:
    """What a pool says, its parts laid flat as the form has them; without what saying nothing would mean as well."""
    said = pool.model_dump(exclude_defaults=True)
    links, interruptions = said.pop("links", {}), said.pop("interruptions", {})
    return {**said, **links, **interruptions}


def whole_of(name: str) -> str:
    """The field of a pool that a field of the form is a part of; its origin is told as one."""
    return "links" if name in Links.model_fields else "interruptions" if name in Interruptions.model_fields else name
