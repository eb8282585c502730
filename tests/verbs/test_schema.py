"""Every JSON output has a schema that it fulfils, and that nothing else fulfils."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import runoff
from runoff.cli.main import VERBS
from runoff.errors import UsageError
from runoff.verbs.schema import schema_names
from scripts.json_shapes import keys, maybe, optional, schema_of
from scripts.schemas import outdated
from tests.golden import real_data
from tests.golden.outputs import COMMANDS
from tests.golden.stored import EXPECTED

WITHOUT_SCHEMA = {
    "submit": "the answer of the server, which its own description at /api/openapi.json has",
    "schema": "a schema",
    "mcp": "the JSON of other commands",
    "serve": "prints no results",
    "admin": "prints no results",
}
STORED = {f"{one.name}.json": one.verb for one in COMMANDS if (EXPECTED / f"{one.name}.json").is_file()} | {
    "demo.json": "demo"
}
NOT_ALWAYS = {"table", "measures"}
"""Keys that an output of `compare` has only with several measures or challengers."""
PLANTED: dict[str, Any] = {"planted": {"planted": {"planted": {"planted": {}}}}}
"""No output has this, also where any name may be a key."""


@cache
def validator(command: str) -> Draft202012Validator:
    return Draft202012Validator(runoff.schema(command))


def problems(command: str, content: Any) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(command).iter_errors(content)]


def stored(name: str) -> Any:
    return json.loads((EXPECTED / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def real_outputs(tmp_path_factory, shared_data):
    return real_data.RealOutputs(tmp_path_factory.mktemp("real"), shared_data)


def test_the_files_are_what_the_code_says():
    assert outdated() == [], "write them: python -m scripts.schemas"


def test_every_command_that_writes_json_has_a_schema():
    assert set(VERBS) - set(WITHOUT_SCHEMA) == set(schema_names())


@pytest.mark.parametrize("command", schema_names())
def test_a_schema_is_a_schema(command):
    found = runoff.schema(command)
    Draft202012Validator.check_schema(found)
    assert (found["$schema"], found["type"]) == ("https://json-schema.org/draft/2020-12/schema", "object")


def test_a_command_without_a_schema():
    with pytest.raises(UsageError, match=r"^there is no schema of 'serve'; expected one of audit, board, .*; choose"):
        runoff.schema("serve")


@pytest.mark.parametrize("name", STORED)
def test_golden_outputs(name):
    assert problems(STORED[name], stored(name)) == []


@pytest.mark.parametrize("name", [one.name for one in real_data.COMMANDS if one.format == "json"])
def test_outputs_on_real_data(real_outputs, name):
    command = real_data.BY_NAME[name]
    if command.after:
        real_outputs.of(command.after)
    content = json.loads(command.outputs(real_outputs.folder)[f"{name}.json"])
    assert problems(command.verb, content) == []


def short(value: Any) -> Any:
    """The same with one item in a list of objects, and at most three in other lists."""
    if isinstance(value, dict):
        return {key: short(part) for key, part in value.items()}
    if not isinstance(value, list):
        return value
    return [short(part) for part in value[: 1 if value and isinstance(value[0], dict) else 3]]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every part, the first item of a list standing for all."""
    yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def planted(content: Any, path: tuple[Any, ...]) -> Iterator[Any]:
    """The content with a wrong type at a place, and with an unknown key there if it is an object."""
    for change in ("type", "key"):
        wrong = copy.deepcopy(content)
        holder = wrong
        for step in path[:-1]:
            holder = holder[step]
        here = holder[path[-1]] if path else wrong
        if change == "key":
            if isinstance(here, dict):
                here |= PLANTED
                yield wrong
        elif path:
            holder[path[-1]] = PLANTED
            yield wrong


@pytest.mark.parametrize("name", STORED)
def test_a_wrong_type_or_an_unknown_key_anywhere_is_noticed(name):
    content = short(stored(name))
    check = validator(STORED[name])
    assert check.is_valid(content)
    for path in places(content):
        for wrong in planted(content, path):
            assert not check.is_valid(wrong), path


@pytest.mark.parametrize("name", STORED)
def test_a_missing_key_is_noticed(name):
    content = short(stored(name))
    for key in set(content) - NOT_ALWAYS:
        rest = {other: value for other, value in content.items() if other != key}
        assert not validator(STORED[name]).is_valid(rest), key


def test_shapes():
    shape = keys(optional(team=str), run=str, ends=tuple[float, float], p=maybe(int))
    check = Draft202012Validator(schema_of(shape))
    fine = {"run": "a", "ends": [1, None], "p": None}
    assert check.is_valid(fine)
    assert check.is_valid(fine | {"team": "Us"})
    for wrong in ({"run": 1}, {"ends": [1]}, {"ends": [1, 2, 3]}, {"p": 0.5}, {"team": None}, {"more": 1}):
        assert not check.is_valid(fine | wrong), wrong
    with pytest.raises(TypeError, match="what: no JSON is known for"):
        schema_of(keys(what=object))
