"""The task file, written and read."""

import csv
import io
import json

import pytest

from runoff.files import read_judgments, read_tasks, render_task_jsonl, render_task_sheet, render_tasks
from tests.files.samples import problems_of
from tests.files.tasked import DOCS, QUERIES, TASKS

HEADER = b"task,place,pair,query,left,right,expected\n"


def test_written_and_read_again():
    data = "".join(render_tasks(TASKS)).encode()
    assert read_tasks(data).pairs == TASKS.pairs
    assert data.startswith(HEADER)


@pytest.mark.parametrize(
    "data, start",
    [
        (b"task,query\n", "<bytes>:1: the columns are task, query; expected task,place,pair"),
        (HEADER, "<bytes>: no tasks;"),
        (HEADER + b"t,x,p,q,a,b,\n", "<bytes>:2: 't,x,p,q,a,b,' is not a pair of a task"),
        (HEADER + b"t,1,p,q,a,b,c\n", "<bytes>: the answer 'c' in task 't' is neither"),
        (HEADER + b'"t\n', "<bytes>: not CSV"),
        (HEADER + b"\xff\n", "<bytes>: bytes that are not UTF-8"),
    ],
)
def test_faults(data, start):
    (problem,) = problems_of(read_tasks, data)
    assert problem.startswith(start)


def test_a_filled_in_sheet_is_read_as_it_is():
    rows = list(csv.DictReader(io.StringIO("".join(render_task_sheet(TASKS, QUERIES, DOCS)))))
    assert {row["left_text"] for row in rows} <= {*DOCS.values(), "'=1+1"}
    assert not any(row[column].startswith("=") for row in rows for column in ("left_text", "right_text"))
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows({**row, "preferred": "Right", "assessor": "ann"} for row in rows)
    table = read_judgments(text.getvalue().encode())
    assert [(row.query_id, row.left, row.right, row.preferred, row.task) for row in table] == [
        (row.query_id, row.left, row.right, row.right, row.task) for row in TASKS
    ]


def test_no_file_for_assessors_holds_right_answers():
    assert "expected" not in "".join(render_task_sheet(TASKS, QUERIES, DOCS)).splitlines()[0]
    for line in render_task_jsonl(TASKS, QUERIES, DOCS):
        assert "expected" not in json.loads(line)


def test_json_lines_hold_the_texts():
    first = json.loads(next(iter(render_task_jsonl(TASKS, QUERIES, DOCS))))
    row = TASKS.pairs[0]
    assert (first["left"], first["left_text"], first["question"]) == (row.left, DOCS[row.left], QUERIES[row.query_id])
