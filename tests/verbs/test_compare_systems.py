"""The table of systems on real runs: its numbers are those of scipy, and its correction that of the textbook."""

import importlib
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_rel, wilcoxon

import runoff
from runoff import CompareOptions, InputError, Policy, UsageError
from runoff.files.run_paths import SkippedFilesWarning
from tests.verbs.comparisons import compare, qrels_of, run_of
from tests.verbs.real_boards import CHAMPION, deep_learning_runs

MEASURES = ["nDCG@10", "AP", "RR@10", "P@10"]
RANKS = {
    "old": [3] * 20 + [0] * 4,
    "new#1": [1] * 20 + [2] * 4,
    "new#2": [2] * 20 + [0] * 4,
    "same": [3] * 20 + [0] * 4,
}


def holm(p):
    """Holm's p-values by the textbook: the i-th smallest times how many are left, never falling, 1 at most."""
    order, adjusted, highest = np.argsort(p, kind="stable"), np.empty(len(p)), 0.0
    for place, at in enumerate(order):
        highest = max(highest, (len(p) - place) * p[at])
        adjusted[at] = min(highest, 1.0)
    return adjusted


@pytest.fixture(scope="module")
def deep_learning(shared_data):
    runs, qrels = deep_learning_runs(shared_data)
    runs = sorted(runs, key=lambda run: (run.name != CHAMPION, run.name))
    evaluated = runoff.evaluate(runs, qrels, measures=MEASURES)
    return runs, qrels, {scores.measure: scores for scores in evaluated.scores}


def test_42_runs_and_4_measures_against_the_baseline(deep_learning):
    runs, qrels, scores = deep_learning
    options = CompareOptions(measures=MEASURES, all_tests=False, evidence=False, resolution=False)
    table = compare(runs[0], runs[1:], qrels, options=options).table
    assert table is not None
    assert (len(table.systems), table.marks, table.family_size) == (42, "baseline", 41)
    for measure in table.measures:
        values = scores[measure.measure]
        assert measure.means == pytest.approx([values.of(run.name).mean() for run in runs], rel=1e-12)
        expected = [ttest_rel(values.of(run.name), values.of(CHAMPION)) for run in runs[1:]]
        # Of runs that score the same on every query scipy says NaN: t = 0 and p = 1.
        statistics = np.nan_to_num([each.statistic for each in expected], nan=0.0).tolist()
        p = np.nan_to_num([each.pvalue for each in expected], nan=1.0)
        assert [pair.test.statistic for pair in measure.pairs] == pytest.approx(statistics)
        assert [pair.test.p for pair in measure.pairs] == pytest.approx(p.tolist(), rel=1e-9)
        adjusted = holm(p)
        assert [pair.facet.p for pair in measure.pairs] == pytest.approx(adjusted.tolist(), rel=1e-9)
        is_marked = [bool(mark) for mark in table.marks_of(measure).values()]
        assert is_marked == [False, *(adjusted < 0.05)]


@pytest.mark.proof
@pytest.mark.parametrize(
    "correction, method", [("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini_hochberg", "fdr_bh")]
)
def test_corrections_are_those_of_statsmodels(deep_learning, correction, method):
    multitest = importlib.import_module("statsmodels.stats.multitest")
    runs, qrels, _ = deep_learning
    options = CompareOptions(measures=MEASURES, all_tests=False, evidence=False, resolution=False)
    for among in (runs[:7], runs):
        table = compare(among[0], among[1:], qrels, options=options, policy=Policy(correction=correction)).table
        assert table is not None
        for measure in table.measures:
            reject, p, *_ = multitest.multipletests([pair.test.p for pair in measure.pairs], 0.05, method=method)
            assert [pair.facet.p for pair in measure.pairs] == pytest.approx(p.tolist(), rel=1e-12)
            assert [pair.better is not None for pair in measure.pairs] == reject.tolist()


def test_letters_of_seven_runs(deep_learning):
    """Who is above whom, by hand: the mark of a system is on every system that is significantly better."""
    runs, qrels, scores = deep_learning
    names = [run.name for run in runs[::6]]
    table = compare(runs[0], [run for run in runs[::6] if run is not runs[0]], qrels, measures=MEASURES[:2]).table
    for measure in table.measures:
        values = scores[measure.measure]
        pairs = list(combinations(names, 2))
        adjusted = holm([ttest_rel(values.of(first), values.of(second)).pvalue for first, second in pairs])
        expected = dict.fromkeys(names, "")
        for (first, second), p in zip(pairs, adjusted, strict=True):
            better, worse = sorted((first, second), key=lambda name: -values.of(name).mean())
            expected[better] += "abcdefgh"[names.index(worse)] if p < 0.05 else ""
        assert table.marks_of(measure) == {name: "".join(sorted(marks)) for name, marks in expected.items()}


