"""The difference of two runs query by query, sorted, with the queries that changed most."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display.charts._base import Chart
from runoff.display.charts._labels import fit, names_column, short_labels, shorten, shown_name
from runoff.display.charts._spec import Spec, layer, nominal, panel_title, quantitative, tooltip, zero_line
from runoff.display.grid import visible
from runoff.errors import UsageError

BARS: Final = 100
"""With at most this many queries each has a bar; with more, there is an area."""
STEPS: Final = 600
"""Steps of the area; of more queries, neighbours share one with their mean."""


@dataclass(frozen=True, eq=False)
class Differences(Chart):
    """Challenger minus champion for every query, from the largest gain to the largest loss.

    query_ids             the queries
    champion, challenger  float64, queries: the scores of each run; a query that one lacks (NaN) is left out
    names                 what the two runs are called, the champion first
    measure               what the scores are of
    most                  queries to name on either side
    best_is_low           whether a low score is good, as with ESL; then a gain is below 0
    """

    name: ClassVar = "differences"
    description: ClassVar = "How much the challenger gains or loses on each query, and on which it changes most."

    query_ids: Sequence[str]
    champion: NDArray[np.float64]
    challenger: NDArray[np.float64]
    names: tuple[str, str] = ("champion", "challenger")
    measure: str = "score"
    most: int = 5
    best_is_low: bool = False

    def __post_init__(self) -> None:
        shape = (len(self.query_ids),)
        if self.champion.shape != shape or self.challenger.shape != shape:
            raise UsageError(
                f"{len(self.query_ids):,} queries with scores of shapes {self.champion.shape} and "
                f"{self.challenger.shape}; expected one score per query and run; give both runs on the same queries"
            )
        if not np.isfinite(self.challenger - self.champion).any():
            raise UsageError("no query has a score of both runs; expected at least one")

    @property
    def _sorted(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The places of the queries, the largest gain first, and their differences, in the order of the queries."""
        difference = self.challenger - self.champion
        good = -difference if self.best_is_low else difference
        order = np.lexsort((np.arange(len(good)), -good))
        return order[np.isfinite(good[order])], difference

    @property
    def _ends(self) -> list[int]:
        """The queries that changed most: gains from the largest, then losses to the largest; none that stayed."""
        order, difference = self._sorted
        changed = order[difference[order] != 0]
        good = -difference[changed] if self.best_is_low else difference[changed]
        gains, losses = changed[good > 0][: self.most], changed[good < 0]
        return [*gains.tolist(), *losses[max(len(losses) - self.most, 0) :].tolist()]

    @property
    def _counts(self) -> tuple[int, int, int]:
        order, difference = self._sorted
        signs = np.sign(difference[order]) * (-1 if self.best_is_low else 1)
        return int((signs > 0).sum()), int((signs == 0).sum()), int((signs < 0).sum())

    @property
    def title(self) -> str:
        champion, challenger = (shorten(name, 40) for name in self.names)
        return f"What changes query by query? {challenger} minus {champion}, {self.measure}"

    @property
    def subtitle(self) -> str:
        up, same, down = self._counts
        return f"Better on {up:,}, equal on {same:,}, worse on {down:,} of {up + same + down:,} queries"

    def text_alternative(self) -> str:
        up, same, down = self._counts
        order, difference = self._sorted
        sentences = (
            f"{shown_name(self.names[1])} scores better than {shown_name(self.names[0])} on {up:,}, equal on {same:,} "
            f"and worse on {down:,} queries; the mean difference in {visible(self.measure)} is "
            f"{difference[order].mean():+.4f}."
        )
        for at, word in ((order[0], "gain"), (order[-1], "loss")):
            value = float(difference[at]) * (-1 if self.best_is_low else 1)
            if (value > 0) == (word == "gain") and value != 0:
                sentences += f" The largest {word} is {difference[at]:+.4f} on query {shown_name(self.query_ids[at])}."
        return sentences

    def text_lines(self, width: int) -> list[str]:
        """A bar per named query, from the middle to the right or left."""
        _, difference = self._sorted
        ends = self._ends
        names = [shown_name(self.query_ids[at]) for at in ends]
        column = names_column(names, width)
        half = max((width - column - 12) // 2, 1)
        longest = max((abs(float(difference[at])) for at in ends), default=1.0)
        lines = []
        for name, at in zip(names, ends, strict=True):
            value = float(difference[at])
            bar = "█" * max(round(abs(value) / longest * half), 1)
            left, right = (bar.rjust(half), " " * half) if value < 0 else (" " * half, bar.ljust(half))
            lines.append(f"{fit(name, column)}  {left}│{right} {value:+.4f}")
        return lines

    def text_notes(self) -> list[str]:
        return [f"{self.subtitle}."]

    def _curve(self) -> list[Spec]:
        """The sorted differences as steps over the number of queries; a step of one query has its name."""
        order, difference = self._sorted
        values = difference[order]
        edges = np.unique(np.linspace(0, len(values), min(len(values), STEPS) + 1).astype(np.int64)).tolist()
        return [
            {
                "from": start,
                "to": end,
                "difference": float(values[start:end].mean()),
                "name": shown_name(self.query_ids[order[start]]) if end == start + 1 else f"{end - start:,} queries",
            }
            for start, end in itertools.pairwise(edges)
        ]

    def view(self) -> Spec:
        """The sorted curve, and beside it the queries that changed most."""
        style, palette = self.style, self.style.palette
        _, difference = self._sorted
        labels = short_labels([self.query_ids[at] for at in self._ends], style.sheet.label // 2)
        sign = -1 if self.best_is_low else 1
        curve = [{**bar, "side": _side(sign * bar["difference"])} for bar in self._curve()]
        named = []
        for label, at in zip(labels, self._ends, strict=True):
            scores = {"champion": float(self.champion[at]), "challenger": float(self.challenger[at])}
            row = {
                "query": label,
                "name": shown_name(self.query_ids[at]),
                "difference": float(difference[at]),
                **scores,
            }
            named.append({**row, "side": _side(sign * float(difference[at]))})
        colours = {"domain": ["better", "equal", "worse"], "range": [palette.second, palette.neutral, palette.first]}
        colour = nominal("side", scale=colours, legend=None)
        limit = float(np.nanmax(np.abs(difference))) or 1.0
        scale = {"domain": [-limit, limit], "nice": False}
        axis = {"grid": False, "tickCount": 4, "tickMinStep": 1, "format": ",d"}
        x = quantitative("from", "Queries, the largest gain first", axis=axis)
        x["scale"] = {"domain": [0, curve[-1]["to"]], "nice": False}
        y = quantitative("difference", f"Difference in {visible(self.measure)}", scale=scale, axis={"format": "+.2~f"})
        marks = (_bars if len(self.query_ids) <= BARS else _areas)(curve, {"x": x, "y": y, "color": colour})
        left_width, height = round(style.sheet.width * 0.42), round(style.sheet.width * 0.36)
        left: Spec = {"width": left_width if named else left_width * 2, "height": height}
        left["layer"] = [*marks, zero_line("y", y, palette.soft)]
        if not named:
            return left
        across = quantitative("difference", "Difference", scale=scale, axis={"format": "+.2~f", "tickCount": 4})
        tips = ("champion", "Champion", ".4f"), ("challenger", "Challenger", ".4f")
        bars = {
            "y": nominal("query", scale={"domain": list(labels), "padding": 0.25}),
            "x": across,
            "color": colour,
            "tooltip": tooltip(("name", "Query"), ("difference", "Difference", "+.4f"), *tips),
        }
        right: Spec = {
            "data": {"values": named},
            "width": style.plot_width(*labels, beside=left_width + 6 * style.sheet.font),
            "height": height,
            "title": panel_title("Changed most", style, anchor="middle", offset=6),
            "layer": [layer("bar", bars), zero_line("x", across, palette.soft)],
        }
        if style.size == "page":
            return {"hconcat": [left, right], "spacing": 18}
        left["width"] = style.sheet.width - 5 * style.sheet.font
        right["width"] = style.plot_width(*labels)
        return {"vconcat": [left, right], "spacing": 14}


def _side(value: float) -> str:
    return "better" if value > 0 else "worse" if value < 0 else "equal"


def _bars(curve: list[Spec], encoding: Spec, **look: Any) -> list[Spec]:
    tips = {"tooltip": tooltip(("name", "Query"), ("difference", "Difference", "+.4f"))}
    ends = {"x2": {"field": "to"}, "y2": {"datum": 0}}
    return [layer("bar", encoding | ends | tips, curve, binSpacing=0, **look)]


def _areas(curve: list[Spec], encoding: Spec) -> list[Spec]:
    """Gains and losses as two areas: hundreds of narrow bars would show seams."""
    layers = []
    for side in ("better", "worse"):
        steps = [bar for bar in curve if bar["side"] == side]
        if steps:
            end = {**steps[-1], "from": steps[-1]["to"]}
            look: Spec = {"interpolate": "step-after", "opacity": 1, "line": False}
            layers.append(layer("area", encoding | {"y2": {"datum": 0}}, [*steps, end], **look))
    # An area has one tooltip for the whole of it: bars that are not seen say which queries are where.
    return [*layers, *_bars(curve, encoding, opacity=0)]
