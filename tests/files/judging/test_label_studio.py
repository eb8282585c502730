"""Label Studio: tasks out, annotations in."""

import json

import pytest

from runoff.files import read_judgments, render_label_studio
from runoff.files.judging.label_studio import CONFIG
from tests.files.samples import problems_of
from tests.files.tasked import DOCS, QUERIES, TASKS


def exported(side="left", who=7, **more):
    """Its tasks as it exports them, with an annotation each."""
    records = json.loads("".join(render_label_studio(TASKS, QUERIES, DOCS)))
    result = [{"type": "pairwise", "from_name": "preferred", "value": {"selected": side}}]
    for record in records:
        record["annotations"] = [{"completed_by": who, "lead_time": 4.5, "result": result, **more}]
    return json.dumps(records).encode()


def test_annotations_become_judgments():
    table = read_judgments(exported("right"))
    assert [(row.left, row.right, row.preferred, row.task) for row in table] == [
        (row.left, row.right, row.right, row.task) for row in TASKS
    ]
    assert {(row.assessor, row.seconds) for row in table} == {("7", 4.5)}
    assert {row.assessor for row in read_judgments(exported(who={"id": 7, "email": "a@b.c"}))} == {"a@b.c"}


def test_every_variable_of_the_configuration_is_in_the_data():
    (first, *_) = json.loads("".join(render_label_studio(TASKS, QUERIES, DOCS)))
    assert {"question", "left_text", "right_text"} <= set(first["data"])
    assert all(f'"${name}"' in CONFIG for name in ("question", "left_text", "right_text"))
    assert "expected" not in first["data"]


def test_a_long_export_on_one_line_is_read():
    records = json.loads(exported())
    records[0]["data"]["left_text"] = "x" * (2 << 20)
    assert len(read_judgments(json.dumps(records).encode())) == len(TASKS.pairs)


@pytest.mark.parametrize(
    "data, start",
    [
        (b"[1, 2", "<bytes>: not JSON"),
        (b'[{"data": {"query": "q"}}]', "<bytes>:1: no data with query, left and right"),
        (exported("up"), "<bytes>:1: selected is 'up'; expected left or right"),
        (exported(was_cancelled=True), "<bytes>: no judgments"),
    ],
)
def test_faults(data, start):
    assert problems_of(read_judgments, data)[0].startswith(start)
