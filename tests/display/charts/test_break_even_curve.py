import itertools

import numpy as np
import pytest
from rich.cells import cell_len
from scipy import stats

from runoff.comparisons import BreakEven, BreakEvenResult, break_even
from runoff.display.charts import SHEETS, BreakEvenCurve
from runoff.display.charts._style import DARK, LIGHT
from runoff.display.charts.break_even_curve import MOST_LINES, MOST_POINTS
from runoff.measures._example import serps_from
from tests.display.charts.values import table_with

SAVED = [0.0, -1.0, -2.0, -2.0, -2.0, -2.0, -1.0, 0.0, 1.0, 2.0]
"""What a run saves of ten results that finds two documents at ranks 3 and 6, against one that finds one at rank 1."""
LONG = "colbert-v2-distilled-" * 4 + "run-17", "検索" * 30 + "-run-03"
STYLES = [(size, dark) for size in SHEETS for dark in (False, True)]


def change(results, ci95=(None, None), *, challenger_above=True):
    return BreakEven(results=results, ci95=ci95, challenger_above=challenger_above)


def chart_of(saved, *changes, error=0.0, queries=9, names=("oak", "ash")):
    """What the second of two runs saves, with the same error everywhere."""
    saved, errors = np.array(saved, dtype=float), np.full(len(saved), error)
    half = stats.t(max(queries - 1, 1)).ppf(0.975) * errors
    return BreakEvenCurve(
        BreakEvenResult(
            champion=names[0], challenger=names[1], queries=queries, saved=saved, error=errors,
            ci95=np.column_stack([saved - half, saved + half]), changes=changes,
        )
    )  # fmt: skip


def with_four_changes(depth, **more):
    """Changes at 2.5, 3.5, 4.5 and 8.5 results."""
    saved = [0, 1, -1, 1, -1, -1, -1, -1, *[1] * (depth - 8)]
    sides = (2.5, False), (3.5, True), (4.5, False), (8.5, True)
    return chart_of(saved, *(change(at, challenger_above=above) for at, above in sides), **more)


def layers(chart, kind):
    return [layer for layer in chart.spec()["layer"] if layer["mark"]["type"] == kind]


def labels(chart):
    """What is written above the plot, and where."""
    above = [layer for layer in layers(chart, "text") if "x" in layer["encoding"]]
    return [(row["at"], row["label"]) for layer in above for row in layer["data"]["values"]]


def sides(chart):
    """The letters that say who is better in the upper and in the lower half."""
    return [layer for layer in layers(chart, "text") if "x" in layer["mark"] and "stroke" not in layer["mark"]]


def test_it_draws_what_was_computed():
    lists = ["1000000000"] * 9, ["0010010000"] * 9
    found = break_even(*(serps_from(*texts, relevant=2) for texts in lists), cutoff=10)
    rows = table_with(BreakEvenCurve(found).spec(), "results", "saved")
    assert [row["results"] for row in rows] == list(range(1, 11))
    # All queries are alike, so nothing is uncertain.
    assert [row["saved"] for row in rows] == [row["low"] for row in rows] == [row["high"] for row in rows] == SAVED


def test_the_band_is_students_interval():
    """Of nine queries: 2.306 standard errors."""
    rows = table_with(chart_of(SAVED, change(8.0), error=0.5).spec(), "low")
    assert [(round(row["low"], 3), round(row["high"], 3)) for row in rows[-2:]] == [(-0.153, 2.153), (0.847, 3.153)]


@pytest.mark.parametrize("size, dark", STYLES)
def test_each_half_has_the_name_and_the_colour_of_the_run_that_is_better_there(size, dark):
    chart = chart_of(SAVED, change(8.0, (7, 9)), error=0.5).in_style(size=size, dark=dark)
    palette = DARK if dark else LIGHT
    filled = {layer["encoding"]["y"]["field"]: layer["mark"]["color"] for layer in layers(chart, "area")}
    assert filled == {"low": palette.neutral, "up": palette.second, "down": palette.first}
    arrows = [(layer["mark"]["shape"], layer["mark"]["color"]) for layer in layers(chart, "point")]
    assert arrows == [("triangle-up", palette.second), ("triangle-down", palette.first)]
    upper, lower = sides(chart)
    assert upper["data"]["values"] == [{"better": "ash is better"}]
    assert lower["data"]["values"] == [{"better": "oak is better"}]
    assert upper["mark"]["y"] < chart.spec()["height"] / 2 < lower["mark"]["y"]


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("saved", [SAVED, [-one for one in SAVED], [0.0] * 4])
def test_the_curve_leaves_room_for_these_names(size, saved):
    """The scale goes on beyond the data on both ends by more than the height of a line."""
    chart = chart_of(saved).in_style(size=size)
    (line,) = [layer for layer in layers(chart, "line") if layer["encoding"]["y"]["field"] == "saved"]
    scale = line["encoding"]["y"]["scale"]
    low, high = scale["domain"]
    assert low <= min(saved) <= max(saved) <= high
    assert low < high
    assert scale["padding"] >= 1.5 * SHEETS[size].font
    upper, lower = (layer["mark"]["y"] for layer in sides(chart))
    assert upper <= scale["padding"]
    assert lower >= chart.spec()["height"] - scale["padding"]


