"""Win ratios against a slow count, and their laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from runoff.errors import UsageError
from runoff.preferences import TopDocs, win_ratios
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
    assert [result.runs[place] for place in result.places(2)] == ["perfect ranking", "x"]
    assert result.places(9) == [2, 1, 0]


def test_one_run_is_refused():
    with pytest.raises(UsageError, match="expected two or more"):
        win_ratios(Preferences.of([]), TopDocs.of({"x": {}}, ["q"]))
