"""Tasks as a table."""

import pytest

from runoff.errors import UsageError
from runoff.tables import JudgingPair, Tasks

ROWS = (
    JudgingPair("t1", 1, "p1", "q", "a", "b"),
    JudgingPair("t1", 2, "p2", "q", "x", "a", "a"),
    JudgingPair("t2", 1, "p1", "q", "b", "a"),
)


def test_what_it_knows():
    tasks = Tasks(name="mine", pairs=ROWS)
    assert (len(tasks), tasks.real_pairs, tasks.known_answers) == (2, 2, (("q", "a", "x"),))
    assert tasks.only(["t2"]).pairs == ROWS[2:]
    assert repr(tasks) == "<Tasks mine: 3 pairs in 2 tasks>"


@pytest.mark.parametrize(
    "rows, message",
    [
        ((ROWS[0], ROWS[2], ROWS[1]), "task 't1' is in two places"),
        ((JudgingPair("t", 1, "p", "q", "a", "a"),), "'a' is compared with itself"),
        ((JudgingPair("t", 1, "p", "q", "a", "b", "c"),), "the answer 'c' in task 't' is neither 'a' nor 'b'"),
    ],
)
def test_what_cannot_be(rows, message):
    with pytest.raises(UsageError, match=message):
        Tasks(name="mine", pairs=rows)


def test_unknown_tasks():
    with pytest.raises(UsageError, match="1 of 1 chosen tasks are not in mine, the first is 't9'"):
        Tasks(name="mine", pairs=ROWS).only(["t9"])
