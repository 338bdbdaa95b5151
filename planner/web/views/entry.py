"""Typing in a cluster, a price sheet or an SLO set, new or as the next revision: one course for all three."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from planner.accounts.selectors import Act, workspace_for
from planner.catalog import selectors
from planner.catalog.documents import DocumentError
from planner.catalog.hardware import model_names
from planner.catalog.models import Item, Kind, Revision
from planner.catalog.services import Conflict
from planner.web.forms.rows import Rows

BLANK_ROWS = 3


@dataclass(frozen=True, slots=True)
class EntryPage:
    """`head_of` and `rows_of` give what the forms show of a revision; `save` calls the service."""

    kind: Kind
    template: str
    page: str
    form: type[forms.Form]
    rows: Callable[[int], type[Rows]]
    head_of: Callable[[Revision], dict[str, Any]]
    rows_of: Callable[[Revision], list[dict[str, Any]]]
    save: Callable[..., Revision]

    def show(self, request: HttpRequest, slug: str, id: Any = None) -> HttpResponse:
        workspace = workspace_for(request.user, slug, Act.EDIT)
        item = selectors.item_for(request.user, workspace, self.kind, id, Act.EDIT) if id else None
        if request.method == "POST":
            return self._answer(request, slug, item)
        base = selectors.latest(item) if item else None
        initial = {**self.head_of(base), "name": item.name, "based_on": base.id} if base else None
        rows = self.rows(1 if base else BLANK_ROWS)(prefix="rows", initial=self.rows_of(base) if base else None)
        return self._render(request, self.form(initial=initial), rows, item)

    def _answer(self, request: HttpRequest, slug: str, item: Item | None) -> HttpResponse:
        workspace = workspace_for(request.user, slug, Act.EDIT)
        form, rows = self.form(request.POST), self.rows(0)(request.POST, prefix="rows")
        status = 400
        if form.is_valid() and rows.is_valid():
            given = form.cleaned_data
            base = selectors.revision_for(workspace, given["based_on"], self.kind) if given["based_on"] else None
            common = {"workspace": workspace, "user": request.user, "item": item, "based_on": base}
            try:
                revision = self.save(form, rows, **common, name=given["name"], why=given["why"])
            except DocumentError as error:
                form.add_error(None, str(error))
            except Conflict as error:
                form.add_error(None, str(error))
                status = 409
            else:
                messages.success(request, f"Saved as revision {revision.number} of {revision.item.name}.")
                return redirect(self.page, slug, revision.item_id)
        return self._render(request, form, rows, item, status)

    def _render(
        self, request: HttpRequest, form: forms.Form, rows: Rows, item: Item | None, status: int = 200
    ) -> HttpResponse:
        context = {"form": form, "rows": rows, "item": item, "models": model_names()}
        return render(request, self.template, context, status=status)
