"""The one table of formats that can be read, and the two calls that an import needs: detect, then read."""

from __future__ import annotations

import codecs
import csv
import io
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from simulation.formats import (
    acme,
    archive,
    aws_offer_csv,
    aws_offer_json,
    aws_spot,
    azure_llm,
    azure_retail,
    burstgpt,
    dcgm,
    electricity_maps,
    focus,
    gavel_trace,
    gcp_skus,
    generic_jobs,
    generic_nodes,
    generic_prices,
    grid_forecast,
    helios,
    helios_capacity,
    kubernetes_jobs,
    kubernetes_nodes,
    llm_bench,
    nvidia_smi,
    nvidia_topology,
    openb,
    optuna_trials,
    pai_jobs,
    pai_machines,
    philly_csv,
    philly_json,
    prometheus,
    slurm_conf,
    slurm_gres,
    slurm_nodes,
    slurm_sacct,
    slurm_sacct_json,
    slurm_sinfo,
    swf,
    tracked_runs,
    watttime,
)
from simulation.formats.columns import Kind
from simulation.formats.dialect import SAMPLE_LINES
from simulation.formats.errors import FormatError
from simulation.formats.format import Format
from simulation.formats.generic_detect import WORKBOOK
from simulation.formats.interview import Interview
from simulation.formats.limits import DEFAULT_LIMITS, Limits
from simulation.formats.reading import Reading
from simulation.formats.source import GZIP_MAGIC, ZIP_MAGIC, open_source
from simulation.formats.workbook import rows_of, sheet_names

HEAD_BYTES = 65_536
WORKBOOK_ENTRY = re.compile(r"\[Content_Types\]|_rels/|docProps/|xl/")

FORMATS: dict[str, Format] = {
    entry.slug: entry
    for entry in (
        slurm_sacct.FORMAT,
        slurm_sacct_json.FORMAT,
        slurm_nodes.FORMAT,
        slurm_sinfo.FORMAT,
        slurm_conf.FORMAT,
        slurm_gres.FORMAT,
        swf.FORMAT,
        kubernetes_nodes.FORMAT,
        kubernetes_jobs.FORMAT,
        philly_csv.FORMAT,
        philly_json.FORMAT,
        azure_llm.FORMAT,
        openb.NODES_FORMAT,
        openb.PODS_FORMAT,
        burstgpt.FORMAT,
        helios.FORMAT,
        helios_capacity.FORMAT,
        acme.FORMAT,
        pai_jobs.FORMAT,
        pai_machines.FORMAT,
        gavel_trace.FORMAT,
        aws_offer_json.FORMAT,
        aws_offer_csv.FORMAT,
        azure_retail.FORMAT,
        gcp_skus.FORMAT,
        aws_spot.FORMAT,
        focus.FORMAT,
        electricity_maps.FORMAT,
        grid_forecast.FORMAT,
        watttime.FORMAT,
        optuna_trials.FORMAT,
        tracked_runs.MLFLOW_PAGE_FORMAT,
        tracked_runs.MLFLOW_SEARCH_FORMAT,
        tracked_runs.WANDB_FORMAT,
        llm_bench.FORMAT,
        nvidia_smi.FORMAT,
        dcgm.FORMAT,
        prometheus.FORMAT,
        nvidia_topology.FORMAT,
        generic_jobs.FORMAT,
        generic_nodes.FORMAT,
        generic_prices.FORMAT,
    )
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A format that a file may be in; confidence from 0 to 1, reason in words."""

    slug: str
    title: str
    kind: Kind
    confidence: float
    reason: str


def detect(head: bytes, filename: str = "") -> list[Candidate]:
    """Formats that fit the first bytes of a file (HEAD_BYTES, or all of it), best first; [] where none does."""
    text = _head_text(head)
    found = []
    for entry in FORMATS.values():
        confidence, reason = entry.detect(text, filename)
        if confidence > 0:
            found.append(Candidate(entry.slug, entry.title, entry.kind, confidence, reason))
    return sorted(found, key=lambda candidate: -candidate.confidence)


def read(
    slug: str,
    source: str | Path | BinaryIO,
    answers: Mapping[str, str] | None = None,
    *,
    filename: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> Reading:
    """Read a whole file (a path, or a seekable binary stream) in the named format, under the answers given.

    Raises FormatError, and nothing else, for whatever is wrong with the file or an answer; KeyError for a slug that
    is not in FORMATS. Answers to questions that do not apply to this file are left alone.
    """
    entry = FORMATS[slug]
    opened, to_close = open_source(source, filename=filename, limits=limits, interview=Interview(answers))
    try:
        reading = entry.read(opened)
    finally:
        if to_close is not None:
            to_close.close()
    if reading.ready and not reading.table.columns["line"] and not reading.rejected:
        raise FormatError(reading.file, expected=f"{entry.title}: at least one row of {entry.kind}; the file has none")
    return reading


def _workbook_text(head: bytes) -> str:
    """The first rows of a workbook as tab-separated text, else WORKBOOK; the names in an archive that is none."""
    try:
        source, _ = open_source(io.BytesIO(head), filename="", limits=DEFAULT_LIMITS, interview=Interview())
        rows = [cells for name in sheet_names(source)[:1] for _, cells in islice(rows_of(source, name), SAMPLE_LINES)]
    except FormatError:
        names = archive.first_names(head)
        return WORKBOOK if not names or WORKBOOK_ENTRY.match(names[0]) else archive.NAMED + ", ".join(names)
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return text.getvalue()


def _head_text(head: bytes) -> str:
    if head.startswith(GZIP_MAGIC):
        try:
            head = zlib.decompressobj(31).decompress(head, HEAD_BYTES)
        except zlib.error:
            return ""
    if head.startswith(ZIP_MAGIC):
        return _workbook_text(head)
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if head.startswith(mark):
            return head.decode(encoding, "ignore").replace("\r\n", "\n")
    if head[1:2] == b"\0":
        return head.decode("utf-16-le", "ignore").replace("\r\n", "\n")
    return head.decode("utf-8-sig", "replace").replace("\r\n", "\n")
