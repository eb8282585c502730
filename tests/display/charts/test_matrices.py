"""Charts of cells: their cells, labels, words and text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len

from runoff.comparisons import relations_of_all
from runoff.display.charts import (
    SHEETS,
    AgreementCase,
    AgreementTriangle,
    EvidenceMatrix,
    Hasse,
    RankHeatMap,
    RelationGrid,
    VerdictMatrix,
)
from runoff.display.charts._style import Style
from runoff.display.charts.ipso_agreement import WORDS
from runoff.errors import UsageError
from runoff.preferences import TopDocs, win_ratios
from runoff.tables.preferences import Preferences
from runoff.verdicts import AGREEMENTS, Policy, verdict_order
from tests.display.charts.agreements import agreement_of
from tests.display.charts.examples import (
    evidence_of,
    names,
    stability_of,
    triangle_of,
    verdict_order_of,
    win_ratio_matrix,
    win_ratios_of,
)
from tests.display.charts.values import table_with
from tests.verdicts.cases import serps_at


def axes(chart):
    return chart.spec()["layer"][0]["encoding"]


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("count", [1, 2, 12, 60])
def test_a_square_fits_the_sheet(size, count):
    style = Style(size=size)
    chart = VerdictMatrix(verdict_order_of(["long " * 20 + name for name in names(count)])).in_style(size=size)
    labels = axes(chart)["y"]["scale"]["domain"]
    assert chart.spec()["width"] + max(map(style.text_width, labels)) <= style.sheet.width
    assert chart.spec()["height"] >= count * style.sheet.font
    assert len(set(labels)) == count
    assert axes(chart)["x"]["scale"]["domain"] == list(range(1, count + 1))


def test_columns_are_numbered_where_there_is_room():
    assert "values" not in axes(VerdictMatrix(verdict_order_of(names(8))))["x"]["axis"]
    many = axes(VerdictMatrix(verdict_order_of(names(60))))["x"]["axis"]
    assert many["values"] == [1, 10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize("depth, angle, named", [(3, 0, None), (5, -90, None), (6, -90, 9)])
def test_names_of_columns_are_turned_and_then_thinned(depth, angle, named):
    axis = axes(RelationGrid(relations_of_all(depth)))["x"]["axis"]
    assert axis["labelAngle"] == angle
    assert len(axis["values"]) == named if named else "values" not in axis


@pytest.mark.parametrize("width", [20, 40, 80])
def test_columns_beyond_the_page_are_left_out(width):
    lines = VerdictMatrix(verdict_order_of(names(60))).text_lines(width)
    assert max(map(cell_len, lines)) <= width
    assert len(lines) == 61 if width < 75 else len(lines) == 60


def test_cells_are_the_rank_probabilities():
    found = stability_of(names(6))
    cells = table_with(RankHeatMap(found).spec(), "p")
    drawn = np.zeros((6, 6))
    for cell in cells:
        drawn[found.runs.index(cell["name"]), cell["column"] - 1] = cell["p"]
    np.testing.assert_array_equal(drawn, found.rank_probabilities)
    assert all(cell["p"] > 0 for cell in cells)


def test_rows_are_in_the_order_of_the_board():
    found = stability_of(names(5))
    chart = RankHeatMap(found)
    rows = chart.spec()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert rows == [found.runs[place] for place in found.order]
    assert [line.split()[0] for line in chart.text_lines(80)] == rows


def test_few_ranks_are_written_out_and_many_are_not():
    assert len(RankHeatMap(stability_of(names(3))).spec()["layer"]) == 2
    assert len(RankHeatMap(stability_of(names(20))).spec()["layer"]) == 1


def test_the_best_are_shown_unless_all_are_asked_for():
    found = stability_of(names(50))
    assert RankHeatMap(found).title == "How certain are the ranks? RR@10, the best 40 of 50 runs"
    assert RankHeatMap(found, most=50).title == "How certain are the ranks? RR@10"
    best = {found.runs[place] for place in found.order[:3]}
    assert {cell["name"] for cell in table_with(RankHeatMap(found, most=3).spec(), "p")} == best
    with pytest.raises(UsageError, match="most=0 cannot be used; expected 1 or more"):
        RankHeatMap(found, most=0)


def test_the_sentence_has_the_chances_of_the_first():
    found = stability_of(["oak", "ash"])
    said = RankHeatMap(found).summary
    assert said.startswith("Ranks by RR@10 over 60 bootstrap samples. oak: rank 1 in 95% of them, first in 100.0%; ash")


def board():
    runs = {"weak": [9] * 30, "trade": [1] * 12 + [0] * 18, "steady": [4] * 30}
    serps = [serps_at(ranks, run=name) for name, ranks in runs.items()]
    return verdict_order(serps, [1 / 9, 12 / 30, 1 / 4], cutoff=10, policy=Policy())


def test_cells_are_the_verdicts_on_the_rows():
    found = board()
    cells = table_with(VerdictMatrix(found).spec(), "kind")
    assert len(cells) == 6
    for cell in cells:
        row, column = found.runs.index(cell["name"]), found.runs.index(cell["other"])
        assert cell["kind"] == found.verdicts[row][column]
        assert found.order[cell["column"] - 1] == column


def test_rows_are_in_the_verdict_order_with_their_scores():
    chart = VerdictMatrix(board())
    assert chart.text_lines(40) == ["1 steady   ±+", "2 trade   ± ±", "3 weak    −±"]
    scores = table_with(chart.spec(), "score")
    assert scores == [
        {"row": "1 steady", "score": "(+1)"},
        {"row": "2 trade", "score": "(0)"},
        {"row": "3 weak", "score": "(-1)"},
    ]


def test_words():
    chart = VerdictMatrix(board())
    assert chart.summary == (
        "steady is better than 1 and worse than 0 of 2 others, with 1 trade-off; trade is better than 0 and worse than "
        "0 of 2 others, with 2 trade-offs; weak is better than 0 and worse than 1 of 2 others, with 1 trade-off. Of 3 "
        "pairs, 1 has a better and a worse run."
    )
    assert "at 0.05, each pair by itself" in chart.subtitle


def test_sixty_runs_are_shown():
    chart = VerdictMatrix(verdict_order_of(names(61)))
    assert chart.title == "Which runs are better than which? Do no harm, the best 60 of 61 runs"
    assert len(table_with(chart.spec(), "kind")) == 60 * 59
    with pytest.raises(UsageError, match="most=0"):
        VerdictMatrix(board(), most=0)


def test_cells_are_the_lines():
    found = evidence_of(["a", "b", "c"])
    cells = table_with(EvidenceMatrix(found).spec(), "line")
    assert len(cells) == 9
    words = {"challenger": "the challenger", "champion": "the champion", None: "neither"}
    for cell in cells:
        one = next(one for one in found if one.challenger == cell["challenger"])
        line = next(line for line in one.lines if line.label == cell["line"])
        assert cell["kind"] == words[line.speaks_for]


def test_text_has_a_sign_per_line():
    lines = EvidenceMatrix(evidence_of(["a", "b", "c"])).text_lines(40)
    assert lines == ["a  + · ·", "b  + − ·", "c  + − −"]


def test_many_pairs_are_cut():
    assert EvidenceMatrix(evidence_of(names(60))).title.endswith("the first 40 of 60 pairs")


def test_cells_are_the_columns_against_the_rows():
    found = win_ratios_of(names(5))
    cells = table_with(win_ratio_matrix(found).spec(), "ratio")
    assert len(cells) == 20
    for cell in cells:
        row, column = found.runs.index(cell["name"]), found.runs.index(cell["other"])
        assert cell["ratio"] == found.ratios[row, column]
        assert cell["queries"] == found.counted[row, column] == cell["wins"] + cell["losses"]
        assert cell["number"] == str(cell["queries"])
        assert (cell["wins"], cell["losses"]) == (found.wins[row, column], found.wins[column, row])
        assert cell["framed"] == (found.p[row, column] < 0.05)
        assert cell["p"] == found.p[row, column]


def test_most_wins_come_first():
    found = win_ratios_of(names(7))
    chart = win_ratio_matrix(found, most=4)
    rows = chart.spec()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    order = np.argsort(-found.run_wins, kind="stable").tolist()
    assert rows == [f"{at} {found.runs[place]}" for at, place in enumerate(order[:4], start=1)]
    assert chart.title == "Whose top document is preferred? Win ratios, the best 4 of 7 runs"


def test_significant_pairs_are_framed():
    found = win_ratios_of(names(4))
    chart = win_ratio_matrix(found)
    assert chart.subtitle.endswith("framed: significant at 0.05, Bonferroni over all pairs of 4 runs (6 p-values)")
    framed = int((found.p[np.triu_indices(4, 1)] < 0.05).sum())
    assert chart.summary.endswith(f"{framed} of 6 pairs differ significantly at 0.05.")
    cells = table_with(chart.spec(), "ratio")
    assert sum(cell["framed"] for cell in cells) == 2 * framed > 0
    unmarked = replace(chart.marks, is_significant=chart.marks.is_significant & False)
    cells = table_with(replace(chart, marks=unmarked).spec(), "ratio")
    assert not any(cell["framed"] for cell in cells)


def test_pairs_that_nobody_judged_are_left_out():
    tops = TopDocs.of({"x": {"q": "a"}, "y": {"q": "b"}, "z": {"q": "c"}}, ["q"])
    chart = win_ratio_matrix(win_ratios(Preferences.of([("q", "a", "b", "a")]), tops))
    assert len(table_with(chart.spec(), "ratio")) == 2
    assert chart.text_lines(40) == ["1 x    -?", "2 y   + ?", "3 z°  ??"]
    assert chart.subtitle.endswith("; ° not pooled, so of fewer queries and not tested")


def test_the_perfect_ranking_is_always_shown_and_first():
    found = win_ratios_of([*names(5), "perfect ranking"])
    assert win_ratio_matrix(found, most=2).text_lines(60)[0].startswith("1 perfect ranking")


def test_the_number_of_queries_is_in_every_cell_that_has_room():
    texts = [
        layer["encoding"]["text"]["field"]
        for layer in win_ratio_matrix(win_ratios_of(names(3))).spec()["layer"] if layer["mark"]["type"] == "text"
    ]  # fmt: skip
    assert texts == ["label", "number"]


def test_cells_are_the_pairs_in_the_order_of_the_means():
    result, runs, order = agreement_of(4), ["a", "b", "c", "d"], [2, 0, 3, 1]
    cells = table_with(AgreementTriangle(AgreementCase("P@5", "t", 5, result), runs, order).spec(), "kind")
    pairs = {frozenset((runs[i], runs[j])): kind for i, j, kind in zip(
        *np.triu_indices(4, 1), result.found.tolist(), strict=True)}  # fmt: skip
    assert len(cells) == 6
    for cell in cells:
        assert cell["kind"] == WORDS[AGREEMENTS[pairs[frozenset((cell["name"], cell["other"]))]]]
        # the better mean is the column
        assert order.index(runs.index(cell["other"])) == cell["column"] - 1 < order.index(runs.index(cell["name"]))


def test_the_text_is_a_triangle():
    chart = triangle_of(names(5))
    lines = chart.text_lines(80)
    assert [line.split()[:2] for line in lines] == [[str(at + 1), f"run-00{at}"] for at in range(5)]
    assert [len(line.split(maxsplit=2)[2]) if at else 0 for at, line in enumerate(lines)] == [0, 1, 2, 3, 4]


def test_a_triangle_wider_than_the_page_says_so():
    lines = triangle_of(names(60)).text_lines(40)
    assert lines[-1] == "The first 28 of 60 columns."
    assert len(lines) == 61


def test_agreement_triangle_words():
    chart = triangle_of(names(5))
    assert chart.title == "Where do IPSO and the test agree? P@10, t test, depth 10"
    counts = chart.case.result.counts
    said = chart.summary
    assert f"on 10 pairs of 5 runs: both yes {counts['both_yes']}, both no {counts['both_no']}," in said
    told = int((chart.case.result.found[:4] == 0).sum())
    assert said.endswith(
        f"By both, run-000, the best by its mean, is significantly different from {told} of the 4 other runs shown."
    )


def test_other_runs_than_those_of_the_pairs_are_refused():
    case = AgreementCase("P@5", "t", 5, agreement_of(4))
    with pytest.raises(UsageError, match="6 pairs and an order of 3 for 3 runs; expected 3 pairs"):
        AgreementTriangle(case, names(3), range(3))
    with pytest.raises(UsageError, match="every run once"):
        AgreementTriangle(case, names(4), [0, 1, 2, 2])


RELATION_WORDS = {1: "never worse", -1: "never better", 0: "equal", 2: "non-separable"}


def test_cells_are_the_relations():
    found = relations_of_all(3)
    cells = table_with(RelationGrid(found).spec(), "kind")
    assert len(cells) == 64
    drawn = {(cell["row"], cell["column"]): cell["kind"] for cell in cells}
    for row, one in enumerate(found.serps):
        for column, other in enumerate(found.serps):
            assert drawn[one, other] == RELATION_WORDS[int(found.relations[row, column])]


def test_figure_2_in_characters():
    assert RelationGrid(relations_of_all(3)).text_lines(40) == [
        "000  = ≤ ≤ ≤ ≤ ≤ ≤ ≤",
        "001  ≥ = ≤ ≤ ≤ ≤ ≤ ≤",
        "010  ≥ ≥ = ≤ ≤ ≤ ≤ ≤",
        "011  ≥ ≥ ≥ = × ≤ ≤ ≤",
        "100  ≥ ≥ ≥ × = ≤ ≤ ≤",
        "101  ≥ ≥ ≥ ≥ ≥ = ≤ ≤",
        "110  ≥ ≥ ≥ ≥ ≥ ≥ = ≤",
        "111  ≥ ≥ ≥ ≥ ≥ ≥ ≥ =",
    ]


def test_relation_grid_words():
    assert RelationGrid(relations_of_all(3)).summary == (
        "Of the 8 lists of 3, every list equals itself, 27 pairs must be ordered alike by every measure, and 1 is "
        "non-separable, such as 100 and 011."
    )
    assert RelationGrid(relations_of_all(2)).summary.endswith("by every measure, and 0 are non-separable.")


def test_signs_are_written_where_they_have_room():
    assert len(RelationGrid(relations_of_all(4)).spec()["layer"]) == 2
    deep = RelationGrid(relations_of_all(6))
    assert len(deep.spec()["layer"]) == 1
    named = deep.spec()["layer"][0]["encoding"]["y"]["axis"]["values"]
    assert (named[0], named[1], named[-1], len(named)) == ("000000", "001000", "111111", 9)
    assert deep.text_lines(40)[-1] == "The first 32 of 64 columns."


@pytest.mark.parametrize("kind", [RelationGrid, Hasse])
def test_too_many_lists_are_refused(kind):
    with pytest.raises(UsageError, match="the 128 lists of 7 are too many for a picture; expected a depth to 6"):
        kind(relations_of_all(7))
