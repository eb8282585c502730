"""Submitting: who for, under what name, and as a variant of what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runoff.errors import ConflictError, InputError, NoRoomError, NotAllowedError, QuotaError, UsageError
from runoff.files.submission_folder import RunMetadata
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from runoff.server.cases.runs.submit import Submission, check_run, own_team, submit_run
from runoff.server.store.files import Incoming
from runoff.server.store.people import load_teams, save_team
from runoff.server.store.submissions import load_runs
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, Served, run_text
from tests.server.store.backends import both_databases

keep = Incoming.keep


@pytest.fixture
def served(database, tmp_path):
    return Served.made_in(database, tmp_path)


def submit(served, seed, *, actor=None, limit=10**8, content=None, **said):
    submission = Submission(file_name="x/a.run.gz", submission_key=f"{seed}", metadata=RunMetadata(**said))
    with served.files.receive(limit=10**8) as incoming:
        incoming.write(run_text(seed).encode() if content is None else content)
        return submit_run(
            served.database,
            served.files,
            replace(served.board, upload_limit=limit),
            actor or served.actor,
            incoming,
            submission,
            reader=HERE,
            now=NOW,
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
    with pytest.raises(InputError, match="this board takes 10 at most"):
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
        with served.files.receive(limit=10**8) as incoming:
            incoming.write(file.read_bytes())
            incoming.settle()
            return check_run(
                served.database,
                served.files,
                served.board,
                served.actor,
                incoming,
                submission,
                reader=HERE,
                now=NOW,
            )

    assert check().is_fine
    submit(served, 1, content=file.read_bytes(), name="before")
    assert check().problems == ("the team has already submitted this file, as 'before'",)
    file.write_text(run_text(2))
    assert check().is_fine
    assert check(variant_of="z").problems[0].startswith("variant_of 'z'")
    file.write_text("other Q0 d 1 1.0 x\n")
    assert "no query of this file" in check().problems[0]


@both_databases
def test_a_late_refusal_leaves_no_file(served, monkeypatch):
    submit(served, 1, name="a")
    stored = list(served.files.hashes())
    with pytest.raises(ConflictError, match="already has a run 'a' on this board"):
        submit(served, 2, name="a")
    with pytest.raises(ConflictError, match="already submitted this file, as 'a'"):
        submit(served, 3, content=run_text(1).encode(), name="b")
    with pytest.raises(InputError, match=r"a\.run\.gz:1: "):
        submit(served, 4, content=b"q1 Q0 d 1 nan x\n")

    def full(*_, **__):
        raise NoRoomError("x")

    # The commit itself fails, when the file is in its place already.
    monkeypatch.setattr("runoff.server.store.files.Incoming.keep", lambda incoming: (keep(incoming), full()))
    with pytest.raises(NoRoomError):
        submit(served, 5, name="c")
    assert list(served.files.hashes()) == stored
    assert list(served.files.incoming.iterdir()) == []
    with served.database.read() as connection:
        assert [run.name for run in load_runs(connection, served.board.id, team_id=served.team.id)] == ["a"]


@pytest.mark.parametrize("where", ["name", "team", "description", "variant_of", "paper"])
def test_what_is_no_text_is_refused(served, where):
    for text in ("a\x00b", "a\x1bb", "a\ud800b"):
        said = {"more": {where: text}} if where == "paper" else {where: text}
        with pytest.raises(UsageError, match=rf"{where} holds the character U\+") as caught:
            submit(served, 1, **said)
        assert "\x00" not in str(caught.value)


HEADER = b"""# ir_metadata.start
# tag: t
# actor: {name: Ann, team: Somebody, mail: ann@example.org}
# method: {description: BM25 <b>}
# ir_metadata.end
"""


def test_the_header_of_a_run_is_kept_and_describes_it(served):
    run = submit(served, 1, content=HEADER + run_text(1).encode())
    assert run.metadata["ir_metadata"]["actor"]["mail"] == "ann@example.org"
    assert (run.description, run.name, run.team_id) == ("BM25 <b>", "a.run", served.team.id)
    assert submit(served, 2, name="b", content=HEADER + run_text(2).encode(), description="own").description == "own"
    hidden = submit(served, 3, name="c", content=HEADER + run_text(3).encode(), anonymous=True, variant_of="b")
    assert hidden.description == ""


def test_a_board_can_require_fields(served):
    strict = replace(served.board, required_metadata=("method.description", "data", "tag"))
    served = replace(served, board=strict)
    with pytest.raises(InputError) as caught:
        submit(served, 1, content=HEADER + run_text(1).encode())
    missing = "no value for data in its ir_metadata; expected every field that this board requires"
    assert caught.value.problems[0].startswith(f"a.run.gz: {missing}")
    full = HEADER.replace(b"# tag: t", b"# tag: t\n# data: {name: x}")
    assert submit(served, 1, content=full + run_text(1).encode()).state == "queued"


def test_a_hostile_header_is_refused(served):
    for line, what in [
        (b"# a: &a [1]", "a.run.gz:2: an anchor"),
        (b"# a: !!python/name:os.system", "a.run.gz:2: the tag"),
        (b"# a: " + b"[" * 60_000, "a.run.gz:2: values nested more"),
        (b'# a: "\\x00"', "a.run.gz:2: the character U+0000"),
    ]:
        with pytest.raises(InputError) as caught:
            submit(served, 1, content=b"# ir_metadata.start\n" + line + b"\n# ir_metadata.end\n" + run_text(1).encode())
        assert caught.value.problems[0].startswith(what)
