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
    "password": "Your new password is set. Your other sessions have ended, and your API tokens are revoked.",
    "revoked": "The token is revoked.",
    "closed": "The account is closed: its sessions have ended and its tokens are revoked.",
    "role": "The role is changed.",
    "removed": "They are no longer in the team.",
    "left": "You have left the team.",
    "team": "The team was created.",
    "approved": "The team can submit and invite now.",
    "refused": "The team was removed.",
    "entry": "This run now represents the team.",
    "counts": "The run counts towards the submission limit.",
    "counts-not": "The run no longer counts towards the submission limit.",
    "campaign": "The draft was created. Its runs are being read; then you will see what it costs.",
    "drafted": "The draft was created.",
    "campaign-saved": "The settings were saved.",
    "texts": "The texts were uploaded. Assessors will see them instead of ids.",
    "started": "The campaign is open. Invite assessors with a link.",
    "starting": "The plan is being made. The campaign opens as soon as it is ready.",
    "paused": "The campaign is paused: no more tasks are given out. Assessors can finish the tasks they have.",
    "resumed": "The campaign is open again.",
    "ended": "The campaign is closed. Its judgments stay, and you can open it again.",
    "extended": "The campaign was extended. Earlier judgments stay.",
    "extending": "The larger plan is being made. Earlier judgments stay.",
    "looking-on": "Runs are being read. Then you will see what the extension would take.",
    "link-gone": "The link was withdrawn. People who already joined stay.",
    "deleted-person": "The person's data were deleted. What they did stays under a number. Backups still hold it.",
    "released": "The worker can come in from another browser, once within a day. Their earlier sessions have ended.",
    "reinstated": "The assessor gets tasks again.",
    "pairs-drawn": "Test pairs were drawn. Check them before you start.",
    "pairs-added": "The test pairs were added. New tasks will contain them.",
    "pair-removed": "The test pair is switched off. It no longer counts, even in tasks that contain it.",
    "pair-restored": "The test pair is switched off. The people who were barred for it get tasks again; their answers "
    "count and are paid.",
    "imported": "The judgments were imported. They count like the others.",
    "version": "The version was created, and every run is being scored on it. The board uses it when you say so.",
}


def done_words(word: str) -> tuple[str, ...]:
    """The sentence of a word in an address; none for an unknown word, because anybody can write an address.

    >>> done_words("used"), done_words("<b>")
    (('The board ranks by these labels now.',), ())
    """
    return (DONE[word],) if word in DONE else ()
