"""Notices after a form was sent: a word in the address of the next page selects the sentence that it shows."""

from __future__ import annotations

from typing import Final

DONE: Final = {
    "made": "The board was created. Teams can submit as soon as it opens.",
    "saved": "The settings were saved.",
    "rescore": "The settings were saved. Every run is being rescored; the board shows those that are done.",
    "labels": "The labels were added, and every run is being scored on them. The board uses them when you say so.",
    "first-labels": "The labels were added and are in use; every run is being scored on them.",
    "used": "The board ranks by these labels now.",
    "looking": "The search for near-duplicates has started. Reload the page in a while.",
    "retried": "The job waits for a worker again.",
    "withdrawn": "The invitation is withdrawn.",
    "revoked": "The token is revoked.",
    "closed": "The account is closed: its sessions have ended and its tokens are revoked.",
    "role": "The role is changed.",
    "removed": "They are no longer in the team.",
    "left": "You have left the team.",
    "team": "The team was created. Invite the others on its page.",
    "entry": "This run now represents the team.",
    "counts": "The run counts towards the submission limit.",
    "counts-not": "The run no longer counts towards the submission limit.",
    "campaign": "The draft was created. Its runs are being read; then you will see what it costs.",
    "drafted": "The draft was created.",
    "campaign-saved": "The campaign is changed.",
    "texts": "The texts were added. Assessors read them instead of ids.",
    "started": "The campaign is open. Invite assessors with a link.",
    "starting": "The plan is being made. The campaign opens by itself when it is done.",
    "paused": "The campaign is paused: no more tasks are given. Tasks that assessors already have can be finished.",
    "resumed": "The campaign is open again.",
    "ended": "The campaign is closed. Its judgments stay, and it can be opened again.",
    "extended": "The campaign asks for more. What was judged stays.",
    "extending": "The larger plan is being made. What was judged stays.",
    "looking-on": "Runs are being read. You see what the extension takes when they are.",
    "link-gone": "The link was withdrawn. People who already joined stay.",
    "reinstated": "They get tasks again.",
    "pairs-drawn": "Test pairs are drawn. Look at them before the start.",
    "pairs-added": "The test pairs are added. New tasks have them.",
    "pair-removed": "The test pair is removed. It no longer decides anything, even in tasks that contain it.",
    "imported": "The judgments were imported. They count like the others.",
    "version": "The version was created, and every run is being scored on it. The board uses it when you say so.",
}


def done_words(word: str) -> tuple[str, ...]:
    """The sentence of a word in an address; none for an unknown word, because anybody can write an address.

    >>> done_words("used"), done_words("<b>")
    (('The board ranks by these labels now.',), ())
    """
    return (DONE[word],) if word in DONE else ()
