"""The OpenAPI description holds every address, and the server keeps to it."""

from __future__ import annotations

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.server.web.serving import API

CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]
PATHS = {
    f"{API}/boards": ["get"],
    f"{API}/boards/{{slug}}": ["get"],
    f"{API}/boards/{{slug}}/compare": ["get"],
    f"{API}/boards/{{slug}}/quota": ["get"],
    f"{API}/boards/{{slug}}/runs": ["post"],
    f"{API}/boards/{{slug}}/settings": ["get"],
    f"{API}/runs/{{run_id}}": ["get"],
}


def test_every_address_is_described(serving):
    found = serving.client.get(f"{API}/openapi.json").json()
    assert {path: list(methods) for path, methods in found["paths"].items()} == PATHS
    json.dumps(found)


def conforms(serving, examples, headers):
    schema = schemathesis.openapi.from_asgi(f"{API}/openapi.json", serving.client.app)
    for result in schema.get_all_operations():
        strategy = result.ok().as_strategy()  # type: ignore[union-attr]

        @settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=strategy)
        def one(case):
            response = case.call(headers=headers)
            case.validate_response(response, checks=CHECKS)

        one()


def test_the_server_keeps_to_its_description(serving):
    conforms(serving, 12, serving.bearer)


@pytest.mark.proof
@pytest.mark.parametrize("signed_in", [True, False])
def test_the_server_keeps_to_its_description_at_length(serving, signed_in):
    conforms(serving, 400, serving.bearer if signed_in else {})
