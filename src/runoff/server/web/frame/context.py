"""Values that templates get: named rows, links, and the frame of a page."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace


class Row(SimpleNamespace):
    """Named values for a template: a whole page, or one row of a table."""


@dataclass(frozen=True, kw_only=True)
class Crumb:
    """A link of the path to the page."""

    text: str
    href: str


@dataclass(frozen=True, kw_only=True)
class PageFrame:
    """The parts around every page: who is signed in, navigation, and notices about what was just done.

    person   the name of the person who is signed in; None for everybody else
    csrf     the token that forms send along; empty for people who are not signed in
    path     the address of the page, so that navigation marks it
    crumbs   the path to the page, the topmost first
    """

    site: str = "runoff"
    person: str | None = None
    is_organiser: bool = False
    is_assessor: bool = False
    csrf: str = ""
    path: str = "/"
    teams: tuple[Crumb, ...] = ()
    crumbs: tuple[Crumb, ...] = ()
    notices: tuple[str, ...] = ()
