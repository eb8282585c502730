"""The tables and keys of a comparison, and those of a paper: Lin et al. (arXiv 2102.12887), Tables 1 and 2, IPSO."""

import re
from typing import Any

import pytest

import runoff
from runoff.display.rows import row_dict
from runoff.reading.sources import as_run
from runoff.results.comparison_tables import (
    grid_of_tests,
    ipso_grid,
    ipso_row,
    lin_table_1,
    lin_table_2,
    mark_notes,
    means_grid,
    outcome_keys,
    paper_tables,
    protocol_table,
    queries_of_tests,
)
from runoff.significance import SIGNIFICANCE_TESTS
from runoff.verdicts import NO_PROMISE
from tests.verbs.comparisons import (
    clear_comparison,
    compare,
    compare_scores,
    comparison_of,
    comparison_of_several,
    qrels_of,
    run_of,
    scipy_p,
    trade_off,
)


def test_tests_that_the_scale_does_not_permit_are_in_brackets():
    for measure, barred in (("RR@10", {"t", "signed_rank", "randomization", "bootstrap"}), ("ESL@10", set())):
        comparison = comparison_of([3] * 6, [1] * 6, measures=measure)
        text = comparison.to_text(100)
        for test in SIGNIFICANCE_TESTS:
            assert (f"\n({test.label}) " in text) == (test.name in barred)
        assert ("(in brackets: need more than its ordinal scale)" in text) == bool(barred)
        content = comparison.to_dict()["tests"]
        assert {name for name in content if not content[name]["permitted"]} == barred


def test_p_of_the_ipso_vote_lies_in_the_range_that_is_shown():
    first = ["0110000000"] * 14 + ["1000000000"] * 5 + ["0000000000"] * 9
    second = ["1000000000"] * 14 + ["0000000000"] * 5 + ["1000000000"] * 9
    qrels = {f"q{place}": {"d": 1, "e": 1} for place in range(28)}

    def run(name, serps):
        table = {}
        for place, serp in enumerate(serps):
            relevant = iter("de")
            docs = [next(relevant) if sign == "1" else f"x{at}" for at, sign in enumerate(serp)]
            table[f"q{place}"] = {doc: float(-at) for at, doc in enumerate(docs)}
        return as_run(table, name=name)

    comparison = compare(run("a", first), run("b", second), qrels, measures="RR@10")
    assert comparison.ipso.at_depth.nonseparable == 14
    row = dict(
        zip((column.name for column in comparison.grids()[2].columns), comparison.grids()[2].rows[0], strict=True)
    )
    assert row["sign_p_range"] <= row["sign_p"] <= row["highest_sign_p"] == 1.0
    assert comparison.to_dict()["ipso"]["sign_p_range"][1] < row["sign_p"]  # two ends, which do not hold it


def test_the_tables_are_those_of_the_comparison():
    comparison = clear_comparison()
    tables: list[Any] = [
        means_grid(comparison.evidence),
        grid_of_tests(comparison.evidence),
        ipso_grid(comparison.evidence),
    ]
    shown = [grid.rows for grid in comparison.grids()[:3]]
    assert all(repr(table.rows) == repr(rows) for table, rows in zip(tables, shown, strict=True))
    first = tables[0].rows[0]
    assert (
        first[0]
        == f"{comparison.measure_name}, {queries_of_tests(comparison.evidence)}"
        == f"{comparison.measure_name}, all queries"
    )
    assert tuple(first[1:4]) == (comparison.means.champion, comparison.means.challenger, comparison.means.difference)


