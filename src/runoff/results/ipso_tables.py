"""Agreement of IPSO with measures and tests as tables: in full, by depth, and the pairs on which they are opposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from runoff.display import Column, Grid
from runoff.display.grid import Value
from runoff.results.ipso_pairs import AgreementLine
from runoff.verdicts import AGREEMENTS, Agreement

WORDS: Final[Mapping[Agreement, tuple[str, str]]] = {
    "both_yes": ("Both yes", "the measure's test and IPSO are significant, for the same run."),
    "both_no": ("Both no", "neither is significant."),
    "measure_only": ("Measure only", "the measure's test is significant, IPSO is not."),
    "ipso_only": ("IPSO only", "IPSO is significant, the measure's test is not."),
    "opposite": ("Opposite", "both are significant, for different runs."),
}
"""The heading of each kind of pair, and what it means."""
DEFINITIONS: Final = tuple(f"{heading}: {meaning}" for heading, meaning in WORDS.values())
MOST_NAMED: Final = 20
"""Opposite cases that are named in a table; files have them all."""


def agreement_grid(lines: Sequence[AgreementLine], notes: Sequence[str]) -> Grid:
    """A row per depth, measure and test, with all kinds."""
    columns = [Column("depth", "Depth", "count"), Column("measure", "Measure"), Column("test", "Test")]
    columns += [Column(name, WORDS[name][0], "share", help=WORDS[name][1].capitalize()) for name in AGREEMENTS]
    rows: list[list[Value]] = [[line.depth, line.measure, line.test, *line.result.shares.values()] for line in lines]
    title = f"IPSO beside measures and tests: shares of {_pairs(lines)} pairs of runs"
    return Grid(title=title, columns=columns, rows=rows, notes=[*notes, *DEFINITIONS])


def by_depth_grids(lines: Sequence[AgreementLine], notes: Sequence[str]) -> tuple[Grid, ...]:
    """A row per measure and test, and a column per depth: how often they agree, and how often one alone says yes."""
    apart = "Both yes and both no apart, and opposite: --format csv."
    return (
        _by_depth("Both yes or both no", lines, lambda line: line.agree, [*notes, *DEFINITIONS, apart]),
        _by_depth("Measure only", lines, lambda line: line.result.shares["measure_only"]),
        _by_depth("IPSO only", lines, lambda line: line.result.shares["ipso_only"]),
    )


def _by_depth(
    title: str, lines: Sequence[AgreementLine], share: Callable[[AgreementLine], float], notes: Sequence[str] = ()
) -> Grid:
    found: dict[tuple[str, str], dict[int, float]] = {}
    for line in lines:
        found.setdefault((line.label, line.test), {})[line.depth] = share(line)
    depths = sorted({line.depth for line in lines})
    columns = [Column("measure", "Measure"), Column("test", "Test")]
    columns += [Column(f"depth_{depth}", f"k = {depth}", "share") for depth in depths]
    rows: list[list[Value]] = [[*key, *(by_depth[depth] for depth in depths)] for key, by_depth in found.items()]
    return Grid(title=f"{title}: shares of {_pairs(lines)} pairs of runs", columns=columns, rows=rows, notes=notes)


def opposite_grid(runs: Sequence[str], lines: Sequence[AgreementLine]) -> Grid:
    """The cases in which both tests are significant, but for different runs, by name."""
    kind = AGREEMENTS.index("opposite")
    places = np.triu_indices(len(runs), 1)
    rows: list[list[Value]] = []
    for line in lines:
        for at in np.flatnonzero(line.result.found == kind).tolist():
            first, second = (runs[side[at]] for side in places)
            by_measure, by_ipso = (second, first) if line.tests.favours[at] > 0 else (first, second)
            p, ipso_p = float(line.result.measure_p[at]), float(line.result.ipso_p[at])
            case = f"{line.measure}, {line.test}" + (f", depth {line.depth}" if line.label == line.measure else "")
            rows.append([case, by_measure, p, by_ipso, ipso_p])
    left = len(rows) - MOST_NAMED
    return Grid(
        title="Opposite: both are significant, for different runs",
        columns=[
            Column("case", "Measure and test"),
            Column("by_measure", "The measure's test is for"),
            Column("p", "p", "p"),
            Column("by_ipso", "IPSO is for"),
            Column("ipso_p", "p (IPSO)", "p"),
        ],
        rows=rows[:MOST_NAMED],
        notes=[f"{left:,} more cases: --per-pair --format csv."] if left > 0 else [],
    )


def _pairs(lines: Sequence[AgreementLine]) -> str:
    return f"{len(lines[0].result.found):,}"
