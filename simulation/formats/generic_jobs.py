"""Any spreadsheet with a row a job."""

from __future__ import annotations

from typing import Any

from simulation.formats.collector import CellError, Collector, number_by_content
from simulation.formats.currency import ask_currency
from simulation.formats.delimited import Record
from simulation.formats.format import Format
from simulation.formats.generic_detect import sheet_confidence
from simulation.formats.generic_rows import TypedRows, Values
from simulation.formats.interview import Interview
from simulation.formats.job_totals import job_totals
from simulation.formats.mapping import Field, Mapped, ask_mapping
from simulation.formats.reading import Question, Reading
from simulation.formats.sheet import ANY_SHEET, SHEET_LEAVES, read_sheet
from simulation.formats.source import Source

SLUG, VERSION = "generic-jobs", "1"
FIELDS = (
    Field("price_per_gpu_h", "the price of a GPU hour", "money", r"\b(price|preis|prix|tarif|kosten|cost|cout)\b"),
    Field("timelimit_s", "the time limit", "span", r"\b(time ?limit|wall ?time limit|limit|zeitlimit|limite)\b"),
    Field(
        "gpu_model",
        "the GPU model",
        "text",
        r"\b(gpu (model|type|name|typ|art)|(gpu )?modell?e?|accelerator( type)?)\b",
    ),
    Field(
        "gpus",
        "the number of GPUs",
        "count",
        r"^(num|number of|no of|anzahl|nombre de|nb( de)?|n|req(uested)?)? ?gpus?( count| anzahl)?$",
    ),
    Field(
        "submit_s",
        "the submission time",
        "instant",
        r"\b(submit\w*|submission|queued|eingereicht|einreichung|soumis\w*|soumission|created|arrival|ankunft|arrivee)\b",
    ),
    Field("start_s", "the start", "instant", r"\b(start\w*|beginn?|begun|anfang|gestartet|debut)\b"),
    Field("end_s", "the end", "instant", r"\b(end|ended|end time|ende|beendet|fin|finish\w*|completed|stop\w*)\b"),
    Field(
        "elapsed_s",
        "the run time",
        "span",
        r"^(?!.*\b(gpus?|wait\w*|queue\w*|limit)\b).*\b(duration|dauer|duree|elapsed|run ?time|laufzeit|wall ?time|"
        r"hours?|stunden|heures?|minutes|minuten|seconds|sekunden)\b",
    ),
    Field("id", "the job's id", "text", r"^(job|auftrag|tache|task|run)?( ?(id|nr|no|number|nummer|numero))?$"),
    Field("name", "the job's name", "text", r"\b(name|bezeichnung|nom|titel|title)\b"),
    Field("user", "the user", "text", r"\b(user\w*|benutzer\w*|nutzer\w*|utilisateur\w*|owner|submitter)\b"),
    Field(
        "tenant",
        "the team or account",
        "text",
        r"\b(team|account|project|projekt|projet|tenant|group|gruppe|groupe|konto|compte|abteilung|department|equipe)\b",
    ),
    Field("partition", "the partition or queue", "text", r"\b(partition|queue|warteschlange)\b"),
    Field("state", "the state", "text", r"\b(state|status|zustand|etat|statut|outcome|result)\b"),
    Field("cpus", "the number of CPUs", "number", r"\b(n?cpus?|cores?|kerne|coeurs)\b"),
    Field("memory_bytes", "the memory", "memory", r"\b(mem|memory|speicher|arbeitsspeicher|ram|memoire)\b"),
)
OUTCOME_STEMS = {
    "finished": (
        "complet",
        "success",
        "succeed",
        "finish",
        "done",
        "pass",
        "fertig",
        "abgeschl",
        "erfolg",
        "termine",
        "ok",
    ),
    "failed": ("fail", "error", "oom", "out_of", "fehl", "echou", "erreur"),
    "cancelled": ("cancel", "kill", "abort", "abgebr", "annul", "stopp"),
    "timeout": ("timeout", "time limit", "zeit", "timed"),
    "running": ("run", "lauf", "läuft", "active", "en cours"),
    "waiting": ("pend", "wait", "queue", "wart", "attente"),
}


def detect_generic_jobs(text: str, filename: str) -> tuple[float, str]:
    return sheet_confidence(text, FIELDS, ("gpus", "elapsed_s", "submit_s", "start_s", "end_s", "id", "user"), filename)


