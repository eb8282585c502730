"""The relation of two runs at every depth: a strip per query, or the shares of all queries where they are many."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import GROUPS, IpsoDifferences, IpsoResult
from runoff.display.cells import visible
from runoff.display.charts._base import Chart, Spec, number
from runoff.display.charts._labels import fit, short_labels, shorten, shown_name
from runoff.display.charts._style import Palette, letters_on

NAMED: Final = 60
"""With at most so many queries each is named beside its strip."""
STRIPS: Final = 400
"""With more queries than this there are no strips, but shares by depth."""
ORDER: Final = ("ns", "equal", "ni", "nonseparable")
"""The columns of `IpsoResult.counts`."""
CELLS: Final = {"ni": "█", "equal": "·", "ns": "▒", "nonseparable": "*"}
STACKED: Final = ("ni", "equal", "nonseparable", "ns")
"""From the bottom up: what favours the first run, what favours nobody, what favours the second."""

GAP: Final = 10
"""Pixels between strips and measures."""
GROUP_WORDS: Final = {"nonseparable_ns": "nonseparable", "nonseparable_ni": "nonseparable"} | {
    name: name for name in ("ns", "equal", "ni")
}
"""What a group of queries ends as; on which side a non-separable one began, its strip shows."""


@dataclass(frozen=True, eq=False)
class IpsoStrips(Chart):
    """The innate pairwise orderings of two runs by depth, in the five groups of the paper.

    Moffat & Mackenzie 2024, Figures 5 and 6, https://doi.org/10.1002/asi.24874

    differences  measures, whose differences are drawn beside the strips, a column each
    strips       the most queries that are drawn as strips; with more, the shares of all queries at each depth
    """

    name: ClassVar = "ipso_strips"
    description: ClassVar = "At each depth, on which queries every reasonable measure must favour the same run."

    ipso: IpsoResult
    differences: Sequence[IpsoDifferences] = ()
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
            groups = "in the five groups of Moffat & Mackenzie"
            if self.differences:
                return f"{queries} {groups}; on the right, who scores higher by each measure"
            return f"{queries}, a strip for each, {groups}"
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
            lines = [
                f"{fit(names[row], column)}  {''.join(signs[found.relations[row]])}" for row in found.order.tolist()
            ]
            return self._with_measures(lines, signs, width) if self.differences else lines
        room = max(width - 7, 4)
        lines = []
        for depth, counts in enumerate(found.counts.tolist(), start=1):
            shares = dict(zip(ORDER, counts, strict=True))
            ends = np.round(np.cumsum([0, *(shares[key] for key in STACKED)]) / max(found.topics, 1) * room).astype(int)
            bar = "".join(CELLS[key] * int(end - start) for key, start, end in
                          zip(STACKED, ends[:-1], ends[1:], strict=True))  # fmt: skip
            lines.append(f"{depth:>5}  {bar}")
        return ["Depth", *lines]

    def _with_measures(self, lines: list[str], signs: NDArray[np.str_], width: int) -> list[str]:
        """Lines of strips, each with a sign per measure at its end, and what these are; as they were without room."""
        longer = [
            f"{line}  {''.join(signs[one.favours[row]] for one in self.differences)}"
            for line, row in zip(lines, self.ipso.order.tolist(), strict=True)
        ]
        if max(map(len, longer)) > width:
            return lines
        names = ", ".join(map(visible, self._measure_names()))
        return [*longer, "", *textwrap.wrap(f"Behind the strips, who scores higher by {names}.", width)]

    def _measure_names(self) -> list[str]:
        """The measures; a cutoff that is the depth goes without saying."""
        return [one.measure.removesuffix(f"@{self.ipso.depth}") for one in self.differences]

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
        lists = [(topic.first, topic.second) for topic in found.per_topic] if named else []
        values = []
        for top, bottom, row in _blocks(found, order, apart=named):
            codes = found.relations[row]
            query = shown_name(found.query_ids[row])
            both = dict(zip(("first", "second"), lists[top], strict=True)) if named else {}
            starts = np.flatnonzero(np.diff(codes, prepend=codes[0] + 1)).tolist()
            for start, end in zip(starts, [*starts[1:], found.depth], strict=True):
                values.append({
                    "query": query if bottom == top + 1 else f"{bottom - top:,} queries", "top": top, "bottom": bottom,
                    "from": start + 0.5, "to": end + 0.5, "relation": keys[int(codes[start])],
                    "group": GROUPS[int(found.group[row])], **both,
                })  # fmt: skip
        height = style.row_height(found.topics) if named else max(1, round(480 / found.topics))
        groups, edges = self._groups()
        beside = max((style.text_width(one["label"]) for one in groups), default=0) + style.sheet.font
        y: Spec = {"type": "quantitative", "title": None if named else "Queries", "axis": None if named else {
            "labels": False, "grid": False}, "scale": {"domain": [0, found.topics], "reverse": True}}  # fmt: skip
        x = {"type": "quantitative", "title": "Depth", "axis": {"grid": False, "tickMinStep": 1, "format": "d"},
             "scale": {"domain": [0.5, found.depth + 0.5], "nice": False}}  # fmt: skip
        tooltip = [
            {"field": "query", "type": "nominal", "title": "Query"},
            {"field": "group", "type": "nominal", "title": "Group"},
            {"field": "relation", "type": "nominal", "title": "Relation"},
        ]
        if named:
            tooltip += [{"field": side, "type": "nominal", "title": f"List of {shown_name(name)}"}
                        for side, name in (("first", found.first), ("second", found.second))]  # fmt: skip
        paper = style.palette.paper
        edge: Spec = {
            "data": {"values": edges[:-1]},
            "mark": {"type": "rule", "color": paper, "strokeWidth": 3},
            "encoding": {"y": {"field": "edge", **y}},
        }
        layers: list[Spec] = [
            {
                "data": {"values": values},
                "mark": {"type": "rect", "stroke": paper, "strokeWidth": 1 if named else 0},
                "encoding": {
                    "x": {"field": "from", **x}, "x2": {"field": "to"}, "y": {"field": "top", **y},
                    "y2": {"field": "bottom"}, "color": self._colour("Every measure"), "tooltip": tooltip,
                },
            },
            edge,
        ]  # fmt: skip
        if named:
            layers.append({
                "data": {"values": [{"at": place + 0.5, "label": label} for place, label in enumerate(labels)]},
                "mark": {"type": "text", "align": "right", "dx": -6},
                "encoding": {"x": {"value": 0}, "y": {"field": "at", **y},
                             "text": {"field": "label", "type": "nominal"}},
            })  # fmt: skip
        names: Spec = {
            "data": {"values": groups},
            "mark": {"type": "text", "align": "left", "dx": style.sheet.font // 2, "color": style.palette.soft},
            "encoding": {"x": {"value": "width"}, "y": {"field": "at", **y},
                         "text": {"field": "label", "type": "nominal"}},
        }  # fmt: skip
        room = style.plot_width(*(labels if named else ("Queries",)), beside=beside)
        tall = round(height * found.topics)
        if not self.differences:
            return {"width": min(room, 40 * found.depth), "height": tall, "layer": [*layers, names]}
        cell = self._cell(room)
        width = max(min(room - round(cell * len(self.differences)) - GAP, 40 * found.depth), style.sheet.width // 6)
        strips = {"width": width, "height": tall, "layer": layers}
        measures = {"width": round(cell * len(self.differences)), "height": tall,
                    "layer": [*self._measures(cell, y, edge), names],
                    "resolve": {"scale": {"color": "independent"}}}  # fmt: skip
        return {"hconcat": [strips, measures], "spacing": GAP}

    def _groups(self) -> tuple[list[Spec], list[Spec]]:
        """The names of the groups that hold any query, in the middle of each, and the edges below them."""
        groups: list[Spec] = []
        edges: list[Spec] = []
        above = 0
        for name, count in self.ipso.groups.items():
            if count:
                groups.append({"at": above + count / 2, "label": f"{self._words[GROUP_WORDS[name]]}: {count:,}"})
                above += count
                edges.append({"edge": above})
        return groups, edges

    def _cell(self, room: int) -> float:
        """How wide a cell of a measure is: room for its number, or less where there is not so much."""
        widest = self.style.text_width("+0.00") + self.style.sheet.font // 2
        return min(widest, room * 0.6 / len(self.differences))

    def _measures(self, cell: float, y: Spec, edge: Spec) -> list[Spec]:
        """A cell per query and measure in the colour of the run that it favours, with the difference if it fits."""
        found, style, words, palette = self.ipso, self.style, self._words, self.style.palette
        keys = {0: words["equal"], 1: words["ni"], -1: words["ns"]}
        labels = short_labels(self._measure_names(), style.sheet.label)
        named = found.topics <= NAMED
        has_numbers = named and bool(style.if_fits("+0.00", cell + 4))
        rows = [
            {
                "query": shown_name(found.query_ids[row]), "measure": label, "top": top, "bottom": top + 1,
                "middle": top + 0.5, "relation": keys[int(one.favours[row])],
                "difference": number(one.values[row]),
                "label": _shown(one, row) if has_numbers else "",
            }
            for top, row in enumerate(found.order.tolist())
            for one, label in zip(self.differences, labels, strict=True)
        ]  # fmt: skip
        x: Spec = {
            "field": "measure", "type": "nominal", "title": None, "scale": {"domain": list(labels), "padding": 0},
            "axis": {"orient": "top", "labelAngle": -90, "domain": False, "ticks": False, "labelPadding": 4},
        }  # fmt: skip
        colour = {**self._colour("Every measure"), "legend": None}
        letters = [letters_on(_colour_of(key, palette)) for key in STACKED]
        tooltip = [
            {"field": "query", "type": "nominal", "title": "Query"},
            {"field": "measure", "type": "nominal", "title": "Measure"},
            {"field": "difference", "type": "quantitative", "title": "Difference", "format": "+.4f"},
        ]
        layers: list[Spec] = [
            {
                "data": {"values": rows},
                "mark": {"type": "rect", "stroke": palette.paper, "strokeWidth": 1 if named else 0},
                "encoding": {"x": x, "y": {"field": "top", **y, "axis": None}, "y2": {"field": "bottom"},
                             "color": colour, "tooltip": tooltip},
            },
            edge,
        ]  # fmt: skip
        if has_numbers:
            layers.append({
                "data": {"values": rows},
                "mark": {"type": "text", "fontSize": style.sheet.font - 1},
                "encoding": {"x": x, "y": {"field": "middle", **y, "axis": None},
                             "text": {"field": "label", "type": "nominal"},
                             "color": {**colour, "scale": {**colour["scale"], "range": letters}}},
            })  # fmt: skip
        return layers

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


def _shown(one: IpsoDifferences, row: int) -> str:
    """A difference as it stands in a cell; equal scores are 0, and nothing stands where one is undefined."""
    if np.isnan(one.values[row]):
        return ""
    return f"{one.values[row]:+.2f}" if one.favours[row] else "0"


def _blocks(found: IpsoResult, order: list[int], *, apart: bool) -> list[tuple[int, int, int]]:
    """Rows from, to, and a query of them; equal neighbours are one block unless each is to be seen."""
    blocks: list[tuple[int, int, int]] = []
    for place, row in enumerate(order):
        if blocks and not apart and (found.relations[row] == found.relations[blocks[-1][2]]).all():
            blocks[-1] = (blocks[-1][0], place + 1, blocks[-1][2])
        else:
            blocks.append((place, place + 1, row))
    return blocks
