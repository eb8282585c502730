"""Rows of judgments as text."""

import pytest

from runoff.errors import InputError
from runoff.files.judging.rows import JudgmentRows


def rows_of(*rows):
    collected = JudgmentRows("votes")
    for line, cells in enumerate(rows, start=1):
        collected.add(line, [*cells, *[""] * (8 - len(cells))])
    return collected


@pytest.mark.parametrize(
    "preferred, meant",
    [("a", "a"), ("b", "b"), ("LEFT", "a"), ("right", "b"), ("A", "a"), ("B", "b"), ("Tie", None)],
)
def test_what_preferred_may_be(preferred, meant):
    (row,) = rows_of(("q", "a", "b", preferred)).table("votes", ())
    assert row.preferred == meant


def test_an_id_comes_before_a_side():
    (row,) = rows_of(("q", "right", "left", "left")).table("votes", ())
    assert row.preferred == "left"
    assert row.right == "left"


def test_all_columns():
    (row,) = rows_of(("q", "a", "b", "a", "ann b", "t 1", "2.5", "right")).table("votes", ("x",))
    assert tuple(row) == ("q", "a", "b", "a", "ann b", "t 1", 2.5, "b")


def test_repeats_of_an_assessor_count_once():
    table = rows_of(("q", "a", "b", "a", "ann"), ("q", "a", "b", "A", "ann"), ("q", "a", "b", "a")).table("votes", ())
    assert (len(table), table.repeated) == (2, 1)


def test_every_fault():
    rows = rows_of(
        ("q", "a", "b", "c"),
        ("q", "a", "a", "a"),
        ("q", "a", "b", ""),
        ("", "a", "b b", "a"),
        ("q", "a", "b", "a", "an\nn", "", "-1"),
        ("q", "a", "b", "a", "", "", "soon", "tie"),
    )
    with pytest.raises(InputError) as caught:
        rows.table("votes", ())
    starts = [
        "votes:1: preferred 'c' is neither 'a' nor 'b'; expected one of them, left, right or tie;",
        "votes:2: document 'a' is compared with itself;",
        "votes:3: nothing is preferred;",
        "votes:4: query '' cannot be an id;",
        "votes:4: right 'b b' cannot be an id;",
        "votes:5: assessor 'an\\nn' cannot be a name;",
        "votes:5: seconds '-1' is not a time;",
        "votes:6: expected 'tie' is neither 'a' nor 'b'; expected one of them, left or right;",
        "votes:6: seconds 'soon' is not a time;",
    ]
    assert len(caught.value.problems) == len(starts)
    for problem, start in zip(caught.value.problems, starts, strict=True):
        assert problem.startswith(start)


def test_nothing():
    with pytest.raises(InputError, match="votes: no judgments"):
        JudgmentRows("votes").table("votes", ())
