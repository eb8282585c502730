"""Characters that no text from outside may hold, because databases, pages and logs cannot take them."""

from __future__ import annotations

from unicodedata import category

from runoff.errors import UsageError


def check_characters(name: str, text: str) -> None:
    r"""Raise if a text holds a control character, except for tabs and line ends, or half of a surrogate pair.

    >>> check_characters("title", "two\nlines")
    >>> check_characters("title", "a" + chr(0))
    Traceback (most recent call last):
    ...
    runoff.errors.UsageError: title holds the character U+0000; expected text; remove it
    """
    if text.isprintable():
        return
    bad = min((letter for letter in text if category(letter) in {"Cc", "Cs"} and letter not in "\n\r\t"), default=None)
    if bad is not None:
        raise UsageError(f"{name} holds the character U+{ord(bad):04X}; expected text; remove it")