def test_the_filled_parts_meet_where_the_curve_crosses():
    rows = table_with(chart_of([0, -1, 2], change(2 + 1 / 3)).spec(), "up", "down")
    assert [(round(row["results"], 2), row["up"], row["down"]) for row in rows] == [
        (1, 0, 0),
        (2, 0, -1),
        (2.33, 0, 0),
        (3, 2, 0),
    ]


@pytest.mark.parametrize(
    "ci95, said, above",
    [
        ((7, 9), " (95% interval 7 to 9)", "break-even at 8 results (7 to 9)"),
        ((7, None), " (95% interval at least 7)", "break-even at 8 results (at least 7)"),
        ((None, 9), " (95% interval at most 9)", "break-even at 8 results (at most 9)"),
        ((None, None), "", "break-even at 8 results (interval open)"),
    ],
)
def test_a_change_has_its_interval_and_open_ends(ci95, said, above):
    chart = chart_of(SAVED, change(8.0, ci95))
    assert chart.summary.startswith(
        f"ash is better for users who read more than about 8 results{said}, oak for those who read fewer. "
    )
    assert [label for _, label in labels(chart)] == [above]
    assert table_with(chart.spec(), "at")[0]["at"] == 8.0
    assert f"The better run changes at about 8{said.replace('95% interval ', '')} results." in chart.words().notes[0]


def test_the_sentence_says_where_a_difference_is_significant_and_how_large_it_is():
    """With an error of 0.5 and nine queries, from 1.153 on: only 2 is, which the champion saves from 3 to 6."""
    assert chart_of(SAVED, change(8.0, (None, 9)), error=0.5).summary == (
        "ash is better for users who read more than about 8 results (95% interval at most 9), oak for those who read "
        "fewer. The difference is significant at 3 to 6 for oak, 10 for ash. Users who read 10 results save 2.00 (95% "
        "interval 0.85 to 3.15) per query with ash, summed over relevant documents."
    )
    unsure = chart_of(SAVED, change(8.0), error=1.0).summary
    assert "The difference is not significant at any number of results." in unsure
    assert "save 2.00 per query with ash" in unsure  # the interval holds 0, so it has no side


def test_several_changes_are_told_in_order():
    chart = with_four_changes(10)
    # Numbers are rounded to even ones.
    assert chart.summary.startswith(
        "ash is better for users who read the fewest results, oak from about 2, ash from about 4, oak from about 4 and "
        "ash from about 8. "
    )
    assert chart.words().notes[0].endswith("The better run changes at about 2, 4, 4 and 8 results.")
    assert [row["at"] for row in table_with(chart.spec(), "at")] == [2.5, 3.5, 4.5, 8.5]


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("depth", [10, 100, 1000])
def test_labels_of_changes_do_not_overlap(size, depth):
    chart = with_four_changes(depth).in_style(size=size)
    width = chart.spec()["width"]
    found = labels(chart)
    assert found
    ends = []
    for at, label in found:
        middle, half = (at - 1) / (depth - 1) * width, chart.style.text_width(label) / 2
        ends.append((middle - half, middle + half))
    assert ends[0][0] >= -1e-9
    assert ends[-1][1] <= width + 1e-9
    assert all(one[1] < other[0] for one, other in itertools.pairwise(ends))


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("results", range(2, 11))
def test_a_dashed_line_runs_beside_the_names(size, results):
    """Short names have room on one side of any line."""
    saved = [0.0, *[-1.0] * (results - 1), *[1.0] * (11 - results)]
    chart = chart_of(saved, change(results + 0.5)).in_style(size=size)
    width, font = chart.spec()["width"], SHEETS[size].font
    line = (results - 0.5) / (len(saved) - 1) * width
    for layer in sides(chart):
        (text,) = layer["data"]["values"]
        start = layer["mark"]["x"]
        assert not start - font < line < start + chart.style.text_width(text["better"])
        assert start + chart.style.text_width(text["better"]) <= width


