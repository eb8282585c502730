"""Every output is what its golden file says, byte for byte; `make golden` renews the files and shows what changed."""

import json

import pytest
from jsonschema import Draft202012Validator

import runoff
from runoff.cli.main import VERBS
from tests.golden import real_data
from tests.golden.outputs import ACCESS, BY_NAME, COMMANDS, DEMO, LEFT_OUT, NAMES, Outputs
from tests.golden.pinned import NOT_PINNED, can_be_pinned, pinned
from tests.golden.served import ADDRESSES, API, BOARD
from tests.golden.stored import EXPECTED, changes_of, stale_files

RENEW = "If this change is meant, `make golden` renews the golden files; commit them with it."
MOST_BYTES = 900_000


def fail(changes: dict[str, str]) -> None:
    parts = [f"{file} changed:\n{change}" for file, change in changes.items()]
    pytest.fail("\n\n".join([*parts, RENEW]), pytrace=False)


@pytest.fixture(scope="session")
def made_by():
    if not can_be_pinned():
        pytest.skip(NOT_PINNED)
    with pinned() as maker:
        yield maker


@pytest.fixture(scope="session")
def output_of(made_by, tmp_path_factory):
    return made_by(Outputs, tmp_path_factory.mktemp("golden"))


@pytest.fixture(scope="session")
def real_output_of(made_by, tmp_path_factory, shared_data):
    return made_by(real_data.RealOutputs, tmp_path_factory.mktemp("golden-real"), shared_data)


@pytest.mark.parametrize("name", NAMES)
def test_output(output_of, name):
    changes = changes_of(name, output_of(name))
    if changes:
        fail(changes)


@pytest.mark.parametrize("name", [command.name for command in COMMANDS if command.format == "json"])
def test_output_fulfils_its_schema(output_of, name):
    content = json.loads(output_of(name)[f"{name}.json"])
    errors = Draft202012Validator(runoff.schema(BY_NAME[name].verb)).iter_errors(content)
    assert [f"{error.json_path}: {error.message[:200]}" for error in errors] == []


@pytest.mark.parametrize("name", real_data.BY_NAME)
def test_output_on_real_data(real_output_of, name):
    actual, stored = real_output_of(name), real_data.read_summaries()
    expected = {file: summary for file, summary in stored.items() if file.partition(".")[0] == name}
    change = real_data.summary_difference(expected, actual)
    if change:
        fail({real_data.FILE.name: change})


def test_every_verb_has_a_golden_file():
    verbs = {DEMO} | {command.verb for command in COMMANDS}
    assert verbs.isdisjoint(LEFT_OUT)
    assert set(VERBS) - verbs == set(LEFT_OUT), "list a command of each verb in tests/golden/outputs.py"


def test_every_address_of_the_api_has_a_golden_file():
    from fastapi.routing import APIRoute

    from runoff.server.web.api import API_ROUTERS

    listed = {address.path.partition("?")[0] for address in ADDRESSES.values()}
    places = {"{slug}": BOARD.rpartition("/")[2], "{run_id}": "2"}
    for route in (route for router in API_ROUTERS for route in router.routes if isinstance(route, APIRoute)):
        path = f"{API}{route.path}"
        for part, value in places.items():
            path = path.replace(part, value)
        if "GET" in (route.methods or ()):
            assert path in listed, f"list {route.path} in tests/golden/served.py"


def test_names_are_unique():
    names = [command.name for command in COMMANDS] + list(ADDRESSES) + [DEMO, ACCESS]
    assert len(names) == len(set(names)) == len(NAMES)
    assert len(real_data.BY_NAME) == len(real_data.COMMANDS)


def test_no_golden_file_is_left_over():
    assert [file.name for file in stale_files(NAMES)] == [], RENEW
    left_over = [file for file in real_data.read_summaries() if file.partition(".")[0] not in real_data.BY_NAME]
    assert left_over == [], RENEW


def test_golden_files_are_small():
    assert sum(file.stat().st_size for file in EXPECTED.iterdir()) <= MOST_BYTES, "ask for less in some command"
