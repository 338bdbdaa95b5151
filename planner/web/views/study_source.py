"""From a number to where it comes from: origin, inputs, formula, seeds and runs."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from planner.accounts.selectors import workspace_for
from planner.compare.board import Row, board
from planner.compare.cells import Cell
from planner.evidence.trace import Input, inputs_of
from planner.studies import selectors
from planner.studies.models import Study
from planner.web.numbers import scale_for
from planner.web.study_facts import revision_url
from planner.web.study_table import interval
from planner.web.terms import ORIGIN_MEANINGS


@login_required
def study_source(request: HttpRequest, workspace: str, study: UUID) -> HttpResponse:
    """A sheet for one value of the comparison: `?scenario=<id>&metric=<name>`."""
    here = workspace_for(request.user, workspace)
    found = selectors.study_for(request.user, here, study)
    metric = request.GET.get("metric", "")
    table = board(found, metrics=[metric])
    row, column = table.row(request.GET.get("scenario")), table.column(metric)
    cell = row.cells.get(metric) if row else None
    if row is None or column is None or cell is None or cell.value is None:
        raise Http404("No such number")
    scale = scale_for(column.unit, [cell.value])
    context = {
        "board": table,
        "row": row,
        "column": column,
        "cell": cell,
        "text": scale.text(cell.value),
        "unit": scale.unit,
        "interval": interval(cell, scale),
        "meaning": ORIGIN_MEANINGS[cell.origin],
        "inputs": [(one, revision_url(one.revision)) for one in inputs_of_cell(found, row, cell)],
        "seeds": seeds(row, metric),
    }
    return render(request, "studies/source.html", context)


def inputs_of_cell(study: Study, row: Row, cell: Cell) -> tuple[Input, ...]:
    """Each group of inputs that the number rests on, with its origin and the revision it stands in."""
    spec = selectors.scenarios(study).get(id=row.scenario_id).spec
    return inputs_of(study.workspace, spec, cell.inputs)


def seeds(row: Row, metric: str) -> list[dict[str, Any]]:
    runs = dict(enumerate(row.run_ids))
    values = row.samples.get(metric, {})
    return [{"seed": seed, "value": value, "run": runs.get(seed)} for seed, value in sorted(values.items())]
