import itertools
from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len

from runoff.boards.rank_sets import RankSetsResult, rank_sets
from runoff.boards.stability import stability
from runoff.display.charts import SHEETS, RankIntervals
from runoff.display.charts._style import DARK, LIGHT
from tests.display.charts.examples import board_scores, names, rank_intervals, rank_sets_of, stability_of
from tests.display.charts.values import table_with


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
