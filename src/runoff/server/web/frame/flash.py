"""What has just been done, in sentences: an answer leads to a page with a word in its address."""

from __future__ import annotations

from typing import Final

DONE: Final = {
    "made": "The board is made. Teams can submit as soon as it is open.",
    "saved": "The settings are changed.",
    "rescore": "The settings are changed. Every run is scored again; the board shows those that are done.",
    "labels": "The labels are added, and every run is now being scored on them. They are used when you say so.",
    "first-labels": "The labels are added and in use; every run is now being scored on them.",
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
    "entry": "This run stands for the team now.",
    "counts": "The run counts for the rule.",
    "counts-not": "The run does not count for the rule any more.",
    "campaign": "The draft is made. Its runs are being read; then you see what it will cost.",
    "drafted": "The draft is made.",
    "campaign-saved": "The campaign is changed.",
    "texts": "The texts are there. Assessors read them in place of ids.",
    "started": "The campaign is open. Invite assessors with a link.",
    "starting": "The plan is being made. The campaign opens by itself when it is done.",
    "paused": "The campaign is paused: no more tasks are given. Those in the hands of assessors can be finished.",
    "resumed": "The campaign is open again.",
    "ended": "The campaign is closed. Its judgments stay, and it can be opened again.",
    "extended": "The campaign asks for more. What was judged stays.",
    "extending": "The larger plan is being made. What was judged stays.",
    "looking-on": "Runs are being read. You see what the extension takes when they are.",
    "link-gone": "The link is withdrawn. Who came in by it stays.",
    "reinstated": "They get tasks again.",
    "pairs-drawn": "Test pairs are drawn. Look at them before the start.",
    "pairs-added": "The test pairs are added. New tasks have them.",
    "pair-removed": "The test pair is removed. It decides nothing any more, also in tasks that hold it.",
    "imported": "The judgments are in. They count with the others.",
    "version": "The version is made, and every run is now being scored on it. It is used when you say so.",
}


def done_words(word: str) -> tuple[str, ...]:
    """The sentence of a word in an address; none for an unknown word, because anybody can write an address.

    >>> done_words("used"), done_words("<b>")
    (('The board ranks by these labels now.',), ())
    """
    return (DONE[word],) if word in DONE else ()
