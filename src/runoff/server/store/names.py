"""Names that come from outside, brought into the one form in which they are stored and looked up."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from runoff.errors import UsageError

LONGEST_EMAIL: Final = 254
LONGEST_NAME: Final = 100
LONGEST_KEY: Final = 400
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_SLUG: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?")
# Letters of other alphabets (Cyrillic, Greek, Armenian) that look like one of ours, each after that one. Fullwidth,
# bold and similar forms are not here: Unicode says itself what they stand for.
_LOOKS_LIKE: Final = (
    "aаАαΑɑ bвВьЬβΒ cсСϲϹ dԁԀ eеЕεΕҽєЄ fϝϜ gɡԍԌ hһҺнНΗ iіІιΙıɩ jјЈϳ kкКκΚ lӏӀǀ mмМΜ nпΝηոռ oоОοΟσօՕ pрРρΡ qԛԚ rг sѕЅ "
    "tтТτΤ uυս vνѵѴ wԝԜωѡѠ xхХχΧ yуУγΥүҮ zΖ 3зЗӡ 6б"
)
_OURS: Final = str.maketrans({other: group[0] for group in _LOOKS_LIKE.split() for other in group[1:]})
# In one case or the other, i, l and 1 look the same, and so do o and 0.
_CONFUSED: Final = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
# Accents, and what is not seen at all: joiners, fillers, selectors of a variant.
_UNSEEN: Final = re.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
    "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u180b-\u180f\u2800\U000e0100-\U000e01ef]"
)


def clean_email(email: str) -> str:
    """An address without outer spaces, in small letters.

    >>> clean_email(" Ann@Example.org ")
    'ann@example.org'
    """
    cleaned = email.strip().lower()
    if not _EMAIL.fullmatch(cleaned) or len(cleaned) > LONGEST_EMAIL or not cleaned.isprintable():
        raise UsageError(f"{email!r} is not an email address; expected one such as ann@example.org")
    return cleaned


def clean_slug(slug: str) -> str:
    """A name that is safe in the address of a page; it is refused, not changed.

    >>> clean_slug("msmarco-passage")
    'msmarco-passage'
    """
    if not _SLUG.fullmatch(slug):
        raise UsageError(
            f"{slug!r} cannot be part of an address; expected 1 to 60 of a-z, 0-9 and hyphens inside; "
            "write one such as msmarco-passage"
        )
    return slug


def clean_name(name: str) -> str:
    """A name for people to read: one line without outer spaces.

    >>> clean_name("  Anserini   team ")
    'Anserini team'
    """
    cleaned = " ".join(name.split())
    if not 0 < len(cleaned) <= LONGEST_NAME or not cleaned.isprintable():
        raise UsageError(
            f"{name!r} cannot be a name; expected 1 to {LONGEST_NAME} printable characters on one line; choose another"
        )
    return cleaned


def name_key(name: str) -> str:
    """What two names have in common that look alike: no case, accents, spaces or punctuation, one alphabet.

    It is a key to compare by, not a name to show; a small table of common letters, not all of Unicode's confusables.

    >>> name_key("Oaks & Elms") == name_key("ОАKS  &  Еlms."), name_key("Oaks") == name_key("Oaks 2")
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", unicodedata.normalize("NFKD", name)))
    folded = _UNSEEN.sub("", unicodedata.normalize("NFKD", plain.translate(_OURS).casefold())).translate(_CONFUSED)
    shown = "".join(letter for letter in folded if unicodedata.category(letter)[0] not in "ZPC")
    key = shown.replace("rn", "m").replace("vv", "w")
    if not 0 < len(key) <= LONGEST_KEY:
        raise UsageError(f"{name[:LONGEST_NAME]!r} cannot be a name; expected letters or digits; choose another")
    return key
