"""The frame of a page for whoever asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.server.site import Site
from runoff.server.web.frame.context import Crumb, PageFrame
from runoff.server.web.visitors import Visitor


def frame_of(
    site: Site, visitor: Visitor, *, path: str = "", crumbs: Sequence[Crumb] = (), notices: Sequence[str] = ()
) -> PageFrame:
    """The parts around a page; `path` is its address, so that navigation marks it."""
    person = visitor.person
    return PageFrame(
        site=site.settings.title,
        person=None if person is None else person.display_name,
        is_organiser=person is not None and person.role == "organiser",
        is_assessor=person is not None and person.role == "assessor",
        csrf=visitor.csrf,
        path=path,
        teams=tuple(Crumb(text=team.name, href=f"/teams/{team.slug}") for team in visitor.teams),
        crumbs=tuple(crumbs),
        notices=tuple(notices),
    )


def board_crumbs(slug: str, title: str) -> tuple[Crumb, ...]:
    """The path to a page below a board."""
    return Crumb(text="Boards", href="/"), Crumb(text=title, href=f"/boards/{slug}")
