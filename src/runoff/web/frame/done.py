"""What has just been done, in sentences: an answer leads to a page with a word in its address."""

from __future__ import annotations

from typing import Final

DONE: Final = {
    "made": "The board is made. Teams can submit as soon as it is open.",
    "saved": "The settings are changed.",
    "rescore": "The settings are changed. Every run is scored again; the board shows those that are done.",
    "labels": "The labels are added, and every run is scored on them. They are used when you say so.",
    "first-labels": "The labels are added and in use; every run is scored on them.",
    "used": "The board ranks by these labels now.",
    "looking": "The near-duplicates are being looked for. Load the page again in a while.",
    "retried": "The job waits for a worker again.",
    "withdrawn": "The invitation is withdrawn.",
    "revoked": "The token is revoked.",
    "closed": "The account is closed: its sessions have ended and its tokens are revoked.",
    "role": "The role is changed.",
    "removed": "They are no longer in the team.",
    "left": "You have left the team.",
    "team": "The team is made. Invite the others on its page.",
    "counts": "The run counts for the rule.",
    "counts-not": "The run does not count for the rule any more.",
}


def done_words(word: str) -> tuple[str, ...]:
    """The sentence of a word in an address; none for an unknown word, because anybody can write an address.

    >>> done_words("used"), done_words("<b>")
    (('The board ranks by these labels now.',), ())
    """
    return (DONE[word],) if word in DONE else ()
