"""A table of equal rows in a form: blank ones at the end are ignored, marked ones are taken out."""

from __future__ import annotations

from collections.abc import Collection

from django import forms


class Rows(forms.BaseFormSet):
    """`wanted` is what to say where every row is blank; fields `beyond` the row are shown beneath it."""

    wanted = "Give at least one row."
    beyond: Collection[str] = ()

    def clean(self) -> None:
        if not any(self.errors) and not self.kept:
            raise forms.ValidationError(self.wanted)

    @property
    def kept(self) -> list[forms.Form]:
        gone = self.deleted_forms
        return [form for form in self.forms if form.has_changed() and form not in gone]


def rows_of(form: type[forms.Form], base: type[Rows], *, most: int, extra: int) -> type[Rows]:
    return forms.formset_factory(
        form, formset=base, extra=extra, max_num=most, validate_max=True,
        absolute_max=most + 1,  # else a thousand rows more are built only to be refused
        can_delete=True, can_delete_extra=False,
    )  # fmt: skip
