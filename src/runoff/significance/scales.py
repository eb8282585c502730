"""Which tests the scale type of a measure permits, under the conservative reading of measurement theory."""

from __future__ import annotations

from runoff.measures import Scale
from runoff.significance._base import SignificanceTest

SCALES: tuple[Scale, ...] = ("ordinal", "interval", "ratio")
"""The scale types, each permitting all that those before it do.

Stevens 1946, On the theory of scales of measurement, https://doi.org/10.1126/science.103.2684.677
"""


def permitted(test: SignificanceTest, scale: Scale) -> bool:
    """Whether scores of this scale type may be compared by this test.

    >>> from runoff.significance import BY_NAME
    >>> permitted(BY_NAME["t"], "ordinal"), permitted(BY_NAME["sign"], "ordinal"), permitted(BY_NAME["t"], "ratio")
    (False, True, True)
    """
    return SCALES.index(scale) >= SCALES.index(test.needs)


def permission_reason(test: SignificanceTest, scale: Scale) -> str:
    """Why a test is permitted for scores of this scale type or not, in one sentence.

    >>> from runoff.significance import BY_NAME
    >>> permission_reason(BY_NAME["t"], "ordinal")
    't needs interval scores, because it takes means of differences; these are ordinal, so it is not permitted.'
    """
    answer = "permitted" if permitted(test, scale) else "not permitted"
    return f"{test.name} needs {test.needs} scores, because {test.needs_reason}; these are {scale}, so it is {answer}."
