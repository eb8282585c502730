"""A page for whoever asked for it: its template in the frame that all pages have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fastapi.responses import HTMLResponse

from runoff.server.cases.reads import StoredBoard
from runoff.server.site import Site
from runoff.server.web.frame.context import Crumb, PageFrame
from runoff.server.web.frame.flash import done_words
from runoff.server.web.frame.render import environment
from runoff.server.web.visitors import Visitor


def show_page(
    template: str,
    site: Site,
    visitor: Visitor,
    *,
    path: str = "",
    crumbs: Sequence[Crumb] = (),
    done: str = "",
    notices: Sequence[str] = (),
    status: int = 200,
    **values: Any,
) -> HTMLResponse:
    """A page as an answer; the template knows the values by their names.

    path  its address, so that navigation marks it
    done  the word in an address that says what has just been done
    """
    frame = frame_of(site, visitor, path=path, crumbs=crumbs, notices=(*done_words(done), *notices))
    return HTMLResponse(environment().get_template(template).render(frame=frame, **values), status_code=status)


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


HOME: Final = Crumb(text="Boards", href="/")


def board_crumbs(slug: str, title: str) -> tuple[Crumb, ...]:
    """The path to a page below a board."""
    return HOME, Crumb(text=title, href=f"/boards/{slug}")


def organise_crumbs(board: StoredBoard) -> tuple[Crumb, ...]:
    """The path to a page below the organisers' view of a board."""
    return *board_crumbs(board.slug, board.title), Crumb(text="Organise", href=f"/boards/{board.slug}/organise")
