"""The tally as a whole."""

from typing import Any

import pytest

import runoff
from runoff.display.charts import LabelImpact, PoolSizes
from runoff.errors import InputError, UsageError
from runoff.preferences import tournament
from runoff.results.tally_tables import TallyOptions
from runoff.tables import Preferences
from runoff.verbs.tally import tally
from tests.verbs.tallied import ANSWERS, CARELESS, MADE, QRELS, RUNS


def test_the_paper_s_shares_come_out():
    # Arabzadeh et al. 2021, Table 2: 1,228 of 1,868 queries in category A, 2,996 of 5,112 in B
    rows = [(f"a{n}", "top", "second", "top" if n < 1228 else "second") for n in range(1868)]
    rows += [(f"b{n}", "top", "label", "top" if n < 2996 else "label") for n in range(5112)]
    run = {row[0]: {"top": 2.0, "second": 1.0} for row in rows}
    qrels = {row[0]: {"top" if row[0][0] == "a" else "label": 1} for row in rows}
    result: Any = tally(Preferences.of(rows), runs=[run], qrels=qrels, options=TallyOptions(trials=10))
    (found,) = result.board.better_than_perfect
    assert [round(100 * one.preferred.share, 1) for one in (found.agrees, found.differs)] == [65.7, 58.6]
    assert result.board.marks.better_than_perfect == ("run 1",)
    assert "better than perfect" in " ".join(str(result).split())


def test_test_pairs_are_known_by_the_task_file():
    without, with_tasks = tally(ANSWERS), tally(ANSWERS, tasks=MADE.tasks)
    assert (without.quality.tests, with_tasks.quality.tests) == (0, len(MADE.tasks.pairs) - MADE.tasks.real_pairs)
    assert len(with_tasks.quality.kept) == MADE.tasks.real_pairs
    assert list(with_tasks.qrels) == list(tournament(with_tasks.quality.kept).qrels())


def test_failed_tasks_are_discarded_and_issued_again():
    result: Any = tally(CARELESS, tasks=MADE.tasks)
    assert result.quality.excluded
    lines = list(result.reissue_lines())
    assert lines[0] == "task,missing,done_by\n"
    assert len(lines) == 1 + len(result.quality.reissue) > 1
    assert MADE.tasks.only([line.split(",")[0] for line in lines[1:]])


def test_all_of_an_assessor_goes_if_that_is_asked_for():
    usual: Any = tally(CARELESS, tasks=MADE.tasks)
    strict: Any = tally(CARELESS, tasks=MADE.tasks, options=TallyOptions(exclude="assessor"))
    out = set(usual.quality.excluded)
    assert {row.assessor for row in usual.quality.kept} & out, "one of them passed a task"
    assert {row.assessor for row in strict.quality.kept} == {row.assessor for row in usual.quality.kept} - out
    assert "all of an assessor who failed one" in " ".join(strict.opening(0))
    assert len(strict.quality.reissue) > len(usual.quality.reissue)


def test_the_figure_of_impact_has_all_runs_and_the_perfect_ranking():
    whole: Any = tally(ANSWERS, runs=RUNS, qrels=QRELS, tasks=MADE.tasks, options=TallyOptions(trials=20))
    chart = whole.chart("label_impact")
    assert isinstance(chart, LabelImpact)
    assert list(chart.runs) == ["perfect ranking", *(run.name for run in RUNS)]
    assert (chart.old[0], chart.new[0]) == (1.0, whole.board.impact.perfect.means[0])


def test_runs_without_labels():
    result: Any = runoff.tally(ANSWERS, runs=RUNS[:2], tasks=MADE.tasks)
    assert result.board.impact is None
    assert result.board.ratios.runs == ("run0", "run1")
    with pytest.raises(UsageError, match="one run and no qrels"):
        tally(ANSWERS, runs=RUNS[:1])


def test_nothing_left():
    table = Preferences.of([("q", "a", "b", "b", "ann", "t", None, "a")])
    with pytest.raises(InputError, match="no judgment counts"):
        tally(table)


def test_labels_of_other_queries_are_refused():
    with pytest.raises(InputError, match=r"none of the [0-9,]+ judged queries, such as '.*', is in "):
        tally(ANSWERS, runs=RUNS[:2], qrels={"elsewhere": {"d": 1}})


def test_the_second_opinion_can_be_refused():
    assert tally(ANSWERS, options=TallyOptions(bradley_terry=False)).second_opinion is None
    whole: Any = tally(ANSWERS, tasks=MADE.tasks, runs=RUNS, qrels=QRELS)
    assert whole.board.impact.queries == 12


def test_charts_are_of_what_is_known():
    whole = tally(ANSWERS, runs=RUNS, qrels=QRELS, tasks=MADE.tasks, options=TallyOptions(trials=20))
    assert [chart.name for chart in whole.charts()] == ["win_ratio_matrix", "label_impact", "pool_sizes"]
    unlabelled = tally(ANSWERS, runs=RUNS[:2], tasks=MADE.tasks)
    assert [chart.name for chart in unlabelled.charts()] == ["win_ratio_matrix", "pool_sizes"]
    (sizes,) = tally(ANSWERS).charts()
    assert sizes.name == "pool_sizes"
    judged: dict[str, set[str]] = {}
    for row in unlabelled.quality.kept:
        judged.setdefault(row.query_id, set()).update((row.left, row.right))
    sizes = unlabelled.chart("pool_sizes")
    assert isinstance(sizes, PoolSizes)
    assert sorted(sizes.sizes) == sorted(map(len, judged.values()))


def test_runs_of_a_track_that_nobody_pooled(shared_data):
    """Runs of TREC DL 2021 beside judged pairs of other pools: shown with their few queries, and not tested."""
    runs = sorted((shared_data / "dl21" / "runs").iterdir())[:6]
    labels, votes = shared_data / "dl21" / "qrels.nist.txt.gz", shared_data / "preferences" / "judgments.txt"
    result: Any = tally(votes, runs=runs, qrels=labels, options=TallyOptions(trials=5, bradley_terry=False))
    ratios = result.board.ratios
    assert not ratios.is_pooled.any()
    assert (ratios.judged_tops > 0).all()
    assert ratios.family is None
    assert 0 < ratios.counted.max() < ratios.queries
    assert result.board.marks.better_than_perfect == ()
    said = " ".join(result.opening(0))
    assert "No two runs were pooled for these judgments" in said
    assert "significantly" not in said
    assert all(one.both.pairs > 50 for one in result.board.order if one.run != "perfect ranking")
