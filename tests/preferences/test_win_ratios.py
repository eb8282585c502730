"""Win ratios against a slow count, and their laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from runoff.errors import UsageError
from runoff.preferences import PreferredShare, TopDocs, corrected_ratios, corrected_share, implied_error, win_ratios
from runoff.tables import Preferences
from tests.preferences.judged import DOCS, QUERIES, judgments, mirrored, pair_votes

ASKED = [*QUERIES, "never judged"]
tops = st.dictionaries(
    st.sampled_from(["x", "y", "z", "perfect ranking"]),
    st.dictionaries(st.sampled_from(ASKED), st.sampled_from([*DOCS, "unknown"])),
    min_size=2,
)


@given(judgments(min_size=0), tops)
def test_equals_the_slow_count(rows, shown):
    result = win_ratios(Preferences.of(rows), TopDocs.of(shown, ASKED))
    votes = pair_votes(rows)
    judged = {query: {doc for pair in own for doc in pair} for query, own in votes.items()}
    pooled = {
        run for run, docs in shown.items()
        if sum(docs.get(query) in own for query, own in judged.items()) >= 0.9 * len(judged) and judged
    }  # fmt: skip
    assert pooled == {run for run, is_pooled in zip(result.runs, result.is_pooled, strict=True) if is_pooled}
    for row, one in enumerate(result.runs):
        for column, other in enumerate(result.runs):
            if row == column:
                continue
            tally = dict.fromkeys(("wins", "losses", "even", "unjudged", "same", "missing"), 0)
            for query in ASKED:
                a, b = shown[other].get(query), shown[one].get(query)
                if a is None or b is None:
                    tally["missing"] += 1
                elif a == b:
                    tally["same"] += 1
                elif (a, b) not in votes[query]:
                    tally["unjudged"] += 1
                else:
                    tally[{1: "wins", -1: "losses", 0: "even"}[int(np.sign(votes[query][a, b]))]] += 1
            assert {name: int(getattr(result, name)[row, column]) for name in tally} == tally
            decided = tally["wins"] + tally["losses"]
            test = stats.binomtest(tally["wins"], decided) if decided else None
            np.testing.assert_allclose(result.ratios[row, column], test.statistic if test else np.nan)
            assert result.counted[row, column] == decided
            ends = (result.low[row, column], result.high[row, column])
            assert ends == pytest.approx(tuple(test.proportion_ci()) if test else (0, 1), abs=1e-12)
            p = test.pvalue if test else 1.0
            assert result.raw_p[row, column] == pytest.approx(p)
            if {one, other} <= pooled:
                assert result.family
                assert result.p[row, column] == pytest.approx(min(1.0, p * result.family.size))
            else:
                assert np.isnan(result.p[row, column])
    beaten = np.nan_to_num(result.ratios) > 0.5
    assert result.run_wins.tolist() == beaten.sum(axis=0).tolist()
    assert (result.family.size if result.family else 0) == len(pooled) * (len(pooled) - 1) // 2


@given(judgments(), tops)
def test_sides_do_not_matter_and_cells_mirror(rows, shown):
    first = win_ratios(Preferences.of(rows), TopDocs.of(shown, ASKED))
    second = win_ratios(Preferences.of(mirrored(rows)), TopDocs.of(shown, ASKED))
    np.testing.assert_array_equal(first.ratios, second.ratios)
    off = ~np.isnan(first.ratios)
    np.testing.assert_allclose((first.ratios + first.ratios.T)[off], 1.0)


def test_wins_as_in_table_4():
    # Arabzadeh et al. 2021, Table 4: a cell above 50% is a win of its column; 200 queries for each share.
    shares = {("perfect", "A"): 49.3, ("perfect", "B"): 60.8, ("A", "B"): 55.2}
    runs, rows = ("perfect", "A", "B"), []
    shown: dict[str, dict[str, str]] = {}
    for (row, column), share in shares.items():
        for number in range(1000):
            query = f"{row}-{column}-{number}"
            rows.append((query, "r", "c", "c" if number < 10 * share else "r"))
            shown.setdefault(row, {})[query] = "r"
            shown.setdefault(column, {})[query] = "c"
    queries = sorted({row[0] for row in rows})
    result = win_ratios(Preferences.of(rows), TopDocs.of({run: shown[run] for run in runs}, queries))
    assert [round(100 * result.ratios[0, column], 1) for column in (1, 2)] == [49.3, 60.8]
    assert round(100 * result.ratios[1, 0], 1) == 50.7
    assert result.run_wins.tolist() == [1, 0, 2]


def test_runs_that_were_not_pooled_are_marked_shown_and_not_tested():
    queries = [f"q{number}" for number in range(20)]
    rows = [(query, "a", "b", "a") for query in queries]
    stranger = {query: "b" if query < "q11" else "unknown" for query in queries}
    shown = {"stranger": stranger, "x": dict.fromkeys(queries, "a"), "perfect ranking": dict.fromkeys(queries, "b")}
    result = win_ratios(Preferences.of(rows), TopDocs.of(shown, queries))
    assert result.marked_runs == ("stranger°", "x", "perfect ranking")
    assert (result.ratios[0, 1], result.counted[0, 1]) == (1.0, 3)
    assert np.isnan(result.p[0]).all()
    assert str(result.family) == "all pairs of 2 pooled runs (1 p-value)"
    assert result.p[1, 2] < 1e-4
    assert [result.runs[place] for place in result.order[:2]] == ["perfect ranking", "x"]
    assert result.order == [2, 1, 0]


def test_one_run_is_refused():
    with pytest.raises(UsageError, match="expected two or more"):
        win_ratios(Preferences.of([]), TopDocs.of({"x": {}}, ["q"]))


counts = st.integers(0, 400)


def test_published_error():
    # Arabzadeh et al. 2021, section 3.2: "a rough estimate of crowdsourcing error at 33%", from 640 of 1,868.
    error = implied_error(PreferredShare.of(1228, 640))
    assert error.counted == 1868
    assert error.error == pytest.approx(640 / 1868)
    truly = corrected_share(PreferredShare.of(2996, 2116), error)
    e, w = 640 / 1868, 2996 / 5112
    assert float(truly.ratios) == pytest.approx((w - e) / (1 - 2 * e))
    assert w == pytest.approx(e + (1 - 2 * e) * float(truly.ratios))


@given(counts, counts, st.integers(60, 400), st.integers(0, 20))
def test_the_interval_solves_its_equations(wins, losses, right, wrong):
    """By root finding on the two limits of x - s y, each recovered from the exact intervals of x and y."""
    share, error = PreferredShare.of(wins, losses), implied_error(PreferredShare.of(right, wrong))
    found = corrected_share(share, error)
    if not share.counted:
        assert np.isnan(found.ratios)
        return
    x, lx, ux = (2 * one - 1 for one in (share.share, *share.ci95))
    y, ly, uy = 1 - 2 * error.error, 1 - 2 * error.ci95[1], 1 - 2 * error.ci95[0]

    def limits(s):
        # the interval of -s y: which end of y is which depends on the sign of s
        low, high = sorted((-s * ly, -s * uy))
        down, up = -s * y - low, high + s * y
        return x - s * y - np.hypot(x - lx, down), x - s * y + np.hypot(ux - x, up)

    ends = []
    for which in (0, 1):
        at = [limits(s)[which] for s in (-1.0, 1.0)]
        s = -1.0 if at[0] <= 0 else 1.0 if at[1] >= 0 else optimize.brentq(lambda s, w=which: limits(s)[w], -1, 1)
        ends.append((1 + s) / 2)
    assert (float(found.low), float(found.high)) == pytest.approx(tuple(ends), abs=1e-9)


@given(counts, counts, st.integers(60, 400), st.integers(0, 20))
def test_one_half_is_inside_where_it_is_inside_the_raw_interval(wins, losses, right, wrong):
    share = PreferredShare.of(wins, losses)
    found = corrected_share(share, implied_error(PreferredShare.of(right, wrong)))
    if share.counted:
        assert (found.low <= 0.5 + 1e-12) == (share.ci95[0] <= 0.5 + 1e-12)
        assert (found.high >= 0.5 - 1e-12) == (share.ci95[1] >= 0.5 - 1e-12)
        assert found.low <= found.ratios <= found.high


def test_mirrored():
    error = implied_error(PreferredShare.of(200, 80))
    one, other = (corrected_share(PreferredShare.of(*pair), error) for pair in ((130, 70), (70, 130)))
    assert (float(one.low), float(one.high)) == pytest.approx((1 - float(other.high), 1 - float(other.low)))


def test_perfect_judges_change_nothing_but_the_width():
    share, error = PreferredShare.of(60, 40), implied_error(PreferredShare.of(5000, 0))
    found = corrected_share(share, error)
    assert float(found.ratios) == 0.6
    assert (float(found.low), float(found.high)) == pytest.approx(share.ci95, abs=1e-3)


@pytest.mark.parametrize("right, wrong", [(0, 0), (1, 1), (55, 45), (40, 60)])
def test_judges_who_may_be_coins_correct_nothing(right, wrong):
    error = implied_error(PreferredShare.of(right, wrong))
    assert not error.is_below_half
    found = corrected_share(PreferredShare.of(60, 40), error)
    assert np.isnan([found.ratios, found.low, found.high]).all()


def test_a_matrix_is_corrected_cell_by_cell():
    queries = [f"q{number}" for number in range(50)]
    rows = [(query, "a", "b", "a" if number < 35 else "b") for number, query in enumerate(queries)]
    tops = TopDocs.of({"x": dict.fromkeys(queries, "a"), "y": dict.fromkeys(queries, "b")}, queries)
    error = implied_error(PreferredShare.of(200, 80))
    found = corrected_ratios(win_ratios(Preferences.of(rows), tops), error)
    alone = corrected_share(PreferredShare.of(35, 15), error)
    assert (found.ratios[1, 0], found.low[1, 0], found.high[1, 0]) == (alone.ratios, alone.low, alone.high)
    assert found.ratios[0, 1] == pytest.approx(1 - float(alone.ratios))
    assert np.isnan(found.ratios[0, 0])


@pytest.mark.proof
@pytest.mark.parametrize("truth", [0.5, 0.6, 0.77, 0.95])
@pytest.mark.parametrize("queries_a, queries_b", [(100, 100), (300, 700), (1868, 5112)])
def test_the_interval_covers_a_known_truth(truth, queries_a, queries_b):
    """Judges err on a third of the pairs; in A the label is always better, in B the run's document so often."""
    rng = np.random.default_rng(3)
    error, trials = 1 / 3, 2000
    covered = corrected = 0
    for _ in range(trials):
        right = int((rng.random(queries_a) > error).sum())
        is_better, errs = rng.random(queries_b) < truth, rng.random(queries_b) < error
        wins = int((is_better != errs).sum())
        found = corrected_share(
            PreferredShare.of(wins, queries_b - wins), implied_error(PreferredShare.of(right, queries_a - right))
        )
        if not np.isnan(found.ratios):
            corrected += 1
            covered += bool(found.low <= truth <= found.high)
    said = f"truth {truth}, {queries_a} and {queries_b} queries: covered in {covered / corrected:.1%} of {corrected:,}"
    print(f"\n{said}", end="")  # noqa: T201
    assert corrected > 0.85 * trials
    assert covered / corrected > 0.94
