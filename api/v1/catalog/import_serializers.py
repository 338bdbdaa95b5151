from __future__ import annotations

from rest_framework import serializers

from planner.catalog.models import Import, Revision
from simulation.formats.registry import FORMATS


class UploadSerializer(serializers.Serializer):
    """A file, or text instead of one."""

    file = serializers.FileField(required=False, allow_empty_file=True, max_length=255)
    text = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    filename = serializers.CharField(required=False, allow_blank=True, max_length=255)
    kind = serializers.ChoiceField(Import.Of.choices, required=False, allow_blank=True, help_text="what it holds")
    format = serializers.ChoiceField(
        list(FORMATS), required=False, allow_blank=True, help_text="instead of what it looks like"
    )


class SavedSerializer(serializers.ModelSerializer):
    item = serializers.UUIDField(source="item_id")
    name = serializers.CharField(source="item.name")
    kind = serializers.CharField(source="item.kind")

    class Meta:
        model = Revision
        fields = ("id", "number", "item", "name", "kind", "origin", "digest")


class _ImportSerializer(serializers.ModelSerializer):
    created_by = serializers.CharField(source="created_by.username", default=None)
    revision = SavedSerializer(allow_null=True)

    class Meta:
        model = Import
        fields = ("id", "state", "kind", "format", "file_name", "size", "sha256", "created_by", "created_at",
                  "accepted_at", "added", "revision")  # fmt: skip


class ImportLineSerializer(_ImportSerializer):
    rows = serializers.JSONField(help_text="what became of the rows of the file")

    class Meta(_ImportSerializer.Meta):
        fields = (*_ImportSerializer.Meta.fields, "rows")


class ImportSerializer(_ImportSerializer):
    preview = serializers.JSONField(help_text="facts, questions with their answers, a sample of rows, sums")

    class Meta(_ImportSerializer.Meta):
        fields = (*_ImportSerializer.Meta.fields, "answers", "preview")


class AcceptedSerializer(serializers.Serializer):
    added = serializers.BooleanField(help_text="false: the same content was there before")
    revision = SavedSerializer()


class RejectedSerializer(serializers.Serializer):
    line = serializers.IntegerField()
    column = serializers.CharField(allow_null=True)
    value = serializers.CharField()
    expected = serializers.CharField()
    reason = serializers.CharField()
    raw = serializers.CharField(help_text="the row as it stands in the file")


class FormatSerializer(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.CharField()
    made_by = serializers.CharField()
