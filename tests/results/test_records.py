"""Records compared: the same numbers as compare gives, corrected over each chain."""

import numpy as np
import pytest

from runoff.boards import record_test
from runoff.significance import Family, correct
from runoff.verbs._board_parts import records_of
from runoff.verdicts import Policy, certify_records
from tests.verbs.boards import BEST, GOOD, HISTORY, WEAK, data_of
from tests.verbs.comparisons import compare, qrels_of, run_of


@pytest.fixture
def records():
    found = records_of(data_of(HISTORY, dated=True))
    assert found is not None
    return found


def test_chains_are_against_the_first_and_against_the_displaced(records):
    assert [record.name for record in records.records] == ["weak", "good", "best"]
    assert [(one.champion, one.challenger) for one in records.against_first] == [("weak", "good"), ("weak", "best")]
    assert [(one.champion, one.challenger) for one in records.against_displaced] == [("weak", "good"), ("good", "best")]


def test_numbers_are_those_of_compare_and_corrections_are_over_the_chain(records):
    alone = [
        compare(run_of("a", one), run_of("b", other), qrels_of(30), measures="RR@10")
        for one, other in ((WEAK, GOOD), (GOOD, BEST))
    ]
    for comparison, single in zip(records.against_displaced, alone, strict=True):
        assert comparison.means.difference == single.means.difference
        assert comparison.verdict.measure.raw_p == single.verdict.measure.raw_p
    for chain in (records.against_displaced, records.against_first):
        facets = [facet for comparison in chain for facet in comparison.verdict.facets.values()]
        holm = correct([facet.raw_p for facet in facets], correction="holm", family=Family("chain", 6)).p
        np.testing.assert_allclose([facet.p for facet in facets], holm, rtol=1e-12)
        assert {comparison.verdict.family_size for comparison in chain} == {6}  # three facets of two records


def test_rows_have_raw_and_corrected_p(records):
    first, second, third = records.to_rows()
    assert first["against_first"] is None
    assert second["displaced"] == "weak"
    assert third["against_displaced"]["champion"] == "good"
    assert third["against_first"]["champion"] == "weak"
    assert third["against_displaced"]["raw_p"].keys() == third["against_displaced"]["p"].keys()
    assert all(third["against_displaced"]["p"][key] >= p for key, p in third["against_displaced"]["raw_p"].items())
    assert third["against_displaced"]["p"].keys() >= {"measure", "more", "sooner"}
    assert (third["against_displaced"]["overall"], third["against_displaced"]["do_no_harm"]) == ("better", "better")
    assert third["against_displaced"]["how"] == ["more", "sooner"]


def test_the_opening_counts_what_is_shown_to_be_better(records):
    assert records.opening(80)[0] == (
        "3 records in 2021; 2 of the 2 after the first are statistically certified. In "
        "paired comparisons (p-values corrected by Holm), 2 are better than the records they displaced, and 2 better "
        "than the first record."
    )
    near = records_of(data_of({"a": [2] * 9, "b": [2] * 8 + [1]}, dated=True))
    assert near is not None
    assert near.opening(80)[0].endswith(
        "; the second is not statistically certified. Compared with the first alone, the second is inconclusive."
    )


def test_the_papers_tables_have_each_pair_once(records):
    _, *tables = records.paper_grids()
    pairs = [("weak", "good"), ("weak", "best"), ("good", "best")]
    assert len(tables) == 3  # tests, outcomes, protocol
    for table in tables:
        assert list(zip(table.values("champion"), table.values("challenger"), strict=True)) == pairs


def test_no_dates_no_records_and_one_record_no_comparisons():
    assert records_of(data_of(HISTORY)) is None
    one = records_of(data_of({"best": BEST, "weak": WEAK}, dated=True))
    assert one is not None
    assert (len(one.records), one.against_first) == (1, ())
    assert [column.name for column in one.grid().columns] == ["date", "run", "team", "mean", "displaced"]
    assert one.opening(80) == ("1 record on 2021-01-01.",)


def test_the_policy_decides():
    found = records_of(data_of(HISTORY, dated=True, policy=Policy(alpha=1e-30, correction="none")))
    assert found is not None
    assert {comparison.outcome for comparison in found.against_first} == {"inconclusive"}
    assert "not corrected" in found.opening(80)[0]


def test_the_timeline_is_a_chart_and_a_picture_in_text(records):
    assert [chart.name for chart in records.charts()] == ["timeline"]
    sentence, picture = records.opening(80)
    assert "2021-01-03" in picture
    assert "best" in picture
    assert records.opening(0) == (sentence,)


def test_the_record_test_is_against_the_displaced_run_with_its_rivals(records):
    data = data_of(HISTORY, dated=True)
    expected = record_test(data.scores.of("good"), data.scores.of("best"))
    assert records.tests[1] == expected
    assert records.to_rows()[2]["record_test"]["p"] == expected.p
    assert records.to_rows()[0]["record_test"] is None
    assert records.certified == certify_records([test.p for test in records.tests], data.policy)
    assert records.grid().values("certified") == (None, "yes", "yes")


@pytest.mark.parametrize(
    "rule, words", [("holm", "Holm over all records"), ("spending", "alpha spending, each on its day")]
)
def test_the_policy_chooses_the_rule_for_certificates(records, rule, words):
    data = data_of(HISTORY, dated=True, policy=Policy(record_rule=rule))
    found = records_of(data)
    assert found is not None
    assert found.certified == certify_records([test.p for test in records.tests], Policy(), rule=rule)
    assert words in found.grid().notes[0]
    assert "the chance of any false certificate is at most 0.05. The test is cautious" in found.grid().notes[0]


def test_what_could_have_been_seen_stands_beside_the_verdict(records):
    seen = [None, *(comparison.powers[0].smallest for comparison in records.against_displaced)]
    assert list(records.grid().values("displaced_seen_from")) == seen
    assert records.to_rows()[1]["against_displaced"]["seen_from"] == seen[1]
    first = [None, *(comparison.powers[0].smallest for comparison in records.against_first)]
    assert list(records.grid().values("first_seen_from")) == first
    note = next(note for note in records.grid().notes if "Detectable: " in note)
    assert f"{0.05 / 6:.2g}" in note
    assert "3 facets of 2 challengers" in note


def test_a_holm_corrected_p_is_what_the_table_and_json_show(records):
    corrected = records.certified.corrected
    rows = [row["record_test"] for row in records.to_rows()[1:]]
    assert [row["p_corrected"] for row in rows] == list(corrected)
    assert [row["p"] for row in rows] == [test.p for test in records.tests]
    assert list(records.grid().values("record_p"))[1:] == list(corrected)
    assert [row["certified"] for row in rows] == [row["p_corrected"] < row["level"] for row in rows]
