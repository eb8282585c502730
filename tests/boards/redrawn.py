"""Boards for the tests of stability, and the same by plain loops over the same draws."""

import numpy as np
from scipy import stats

from runoff.boards._bootstrap import draws
from runoff.tables.scores import Scores


def make_scores(values, *, measure="RR@10", runs=None, query_ids=None):
    queries, count = np.shape(values)
    return Scores(
        measure=measure,
        query_ids=query_ids or tuple(f"q{k}" for k in range(queries)),
        runs=runs or tuple(f"run{k:02}" for k in range(count)),
        values=np.array(values, dtype=np.float64),
    )


def rr_board(queries, runs, seed=0):
    """Scores 1, 1/2, ..., 1/10 and 0: sums of unlike terms are often equal, as 1/3 + 1/6 and 1/2 are."""
    rank = np.random.default_rng(seed).integers(1, 13, size=(queries, runs))
    return make_scores(np.where(rank <= 10, 1 / rank, 0.0))


def latent_board(rng, queries, shifts, *, rr):
    """A board with a known truth: the order of `shifts` is that of the true means, for both kinds of scores.

    Queries are hard or easy for all runs alike, with a correlation of 0.6; RR@10 has a rank that falls as this rises.
    """
    common, own = rng.normal(size=(queries, 1)), rng.normal(size=(queries, len(shifts)))
    latent = np.sqrt(0.6) * common + np.sqrt(0.4) * own + shifts
    if not rr:
        return make_scores(latent, measure="score")
    rank = np.floor(np.exp(1.5 * (1.0 - latent))) + 1
    return make_scores(np.where(rank <= 10, 1 / rank, 0.0))


def drawn_means(scores, trials, seed, query_set=0):
    """Mean scores, trials x runs, one gather per trial."""
    rows = draws(0, trials, len(scores.query_ids), seed=seed, query_set=query_set)
    return np.array([scores.values[row].mean(axis=0) for row in rows])


def plain_ranks(means):
    """Mid-ranks from 1; means are rounded, so that sums of the same value tie."""
    return stats.rankdata(-np.round(means, 9), axis=-1)


def plain_probabilities(means):
    """P(run at rank j), runs x ranks, by looking at every trial and run."""
    trials, runs = means.shape
    chances = np.zeros((runs, runs))
    for row in np.round(means, 9):
        for run in range(runs):
            better, tied = (row > row[run]).sum(), (row == row[run]).sum()
            chances[run, better : better + tied] += 1 / tied
    return chances / trials
