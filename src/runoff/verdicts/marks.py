"""The marks † and ‡: a significant measure, and a vote of the queries on which every measure agrees."""

from __future__ import annotations

from typing import Final

from runoff.verdicts.facet import Direction, Facet

DAGGER: Final = "†"
"""The chosen measure's test is significant."""
DOUBLE_DAGGER: Final = "‡"
"""The IPSO sign test is significant too, and points the same way."""
NO_PROMISE: Final = (
    "‡ is no promise about all measures: it is a vote of the queries on which no measure can disagree, they may score "
    "both runs alike, and measures are free on the others."
)
"""What ‡ does not say (Moffat & Mackenzie 2024, section 3.5)."""


def marks(measure: Direction, ipso: Facet | None) -> str:
    """`†` if the measure's test is significant; `†‡` if the IPSO sign test is too, and points the same way.

    measure  the direction that the measure's test shows; 0 if none
    ipso     the IPSO sign test; None where IPSO does not bind the measure, or is not known

    The IPSO test is looked at only after the measure's. Moffat & Mackenzie 2024, section 3.6,
    https://doi.org/10.1002/asi.24874
    """
    if not measure:
        return ""
    return DAGGER + DOUBLE_DAGGER if ipso is not None and ipso.shown == measure else DAGGER
