"""Names that come from outside, brought into the one form in which they are stored and looked up."""

from __future__ import annotations

import re
from typing import Final

from runoff.errors import UsageError

LONGEST_EMAIL: Final = 254
LONGEST_NAME: Final = 100
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_SLUG: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?")


def clean_email(email: str) -> str:
    """An address without outer spaces, in small letters.

    >>> clean_email(" Ann@Example.org ")
    'ann@example.org'
    """
    cleaned = email.strip().lower()
    if not _EMAIL.fullmatch(cleaned) or len(cleaned) > LONGEST_EMAIL or not cleaned.isprintable():
        raise UsageError(f"{email!r} is not an email address; expected one such as ann@example.org")
    return cleaned


def clean_slug(slug: str) -> str:
    """A name that is safe in the address of a page; it is refused, not changed.

    >>> clean_slug("msmarco-passage")
    'msmarco-passage'
    """
    if not _SLUG.fullmatch(slug):
        raise UsageError(
            f"{slug!r} cannot be part of an address; expected 1 to 60 of a-z, 0-9 and hyphens inside; "
            "write one such as msmarco-passage"
        )
    return slug


def clean_name(name: str) -> str:
    """A name for people to read: one line without outer spaces.

    >>> clean_name("  Anserini   team ")
    'Anserini team'
    """
    cleaned = " ".join(name.split())
    if not 0 < len(cleaned) <= LONGEST_NAME or not cleaned.isprintable():
        raise UsageError(
            f"{name!r} cannot be a name; expected 1 to {LONGEST_NAME} printable characters on one line; choose another"
        )
    return cleaned
