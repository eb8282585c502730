"""A stored board from a board.toml."""

from __future__ import annotations

from datetime import timedelta

import pytest

from runoff.errors import ConflictError
from runoff.files.ir_metadata import render_header
from runoff.server.cases.boards.make import make_board, slug_of
from runoff.server.store.label_sets import load_label_sets, load_query_sets
from runoff.server.store.names import clean_slug
from runoff.server.store.people import load_teams
from runoff.server.store.submissions import IR_METADATA, load_quota, load_runs
from tests.server.cases.served import NOW, Served
from tests.server.store.backends import both_databases


@both_databases
def test_sets_are_split_runs_are_dated_and_the_rule_is_the_real_one(database, tmp_path):
    served = Served.made_in(database, tmp_path, description="d")
    with database.read() as connection:
        labels = load_label_sets(connection, served.board.id)
        queries = load_query_sets(connection, served.board.id)
        runs = load_runs(connection, served.board.id)
        teams = load_teams(connection)
        quota = load_quota(connection, served.board, served.team.id, NOW)
    assert [(one.name, one.sealed, one.queries, one.judged) for one in labels] == [
        ("dev", False, 24, 48),
        ("dev private", True, 24, 48),
    ]
    assert [(one.name, one.sealed) for one in queries] == [("public", False), ("private", True)]
    assert [(run.name, run.submitted_at.date().isoformat(), run.baseline) for run in runs] == [
        ("run 0", "2026-01-01", True),
        ("run 1", "2026-01-02", False),
        ("run 2", "2026-01-03", False),
    ]
    assert [team.name for team in teams] == ["Oaks", "Team 0", "Team 1"]
    assert (served.board.most, served.board.description, served.board.depth, quota.left) == (3, "d", 10, 3)


def test_without_query_sets_all_queries_are_public(database, tmp_path):
    served = Served.made_in(database, tmp_path, runs=1)
    text = served.toml.read_text()
    start, end = text.index("[queries.public]"), text.index("[labels.dev]")
    served.toml.write_text('record_rule = "holm"\n' + text[:start] + text[end:])
    board = make_board(database, served.files, served.toml, slug="open", now=NOW)
    with database.read() as connection:
        (queries,) = load_query_sets(connection, board.id)
        assert (queries.name, queries.queries) == ("public", 48)
    assert (served.board.record_rule, board.record_rule) == ("fallback", "holm")
    with pytest.raises(ConflictError, match="is called 'open' already"):
        make_board(database, served.files, served.toml, slug="open", now=NOW)


def test_development_queries_are_open_and_not_public(database, tmp_path):
    served = Served.made_in(database, tmp_path, runs=1)
    (served.toml.parent / "development.txt").write_text("q0\nq1\n")
    text = served.toml.read_text().replace("[queries.public]", "[queries.development]")
    served.toml.write_text(text.replace("public.txt", "development.txt"))
    board = make_board(database, served.files, served.toml, slug="held", now=NOW)
    with database.read() as connection:
        found = load_query_sets(connection, board.id)
    assert {one.name: (one.queries, one.sealed) for one in found} == {
        "public": (22, False), "development": (2, False), "private": (24, True),
    }  # fmt: skip


@pytest.mark.parametrize("anonymous", [False, True])
def test_what_the_files_of_runs_say_of_themselves_is_kept(database, tmp_path, anonymous):
    served = Served.made_in(database, tmp_path, runs=2)
    run = served.toml.parent / "run0.txt"
    header = {"actor": {"mail": "ann@example.org"}, "description": "By Ann"}
    run.write_bytes(render_header(header) + run.read_bytes())
    settings = {"anonymous_until": NOW + timedelta(days=1)} if anonymous else {}
    board = make_board(database, served.files, served.toml, slug="headed", settings=settings, now=NOW)
    with database.read() as connection:
        found = {one.metadata["file_name"]: one for one in load_runs(connection, board.id)}
    assert found[run.name].metadata[IR_METADATA] == header
    assert found[run.name].description == ("" if anonymous else "By Ann")
    assert sum(IR_METADATA in one.metadata for one in found.values()) == 1


def test_slugs():
    assert slug_of("x" * 80) == "x" * 60
    assert slug_of("-a-") == "a"
    teams = ("东京大学", "京都大学", "Москва", "Минск", "AI 東京", "AI 北京", "AI")
    assert len({slug_of(name) for name in teams}) == len(teams)
    assert slug_of("Straße") == "strasse"
    for name in (*teams, "ß" * 100, "é" * 100, "東a" * 50):
        assert clean_slug(slug_of(name)) == slug_of(name)
