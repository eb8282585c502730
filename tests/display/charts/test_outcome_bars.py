import itertools

import pytest
from rich.cells import cell_len

from runoff.comparisons import outcomes
from runoff.display.charts import SHEETS, OutcomeBars
from runoff.errors import UsageError
from runoff.measures._example import serps_of
from tests.display.charts.examples import names, outcomes_of
from tests.display.charts.values import table_with

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


def test_titles():
    results = outcomes_of("oak", ["ash", "fir"])
    assert OutcomeBars(results[:1]).title == "Which run finds more? ash against oak"
    assert OutcomeBars(results).title == "Which run finds more? challengers of oak"
    mixed = [*results, *outcomes_of("elm", ["fir"])]
    assert OutcomeBars(mixed).title == "Which run finds more? pairs of runs"
    assert table_with(OutcomeBars(mixed).spec(), "kind")[-1]["bar"] == "fir / elm"
    assert OutcomeBars(mixed, most=2).title == "Which run finds more? pairs of runs, the first 2 of 3 pairs"


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


def test_nothing_to_show_is_refused():
    with pytest.raises(UsageError, match="there are no outcomes to show"):
        OutcomeBars([])
