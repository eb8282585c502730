"""Other sequential rules that were tried beside the one that was kept; docs/method/preferences.md has the figures."""

import numpy as np

from runoff.simulation.panel import error_at


def drawn(pool, errs, queries, rng):
    """Whether each candidate is the best, and the chance that the row is preferred to the column."""
    rank = rng.permuted(np.tile(np.arange(pool), (queries, 1)), axis=1)
    gap = np.abs(rank[:, :, None] - rank[:, None, :])
    wrong = error_at(np.full(gap.shape, errs.error), gap, errs.closeness)
    return rank == 0, np.where(rank[:, :, None] < rank[:, None, :], 1 - wrong, wrong)


def with_a_second_look(pool, plan, final, *, errs, queries, seed=0):
    """All candidates in turn, then once more everybody against the winner, under a stricter plan."""
    rng = np.random.default_rng([seed, pool])
    is_best, chance = drawn(pool, errs, queries, rng)
    row = np.arange(queries)
    wins = np.zeros((queries, pool, pool), dtype=np.int64)

    def match(best, candidate, rule):
        while True:
            kept, lost = wins[row, best, candidate], wins[row, candidate, best]
            lead, full = kept - lost, kept + lost >= rule.most_judgments
            stays = (lead >= rule.keep_lead) | (full & (lead >= 0)) | (best == candidate)
            is_open = ~stays & ~full & (-lead < rule.replace_lead)
            if not is_open.any():
                return np.where(stays, best, candidate)
            says_best = rng.random(queries) < chance[row, best, candidate]
            wins[row, best, candidate] += is_open & says_best
            wins[row, candidate, best] += is_open & ~says_best

    best = np.zeros(queries, dtype=np.int64)
    for rule, first in ((plan, 1), (final, 0)):
        for candidate in range(first, pool):
            best = match(best, np.full(queries, candidate), rule)
    return is_best[row, best].mean(), wins.sum() / queries


def by_evidence(pool, sure, *, errs, queries, most=30, seed=0):
    """The likeliest document against the next likeliest until it is so likely to be the best.

    A document is the likelier the more of its own judgments it won: 0.67 / 0.5 for each, 0.33 / 0.5 if it lost.
    """
    rng = np.random.default_rng([seed, pool])
    is_best, chance = drawn(pool, errs, queries, rng)
    wins = np.zeros((queries, pool, pool), dtype=np.int64)
    todo = np.arange(queries)
    while len(todo):
        own = wins[todo]
        score = own.sum(axis=2) * np.log(2 * 0.67) + own.sum(axis=1) * np.log(2 * 0.33)
        likely = np.exp(score - score.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        row = np.arange(len(todo))
        best = likely.argmax(axis=1)
        is_done = likely[row, best] >= sure
        likely[row, best] = -1.0
        likely[own.sum(axis=2) + own.sum(axis=1) >= most] = -1.0
        other = likely.argmax(axis=1)
        go = ~is_done & (likely[row, other] >= 0)
        todo, best, other = todo[go], best[go], other[go]
        says_best = rng.random(len(todo)) < chance[todo, best, other]
        wins[todo, np.where(says_best, best, other), np.where(says_best, other, best)] += 1
    score = wins.sum(axis=2) * np.log(2 * 0.67) + wins.sum(axis=1) * np.log(2 * 0.33)
    return is_best[np.arange(queries), score.argmax(axis=1)].mean(), wins.sum() / queries
