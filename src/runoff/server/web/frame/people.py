"""People on pages: who has an account of their own, and a one-time link that was just made for somebody."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.cases.judging.enter import is_without_account
from runoff.server.cases.reads import IMPORTER, Person
from runoff.server.site import Site


@dataclass(frozen=True, kw_only=True)
class ShownLink:
    """A one-time link: its address is shown this once; `mailed` if it is sent to `email` too."""

    address: str
    email: str
    mailed: bool


def new_link(site: Site, token: str, email: str) -> ShownLink:
    """The link of a token that was just drawn."""
    address = f"{site.settings.base_url}/links/{token}"
    return ShownLink(address=address, email=email, mailed=bool(site.settings.mail))


def has_own_account(person: Person) -> bool:
    """Whether a person can sign in: not the account that imports boards, and no assessor of a link."""
    return person.email != IMPORTER and not is_without_account(person)
