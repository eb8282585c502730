"""One family of decisions: headline, groups, verdicts, rank sets and the report of a board say the same."""

import itertools
import re

import numpy as np
import pytest

import runoff
from runoff import Policy, Scores
from runoff.reading.sources import as_run
from runoff.results.board import rank_range
from runoff.simulation import SparseBoardConfig, simulate_sparse_board
from runoff.verbs.board import BoardOptions, board_of
from runoff.verdicts import lead_verdict
from tests.verbs.comparisons import qrels_of, run_of
from tests.verbs.real_boards import CHAMPION, deep_learning_runs, robust_runs


def check_consistency(board):
    """Everything that is claimed of a board, from its rows, its words, its table and its comparisons."""
    rows, decisions = {row.run: row for row in board.rows}, board.decided.decisions
    leader = board.leader
    others = [row for row in board.rows if row.run != leader.run]
    above = {(low, high) for low, high in itertools.permutations(rows, 2) if _is_above(decisions, high, low)}
    for row in board.rows:
        first = 1 + sum((row.run, other) in above for other in rows)
        last = len(rows) - sum((other, row.run) in above for other in rows)
        assert row.rank_set == (first, last)
        assert row.could_be_best == (row.rank_set[0] == 1)
    assert leader.could_be_best  # the best mean is below nobody
    assert leader.verdict is None
    for row in others:
        assert row.verdict == ("worse" if (row.run, leader.run) in above else "inconclusive")
        assert (row.verdict == "worse") == (row.p < board.data.policy.alpha)
        # Whoever is worse than the leader cannot be best, and is not in its group.
        assert row.verdict == "inconclusive" or not (row.could_be_best or row.group == leader.group)
    _check_groups(board, above)
    _check_words(board)
    for comparison in board.comparisons:
        row = rows[comparison.challenger]
        assert (comparison.outcome, comparison.verdict.measure.p) == (row.verdict, row.p)
        assert comparison.verdict.measure.shown == (-1 if row.verdict == "worse" else 0)
        assert bool(comparison.verdict.marks) == (row.verdict == "worse") == bool(row.marks)
        if row.how and row.verdict == "worse":
            assert comparison.verdict.how == row.how


def _is_above(decisions, high, low):
    return bool(decisions.above[decisions.runs.index(low), decisions.runs.index(high)])


def _check_groups(board, above):
    """Nobody is below the first of its own group, which is the one with the best mean."""
    by_mean = [board.ranks.runs[place] for place in board.ranks.order]
    groups = {row.run: row.group for row in board.rows}
    firsts: dict[int, str] = {}
    for run in by_mean:
        firsts.setdefault(groups[run], run)
        assert (run, firsts[groups[run]]) not in above
    assert sorted(firsts) == list(range(1, len(firsts) + 1))
    assert firsts[1] == by_mean[0]


def _check_words(board):
    best = [row.run for row in board.rows if row.could_be_best]
    headline, many = board.opening(80)[0], len(board.rows)
    sure = f"with {1 - board.data.policy.alpha:.0%} confidence"
    if many == 1:
        assert headline.endswith("; it is the only run.")
    elif len(best) == 1:
        assert f"Only {best[0]} could be the best of the {many:,} runs, {sure}" in headline
    elif len(best) == many:
        assert f"Any of the {many:,} runs could be the best, {sure}" in headline
    else:
        assert f"{len(best):,} of the {many:,} runs could be the best, {sure}: {best[0]}" in headline
    grid, content = board.grid(), board.to_dict()["runs"]
    assert grid.values("rank_set") == tuple(rank_range(row.rank_set) for row in board.rows)
    for cell, row, keys in zip(grid.values("verdict"), board.rows, content, strict=True):
        assert (None if cell is None else re.split(r"[ :]", str(cell))[0]) == row.verdict == keys["verdict"]
        assert (tuple(keys["rank_set"]), keys["could_be_best"], keys["group"]) == (
            row.rank_set, row.could_be_best, row.group,
        )  # fmt: skip
    verdicts = {row.run: row.verdict for row in board.rows if row.verdict}
    lead = lead_verdict(board.leader.run, verdicts)
    assert lead.kind == ("alone" if many == 1 else "shared" if "inconclusive" in verdicts.values() else "clear")
    assert set(lead.not_worse) >= {run for run in best if run != board.leader.run}


