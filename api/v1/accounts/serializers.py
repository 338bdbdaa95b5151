from __future__ import annotations

from rest_framework import serializers

from planner.accounts.models import ApiToken, Role, User, Workspace
from planner.accounts.selectors import role_in


class WorkspaceSerializer(serializers.ModelSerializer):
    role = serializers.SerializerMethodField(help_text="what you are here")

    class Meta:
        model = Workspace
        fields = ("slug", "name", "is_example", "created_at", "role")

    def get_role(self, workspace: Workspace) -> Role:
        return role_in(self.context["request"].user, workspace)


class TokenSerializer(serializers.ModelSerializer):
    class Meta:
        model = ApiToken
        fields = ("id", "name", "scope", "hint", "created_at", "expires_at", "revoked_at", "last_used_at")


class MeSerializer(serializers.ModelSerializer):
    workspaces = WorkspaceSerializer(many=True)
    token = serializers.SerializerMethodField(help_text="the one that you came with; null for a browser's session")

    class Meta:
        model = User
        fields = ("username", "workspaces", "token")

    def get_token(self, user: User) -> TokenSerializer(allow_null=True):
        token = self.context["request"].auth
        return TokenSerializer(token).data if token else None


class CountsSerializer(serializers.Serializer):
    running = serializers.IntegerField()
    waiting = serializers.IntegerField()


class OverviewSerializer(serializers.Serializer):
    """What the first page of a workspace tells."""

    workspace = WorkspaceSerializer()
    items = serializers.DictField(child=serializers.IntegerField(), help_text="kind -> how many, without archived ones")
    queue = CountsSerializer()
    problems = serializers.ListField(child=serializers.CharField(), help_text="what of the installation does not work")
