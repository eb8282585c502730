"""Submitting: who for, under what name, and as a variant of what."""

from __future__ import annotations

import pytest

from runoff.errors import InputError, NotAllowedError, QuotaError, UsageError
from runoff.files.run_metadata import RunMetadata
from runoff.store.teams import load_teams, save_team
from runoff.workflows.permissions import ANONYMOUS, Actor
from runoff.workflows.submit_run import Submission, check_run, own_team, submit_run
from tests.workflows.served import NOW, Served, run_text


@pytest.fixture
def served(database, tmp_path):
    return Served.made_in(database, tmp_path)


def submit(served, seed, *, actor=None, limit=10**8, **said):
    submission = Submission(file_name="x/a.run.gz", submission_key=f"{seed}", metadata=RunMetadata(**said))
    chunks = [run_text(seed).encode()]
    return submit_run(
        served.database, served.files, served.board, actor or served.actor, chunks, submission, limit=limit, now=NOW
    )


def test_a_run_is_called_as_its_file_and_remembers_it(served):
    run = submit(served, 1)
    assert (run.name, run.metadata["file_name"], run.team_id) == ("a.run", "a.run.gz", served.team.id)


def test_variants_are_named_and_counted(served):
    first = submit(served, 101, name="a")
    with pytest.raises(UsageError, match="expected one of 'a'"):
        submit(served, 104, name="d", variant_of="z")
    assert submit(served, 102, name="b", variant_of="a").variant_of == first.id
    with pytest.raises(QuotaError, match="small variations"):
        submit(served, 103, name="c", variant_of="a")


def test_nothing_is_stored_for_who_may_not(served):
    before = list(served.files.hashes())
    for actor in (ANONYMOUS, Actor(id=99, role="member"), Actor(id=served.organiser.id, role="organiser")):
        with pytest.raises(NotAllowedError):
            submit(served, 1, actor=actor)
    for seed in range(100, 103):
        submit(served, seed, name=str(seed))
    stored = list(served.files.hashes())
    with pytest.raises(QuotaError):
        submit(served, 9)
    assert list(served.files.hashes()) == stored
    assert len(stored) == len(before) + 3


def test_limits_are_those_of_the_site_and_the_board(served):
    with pytest.raises(InputError, match="more than 10 bytes"):
        submit(served, 1, limit=10)


def test_in_two_teams_one_has_to_be_named(served):
    served.database.write(
        lambda connection: save_team(connection, slug="elms", name="Elms", founder=served.member.id, now=NOW)
    )
    with served.database.read() as connection:
        teams = load_teams(connection, person_id=served.member.id)
        actor = Actor(id=served.member.id, role="member", teams=frozenset(team.id for team in teams))
        with pytest.raises(UsageError, match="you are in 2 teams"):
            own_team(connection, actor, None)
        assert own_team(connection, actor, "elms").name == own_team(connection, actor, "Elms").name == "Elms"
        with pytest.raises(NotAllowedError):
            own_team(connection, actor, "Team 0")


def test_a_check_finds_what_submitting_would(served, tmp_path):
    file = tmp_path / "a.run"
    file.write_text(run_text(1))

    def check(**said):
        submission = Submission(file_name="a.run", submission_key="k", metadata=RunMetadata(**said))
        return check_run(
            served.database, served.files, served.board, served.actor, file, submission, max_bytes=10**7, now=NOW
        )

    assert check().is_fine
    assert check(variant_of="z").problems[0].startswith("variant_of 'z'")
    file.write_text("other Q0 d 1 1.0 x\n")
    assert "no query of this file" in check().problems[0]
