"""The history of a board."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.boards.history import history
from runoff.errors import UsageError
from runoff.files import read_msmarco_table
from runoff.tables import BoardRun

START = date(2021, 1, 1)


def runs_of(*rows):
    """(name, day or None, mean, baseline) rows as runs and means."""
    runs = [
        BoardRun(name=name, team=name.upper(), date=None if day is None else START + timedelta(day), baseline=baseline)
        for name, day, _, baseline in rows
    ]
    return runs, {name: mean for name, _, mean, _ in rows}


def names(result):
    return [record.name for record in result.records]


def test_records_begin_above_the_baselines():
    runs, means = runs_of(("a", 0, 0.1, False), ("base", 1, 0.3, True), ("b", 2, 0.25, False), ("c", 3, 0.4, False))
    found = history(runs, means)
    assert names(found) == ["a", "c"]  # the baseline came after a, and b did not beat it
    found = history(*runs_of(("base", None, 0.3, True), ("a", 0, 0.1, False), ("c", 3, 0.4, False)))
    assert names(found) == ["c"]
    assert found.baseline == ("base", 0.3)
    assert found.records[0].displaced is None
    assert found.pairs == ()


def test_a_record_is_strictly_better():
    found = history(*runs_of(("a", 0, 0.3, False), ("b", 1, 0.3, False), ("c", 2, 0.31, False)))
    assert names(found) == ["a", "c"]
    assert found.baseline is None


def test_a_baseline_of_the_same_day_has_to_be_beaten():
    assert names(history(*runs_of(("a", 0, 0.3, False), ("base", 0, 0.3, True)))) == []


def test_the_best_of_a_day():
    found = history(*runs_of(("a", 0, 0.3, False), ("b", 0, 0.5, False), ("c", 0, 0.5, False), ("d", 1, 0.6, False)))
    assert [(record.name, record.rivals, record.tied) for record in found.records] == [("b", 3, ("c",)), ("d", 1, ())]


def test_pairs():
    found = history(*runs_of(("a", 0, 0.1, False), ("b", 1, 0.2, False), ("c", 2, 0.3, False), ("d", 3, 0.4, False)))
    assert found.against_first == (("a", "b"), ("a", "c"), ("a", "d"))
    assert found.against_displaced == (("a", "b"), ("b", "c"), ("c", "d"))
    assert found.pairs == (("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("c", "d"))


def test_lower_can_be_better():
    rows = ("base", None, 9.0, True), ("a", 0, 8.0, False), ("b", 1, 8.5, False), ("c", 2, 7.0, False)
    assert names(history(*runs_of(*rows), best_is_low=True)) == ["a", "c"]


def test_what_is_left_out_is_told():
    runs, means = runs_of(("a", None, 0.1, False), ("b", 1, 0.2, False), ("c", 2, 0.3, False))
    del means["c"]
    found = history(runs, means)
    assert (names(found), found.undated, found.unscored, found.runs) == (["b"], ("a",), ("c",), 1)


def test_refusals():
    runs, means = runs_of(("a", 0, 0.1, False), ("a", 1, 0.2, False))
    with pytest.raises(UsageError, match="run 'a' is listed twice; expected every run once; rename one"):
        history(runs, means)
    runs, means = runs_of(("a", 0, float("nan"), False))
    with pytest.raises(UsageError, match="the mean of run 'a' is nan; expected a finite number; leave the run out"):
        history(runs, means)


rows = st.lists(
    st.tuples(st.none() | st.integers(0, 6), st.sampled_from([0.1, 0.2, 0.3, 0.4]), st.booleans()), max_size=12
)


@given(rows)
def test_each_record_is_what_an_obvious_look_says(rows):
    runs, means = runs_of(*((f"r{place}", day, mean, base) for place, (day, mean, base) in enumerate(rows)))
    expected: list[str] = []
    for day in range(7):
        today = [run.name for run in runs if run.date == START + timedelta(day) and not run.baseline]
        before = [
            means[run.name]
            for run in runs
            if (run.date is None and run.baseline)
            or (run.date and run.date < START + timedelta(day))
            or (run.baseline and run.date and run.date <= START + timedelta(day))
        ]
        best = max(today, key=lambda name: means[name], default=None)
        if best is not None and all(means[best] > other for other in before):
            expected.append(best)
    assert names(history(runs, means)) == expected


def test_the_ms_marco_document_leaderboard(shared_data):
    # The table marks records with a cup; Lin et al. 2021 count ten of them, R1 to R10, until mid-February 2021.
    file = shared_data / "msmarco" / "document-leaderboard.csv"
    board = read_msmarco_table(file)
    found = history(board.runs, board.published("public"))
    cups = [line.split(",")[0] for line in file.read_text(encoding="utf-8-sig").splitlines() if ",🏆," in line]
    assert names(found) == cups
    assert len(cups) == 17
    assert found.baseline == ("20200811c", 0.307)
    early = [record for record in found.records if record.date <= date(2021, 2, 15)]
    assert len(early) == 10
    # Table 1's differences to R1 are of the true scores, the public ones of scores with a deliberate artifact
    # (the paper's footnote 1), so they agree in order and nearly in size.
    table_1 = np.array([0.0027, 0.0152, 0.0179, 0.0244, 0.0301, 0.0328, 0.0360, 0.0406, 0.0516])
    public = np.array([record.mean - early[0].mean for record in early[1:]])
    assert np.corrcoef(table_1, public)[0, 1] > 0.999
    assert np.all((0.86 * table_1 - 0.001 < public) & (public < table_1))
    assert found.against_first[8] == (early[0].name, "20210210-xyz")
    assert found.against_displaced[8] == ("20210120-cmu", "20210210-xyz")


def test_a_mean_that_is_higher_by_rounding_alone_is_no_record():
    runs = [BoardRun(name=name, date=date(2021, 1, day)) for day, name in enumerate("ab", start=1)]
    found = history(runs, {"a": 0.3, "b": 0.1 + 0.2})
    assert [record.name for record in found.records] == ["a"]