def test_keys():
    comparison = comparison_of([1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6)
    content = comparison.to_dict()
    assert content["outcomes"] == outcome_keys(comparison.outcomes, comparison.outcome_tests)
    assert content["outcomes"]["challenger_only"] == 6
    assert content["ipso"] == row_dict(ipso_row(comparison.ipso))
    assert content["ipso"]["champion_favoured"] + content["ipso"]["challenger_favoured"] == 18


def test_no_query_that_both_answer():
    comparison = comparison_of([1, 0], [0, 1])
    esl = outcome_keys(comparison.outcomes, comparison.outcome_tests)["esl"]
    assert isinstance(esl, dict)
    assert esl["signed_rank_p"] is esl["t_p"] is None


def test_counts_are_of_levels_and_votes_of_queries():
    """Of three documents A finds one and B three, on two queries; the third query nobody can answer."""
    comparison = comparison_of_several([[4], [2], []], [[1, 2, 3], [1, 2, 5], []], relevant=[3, 4, 0])
    found = outcome_keys(comparison.outcomes, comparison.outcome_tests)
    assert {name: found[name] for name in ("neither", "champion_only", "challenger_only", "both")} == {
        "neither": 1, "champion_only": 0, "challenger_only": 4, "both": 2,
    }  # fmt: skip
    assert found["queries_more"] == {"champion": 0, "challenger": 2}
    assert (found["unanswerable"], found["several_relevant"]) == (1, 2)
    assert found["shares"] == pytest.approx(
        {"neither": 1 / 8, "champion_only": 0.0, "challenger_only": (2 / 3 + 1 / 2) / 2, "both": (1 / 3 + 1 / 4) / 2}
    )


def test_break_even():
    assert clear_comparison().to_dict()["break_even"] == []
    comparison = trade_off(measures="nDCG@10")
    (change,) = comparison.to_dict()["break_even"]
    assert list(change) == ["results", "ci95"]
    # The challenger loses a result on average for users who read nine, and gains one for those who read ten.
    assert comparison.break_even.saved[8:].tolist() == pytest.approx([-1.0, 1.0])
    assert change["results"] == pytest.approx(9.5)


def test_an_open_end_is_null():
    """On four queries the t test shows no difference from 8 results on, and none at the depth of 10 either."""
    comparison = comparison_of_several([[1], [2]] * 2, [[4, 5], [4, 9]] * 2, relevant=2, measures="nDCG@10")
    assert comparison.to_dict()["break_even"] == [{"results": pytest.approx(9.5), "ci95": [8, None]}]


WORDS = "† RR@10 differs significantly (t test); ‡ IPSO is also significant, in the same direction."


def test_every_mark_is_explained():
    comparison = clear_comparison()
    assert mark_notes([comparison.verdict], "RR@10") == (WORDS, NO_PROMISE)
    assert WORDS in comparison.to_text(400)
    plain = comparison_of([1, 2], [2, 1])
    assert mark_notes([plain.verdict], "RR@10") == ()
    assert "†" not in plain.to_text(400)


@pytest.mark.parametrize("test", ["sign", "t"])
def test_a_mark_that_is_not_there_is_not_explained(test):
    one = comparison_of([0] * 20 + [1] * 20, [1] * 20 + [3] * 20, policy=runoff.Policy(measure_test=test))
    assert ("‡" in " ".join(mark_notes([one.verdict], "RR@10"))) == ("‡" in one.verdict.marks)


# Neither, champion only, challenger only, both (ranks 1 and 9 against 4 and 6: the example of the paper's section 5).
CHAMPION, CHALLENGER = [0, 2, 0, 0, 1, 9], [0, 0, 5, 1, 4, 6]
AS_RR = [[1 / rank if rank else 0.0 for rank in ranks] for ranks in (CHAMPION, CHALLENGER)]


def tabled(comparisons):
    """What the tables of a paper are made of."""
    return [one.evidence for one in comparisons], [one.verdict.marks for one in comparisons]


def row_of(grid):
    assert len(grid.rows) == 1
    return dict(zip((column.heading for column in grid.columns), grid.rows[0], strict=True))


def check_latex(text, columns):
    """Balanced braces and environments, and as many cells in every row as the table has columns."""
    bare = re.sub(r"\\[\\{}%&$#_]", "", text)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    assert re.findall(r"\\begin\{(.+?)\}", text) == re.findall(r"\\end\{(.+?)\}", text)[::-1]
    layout = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)
    assert layout
    assert len(layout[1]) == columns
    rows = re.findall(r"^(.*) \\\\$", text, re.MULTILINE)
    assert all(len(re.findall(r"(?<!\\)&", row)) == columns - 1 for row in rows)
    return rows


