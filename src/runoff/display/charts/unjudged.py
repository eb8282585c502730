"""How many of the documents that runs show have no judgment, by depth: a line per run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display.charts._base import Chart, Spec, rank_ticks
from runoff.display.charts._labels import fit, names_column, short_labels, shown_name
from runoff.display.charts._style import LIGHT, SHAPES
from runoff.errors import UsageError

EVERY: Final = 30
"""To this depth every rank is drawn; deeper ranks are spread evenly over a logarithmic axis."""


@dataclass(frozen=True, eq=False)
class Unjudged(Chart):
    """The share of retrieved documents to each rank that nobody judged: what the scores of a run do not know.

    runs    their names, the best first
    shares  float64, runs x depth: as from `Serps.unjudged_shares`
    most    how many runs are highlighted, the best ones, seven at most; the others are grey
    """

    name: ClassVar = "unjudged"
    description: ClassVar = "The share of each run's documents to each rank that have no judgment."

    runs: Sequence[str]
    shares: NDArray[np.float64]
    most: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.most <= len(LIGHT.series):
            raise UsageError(f"most={self.most} cannot be used; expected 1 to {len(LIGHT.series)}; leave it out")
        if self.shares.ndim != 2 or len(self.shares) != len(self.runs) or not self.shares.size:
            raise UsageError(
                f"{len(self.runs):,} runs with shares of shape {self.shares.shape}; expected a row per run and a "
                "column per rank, of one run and one rank at least"
            )

    @property
    def _depth(self) -> int:
        return int(self.shares.shape[1])

    @property
    def _ranks(self) -> list[int]:
        """The ranks that are drawn."""
        if self._depth <= EVERY:
            return list(range(1, self._depth + 1))
        return sorted(set(np.geomspace(1, self._depth, EVERY).round().astype(int).tolist()))

    @property
    def title(self) -> str:
        """The depth."""
        return f"How much of what the runs show is unjudged? To rank {self._depth:,}"

    @property
    def subtitle(self) -> str:
        """Who is highlighted."""
        count = len(self.runs)
        shown = f"the best {self.most} in colour, grey: the other {count - self.most:,}; " if count > self.most else ""
        return f"{count:,} {'run' if count == 1 else 'runs'}, {shown}an unjudged document counts as not relevant"

    def text_alternative(self) -> str:
        """The best runs at the first and the last rank, and the range over all runs."""
        said = [
            f"{shown_name(self.runs[at])} {self.shares[at, 0]:.1%} at rank 1 and {self.shares[at, -1]:.1%} to rank "
            f"{self._depth:,}"
            for at in range(min(self.most, len(self.runs)))
        ]
        last = self.shares[:, -1]
        most = int(np.argmax(last))
        return (
            f"Unjudged documents of {len(self.runs):,} {'run' if len(self.runs) == 1 else 'runs'}: {'; '.join(said)}. "
            f"Over all runs {last.min():.1%} to {last.max():.1%}, the most {shown_name(self.runs[most])}."
        )

    def text_lines(self, width: int) -> list[str]:
        """A line per highlighted run, a number per rank."""
        names = [shown_name(name) for name in self.runs[: self.most]]
        column = max(names_column([*names, "All runs"], width), 4)
        room = max((width - column) // 6, 1)
        ranks = [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000) if rank < self._depth]
        shown = [*ranks[: room - 1], self._depth]
        lines = [f"{fit('Rank', column)}{''.join(f'{rank:>6}' for rank in shown)}"]
        rows = [*zip(names, self.shares, strict=False), ("All runs", self.shares.mean(axis=0))]
        lines += [f"{fit(name, column)}{''.join(f'{row[rank - 1]:>6.0%}' for rank in shown)}" for name, row in rows]
        return lines

    def text_notes(self) -> list[str]:
        """What the numbers are."""
        return ["Shares of the documents to each rank that have no judgment; all runs: their mean."]

    def view(self) -> Spec:
        """Lines over the ranks, the best runs in colour."""
        style, palette, ranks = self.style, self.style.palette, self._ranks
        labels = short_labels(self.runs[: self.most], style.sheet.label)
        shown = [
            {"run": label, "name": shown_name(self.runs[at]), "rank": rank, "share": float(self.shares[at, rank - 1])}
            for at, label in enumerate(labels)
            for rank in ranks
        ]
        others = [
            {"key": at, "name": shown_name(self.runs[at]), "rank": rank, "share": float(self.shares[at, rank - 1])}
            for at in range(self.most, len(self.runs))
            for rank in ranks
        ]
        is_deep = self._depth > EVERY
        x = {"field": "rank", "type": "quantitative", "title": "To rank",
             "scale": {"domain": [1, max(self._depth, 2)], "nice": False, "padding": 6,
                       "type": "log" if is_deep else "linear"},
             "axis": {"grid": False, "format": "d", "values":
                      [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000) if tick <= self._depth]
                      if is_deep else rank_ticks(self._depth)}}  # fmt: skip
        top = float(self.shares.max())
        y = {"field": "share", "type": "quantitative", "title": "Share without a judgment",
             "scale": {"domain": [0, 1]} if top > 0.5 else {"zero": True},
             "axis": {"format": ".0%" if top > 0.05 else ".1%", "tickCount": 5}}  # fmt: skip
        domain = {"domain": list(labels)}
        colour = {"field": "run", "type": "nominal", "title": None, "scale": {**domain, "range": list(palette.series)},
                  "legend": {"orient": "bottom", "symbolOpacity": 1,
                             "columns": 3 if style.size == "page" else 1}}  # fmt: skip
        shape = {"field": "run", "type": "nominal", "title": None, "scale": {**domain, "range": list(SHAPES)}}
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "rank", "type": "quantitative", "title": "To rank", "format": ",d"},
            {"field": "share", "type": "quantitative", "title": "Unjudged", "format": ".1%"},
        ]
        many = len(self.runs) > 30
        grey: Spec = {
            "data": {"values": others},
            "mark": {"type": "line", "color": palette.neutral, "strokeWidth": 0.7 if many else 1.2,
                     "opacity": 0.5 if many else 0.8},
            "encoding": {"x": x, "y": y, "detail": {"field": "key", "type": "nominal"}, "tooltip": tooltip},
        }  # fmt: skip
        return {
            "width": style.sheet.width - 6 * style.sheet.font,
            "height": round(style.sheet.width * 0.45),
            "layer": [
                *([grey] if others else []),
                {"data": {"values": shown}, "mark": {"type": "line"}, "encoding": {"x": x, "y": y, "color": colour}},
                {
                    "data": {"values": shown},
                    "mark": {"type": "point", "filled": True, "opacity": 1,
                             "size": 40 if style.size != "print" else 14},
                    "encoding": {"x": x, "y": y, "color": colour, "shape": shape, "tooltip": tooltip},
                },
            ],
        }  # fmt: skip
