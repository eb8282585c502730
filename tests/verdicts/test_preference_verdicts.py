"""Better than the labels: decided by p and direction, and said without more."""

import numpy as np
import pytest

from runoff.preferences import PreferredShare, TopDocs, win_ratios
from runoff.tables.ids import Ids
from runoff.tables.preferences import ABSENT, LEFT, RIGHT, Preferences
from runoff.verdicts import Policy, better_than_labels, win_ratio_marks


@pytest.mark.parametrize(
    "wins, losses, p, better, worse, words",
    [
        (150, 50, 0.001, True, False, "it is better than the labels, which cannot show it."),
        (50, 150, 0.001, False, True, "it is worse than the labels."),
        (110, 90, 0.2, False, False, "it is not shown to be better or worse than the labels."),
    ],
)
def test_what_is_decided_and_said(wins, losses, p, better, worse, words):
    verdict = better_than_labels("dense", PreferredShare.of(wins, losses), p)
    assert (verdict.better, verdict.worse) == (better, worse)
    assert verdict.sentence.endswith(words)
    assert f"{wins / 200:.1%} of 200 queries" in verdict.sentence


def test_the_level_is_the_policys():
    share = PreferredShare.of(120, 80)
    assert better_than_labels("dense", share, 0.02).better
    assert not better_than_labels("dense", share, 0.02, Policy(alpha=0.01)).better
    assert not better_than_labels("dense", share, 0.05).better


def test_even_splits_are_left_out():
    verdict = better_than_labels("dense", PreferredShare.of(6, 2, 2), 0.5)
    assert "75.0% of 8 queries (p = 0.5000)" in verdict.sentence


RUNS, QUERIES, POOL = 4, 200, 6


def board(seed, *, error=0.33, edge=0.0, runs=RUNS):
    """Judged tops of runs that draw from the same documents; `edge` is how often the last run takes the best one.

    The perfect ranking draws like the others, so that no label is better or worse than any run.
    """
    rng = np.random.default_rng(seed)
    places = rng.integers(0, POOL, (runs + 1, QUERIES))
    places[runs - 1][rng.random(QUERIES) < edge] = 0
    one, other = np.triu_indices(POOL, 1)
    query = np.repeat(np.arange(QUERIES), len(one))
    left, right = np.tile(one, QUERIES), np.tile(other, QUERIES)
    errs = rng.random(len(query)) < error
    judged = Preferences(
        name="votes",
        query_ids=tuple(map(str, range(QUERIES))),
        docs=Ids.of(f"d{place}" for place in range(QUERIES * POOL)),
        row_query=query.astype(np.int32),
        left=(query * POOL + left).astype(np.int32),
        right=(query * POOL + right).astype(np.int32),
        choice=np.where(errs, RIGHT, LEFT).astype(np.int8),
        assessors=(),
        row_assessor=np.full(len(query), ABSENT, dtype=np.int32),
        tasks=(),
        row_task=np.full(len(query), ABSENT, dtype=np.int32),
        seconds=np.full(len(query), np.nan),
        expected=np.zeros(len(query), dtype=np.int8),
    )
    names = (*(f"run{place}" for place in range(runs)), "perfect ranking")
    tops = TopDocs(runs=names, query_ids=judged.query_ids, docs=judged.docs, places=places + np.arange(QUERIES) * POOL)
    return win_ratios(judged, tops)


def level(trials):
    """The share of boards without a better run in which anything is called significant."""
    return np.mean([win_ratio_marks(board(seed)).is_significant.any() for seed in range(trials)])


def test_nothing_is_significant_too_often_when_no_run_is_better():
    assert level(150) <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 150)


@pytest.mark.proof
def test_the_level_is_kept_over_many_boards():
    share = level(4000)
    print(f"\nany of 10 pairs significant at 0.05 where no run is better, 33% error: {share:.4f} of 4,000 boards")  # noqa: T201
    assert share <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 4000)


def test_a_better_run_is_found():
    marks = win_ratio_marks(board(1, edge=1.0))
    assert marks.better_than_perfect == ("run3",)
    assert marks.is_preferred[:, 3].sum() >= RUNS - 1
    assert not marks.is_preferred[:, :3].any()


def test_the_level_is_the_policys_win_ratio_marks():
    result = board(2, edge=0.45)
    strict, lax = (win_ratio_marks(result, Policy(alpha=alpha)) for alpha in (1e-12, 0.9))
    assert not strict.is_significant.any()
    assert lax.is_significant.sum() > 0
    assert (lax.is_significant == lax.is_significant.T).all()
    assert not (lax.is_preferred & lax.is_preferred.T).any()