@pytest.mark.parametrize("seed, queries, alpha", [(0, 400, 0.05), (1, 60, 0.05), (2, 60, 0.3), (3, 12, 0.05)])
def test_a_board_as_the_demo_makes_them(seed, queries, alpha):
    made = simulate_sparse_board(SparseBoardConfig(queries=queries, runs=9, depth=30, seed=seed, tie_share=0.1))
    runs = [as_run("".join(made.run_lines(name)).encode(), name=name) for name in made.names]
    board = runoff.board(runs, made.qrels(), trials=100, policy=Policy(alpha=alpha))
    check_consistency(board)
    check_consistency(board_of(board.data, trials=100, options=BoardOptions(order="verdict")))


@pytest.mark.parametrize("measure", ["nDCG@10", "RR@10", "ESL@10", "P@5"])
def test_robust_2003(shared_data, measure):
    runs, qrels = robust_runs(shared_data)
    if measure == "ESL@10":  # undefined where a run finds nothing to rank 10
        with pytest.raises(runoff.UsageError, match="undefined"):
            runoff.board(runs, qrels, measures=measure, trials=50)
        return
    check_consistency(runoff.board(runs, qrels, measures=measure, trials=100))


def test_whoever_is_not_shown_to_be_worse_than_the_leader_is_in_its_group(shared_data):
    runs, qrels = robust_runs(shared_data)
    board = runoff.board(runs, qrels, measures="RR@10", trials=50)
    assert [row.run for row in board.rows if row.group == 1] == [
        row.run for row in board.rows if row.verdict != "worse"
    ]


@pytest.fixture(scope="module")
def deep_learning(shared_data):
    runs, qrels = deep_learning_runs(shared_data)
    return runoff.board(runs, qrels, measures="nDCG@10", trials=100)


def test_deep_learning_2021(deep_learning):
    check_consistency(deep_learning)
    assert deep_learning.leader.run == CHAMPION
    assert sum(row.could_be_best for row in deep_learning.rows) == 8
    assert sum(row.verdict == "worse" for row in deep_learning.rows) == 34


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_runs_could_be_best_whatever_the_seed(shared_data, deep_learning, seed):
    runs, qrels = deep_learning_runs(shared_data)
    board = runoff.board(runs, qrels, measures="nDCG@10", trials=50, seed=seed)
    check_consistency(board)
    assert sum(row.verdict == "worse" for row in board.rows) == 34
    assert {row.run for row in board.rows if row.could_be_best} == {
        row.run for row in deep_learning.rows if row.could_be_best
    }


def test_runs_that_are_the_same_are_never_told_apart(deep_learning):
    """Two of the submitted runs have the same lists: no row may treat them differently."""
    rows = {row.run: row for row in deep_learning.rows}
    first, second = rows["pash_f1"], rows["pash_f3"]
    assert first.mean == second.mean
    assert (first.rank_set, first.group, first.could_be_best) == (second.rank_set, second.group, second.could_be_best)
    assert (second.verdict, second.how, second.p) == ("inconclusive", (), 1.0)


def test_any_board_of_scores(deep_learning):
    check_consistency(runoff.board(deep_learning.data.scores, trials=50))
    rng = np.random.default_rng(0)
    for _ in range(20):
        values = rng.random((rng.integers(2, 30), rng.integers(1, 7))).round(1)
        queries, runs = values.shape
        names = tuple(f"r{place}" for place in range(runs))
        scores = Scores(measure="AP", query_ids=tuple(map(str, range(queries))), runs=names, values=values)
        check_consistency(runoff.board(scores, trials=20))


@pytest.mark.parametrize("test", ["signed_rank", "sign", "randomization"])
def test_the_test_of_the_measure_does_not_change_the_board(shared_data, test):
    """It is that of comparisons; decisions about all pairs are by the mean, also where a rank test points elsewhere."""
    runs, qrels = robust_runs(shared_data)
    plain, other = (
        runoff.board(runs, qrels, measures="P@10", trials=50, policy=Policy(measure_test=name)) for name in ("t", test)
    )
    assert [(row.run, row.verdict, row.p, row.rank_set) for row in other.rows] == [
        (row.run, row.verdict, row.p, row.rank_set) for row in plain.rows
    ]
    check_consistency(other)


@pytest.mark.parametrize("test", ["signed_rank", "sign"])
def test_a_rank_test_that_points_to_the_other_run_does_not_change_a_verdict(test):
    """By its mean the first run is above the second, which is better on two of three queries, by little."""
    runs = [run_of("first", [10] * 28 + [1] * 14), run_of("second", [9] * 42)]
    board = runoff.board(runs, qrels_of(42), trials=50, policy=Policy(measure_test=test))
    check_consistency(board)
    assert [row.verdict for row in board.rows] == [None, "worse"]
