"""Simulated teams with a known truth: clean variants, or one submission that was fitted to the public queries."""

import numpy as np
from scipy.special import ndtr

from runoff.boards.overfitting import overfitting
from runoff.tables.scores import Scores
from runoff.verdicts.overfitting_alarm import overfitting_alarm

CORRELATION = 0.9  # of the hardness of a query between two submissions of a team


def draw_scores(rng, queries, submissions, gain, prefix):
    """RR@100 of submissions that share most of their luck; `gain` makes later ones better on all queries alike."""
    shared = rng.standard_normal((queries, 1)) * np.sqrt(CORRELATION)
    own = rng.standard_normal((queries, submissions)) * np.sqrt(1 - CORRELATION)
    steps = np.linspace(0.0, gain, submissions)
    ranks = np.floor(np.exp(5.5 * ndtr(shared + own - steps)))  # 1 to 244; mean RR about 0.27
    values = np.where(ranks <= 100, 1.0 / ranks, 0.0)
    return Scores(
        measure="RR@100",
        query_ids=tuple(f"{prefix}{query}" for query in range(queries)),
        runs=tuple(f"s{place}" for place in range(submissions)),
        values=values,
    )


def draw_team(seed, *, public, private, submissions, gain=0.0, known=0.0):
    """Scores on public and private queries; the last submission knows the answer to a share of the public ones."""
    rng = np.random.default_rng(seed)
    scores = draw_scores(rng, public, submissions, gain, "a")
    if known:
        values = scores.values.copy()
        values[rng.random(public) < known, -1] = 1.0
        scores = Scores(measure=scores.measure, query_ids=scores.query_ids, runs=scores.runs, values=values)
    return scores, draw_scores(rng, private, submissions, gain, "b")


def alarm_rates(teams, *, trials=400, **settings):
    """Shares of simulated teams: plain interval above 0, alarm fired; and the mean excess."""
    plain, fired, excess = [], [], []
    for seed in range(teams):
        public, private = draw_team(seed, **settings)
        result = overfitting(public, private, public.runs, trials=trials, seed=seed)
        plain.append(result.excess_ci95[0] > 0)
        fired.append(overfitting_alarm(result).fired)
        excess.append(result.excess)
    return np.mean(plain), np.mean(fired), np.mean(excess)
