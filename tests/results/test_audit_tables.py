"""The tables of an audit say what its parts hold."""

from dataclasses import replace
from datetime import timedelta

import pytest

from runoff import audit
from runoff.boards import near_duplicates
from runoff.reading.sources import as_run
from runoff.results import audit_tables as tables
from runoff.results.audit_parts import ScoredConditions
from runoff.tables import BoardRun
from runoff.verbs.audit import AuditOptions
from tests.results.test_audit_parts import orders_of, steps
from tests.verbs.audited import WITH_FIELD, write_audited


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    file = write_audited(tmp_path_factory.mktemp("tables"))
    return audit(file, options=AuditOptions(trials=100))


@pytest.fixture(scope="module")
def grids(result):
    return {grid.title: grid for grid in result.grids()}


def test_ranks(result, grids):
    grid = grids["Expected ranks under each condition"]
    found = result.orders.generalization
    assert grid.values("run") == result.orders.runs
    for column, name in enumerate(("rank_public_sparse", "rank_private_sparse", "rank_private_deep")):
        ranks = {run: found.expected_ranks[place, column] for place, run in enumerate(found.runs)}
        assert grid.values(name) == tuple(ranks[run] for run in grid.values("run"))


def test_ranks_of_chosen_runs(result):
    show = ["base", "copy"]
    grid = tables.rank_grid(tables.run_rows(result.runs, result.scored, result.orders, show), result.orders, show)
    assert set(grid.values("run")) == {"base", "copy"}
    assert "2 of 7 runs: those named." in grid.notes


def test_conditions_whose_column_names_would_be_the_same():
    orders = orders_of(steps(2), steps(2))
    for one, name in zip(orders.conditions, ("a b", "a_b"), strict=True):
        object.__setattr__(one, "name", name)
    runs = tuple(BoardRun(name=name) for name in orders.runs)
    scored = ScoredConditions(conditions=orders.conditions, runs=runs)
    grid = tables.rank_grid(tables.run_rows(runs, scored, orders, ()), orders, ())
    assert [column.name for column in grid.columns] == ["run", "rank_1", "rank_2", "spread"]


def test_conditions(result, grids):
    grid = grids["Conditions"]
    assert grid.values("queries") == (120, 100, 60)
    assert grid.values("set_queries") == (120, 100, 100)
    assert grid.values("leaders") == ("tuned 3", "copy, fair 2", "copy, fair 2")
    assert grid.values("not_worse") == tuple(result.orders.not_worse(number) for number in range(3))
    assert grid.values("not_worse")[1] >= 1  # its copy at least
    assert grid.notes[1:] == ("Left out: query set public with labels deep, which share no query.",)


def test_a_column_that_says_nothing_is_left_out():
    orders = orders_of(steps(2), steps(2))
    rows = list(tables.condition_rows(ScoredConditions(conditions=orders.conditions), orders))
    names = [column.name for column in tables.condition_grid(rows, orders, ()).columns]
    assert names == ["name", "queries", "leaders", "mean", "p_first", "not_worse"]


def test_taus(result, grids):
    found = {(one.first, one.second): one for one in result.orders.pairs()}
    split = found["public, sparse", "private, sparse"]
    assert grids["How similar the orders on different queries are"].rows == (
        (split.first, split.second, split.tau, split.reference.median, *split.reference.range95, split.reference.p),
    )
    others = [one for one in result.orders.pairs() if one != split]
    rows = grids["Orders with nothing to compare them with"].rows
    assert rows == tuple((one.first, one.second, one.tau, one.reference.why) for one in others)
    assert {row[-1] for row in rows} == {
        "the queries differ, and so do the labels",
        "the query sets share 60 queries, but are not the same",
    }


def test_taus_of_the_same_queries():
    orders = orders_of(steps(4), steps(4)[:, [1, 0, 2, 3]])
    (grid,) = tables.tau_grids(orders)
    found = orders.pairs()[0].reference
    assert grid.title == "How similar the orders by different labels and measures are"
    assert grid.rows == (("c0", "c1", orders.pairs()[0].tau, found.across, *found.within),)


def test_endless_taus_are_cut_and_told():
    (grid,) = tables.tau_grids(orders_of(*[steps(3)] * 9))
    assert len(grid.rows) == tables.MOST_ROWS
    assert grid.notes[-1] == "The lowest 30 of 36 pairs of conditions."


