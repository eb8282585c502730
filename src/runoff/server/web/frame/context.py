"""What a template is given: frozen values whose fields each say what they are."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import Any


def shown(help: str, default: Any = MISSING) -> Any:  # noqa: A002
    """A field of a page's context, with a sentence that says what the page shows there.

    >>> from dataclasses import dataclass, fields
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Badge:
    ...     text: str = shown("What the badge says.")
    >>> fields(Badge)[0].metadata["help"], Badge(text="new")
    ('What the badge says.', Badge(text='new'))
    """
    return field(metadata={"help": help}) if default is MISSING else field(default=default, metadata={"help": help})


@dataclass(frozen=True, kw_only=True)
class Crumb:
    """A link of the path to the page."""

    text: str = shown("What the link says.")
    href: str = shown("Where it leads, on this site.")


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What stands around every page: who looks at it, and where it is."""

    site: str = shown("The name of the site.", "runoff")
    person: str | None = shown("The name of the person who is signed in; None for everybody else.", None)
    is_organiser: bool = shown("Whether to show what organisers see.", False)
    is_assessor: bool = shown("Whether to show where assessors judge.", False)
    csrf: str = shown("The token that forms send along; empty for people who are not signed in.", "")
    path: str = shown("The address of the page, so that navigation marks it.", "/")
    teams: tuple[Crumb, ...] = shown("The teams of the person.", ())
    crumbs: tuple[Crumb, ...] = shown("The path to the page, the topmost first.", ())
    notices: tuple[str, ...] = shown("Sentences about what has just been done.", ())


@dataclass(frozen=True, kw_only=True)
class PageContext:
    """The context of a page; each page adds its own fields."""

    frame: Frame = shown("What stands around the page.")
