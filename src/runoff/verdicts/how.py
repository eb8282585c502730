"""How one run differs from another, in a few words: more or fewer documents, sooner or later."""

from __future__ import annotations

from typing import Final

from runoff.verdicts.facet import Direction

MORE: Final = {1: "more", -1: "fewer"}
SOONER: Final = {1: "sooner", -1: "later"}


def how_words(more: Direction, sooner: Direction) -> tuple[str, ...]:
    """What is shown of the two facets: `more` or `fewer`, `sooner` or `later`.

    >>> how_words(1, -1), how_words(0, 0)
    (('more', 'later'), ())
    """
    return tuple(words[side] for words, side in ((MORE, more), (SOONER, sooner)) if side)


def against_last(words: tuple[str, ...], side: Direction) -> tuple[str, ...]:
    """Words that point to a side, and then those that point to the other one, after a `but`.

    >>> against_last(("more", "later"), -1), against_last(("fewer", "later"), -1)
    (('later', 'but more'), ('fewer', 'later'))
    """
    along = {MORE[side], SOONER[side]} if side else set(words)
    return (*(word for word in words if word in along), *(f"but {word}" for word in words if word not in along))


def spoken(verdict: str, how: tuple[str, ...]) -> str:
    """A verdict with its how.

    >>> spoken("worse", ("fewer", "later")), spoken("worse", ("but more",)), spoken("worse", ("by AP alone",))
    ('worse: fewer, later', 'worse, but more', 'worse, by AP alone')
    """
    if not how:
        return verdict
    return f"{verdict}{', ' if how[0].startswith(('but ', 'by ')) else ': '}{', '.join(how)}"
