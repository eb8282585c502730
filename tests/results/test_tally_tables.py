"""Tables of a tally."""

from typing import Any

import numpy as np
import pytest

from runoff.reading.sources import as_run
from runoff.results.tally_tables import assessor_grid, better_grid, impact_grid, order_grid, ratio_grid
from runoff.verbs.tally import tally
from tests.verbs.tallied import ANSWERS, CARELESS, MADE, QRELS, RUNS

RESULT: Any = tally(CARELESS, tasks=MADE.tasks, runs=RUNS, qrels=QRELS)


def test_cells_are_column_over_row_with_their_number_of_queries():
    grid = ratio_grid(RESULT.board.ratios, RESULT.board.marks)
    ratios = RESULT.board.ratios
    names = [str(one) for one in grid.values("run")]
    assert (names[0], names[-1]) == ("perfect ranking", "wins")
    assert [column.heading for column in grid.columns] == ["Against", *names[:-1]]
    assert sorted(names[:-1]) == sorted(ratios.marked_runs)
    for row, against in zip(grid.rows, names[:-1], strict=False):
        for column, cell in zip(names[:-1], row[1:], strict=True):
            place = ratios.marked_runs.index(against), ratios.marked_runs.index(column)
            wins, losses = ratios.wins[place], ratios.wins[place[::-1]]
            if against == column:
                assert cell is None
            else:
                shown = f"{wins / (wins + losses):.1%}" if wins + losses else "–"
                assert str(cell).rstrip("*") == f"{shown} ({wins + losses})"
    won = dict(zip(names[:-1], grid.rows[-1][1:], strict=True))
    assert won == dict(zip(ratios.marked_runs, map(str, ratios.run_wins.tolist()), strict=True))


def test_runs_that_were_not_pooled_are_marked_everywhere():
    usual: Any = tally(ANSWERS, tasks=MADE.tasks, runs=RUNS, qrels=QRELS)
    stranger = as_run({query: {"never judged": 1.0} for query in usual.tournament.query_ids}, name="stranger")
    result: Any = tally(ANSWERS, tasks=MADE.tasks, runs=[*RUNS, stranger], qrels=QRELS)
    for grid in (
        ratio_grid(result.board.ratios, result.board.marks),
        better_grid(result.board.better_than_perfect, result.board.ratios, {}),
        impact_grid(result.board.impact, result.board.ratios),
    ):
        assert [name for name in grid.values("run") if str(name).endswith("°")] == ["stranger°"]
    assert "° Not pooled" in " ".join(ratio_grid(result.board.ratios, result.board.marks).notes)
    assert result.board.ratios.family.size == usual.board.ratios.family.size == 6
    np.testing.assert_array_equal(result.board.ratios.p[:3, :3], usual.board.ratios.p[:3, :3])
    assert "1 of 5 was not pooled (°)" in " ".join(result.opening(0))


def test_order_of_judged_pairs():
    grid = order_grid(RESULT.board.order, 10)
    assert grid.values("run")[0] == "perfect ranking"
    assert sorted(map(str, grid.values("run"))) == sorted(RESULT.board.ratios.runs)
    assert grid.values("any_pairs")[0] == RESULT.pairings.wins + RESULT.pairings.losses
    assert grid.values("any_share")[0] == pytest.approx(RESULT.pairings.share)


def test_assessors_who_failed_come_first():
    failed = [int(str(value)) for value in assessor_grid(RESULT).values("failed_tests")]
    assert failed == sorted(failed, reverse=True)
    assert failed[0] > 0


def test_impact_is_ordered_by_the_new_labels():
    grid = impact_grid(RESULT.board.impact, RESULT.board.ratios)
    perfect, *means = [float(str(value)) for value in grid.values("preference")]
    assert means == sorted(means, reverse=True)
    assert (grid.rows[0][0], grid.values("original")[0], perfect) == (
        "perfect ranking", 1.0, RESULT.board.impact.perfect.means[0]
    )  # fmt: skip
