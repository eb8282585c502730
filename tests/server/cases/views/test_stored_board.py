"""Boards rebuilt from stored arrays equal those read from files, and show each viewer what they may see."""

from __future__ import annotations

from datetime import timedelta

import pytest

from runoff.errors import NotFoundError, UsageError
from runoff.files.submission_folder import RunMetadata
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from runoff.server.cases.runs.submit import Submission, submit_run
from runoff.server.cases.views.stored_board import load_board_data, load_private_means, load_visible_runs
from runoff.server.store.boards import load_board
from runoff.verbs.board import board, board_of
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, PRIVATE, PUBLIC, Served, run_text, write_board
from tests.server.store.backends import both_databases
from tests.verbs.boards import board_of_file


@pytest.fixture
def served(database, tmp_path):
    return Served.made_in(database, tmp_path)


def loaded(served, *, viewer=ANONYMOUS, now=NOW, **sets):
    with served.database.read() as connection:
        board = load_board(connection, served.board.id)
        return load_board_data(connection, board, viewer=viewer, now=now, **sets)


def submit(served, seed=9, **said):
    submission = Submission(file_name="a.run", submission_key=f"key {seed}", metadata=RunMetadata(**said))
    with served.files.receive(limit=10**8) as incoming:
        incoming.write(run_text(seed).encode())
        return submit_run(
            served.database,
            served.files,
            served.board,
            served.actor,
            incoming,
            submission,
            now=NOW,
            reader=HERE,
        )


def test_equals_the_board_of_the_files(served):
    assert served.work() == ["scored"] * 3
    expected = board(served.toml, trials=50).to_dict()
    assert board_of(loaded(served), trials=50).to_dict() == expected


def write_fractions(folder, *, runs=3):
    """The board with grades that are fractions, the private ones whole."""
    toml = write_board(folder, runs=runs)
    grades = {query: (0.4, 1.8, 2.5)[place % 3] for place, query in enumerate(PUBLIC)}
    lines = [f"{query} 0 d {grades.get(query, 1)}\n{query} 0 x 0.9\n" for query in PUBLIC]
    lines += [f"{query} 0 d 2\n" for query in PRIVATE]
    (folder / "qrels.txt").write_text("".join(lines))
    toml.write_text(toml.read_text().replace('"RR@10"', '"nDCG@10"'))
    return toml


def test_grades_that_are_fractions(database, tmp_path):
    served = Served.made_in(database, tmp_path, write=write_fractions)
    assert served.work() == ["scored"] * 3
    expected = board(served.toml, trials=50).to_dict()
    assert board_of(loaded(served), trials=50).to_dict() == expected
    assert {one.values for one in loaded(served).serps} == {(0.4, 0.9, 1.8, 2.5)}


def test_some_names_are_those_of_all_runs(served):
    # A run of this name is there already, by another team: the later one has a number behind it.
    submit(served, name="run 1")
    assert served.work() == ["scored"] * 4
    with served.database.read() as connection:
        board = load_board(connection, served.board.id)
        every = load_visible_runs(connection, board, now=NOW)
        assert [one.run.name for one in every].count("run 1") == 2
        for names in ({"run 1"}, {"run 1", "run 2"}, {"none"}):
            some = load_visible_runs(connection, board, now=NOW, names=names)
            assert some == tuple(one for one in every if one.run.name in names)


def test_without_scored_runs_there_is_no_board(served):
    with pytest.raises(NotFoundError, match="no scored run yet"):
        loaded(served)


def test_sealed_sets_are_refused(served):
    served.work()
    with pytest.raises(UsageError, match="no open query set is called 'private'; expected one of public"):
        loaded(served, query_set="private")
    with pytest.raises(UsageError, match="no open label set"):
        loaded(served, label_set="dev private")


def test_an_embargo_hides_a_run_from_others_until_it_ends(served):
    run = submit(served, name="secret", embargo_until=(NOW + timedelta(days=2)).date())
    served.work()
    assert "secret" not in loaded(served).scores.runs
    assert "secret" in loaded(served, viewer=served.actor).scores.runs
    assert "secret" in loaded(served, viewer=Actor(id=99, role="organiser")).scores.runs
    assert "secret" not in loaded(served, viewer=Actor(id=99, role="member", teams=frozenset({77}))).scores.runs
    later = loaded(served, now=NOW + timedelta(days=2))
    assert later.visible[-1].run.id == run.id


def test_an_anonymous_run_has_no_team_for_others(served):
    submit(served, name="ghost", anonymous=True)
    served.work()
    assert loaded(served).runs[-1].team == ""
    assert loaded(served, viewer=served.actor).runs[-1].team == "Oaks"
    assert loaded(served, now=NOW + timedelta(days=999)).runs[-1].team == ""


def test_an_anonymous_run_is_named_from_its_day_on(served):
    tomorrow = NOW.date() + timedelta(days=1)
    submit(served, name="ghost", anonymous=True, anonymous_until=tomorrow)
    submit(served, 10, name="later", anonymous=True, embargo_until=tomorrow)
    served.work()
    assert [run.team for run in loaded(served).runs][-1:] == [""]
    then = {run.name: run.team for run in loaded(served, now=NOW + timedelta(days=1)).runs}
    assert (then["ghost"], then["later"]) == ("Oaks", "")


def test_two_teams_may_use_one_name(served):
    run = submit(served, name="run 1")
    served.work()
    data = loaded(served)
    assert data.scores.runs[-1] == f"run 1 (run {run.id})"


@both_databases
def test_private_means_are_rounded_and_wait_for_the_reveal(database, tmp_path):
    served = Served.made_in(
        database, tmp_path, private_until=NOW + timedelta(days=1), closes_at=NOW + timedelta(hours=1), digits=2
    )
    served.work()

    def means(viewer, now):
        with database.read() as connection:
            return load_private_means(connection, load_board(connection, served.board.id), viewer=viewer, now=now)

    assert means(ANONYMOUS, NOW) == {}
    assert means(served.actor, NOW) == {}
    shown = means(ANONYMOUS, NOW + timedelta(days=1))
    assert shown == means(Actor(id=99, role="organiser"), NOW)
    assert len(shown) == 3
    expected = board_of_file(served.toml, query_set="private", trials=10)
    found = sorted((means["dev private"] for means in shown.values()), reverse=True)
    assert found == [round(row.mean, 2) for row in expected.rows]
