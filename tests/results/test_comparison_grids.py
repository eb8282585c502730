"""The tables of a comparison: brackets around tests, the range of the IPSO vote, and the queries of tests."""

from typing import Any

import runoff
from runoff.results.comparison_grids import grid_of_tests, ipso_grid, means_grid, queries_of_tests
from runoff.significance import SIGNIFICANCE_TESTS
from tests.verbs.comparisons import clear_comparison, compare, comparison_of


def test_tests_that_the_scale_does_not_permit_are_in_brackets():
    for measure, barred in (("RR@10", {"t", "signed_rank", "randomization", "bootstrap"}), ("ESL@10", set())):
        comparison = comparison_of([3] * 6, [1] * 6, measure=measure)
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
        return runoff.as_run(table, name=name)

    comparison = compare(run("a", first), run("b", second), qrels, measure="RR@10")
    assert comparison.ipso.at_depth.nonseparable == 14
    row = dict(
        zip((column.name for column in comparison.grids()[2].columns), comparison.grids()[2].rows[0], strict=True)
    )
    assert row["low_p"] <= row["sign_p"] <= row["high_p"] == 1.0
    assert comparison.to_dict()["ipso"]["sign_p_range"][1] < row["sign_p"]  # two ends, which do not hold it


def test_the_tables_are_those_of_the_comparison():
    comparison = clear_comparison()
    tables: list[Any] = [
        means_grid(comparison, comparison.tests),
        grid_of_tests(comparison, comparison.tests),
        ipso_grid(comparison),
    ]
    shown = [grid.rows for grid in comparison.grids()[:3]]
    assert all(repr(table.rows) == repr(rows) for table, rows in zip(tables, shown, strict=True))
    first = tables[0].rows[0]
    assert (
        first[0]
        == f"{comparison.measure_name}, {queries_of_tests(comparison, comparison.tests)}"
        == f"{comparison.measure_name}, all queries"
    )
    assert tuple(first[1:4]) == (comparison.means.champion, comparison.means.challenger, comparison.means.difference)
