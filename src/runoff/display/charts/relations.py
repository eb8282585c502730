"""All lists of a small depth: how they compare, whatever the measure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from runoff.comparisons import AllSerpsResult, SerpOrdersResult
from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart, Words
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Kind, Spec
from runoff.display.charts._style import Palette
from runoff.errors import UsageError
from runoff.phrases import counted, is_or_are

DEEPEST: Final = 6
"""64 lists are 4,096 cells, the most that a page shows well."""


@dataclass(frozen=True, eq=False)
class RelationGrid(Matrix):
    """The relation of every list of k ranks to every other one; rows and columns are binary numbers, the worst first.

    Moffat & Mackenzie 2024, Figures 2 and 3, https://doi.org/10.1002/asi.24874
    """

    name: ClassVar = "relation_grid"
    description: ClassVar = "How every list of a small depth compares with every other one, whatever the measure."
    tips: ClassVar = (("row", "Row"), ("kind", "Is"), ("column", "Column"))

    all_serps: AllSerpsResult

    def __post_init__(self) -> None:
        check_drawable(self.all_serps.depth)

    def words(self) -> Words:
        result, lists = self.all_serps, len(self.all_serps.serps)
        ordered, free = int((result.relations == 1).sum()), np.argwhere(np.tril(result.relations == 2))
        example = f", such as {' and '.join(result.serps[place] for place in free[0].tolist())}" if len(free) else ""
        return Words(
            f"Which lists of {result.depth} must every measure order alike?",
            f"Of the {lists:,} lists of {result.depth}, every list equals itself, {ordered:,} pairs must be ordered "
            f"alike by every measure, and {len(free):,} {is_or_are(len(free))} non-separable{example}.",
            "1 is relevant, 0 is not, rank 1 first. The row's list against the column's",
            ("The row's list against the column's; columns are in the order of the rows.",),
        )

    def rows(self) -> Sequence[str]:
        return self.all_serps.serps

    def columns(self) -> Sequence[str]:
        return self.all_serps.serps

    def labels(self) -> tuple[str, ...]:
        return tuple(self.all_serps.serps)

    def kinds(self) -> Sequence[Kind]:
        return tuple(order_kinds(self.style.palette).values())

    def cell(self, row: int, column: int) -> Spec | None:
        kind = order_kinds(self.style.palette)[int(self.all_serps.relations[row, column])]
        return {"kind": kind.word}

    def cell_size(self, labels: tuple[str, ...], columns: int) -> tuple[float, float]:
        side = min(self.style.plot_width(labels[0]) / columns, self.style.sheet.row * 1.8)
        return side, side


def check_drawable(depth: int) -> None:
    """Refuse a depth at which there are too many lists for a picture."""
    if depth > DEEPEST:
        raise UsageError(f"the {2**depth:,} lists of {depth} are too many for a picture; expected a depth to {DEEPEST}")


def order_kinds(palette: Palette) -> dict[int, Kind]:
    """How one list compares with another, by the codes of `AllSerpsResult.relations`."""
    return {
        1: Kind("never worse", palette.first, "≥"),
        -1: Kind("never better", palette.second, "≤"),
        0: Kind("equal", palette.neutral, "="),
        2: Kind("non-separable", palette.strong, "×"),
    }


ACROSS: Final = 2
"""Panes beside each other."""
OVERLAP: Final = 0.15
"""How far a cell reaches below the next ones, which are drawn over it, so that no paper shows between them."""


@dataclass(frozen=True, eq=False)
class RelationOrders(Chart):
    """The relation of every list of k ranks to every other one; each pane has rows and columns by another measure.

    Where rows and columns have one order, the equal pairs are the diagonal; the farther they stray from it, the more
    the measures disagree, and Kendall's tau says how much.
    Moffat & Mackenzie 2024, Figure 3, https://doi.org/10.1002/asi.24874
    """

    name: ClassVar = "relation_orders"
    description: ClassVar = "How every list of a small depth compares with every other, in the orders of two measures."

    empty: ClassVar = "there are no orders to show; expected at least one"

    panes: Sequence[SerpOrdersResult]

    def __post_init__(self) -> None:
        super().__post_init__()
        for pane in self.panes:
            check_drawable(pane.depth)

    def words(self) -> Words:
        first = self.panes[0]
        free = int((first.relations == 2).sum()) // 2
        taus = "; ".join(f"{pane.rows} and {pane.columns} {pane.tau:.3f}" for pane in self.panes)
        return Words(
            f"How do measures order the lists of {first.depth}?",
            f"All {len(first.row_serps):,} lists of {first.depth}, in {counted(len(self.panes), 'pair')} of orders; "
            f"{counted(free, 'pair')} of lists {is_or_are(free)} non-separable in each. Kendall's tau between the "
            f"orders by two measures: {taus}.",
            "Every list against every other one, the worst first; τ is Kendall's, of the rows' and the columns' order",
            (
                "The row's list against the column's; columns are in the order that their measure gives.",
                vl.signs_note(order_kinds(self.style.palette).values()),
            ),
        )

    def text_lines(self, width: int) -> list[str]:
        kinds = order_kinds(self.style.palette)
        lines: list[str] = []
        for at, pane in enumerate(self.panes):
            lines += ["", _head(at, pane)[:width]]
            for serp, row in zip(pane.row_serps, pane.relations.tolist(), strict=True):
                lines.append(f"{serp}  {''.join(kinds[code].sign for code in row)}"[:width])
            room = width - pane.depth - 2
            if len(pane.row_serps) > room:
                lines.append(f"The first {room} of {len(pane.row_serps)} columns."[:width])
        return lines[1:]

    def view(self) -> Spec:
        """A square per pane, its rows as strips of equal relations."""
        style, kinds = self.style, order_kinds(self.style.palette)
        across = min(ACROSS, len(self.panes))
        gap = 3 * style.sheet.font
        side = (style.sheet.width - 4 * style.sheet.font - (across - 1) * gap) // across
        count = len(self.panes[0].row_serps)
        side = min(max(side // count, 1), style.sheet.row) * count  # whole pixels, so that no seams show
        colour = vl.colour_of([kinds[code] for code in (1, -1, 0, 2)], style)
        panes = [self._pane(at, pane, side, colour) for at, pane in enumerate(self.panes)]
        return {"concat": panes, "columns": across, "spacing": {"row": style.sheet.font, "column": gap}}

    def _pane(self, at: int, pane: SerpOrdersResult, side: int, colour: Spec) -> Spec:
        kinds, count = order_kinds(self.style.palette), len(pane.row_serps)
        values = []
        for top, codes in enumerate(pane.relations):
            starts = np.flatnonzero(np.diff(codes, prepend=codes[0] + 1)).tolist()
            for start, end in zip(starts, [*starts[1:], count], strict=True):
                place = {"top": top, "bottom": min(top + 1 + OVERLAP, count), "start": start}
                place["end"] = min(end + OVERLAP, count)
                columns, kind = _between(pane.column_serps[start:end]), kinds[int(codes[start])].word
                values.append({"row": pane.row_serps[top], "columns": columns, "kind": kind, **place})
        scale = vl.exactly(0, count)
        axis = {"labels": False, "ticks": False, "grid": False, "domain": False, "titlePadding": 4}
        encoding = {
            "x": vl.quantitative("start", f"by {pane.columns}", scale=scale, axis=axis),
            "x2": {"field": "end"},
            "y": vl.quantitative("top", f"by {pane.rows}", scale={**scale, "reverse": True}, axis=axis),
            "y2": {"field": "bottom"},
            "color": colour,
            "tooltip": vl.tooltip(("row", "Row"), ("kind", "Is"), ("columns", "Columns")),
        }
        title = vl.panel_title(f"({_letter(at)}) τ = {pane.tau:.3f}", self.style, color=self.style.palette.ink)
        return {"width": side, "height": side, "title": title, **vl.layer("rect", encoding, values, strokeWidth=0)}


def _head(at: int, pane: SerpOrdersResult) -> str:
    return f"({_letter(at)}) Rows by {pane.rows}, columns by {pane.columns}: τ = {pane.tau:.3f}"


def _letter(at: int) -> str:
    return chr(ord("a") + at % 26)


def _between(serps: Sequence[str]) -> str:
    return serps[0] if len(serps) == 1 else f"{serps[0]} to {serps[-1]}"


@dataclass(frozen=True, eq=False)
class Hasse(Chart):
    """The Hasse diagram of all lists of k ranks: a line up is a better list, and none is between its ends.

    Lists of one height have the same number of steps from the worst; those that no way up joins are non-separable.
    Moffat & Mackenzie 2024, Figure 1, https://doi.org/10.1002/asi.24874
    """

    name: ClassVar = "hasse"
    description: ClassVar = "Which lists of a small depth every measure must place above which others."

    all_serps: AllSerpsResult

    def __post_init__(self) -> None:
        check_drawable(self.all_serps.depth)

    def words(self) -> Words:
        result, levels = self.all_serps, self._levels
        several = [level for level in levels if len(level) > 1]
        widest = "Each level has one list: every two are ordered alike by all measures."
        if several:
            names = " and ".join(result.serps[place] for place in sorted(several[0]))
            widest = f"The first level with several has {names}; the widest has {max(map(len, several))} lists."
        return Words(
            f"The order of the lists of {result.depth} that all measures share",
            f"{len(result.serps):,} lists of {result.depth} on {len(levels):,} levels, from {result.serps[0]} to "
            f"{result.serps[-1]}, joined by {counted(int(result.covers.sum()), 'line')}. {widest}",
            "1 is relevant, 0 is not, rank 1 first. Every way up leads to lists that no measure scores lower",
            ("Steps from the worst list; the list; > the lists just below it.",),
        )

    @cached_property
    def _levels(self) -> list[tuple[int, ...]]:
        """The places of the lists by their steps from the worst, each level in the order with the fewest crossings."""
        found = self.all_serps
        levels = [np.flatnonzero(found.steps == step).tolist() for step in range(int(found.steps.max()) + 1)]
        ways = [list(itertools.permutations(level)) for level in levels]
        # Lines join neighbouring levels only, so the best order of all levels is found step by step.
        costs, comes_from = [0] * len(ways[0]), [[0] * len(way) for way in ways]
        for at in range(1, len(ways)):
            totals = []
            for here, order in enumerate(ways[at]):
                options = [
                    cost + self._crossings(order, below) for cost, below in zip(costs, ways[at - 1], strict=True)
                ]
                comes_from[at][here] = options.index(min(options))
                totals.append(min(options))
            costs = totals
        here, chosen = costs.index(min(costs)), []
        for at in reversed(range(len(ways))):
            chosen.append(ways[at][here])
            here = comes_from[at][here]
        return chosen[::-1]

    def _crossings(self, above: Sequence[int], below: Sequence[int]) -> int:
        """How many pairs of lines between two levels cross."""
        covers = self.all_serps.covers
        lines = [(high, low) for high, up in enumerate(above) for low, down in enumerate(below) if covers[up, down]]
        return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(lines, 2))

    def text_lines(self, width: int) -> list[str]:
        """A line per list, the best first: its level, and the lists just below it."""
        found = self.all_serps
        digits = len(str(len(self._levels) - 1))
        lines = []
        for step, level in reversed(list(enumerate(self._levels))):
            for at, place in enumerate(level):
                below = " ".join(found.serps[other] for other in np.flatnonzero(found.covers[place]).tolist()[::-1])
                number = f"{step:>{digits}}" if at == 0 else " " * digits
                lines.append(f"{number}  {found.serps[place]}{'  > ' if below else ''}{below}"[:width])
        return lines

    def view(self) -> Spec:
        """Lists as boxes on their levels, joined by lines."""
        result, style, palette = self.all_serps, self.style, self.style.palette
        box = style.text_width("0" * result.depth) + style.sheet.font
        room = style.sheet.width - 4 * style.sheet.font - 2 * box
        apart = min(box * 1.7, room / max(max(map(len, self._levels)) - 1, 1))
        height = style.sheet.row * 1.75
        where = {
            place: ((at - (len(level) - 1) / 2) * apart, step)
            for step, level in enumerate(self._levels)
            for at, place in enumerate(level)
        }
        free = (result.relations == 2).sum(axis=1).tolist()
        part = 0.6 if style.size == "print" else 1.0
        # A box is named in data units, of which one is a pixel across and `height` pixels up.
        tall = (style.sheet.font + 6 * part) / height
        boxes = [
            {"list": result.serps[place], "x": x, "step": step, "free": free[place]}
            | {"left": x - box / 2, "right": x + box / 2, "low": step - tall / 2, "high": step + tall / 2}
            for place, (x, step) in sorted(where.items())
        ]
        lines = [
            {"x": where[up][0], "step": where[up][1], "x2": where[down][0], "step2": where[down][1]}
            | {"above": result.serps[up], "below": result.serps[down]}
            for up, down in np.argwhere(result.covers).tolist()
        ]
        half, top = max(abs(x) for x, _ in where.values()) + box, len(self._levels) - 1
        wide = {"type": "quantitative", "axis": None, "scale": vl.exactly(-half, half)}
        ticks: Spec = {"tickCount": min(top + 1, 12), "tickMinStep": 1, "grid": False, "format": "d"}
        high = vl.numbers("Steps from the worst list", vl.exactly(-0.5, top + 0.5), **ticks)
        middle = {"x": {"field": "x", **wide}, "y": {"field": "step", **high}}
        edges = {"x": {"field": "left", **wide}, "x2": {"field": "right"}, "y": {"field": "low", **high}}
        tips = vl.tooltip(
            ("list", "List"), ("step", "Steps from the worst", None), ("free", "Non-separable from", None)
        )
        frame: Spec = {"color": palette.band, "stroke": palette.second, "cornerRadius": 3, "strokeWidth": 1.2 * part}
        joined = middle | {"x2": {"field": "x2"}, "y2": {"field": "step2"}}
        return vl.panel(
            half * 2,
            height * (top + 1),
            vl.layer("rule", joined, lines, color=palette.soft, strokeWidth=1.2 * part),
            vl.layer("rect", edges | {"y2": {"field": "high"}, "tooltip": tips}, boxes, **frame),
            vl.layer("text", middle | {"text": vl.text("list")}, boxes),
        )
