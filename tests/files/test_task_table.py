"""The task file, written and read."""

import pytest

from runoff.files import read_tasks, render_tasks
from tests.files.samples import problems_of
from tests.files.tasked import TASKS

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
        (HEADER + b"t,x,p,q,a,b,\n", "<bytes>:2: 't,x,p,q,a,b,' is no pair of a task"),
        (HEADER + b"t,1,p,q,a,b,c\n", "<bytes>: the answer 'c' in task 't' is neither"),
        (HEADER + b'"t\n', "<bytes>: not CSV"),
        (HEADER + b"\xff\n", "<bytes>: bytes that are not UTF-8"),
    ],
)
def test_faults(data, start):
    (problem,) = problems_of(read_tasks, data)
    assert problem.startswith(start)
