from __future__ import annotations

from api.bodies import Given, Name


class NewWorkspace(Given):
    name: Name