def test_runs_that_all_tie_are_no_nan():
    text = "".join(str(grid.rows) for grid in tables.tau_grids(orders_of(steps(3) * 0.0, steps(3))))
    assert "nan" not in text


def test_overfitting(tmp_path):
    result = audit(write_audited(tmp_path, runs=WITH_FIELD), options=AuditOptions(trials=20))
    assert result.monitor is not None
    grid = tables.monitor_grid(result.monitor)
    assert (*grid.rows[0][:2], *grid.rows[0][-2:]) == ("Tuners", "yes", "tuned 1", "tuned 3")
    assert grid.values("alarm") == ("yes", "no", "no", "no")
    assert grid.values("excess") == tuple(one.change.excess for one in result.monitor.teams)
    assert grid.values("p_corrected") == tuple(one.alarm.p_corrected for one in result.monitor.teams)
    assert "Alarm: p, one-sided and Holm-corrected over 4 teams, is below 0.05." in grid.notes
    assert grid.notes[-1] == "Left out: 1 team with fewer than two submissions to compare."


def test_teams_that_cannot_be_judged(grids):
    grid = grids["Overfitting"]
    assert [row[:2] for row in grid.rows] == [("Tuners", "cannot be judged"), ("Fair", "cannot be judged")]
    assert set(grid.values("excess")) == set(grid.values("p_corrected")) == {None}
    assert (
        "Cannot be judged: 2 teams, because only one other team has two submissions or more, and 3 are needed."
        in grid.notes
    )
    assert not any(note.startswith("Alarm") for note in grid.notes)


def test_all_teams_over_time(result, grids):
    grid = grids["All teams over time"]
    assert grid.values("date") == ("2021-01-10", "2021-01-20", "2021-03-05")
    last = result.monitor.field[-1]
    assert grid.rows[-1][1:] == (2, last.change_public, last.change_private, last.change_public - last.change_private)
    many = tuple(replace(last, date=last.date + timedelta(days=day)) for day in range(40))
    cut = tables.field_grid(replace(result.monitor, field=many))
    assert (len(cut.rows), cut.notes[-1]) == (tables.MOST_DAYS, "12 of 40 days.")
    assert cut.rows[-1][0] == many[-1].date.isoformat()


def test_broken_rules_and_submissions(grids):
    assert grids["Broken rules"].rows == (
        ("Tuners", "tuned 3", "2021-01-20", "2021-01-01", 3, 2, "submissions", "tuned 1, tuned 2, tuned 3"),
        ("Tuners", "tuned 3", "2021-01-20", "2021-01-10", 2, 1, "small variations", "tuned 2, tuned 3"),
    )
    assert grids["Submissions"].rows == (
        ("Tuners", 3, "2021-01-01", "2021-01-20", 3, 2, 0, 2),
        ("Fair", 2, "2021-01-05", "2021-03-05", 1, 0, 0, 0),
    )
    assert "Not listed: 1 team with one submission." in grids["Submissions"].notes


def test_near_duplicates(grids):
    (row,) = grids["Near-duplicates"].rows
    assert row == ("fair 2", "copy", pytest.approx((219 + 0.9) / 220), "different teams")


def test_endless_near_duplicates_are_cut_and_told():
    runs = [as_run({"q": {"d": 1.0}}, name=f"r{place}") for place in range(9)]
    facts = {run.name: BoardRun(name=run.name) for run in runs}
    grid = tables.duplicate_grid(near_duplicates(runs), facts)
    assert (len(grid.rows), grid.notes[-1]) == (30, "The first 30 of 36 pairs.")


@pytest.mark.parametrize(
    "first, second, words",
    [
        ({"team": "A"}, {"team": "A"}, "one team"),
        ({"team": "A"}, {"team": "B"}, "different teams"),
        ({"team": "A"}, {"team": "A", "variant_of": "first"}, "one team, declared"),
        ({"team": "A", "variant_of": "second"}, {"team": "B"}, "different teams, declared"),
        ({"baseline": True}, {"team": "B"}, "a baseline and another"),
        ({"baseline": True}, {"baseline": True}, "two baselines"),
        ({}, {"team": "B"}, "a run without a team"),
    ],
)
def test_whose_two_runs_are(first, second, words):
    assert tables.relation(BoardRun(name="first", **first), BoardRun(name="second", **second)) == words


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_wider_than_the_page(result, width):
    assert max(map(len, result.to_text(width).splitlines())) <= width
