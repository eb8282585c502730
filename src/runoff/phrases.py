"""Parts of sentences that many modules write: counts with their nouns, lists of names, p-values, who leads."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun, in the plural where it needs one.

    >>> counted(1, "pair"), counted(2_000, "pair"), counted(0, "query", "queries")
    ('1 pair', '2,000 pairs', '0 queries')
    """
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def as_sentence(text: object) -> str:
    """A message, such as that of an error, as a sentence.

    >>> as_sentence("no file; choose one"), as_sentence(""), as_sentence("The campaign is a draft.")
    ('No file; choose one.', '', 'The campaign is a draft.')
    """
    words = str(text)
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}." if words else ""


def is_or_are(number: int) -> str:
    """The verb after a count."""
    return "is" if number == 1 else "are"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names in a sentence; of many the first ones.

    >>> listed(["ash", "oak", "fir"]), listed(["ash", "oak", "fir"], most=2)
    ('ash, oak and fir', 'ash, oak and 1 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def lead_text(names: Sequence[str]) -> str:
    """Who has the best mean: one run, or several that tie.

    >>> lead_text(["ash"]), lead_text(["ash", "oak"])
    ('ash leads', 'ash and oak tie for the lead')
    """
    return f"{names[0]} leads" if len(names) == 1 else f"{listed(names)} tie for the lead"


def p_text(p: float, level: float = 0.05) -> str:
    """A p-value as it is written in a sentence: four decimals, or as many as keep it on its side of the level.

    Below 0.0001 that is all that is said; where the level is below 0.0001 too, two digits or more of either.

    >>> p_text(0.04988), p_text(0.049996), p_text(0.00000123), p_text(0.9999), p_text(0.999999)
    ('p = 0.0499', 'p = 0.049996', 'p < 0.0001', 'p = 0.9999', 'p = 1')
    >>> p_text(0.00000123, 1e-9), p_text(2e-12, 1e-9), p_text(0.0, 1e-9)
    ('p = 1.2e-06', 'p = 2.0e-12', 'p < 1.0e-300')
    """
    if p > 0.99995:
        return "p = 1"
    if p < 0.0001:
        if level >= 0.0001:
            return "p < 0.0001"
        if p < 1e-300:
            return "p < 1.0e-300"
        texts = [f"{p:.{digits}e}" for digits in range(1, 17)]
    else:
        texts = [f"{p:.{digits}f}" for digits in range(4, 20)]
    return f"p = {next((text for text in texts if (float(text) < level) == (p < level)), p)}"
