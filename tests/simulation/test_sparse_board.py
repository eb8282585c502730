from __future__ import annotations

import hashlib
import time

import numpy as np
import pytest

import runoff.simulation
from runoff.errors import UsageError
from runoff.simulation import SparseBoardConfig, simulate_sparse_board

CUTOFF = 10


def board_of(**config):
    return simulate_sparse_board(SparseBoardConfig(**config))


def reciprocal_rank(ranked, grades, cutoff):
    """RR of one list from first principles."""
    for rank, (document, _) in enumerate(ranked[:cutoff], start=1):
        if grades.get(document, 0) >= 1:
            return 1 / rank
    return 0.0


def trec_order(ranked):
    """The order trec_eval would give: score falling, ties by document id falling."""
    return sorted(ranked, key=lambda pair: (pair[1], pair[0].encode()), reverse=True)


def test_mean_rr_is_the_true_one_within_sampling_error():
    board = board_of(queries=8000, runs=6, depth=30, seed=11, tie_share=0.1)
    qrels = board.qrels()
    for name, truth in board.true_rr(CUTOFF).items():
        lists = board.run(name).lists()
        values = np.array([reciprocal_rank(lists[query], qrels[query], CUTOFF) for query in board.query_ids])
        error = values.std(ddof=1) / np.sqrt(len(values))
        assert abs(values.mean() - truth) < 4 * error, name
        assert error < 0.006


def test_the_mean_over_many_boards_is_the_true_one():
    seeds = range(60)
    for name, truth in board_of(queries=1, runs=4).true_rr(100).items():
        means = []
        for seed in seeds:
            ranks = board_of(queries=500, runs=4, seed=seed).run(name).first_ranks
            means.append((1 / ranks[ranks > 0]).sum() / len(ranks))
        assert abs(np.mean(means) - truth) < 4 * np.std(means, ddof=1) / np.sqrt(len(means)), name


def test_answered_share_is_the_true_one():
    board = board_of(queries=20_000, runs=5)
    for name, truth in board.true_answered(100).items():
        share = (board.run(name).first_ranks > 0).mean()
        assert abs(share - truth) < 4 * np.sqrt(truth * (1 - truth) / 20_000), name


def test_the_tie_rule_of_trec_eval_changes_no_list():
    board = board_of(queries=200, runs=4, tie_share=0.5)
    for ranked in board.run("birch").lists().values():
        assert trec_order(ranked) == ranked


def test_labels_are_sparse():
    qrels = board_of(queries=20_000, runs=4).qrels()
    sizes = [len(grades) for grades in qrels.values()]
    assert min(sizes) == 1
    assert np.mean(sizes) == pytest.approx(1.07, abs=0.01)
    assert {grade for grades in qrels.values() for grade in grades.values()} == {1}


def test_qrels_lines():
    board = board_of(queries=100, runs=4)
    fields = [line.split() for line in board.qrels_lines()]
    back: dict[str, dict[str, int]] = {}
    for query_id, zero, document, grade in fields:
        assert zero == "0"
        back.setdefault(query_id, {})[document] = int(grade)
    assert back == board.qrels()
    assert tuple(back) == board.query_ids


def test_the_cast():
    board = board_of(queries=10, runs=5)
    truth, answered = board.true_rr(), board.true_answered(100)
    first, second = board.twins
    champion, challenger = board.trade_off
    assert first == champion != second
    assert truth[first] == truth[second] == max(truth.values())
    assert truth[board.baseline] == min(truth.values())
    assert answered[challenger] > answered[champion]
    assert truth[challenger] < truth[champion]


def test_the_trade_off_shows_in_a_sample():
    board = board_of()
    champion, challenger = (board.run(name).first_ranks for name in board.trade_off)
    assert ((champion == 0) & (challenger > 0)).sum() > 1.5 * ((champion > 0) & (challenger == 0)).sum()
    both = (champion > 0) & (challenger > 0)
    assert challenger[both].mean() > champion[both].mean() + 1


def test_twins_have_runs_of_their_own():
    board = board_of(queries=200)
    first, second = map(board.run, board.twins)
    assert (first.first_ranks != second.first_ranks).any()


def fingerprint(board, name):
    return hashlib.sha256("".join(board.run_lines(name)).encode()).hexdigest()


def test_the_same_seed_gives_the_same_bytes():
    first, second = (board_of(queries=80, seed=3) for _ in range(2))
    for name in first.names:
        assert fingerprint(first, name) == fingerprint(second, name)
        assert fingerprint(first, name) == fingerprint(first, name)
    assert list(first.qrels_lines()) == list(second.qrels_lines())


def test_another_seed_gives_other_bytes():
    first, second = board_of(queries=80, seed=3), board_of(queries=80, seed=4)
    assert first.query_ids != second.query_ids
    assert fingerprint(first, "birch") != fingerprint(second, "birch")


def test_adding_runs_changes_no_other():
    small, large = board_of(queries=80, runs=4), board_of(queries=80, runs=40)
    assert list(small.qrels_lines()) == list(large.qrels_lines())
    for name in small.names:
        assert fingerprint(small, name) == fingerprint(large, name)


def test_the_default_board_is_this_one():
    board = simulate_sparse_board()
    assert (len(board.query_ids), len(board.names), board.run("elm").documents.shape) == (1000, 8, (1000, 100))


@pytest.mark.parametrize(
    "change, message",
    [
        ({"runs": 3}, "runs is 3; expected 4 to"),
        ({"queries": 0}, "queries is 0; expected 1 to"),
        ({"depth": 0}, "depth is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"mean_relevant": 0.5}, "mean_relevant is 0.5"),
        ({"correlation": 1.5}, "correlation is 1.5"),
        ({"tie_share": float("nan")}, "tie_share is nan"),
    ],
)
def test_impossible_boards_are_refused(change, message):
    with pytest.raises(UsageError, match=message):
        SparseBoardConfig(**change)


def test_an_unknown_system_is_refused():
    with pytest.raises(UsageError, match="no system 'nobody'; the systems are alder, birch"):
        board_of(queries=5).run("nobody")


def test_public_names_are_sorted_and_there():
    assert list(runoff.simulation.__all__) == sorted(set(runoff.simulation.__all__))
    assert all(hasattr(runoff.simulation, name) for name in runoff.simulation.__all__)


@pytest.mark.proof
def test_a_large_board_takes_seconds():
    started = time.perf_counter()
    board = board_of(queries=5000, runs=40)
    for name in board.names:
        board.run(name)
    assert time.perf_counter() - started < 20
