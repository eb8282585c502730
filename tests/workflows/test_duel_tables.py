"""Tables 1 and 2 of Lin et al. 2021 (arXiv 2102.12887): their columns, meaning and LaTeX."""

import re

import pytest

import runoff
from runoff.workflows.duel_tables import lin_table_1, lin_table_2
from tests.workflows.duels import clear_duel, duel_of, qrels_of, run_of, scipy_p

# Neither, champion only, challenger only, both (ranks 1 and 9 against 4 and 6: the example of the paper's section 5).
CHAMPION, CHALLENGER = [0, 2, 0, 0, 1, 9], [0, 0, 5, 1, 4, 6]
AS_RR = [[1 / rank if rank else 0.0 for rank in ranks] for ranks in (CHAMPION, CHALLENGER)]


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
    row = row_of(lin_table_1([duel_of(CHAMPION, CHALLENGER)]))
    assert list(row) == ["A", "B", "Δ", "WRS p", "WSR p", "t-test p"]
    expected = scipy_p(*AS_RR)
    assert (row["A"], row["B"]) == ("champion", "challenger")
    assert row["Δ"] == pytest.approx((sum(AS_RR[1]) - sum(AS_RR[0])) / 6)
    for heading, test in (("WRS p", "rank_sum"), ("WSR p", "signed_rank"), ("t-test p", "t")):
        assert row[heading] == pytest.approx(expected[test][1], rel=1e-9)


def test_table_2():
    row = row_of(lin_table_2([duel_of(CHAMPION, CHALLENGER)]))
    assert list(row) == [
        "A", "B", "Δ", "(1) All", "(2) A wins", "(2) B wins", "binomial p", "(3) All", "A ESL", "B ESL",
        "ESL WSR p", "ESL t-test p", "A RR", "B RR", "RR WSR p", "RR t-test p",
    ]  # fmt: skip
    shares = [row[name] for name in ("(1) All", "(2) A wins", "(2) B wins", "(3) All")]
    assert shares == [1 / 6, 1 / 6, 2 / 6, 2 / 6]
    assert sum(shares) == pytest.approx(1)
    assert (row["A ESL"], row["B ESL"]) == (5.0, 5.0)
    assert (round(row["A RR"], 3), round(row["B RR"], 3)) == (0.556, 0.208)
    assert row["binomial p"] == 1.0
    esl = scipy_p([1, 9], [4, 6])
    assert row["ESL WSR p"] == pytest.approx(esl["signed_rank"][1])
    assert row["ESL t-test p"] == pytest.approx(esl["t"][1])


def test_the_titles_have_the_ground():
    duels = [duel_of(CHAMPION, CHALLENGER, measure=measure) for measure in ("RR@10", "RR@5")]
    assert lin_table_1(duels[:1]).title == "Significance tests of RR to rank 10 on 6 queries"
    assert lin_table_2(duels[:1]).title == "Outcomes to rank 10 on 6 queries"
    assert lin_table_1(duels).title == "Significance tests of RR"


def test_raw_p_values_also_for_several_challengers():
    runs = [run_of(name, ranks) for name, ranks in (("b", CHALLENGER), ("c", CHALLENGER))]
    contest = runoff.compare_all(run_of("a", CHAMPION), runs, qrels_of(6))
    alone = duel_of(CHAMPION, CHALLENGER)
    assert contest.paper_grids()[0].rows[1][3:] == alone.paper_grids()[0].rows[0][3:]
    assert contest.paper_grids()[1].rows[0][2:] == alone.paper_grids()[1].rows[0][2:]


def test_runs_that_never_answer_together_have_dashes():
    rows = check_latex(runoff.reports.render_latex(lin_table_2([duel_of([1, 0], [0, 1])])), 16)
    assert rows[1].split(" & ")[8:12] == ["--"] * 4


@pytest.mark.parametrize("name", ["50%_of $x^2 #{~}\\ & more", "[1]", "* star", "--flag", "<a>|b", "検索-søk"])
def test_latex_survives_any_name(name):
    pair = run_of(name, CHAMPION), run_of("new", CHALLENGER)
    tables = runoff.compare(*pair, qrels_of(6)).to_latex().split("% needs ")[1:]
    assert len(tables) == 2
    for table, columns in zip(tables, (6, 16), strict=True):
        assert len(check_latex("% needs " + table, columns)) == 2


def test_the_wide_table_takes_both_columns_of_a_page():
    first, second = clear_duel().to_latex().split("\n\n")
    assert r"\begin{table}[tb]" in first
    assert r"\begin{table*}[tb]" in second
    assert "(2) B wins & binomial p & (3) All" in second
    assert r"& 0\% & 0\% & 50\% &" in second
