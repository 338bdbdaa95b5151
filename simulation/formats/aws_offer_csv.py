"""AWS price list as CSV: five lines of metadata, then a row a rate; an upfront fee is a row of its own."""

from __future__ import annotations

import csv
from collections import Counter

from simulation.formats.aws_offer import Offer, price_of
from simulation.formats.aws_offer_json import skipped_words
from simulation.formats.collector import CellError, Collector
from simulation.formats.delimited import Record, records
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.machine_price import price_totals
from simulation.formats.reading import Reading
from simulation.formats.source import Source

SLUG, VERSION = "aws-offer-csv", "1"
ATTRIBUTES = {
    "Instance Type": "instanceType",
    "Location": "location",
    "Location Type": "locationType",
    "Region Code": "regionCode",
    "Tenancy": "tenancy",
    "Operating System": "operatingSystem",
    "Pre Installed S/W": "preInstalledSw",
    "CapacityStatus": "capacitystatus",
    "License Model": "licenseModel",
    "GPU": "gpu",
}
TERMS = ("LeaseContractLength", "PurchaseOption", "OfferingClass")
RATE = ("SKU", "OfferTermCode", "TermType", "Unit", "PricePerUnit", "Currency")
METADATA_LINES = 20
"""The header is looked for in this many lines."""

Rows = dict[tuple[str, str], list[tuple[Record, dict[str, str]]]]


def detect_aws_offer_csv(text: str, filename: str) -> tuple[float, str]:
    fits = '"FormatVersion"' in text[:200] and '"OfferTermCode"' in text and '"PricePerUnit"' in text
    return (0.95, "an AWS offer file as CSV") if fits else (0.0, "")


def read_aws_offer_csv(source: Source) -> Reading:
    """Rows of one SKU and term make one price: the hour, and the upfront fee folded into it."""
    metadata, header_line, header = _header(source)
    collector = Collector("prices")
    collector.skipped = header_line
    offers, in_file = _by_offer(source, header_line, header, collector)
    skipped: Counter[str] = Counter()
    for rows in offers.values():
        _take(rows, metadata.get("Publication Date", ""), collector, skipped)
    table = collector.table()
    facts = [*source.facts(), "Prices are of whole machines by the hour.", *skipped_words(skipped)]
    totals = price_totals(table)
    return collector.reading(source, SLUG, VERSION, table, in_file=header_line + in_file, totals=totals, facts=facts)


def _header(source: Source) -> tuple[dict[str, str], int, list[str]]:
    """(metadata, line of the header, its cells); FormatError where no line is the header."""
    metadata: dict[str, str] = {}
    for (number, line), _ in zip(source.lines(), range(METADATA_LINES), strict=False):
        cells = next(csv.reader([line]), [])
        if set(RATE) <= set(cells):
            missing = next((name for name in ATTRIBUTES if name not in cells), None)
            if missing:
                raise FormatError(source.name, line=number, column=missing, expected=f"columns {', '.join(ATTRIBUTES)}")
            return metadata, number, cells
        if len(cells) == 2:
            metadata[cells[0]] = cells[1]
    raise FormatError(source.name, expected=f"a header line with {', '.join(RATE)} in the first {METADATA_LINES} lines")


def _by_offer(source: Source, header_line: int, header: list[str], collector: Collector) -> tuple[Rows, int]:
    """Sound rows of GPU machines by SKU and term, and the number of rows after the header."""
    offers: Rows = {}
    in_file = 0
    for record in records(source, ",", width=len(header), skip_lines=header_line):
        in_file += 1
        if record.error is not None:
            collector.reject(record.line, record.error, record.raw)
        elif not any(cell.strip() for cell in record.cells):
            collector.skipped += 1
        elif len(record.cells) != len(header):
            found = f"{len(record.cells)} cells"
            collector.reject(record.line, CellError(None, found, f"{len(header)} cells", "a ragged row"), record.raw)
        else:
            cells = dict(zip(header, (cell.strip() for cell in record.cells), strict=True))
            offers.setdefault((cells["SKU"], cells["OfferTermCode"]), []).append((record, cells))
    return offers, in_file


def _take(
    rows: list[tuple[Record, dict[str, str]]], published: str, collector: Collector, skipped: Counter[str]
) -> None:
    first, cells = rows[0]
    offer = Offer(
        first.line,
        {ours: cells[theirs] for theirs, ours in ATTRIBUTES.items()},
        cells["TermType"],
        {name: cells.get(name, "") for name in TERMS},
        published,
        [(each["Unit"], each["PricePerUnit"], each["Currency"]) for _, each in rows],
    )
    reason = offer.reason_to_skip()
    if reason is not None:
        skipped[reason] += 1
        collector.skipped += len(rows)
        return
    try:
        row, oddities = price_of(offer)
    except CellError as error:
        for record, _ in rows:
            collector.reject(record.line, error, record.raw)
    else:
        collector.keep(row, oddities, first.raw)
        collector.folded += len(rows) - 1


FORMAT = Format(
    SLUG,
    "AWS price list, CSV",
    "prices",
    "the offer file of AmazonEC2 of one region, index.csv",
    detect_aws_offer_csv,
    read_aws_offer_csv,
    reads="as of the JSON form",
    leaves="as of the JSON form",
    unknowns="a machine type that our catalogue does not have: which GPU model it has is asked",
)