def test_table_1():
    row = row_of(lin_table_1([comparison_of(CHAMPION, CHALLENGER, measures="RR@10").evidence]))
    assert list(row) == ["A", "B", "Measure", "Δ", "WRS p", "WSR p", "t-test p"]
    expected = scipy_p(*AS_RR)
    assert (row["A"], row["B"], row["Measure"]) == ("champion", "challenger", "RR@10")
    assert row["Δ"] == pytest.approx((sum(AS_RR[1]) - sum(AS_RR[0])) / 6)
    for heading, test in (("WRS p", "rank_sum"), ("WSR p", "signed_rank"), ("t-test p", "t")):
        assert row[heading] == pytest.approx(expected[test][1], rel=1e-9)


def test_table_1_is_of_the_chosen_measure_and_of_rr_where_that_is_another():
    comparison = comparison_of(CHAMPION, CHALLENGER, measures="nDCG@10")
    table = lin_table_1([comparison.evidence])
    assert table.values("measure") == ("nDCG@10", "RR@10")
    tests = {test.name: test.p for test in comparison.tests}
    assert table.rows[0][3:] == (comparison.means.difference, tests["rank_sum"], tests["signed_rank"], tests["t"])
    as_rr = lin_table_1([comparison_of(CHAMPION, CHALLENGER, measures="RR@10").evidence])
    assert table.rows[1] == pytest.approx(as_rr.rows[0])


@pytest.mark.parametrize(
    "measure, options, names",
    [
        ("RR@10", {}, ["RR@10"]),
        ("RR", {}, ["RR", "RR@100"]),
        ("RR@10", {"depth": 5}, ["RR@10", "RR@5"]),
        ("RR(rel=2)@10", {}, ["RR(rel=2)@10"]),
        ("nDCG@10", {"level": 2}, ["nDCG@10", "RR(rel=2)@10"]),
    ],
)
def test_rr_is_that_of_the_outcomes(measure, options, names):
    """At their depth and level; not twice."""
    question = runoff.CompareOptions(measures=measure, **options)
    qrels = {f"q{place}": {"d": 2} for place in range(6)}
    comparison = runoff.compare(run_of("a", CHAMPION), run_of("b", CHALLENGER), qrels, options=question)
    assert list(lin_table_1([comparison.evidence]).values("measure")) == names


def test_table_2():
    row = row_of(lin_table_2([comparison_of(CHAMPION, CHALLENGER).evidence]))
    assert list(row) == [
        "A", "B", "Δ", "(1) neither", "(2) A only", "(2) B only", "(3) both", "A more", "B more", "sign p",
        "A ESL", "B ESL", "ESL WSR p", "ESL t-test p", "A RR", "B RR", "RR WSR p", "RR t-test p",
    ]  # fmt: skip
    shares = [row[name] for name in ("(1) neither", "(2) A only", "(2) B only", "(3) both")]
    assert shares == [1 / 6, 1 / 6, 2 / 6, 2 / 6]
    assert sum(shares) == pytest.approx(1)
    assert (row["A more"], row["B more"]) == (1, 2)
    assert (row["A ESL"], row["B ESL"]) == (5.0, 5.0)
    assert (round(row["A RR"], 3), round(row["B RR"], 3)) == (0.556, 0.208)
    assert row["sign p"] == 1.0
    esl = scipy_p([1, 9], [4, 6])
    assert row["ESL WSR p"] == pytest.approx(esl["signed_rank"][1])
    assert row["ESL t-test p"] == pytest.approx(esl["t"][1])


def test_table_2_of_several_relevant_documents():
    """A finds 1 and 4 of three documents, B 2, 3 and 9, on eight queries; of one document nothing and rank 5."""
    comparison = comparison_of_several([[1, 4]] * 8 + [[]], [[2, 3, 9]] * 8 + [[5]], relevant=[3] * 8 + [1])
    row = row_of(lin_table_2([comparison.evidence]))
    shares = [row[name] for name in ("(1) neither", "(2) A only", "(2) B only", "(3) both")]
    assert shares == pytest.approx([0, 0, (8 / 3 + 1) / 9, (16 / 3) / 9])
    assert (row["A more"], row["B more"], row["sign p"]) == (0, 9, pytest.approx(2 / 2**9))
    assert (row["A ESL"], row["B ESL"]) == (2.5, 2.5)
    assert (row["A RR"], row["B RR"]) == (pytest.approx((1 + 1 / 4) / 2), pytest.approx((1 / 2 + 1 / 3) / 2))


