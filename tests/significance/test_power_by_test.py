"""Resolution by test: a slow version, laws, and 80% power by simulation with a known truth."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtri

from runoff.errors import UsageError
from runoff.significance import BY_NAME, SIGNIFICANCE_TESTS
from runoff.significance.power import TESTS, TESTS_OF_MEANS, leads, score_powers, sign_power, student_factor, vote_power


def reciprocal(queries, seed=0):
    """Two runs with reciprocal ranks, many of them equal."""
    rng = np.random.default_rng(seed)
    first = np.where(rng.random(queries) < 0.3, 0.0, 1 / rng.integers(1, 11, queries))
    other = np.where(rng.random(queries) < 0.3, 0.0, 1 / rng.integers(1, 11, queries))
    return first, np.where(rng.random(queries) < 0.4, first, other)


def smooth(queries, seed=0):
    """Two runs with scores that are all different."""
    rng = np.random.default_rng(seed)
    first = rng.beta(1, 2, queries)
    return first, np.clip(first + 0.1 * rng.standard_t(4, queries), 0, None)


def slowly(name, champion, challenger, strength):
    """Power at a strength, query by query, by the normal law: the mean and variance of the statistic, added up."""
    n, mean, variance = len(champion), 0.0, 0.0
    sizes = [round(abs(b - a), 9) for a, b in zip(champion, challenger, strict=True)]  # 1/2 - 1/3 ties with 1/6
    pool = stats.rankdata(np.concatenate([champion, challenger]))
    ranks = dict(
        zip(np.flatnonzero(sizes), stats.rankdata([size for size in sizes if size > 0]), strict=True)
    )  # signed ranks
    for place, size in enumerate(sizes):
        if not size:
            continue
        rank = ranks[place] if name == "signed_rank" else abs(pool[n + place] - pool[place])
        win = (1 + math.tanh(strength * math.sqrt(size))) / 2
        mean += rank * win - rank / 2
        variance += rank * rank * win * (1 - win)
    if name == "signed_rank":
        null = sum(rank * rank for rank in ranks.values()) / 4
    else:
        ties = sum(count**3 - count for count in np.unique(pool, return_counts=True)[1].tolist())
        null = n * n / 12 * (2 * n + 1 - ties / (2 * n * (2 * n - 1)))
    return stats.norm.cdf((mean - stats.norm.ppf(0.975) * math.sqrt(null)) / math.sqrt(variance))


@pytest.mark.parametrize("draw", [reciprocal, smooth])
@pytest.mark.parametrize("name", ["signed_rank", "rank_sum"])
def test_the_smallest_difference_has_80_percent_by_the_slow_version(draw, name):
    champion, challenger = draw(150)
    low, high = 0.0, 100.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if slowly(name, champion, challenger, middle) > 0.8 else (middle, high)
    sizes = np.abs(challenger - champion)
    wanted = sum(math.tanh(high * math.sqrt(size)) * size for size in sizes.tolist()) / 150
    assert score_powers(champion, challenger)[name].smallest == pytest.approx(wanted, rel=1e-6)


def test_the_sign_test_is_the_binomial_one():
    champion, challenger = reciprocal(150)
    found = score_powers(champion, challenger, tests=("sign",))
    sizes = np.abs(challenger - champion)
    votes = sizes[sizes > 0]

    def power(strength):
        return sign_power(len(votes), (1 + leads(votes, strength).mean()) / 2, 0.05)

    low, high = 0.0, 100.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) > 0.8 else (middle, high)
    assert found["sign"].smallest == pytest.approx(leads(sizes, high) @ sizes / 150, rel=1e-5)


def test_tests_of_means_have_the_formula():
    champion, challenger = smooth(80)
    found = score_powers(champion, challenger)
    assert list(found) == list(TESTS) == [test.name for test in SIGNIFICANCE_TESTS if test.name in TESTS]
    error = (challenger - champion).std(ddof=1) / math.sqrt(80)
    assert len({found[name].smallest for name in TESTS_OF_MEANS}) == 1
    assert found["t"].smallest == pytest.approx(student_factor(80, 0.05, 0.8) * error)
    assert len({found[name].needed for name in TESTS_OF_MEANS}) == 1


def found_shares(draw, queries, boards):
    """How often each test finds a true difference that is its smallest."""
    champion, challenger = draw(queries)
    found = score_powers(champion, challenger)
    low, high = np.minimum(champion, challenger), np.maximum(champion, challenger)
    rng = np.random.default_rng(7)
    shares = {}
    for name in TESTS:
        wanted, begin, end = found[name].smallest, 0.0, 1e3
        if wanted is None:  # 50 queries are too few for rank_sum to see anything that these scores can make
            continue
        for _ in range(60):
            middle = (begin + end) / 2
            begin, end = (
                (begin, middle) if leads(high - low, middle) @ (high - low) / queries > wanted else (middle, end)
            )
        chance = (1 + leads(high - low, end)) / 2
        hits = 0
        for seed in range(boards):
            wins = rng.random(queries) < chance
            one = BY_NAME[name].compare(np.where(wins, low, high), np.where(wins, high, low), seed=seed, trials=199)
            hits += one.p < 0.05 and one.favours > 0
        shares[name] = hits / boards
    return shares


@pytest.mark.parametrize("draw", [reciprocal, smooth])
def test_a_true_difference_of_that_size_is_found_in_80_percent(draw):
    shares = found_shares(draw, 300, boards=150)
    assert all(0.7 < share < 0.92 for share in shares.values()), shares


@pytest.mark.proof
@pytest.mark.parametrize("queries", [50, 500, 5000])
@pytest.mark.parametrize("draw", [reciprocal, smooth])
def test_power_by_simulation(draw, queries):
    shares = found_shares(draw, queries, boards=1000 if queries < 5000 else 300)
    error = 3 * math.sqrt(0.16 / (1000 if queries < 5000 else 300))
    assert all(share > 0.8 - error for share in shares.values()), shares
    if queries > 50:
        assert all(share < 0.83 + error for share in shares.values()), shares


@settings(max_examples=15)
@given(seed=st.integers(0, 50), factor=st.sampled_from([0.25, 2.0, 8.0]))
def test_laws(seed, factor):
    champion, challenger = reciprocal(40, seed)
    found = score_powers(champion, challenger)
    other_way = score_powers(challenger, champion)
    scaled = score_powers(factor * champion, factor * challenger)
    order = np.random.default_rng(seed).permutation(40)
    mixed = score_powers(champion[order], challenger[order])
    strict = score_powers(champion, challenger, level=0.01)
    for name in TESTS:
        one = found[name].smallest
        if one is None:
            continue
        assert other_way[name].smallest == pytest.approx(one)
        assert mixed[name].smallest == pytest.approx(one)
        assert scaled[name].smallest == pytest.approx(factor * one, rel=1e-6)
        assert (strict[name].smallest or math.inf) > one
        assert name in TESTS_OF_MEANS or one <= np.abs(challenger - champion).mean() + 1e-12


@pytest.mark.parametrize("name", TESTS)
def test_the_smallest_difference_needs_these_queries(name):
    champion, challenger = smooth(400)
    smallest = score_powers(champion, challenger)[name].smallest or math.nan
    found = score_powers(champion, challenger, difference=smallest, tests=(name,))
    assert found[name].needed == pytest.approx(400, rel=0.05)  # the power of a sign test goes in steps
    half = score_powers(champion, challenger, difference=smallest / 2, tests=(name,))
    assert half[name].needed == pytest.approx(1600, rel=0.12)
    again = score_powers(np.tile(champion, 4), np.tile(challenger, 4), tests=(name,))
    assert again[name].smallest == pytest.approx(smallest / 2, rel=0.1)


def test_equal_runs_and_few_queries_show_nothing():
    equal = score_powers([0.1, 0.2], [0.1, 0.2])
    assert {(power.smallest, power.needed, power.varies) for power in equal.values()} == {(None, None, False)}
    few = score_powers([0.1, 0.2, 0.3], [0.1, 0.3, 0.2])
    assert few["sign"].smallest is few["signed_rank"].smallest is None
    assert few["t"].needed is None  # the means are equal


def test_more_than_there_can_be_is_the_most():
    """A difference that these scores cannot make needs no fewer queries than the largest that they can."""
    champion, challenger = smooth(100)
    size = np.abs(challenger - champion).mean()
    most = score_powers(champion, challenger, difference=size, tests=("sign",))
    more = score_powers(champion, challenger, difference=2 * size, tests=("sign",))
    assert most["sign"].needed == more["sign"].needed == 6


def test_rounding_noise_breaks_no_tie():
    """Tenths have the same ties as whole numbers, though as floats 0.3 - 0.2 and 0.2 - 0.1 differ."""
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 11, size=(2, 80)).astype(np.float64)
    tenths, whole = score_powers(first / 10, second / 10), score_powers(first, second)
    for name in TESTS:
        assert tenths[name].smallest == pytest.approx((whole[name].smallest or math.nan) / 10, rel=1e-9), name
        assert tenths[name].needed == whole[name].needed
    equal = score_powers([0.3, 0.5, 0.6], [0.1 + 0.2, 0.5, 0.6])
    assert {power.smallest for power in equal.values()} == {None}


def test_unknown_tests_are_refused():
    with pytest.raises(UsageError, match="no test is called 'median'"):
        score_powers([0.1, 0.2], [0.3, 0.1], tests=("median",))


@pytest.mark.parametrize("level", [1e-10, 1e-17, 1e-30, 1e-100, 1e-300])
def test_tiny_levels_need_more_queries_and_no_test_overflows(level):
    rng = np.random.default_rng(0)
    champion = rng.random(30)
    challenger = champion + rng.normal(0.05, 0.2, 30)
    found = score_powers(champion, challenger, level=level)
    usual = score_powers(champion, challenger, level=10 * level)
    assert all((found[name].needed or 0) > (usual[name].needed or 0) > 0 for name in TESTS)
    z, own = -ndtri(level / 2), ndtri(0.8)
    votes = vote_power(60, 40, level=level).needed
    assert votes == pytest.approx(((z / 2 + own * np.sqrt(0.24)) / 0.1) ** 2, rel=0.12)


def test_a_tiny_difference_needs_a_bounded_number_of_queries():
    rng = np.random.default_rng(1)
    champion = rng.random(30)
    challenger = champion + rng.normal(0, 0.2, 30)
    powers = score_powers(champion, challenger, difference=1e-14).values()
    assert all(power.needed is None or 1e11 < power.needed <= 1e12 for power in powers)
