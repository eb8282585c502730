"""The frame for whoever asks."""

from __future__ import annotations

from runoff.server.store.people import load_teams
from runoff.server.web.frame.visit import board_crumbs, frame_of
from runoff.server.web.visitors import Visitor


def test_a_visitor_without_an_account(small):
    frame = frame_of(small.site, Visitor(), path="/")
    assert (frame.site, frame.person, frame.csrf, frame.teams) == ("Test site", None, "", ())


def test_an_organiser(small):
    with small.site.database.read() as connection:
        teams = load_teams(connection, person_id=small.organiser.id)
    frame = frame_of(small.site, Visitor(person=small.organiser, teams=teams, csrf="c"))
    assert (frame.person, frame.is_organiser, frame.csrf) == ("Olga Organiser", True, "c")
    assert [team.href for team in frame.teams] == ["/teams/team-1", "/teams/team-2", "/teams/team-3"]
    assert [crumb.href for crumb in board_crumbs("a", "A")] == ["/", "/boards/a"]