def test_another_test():
    runs = [run_of(name, ranks) for name, ranks in RANKS.items() if "#" not in name] + [run_of("new", RANKS["new#1"])]
    table = compare(runs[0], runs[1:], qrels_of(24), measures="RR@10", policy=Policy(measure_test="signed_rank")).table
    (pair,) = [pair for pair in table.measures[0].pairs if (pair.first, pair.second) == ("old", "new")]
    old, new = ([1 / rank if rank else 0 for rank in RANKS[name]] for name in ("old", "new#1"))
    assert pair.test.p == pytest.approx(wilcoxon(np.round(np.subtract(new, old), 9)).pvalue)
    assert "signed rank" in table.legend


def seeds(*names):
    return [run_of(name, RANKS[name]) for name in names]


def test_seeds_are_compared_by_their_scores_and_others_by_their_lists():
    result = compare(seeds("old")[0], seeds("new#1", "new#2", "same"), qrels_of(24), measures=["RR@10", "AP"])
    assert [comparison.challenger for comparison in result.comparisons] == ["new", "same"]
    new, same = result.comparisons
    assert (new.outcomes, new.ipso) == (None, None)
    assert same.outcomes is not None
    assert new.means.challenger == pytest.approx((20 * 1.0 + 4 * 0.5 + 20 * 0.5) / 48)
    assert str(new.verdict.measure.family) == "1 or 3 facets of 2 challengers (4 p-values)"
    remark = "new: Outcomes and IPSO compare two ranked lists; they are left out where a system has several runs."
    assert remark in result.to_text(300)
    assert "new (2); tests use the mean over the runs for each query." in result.to_text(300)
    lone = compare(seeds("old")[0], seeds("same"), qrels_of(24), measures="RR@10")
    assert lone.comparisons[0].outcomes.counts == same.outcomes.counts


def test_a_champion_of_several_runs():
    result = compare(seeds("new#1", "new#2"), seeds("old", "same"), qrels_of(24), measures="RR@10")
    assert (result.champion, result.table.baselines) == ("new", ("new",))
    assert [comparison.outcome for comparison in result.comparisons] == ["worse", "worse"]
    assert all(comparison.outcomes is None for comparison in result.comparisons)


def test_further_baselines_are_in_the_table_alone():
    result = compare(seeds("old", "same"), seeds("new#1"), qrels_of(24), measures="RR@10")
    assert [comparison.challenger for comparison in result.comparisons] == ["new#1"]
    assert result.table.baselines == ("old", "same")
    assert result.table.marks_of(result.table.measures[0])["new#1"] == "ab"


def test_one_run_or_a_list_of_one():
    old, new = seeds("old", "new#1")
    assert isinstance(compare(old, new, qrels_of(24)), runoff.results.Comparison)
    several = compare(old, [new], qrels_of(24))
    assert isinstance(several, runoff.results.MultiComparison)
    assert several.table is several.comparisons[0].table
    with pytest.raises(UsageError, match="no challenger"):
        compare([old, new], [], qrels_of(24))


def test_a_folder_is_several_runs(tmp_path):
    for name in ("old", "new", "same"):
        folder = tmp_path / ("champion" if name == "old" else "runs")
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.run").write_text("".join(f"q{place} Q0 d 1 1.0 {name}\n" for place in range(4)))
    champion, folder = str(tmp_path / "champion" / "old.run"), str(tmp_path / "runs")
    result = compare(champion, [folder], qrels_of(4), measures="RR@10")
    assert [comparison.challenger for comparison in result.comparisons] == ["new.run", "same.run"]
    with pytest.raises(UsageError, match="holds 2 runs; expected one; to compare them all, put it into a list"):
        compare(champion, folder, qrels_of(4), measures="RR@10")


