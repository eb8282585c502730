"""Laws that hold for every listed significance test."""

import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff.significance
from runoff.errors import UsageError
from runoff.significance import BY_NAME, SIGNIFICANCE_TESTS, SignificanceTest, find_significance_test
from tests.significance.cases import DYADIC, dyadic_scores, paired_scores

FOLDER = Path(runoff.significance.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "method" / "significance.md"
NOT_TESTS = {"all_pairs", "corrections", "equivalence", "half_pairs", "power", "split_sums", "tukey_hsd"}
TRIALS = 400
each_test = pytest.mark.parametrize("test", SIGNIFICANCE_TESTS, ids=lambda test: test.name)
MIRRORS = {
    "negative": lambda result: -result.statistic,
    "same": lambda result: result.statistic,
    "pairs": lambda result: result.n**2 - result.statistic,
    "queries": lambda result: result.n_used - result.statistic,
}
MIRRORED_BY = {
    "t": "negative",
    "signed_rank": "same",  # the smaller of W+ and W-, as scipy has it
    "rank_sum": "pairs",
    "sign": "queries",
    "randomization": "negative",
    "bootstrap": "negative",
}
"""What becomes of the statistic when the runs are swapped; a test that is not here may do any of these."""


def compare(test, champion, challenger):
    return test.compare(champion, challenger, trials=TRIALS)


@each_test
@given(scores=paired_scores())
def test_result_is_sound(test, scores):
    result = compare(test, *scores)
    assert 0.0 < result.p <= 1.0
    assert result.name == test.name
    assert result.effect_name == test.effect_name
    assert result.n == len(scores[0])
    assert 0 <= result.n_used <= result.n
    assert not np.isnan(result.statistic)
    low, high = result.effect_ci95
    assert low <= result.effect + 1e-12
    assert result.effect - 1e-12 <= high
    assert (result.seed is None) == (result.method != "sampled")


@each_test
@given(scores=paired_scores())
def test_swapping_the_runs_mirrors_the_result(test, scores):
    champion, challenger = scores
    forth, back = compare(test, champion, challenger), compare(test, challenger, champion)
    assert back.p == forth.p
    mirrors = [MIRRORED_BY[test.name]] if test.name in MIRRORED_BY else MIRRORS
    assert back.statistic in [MIRRORS[name](forth) for name in mirrors]
    centre = forth.no_effect
    mirrored = 2 * centre - forth.effect
    assert back.effect == (mirrored if centre == 0 else pytest.approx(mirrored, abs=1e-15))
    expected = [2 * centre - end for end in reversed(forth.effect_ci95)]
    np.testing.assert_allclose(back.effect_ci95, expected, rtol=0, atol=1e-9)


@each_test
@given(scores=paired_scores())
def test_identical_runs_have_a_p_of_one(test, scores):
    result = compare(test, scores[0], scores[0])
    assert result.p == 1.0
    assert result.effect == result.no_effect
    assert result.statistic == (result.n**2 / 2 if test.name == "rank_sum" else 0.0)


@each_test
def test_one_query_says_nothing(test):
    result = compare(test, [0.25], [0.5])
    assert result.p == 1.0
    assert result.effect_ci95[0] < result.no_effect < result.effect_ci95[1]


@each_test
@given(scores=dyadic_scores, seed=st.integers(0, 2**32 - 1))
def test_order_of_queries_does_not_matter(test, scores, seed):
    order = np.random.default_rng(seed).permutation(len(scores[0]))
    straight, shuffled = compare(test, *scores), compare(test, scores[0][order], scores[1][order])
    if straight.method == "sampled":
        error = np.sqrt(2 * straight.p * (1 - straight.p) / TRIALS)
        assert abs(shuffled.p - straight.p) <= 6 * error + 5 / TRIALS
    else:
        assert shuffled.p == pytest.approx(straight.p, rel=1e-9)
    assert shuffled.effect == pytest.approx(straight.effect, abs=1e-12)


@each_test
@given(scores=dyadic_scores, constant=st.sampled_from(DYADIC))
def test_adding_the_same_to_both_runs_changes_nothing(test, scores, constant):
    moved = compare(test, scores[0] + constant, scores[1] + constant)
    assert moved == compare(test, *scores)


@each_test
@given(scores=paired_scores(), power=st.integers(-100, 100))
def test_the_unit_of_the_scores_does_not_matter(test, scores, power):
    plain, scaled = compare(test, *scores), compare(test, *(np.ldexp(score, power) for score in scores))
    assert scaled.p == plain.p
    in_unit = plain.effect_name == "mean difference"
    assert scaled.effect == (np.ldexp(plain.effect, power) if in_unit else plain.effect)


@each_test
@settings(max_examples=50)
@given(scores=paired_scores())
def test_arguments_are_not_changed(test, scores):
    before = [score.copy() for score in scores]
    for score in scores:
        score.setflags(write=False)
    compare(test, *scores)
    np.testing.assert_array_equal(scores, before)


@each_test
def test_extreme_scores_give_no_warning(test):
    for size in (5e-324, 1e-300, 1e98):
        result = compare(test, np.zeros(20), np.arange(20) * size)
        assert 0.0 < result.p < 0.05
        assert np.isfinite(result.effect)


@each_test
def test_more_wins_are_a_smaller_p(test):
    rng = np.random.default_rng(1)
    champion, noise = rng.random(60), rng.normal(size=60) / 10
    p = [compare(test, champion, champion + noise + shift).p for shift in (0.0, 0.05, 0.1, 0.2)]
    assert p == sorted(p, reverse=True)
    assert p[-1] < 0.01


@each_test
def test_input_is_checked(test):
    with pytest.raises(UsageError, match=r"shape \(3,\) and the challenger's \(2,\)"):
        test.compare([1, 2, 3], [1, 2])
    with pytest.raises(UsageError, match="one score per query"):
        test.compare([], [])
    with pytest.raises(UsageError, match="1 scores of the champion and 2 of the challenger, of 3 each"):
        test.compare([1, np.nan, 3], [np.inf, 2, np.nan])
    with pytest.raises(UsageError, match="seed=-1"):
        test.compare([1], [2], seed=-1)
    with pytest.raises(UsageError, match="trials=0"):
        test.compare([1], [2], trials=0)


@each_test
def test_is_a_value(test):
    assert test == type(test)()
    assert hash(test) == hash(type(test)())
    assert pickle.loads(pickle.dumps(test)) == test  # noqa: S301
    with pytest.raises(FrozenInstanceError):
        compare(test, [1, 2], [2, 3]).p = 0.0


@each_test
def test_states_its_facts(test):
    assert isinstance(test, SignificanceTest)
    assert test.description.endswith(".")
    assert "https://doi.org/" in test.source
    assert test.source.rsplit(" ", 1)[-1] in (test.__doc__ or "")
    assert test.description in (test.__doc__ or "")
    assert ">>>" in (test.__doc__ or "")
    assert test.needs in ("ordinal", "interval", "ratio")
    assert test.needs_reason
    assert find_significance_test(test.name) is test


@each_test
def test_is_documented(test):
    text = DOCS.read_text(encoding="utf-8")
    assert f"\n### {test.name}\n" in text
    entry = text.split(f"\n### {test.name}\n")[1].split("\n### ")[0].split("\n## ")[0]
    for needed in (f"Needs: {test.needs}", test.source.rsplit(" ", 1)[-1], test.effect_name, ">>>", "Not for"):
        assert needed in entry, needed


def test_every_file_is_listed():
    files = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_")} - NOT_TESTS
    assert files == {type(test).__module__.rpartition(".")[2] for test in SIGNIFICANCE_TESTS}


def test_names_are_unique():
    assert list(BY_NAME) == [test.name for test in SIGNIFICANCE_TESTS]
    with pytest.raises(UsageError, match="no significance test is called 'z'; expected one of t, signed_rank"):
        find_significance_test("z")


def test_exported_names_are_sorted_and_exist():
    assert runoff.significance.__all__ == sorted(runoff.significance.__all__)
    assert all(hasattr(runoff.significance, name) for name in runoff.significance.__all__)
