"""Generated requests, made out of the OpenAPI document: no fault of the server, no answer that it does not describe."""

from __future__ import annotations

import warnings

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, Verbosity, given, settings

from planner.config.wsgi import application
from tests.api.conftest import token_of
from tests.api.objects import objects_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the fuzzer's own dependencies
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_headers_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FEW, MANY = 4, 30  # requests an operation: some 300 and more than 2,000 in all


def planted(value, known):
    """Ids of this workspace in place of made-up ones, so that requests come further than "not found"."""
    if isinstance(value, dict):
        return {key: known.get(key, planted(part, known)) for key, part in value.items()}
    return [planted(part, known) for part in value] if isinstance(value, list) else value


def known_names(objects):
    """Names that stand in paths, and names that stand in bodies."""
    items = {kind: str(id) for kind, id in objects["items"].items()}
    return {key: str(value) for key, value in objects.items() if key != "items"}, items


@pytest.mark.parametrize("each", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_no_request_breaks_the_api(owner, study, settings_of_the_site, each):
    objects = objects_of(study, owner)
    paths, bodies = known_names(objects)
    headers = {"Authorization": f"Bearer {token_of(owner)}"}
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    asked = 0

    def run(operation):
        @settings(
            max_examples=each, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet,
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def check(case):
            nonlocal asked
            folder = operation.path.partition("{workspace}/")[2].partition("/")[0].removesuffix("s")
            item = bodies.get({"price": "prices", "slo": "slos"}.get(folder, folder))
            case.path_parameters = {
                name: item if name == "item" else paths.get(name, value)
                for name, value in (case.path_parameters or {}).items()
            }
            case.body = planted(case.body, bodies)
            with transaction.atomic():
                answer = case.call(headers=headers)
                transaction.set_rollback(True)
            case.validate_response(answer, checks=CHECKS)
            asked += 1

        check()

    failures = []
    for found in schema.get_all_operations():
        try:
            run(found.ok())
        except (AssertionError, BaseExceptionGroup) as failure:
            failures.append(f"{found.ok().label}: {failure} {getattr(failure, 'exceptions', '')}")
    assert not failures, "\n\n".join(failures)
    assert asked > (2_000 if each == MANY else 200)


@pytest.fixture
def settings_of_the_site(settings):
    settings.API_RATE = "1000000/minute"
    settings.ALLOWED_HOSTS = ["*"]
