"""Google Cloud Billing SKUs: a machine's price is the sum of those of its GPUs, cores and memory, line by line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from simulation.catalogues.instance_types import InstanceType, instance_types
from simulation.formats.collector import CellError, Collector
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.gcp_sku import Sku, sku_of
from simulation.formats.interview import Interview
from simulation.formats.json_source import read_json
from simulation.formats.machine_price import machine, plain, price_totals, priced
from simulation.formats.reading import Question, Reading
from simulation.formats.source import Source

SLUG, VERSION = "gcp-skus", "1"
CLOUD, ALONE = "Google Cloud", "gpu-alone"


def detect_gcp_skus(text: str, filename: str) -> tuple[float, str]:
    fits = text.lstrip().startswith("{") and '"skus"' in text and '"pricingInfo"' in text
    return (0.95, "a page of the Cloud Billing Catalog") if fits else (0.0, "")


def read_gcp_skus(source: Source) -> Reading:
    """A row is the SKU of a GPU; the SKUs of cores and memory of the machine that was answered are folded into it."""
    document = read_json(source)
    found = document.get("skus") if isinstance(document, dict) else None
    if not isinstance(found, list):
        raise FormatError(source.name, line=1, expected="an object with a list of skus")
    collector, skipped = Collector("prices"), Counter[str]()
    skus = _read(found, collector, skipped)
    used: set[int] = set()
    for sku in (one for one in skus if one.part == "GPU"):
        chosen = _ask_machine(source.interview, sku)
        try:
            row = _price(sku, chosen, skus, used)
            collector.keep(row, (), sku.raw)
        except CellError as error:
            collector.reject(sku.place, error, sku.raw)
    others = [sku for sku in skus if sku.part != "GPU"]
    collector.folded = sum(sku.place in used for sku in others)
    collector.skipped += len(others) - collector.folded
    skipped["cores and memory of other machines"] += len(others) - collector.folded
    table = collector.table()
    facts = [*source.facts(), "Lines are places in the list of SKUs, from 1. Prices of parts are added as they are."]
    facts += [f"{n:,} SKUs skipped: {reason}." for reason, n in sorted(skipped.items()) if n]
    if document.get("nextPageToken"):
        facts.append("This is not the last page: what is on the next ones is not in this file.")
    totals = price_totals(table)
    return collector.reading(source, SLUG, VERSION, table, in_file=len(found), totals=totals, facts=facts)


def _read(found: list[Any], collector: Collector, skipped: Counter[str]) -> list[Sku]:
    skus = []
    for place, entry in enumerate(found, start=1):
        try:
            sku = sku_of(entry, place)
        except CellError as error:
            collector.reject(place, error, json.dumps(entry))
            continue
        if isinstance(sku, Sku):
            skus.append(sku)
        else:
            skipped[sku] += 1
            collector.skipped += 1
    return skus


def _ask_machine(interview: Interview, sku: Sku) -> str | None:
    """The machine type whose cores and memory go with the GPU; the same for all classes and regions of a model."""
    fitting = [one for one in _machines() if set(sku.model.split()) <= set(one.gpu_model.split("-"))]
    offered = [(one.name, f"{one.name}: {one.gpus} GPUs, {one.vcpus} vCPUs, {one.memory_gib:g} GiB") for one in fitting]
    return interview.ask(
        Question(
            f"machine.{sku.model}",
            f"In which machine is the {sku.model} used?",
            "choice",
            (*offered, (ALONE, "the GPU alone: no cores, no memory")),
            fitting[0].name if len(fitting) == 1 else None,
            "an hour costs the sum of GPUs, cores and memory; the GPU alone is not what anybody pays",
        )
    )


def _machines() -> Iterable[InstanceType]:
    return [one for one in instance_types().values() if one.cloud == CLOUD]


def _price(gpu: Sku, chosen: str | None, skus: list[Sku], used: set[int]) -> dict[str, Any]:
    if chosen is None or chosen == ALONE:
        hour, model = plain(gpu.amount), gpu.model if chosen else None
        alone = {"amount": hour, "unit": "gpu-hour", "per_hour": hour, "per_gpu_hour": hour, "formula": "GPU alone"}
        return {**gpu.columns(), **alone, "gpu_model": model}
    known = instance_types()[chosen]
    family = chosen.split("-", 1)[0].upper()
    total = gpu.amount * known.gpus
    terms = [f"{known.gpus} GPU x {plain(gpu.amount)}"]
    for part, quantity, unit in (
        ("Core", Decimal(known.vcpus), "vCPU"),
        ("Ram", Decimal(str(known.memory_gib)), "GiB"),
    ):
        other = next((sku for sku in skus if sku.goes_with(gpu, family, part)), None)
        if other is None:
            what = f"the SKU {family} Instance {part}, {gpu.usage}, of the same regions"
            raise CellError("description", gpu.description, what, f"no price of {part.lower()} to add")
        used.add(other.place)
        total += other.amount * quantity
        terms.append(f"{plain(quantity)} {unit} x {plain(other.amount)}")
    return {**priced(machine(chosen), total, f"{' + '.join(terms)} = {plain(total)}"), **gpu.columns()}


FORMAT = Format(
    SLUG,
    "Google Cloud SKUs",
    "prices",
    "a page of cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus",
    detect_gcp_skus,
    read_gcp_skus,
    reads="SKUs of GPUs, cores and memory: the price of the machine that is answered is their sum; class, currency, "
    "regions, since when",
    leaves="SKUs of other things, of cores and memory of other machines (counted); other pages",
    unknowns="which machine a GPU is used in is asked; where the SKU of its cores or memory is missing, the price is "
    "refused, for the GPU alone is not what an hour costs",
)
