"""What benchmarks print: Markdown tables, and targets that are met or missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Target:
    """A figure and what it should be.

    side  the side of the limit on which the figure should be
    """

    what: str
    side: Literal["at least", "below"]
    limit: float
    unit: str
    best: float
    median: float

    @property
    def verdict(self) -> str:
        """Met, when best and median are both on the right side; else which of them is."""
        verdicts = {(True, True): "met", (True, False): "met at best", (False, True): "met by median"}
        return verdicts.get((self._fits(self.best), self._fits(self.median)), "missed")

    def _fits(self, value: float) -> bool:
        return value >= self.limit if self.side == "at least" else value < self.limit


@dataclass(frozen=True)
class Section:
    """The outcome of a benchmark: a table, remarks, and targets."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    targets: Sequence[Target] = field(default_factory=tuple)


@dataclass(frozen=True)
class Scale:
    """How large the samples are and how often things are timed.

    small, main   queries of a small sample and of the one that matters
    growing       queries of samples that grow
    many          numbers of runs scored at once
    several       number of runs of a track, and their queries
    rounds        repeats of what takes seconds; slow_rounds of slow peers, quick_rounds of what takes less than one
    """

    small: int
    main: int
    growing: tuple[int, ...]
    many: tuple[int, ...]
    several: tuple[int, int]
    rounds: int
    slow_rounds: int
    quick_rounds: int


@dataclass(frozen=True)
class Benchmark:
    """A name for `--only`, what it does, and whether it is run without being asked for."""

    name: str
    measure: Callable[[Scale], Section]
    is_default: bool = True


def render_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; all but the first column are flush right."""
    widths = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first = cells[0].ljust(widths[0])
        others = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
        return f"| {' | '.join([first, *others])} |"

    rule = f"|{'-' * (widths[0] + 2)}|{'|'.join('-' * (width + 1) + ':' for width in widths[1:])}|"
    return "\n".join([line(header), rule, *(line(row) for row in rows)])


def render_section(section: Section) -> str:
    """A section as Markdown."""
    parts = [f"### {section.title}", render_table(section.header, section.rows)]
    if section.notes:
        parts.append("\n".join(f"- {note}" for note in section.notes))
    return "\n\n".join(parts)


def render_targets(targets: Sequence[Target]) -> str:
    """All targets as one table."""
    rows = [
        [
            target.what,
            f"{target.side} {target.limit:g} {target.unit}",
            f"{target.best:.3g}",
            f"{target.median:.3g}",
            target.verdict,
        ]
        for target in targets
    ]
    return render_table(["target", "wanted", "best", "median", "verdict"], rows)


def seconds(value: float) -> str:
    """A time with three digits that matter."""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def megabytes(value: float) -> str:
    """Bytes as millions."""
    return f"{value / 1e6:,.0f}"


def times(value: float, decimals: int = 1) -> str:
    """A ratio."""
    return f"{value:.{decimals}f}×"
