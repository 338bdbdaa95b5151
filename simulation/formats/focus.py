"""FOCUS billing rows: four costs that are never mixed, and which rows are hours of GPU machines."""

from __future__ import annotations

import re
from datetime import UTC
from functools import cache
from typing import Any

from simulation.catalogues.instance_types import instance_types
from simulation.formats.charges import COSTS, charge_totals, rounded_costs
from simulation.formats.collector import CellError, Collector
from simulation.formats.currency import is_code
from simulation.formats.format import Format
from simulation.formats.headed import HeadedRows, header_detector
from simulation.formats.instants import Clock
from simulation.formats.machine_price import Machine, credit_or_cost, exact, machine
from simulation.formats.quantities import is_unknown
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "focus", "1"
COLUMNS = ("BilledCost", "BillingCurrency", "ChargeCategory", "ChargePeriodStart", "ChargePeriodEnd")
COST_COLUMNS = dict(zip(COSTS, ("ListCost", "ContractedCost", "EffectiveCost", "BilledCost"), strict=True))
NAMING = ("SkuMeter", "x_InstanceType", "ChargeDescription", "SkuPriceDetails", "Tags", "ResourceName")
"""Where a machine type may be named: the GPU is in no column of its own."""

HOURS = re.compile(r"(1 )?h(ou)?rs?", re.IGNORECASE)
_AWS_GPU_FAMILY = re.compile(r"\b(?:p[2-6][a-z]*|g[4-6][a-z]*)(?:-b\d+)?\.\d*(?:x?large|metal)\b", re.IGNORECASE)


def read_focus(source: Source) -> Reading:
    """Columns may stand in any order; NULL is unknown. Charge periods are UTC, their end excluded."""
    rows = HeadedRows(source, ",", COLUMNS)
    clock, collector = Clock(UTC), Collector("charges")

    def row_of(cells: list[str], line: int) -> tuple[dict[str, Any], list[CellError]]:
        named = {
            name.lower(): "" if is_unknown(cell) else cell.strip()
            for name, cell in zip(rows.header, cells, strict=True)
        }
        return _charge(named, line, clock)

    rows.read_into(collector, row_of)
    table = collector.table()
    totals = charge_totals(table)
    facts = [*source.facts(), f"{totals['gpu_rows']} of {len(table)} rows are hours of GPU machines that we know."]
    facts += [
        f"{COST_COLUMNS[name]} of GPU machines is rounded to whole amounts in this file: do not use it."
        for name in rounded_costs(table)
    ]
    if totals["equal_rows"]:
        facts.append(f"{totals['equal_rows']} rows repeat another one in full; without an id they are kept.")
    return collector.reading(source, SLUG, VERSION, table, in_file=rows.in_file, totals=totals, facts=facts)


def _charge(cells: dict[str, str], line: int, clock: Clock) -> tuple[dict[str, Any], list[CellError]]:
    clock.take_oddities()
    start, end = (clock.read(cells[name.lower()], name) for name in ("ChargePeriodStart", "ChargePeriodEnd"))
    if start is not None and end is not None and end <= start:
        raise CellError("ChargePeriodEnd", cells["chargeperiodend"], "later than its start", "an empty charge period")
    currency = cells["billingcurrency"]
    if not is_code(currency):
        raise CellError("BillingCurrency", currency, "an ISO code such as USD", "the currency is not known")
    oddities = clock.take_oddities()
    costs = {name: _amount(cells, column) for name, column in COST_COLUMNS.items()}
    if costs["billed_cost"] is None:
        oddities.append(CellError("BilledCost", "", "an amount", "unknown, not 0"))
    found = _machine(cells)
    row = {
        "start_s": start,
        "end_s": end,
        "category": cells["chargecategory"].lower() or None,
        "correction": cells.get("chargeclass", "").lower() == "correction",
        "pricing": cells.get("pricingcategory", "").lower() or None,
        "commitment": cells.get("commitmentdiscountstatus", "").lower() or None,
        "description": cells.get("chargedescription") or None,
        "service": cells.get("servicecategory") or None,
        "account": cells.get("subaccountid") or None,
        "region": cells.get("regionid") or None,
        "resource": cells.get("resourceid") or None,
        "instance": found.instance if found else None,
        "gpu_model": found.gpu_model if found else None,
        "gpus_per_node": found.gpus if found else None,
        "hours": _hours(cells),
        **costs,
        "currency": currency,
        "line": line,
    }
    return row, oddities


def _amount(cells: dict[str, str], column: str) -> str | None:
    """A cost as a decimal; credits are below 0."""
    text = cells.get(column.lower(), "")
    return exact(credit_or_cost(text, column)) if text else None


def _hours(cells: dict[str, str]) -> str | None:
    """Hours consumed, else priced; None where the charge counts something else."""
    for quantity, unit in (("ConsumedQuantity", "ConsumedUnit"), ("PricingQuantity", "PricingUnit")):
        text = cells.get(quantity.lower(), "")
        if text and HOURS.fullmatch(cells.get(unit.lower(), "")):
            return exact(credit_or_cost(text, quantity))
    return None


def _machine(cells: dict[str, str]) -> Machine | None:
    """The GPU machine that a row names; None where it names none."""
    for column in NAMING:
        text = cells.get(column.lower(), "")
        found = _names().search(text) or _AWS_GPU_FAMILY.search(text)
        if found:
            return machine(found[0])
    return None


@cache
def _names() -> re.Pattern[str]:
    longest_first = sorted(instance_types(), key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w.-]*\w)", re.IGNORECASE)


FORMAT = Format(
    SLUG,
    "FOCUS billing rows",
    "charges",
    "cost export in the FOCUS specification, versions 1.0 to 1.2, as CSV",
    header_detector((*COLUMNS, "ServiceCategory"), "the columns of FOCUS"),
    read_focus,
    reads="period, category, class, pricing category, commitment, list, contracted, effective and billed cost, "
    "currency, hours, region, resource, account; a GPU machine named in meter, description or tags, "
    "with GPUs by our catalogue",
    leaves="all other columns; Parquet files",
    unknowns="NULL or empty: unknown, not 0; a row that names no GPU machine we know counts for no GPU price; amounts "
    "of different currencies are never added",
)
