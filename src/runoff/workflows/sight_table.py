"""What a comparison could have shown with its queries, as a table and under keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.reports import Column, Grid
from runoff.verdicts import Sight

NAMES: Final = {
    "measure": "Difference of the means",
    "answered": "Share of queries only one answers",
    "earlier": "Difference of mean ranks",
    "ipso": "Share of the IPSO vote",
}


def sight_grid(sights: Sequence[Sight]) -> Grid | None:
    """A row per facet: what was observed, what would be seen, and the queries that the observed value needs."""
    if not sights:
        return None
    first = sights[0]
    return Grid(
        title=f"What these queries could have shown, with {first.power:.0%} power at {first.level:.4g}",
        columns=[
            Column("what", "What"),
            Column("n", "Queries", "count", help="Those that the difference or the vote rests on."),
            Column("observed", "Observed", "number"),
            Column("smallest", "Seen from", "number", help="The smallest true value that would be found."),
            Column("shown", "Shown"),
            Column("needed", "Queries needed", "count", help="Of this kind, if the observed value is the true one."),
        ],
        rows=[
            [NAMES[one.facet], one.n, one.observed, one.smallest, "yes" if one.shown else "no", one.needed]
            for one in sights
        ],
        notes=[
            (
                "What is smaller than seen from may be there without being shown. Queries needed take what was "
                "observed for the truth: a guide for planning, and no finding."
            )
        ],
    )


def sight_dict(sights: Sequence[Sight]) -> dict[str, object]:
    """The keys of `resolution` in JSON."""
    known: dict[str, object] = {one.facet: one.to_dict() for one in sights}
    if sights:
        known = {"level": sights[0].level, "power": sights[0].power, **known}
    return known
