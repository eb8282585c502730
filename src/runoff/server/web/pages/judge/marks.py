"""Words of a question in the passages that may answer it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from typing import Final

Parts = tuple[str, ...]
"""A text in parts: the second, the fourth and so on are words of the question; together they are the text."""

_STOP_WORDS = (
    "a about after all also am an and any are as at be because been before between both but by can could did do does "
    "during each for from had has have he her his how i if in into is it its just may me might more most my no not of "
    "off on one only or other our out over own s same she should so some such t than that the their them then there "
    "these they this those to too under until up very was we were what when where which while who whom whose why will "
    "with would you your"
)
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
CONTROL: Final = {code: " " for code in range(32) if chr(code) not in "\n\t"} | {127: " ", 0x2028: "\n", 0x2029: "\n"}


def words_of(question: str) -> tuple[str, ...]:
    """The words of a question that are worth finding, longest first; letters keep the marks that belong to them.

    >>> words_of("What is the capital of Côte d'Ivoire?")
    ('capital', 'ivoire', 'côte')
    """
    found = ("".join(group).casefold() for is_word, group in groupby(question, _is_part) if is_word)
    worth = {word for word in found if word not in STOP_WORDS and (len(word) > 1 or not word.isascii())}
    return tuple(sorted(worth, key=lambda word: (-len(word), word)))


def marked_parts(text: str, words: Iterable[str]) -> Parts:
    """A text with these words apart, whole words in any case.

    >>> marked_parts("Capitals: the CAPITAL is Yamoussoukro.", ["capital"])
    ('Capitals: the ', 'CAPITAL', ' is Yamoussoukro.')
    """
    wanted = "|".join(re.escape(word) for word in words)
    if not wanted:
        return (text,)
    parts, start = [], 0
    for found in re.finditer(rf"(?<!\w)(?:{wanted})(?!\w)", text, re.IGNORECASE):
        # A mark that belongs to a letter is not a letter to `re`, so a word can end before it.
        if found.end() < len(text) and _is_part(text[found.end()]):
            continue
        if found.start() and _is_part(text[found.start() - 1]):
            continue
        parts += [text[start : found.start()], found.group()]
        start = found.end()
    return (*parts, text[start:])


def readable(text: str) -> str:
    r"""A text of a collection as a browser can show it: without control characters, in any script.

    >>> readable("a\x00b\r\nc")
    'a b\nc'
    """
    return text.replace("\r\n", "\n").translate(CONTROL)


def _is_part(char: str) -> bool:
    """Whether a character is part of a word: a letter, a digit, or a mark that belongs to one."""
    return char.isalnum() or unicodedata.category(char).startswith("M")
