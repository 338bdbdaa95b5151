"""The report of a study: the answer, the front, the comparison, what it rests on, and the twelve points."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import QueryDict
from django.utils.html import strip_tags

from planner.compare.board import Board, board
from planner.compare.fronts import Front, front, with_shares
from planner.evidence.point_facts import facts_of_study
from planner.evidence.points import points
from planner.studies.models import Study
from planner.web import study_facts, study_view, study_words
from planner.web.exports import made_of
from planner.web.exports.report import Grid, Report, Section, marked, origins, sources, twelve_points
from planner.web.figures.front import front_figure
from planner.web.study_table import Heading, Line, headings, lines
from planner.web.study_view import StudyView


def study_report(study: Study, view: QueryDict) -> Report:
    """The report under the view of an address, which is that of the page."""
    table = board(study, baseline=view.get("baseline"))
    read = study_view.read(view, table)
    shown = front(table, read.x, read.y, read.limits)
    table = with_shares(table, shown)
    return Report(
        title=study.question,
        facts=tuple(_facts(study, table)),
        sections=tuple(_sections(study, table, shown, read)),
        about=made_of.of_study(study, table.engine, view=read.query()),
        illustrative=study.is_example,
    )


def _facts(study: Study, table: Board) -> Iterator[str]:
    asked = f"Asked on {study.created_at:%Y-%m-%d}"
    yield f"{asked} by {study.created_by.get_username()}" if study.created_by else asked
    yield f"{len(table.rows)} scenarios, {table.seeds} seed{'' if table.seeds == 1 else 's'} finished"
    if not table.progress.finished:
        yield f"{table.progress.done} of {table.progress.total} runs done: numbers will move"
    yield f"Engine {table.engine or 'not run yet'}"


def _sections(study: Study, table: Board, shown: Front, view: StudyView) -> Iterator[Section]:
    figure = front_figure(shown, hidden=view.hide, caption=study_facts.caption(study, table))
    yield Section("The answer", tuple(_answer(shown)))
    yield Section("The front", (figure.summary,), (figure,))
    yield _comparison(table, view)
    yield _scenarios(table)
    if table.excluded:
        yield Section("Beside the front, not on it", tuple(f"{e.label}: {e.sentence}" for e in table.excluded))
    yield sources(study_facts.parts(study.workspace, study.base))
    yield twelve_points(points(facts_of_study(study)))
    yield origins()


def _answer(shown: Front) -> Iterator[str]:
    for pick in shown.picks:
        yield f"{pick.name[0].upper()}{pick.name[1:]}: {pick.label}. {pick.reason}"
    yield strip_tags(study_words.binding(shown))
    yield f"{shown.counts['survive']} of {shown.counts['all']} scenarios keep every hard limit."
    if volume := study_words.volume(shown):
        yield volume
    yield from shown.notes


def _comparison(table: Board, view: StudyView) -> Section:
    heads = headings(table, study_view.shown_columns(view, table), view.sort)
    head = ("Scenario", *(f"{h.column.title} {h.unit}".strip() for h in heads), "On the front")
    rows = tuple(_row(line, heads) for line in lines(table, heads, view.sort))
    said = (
        "Means over seeds with their 95 % intervals; in brackets the paired difference to the baseline, only where its "
        "interval leaves out zero. Letters are origins."
    )
    return Section("The comparison", (said,), grid=Grid(head, rows))


def _row(line: Line, heads: list[Heading]) -> tuple[str, ...]:
    name = f"{line.row.label} (baseline)" if line.is_baseline else line.row.label
    cells = []
    for shown in line.cells:
        if shown.cell is None or not shown.text:
            cells.append(f"– ({shown.why})")
            continue
        beside = f" ({shown.relative or shown.difference})" if shown.difference else ""
        cells.append(marked(shown.cell.origin, f"{shown.text} {shown.interval}{beside}"))
    share = f"{line.row.front_share[0]} of {line.row.front_share[1]}" if line.row.front_share else "–"
    return (name, *cells, share)


def _scenarios(table: Board) -> Section:
    rows = tuple(
        (
            row.label,
            "; ".join(f"{c['path']}: {c['old']} to {c['new']} {c['unit']}".rstrip() for c in row.changes) or "the base",
            f"{row.done} of {row.total}",
            row.digest[:12],
        )
        for row in table.rows
    )
    head = ("Scenario", "What differs from the base", "Runs done", "Digest")
    return Section("The scenarios", grid=Grid(head, rows, frozenset({1, 3})))
