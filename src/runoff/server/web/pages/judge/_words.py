"""What an assessor is told, in sentences."""

from __future__ import annotations

from typing import Final

SAID: Final = {
    "task": "Thank you. The task is handed in.",
    "stale": "Something had changed meanwhile, so that was not needed. This is where you are.",
    "undone": "The last choice is taken back.",
    "consent": "The text was changed meanwhile. Please read it again.",
}
"""By the word at the end of an address; anybody can write one, so other words say nothing."""

FAILED: Final = (
    "Thank you for your time. For some questions the answer is known beforehand, and in your last task at least one of "
    "your choices was a different one. So that task cannot be used, and there are no further ones for you here."
)
NOT_TOUCHED: Final = (
    "Tasks that you handed in before are not touched by this. If you think that it is a mistake, please tell the "
    "organisers: they can look at it and let you go on."
)
STATES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "no consent": ("Before you begin", ()),
    "new consent": (
        "The text that you agreed to has changed",
        ("Please read the new one before your next task. What you have done so far stays as it is.",),
    ),
    "ready": ("Ready when you are", ()),
    "draft": ("Not open yet", ("The organisers are still preparing this. Please come back later.",)),
    "paused": (
        "A break",
        ("The organisers have paused this for now. What you have done is kept. Come back later, or finish here.",),
    ),
    "closed": (
        "This has ended",
        ("The organisers have all they need, and there are no more tasks. Thank you for your help.",),
    ),
    "left": ("Thank you", ("You have finished here, and get no more tasks.",)),
    "stopped": ("No more tasks", (FAILED, NOT_TOUCHED)),
}
"""Heading and sentences of each state."""


EMPTY: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "nothing": (
        "No more work now",
        ("There is no more work for you now. You have done everything that is open to you; thank you.",),
    ),
    "wait": (
        "Nothing just now",
        ("What comes next depends on what others choose. Look again in a few minutes, or finish here.",),
    ),
}
"""Heading and sentences where a task was asked for and there was none, by the reason."""


def said(word: str) -> tuple[str, ...]:
    """The sentence of a word in an address.

    >>> said("task"), said("<b>")
    (('Thank you. The task is handed in.',), ())
    """
    return (SAID[word],) if word in SAID else ()
