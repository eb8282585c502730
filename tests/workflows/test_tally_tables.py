"""Tables of a tally."""

from typing import Any

from runoff.workflows.tally import tally
from runoff.workflows.tally_tables import assessor_grid, impact_grid, ratio_grid
from tests.workflows.tallied import CARELESS, MADE, QRELS, RUNS

RESULT: Any = tally(CARELESS, tasks=MADE.tasks, runs=RUNS, qrels=QRELS)


def test_ratios_are_read_along_the_row():
    grid = ratio_grid(RESULT.board.ratios, RESULT.board.marks)
    names = [str(one) for one in grid.values("run")]
    ratios = RESULT.board.ratios
    for row, name in zip(grid.rows, names, strict=True):
        for other, cell in zip(names, row[2:], strict=True):
            value = ratios.ratios[ratios.runs.index(other), ratios.runs.index(name)]
            assert cell is None or str(cell).rstrip("*") == f"{value:.1%}"


def test_assessors_who_failed_come_first():
    failed = [int(str(value)) for value in assessor_grid(RESULT).values("failed")]
    assert failed == sorted(failed, reverse=True)
    assert failed[0] > 0


def test_impact_is_ordered_by_the_new_labels():
    means = [float(str(value)) for value in impact_grid(RESULT.board.impact).values("preference")]
    assert means == sorted(means, reverse=True)
