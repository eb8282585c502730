"""How likely each run is at each rank: a row per run, darker where a rank is likelier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from runoff.boards.stability import StabilityResult
from runoff.display.charts._base import Chart, Spec, best_of, check_most
from runoff.display.charts._labels import fit, names_column, short_labels, shown_name
from runoff.display.strips import strip

WRITTEN: Final = 8
"""With at most so many ranks the probabilities are written into the cells."""
SEEN: Final = 0.005
"""Ranks that no shown run has with this probability are left out on the right."""


@dataclass(frozen=True, eq=False)
class RankHeatMap(Chart):
    """The probability of every rank of every run over bootstrap samples of the queries.

    Craswell et al. 2021, Figure 3, https://doi.org/10.1145/3404835.3462804

    most  how many runs are shown, the best ones
    """

    name: ClassVar = "rank_heat_map"
    description: ClassVar = "How likely each run is at each rank when the queries of the board are drawn again."

    stability: StabilityResult
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def title(self) -> str:
        """The measure, and how many runs are shown."""
        shown = best_of(len(self._places), len(self.stability.runs))
        return f"How sure are the ranks? {self.stability.measure}{shown}"

    @property
    def subtitle(self) -> str:
        """Trials and queries."""
        found = self.stability
        return f"Probability of each rank over {found.trials:,} bootstrap samples of {found.queries:,} queries"

    @property
    def _places(self) -> tuple[int, ...]:
        return self.stability.order[: self.most]

    def text_alternative(self) -> str:
        """Who is first how often, and how far the best runs' ranks spread."""
        found = self.stability
        said = []
        for place in self._places[:5]:
            low, high = found.rank_intervals[place].tolist()
            spread = f"rank {low}" if low == high else f"ranks {low} to {high}"
            said.append(
                f"{shown_name(found.runs[place])}: {spread} in 95% of them, first in {found.p_first[place]:.1%}"
            )
        rest = len(found.runs) - len(said)
        more = f" {rest:,} more runs follow." if rest else ""
        return f"Ranks by {found.measure} over {found.trials:,} bootstrap samples. {'; '.join(said)}.{more}"

    def text_lines(self, width: int) -> list[str]:
        """A strip per run."""
        found = self.stability
        names = [shown_name(found.runs[place]) for place in self._places]
        column = names_column(names, width)
        room = max(width - column - 2, 1)
        return [
            f"{fit(name, column)}  {strip(found.rank_probabilities[place].tolist(), width=room)}"
            for name, place in zip(names, self._places, strict=True)
        ]

    def text_notes(self) -> list[str]:
        """The shades."""
        return ["Ranks from the first to the last: · ░ ▒ ▓ █ from rarely to almost always there."]

    def view(self) -> Spec:
        """Cells, and their probabilities where they are few."""
        found, style, places = self.stability, self.style, list(self._places)
        labels = short_labels([found.runs[place] for place in places], style.sheet.label)
        chances = found.rank_probabilities[places]
        likely = np.flatnonzero((chances >= SEEN).any(axis=0))
        ranks = max(int(likely[-1]) + 1 if len(likely) else 1, len(places))
        values = [
            {"run": label, "name": shown_name(found.runs[place]), "rank": rank + 1, "p": float(row[rank])}
            for label, place, row in zip(labels, places, chances, strict=True)
            for rank in range(ranks)
            if row[rank] > 0.0
        ]
        height = style.row_height(len(places))
        cell = min(style.plot_width(*labels) / ranks, height * (2.4 if ranks <= WRITTEN else 1.3))
        every = 1 if ranks <= 20 else 5 if ranks <= 100 else 10
        x = {
            "field": "rank", "type": "ordinal", "title": "Rank", "scale": {"domain": list(range(1, ranks + 1))},
            "axis": {"labelAngle": 0, "values": [rank for rank in range(1, ranks + 1) if rank in {1, ranks} or
                                                 (rank % every == 0 and ranks - rank >= every / 2)]},
        }  # fmt: skip
        y = {"field": "run", "type": "nominal", "title": None, "scale": {"domain": list(labels)}}
        colour = {
            "field": "p", "type": "quantitative", "title": "Probability",
            "scale": {"domain": [0, 0.02, 0.1, 0.4, 1], "range": list(style.palette.ramp)},
            "legend": {"orient": "bottom", "format": ".0%", "gradientLength": min(200, max(120, round(cell * ranks))),
                       "values": [0, 0.25, 0.5, 0.75, 1], "offset": 10},
        }  # fmt: skip
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "rank", "type": "ordinal", "title": "Rank"},
            {"field": "p", "type": "quantitative", "title": "Probability", "format": ".1%"},
        ]
        cells: Spec = {
            "mark": {"type": "rect", "stroke": style.palette.paper, "strokeWidth": 1 if cell >= 8 else 0.3},
            "encoding": {"x": x, "y": y, "color": colour, "tooltip": tooltip},
        }
        layers = [cells]
        if ranks <= WRITTEN and cell >= 3 * style.sheet.font:
            dark_cell, light_cell = ("#15181d", "#e4e7ec") if style.dark else ("#ffffff", "#1d2127")
            layers.append({
                "mark": {"type": "text", "fontSize": style.sheet.font - 1},
                "transform": [{"filter": {"field": "p", "gte": SEEN}}],
                "encoding": {
                    "x": x, "y": y, "text": {"field": "p", "type": "quantitative", "format": ".0%"},
                    "color": {"condition": {"test": {"field": "p", "gt": 0.35}, "value": dark_cell},
                              "value": light_cell},
                },
            })  # fmt: skip
        return {
            "data": {"values": values},
            "width": round(cell * ranks),
            "height": height * len(places),
            "layer": layers,
        }
