"""AWS spot price history: changes of prices, newest first; each holds until the next of its machine and zone."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any

from simulation.formats.collector import CellError, Collector
from simulation.formats.currency import ask_currency
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.instants import Clock
from simulation.formats.json_source import read_json
from simulation.formats.machine_price import exact, machine, money, plain
from simulation.formats.quotes import Series, series_of, time_mean
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "aws-spot", "1"
HISTORY = "SpotPriceHistory"


def detect_aws_spot(text: str, filename: str) -> tuple[float, str]:
    fits = text.lstrip().startswith("{") and f'"{HISTORY}"' in text
    return (0.95, "a spot price history") if fits else (0.0, "")


def read_aws_spot(source: Source) -> Reading:
    """A record is one change of one price; the same change twice is folded."""
    document = read_json(source)
    changes = document.get(HISTORY) if isinstance(document, dict) else None
    if not isinstance(changes, list):
        raise FormatError(source.name, line=1, expected=f"an object with a list {HISTORY}")
    currency = ask_currency("SpotPrice (USD)", source.interview)
    collector, clock = Collector("quotes"), Clock(UTC)
    for place, change in enumerate(changes, start=1):
        raw = json.dumps(change)
        try:
            row = {**_quote(change, clock), "currency": currency, "line": place}
            name = f"{row['instance']} in {row['zone']}, {row['product']}, at {row['start_s']:.15g} s"
            collector.keep_once(name, row, clock.take_oddities(), raw)
        except CellError as error:
            collector.reject(place, error, raw)
    table = collector.table()
    made = series_of(table)
    facts = [
        *source.facts(),
        "Lines are places in the list of changes, from 1. Prices are of whole machines by the hour.",
    ]
    facts += ["A price is no promise of capacity: interruptions are not in this file.", *map(_words, made)]
    if isinstance(document, dict) and document.get("NextToken"):
        facts.append("This is not the last page: what is on the next ones is not in this file.")
    totals = {"changes": len(table), "series": {one.name: _figures(one) for one in made}}
    return collector.reading(source, SLUG, VERSION, table, in_file=len(changes), totals=totals, facts=facts)


def _quote(change: Any, clock: Clock) -> dict[str, Any]:
    if not isinstance(change, dict):
        raise CellError(None, str(change), "an object with InstanceType and SpotPrice", "not a change of a price")
    cells = {str(key): "" if value is None else str(value) for key, value in change.items()}
    zone = cells.get("AvailabilityZone") or cells.get("AvailabilityZoneId", "")
    for name, text in (("InstanceType", cells.get("InstanceType")), ("AvailabilityZone", zone)):
        if not text:
            raise CellError(name, "", "a name", "nobody knows what the price is of")
    start = clock.read(cells.get("Timestamp", ""), "Timestamp")
    if start is None:
        raise CellError("Timestamp", cells.get("Timestamp", ""), "a time with an offset", "since when is not known")
    amount = money(cells.get("SpotPrice", ""), "SpotPrice")
    one = machine(cells["InstanceType"])
    return {
        "instance": one.instance,
        "zone": zone,
        "product": cells.get("ProductDescription", ""),
        "gpu_model": one.gpu_model,
        "gpus_per_node": one.gpus,
        "start_s": start,
        "amount": exact(amount),
        "per_gpu_hour": None if one.gpus is None else plain(amount / one.gpus),
    }


def _figures(one: Series) -> dict[str, Any]:
    """Time mean by machine and by GPU over the window of the file, and the window (s since 1970 UTC)."""
    start, end = one.window_s
    per_gpu = None if one.per_gpu is None else plain(time_mean(one.per_gpu, start, end))
    machine_hour = plain(time_mean(one.per_machine, start, end))
    return {"per_machine_hour": machine_hour, "per_gpu_hour": per_gpu, "start_s": start, "end_s": end}


def _words(one: Series) -> str:
    figures = _figures(one)
    by_gpu = f", {figures['per_gpu_hour']} a GPU" if figures["per_gpu_hour"] else ""
    hours = (figures["end_s"] - figures["start_s"]) / 3600
    return f"{one.name}: mean by time over {hours:g} h {figures['per_machine_hour']} a machine-hour{by_gpu}."


FORMAT = Format(
    SLUG,
    "AWS spot price history",
    "quotes",
    "aws ec2 describe-spot-price-history",
    detect_aws_spot,
    read_aws_spot,
    reads="every change of a price by machine type, zone and product; means weigh by time, from the first row to the "
    "last; GPUs and model come from our catalogue",
    leaves="interruptions, capacity and the currency are not in this file: it is taken for USD unless answered",
    unknowns="how long the last price held: it ends the window; a machine type that our catalogue does not have: its "
    "GPUs are unknown, so it has no price of a GPU",
)
