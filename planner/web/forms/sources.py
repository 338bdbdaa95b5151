"""The form of a correction: where figures come from, said anew."""

from __future__ import annotations

from django import forms


class CorrectionForm(forms.Form):
    title = forms.CharField(
        max_length=200, label="Where do the figures come from?",
        help_text="Origin and file stay: figures of another origin are typed or imported as a new revision.",
    )  # fmt: skip
    why = forms.CharField(max_length=300, label="What was wrong?", help_text="Kept with your name and the date.")
