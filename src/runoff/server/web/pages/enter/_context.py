"""What the page of a link for assessors shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.frame.context import PageContext, shown


@dataclass(frozen=True, kw_only=True)
class EnterPage(PageContext):
    """What is asked of an assessor; nothing has happened yet."""

    token: str = shown("What the link stands for in addresses.")
    title: str = shown("The title of the campaign.")
    state: str = shown("draft, open, paused or closed.")
    instructions: str = shown("How to judge, by the organisers.")
    consent: str = shown("What an assessor agrees to.")
    consent_hash: str = shown("Tells that text from any other.")
    pairs_per_task: int = shown("How many pairs a task has at most.")
    minutes: int = shown("How long a task may take, about, in minutes.")
    pay: str = shown("What a task pays; empty if nothing.")
    site_name: str = shown("The crowdsourcing site that the link is for; empty for an invitation.")
    worker: str = shown("The worker id that the site has sent along; empty if none.")
    reference: str = shown("The site's number of the assignment; empty if none.")
    is_preview: bool = shown("Whether the site shows the page before the work was accepted.")
    is_known: bool = shown("Whether this person came in and agreed before.")
    is_member: bool = shown("Whether a member of a team is signed in, who comes in as another person.")
    problem: str = shown("Why nobody came in; empty if nothing is wrong.", "")
