from dataclasses import replace

import pytest

from runoff.display.charts import Overfitting
from runoff.errors import UsageError
from tests.display.charts.examples import names, overfitting_of
from tests.display.charts.values import table_with


def unjudged(result, *teams):
    """The same result, in which some teams cannot be judged."""
    none = dict.fromkeys(("ratio", "expected_private", "excess", "standard_error", "excess_ci95", "p"))
    changes = (replace(one, **none, unjudged="why") if one.team in teams else one for one in result.teams)
    return replace(result, teams=tuple(changes))


def test_rows_are_the_changes_and_the_intervals():
    result = overfitting_of(names(9))
    changes = {one.team: one for one in result.teams}
    rows = table_with(Overfitting(result).spec(), "excess")
    assert [row["excess"] for row in rows] == sorted((one.excess or 0.0 for one in changes.values()), reverse=True)
    for row in rows:
        one = changes[row["name"]]
        assert (row["public"], row["private"]) == (one.change_public, one.change_private)
        assert (row["low"], row["high"]) == one.excess_ci95


def test_the_largest_excess_is_shown_first_and_the_rest_cut():
    chart = Overfitting(overfitting_of(names(50)), most=3)
    assert chart.title.endswith("RR@10, the 3 of 50 teams with the largest shortfall")
    assert [line.split()[0] for line in chart.text_lines(80)] == ["Team", "run-000", "run-007", "run-014"]


def test_teams_that_cannot_be_judged_are_last_and_have_changes_alone():
    chart = Overfitting(unjudged(overfitting_of(["A", "B"]), "A"))
    assert [line.split()[:3] for line in chart.text_lines(80)[1:]] == [
        ["B", "+0.0500", "+0.0100"],
        ["A", "+0.0500", "+0.0000"],
    ]
    assert "A +0.0500 on public and +0.0000 on private, cannot be judged" in chart.summary
    assert len(chart.text_lines(80)[2].split()) == 3
    none = Overfitting(unjudged(overfitting_of(["A", "B"]), "A", "B"))
    assert "hconcat" in chart.view()
    assert "hconcat" not in none.view()
    assert none.subtitle.endswith("No team can be judged.")
    assert none.words().notes == ("No team can be judged.",)


def test_words():
    result = overfitting_of(["A"])
    assert Overfitting(result).summary == (
        "Changes in RR@10 of 1 team, the largest shortfall first: A +0.0500 on public and +0.0000 on private, "
        "shortfall +0.0450 (-0.0200 to +0.0800). The uncorrected interval is above 0 for 0."
    )
    with pytest.raises(UsageError, match="there are no teams to show"):
        Overfitting(replace(result, teams=()))
