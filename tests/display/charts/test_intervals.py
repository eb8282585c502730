"""Charts of intervals: their rows, ends, words and text."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len

from runoff.boards.rank_sets import RankSetsResult, rank_sets
from runoff.boards.stability import stability
from runoff.display.charts import SHEETS, Conditions, LabelImpact, Overfitting, Promises, RankIntervals
from runoff.display.charts._style import DARK, LIGHT
from runoff.errors import UsageError
from tests.display.charts.examples import (
    board_scores,
    generalization_of,
    label_impact_of,
    names,
    overfitting_of,
    promises_of,
    rank_intervals,
    rank_sets_of,
    stability_of,
)
from tests.display.charts.values import table_with, tables


def chart_of(runs) -> RankIntervals:
    return rank_intervals(stability_of(runs), rank_sets_of(runs))


def decided(runs, *above: tuple[int, int]) -> RankIntervals:
    """A board on which these pairs are decided: the first of each is above the second."""
    size = len(runs)
    p = np.ones((size, size))
    for better, worse in above:
        p[worse, better] = 0.01
    decisions = RankSetsResult(
        measure="RR@10", runs=tuple(runs), queries=30, alpha=0.05, trials=200, seed=0, statistic=np.zeros((size, size)),
        p=p, is_constant=np.zeros((size, size), dtype=bool), critical=2.0,
    )  # fmt: skip
    return rank_intervals(stability_of(runs), decisions)


FOUR = ["oak", "ash", "fir", "elm"]
"""Names in the order of their means."""
PAIRS = (0, 2), (0, 3), (1, 3)


def test_rows_hold_means_ranks_and_intervals():
    chart = chart_of(names(7))
    found, decisions = chart.stability, chart.decisions
    groups = decisions.groups(found.order)
    rows = table_with(chart.spec(), "mean", "rank")
    assert [row["name"] for row in rows] == [found.runs[place] for place in found.order]
    for row in rows:
        place = found.runs.index(row["name"])
        assert (row["mean"], row["rank"]) == (found.means[place], found.ranks[place])
        assert [row["low"], row["high"]] == found.mean_ci95[place].tolist()
        assert [row["top"], row["bottom"]] == decisions.rank_sets[place].tolist()
        assert row["group"] == groups[place]


def test_possible_ranks_groups_and_who_could_be_best_follow_from_the_decisions():
    """Oak is above fir and elm, ash above elm: fir is below one run and above none, elm below two."""
    rows = table_with(decided(FOUR, *PAIRS).spec(), "mean", "rank")
    assert [(row["name"], row["top"], row["bottom"], row["best"], row["group"], row["mark"]) for row in rows] == [
        ("oak", 1, 2, "yes", 1, "group 1"),
        ("ash", 1, 3, "yes", 1, ""),
        ("fir", 2, 4, "no", 2, "group 2"),
        ("elm", 3, 4, "no", 2, ""),
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_runs_that_could_be_best_have_a_colour_of_their_own(dark):
    chart = decided(FOUR, *PAIRS).in_style(dark=dark)
    palette = DARK if dark else LIGHT
    scales = [
        layer["encoding"]["color"]["scale"]
        for panel in chart.spec()["hconcat"]
        for layer in panel["layer"]
        if "color" in layer["encoding"]
    ]
    assert scales == [{"domain": ["yes", "no"], "range": [palette.second, palette.strong]}] * 4
    assert "blue: could be the best" in chart.subtitle


def test_each_group_is_named_once_and_bands_alternate():
    rows = table_with(chart_of(names(30)).spec(), "mean", "rank")
    groups = [row["group"] for row in rows]
    assert len(set(groups)) > 1
    assert [row["mark"] for row in rows if row["mark"]] == [f"group {number}" for number in dict.fromkeys(groups)]
    assert [row["band"] for row in rows] == [group % 2 for group in groups]


def test_the_sentence_says_who_is_not_significantly_different():
    chart = decided(FOUR, *PAIRS)
    low, high = chart.stability.mean_ci95[0].tolist()
    assert chart.summary == (
        f"oak leads 4 runs with a mean RR@10 of {chart.stability.means[0]:.4f} (95% interval {low:.4f} to {high:.4f}; "
        "possible ranks 1 to 2). Not significantly different from it: ash. 2 runs could be the best. The runs form 2 "
        "groups."
    )


def test_the_sentence_of_a_run_that_is_above_all():
    said = decided(FOUR, (0, 1), (0, 2), (0, 3)).summary
    assert "; possible rank 1). Every other run is worse. 1 run could be the best. The runs form 2 groups." in said


def test_one_run_is_compared_with_nobody():
    chart = decided(["oak"])
    low, high = chart.stability.mean_ci95[0].tolist()
    mean = f"{chart.stability.means[0]:.4f} (95% interval {low:.4f} to {high:.4f})"
    assert chart.summary == f"oak is the only run, with a mean RR@10 of {mean}."


def test_text_has_a_line_per_run_with_its_possible_ranks():
    chart = decided(FOUR, *PAIRS, (2, 3))
    head, *lines = chart.text_lines(60)
    assert head.split() == ["Grp", "Run", "Mean", "95%", "interval", "of", "the", "mean", "Ranks"]
    means = [f"{mean:.4f}" for mean in chart.stability.means]
    assert [line.split()[:3] for line in lines] == [
        ["1", "oak", means[0]], ["1", "ash", means[1]], ["2", "fir", means[2]], ["3", "elm", means[3]]
    ]  # fmt: skip
    assert [line.split()[-1] for line in lines] == ["1-2", "1-3", "2-3", "4"]
    low, high = chart.stability.mean_ci95[:, 0].min(), chart.stability.mean_ci95[:, 1].max()
    scale, ranks = chart.to_text(200).splitlines()[-2:]
    assert scale == f"The scale is from {low:.4f} to {high:.4f}."
    assert ranks.startswith("Ranks: possible ranks (95% confidence for all runs together).")


@pytest.mark.parametrize("width", range(60, 121, 10))
@pytest.mark.parametrize("factor", [1, 1000])
def test_text_fits(width, factor):
    """Also with means of many digits, ranks of three and names of two places a letter."""
    runs = [*names(148), "検索" * 30, "x" * 90]
    scores = board_scores(runs)
    scores = replace(scores, values=scores.values * factor)
    chart = rank_intervals(stability(scores, trials=20), rank_sets(scores, trials=20), most=150)
    lines = chart.text_lines(width)
    assert len(lines) == 151
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("count", [1, 2, 5, 12, 42, 60])
def test_the_numbers_below_the_ranks_do_not_overlap(size, count):
    """No axis is left to drop some of them by itself, which leaves uneven steps."""
    chart = decided(names(count)).in_style(size=size)
    right = chart.spec()["hconcat"][1]
    x = right["layer"][1]["encoding"]["x"]
    ticks, (low, high) = x["axis"]["values"], x["scale"]["domain"]
    assert ticks[0] == 1
    assert (low, high) == (0.5, count + 0.5)
    assert len(ticks) > 1 or count == 1
    assert len({after - before for before, after in itertools.pairwise(ticks[1:])}) <= 1
    for before, after in itertools.pairwise(ticks):
        apart = (after - before) / (high - low) * right["width"]
        assert apart >= (chart.style.text_width(f"{before}") + chart.style.text_width(f"{after}")) / 2


def test_points_are_the_expected_ranks_with_their_intervals():
    found = generalization_of(names(9))
    rows = table_with(Conditions(found, ["run-002", "run-007"]).spec(), "low")
    assert len(rows) == 2 * len(found.conditions)
    for row in rows:
        run, condition = found.runs.index(row["name"]), found.conditions.index(row["full"])
        assert row["value"] == found.expected_ranks[run, condition]
        assert [row["low"], row["high"]] == found.stabilities[condition].rank_intervals[run].tolist()


def test_the_other_runs_are_grey():
    found = generalization_of(names(9))
    others = tables(Conditions(found).spec())[0]
    chosen = {found.runs[one.order[0]] for one in found.stabilities}
    assert {row["name"] for row in others} == set(found.runs) - chosen


def test_means_have_an_axis_of_their_own():
    found = generalization_of(names(3))
    chart = Conditions(found, ["run-000"], values="means")
    rows = table_with(chart.spec(), "low")
    assert [row["value"] for row in rows] == [one.means[0] for one in found.stabilities]
    assert chart.title == "Do the means hold under other conditions? 1 of 3 runs"


def test_a_run_that_stays_is_said_so():
    found = generalization_of(["oak", "ash"])
    assert Conditions(found, ["oak", "ash"]).summary == (
        "Expected ranks under 3 conditions: oak 1.0 in all; ash 2.0 in all."
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"chosen": ["nobody"]}, "no run 'nobody' on this board; expected one of its 9 runs"),
        ({"chosen": names(8)}, "8 runs are chosen; expected at most 7"),
        ({"values": "medians"}, "values='medians' cannot be used; expected 'ranks' or 'means'"),
    ],
)
def test_what_cannot_be_shown_is_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        Conditions(generalization_of(names(9)), **arguments)


def unjudged(result, *teams):
    """The same result, in which some teams cannot be judged."""
    none = dict.fromkeys(("ratio", "expected_private", "excess", "standard_error", "excess_ci95", "p"))
    changes = (replace(one, **none, unjudged="why") if one.team in teams else one for one in result.teams)
    return replace(result, teams=tuple(changes))


def test_rows_are_the_changes_and_the_intervals():
    result = overfitting_of(names(9))
    changes = {one.team: one for one in result.teams}
    rows = table_with(Overfitting(result).spec(), "excess")
    assert [row["excess"] for row in rows] == sorted((one.excess or 0.0 for one in changes.values()), reverse=True)
    for row in rows:
        one = changes[row["name"]]
        assert (row["public"], row["private"]) == (one.change_public, one.change_private)
        assert (row["low"], row["high"]) == one.excess_ci95


def test_the_largest_excess_is_shown_first_and_the_rest_cut():
    chart = Overfitting(overfitting_of(names(50)), most=3)
    assert chart.title.endswith("RR@10, the 3 of 50 teams with the largest shortfall")
    assert [line.split()[0] for line in chart.text_lines(80)] == ["Team", "run-000", "run-007", "run-014"]


def test_teams_that_cannot_be_judged_are_last_and_have_changes_alone():
    chart = Overfitting(unjudged(overfitting_of(["A", "B"]), "A"))
    assert [line.split()[:3] for line in chart.text_lines(80)[1:]] == [
        ["B", "+0.0500", "+0.0100"],
        ["A", "+0.0500", "+0.0000"],
    ]
    assert "A +0.0500 on public and +0.0000 on private, cannot be judged" in chart.summary
    assert len(chart.text_lines(80)[2].split()) == 3
    none = Overfitting(unjudged(overfitting_of(["A", "B"]), "A", "B"))
    assert "hconcat" in chart.view()
    assert "hconcat" not in none.view()
    assert none.subtitle.endswith("No team can be judged.")
    assert none.words().notes == ("No team can be judged.",)


def test_words():
    result = overfitting_of(["A"])
    assert Overfitting(result).summary == (
        "Changes in RR@10 of 1 team, the largest shortfall first: A +0.0500 on public and +0.0000 on private, "
        "shortfall +0.0450 (-0.0200 to +0.0800). The uncorrected interval is above 0 for 0."
    )
    with pytest.raises(UsageError, match="there are no teams to show"):
        Overfitting(replace(result, teams=()))


HALF = np.array([-0.01, 0.01])
OLD, NEW = np.array([0.3, 0.4, 0.2]), np.array([0.25, 0.1, 0.2])


def label_impact_chart_of(**options):
    return LabelImpact(["a", "b", "c"], OLD, OLD[:, None] + HALF, NEW, NEW[:, None] + HALF, **options)


def test_points_are_the_means_in_the_order_of_the_old_labels():
    rows = table_with(label_impact_chart_of().spec(), "mean")
    assert [(row["name"], row["labels"], row["mean"], row["rank"]) for row in rows] == [
        ("b", "original", 0.4, 1), ("b", "preference", 0.1, 3), ("a", "original", 0.3, 2), ("a", "preference", 0.25, 1),
        ("c", "original", 0.2, 3), ("c", "preference", 0.2, 2),
    ]  # fmt: skip
    assert rows[0]["low"] == pytest.approx(0.39)
    assert rows[0]["high"] == pytest.approx(0.41)


def test_label_impact_words():
    chart = label_impact_chart_of(labels=("sparse", "TREC"), measure="RR@5")
    assert chart.title == "What do other labels change? RR@5, sparse and TREC labels"
    assert chart.summary == (
        "Of 3 runs, b is first under the sparse labels (RR@5 0.4000) and has rank 3 under the TREC labels (0.1000). a "
        "is first there (0.2500). b moves most, from rank 1 to 3."
    )
    same = LabelImpact(["a"], OLD[:1], OLD[:1, None] + HALF, OLD[:1], OLD[:1, None] + HALF)
    assert same.summary.endswith("has rank 1 under the preference labels (0.3000).")


def test_the_perfect_ranking_is_above_the_others_and_has_no_rank():
    old, new = np.append(OLD, 1.0), np.append(NEW, 0.15)
    chart = LabelImpact(["a", "b", "c", "perfect ranking"], old, old[:, None] + HALF, new, new[:, None] + HALF, most=2)
    rows = table_with(chart.spec(), "mean")
    assert [(row["name"], row["rank"]) for row in rows[:4]] == [
        ("perfect ranking", None), ("perfect ranking", None), ("b", 1), ("b", 3),
    ]  # fmt: skip
    assert len(rows) == 6
    assert chart.summary.startswith("Of 3 runs, b is first under the original labels")
    assert chart.summary.endswith(
        "The perfect ranking under the original labels has 0.1500 under the preference labels."
    )


def test_text_has_two_lines_per_run():
    lines = label_impact_chart_of().text_lines(60)
    assert [line.split()[:3] for line in lines[:2]] == [["b", "original", "0.4000"], ["preference", "0.1000", "├●┤"]]
    assert len(lines) == 6


def test_the_best_are_shown():
    chart = label_impact_of(names(70))
    assert chart.title.endswith(", the best 60 of 70 runs")
    assert len(table_with(chart.spec(), "mean")) == 120


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match=r"2 runs with arrays of shapes \(3,\), \(3, 2\)"):
        LabelImpact(["a", "b"], OLD, OLD[:, None] + HALF, NEW, NEW[:, None] + HALF)


def test_right_of_0_is_the_bad_side():
    chart = promises_of(names(6))
    rows = table_with(chart.spec(), "points", "word")
    assert rows[0]["word"] == "off"
    assert rows[0]["points"] == pytest.approx(15)  # an error of 20% where 5% is promised
    good = [row for row in rows if row["word"] != "off"]
    assert {round(row["points"], 6) for row in good} == {-1.0}  # 4% of 5%, and 96% of 95%
    assert all(row["low"] <= row["points"] <= row["high"] for row in rows)
    lines = chart.calibration.lines
    assert 100 * lines[5].verdict.ci95[0] - 5 == pytest.approx(rows[0]["low"])


def test_the_worst_come_first_and_are_counted():
    chart = Promises(promises_of(names(30)).calibration, most=5)
    assert "the worst 5 of 30 statements" in chart.title
    assert len(table_with(chart.spec(), "points", "word")) == 5
    assert chart.summary.startswith("29 of 30 promises are not refuted. The worst is tests: stat")
    head, first, *_ = chart.text_lines(70)
    assert head.split()[:2] == ["Statement", "Points"]
    assert "+15.0" in first


def test_biases_alone_make_no_chart():
    found = promises_of(names(2)).calibration
    with pytest.raises(UsageError, match="no error, coverage or power"):
        Promises(replace(found, lines=()))


def test_the_number_of_queries_is_named_where_there_are_several():
    found = promises_of(names(4)).calibration
    one = Promises(replace(found, sizes=(50,)))
    assert not any("queries" in row["name"] for row in table_with(one.spec(), "points", "word"))
    assert all(
        "queries" in row["name"]
        for row in table_with(Promises(replace(found, sizes=(50, 500))).spec(), "points", "word")
    )
    assert "colours allow for the number of statements" in one.subtitle
