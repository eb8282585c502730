"""The relation of two runs at every depth: a strip per query, or the shares of all queries where they are many."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from runoff.comparisons import GROUPS, IpsoDifferences, IpsoResult
from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart, Words
from runoff.display.charts._labels import fit, short_labels, shorten, shown_name
from runoff.display.charts._spec import Kind, Spec
from runoff.display.charts._stacked_bars import stack_text
from runoff.display.grid import visible
from runoff.phrases import counted

NAMED: Final = 60
"""With at most this many queries each is named beside its strip."""
STRIPS: Final = 400
"""With more queries than this there are no strips, but shares by depth."""
CODES: Final = {0: "equal", 1: "ni", 2: "nonseparable", -1: "ns"}
"""What the numbers of `IpsoResult.relations` are."""
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

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        """The relations, as they are stacked from the bottom up."""
        palette = self.style.palette
        first, second = (shorten(visible(name), self.style.sheet.label) for name in (self.ipso.first, self.ipso.second))
        return {
            "ni": Kind(f"for {first}", palette.first, "█"),
            "equal": Kind("equal", palette.neutral, "·"),
            "nonseparable": Kind("non-separable", palette.strong, "*"),
            "ns": Kind(f"for {second}{' ' * (first == second)}", palette.second, "▒"),
        }

    @property
    def _by_code(self) -> dict[int, Kind]:
        return {code: self._kinds[key] for code, key in CODES.items()}

    def words(self) -> Words:
        ipso, last, queries = self.ipso, self.ipso.at_depth, counted(self.ipso.topics, "query", "queries")
        first, second = (shorten(name, 40) for name in (ipso.first, ipso.second))
        groups = "in the five groups of Moffat & Mackenzie"
        subtitle = f"{queries}, a strip for each, {groups}"
        if self.differences:
            subtitle = f"{queries} {groups}; on the right, which run scores higher by each measure"
        return Words(
            f"Where must every measure agree? {first} and {second}",
            f"To depth {ipso.depth}, of {queries}, no reasonable measure can score {shown_name(ipso.first)} lower on "
            f"{last.ni:,} and none can score {shown_name(ipso.second)} lower on {last.ns:,}; the runs are equal on "
            f"{last.equal:,}, and measures may disagree on {last.nonseparable:,}.",
            subtitle if self._is_strips else f"Shares of {queries} at each depth",
            (vl.signs_note(self._kinds.values()),),
        )

    def text_lines(self, width: int) -> list[str]:
        """A strip per query, or a bar per depth."""
        ipso = self.ipso
        names = [shown_name(query) for query in ipso.query_ids]
        column = min(max(map(len, names), default=0), width // 4)
        if ipso.topics <= min(NAMED, self.strips) and ipso.depth <= width - column - 2:
            signs = {code: kind.sign for code, kind in self._by_code.items()}
            lines = [
                f"{fit(names[row], column)}  {''.join(signs[code] for code in ipso.relations[row].tolist())}"
                for row in ipso.order.tolist()
            ]
            return self._with_measures(lines, signs, width) if self.differences else lines
        kinds, room = list(self._kinds.values()), max(width - 7, 4)
        return ["Depth", *(f"{depth:>5}  {stack_text(kinds, shares, room)}" for depth, _, shares in self._by_depth())]

    def _by_depth(self) -> list[tuple[int, list[int], list[float]]]:
        """Every depth with the counts and the shares of the relations, in the order of `_kinds`."""
        rows = []
        for at in self.ipso.by_depth:
            stacked = [getattr(at, key) for key in self._kinds]
            rows.append((at.depth, stacked, [count / max(self.ipso.topics, 1) for count in stacked]))
        return rows

    def _with_measures(self, lines: list[str], signs: dict[int, str], width: int) -> list[str]:
        """Lines of strips, each with a sign per measure at its end, and what these are; as they were without room."""
        longer = [
            f"{line}  {''.join(signs[int(measure.favours[row])] for measure in self.differences)}"
            for line, row in zip(lines, self.ipso.order.tolist(), strict=True)
        ]
        if max(map(len, longer)) > width:
            return lines
        names = ", ".join(map(visible, self._measure_names()))
        return [*longer, "", *textwrap.wrap(f"Behind the strips, which run scores higher by {names}.", width)]

    def _measure_names(self) -> list[str]:
        """The measures; a cutoff that is the depth goes without saying."""
        return [measure.measure.removesuffix(f"@{self.ipso.depth}") for measure in self.differences]

    def view(self) -> Spec:
        return self._strips() if self._is_strips else self._shares()

    def _colour(self) -> Spec:
        return vl.colour_of(list(self._kinds.values()), self.style, title="Every measure")

    def _strips(self) -> Spec:
        ipso, style = self.ipso, self.style
        named = ipso.topics <= NAMED
        order = ipso.order.tolist()
        labels = short_labels([ipso.query_ids[row] for row in order], style.sheet.label // 2)
        lists = [(topic.first, topic.second) for topic in ipso.per_topic] if named else []
        values = []
        for top, bottom, row in _blocks(ipso, order, apart=named):
            codes = ipso.relations[row]
            both = dict(zip(("first", "second"), lists[top], strict=True)) if named else {}
            query = shown_name(ipso.query_ids[row]) if bottom == top + 1 else f"{bottom - top:,} queries"
            fields = {"query": query, "top": top, "bottom": bottom, "group": GROUPS[int(ipso.group[row])], **both}
            starts = np.flatnonzero(np.diff(codes, prepend=codes[0] + 1)).tolist()
            for start, end in zip(starts, [*starts[1:], ipso.depth], strict=True):
                kind = self._by_code[int(codes[start])].word
                values.append({**fields, "from": start + 0.5, "to": end + 0.5, "kind": kind})
        groups, edges = self._groups()
        y: Spec = {"type": "quantitative", "title": None if named else "Queries"}
        y["axis"] = None if named else {"labels": False, "grid": False}
        y["scale"] = {"domain": [0, ipso.topics], "reverse": True}
        x: Spec = {"type": "quantitative", "title": "Depth", "axis": {"grid": False, "tickMinStep": 1, "format": "d"}}
        x["scale"] = {"domain": [0.5, ipso.depth + 0.5], "nice": False}
        names = ("first", ipso.first), ("second", ipso.second)
        lists_tips = [(side, f"List of {shown_name(name)}") for side, name in names] if named else []
        cells = {
            "x": {"field": "from", **x},
            "x2": {"field": "to"},
            "y": {"field": "top", **y},
            "y2": {"field": "bottom"},
            "color": self._colour(),
            "tooltip": vl.tooltip(("query", "Query"), ("group", "Group"), ("kind", "Relation"), *lists_tips),
        }
        paper = style.palette.paper
        edge = vl.layer("rule", {"y": {"field": "edge", **y}}, edges[:-1], color=paper, strokeWidth=3)
        layers = [vl.layer("rect", cells, values, stroke=paper, strokeWidth=1 if named else 0), edge]
        if named:
            rows = [{"at": place + 0.5, "label": label} for place, label in enumerate(labels)]
            encoding = {"x": {"value": 0}, "y": {"field": "at", **y}, "text": vl.text()}
            layers.append(vl.layer("text", encoding, rows, align="right", dx=-6))
        beside = max((style.text_width(group["label"]) for group in groups), default=0) + style.sheet.font
        encoding = {"x": {"value": "width"}, "y": {"field": "at", **y}, "text": vl.text()}
        soft = style.palette.soft
        group_names = vl.layer("text", encoding, groups, align="left", dx=style.sheet.font // 2, color=soft)
        room = style.plot_width(*(labels if named else ("Queries",)), beside=beside)
        height = style.row_height(ipso.topics) if named else max(1, round(480 / ipso.topics))
        tall = round(height * ipso.topics)
        if not self.differences:
            return {"width": min(room, 40 * ipso.depth), "height": tall, "layer": [*layers, group_names]}
        cell = self._cell(room)
        beside = round(cell * len(self.differences))
        width = max(min(room - beside - GAP, 40 * ipso.depth), style.sheet.width // 6)
        strips = {"width": width, "height": tall, "layer": layers}
        measures: Spec = {"width": beside, "height": tall, "resolve": {"scale": {"color": "independent"}}}
        measures["layer"] = [*self._measures(cell, y, edge), group_names]
        return {"hconcat": [strips, measures], "spacing": GAP}

    def _groups(self) -> tuple[list[Spec], list[Spec]]:
        """The names of the groups that hold any query, in the middle of each, and the edges below them."""
        groups: list[Spec] = []
        edges: list[Spec] = []
        above = 0
        for name, count in self.ipso.groups.items():
            if count:
                word = self._kinds[GROUP_WORDS[name]].word
                groups.append({"at": above + count / 2, "label": f"{word}: {count:,}"})
                above += count
                edges.append({"edge": above})
        return groups, edges

    def _cell(self, room: int) -> float:
        """How wide a cell of a measure is: room for its number, or less where there is not so much."""
        widest = self.style.text_width("+0.00") + self.style.sheet.font // 2
        return min(widest, room * 0.6 / len(self.differences))

    def _measures(self, cell: float, y: Spec, edge: Spec) -> list[Spec]:
        """A cell per query and measure in the colour of the run that it favours, with the difference if it fits."""
        ipso, style = self.ipso, self.style
        labels = short_labels(self._measure_names(), style.sheet.label)
        named = ipso.topics <= NAMED
        has_numbers = named and bool(style.if_fits("+0.00", cell + 4))
        rows = []
        for top, row in enumerate(ipso.order.tolist()):
            for measure, label in zip(self.differences, labels, strict=True):
                place = {"measure": label, "top": top, "bottom": top + 1, "middle": top + 0.5}
                kind = self._by_code[int(measure.favours[row])].word
                number = {"difference": vl.finite(measure.values[row]), "label": _number(measure, row) * has_numbers}
                rows.append({"query": shown_name(ipso.query_ids[row]), **place, "kind": kind, **number})
        axis = {"orient": "top", "labelAngle": -90, "domain": False, "ticks": False, "labelPadding": 4}
        x = vl.nominal("measure", scale={"domain": list(labels), "padding": 0}, axis=axis)
        across = {"x": x, "y": {"field": "top", **y, "axis": None}}
        tips = vl.tooltip(("query", "Query"), ("measure", "Measure"), ("difference", "Difference", "+.4f"))
        colour = {"color": {**self._colour(), "legend": None}}
        cells = across | colour | {"y2": {"field": "bottom"}, "tooltip": tips}
        layers = [vl.layer("rect", cells, rows, stroke=style.palette.paper, strokeWidth=1 if named else 0), edge]
        if has_numbers:
            letters = {"text": vl.text(), "color": vl.letters_of(list(self._kinds.values()))}
            encoding = {"x": x, "y": {"field": "middle", **y, "axis": None}, **letters}
            layers.append(vl.layer("text", encoding, rows, fontSize=style.sheet.font - 1))
        return layers

    def _shares(self) -> Spec:
        ipso, style = self.ipso, self.style
        values = []
        for depth, counts, shares in self._by_depth():
            start = 0.0
            for kind, count, share in zip(self._kinds.values(), counts, shares, strict=True):
                part = {"count": count, "share": share, "from": start, "to": start + share}
                values.append({"depth": depth, "kind": kind.word, **part})
                start += share
        width = style.sheet.width - 5 * style.sheet.font
        many = ipso.depth > 40  # then bars touch, and have whole widths so that no seams show
        width = width // ipso.depth * ipso.depth if many else width
        every = -(-ipso.depth // 20)
        depths = range(1, ipso.depth + 1)
        axis = {"labelAngle": 0, "values": [depth for depth in depths if depth == 1 or depth % every == 0]}
        scale = {"domain": list(depths), "padding": 0 if many else 0.05}
        y = vl.quantitative("from", "Share of the queries", scale={"domain": [0, 1]})
        encoding = {
            "x": {"field": "depth", "type": "ordinal", "title": "Depth", "scale": scale, "axis": axis},
            "y": y | {"axis": {"format": ".0%", "tickCount": 5}},
            "y2": {"field": "to"},
            "color": self._colour(),
            "tooltip": vl.tooltip(
                ("depth", "Depth", "d"), ("kind", "Relation"), ("count", "Queries", ","), ("share", "Share", ".1%")
            ),
        }
        bars = vl.layer("bar", encoding, values, stroke=style.palette.paper, strokeWidth=0 if many else 0.5)
        return {"width": width, "height": round(style.sheet.width * 0.45), **bars}


def _number(measure: IpsoDifferences, row: int) -> str:
    """A difference as a cell shows it; equal scores are 0, and an undefined one is blank."""
    if np.isnan(measure.values[row]):
        return ""
    return f"{measure.values[row]:+.2f}" if measure.favours[row] else "0"


def _blocks(ipso: IpsoResult, order: list[int], *, apart: bool) -> list[tuple[int, int, int]]:
    """Rows from, to, and a query of them; equal neighbours are one block unless each is to be seen."""
    blocks: list[tuple[int, int, int]] = []
    for place, row in enumerate(order):
        if blocks and not apart and (ipso.relations[row] == ipso.relations[blocks[-1][2]]).all():
            blocks[-1] = (blocks[-1][0], place + 1, blocks[-1][2])
        else:
            blocks.append((place, place + 1, row))
    return blocks
