"""The record test: brute force over all signs, the three ways beside each other, and its level under the null."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards.record_test import record_test
from runoff.errors import UsageError

VALUES = [0.0, 0.1, 0.2, 0.25, 1 / 3, 0.5, 1.0]


def brute(champion, challenger):
    """P(D* >= D) and P(D* > 0) by all signs, in whole numbers of 1/60000."""
    whole = [round(60000 * (b - a)) for a, b in zip(champion, challenger, strict=True)]
    sums = [sum(s * d for s, d in zip(signs, whole, strict=True)) for signs in product((1, -1), repeat=len(whole))]
    return sum(one >= sum(whole) for one in sums) / len(sums), sum(one > 0 for one in sums) / len(sums)


@st.composite
def records(draw, most=7):
    n = draw(st.integers(1, most))
    scores = st.lists(st.sampled_from(VALUES), min_size=n, max_size=n)
    champion, challenger = draw(scores), draw(scores)
    if round(60000 * sum(challenger)) < round(60000 * sum(champion)):
        champion, challenger = challenger, champion
    if round(60000 * sum(challenger)) - round(60000 * sum(champion)) < 2:
        challenger = [*challenger, 1.0]
        champion = [*champion, 0.0]
    return champion, challenger


@given(records())
def test_equals_brute_force(pair):
    above, positive = brute(*pair)
    for method in ("auto", "exact"):
        result = record_test(*pair, method=method)
        assert result.method == "exact"
        assert result.plain_p == pytest.approx(above, abs=1e-10)
        assert result.p == pytest.approx(min(1, above / positive), abs=1e-9)


@given(records())
def test_all_signs_of_odd_numbers_equal_brute_force(pair):
    # Noise below what a tie allows for makes the differences no simple fractions, so all signs are gone through.
    champion, challenger = np.array(pair[0]), np.array(pair[1])
    odd = challenger + (challenger - champion) * 1e-4 * np.pi
    result = record_test(champion, odd, trials=1 << 12)
    above, positive = brute(*pair)
    if len(np.unique(np.abs(challenger - champion))) <= 2:  # else nearly equal sums are told apart by the noise
        assert result.p <= min(1, above / positive) + 1e-9


@given(records(), st.integers(1, 5))
def test_laws(pair, looks):
    one, several = record_test(*pair), record_test(*pair, looks=looks)
    assert 0 < one.p <= 1
    assert one.p >= 2 * one.plain_p - 1e-12 or one.p == 1.0
    assert several.p == pytest.approx(min(1.0, looks * one.p))
    shuffled = [np.array(scores)[::-1] for scores in pair]
    assert record_test(*shuffled).p == pytest.approx(one.p, abs=1e-9)
    assert record_test(np.array(pair[0]) + 1, np.array(pair[1]) + 1).p == pytest.approx(one.p, abs=1e-9)


def test_the_three_ways_agree():
    rng = np.random.default_rng(0)
    champion = 1 / rng.geometric(0.3, 400)
    champion[champion < 0.1] = 0.0
    challenger = np.where(rng.random(400) < 0.8, champion, 1 / rng.integers(1, 11, 400))
    if challenger.mean() < champion.mean():
        champion, challenger = challenger, champion
    exact, sampled, normal = (
        record_test(champion, challenger, method=method, trials=200_000) for method in ("exact", "sampled", "normal")
    )
    assert sampled.p == pytest.approx(exact.p, abs=4 * np.sqrt(exact.p / 100_000))
    assert normal.p == pytest.approx(exact.p, abs=0.02)


def test_sampled_is_reproducible_and_never_zero():
    rng = np.random.default_rng(1)
    champion = rng.random(300)
    result = [record_test(champion, champion + rng.random(300) + 0.1, trials=500, seed=7) for _ in range(2)]
    assert result[0].method == "sampled"
    assert result[0].p == pytest.approx(1 / (251), rel=0.2)


@pytest.mark.parametrize(
    "champion, challenger, options, message",
    [
        ([0.5, 0.5], [0.5, 0.5], {}, "expected a record, which is higher"),
        ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], {}, "expected a record, which is higher"),
        ([1.0], [0.0], {}, "is not above the champion's"),
        ([1.0, 0.0], [1.0], {}, "expected one score per query from each"),
        ([0.0], [np.nan], {}, "undefined or infinite"),
        ([0.0], [1.0], {"looks": 0}, "looks=0 cannot be used"),
        ([0.0], [1.0], {"method": "magic"}, "method='magic' is unknown"),
    ],
)
def test_what_cannot_be_tested_is_explained(champion, challenger, options, message):
    with pytest.raises(UsageError, match=message):
        record_test(champion, challenger, **options)


def test_an_exact_test_of_too_many_values_is_refused():
    rng = np.random.default_rng(2)
    with pytest.raises(UsageError, match="too many distinct values"):
        record_test(rng.random(2000) * 0, rng.random(2000), method="exact")


def null_level(queries, boards, looks, rng):
    """The share of records among equally good runs with p < 0.05; a record is the best of some looks, and higher."""
    hits = records = 0
    for _ in range(boards):
        ability = rng.random(queries)
        scores = 1.0 / rng.geometric(0.2 + 0.5 * ability[:, None], size=(queries, looks + 1))
        scores[scores < 0.2] = 0.0  # RR@5, whose differences are few simple numbers
        champion, rivals = scores[:, 0], scores[:, 1:]
        best = rivals[:, rivals.mean(axis=0).argmax()]
        if best.sum() > champion.sum() + 1e-9:
            records += 1
            hits += record_test(champion, best, looks=looks, trials=400).p < 0.05
    return hits / records, records


@pytest.mark.parametrize("looks", [1, 3])
def test_the_level_holds_for_equally_good_runs(looks):
    share, records = null_level(60, 400, looks, np.random.default_rng(3))
    assert share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / records)


@pytest.mark.proof
@pytest.mark.parametrize("queries", [50, 500])
@pytest.mark.parametrize("looks", [1, 3])
def test_the_level_holds_for_equally_good_runs_at_length(queries, looks):
    share, records = null_level(queries, 4000, looks, np.random.default_rng(4))
    print(f"{queries} queries, {looks} looks: {share:.2%} of {records} records")  # noqa: T201
    assert share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / records)


def histories(runs, queries, scale, count, rng):
    """P of each record in histories of equally good runs, one a day: a record displaces the best of all before it."""
    found = []
    for _ in range(count):
        ability = rng.random((queries, 1))
        scores = ability + rng.normal(0, 0.5, (queries, runs))
        if scale == "yes or no":
            scores = (scores > 0.5).astype(float)
        elif scale == "ranks":
            scores = 1.0 / np.clip(np.ceil(8 * (1.2 - scores)), 1, 6)
        best, p = 0, []
        for run in range(1, runs):
            if scores[:, run].sum() > scores[:, best].sum() + 1e-9:
                p.append(record_test(scores[:, best], scores[:, run], method="sampled", trials=300).p)
                best = run
        found.append(p)
    return found


@pytest.mark.parametrize("runs, count", [(2, 300), (20, 60)])
def test_records_in_histories_of_equal_runs_are_seldom_significant(runs, count):
    p = [one for some in histories(runs, 25, "ranks", count, np.random.default_rng(5)) for one in some]
    assert np.mean(np.array(p) < 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / len(p))


@pytest.mark.proof
@pytest.mark.parametrize("scale", ["normal", "ranks", "yes or no"])
@pytest.mark.parametrize("runs, count, most", [(2, 4000, 0.05), (5, 1500, 0.035), (20, 600, 0.02), (100, 300, 0.02)])
@pytest.mark.parametrize("queries", [20, 50])
def test_the_true_size_in_histories_of_equal_runs(scale, runs, count, most, queries):
    """Exact where the displaced run is the only one before; below that where it was the best of several."""
    found = histories(runs, queries, scale, count, np.random.default_rng(6))
    p = np.array([one for some in found for one in some])
    size = np.mean(p < 0.05)
    print(f"{scale}, {runs} runs, {queries} queries: {size:.1%} of {len(p)} records")  # noqa: T201
    assert size <= most + 2 * np.sqrt(most * (1 - most) / len(p))
