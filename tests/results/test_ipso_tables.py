"""Tables of agreement: by depth, and the opposite cases by name."""

import pytest

from runoff.results.ipso_agreement import MOST_NAMED, WORDS, agreement_grid, by_depth_grids, opposite_grid
from runoff.verdicts import AGREEMENTS
from tests.verbs.ipso_boards import ipso_board, qrels_of, random_board, run_of_serps

# The many small wins of one run outvote the few large ones of the other.
OPPOSED = [
    run_of_serps("few large", ["1000"] * 12 + ["0001"] * 60),
    run_of_serps("many small", ["0000"] * 12 + ["0010"] * 60),
    run_of_serps("nothing", ["0000"] * 72),
]


def board(**options):
    return ipso_board(OPPOSED, qrels_of(72), **options)


def test_opposite_cases_are_named():
    result = board(depths=[4], measures=["RR", "RR@3"], tests=["t", "sign"])
    assert result.lines[0].result.counts["opposite"] == 1
    grid = opposite_grid(result.runs, result.lines)
    line, at = result.lines[0], result.lines[0].result.found.tolist().index(AGREEMENTS.index("opposite"))
    p, ipso_p = line.result.measure_p[at], line.result.ipso_p[at]
    assert grid.rows[0] == ("RR@4, t test", "few large", p, "many small", ipso_p)
    assert max(p, ipso_p) < 0.05
    assert result.grids()[-1] == grid
    assert f"In {len(grid.rows)} of 12 cases both are significant for different runs" in result.opening(80)[1]


def test_a_measure_with_its_own_cutoff_has_the_depth_of_ipso_beside_it():
    result = board(depths=[4], measures=["RR@5"], tests=["t"])
    assert opposite_grid(result.runs, result.lines).rows[0][0] == "RR@5, t test, depth 4"


def test_without_opposite_cases_there_is_no_such_table():
    result = ipso_board(random_board(4, 30), qrels_of(30), depths=[6], measures=["P"])
    assert opposite_grid(result.runs, result.lines).rows == ()
    assert len(result.grids()) == 2


def test_many_opposite_cases_are_counted():
    result = board(depths=list(range(4, 30)), measures=["RR"], tests=["t"])
    grid = opposite_grid(result.runs, result.lines)
    assert len(grid.rows) == MOST_NAMED
    assert grid.notes == ("6 more cases: --per-pair --format csv.",)


def test_by_depth_is_the_full_table_turned():
    result = ipso_board(random_board(5, 60), qrels_of(60), depths=[2, 4, 6], measures=["P", "RR@3"], tests=["t"])
    full = agreement_grid(result.lines, [])
    same, measure_only, ipso_only = by_depth_grids(result.lines, ["note"])
    assert same.values("measure") == ("P@k", "RR@3")
    assert same.notes[0] == "note"
    for at, depth in enumerate((2, 4, 6)):
        rows = [row for row in full.rows if row[0] == depth]
        assert measure_only.values(f"depth_{depth}") == tuple(row[5] for row in rows)
        assert ipso_only.values(f"depth_{depth}") == tuple(row[6] for row in rows)
        agree = [line.result.shares for line in result.lines if line.depth == depth]
        assert same.values(f"depth_{depth}") == pytest.approx([one["both_yes"] + one["both_no"] for one in agree])
        assert full.values("depth")[2 * at] == depth


def test_every_kind_has_words():
    assert tuple(WORDS) == AGREEMENTS
