import itertools

import pytest

from runoff.errors import UsageError
from runoff.reports.charts import OutcomeBars
from tests.reports.charts.examples import names, outcomes_of
from tests.reports.charts.values import table_with


def test_parts_are_the_outcomes():
    results = outcomes_of("champion", names(3))
    rows = table_with(OutcomeBars(results).spec(), "outcome")
    for result in results:
        own = [row for row in rows if row["challenger"] == result.challenger]
        assert [row["count"] for row in own] == list(result.counts.values())
        assert [row["share"] for row in own] == list(result.shares.values())
        assert own[-1]["to"] == pytest.approx(1)
        assert all(one["to"] == other["from"] for one, other in itertools.pairwise(own))


def test_titles():
    results = outcomes_of("oak", ["ash", "fir"])
    assert OutcomeBars(results[:1]).title == "Which run answers? ash against oak"
    assert OutcomeBars(results).title == "Which run answers? challengers of oak"
    mixed = [*results, *outcomes_of("elm", ["fir"])]
    assert OutcomeBars(mixed).title == "Which run answers? pairs of runs"
    assert table_with(OutcomeBars(mixed).spec(), "outcome")[-1]["pair"] == "fir / elm"
    assert OutcomeBars(mixed, most=2).title == "Which run answers? pairs of runs, the first 2 of 3 pairs"


def test_the_sentence_counts():
    result = outcomes_of("oak", ["ash"])[0]
    assert OutcomeBars([result]).text_alternative() == (
        f"Of 40 queries, {result.both} are answered by both oak and ash, {result.champion_only} only by oak, "
        f"{result.challenger_only} only by ash and {result.neither} by neither."
    )


def test_nothing_to_show_is_refused():
    with pytest.raises(UsageError, match="there are no outcomes to show"):
        OutcomeBars([])
