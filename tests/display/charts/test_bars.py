"""Charts of stacked bars: their parts, legends, words and text."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from runoff.comparisons import ipso_theory, outcomes
from runoff.display.charts import SHEETS, AgreementBars, AgreementCase, HalfSplits, OutcomeBars, RelationShares
from runoff.display.charts._spec import Kind, colour_of
from runoff.display.charts._stacked_bars import stack_text
from runoff.display.charts._style import DARK, LIGHT, Style
from runoff.display.charts.ipso_agreement import WORDS, agreement_kinds
from runoff.measures._example import serps_of
from runoff.significance import Family
from runoff.verdicts import AGREEMENTS, Policy
from tests.display.charts.agreements import agreement_of, cases_of
from tests.display.charts.examples import ipso_shares, ipso_shares_of, names, outcomes_of, reliability_of
from tests.display.charts.test_style import DEUTAN, NORMAL, PROTAN, distance
from tests.display.charts.values import table_with, tables

KINDS = [Kind("yes", "#0072b2", "█"), Kind("no", "#c9ced6", "·"), Kind("perhaps", "#e69f00", "▒")]
WEIGHTS = st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any)


@given(WEIGHTS, st.integers(1, 120))
def test_text_is_as_wide_as_asked(weights, width):
    shares = [weight / sum(weights) for weight in weights]
    bar = stack_text(KINDS, shares, width)
    assert len(bar) == width
    for kind, share in zip(KINDS, shares, strict=True):
        assert abs(bar.count(kind.sign) - share * width) <= 1
    assert bar == "".join(kind.sign * bar.count(kind.sign) for kind in KINDS)


@given(WEIGHTS)
def test_parts_follow_each_other(weights):
    chart = ipso_shares([RelationShares(5, *(weight / sum(weights) for weight in weights))])
    rows = tables(chart.spec())[0]
    width = chart.spec()["hconcat"][0]["width"]
    assert [row["from"] for row in rows] == [0.0, *(row["to"] for row in rows[:-1])]
    assert rows[-1]["to"] == pytest.approx(1)
    assert all(not row["label"] or Style().text_width(row["label"]) <= width * row["share"] for row in rows)


@pytest.mark.parametrize("size", SHEETS)
@pytest.mark.parametrize("times", [1, 2])
def test_the_legend_fits_the_sheet(size, times):
    long = [Kind("a kind with a long name " * times, "#000000", "x")] * 4
    style = Style(size=size)
    columns = colour_of(long, style)["legend"]["columns"]
    assert columns >= 1
    assert columns == 1 or columns * style.text_width(long[0].word) <= style.sheet.width
    assert colour_of(KINDS, Style())["legend"]["columns"] == 3


def test_parts_are_the_shares():
    cases = cases_of(12, (5, 20))
    panels = tables(AgreementBars(cases).spec())
    assert [len(panel) for panel in panels] == [30, 30]
    rows = [row for panel in panels for row in panel]
    for at, case in enumerate(cases):
        own = rows[5 * at : 5 * at + 5]
        assert {(row["measure"], row["test"], row["depth"]) for row in own} == {(case.measure, case.test, case.depth)}
        assert [row["kind"] for row in own] == [WORDS[name] for name in AGREEMENTS]
        assert [row["share"] for row in own] == list(case.result.shares.values())
        assert own[-1]["to"] == pytest.approx(1)
        assert all(one["to"] == other["from"] for one, other in itertools.pairwise(own))


def test_the_legend_stands_once():
    spec = AgreementBars(cases_of(8, (5, 10, 20))).spec()
    legends = [panel["layer"][0]["encoding"]["color"]["legend"] for panel in spec["vconcat"]]
    assert [legend is None for legend in legends] == [True, True, False]
    assert [panel["title"]["text"] for panel in spec["vconcat"]] == ["To depth 5", "To depth 10", "To depth 20"]
    alone = AgreementBars(cases_of(8, (5,))).spec()
    assert alone["layer"][0]["encoding"]["color"]["legend"]["orient"] == "top"


def test_titles():
    cases = cases_of(8, (5, 10))
    assert AgreementBars(cases[:6]).title == "Do IPSO and the measures' tests agree? To depth 5"
    assert AgreementBars(cases).title == "Do IPSO and the measures' tests agree? To 2 depths"
    assert AgreementBars(cases, most=7).title.endswith("To 2 depths, the first 7 of 12 measures and tests")
    assert AgreementBars(cases).subtitle == "Shares of 28 pairs of runs; yes is p < 0.05, not corrected"


def test_all_72_lines_of_figure_7_are_shown():
    names = ("P", "RR", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "nDCG")
    cases = [
        AgreementCase(f"{name}@{depth}", test, depth, agreement_of(4, seed=depth))
        for depth in (5, 10, 20, 50)
        for name in names
        for test in ("t", "signed_rank", "sign")
    ]
    chart = AgreementBars(cases)
    assert len(cases) == 72
    assert chart.title == "Do IPSO and the measures' tests agree? To 4 depths"
    bars = {(row["depth"], row["bar"]) for panel in tables(chart.spec()) for row in panel}
    assert len(bars) == 72
    assert sum(line.endswith("%") for line in chart.text_lines(80)) == 72


def test_words():
    first, second = (AgreementCase("AP@10", test, 10, agreement_of(6)) for test in ("t", "signed_rank"))
    share = first.result.shares["both_yes"] + first.result.shares["both_no"]
    assert first.agree == share
    assert AgreementBars([first]).summary == (
        f"IPSO and the t test of AP@10 at depth 10 agree on {share:.1%} of 15 pairs of runs. Both are "
        "significant for different runs in 0 of 15 cases."
    )
    assert "; IPSO and the signed rank test of AP@10 at depth 10 on" in AgreementBars([first, second]).summary


def test_text_has_a_heading_per_depth():
    lines = AgreementBars(cases_of(8, (5, 10))).text_lines(60)
    assert [line for line in lines if line.startswith("To depth")] == ["To depth 5", "To depth 10"]
    assert lines[0] == "To depth 5"
    assert len(lines) == 15
    alone = AgreementBars(cases_of(8, (5,)))
    assert alone.text_lines(60)[0].startswith("P@5, t")
    assert alone.text_lines(60)[0].endswith(f"{alone.cases[0].agree:.1%}")


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("vision", [NORMAL, PROTAN, DEUTAN])
def test_kinds_can_be_told_apart(palette, vision):
    for one, other in itertools.combinations(agreement_kinds(palette), 2):
        assert distance(one.colour, other.colour, vision) > 10, (one, other)


def test_a_correction_is_named():
    result = agreement_of(6)
    corrected = replace(result, policy=Policy(correction="holm"), family=Family("each test", 15))
    assert AgreementBars([AgreementCase("P@5", "t", 5, corrected)]).subtitle.endswith("corrected by Holm")


TABLE_3 = [RelationShares(10, 0.1123, 0.7466, 0.1411), RelationShares(100, 0.01, 0.5044, 0.4856)]


def test_bars_are_the_runs_and_the_theory():
    runs, random = tables(ipso_shares(TABLE_3).spec())
    assert [(row["depth"], row["kind"], row["share"]) for row in runs[:3]] == [
        ("k = 10", "equal", 0.1123), ("k = 10", "separable", 0.7466), ("k = 10", "non-separable", 0.1411),
    ]  # fmt: skip
    theory = ipso_theory(100)
    assert [row["share"] for row in random[3:]] == [theory.equal, theory.separable, theory.nonseparable]
    assert {row["lists"] for row in runs} | {row["lists"] for row in random} == {"The runs", "Random lists"}


def test_ipso_shares_words():
    chart = ipso_shares(TABLE_3, of="13,950 pairs of lists")
    assert chart.subtitle.startswith("Shares of 13,950 pairs of lists. Random:")
    assert chart.summary == (
        "At depth 10, 14.1% of the pairs of lists are non-separable, 74.7% separable and 11.2% equal; of random lists, "
        "32.8% would be non-separable. At depth 100, 48.6% of the pairs of lists are non-separable, 50.4% separable "
        "and 1.0% equal; of random lists, 77.6% would be non-separable."
    )
    assert ipso_shares(TABLE_3[:1]).summary.count("At depth") == 1
    assert ipso_shares(TABLE_3).subtitle.startswith("Random:")


def test_text_bars_are_as_long_as_the_shares():
    lines = ipso_shares(TABLE_3).text_lines(109)
    assert lines[:2] == ["The runs", f"k = 10   {'·' * 11}{'▒' * 75}{'█' * 14}"]
    assert lines[3:5] == ["", "Random lists"]
    assert lines[5].startswith("k = 10   ▒")


def test_panels_stand_below_each_other_where_the_sheet_is_narrow():
    chart = ipso_shares_of((5, 10))
    assert "hconcat" in chart.spec()
    assert "vconcat" in chart.in_style(size="phone").spec()


def test_half_splits_parts_are_the_shares():
    found = reliability_of(names(5))
    rows = table_with(HalfSplits(found).spec(), "kind")
    drawn = [row["share"] for row in rows]
    assert drawn == [share for line in found.tests for share in (line.agree, line.partial, line.disagree)]
    assert rows[0]["test"] == "sign, better by mean"


def test_the_sentence_has_the_most_and_the_least():
    found = reliability_of(names(5))
    most, least = max(line.agree for line in found.tests), min(line.agree for line in found.tests)
    said = HalfSplits(found).summary
    assert f"({most:.1%}, disagree" in said
    assert f"({least:.1%}, disagree" in said


def test_bars_in_text_are_as_long_as_each_other():
    lines = HalfSplits(reliability_of(names(5))).text_lines(90)
    assert {len(line) for line in lines} == {90}


LONG = "colbert-v2-distilled-" * 4 + "run-17", "検索" * 30 + "-run-03"


def found_by(champion, challenger, *, relevant, cutoff=4, called=("oak", "ash")):
    """Outcomes of lists of grades, with so many relevant documents of each query in the labels."""
    judged = [[0, count] for count in relevant]
    both = (
        serps_of(*lists, judged=judged, run=name) for lists, name in zip((champion, challenger), called, strict=True)
    )
    return outcomes(*both, cutoff=cutoff)


def several():
    """The champion finds two of two and one of four documents, the challenger one of two and three of four."""
    return found_by([[1, 1, 0, 0], [0, 1, 0, 0]], [[0, 1, 0, 0], [1, 1, 0, 1]], relevant=[2, 4])


def single(**more):
    """Both, only the champion, only the challenger, neither, neither; the sixth query has no relevant document."""
    hit, miss = [1, 0, 0, 0], [0, 0, 0, 0]
    return found_by(
        [hit, hit, miss, miss, miss, miss], [hit, miss, hit, miss, miss, miss], relevant=[1] * 5 + [0], **more
    )


def colours(chart):
    return chart.spec()["layer"][0]["encoding"]["color"]


@pytest.mark.parametrize("relevant", [1, 9])
def test_parts_are_the_outcomes(relevant):
    results = outcomes_of("champion", names(3), relevant=relevant)
    rows = table_with(OutcomeBars(results).spec(), "kind")
    for result in results:
        own = [row for row in rows if row["challenger"] == result.challenger]
        assert [row["count"] for row in own] == list(result.counts.values())
        assert [row["share"] for row in own] == list(result.shares.values())
        assert own[-1]["to"] == pytest.approx(1)
        assert all(one["to"] == other["from"] for one, other in itertools.pairwise(own))


def test_outcome_bars_titles():
    results = outcomes_of("oak", ["ash", "fir"])
    assert OutcomeBars(results[:1]).title == "Which run finds more? ash against oak"
    assert OutcomeBars(results).title == "Which run finds more? Challengers of oak"
    mixed = [*results, *outcomes_of("elm", ["fir"])]
    assert OutcomeBars(mixed).title == "Which run finds more? Pairs of runs"
    assert table_with(OutcomeBars(mixed).spec(), "kind")[-1]["bar"] == "fir / elm"
    assert OutcomeBars(mixed, most=2).title == "Which run finds more? Pairs of runs, the first 2 of 3 pairs"


def test_one_relevant_document_counts_queries():
    """A query that nobody can answer is left out."""
    chart = OutcomeBars([single()])
    assert chart.subtitle == "Shares of 5 queries, by which run finds a relevant document to rank 4"
    assert chart.summary == (
        "Of 5 queries, 1 is answered by both oak and ash, 1 only by oak, 1 only by ash and 2 by neither."
    )
    assert [row["label"] for row in table_with(chart.spec(), "label")] == ["2", "1", "1", "1"]
    assert chart.spec()["layer"][0]["encoding"]["x"]["title"] == "Share of the queries"
    assert chart.text_lines(80)[1].split("   ") == [
        "░ neither 2 (40%)",
        "▒ only oak 1 (20%)",
        "▓ only ash 1 (20%)",
        "█ both 1 (20%)",
    ]


def test_several_relevant_documents_are_shares_averaged_over_queries():
    """Of two: both 1/2, oak 1/2. Of four: both 1/4, ash 2/4, neither 1/4. Each query counts once."""
    chart = OutcomeBars([several()])
    assert chart.subtitle == (
        "Shares of the relevant documents that could be found to rank 4 (how many, not which), averaged over 2 queries"
    )
    assert chart.summary == (
        "Of the relevant documents that could be found, averaged over 2 queries, both oak and ash find 37.5%, oak "
        "another 25.0%, ash another 25.0% and neither the other 12.5%. oak finds more on 1 query, ash on 1."
    )
    assert [row["label"] for row in table_with(chart.spec(), "label")] == ["12%", "25%", "25%", "38%"]
    assert [row["count"] for row in table_with(chart.spec(), "count")] == [1, 1, 2, 2]
    assert chart.spec()["layer"][0]["encoding"]["x"]["title"] == "Share of the relevant documents"
    assert chart.text_lines(80)[1] == "░ neither 12%   ▒ only oak 25%   ▓ only ash 25%   █ both 38%"
    assert chart.words().notes == (f"{chart.subtitle}.",)


def test_at_a_cutoff_of_one_counts_are_of_queries_again():
    """However many relevant documents there are, one can be found."""
    found = found_by([[1], [0]], [[1], [1]], relevant=[3, 5], cutoff=1)
    assert OutcomeBars([found]).summary == (
        "Of 2 queries, 1 is answered by both oak and ash, 0 only by oak, 1 only by ash and 0 by neither."
    )


def test_the_first_three_pairs_are_in_the_sentence():
    found = outcomes_of("oak", names(5))
    assert OutcomeBars(found).summary.endswith(" 2 more pairs follow.")
    assert OutcomeBars(found[:4]).summary.endswith(" 1 more pair follows.")
    assert "follow" not in OutcomeBars(found[:3]).summary


def test_parts_are_called_by_the_names_of_the_runs_where_all_bars_share_them():
    results = outcomes_of("oak", ["ash", "fir"])
    mixed = [*results, *outcomes_of("elm", ["fir"])]
    for found, only in (
        (results[:1], ["only oak", "only ash"]),
        (results, ["only oak", "only challenger"]),
        (mixed, ["only champion", "only challenger"]),
    ):
        assert colours(OutcomeBars(found))["scale"]["domain"] == ["neither", *only, "both"]
    same = colours(OutcomeBars(outcomes_of("oak", ["oak"])))["scale"]["domain"]
    assert len(set(same)) == 4


@pytest.mark.parametrize("size", SHEETS)
def test_the_legend_has_as_many_columns_as_fit(size):
    """A symbol and a gap take about two letters."""
    for called in (("oak", "ash"), LONG):
        chart = OutcomeBars([single(called=called)]).in_style(size=size)
        columns, domain = colours(chart)["legend"]["columns"], colours(chart)["scale"]["domain"]
        widths = [chart.style.text_width(text) + 2 * chart.style.sheet.font for text in domain]
        assert columns == 1 or sum(max(widths[at::columns]) for at in range(columns)) <= chart.spec()["width"]
    assert colours(OutcomeBars([single()]))["legend"]["columns"] == 4


@pytest.mark.parametrize("width", range(60, 121, 10))
def test_text_fits(width):
    for called in (("oak", "ash"), LONG, LONG[::-1]):
        for relevant in (1, 9):
            found = outcomes_of(called[0], [called[1], "fir"], relevant=relevant)
            assert max(map(cell_len, OutcomeBars(found).text_lines(width))) <= width
