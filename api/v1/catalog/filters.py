from __future__ import annotations

from django_filters import BooleanFilter, CharFilter, ChoiceFilter, FilterSet

from api.v1.fields import ORIGINS
from planner.catalog.models import Import, Item


class ItemFilter(FilterSet):
    name = CharFilter(lookup_expr="icontains", help_text="part of the name")
    origin = ChoiceFilter(field_name="newest_origin", choices=[(o, o) for o in ORIGINS])
    archived = BooleanFilter(method="passed", help_text="true: what is archived instead")

    class Meta:
        model = Item
        fields = ()

    def passed(self, rows: object, name: str, value: bool) -> object:
        """Which of the two lists is read was decided where they are made."""
        return rows


class ImportFilter(FilterSet):
    state = ChoiceFilter(choices=Import.State.choices)
    kind = ChoiceFilter(choices=Import.Of.choices)
    sha256 = CharFilter(help_text="of the file")

    class Meta:
        model = Import
        fields = ()
