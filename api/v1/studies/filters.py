from __future__ import annotations

from django_filters import BooleanFilter, CharFilter, ChoiceFilter, DateTimeFilter, FilterSet, NumberFilter, UUIDFilter

from planner.studies.models import Run, Study

LARGEST_SEED = 2**31 - 1


class StudyFilter(FilterSet):
    question = CharFilter(lookup_expr="icontains", help_text="part of the question")
    created_after = DateTimeFilter(field_name="created_at", lookup_expr="gt")
    archived = BooleanFilter(method="passed", help_text="true: what is archived instead")

    class Meta:
        model = Study
        fields = ()

    def passed(self, rows: object, name: str, value: bool) -> object:
        """Which of the two lists is read was decided where they are made."""
        return rows


class RunFilter(FilterSet):
    study = UUIDFilter(field_name="scenario__study")
    scenario = UUIDFilter(field_name="scenario")
    state = ChoiceFilter(choices=Run.State.choices)
    seed = NumberFilter(min_value=0, max_value=LARGEST_SEED)

    class Meta:
        model = Run
        fields = ()