@pytest.mark.parametrize("saved, better", [([0, 1, 2, 0], "ash"), ([0, -1, -2, -3], "oak")])
def test_a_run_that_is_never_worse(saved, better):
    chart = chart_of(saved)
    said = chart.summary
    assert said.startswith(f"{better} is better for users who read any number of results to 4. ")
    assert labels(chart) == []
    assert "changes" not in chart.words().notes[0]


@pytest.mark.parametrize("depth, results", [(1, "1 result"), (4, "4 results")])
def test_runs_that_do_not_differ(depth, results):
    chart = chart_of([0.0] * depth)
    assert chart.summary == (f"There is no difference between ash and oak for users who read {results} or fewer.")
    assert len(chart.text_lines(80)) == depth + 1
    chart.to_svg()


def test_one_query_has_no_interval():
    found = break_even(serps_from("1000"), serps_from("0010", run="other"), cutoff=4)
    chart = BreakEvenCurve(found)
    assert chart.subtitle.endswith("(1 query, no interval)")
    assert "The difference is not significant at any number of results." in chart.summary
    assert [layer["encoding"]["y"]["field"] for layer in layers(chart, "area")] == ["up", "down"]
    assert [layer["encoding"]["y"]["field"] for layer in layers(chart, "line")] == ["saved"]
    lines = chart.text_lines(60)[1:]
    assert all("●" in line for line in lines)
    assert not set("├┤") & set("".join(lines))


def test_text_says_who_is_better_on_which_side_of_zero():
    head, *lines = chart_of(SAVED, change(8.0), error=0.2).text_lines(80)
    zero = head.index("│")
    assert head[:zero].split() == ["Results", "Saved", "oak", "is", "better"]
    assert head[zero + 1 :].split() == ["ash", "is", "better"]
    assert len(lines) == 10
    for line, saved in zip(lines, SAVED, strict=True):
        assert float(line.split()[1]) == saved
        point = line.index("●")
        assert (point > zero) - (point < zero) == np.sign(saved)
        assert line[zero] in "│●─├┤"


def test_a_side_without_room_has_no_name_in_text():
    assert chart_of([0, 1, 2, 3]).text_lines(60)[0].split() == ["Results", "Saved", "│", "ash", "is", "better"]
    assert chart_of([0, -1, -2, -3]).text_lines(60)[0].split() == ["Results", "Saved", "oak", "is", "better", "│"]


@pytest.mark.parametrize("width", range(60, 121, 10))
@pytest.mark.parametrize("names", [("oak", "ash"), LONG, LONG[::-1]], ids=["short", "long", "turned"])
@pytest.mark.parametrize("scale", [1.0, 12345.0])
def test_text_fits(width, names, scale):
    for sign in (1, -1):
        saved = [sign * scale * one for one in SAVED]
        for chart in (chart_of(saved, change(8.0, (7, 9)), names=names, error=scale), chart_of(saved[:4], names=names)):
            lines = chart.text_lines(width)
            assert max(map(cell_len, lines)) <= width
            # Every line has its 0 in the same place.
            assert len({cell_len(line[: line.index("│")]) for line in lines if "│" in line}) == 1


@pytest.mark.parametrize("size, dark", STYLES)
def test_long_names_stay_inside_the_picture(size, dark):
    chart = chart_of(SAVED, change(5.5, (4, 7)), names=LONG, error=0.3).in_style(size=size, dark=dark)
    width = chart.spec()["width"]
    for layer in sides(chart):
        (text,) = layer["data"]["values"]
        assert "…" in text["better"]
        assert layer["mark"]["x"] + chart.style.text_width(text["better"]) <= width
    assert chart.to_svg().startswith("<svg")


def test_deep_lists_are_thinned_and_changes_are_kept():
    saved = np.concatenate([-np.arange(300.0), np.arange(700.0) - 299])
    chart = chart_of(saved, change(600.0, (590, 610)))
    rows = table_with(chart.spec(), "saved")
    assert (rows[0]["results"], rows[-1]["results"]) == (1, 1000)
    assert len(rows) == MOST_POINTS
    assert {"results": 600.0, "up": 0.0, "down": 0.0} in table_with(chart.spec(), "up")
    lines = chart.text_lines(80)
    assert len(lines) <= MOST_LINES + 2
    assert lines[-1].split()[0] == "1000"


def test_the_last_number_of_results_is_always_in_the_text():
    assert [line.split()[0] for line in chart_of([0.0] * 23).text_lines(80)[-2:]] == ["22", "23"]
