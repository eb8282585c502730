"""`runoff schema`, as typed."""

import json

import runoff
from runoff.verbs.schema import schema_names


def test_the_list(call):
    shown = call("schema")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert tuple(shown.stdout.split()) == schema_names()


def test_one(call):
    shown = call("schema", "compare")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert json.loads(shown.stdout) == runoff.schema("compare")


def test_none(call):
    shown = call("schema", "submit")
    assert shown.returncode == 2
    assert shown.stderr.startswith("there is no schema of 'submit'; expected one of audit, board, ")
