"""The frame of a page for whoever asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runoff.store.teams import load_teams
from runoff.web.frame.context import Crumb, Frame
from runoff.web.site import Site
from runoff.web.visitors import Visitor

if TYPE_CHECKING:
    from fastapi import Request


def frame_of(
    request: Request, site: Site, visitor: Visitor, *, crumbs: Sequence[Crumb] = (), notices: Sequence[str] = ()
) -> Frame:
    """What stands around a page."""
    person = visitor.person
    teams: tuple[Crumb, ...] = ()
    if person is not None:
        with site.database.read() as connection:
            found = load_teams(connection, person_id=person.id)
        teams = tuple(Crumb(text=team.name, href=f"/teams/{team.slug}") for team in found)
    return Frame(
        site=site.settings.title,
        person=None if person is None else person.display_name,
        is_organiser=person is not None and person.role == "organiser",
        csrf=visitor.csrf,
        path=request.url.path,
        teams=teams,
        crumbs=tuple(crumbs),
        notices=tuple(notices),
    )


def board_crumbs(slug: str, title: str) -> tuple[Crumb, ...]:
    """The path to a page below a board."""
    return Crumb(text="Boards", href="/"), Crumb(text=title, href=f"/boards/{slug}")
