import pytest

from runoff.display.charts import Conditions
from runoff.errors import UsageError
from tests.display.charts.examples import generalization_of, names
from tests.display.charts.values import table_with, tables


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