def read_generic_jobs(source: Source) -> Reading:
    """Run time from its own column, else from start and end. Without submissions it is asked what stands for them."""
    interview = source.interview
    collector = Collector("jobs")
    sheet = read_sheet(source, collector)
    mapped = ask_mapping(sheet, FIELDS, interview)
    rows = TypedRows(sheet, FIELDS, mapped, interview)
    currency = _currency(sheet.labels, mapped, interview)
    submit_is_start = _ask_submission(mapped, interview)

    def finish(values: Values, record: Record) -> tuple[dict[str, Any], list[CellError]]:
        return _job(values, currency, submit_is_start)

    rows.collect(collector, finish)
    _settle_ids(collector.rows)
    table = collector.table()
    twins = table.repeated_rows()
    facts = [*sheet.facts, *rows.facts()]
    if twins:
        facts.append(f"{twins} rows repeat another one in everything but the id; all are kept.")
    if rows.times and rows.times.relative:
        facts.append("Times are seconds since the log began, not dates.")
    totals = {**job_totals(table), "equal_rows_kept": twins}
    return collector.reading(
        source,
        SLUG,
        VERSION,
        table,
        in_file=sheet.in_file,
        totals=totals,
        facts=facts,
        head=tuple(sheet.head),
        columns=mapped.columns,
    )


def _currency(labels: list[str], mapped: Mapped, interview: Interview) -> str | None:
    if "price_per_gpu_h" not in mapped.places:
        return None
    return ask_currency(labels[mapped.places["price_per_gpu_h"]], interview)


def _ask_submission(mapped: Mapped, interview: Interview) -> bool:
    """Whether the start stands for the submission."""
    if "submit_s" in mapped.places or "start_s" not in mapped.places:
        return False
    answer = interview.ask(
        Question(
            "submission",
            "The file has no submission times: may the start stand for them?",
            "choice",
            (("start", "yes: the log's own waits are not in it"), ("unknown", "no: the jobs cannot be replayed")),
            None,
            "a replay needs to know when each job arrived",
        )
    )
    return answer == "start"


def _job(values: Values, currency: str | None, submit_is_start: bool) -> tuple[dict[str, Any], list[CellError]]:
    oddities: list[CellError] = []
    start, end, elapsed = values.get("start_s"), values.get("end_s"), values.get("elapsed_s")
    if start is not None and end is not None and end < start:
        raise CellError("end", f"{end:.0f}", f"a time after the start {start:.0f}", "ends before it starts")
    outcome = _outcome(values.get("state"), oddities)
    if elapsed is None and start is not None and end is not None:
        elapsed = end - start
    elif elapsed is not None and start is not None and end is not None and abs(end - start - elapsed) > 60:
        oddities.append(
            CellError("run time", f"{elapsed:g} s", f"{end - start:g} s, end - start", "the run time was taken")
        )
    submit = start if submit_is_start else values.get("submit_s")
    if submit is not None and start is not None and start < submit:
        oddities.append(CellError("start", f"{start:.0f}", f"a time after {submit:.0f}", "the wait is not known"))
    gpus = values.get("gpus")
    if gpus is None:
        oddities.append(CellError("gpus", "", "a number of GPUs", "GPU count unknown, not 0"))
    row = {
        **{key: value for key, value in values.items() if value is not None},
        "submit_s": submit,
        "elapsed_s": elapsed,
        "gpu_s": None if gpus is None or elapsed is None else gpus * elapsed,
        "currency": currency if values.get("price_per_gpu_h") is not None else None,
        "outcome": outcome,
    }
    return row, oddities


def _outcome(state: str | None, oddities: list[CellError]) -> str | None:
    if not state:
        return None
    word = state.lower()
    for outcome, stems in OUTCOME_STEMS.items():
        if word.startswith(stems):
            return outcome
    oddities.append(CellError("state", state, ", ".join(OUTCOME_STEMS), "the outcome is not known"))
    return None


def _settle_ids(rows: list[dict[str, Any]]) -> None:
    """Ids of the file where each is there and unique; else numbers by content, the file's id becoming the name."""
    ids = [row.get("id") for row in rows]
    if None not in ids and len(set(ids)) == len(ids):
        return
    for row in rows:
        row.setdefault("name", row.get("id"))
    number_by_content(rows, "id")


FORMAT = Format(
    slug=SLUG,
    title="Table of jobs",
    kind="jobs",
    made_by=ANY_SHEET,
    detect=detect_generic_jobs,
    read=read_generic_jobs,
    reads=(
        "id, submission, start, end, run time, GPUs and model, user, team, partition, state, time limit, "
        "CPUs, memory, price of a GPU hour; header words in English, German and French are recognised, the "
        "mapping can be changed"
    ),
    leaves=SHEET_LEAVES,
    unknowns=(
        "no submission: asked whether the start stands for it; day or month first, zone, unit, decimal sign "
        "and currency are asked where the file leaves them open; an empty cell is unknown, not 0"
    ),
)
