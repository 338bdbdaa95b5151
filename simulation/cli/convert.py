"""`python -m simulation convert FORMAT FILE --out DIR`: a real file to a table, or to a part of a scenario."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simulation.formats.errors import FormatError
from simulation.formats.interview import Interview
from simulation.formats.parts import PARTS
from simulation.formats.parts.part import Part, source_words
from simulation.formats.reading import Question, Reading, RowIssue
from simulation.formats.registry import FORMATS, HEAD_BYTES, detect, read
from simulation.formats.tables import cell_text

OK, WRONG_INPUT = 0, 2
AUTO = "auto"
EXAMPLE = """\
From a log and a node list to a run, without the website:

  python -m simulation convert slurm-sacct march.psv --out log --scenario --answer time_zone=Europe/Berlin
  python -m simulation convert slurm-nodes nodes.txt --out nodes --scenario
  python -m simulation run log/workload.json nodes/cluster.json --out results

A question that only a person can answer stops convert; it is printed with its --answer options. Policies, prices and
limits are further parts, such as a file with {"training": {"system": "sjf"}}: name it after the others. In Python the
parts are Scenario(cluster=nodes["cluster"], workload=log["workload"]) with nodes and log from json.load.
"""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the subcommand to an argparse subparsers object."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "convert",
        help="read a real file into a normalised table, and into a part of a scenario",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    formats = ", ".join(FORMATS)
    parser.add_argument("format", choices=[AUTO, *FORMATS], metavar="FORMAT", help=f"{AUTO}, {formats}")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the table and its report")
    parser.add_argument("--answer", action="append", default=[], metavar="KEY=VALUE", help="answer to a question")
    parser.add_argument(
        "--scenario",
        action="store_true",
        help="also write workload.json (of jobs or requests) or cluster.json (of nodes)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(main=main)
    return parser


def main(args: argparse.Namespace) -> int:
    """0 done; 2 the file cannot be read or questions are open (nothing is written then)."""
    try:
        answers = dict(_answer(text) for text in args.answer)
        reading = read(_slug(args.format, args.file), args.file, answers)
        interview = Interview(answers, reading.file)
        part = _part(reading, interview) if args.scenario else None
        questions = (*reading.questions, *interview.questions)
        _refuse_unasked(answers, questions)
        unanswered = [q for q in questions if q.key not in {**reading.answers, **interview.answers}]
        if unanswered:
            _show_questions(reading.file, unanswered, args.json)
            return WRONG_INPUT
        reading.require_ready()
        if part is not None and not part.complete:
            why = "; ".join(f"{rows:,} {reason}" for reason, rows in part.left_out.items())
            raise FormatError(reading.file, expected=f"at least one row that can be simulated; left out: {why}")
    except FormatError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_INPUT
    report = reading_report(reading) | (_part_report(part, interview) if part else {})
    _write(reading, report, args.out)
    if part is not None:
        _write_part(part, source_words(reading), args.out)
    print(json.dumps(report, indent=2) if args.json else "\n".join([summary(reading), *_part_summary(part)]))
    return OK


def _part(reading: Reading, interview: Interview) -> Part:
    if reading.kind not in PARTS:
        raise FormatError("--scenario", value=reading.kind, expected=f"a file of {', '.join(PARTS)}")
    try:
        return PARTS[reading.kind](reading, interview)
    except ValidationError as error:
        raise FormatError(reading.file, expected=error.errors()[0]["msg"]) from None


def _refuse_unasked(answers: dict[str, str], questions: Sequence[Question]) -> None:
    known = [question.key for question in questions]
    for key in sorted(answers.keys() - set(known)):
        expected = f"the key of a question that this file raises ({', '.join(known) or 'it raises none'})"
        raise FormatError("--answer", value=key, expected=expected)


def _answer(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise FormatError("--answer", value=text, expected="KEY=VALUE")
    return key, value


def _slug(chosen: str, file: Path) -> str:
    if chosen != AUTO:
        return chosen
    try:
        with file.open("rb") as stream:
            found = detect(stream.read(HEAD_BYTES), file.name)
    except OSError as error:
        raise FormatError(file.name, expected=f"a readable file ({error.strerror})") from None
    if not found or (len(found) > 1 and found[1].confidence == found[0].confidence):
        fitting = ", ".join(candidate.slug for candidate in found) or "none"
        raise FormatError(
            file.name, value=f"formats that fit: {fitting}", expected="a format named on the command line"
        )
    return found[0].slug


def reading_report(reading: Reading) -> dict[str, Any]:
    """All of a reading but its table, as JSON values."""
    return {
        "file": reading.file,
        "sha256": reading.sha256,
        "format": reading.format,
        "version": reading.version,
        "kind": reading.kind,
        "digest": reading.digest(),
        "counts": asdict(reading.counts),
        "totals": dict(reading.totals),
        "answers": dict(reading.answers),
        "questions": [_question(question) for question in reading.questions],
        "facts": list(reading.facts),
        "warned": [asdict(issue) for issue in reading.warned],
    }


def _question(question: Question) -> dict[str, Any]:
    return {**asdict(question), "options": [list(option) for option in question.options]}


def _show_questions(file: str, unanswered: Sequence[Question], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"questions": [_question(question) for question in unanswered]}, indent=2))
        return
    n = len(unanswered)
    print(f"{file}: {n} question{'s are' if n > 1 else ' is'} open; nothing was written.", file=sys.stderr)
    for question in unanswered:
        print(f"\n  {question.text}\n  ({question.why})", file=sys.stderr)
        for value, label in question.options:
            print(f"    --answer {question.key}={value}    {label}", file=sys.stderr)
        if question.kind == "text":
            print(f"    --answer {question.key}=...    (free text)", file=sys.stderr)


def _write(reading: Reading, report: dict[str, Any], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (out / f"{reading.kind}.csv").open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        reading.table.write_csv(stream)
    with (out / "rejected.csv").open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["line", "column", "value", "expected", "reason", "raw"])
        writer.writerows(_rejected_row(issue) for issue in reading.rejected)
    (out / "reading.json").write_text(
        json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", errors="backslashreplace"
    )


def _write_part(part: Part, source: str, out: Path) -> None:
    name = "cluster.json" if part.cluster else "workload.json"
    text = json.dumps(part.document(source), ensure_ascii=False, allow_nan=False)
    (out / name).write_text(text + "\n", encoding="utf-8", errors="backslashreplace")


def _part_report(part: Part, interview: Interview) -> dict[str, Any]:
    asked = [_question(question) for question in interview.questions]
    decided = {"left_out": dict(part.left_out), "said": list(part.said), "facts": dict(part.facts)}
    return {"scenario": {**decided, "answers": dict(interview.answers), "questions": asked}}


def _part_summary(part: Part | None) -> list[str]:
    if part is None:
        return []
    left_out = [f"not simulated: {rows:,} {reason}" for reason, rows in part.left_out.items()]
    return [f"part of a scenario: {part.amount}", *left_out, *part.said]


def _rejected_row(issue: RowIssue) -> list[str]:
    parts = (issue.line, issue.column, issue.value, issue.expected, issue.reason, issue.raw)
    return [cell_text(part) for part in parts]


def summary(reading: Reading) -> str:
    """The reconciliation in a few lines of text."""
    counts = reading.counts
    lines = [
        f"{reading.file}: {FORMATS[reading.format].title}, {len(reading.table):,} {reading.kind}",
        f"rows in file {counts.in_file:,} = accepted {counts.accepted:,} + warned {counts.warned:,} "
        f"+ rejected {counts.rejected:,} + folded {counts.folded:,} + skipped {counts.skipped:,}",
    ]
    if "gpu_hours" in reading.totals:
        lines.append(f"GPU hours kept {reading.totals['gpu_hours']:,.4f}")
    return "\n".join([*lines, *reading.facts])