def test_the_protocol_has_means_difference_with_marks_and_the_four_relations():
    """Moffat & Mackenzie 2024, section 3.6."""
    comparisons = [clear_comparison(measures="RR@10"), comparison_of(CHAMPION, CHALLENGER, measures="RR@10")]
    table = protocol_table(*tabled(comparisons))
    assert [column.heading for column in table.columns] == [
        "A", "B", "Mean A", "Mean B", "B \N{MINUS SIGN} A", "ns", "==", "ni", "**",
    ]  # fmt: skip
    assert table.title == "RR@10, IPSO to depth 10"
    assert table.values("champion_mean") == tuple(comparison.means.champion for comparison in comparisons)
    assert table.values("difference") == (
        "+0.6500†‡",
        f"{comparisons[1].means.difference:+.4f}".replace("-", "\N{MINUS SIGN}"),
    )
    # ns: no measure can prefer A. B has ranks 5, 1 and 6 where A has none, none and 9.
    assert [row[-4:] for row in table.rows] == [(20, 0, 0, 0), (3, 1, 2, 0)]


def test_tables_are_those_that_there_are_numbers_for():
    comparison = comparison_of(CHAMPION, CHALLENGER, measures="RR@10")
    assert len(paper_tables(*tabled([comparison]))) == 3
    alone = compare_scores(comparison.scores, "champion", ["challenger"]).comparisons
    (table,) = paper_tables(*tabled(alone))
    assert table.rows[0][3:] == pytest.approx(lin_table_1([comparison.evidence]).rows[0][3:])
    graded = {f"q{place}": {"d": 2} for place in range(6)}
    without = runoff.compare(run_of("a", CHAMPION), run_of("b", CHALLENGER), graded, measures="RR@10")
    assert without.ipso is None
    assert len(paper_tables(*tabled([without]))) == 2


def test_the_titles_have_the_ground():
    pairs = [comparison_of(CHAMPION, CHALLENGER, measures=measure).evidence for measure in ("RR@10", "RR@5")]
    assert lin_table_1(pairs[:1]).title == "Significance tests on 6 queries"
    assert lin_table_2(pairs[:1]).title == "Outcomes to rank 10 on 6 queries"
    assert lin_table_2(pairs).title == "Outcomes"  # to different depths


def test_raw_p_values_also_for_several_challengers():
    runs = [run_of(name, ranks) for name, ranks in (("b", CHALLENGER), ("c", CHALLENGER))]
    multi_comparison = runoff.compare(
        run_of("a", CHAMPION), runs, qrels_of(6), options=runoff.CompareOptions(measures="RR@10")
    )
    alone = comparison_of(CHAMPION, CHALLENGER, measures="RR@10")
    assert multi_comparison.paper_grids()[1].rows[1][3:] == alone.paper_grids()[0].rows[0][3:]
    assert multi_comparison.paper_grids()[2].rows[0][2:] == alone.paper_grids()[1].rows[0][2:]


def test_runs_that_never_answer_together_have_dashes():
    rows = check_latex(runoff.display.render_latex(lin_table_2([comparison_of([1, 0], [0, 1]).evidence])), 18)
    assert rows[1].split(" & ")[10:14] == ["--"] * 4


@pytest.mark.parametrize("name", ["50%_of $x^2 #{~}\\ & more", "[1]", "* star", "--flag", "<a>|b", "検索-søk"])
def test_latex_survives_any_name(name):
    pair = run_of(name, CHAMPION), run_of("new", CHALLENGER)
    tables = runoff.compare(*pair, qrels_of(6), measures="RR@10").to_latex().split(r"% needs \usepackage")[1:]
    assert len(tables) == 3
    for table, columns in zip(tables, (7, 18, 9), strict=True):
        assert len(check_latex("% needs " + table, columns)) == 2


def test_the_wide_table_takes_both_columns_of_a_page():
    first, second, _ = clear_comparison().to_latex().split("\n\n")
    assert r"\begin{table}[tb]" in first
    assert r"\begin{table*}[tb]" in second
    assert "(2) B only & (3) both & A more & B more & sign p" in second
    assert r"& 0\% & 0\% & 50\% &" in second
