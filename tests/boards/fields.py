"""Simulated boards with a known truth: teams whose gains carry over to private queries alike, and one that cheats.

Scores are reciprocal ranks drawn from normal variables, and nothing of runoff is used to draw them.
"""

import numpy as np

from runoff.boards.overfitting import overfitting
from runoff.tables.scores import Scores
from runoff.verdicts.overfitting_alarm import overfitting_alarms


def draw_scores(rng, queries, skill, *, unanswerable=0.0, harder=0.0):
    """RR@10 of first and last runs, side by side per team: queries x (2 teams).

    unanswerable  chance that nobody can answer a query; harder: how much harder all queries are, in standard deviations
    """
    shape = queries, len(skill) // 2
    team = np.repeat(0.7 * rng.standard_normal(shape), 2, axis=1)
    own = 0.7 * rng.standard_normal((queries, len(skill)))
    hard = rng.standard_normal((queries, 1)) + harder
    ranks = 1 + np.floor(np.exp(1.8 * (hard + team + own - skill + 1.0)))
    values = np.where(ranks <= 10, 1.0 / ranks, 0.0)
    values[rng.random(queries) < unanswerable] = 0.0
    return values


def draw_field(rng, *, teams=12, public=1000, private=200, known=0.0, improves=True, alike=False, **harder):
    """Scores on public and on private queries; the last run of the first team scores 1 on a share of the public ones.

    improves  whether the first team also gets better, as the others do
    alike     whether all teams start at the same skill; else harder queries take more from some gains than from others
    """
    start = np.full(teams, 0.3) if alike else rng.uniform(0.0, 0.6, size=teams)
    gain = rng.uniform(0.1, 0.6, size=teams)
    gain[0] *= improves
    skill = np.column_stack([start, start + gain]).ravel()
    shown, kept = draw_scores(rng, public, skill), draw_scores(rng, private, skill, **harder)
    shown[rng.random(public) < known, 1] = 1.0
    return shown, kept


def as_scores(values, prefix):
    """A table of runs 0.first, 0.last, 1.first, ..."""
    runs = tuple(f"{team}.{which}" for team in range(values.shape[1] // 2) for which in ("first", "last"))
    ids = tuple(f"{prefix}{query}" for query in range(len(values)))
    return Scores(measure="RR@10", query_ids=ids, runs=runs, values=values.copy())


def judged_field(shown, kept):
    """The result for teams 0, 1, ..., and its alarms."""
    teams = {str(team): (f"{team}.first", f"{team}.last") for team in range(shown.shape[1] // 2)}
    result = overfitting(as_scores(shown, "a"), as_scores(kept, "b"), teams)
    return result, overfitting_alarms(result)


def alarm_rates(boards, *, seed=0, **settings):
    """Shares of boards with an alarm for the first team, for another one, and for any; and of teams without a p."""
    first, others, unjudged = [], [], []
    for board in range(boards):
        result, alarms = judged_field(*draw_field(np.random.default_rng((seed, board)), **settings))
        first.append(alarms[0].fired)
        others.append(any(one.fired for one in alarms[1:]))
        unjudged.append(np.mean([one.p is None for one in result.teams]))
    return np.mean(first), np.mean(others), np.mean(np.logical_or(first, others)), np.mean(unjudged)
