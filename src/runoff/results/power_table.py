"""What a comparison could have shown with its queries, as a table and under keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from runoff.boards.resolution import resolution
from runoff.display import Column, Grid
from runoff.significance import BY_NAME
from runoff.tables.scores import Scores
from runoff.verdicts import Policy, Power
from runoff.verdicts.power import POWER

NAMES: Final = {
    "measure": "Difference of the means",
    "more": "Share of queries with more found",
    "sooner": "Difference of search lengths",
    "ipso": "Share of the IPSO vote",
}
NEEDED: Final = Column(
    "needed", "Queries needed", "count", is_needed=True, help="In all, if the observed value is the true one."
)


def power_grid(powers: Sequence[Power]) -> Grid | None:
    """A row per facet: what was observed, what would be seen, and the queries that the observed value needs."""
    if not powers:
        return None
    first = powers[0]
    return Grid(
        title=f"Smallest detectable differences, with {first.power:.0%} power",
        columns=[
            Column("what", "What"),
            Column("test", "Test"),
            Column("level", "Level", help="Alpha, divided by the number of tests that are corrected together."),
            Column("n", "Queries", "count", help="Those that the difference or the vote rests on."),
            Column("observed", "Observed", "number"),
            Column("smallest", "Detectable", "number", help="The smallest true value that would be found."),
            Column("shown", "Shown"),
            NEEDED,
        ],
        rows=[
            [
                NAMES[one.facet],
                BY_NAME[one.test].label,
                f"{one.level:.2g}",
                one.n,
                one.observed if one.n else None,
                one.smallest,
                "yes" if one.shown else "no",
                one.needed,
            ]
            for one in powers
        ],
        notes=[
            (
                "Smaller differences usually go undetected. Queries needed are the size of the whole set, with the "
                "queries that a row leaves out, and assume that what was observed is the truth: a guide for planning."
            )
        ],
    )


def power_dict(powers: Sequence[Power]) -> dict[str, object]:
    """The keys of `resolution` in JSON."""
    known: dict[str, object] = {one.facet: one.to_dict() for one in powers}
    if powers:
        known = {"level": powers[0].level, "power": powers[0].power, **known}
    return known


def seen_from(power: Power | None) -> float | None:
    """The smallest difference that is found with 80% power; None where that is not known."""
    return None if power is None else power.smallest


def seen_of(scores: Sequence[Scores | None], policy: Policy) -> tuple[float | None, ...]:
    """The smallest difference that a t test finds with 80% power, per pair, where p-values are corrected over all."""
    level = policy.alpha if policy.correction == "none" else policy.alpha / max(len(scores), 1)

    def smallest(one: Scores | None) -> float | None:
        values = None if one is None else one.values[~np.isnan(one.values).any(axis=1)]
        if values is None or len(values) < 2:
            return None
        return resolution(*values.T, level=level, power=POWER).smallest or None

    return tuple(smallest(one) for one in scores)


def unseen_text(powers: Sequence[Power]) -> str:
    """What the test of the measure could have detected, where it shows nothing."""
    return " ".join(one.sentence for one in powers if one.facet == "measure")