def test_the_champion_is_left_out_among_the_challengers(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.run").write_text("".join(f"q{place} Q0 d 1 1.0 {name}\n" for place in range(4)))
    paths, old = sorted(tmp_path.iterdir()), seeds("old")[0]
    for challengers in (paths, [str(tmp_path)], [tmp_path / "*.run"]):
        result = compare(str(paths[0]), challengers, qrels_of(4), measures="RR@10")
        assert [comparison.challenger for comparison in result.comparisons] == ["b.run", "c.run"]
    result = compare(paths[:2], paths, qrels_of(4), measures="RR@10")
    assert (result.table.baselines, list(result.table.systems)) == (("a.run", "b.run"), ["a.run", "b.run", "c.run"])
    assert [each.challenger for each in compare(old, [old, *paths[1:]], qrels_of(24)).comparisons] == ["b.run", "c.run"]
    scores = result.comparisons[0].scores
    assert compare("a.run", scores.runs, scores=scores).comparisons[0].challenger == "c.run"
    with pytest.raises(UsageError, match="no challenger"):
        compare(old, old, qrels_of(24))
    other_way = tmp_path / ".." / tmp_path.name / "a.run"
    assert [each.challenger for each in compare(paths[0], [other_way, paths[1]], qrels_of(4)).comparisons] == ["b.run"]


def test_qrels_in_the_folder_of_the_champions_are_no_baseline(tmp_path):
    (tmp_path / "runs").mkdir()
    for name in ("runs/a.run", "b.run", "c.run"):
        (tmp_path / name).write_text("".join(f"q{place} Q0 d 1 1.0 x\n" for place in range(4)))
    qrels = tmp_path / "runs" / "qrels.txt"
    qrels.write_text("".join(f"q{place} 0 d 1\n" for place in range(4)))
    with pytest.warns(SkippedFilesWarning, match=r"qrels\.txt"):
        result = compare(tmp_path / "runs", [tmp_path / "b.run", tmp_path / "c.run"], qrels)
    assert [each.challenger for each in result.comparisons] == ["b.run", "c.run"]
    with pytest.raises(InputError, match="this looks like a qrels file"):
        compare(qrels, tmp_path / "b.run", qrels)


def test_experiment_of_pyterrier():
    """The frame that `Experiment(perquery=True)` returns: columns name, qid, measure and value."""
    import polars as pl

    rng = np.random.default_rng(1)
    rows = [
        (name, str(query), measure, float(base + rng.random()))
        for measure in ("AP", "nDCG@10")
        for name, base in (("BM25", 0.0), ("PL2", 0.6))
        for query in range(25)
    ]
    frame = pl.DataFrame(rows, schema=["name", "qid", "measure", "value"], orient="row")
    result = compare("BM25", ["PL2"], scores=frame, measures=["nDCG@10", "AP"])
    assert [measure.measure for measure in result.table.measures] == ["nDCG@10", "AP"]
    by_name = {
        name: frame.filter((pl.col("name") == name) & (pl.col("measure") == "nDCG@10"))["value"].to_numpy()
        for name in ("BM25", "PL2")
    }
    expected = ttest_rel(by_name["PL2"], by_name["BM25"])
    assert result.table.measures[0].pairs[0].test.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert compare("BM25", "PL2", scores=frame).measure_name == "AP"
    with pytest.raises(runoff.InputError, match=r"no column of queries among name and AP; .* with perquery=True"):
        compare("BM25", "PL2", scores=frame.select("name", pl.col("value").alias("AP")))


def test_files_of_scores_make_the_table_too(tmp_path):
    evaluated = runoff.evaluate(seeds("old", "new#1", "same"), qrels_of(24), measures=["RR@10", "AP"])
    rows = ["run,query,measure,value"]
    rows += [
        f"{run},{query},{scores.measure},{value}"
        for scores in evaluated.scores
        for run in scores.runs
        for query, value in zip(scores.query_ids, scores.of(run), strict=True)
    ]
    (tmp_path / "scores.csv").write_text("\n".join(rows) + "\n")
    tables = [
        compare("old", ["new#1", "same"], scores=source, measures=["map", "RR@10"]).table.to_dict()
        for source in (str(tmp_path / "scores.csv"), evaluated.scores)
    ]
    assert tables[0] == tables[1]
    with pytest.raises(UsageError, match="a matrix holds scores of one measure, not of AP and RR"):
        compare("a", ["b"], scores=b"query,a,b\nq,0.1,0.2\n", measures=["AP", "RR"])
