"""The one table of formats that can be read, and the two calls that an import needs: detect, then read."""

from __future__ import annotations

import codecs
import csv
import io
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from simulation.formats.azure_llm import detect_azure_llm, read_azure_llm
from simulation.formats.dialect import SAMPLE_LINES
from simulation.formats.errors import FormatError
from simulation.formats.generic_detect import WORKBOOK
from simulation.formats.generic_jobs import detect_generic_jobs, read_generic_jobs
from simulation.formats.generic_nodes import detect_generic_nodes, read_generic_nodes
from simulation.formats.generic_prices import detect_generic_prices, read_generic_prices
from simulation.formats.interview import Interview
from simulation.formats.limits import DEFAULT_LIMITS, Limits
from simulation.formats.openb import detect_openb_nodes, detect_openb_pods, read_openb_nodes, read_openb_pods
from simulation.formats.philly_csv import detect_philly_csv, read_philly_csv
from simulation.formats.philly_json import detect_philly_json, read_philly_json
from simulation.formats.reading import Reading
from simulation.formats.slurm_conf import detect_slurm_conf, read_slurm_conf
from simulation.formats.slurm_gres import detect_slurm_gres, read_slurm_gres
from simulation.formats.slurm_nodes import detect_slurm_nodes, read_slurm_nodes
from simulation.formats.slurm_sacct import detect_sacct, read_sacct
from simulation.formats.slurm_sinfo import detect_sinfo, read_sinfo
from simulation.formats.source import GZIP_MAGIC, ZIP_MAGIC, Source, open_source
from simulation.formats.tables import Kind
from simulation.formats.workbook import rows_of, sheet_names

HEAD_BYTES = 65_536
OPENB = "alibaba/clusterdata, cluster-trace-gpu-v2023"
TABLE = "any spreadsheet: CSV, TSV or XLSX with one header row"
SINFO = 'sinfo -N -o "%N|%P|%T|%C|%m|%G"'


@dataclass(frozen=True, slots=True)
class Format:
    """A file format. `made_by` tells users how they get such a file.

    `detect(text, filename)`: the decoded head -> (confidence from 0 to 1, reason in words); 0 where it does not fit.
    """

    slug: str
    title: str
    kind: Kind
    made_by: str
    detect: Callable[[str, str], tuple[float, str]]
    read: Callable[[Source], Reading]


FORMATS: dict[str, Format] = {
    entry.slug: entry
    for entry in (
        Format("slurm-sacct", "Slurm job accounting", "jobs", "TZ=UTC sacct -a -P -o ...", detect_sacct, read_sacct),
        Format("slurm-nodes", "Slurm nodes", "nodes", "scontrol show node", detect_slurm_nodes, read_slurm_nodes),
        Format("slurm-sinfo", "Slurm node table", "nodes", SINFO, detect_sinfo, read_sinfo),
        Format("slurm-conf", "Slurm configuration", "nodes", "slurm.conf", detect_slurm_conf, read_slurm_conf),
        Format("slurm-gres", "Slurm GPU devices", "nodes", "gres.conf", detect_slurm_gres, read_slurm_gres),
        Format("philly-csv", "Philly job list", "jobs", "siasosp23/artifacts", detect_philly_csv, read_philly_csv),
        Format(
            "philly-json", "Philly job log", "jobs", "msr-fiddle/philly-traces", detect_philly_json, read_philly_json
        ),
        Format(
            "azure-llm", "Azure LLM requests", "requests", "Azure/AzurePublicDataset", detect_azure_llm, read_azure_llm
        ),
        Format("openb-nodes", "Alibaba openb nodes", "nodes", OPENB, detect_openb_nodes, read_openb_nodes),
        Format("openb-pods", "Alibaba openb pods", "jobs", OPENB, detect_openb_pods, read_openb_pods),
        Format("generic-jobs", "Table of jobs", "jobs", TABLE, detect_generic_jobs, read_generic_jobs),
        Format("generic-nodes", "Table of nodes", "nodes", TABLE, detect_generic_nodes, read_generic_nodes),
        Format("generic-prices", "Table of prices", "prices", TABLE, detect_generic_prices, read_generic_prices),
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
    """The first rows of a workbook as tab-separated text; WORKBOOK where the head does not hold all of it."""
    try:
        source, _ = open_source(io.BytesIO(head), filename="", limits=DEFAULT_LIMITS, interview=Interview())
        rows = [cells for name in sheet_names(source)[:1] for _, cells in islice(rows_of(source, name), SAMPLE_LINES)]
    except FormatError:
        return WORKBOOK
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
