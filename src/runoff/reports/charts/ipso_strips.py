"""The relation of two runs at every depth: a strip per query, or the shares of all queries where they are many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from runoff.comparisons import IpsoResult
from runoff.comparisons.ipso import GROUPS
from runoff.reports.cells import visible
from runoff.reports.charts._base import Chart, Spec
from runoff.reports.charts._labels import fit, short_labels, shorten, shown_name
from runoff.reports.charts._style import Palette

NAMED: Final = 60
"""With at most so many queries each is named beside its strip."""
STRIPS: Final = 400
"""With more queries than this there are no strips, but shares by depth."""
ORDER: Final = ("ns", "equal", "ni", "nonseparable")
"""The columns of `IpsoResult.counts`."""
CELLS: Final = {"ni": "█", "equal": "·", "ns": "▒", "nonseparable": "*"}
STACKED: Final = ("ni", "equal", "nonseparable", "ns")
"""From the bottom up: what favours the first run, what favours nobody, what favours the second."""

GROUP_WORDS: Final = {"nonseparable_ns": "nonseparable", "nonseparable_ni": "nonseparable"} | {
    name: name for name in ("ns", "equal", "ni")
}
"""What a group of queries ends as; on which side a non-separable one began, its strip shows."""


@dataclass(frozen=True, eq=False)
class IpsoStrips(Chart):
    """The innate pairwise orderings of two runs by depth, in the five groups of the paper.

    Moffat & Mackenzie 2024, Figures 5 and 6, https://doi.org/10.1002/asi.24874

    strips  the most queries that are drawn as strips; with more, the shares of all queries at each depth
    """

    name: ClassVar = "ipso_strips"
    description: ClassVar = "At each depth, on which queries every reasonable measure must favour the same run."

    ipso: IpsoResult
    strips: int = STRIPS

    @property
    def _is_strips(self) -> bool:
        return self.ipso.topics <= self.strips

    @property
    def _words(self) -> dict[str, str]:
        first, second = (shorten(visible(name), self.style.sheet.label) for name in (self.ipso.first, self.ipso.second))
        return {"ni": f"for {first}", "equal": "equal", "nonseparable": "non-separable", "ns": f"for {second} "
                if first == second else f"for {second}"}  # fmt: skip

    @property
    def title(self) -> str:
        """Who is compared."""
        first, second = (shorten(name, 40) for name in (self.ipso.first, self.ipso.second))
        return f"Where must every measure agree? {first} and {second}"

    @property
    def subtitle(self) -> str:
        """Queries, and whether they are strips."""
        found = self.ipso
        queries = f"{found.topics:,} {'query' if found.topics == 1 else 'queries'}"
        if self._is_strips:
            return f"{queries}, a strip for each, in the five groups of Moffat & Mackenzie"
        return f"Shares of {queries} at each depth"

    def text_alternative(self) -> str:
        """The counts at the full depth, and the groups."""
        found, last = self.ipso, self.ipso.at_depth
        queries = f"{found.topics:,} {'query' if found.topics == 1 else 'queries'}"
        return (
            f"To depth {found.depth}, of {queries}, no reasonable measure can score {shown_name(found.first)} lower on "
            f"{last.ni:,} and none can score {shown_name(found.second)} lower on {last.ns:,}; the runs are equal on "
            f"{last.equal:,}, and measures may disagree on {last.nonseparable:,}."
        )

    def text_lines(self, width: int) -> list[str]:
        """A strip per query, or a bar per depth."""
        found = self.ipso
        names = [shown_name(query) for query in found.query_ids]
        column = min(max(map(len, names), default=0), width // 4)
        if found.topics <= min(NAMED, self.strips) and found.depth <= width - column - 2:
            signs = np.array([CELLS[key] for key in ("equal", "ni", "nonseparable", "ns")])  # ns is -1: the last
            return [
                f"{fit(names[row], column)}  {''.join(signs[found.relations[row]])}" for row in found.order.tolist()
            ]
        room = max(width - 7, 4)
        lines = []
        for depth, counts in enumerate(found.counts.tolist(), start=1):
            shares = dict(zip(ORDER, counts, strict=True))
            ends = np.round(np.cumsum([0, *(shares[key] for key in STACKED)]) / max(found.topics, 1) * room).astype(int)
            bar = "".join(CELLS[key] * int(end - start) for key, start, end in
                          zip(STACKED, ends[:-1], ends[1:], strict=True))  # fmt: skip
            lines.append(f"{depth:>5}  {bar}")
        return ["Depth", *lines]

    def text_notes(self) -> list[str]:
        """The shades."""
        return [", ".join(f"{CELLS[key]} {self._words[key]}" for key in STACKED) + "."]

    def view(self) -> Spec:
        """Strips or shares."""
        return self._strips() if self._is_strips else self._shares()

    def _colour(self, title: str) -> Spec:
        words, palette, style = self._words, self.style.palette, self.style
        return {
            "field": "relation", "type": "nominal", "title": title,
            "scale": {"domain": [words[key] for key in STACKED],
                      "range": [_colour_of(key, palette) for key in STACKED]},
            "legend": {"orient": "top", "direction": "horizontal", "columns": 4 if style.size == "page" else 1},
        }  # fmt: skip

    def _strips(self) -> Spec:
        found, style, words = self.ipso, self.style, self._words
        named = found.topics <= NAMED
        order = found.order.tolist()
        labels = short_labels([found.query_ids[row] for row in order], style.sheet.label // 2)
        keys = {0: words["equal"], 1: words["ni"], 2: words["nonseparable"], -1: words["ns"]}
        values = []
        for top, bottom, row in _blocks(found, order, apart=named):
            codes = found.relations[row]
            query = shown_name(found.query_ids[row])
            starts = np.flatnonzero(np.diff(codes, prepend=codes[0] + 1)).tolist()
            for start, end in zip(starts, [*starts[1:], found.depth], strict=True):
                values.append({
                    "query": query if bottom == top + 1 else f"{bottom - top:,} queries", "top": top, "bottom": bottom,
                    "from": start + 0.5, "to": end + 0.5, "relation": keys[int(codes[start])],
                    "group": GROUPS[int(found.group[row])],
                })  # fmt: skip
        height = style.row_height(found.topics) if named else max(1, round(480 / found.topics))
        groups: list[Spec] = []
        edges: list[Spec] = []
        above = 0
        for name, count in found.groups.items():
            if count:
                groups.append({"at": above + count / 2, "label": f"{words[GROUP_WORDS[name]]}: {count:,}"})
                above += count
                edges.append({"edge": above})
        beside = max(style.text_width(one["label"]) for one in groups) + style.sheet.font
        y: Spec = {"type": "quantitative", "title": None if named else "Queries", "axis": None if named else {
            "labels": False, "grid": False}, "scale": {"domain": [0, found.topics], "reverse": True}}  # fmt: skip
        x = {"type": "quantitative", "title": "Depth", "axis": {"grid": False, "tickMinStep": 1, "format": "d"},
             "scale": {"domain": [0.5, found.depth + 0.5], "nice": False}}  # fmt: skip
        tooltip = [
            {"field": "query", "type": "nominal", "title": "Query"},
            {"field": "group", "type": "nominal", "title": "Group"},
            {"field": "relation", "type": "nominal", "title": "Relation"},
        ]
        paper = style.palette.paper
        layers: list[Spec] = [
            {
                "data": {"values": values},
                "mark": {"type": "rect", "stroke": paper, "strokeWidth": 1 if named else 0},
                "encoding": {
                    "x": {"field": "from", **x}, "x2": {"field": "to"}, "y": {"field": "top", **y},
                    "y2": {"field": "bottom"}, "color": self._colour("Every measure"), "tooltip": tooltip,
                },
            },
            {
                "data": {"values": edges[:-1]},
                "mark": {"type": "rule", "color": paper, "strokeWidth": 3},
                "encoding": {"y": {"field": "edge", **y}},
            },
            {
                "data": {"values": groups},
                "mark": {"type": "text", "align": "left", "dx": style.sheet.font // 2, "color": style.palette.soft},
                "encoding": {"x": {"value": "width"}, "y": {"field": "at", **y},
                             "text": {"field": "label", "type": "nominal"}},
            },
        ]  # fmt: skip
        if named:
            layers.append({
                "data": {"values": [{"at": place + 0.5, "label": label} for place, label in enumerate(labels)]},
                "mark": {"type": "text", "align": "right", "dx": -6},
                "encoding": {"x": {"value": 0}, "y": {"field": "at", **y},
                             "text": {"field": "label", "type": "nominal"}},
            })  # fmt: skip
        width = style.plot_width(*(labels if named else ("Queries",)), beside=beside)
        return {"width": min(width, 40 * found.depth), "height": round(height * found.topics), "layer": layers}

    def _shares(self) -> Spec:
        found, style, words = self.ipso, self.style, self._words
        values = []
        for depth, counts in enumerate(found.counts.tolist(), start=1):
            by_key = dict(zip(ORDER, counts, strict=True))
            start = 0.0
            for key in STACKED:
                share = by_key[key] / found.topics
                values.append({"depth": depth, "relation": words[key], "count": by_key[key], "share": share,
                               "from": start, "to": start + share})  # fmt: skip
                start += share
        width = style.sheet.width - 5 * style.sheet.font
        many = found.depth > 40  # then bars touch, and have whole widths so that no seams show
        width = width // found.depth * found.depth if many else width
        every = -(-found.depth // 20)
        return {
            "data": {"values": values},
            "width": width,
            "height": round(style.sheet.width * 0.45),
            "mark": {"type": "bar", "stroke": style.palette.paper, "strokeWidth": 0 if many else 0.5},
            "encoding": {
                "x": {"field": "depth", "type": "ordinal", "title": "Depth",
                      "scale": {"domain": list(range(1, found.depth + 1)), "padding": 0 if many else 0.05},
                      "axis": {"labelAngle": 0, "values": [one for one in range(1, found.depth + 1)
                                                           if one == 1 or one % every == 0]}},
                "y": {"field": "from", "type": "quantitative", "title": "Share of the queries",
                      "scale": {"domain": [0, 1]}, "axis": {"format": ".0%", "tickCount": 5}},
                "y2": {"field": "to"},
                "color": self._colour("Every measure"),
                "tooltip": [
                    {"field": "depth", "type": "ordinal", "title": "Depth"},
                    {"field": "relation", "type": "nominal", "title": "Relation"},
                    {"field": "count", "type": "quantitative", "title": "Queries", "format": ","},
                    {"field": "share", "type": "quantitative", "title": "Share", "format": ".1%"},
                ],
            },
        }  # fmt: skip


def _colour_of(key: str, palette: Palette) -> str:
    colours = {"ni": palette.first, "equal": palette.neutral, "ns": palette.second, "nonseparable": palette.strong}
    return colours[key]


def _blocks(found: IpsoResult, order: list[int], *, apart: bool) -> list[tuple[int, int, int]]:
    """Rows from, to, and a query of them; equal neighbours are one block unless each is to be seen."""
    blocks: list[tuple[int, int, int]] = []
    for place, row in enumerate(order):
        if blocks and not apart and (found.relations[row] == found.relations[blocks[-1][2]]).all():
            blocks[-1] = (blocks[-1][0], place + 1, blocks[-1][2])
        else:
            blocks.append((place, place + 1, row))
    return blocks
