"""`python -m simulation convert FORMAT FILE --out DIR`: a real file to a table, with all that was refused."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from simulation.formats.errors import FormatError
from simulation.formats.reading import Question, Reading, RowIssue
from simulation.formats.registry import FORMATS, HEAD_BYTES, detect, read
from simulation.formats.tables import cell_text

OK, WRONG_INPUT = 0, 2
AUTO = "auto"


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the subcommand to an argparse subparsers object."""
    parser: argparse.ArgumentParser = subparsers.add_parser("convert", help="read a real file into a normalised table")
    formats = ", ".join(FORMATS)
    parser.add_argument("format", choices=[AUTO, *FORMATS], metavar="FORMAT", help=f"{AUTO}, {formats}")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the table and its report")
    parser.add_argument("--answer", action="append", default=[], metavar="KEY=VALUE", help="answer to a question")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(main=main)
    return parser


def main(args: argparse.Namespace) -> int:
    """0 done; 2 the file cannot be read or questions are open (nothing is written then)."""
    try:
        answers = dict(_answer(text) for text in args.answer)
        reading = read(_slug(args.format, args.file), args.file, answers)
    except FormatError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_INPUT
    unasked = sorted(answers.keys() - {question.key for question in reading.questions})
    if unasked:
        print(f"error: no such question: {', '.join(unasked)}", file=sys.stderr)
        print("questions of this file: " + ", ".join(q.key for q in reading.questions), file=sys.stderr)
        return WRONG_INPUT
    if not reading.ready:
        _show_questions(reading, args.json)
        return WRONG_INPUT
    report = reading_report(reading)
    try:
        reading.require_ready()
    except FormatError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_INPUT
    _write(reading, report, args.out)
    print(json.dumps(report, indent=2) if args.json else summary(reading))
    return OK


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


def _show_questions(reading: Reading, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"questions": [_question(question) for question in reading.unanswered]}, indent=2))
        return
    n = len(reading.unanswered)
    print(f"{reading.file}: {n} question{'s are' if n > 1 else ' is'} open; nothing was written.", file=sys.stderr)
    for question in reading.unanswered:
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
