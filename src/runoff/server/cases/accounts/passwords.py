"""Which new passwords are refused: what people choose first, and what follows from their name or address."""

from __future__ import annotations

import re
from typing import Final

from runoff.errors import UsageError
from runoff.server.store.access import check_length

BAD_WORDS: Final = tuple(
    re.findall(
        r"\w+",
        """
    correcthorsebatterystaple trustno1 iloveyou jesuschrist michaeljackson manchester liverpool barcelona
    realmadrid juventus chelsea arsenal starwars pokemon minecraft superman batman spiderman princess sunshine
    chocolate football baseball basketball dragon monkey shadow master freedom whatever computer internet
    samsung google facebook leaderboard passwort motdepasse contrasena password passwd passphrase pass
    kennwort geheim secret letmein welcome willkommen bienvenue administrator admin organiser organizer
    changeme default temporary example testing test guest login signin user hello runoff server summer winter
    spring autumn january february october november december monday friday sunday charlie michael jessica
    jordan daniel thomas london berlin paris madrid newyork blink182 access flower lovely love baby angel
    fuckyou fuck qwerty abc your this mypassword new the
    """,
    )
)
"""Written by hand; longer ones first where one holds another."""
ROWS: Final = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "yxcvbnm",
    "zxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6z7u",
    "1q2w3e4r5t6y7u",
)
"""What fingers find by themselves, forwards and backwards."""
SHORTEST_RUN: Final = 4
LEAST_OWN: Final = 6
"""Characters that have to be left without all these."""
LEAST_DIFFERENT: Final = 5
_LOOKS: Final = str.maketrans("013457@$!", "oieastasi")


def check_new_password(password: str, *, email: str, display_name: str) -> None:
    """Raise if a password is too short, or would be among the first guesses of somebody who knows whose it is.

    >>> check_new_password("a walnut under snow", email="ann@example.org", display_name="Ann")
    >>> check_new_password("P4ssword-2026!", email="ann@example.org", display_name="Ann")
    Traceback (most recent call last):
    ...
    runoff.errors.UsageError: this password is easy to guess: ...
    """
    check_length(password)
    own = [part for part in re.split(r"[\W_]+", f"{email} {display_name}".lower()) if len(part) > 2]
    text = re.sub(r"[\W_]+", "", password.lower())
    is_easy = len(set(text)) < LEAST_DIFFERENT
    # With digits as they are, and as the letters that they look like.
    for spelt in (text, re.sub(r"[\W_]+", "", password.lower().translate(_LOOKS))):
        is_easy |= len(_rest(spelt, own)) < LEAST_OWN
    if is_easy:
        raise UsageError(
            "this password is easy to guess: it is made of words that many choose, a row of keys, a date, your name or "
            "your address; choose another, such as four words that have nothing to do with each other"
        )


def _rest(text: str, own: list[str]) -> str:
    """What is left without known words, one's own names, rows of keys and years."""
    for word in (*sorted(own, key=len, reverse=True), *BAD_WORDS):
        text = text.replace(word, "")
    return re.sub(r"(19|20)\d\d", "", _without_rows(text))


def _without_rows(text: str) -> str:
    lines = [*ROWS, *(row[::-1] for row in ROWS)]
    left, place = "", 0
    while place < len(text):
        length = 0
        while place + length < len(text) and any(text[place : place + length + 1] in line for line in lines):
            length += 1
        if length < SHORTEST_RUN:
            left, length = left + text[place], 1
        place += length
    return left
