"""How likely each run is at each rank: a row per run, darker where a rank is likelier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.boards.stability import StabilityResult
from runoff.display.charts._base import check_most, first_of
from runoff.display.charts._labels import fit, names_column, shown_name
from runoff.display.charts._matrix import Matrix
from runoff.display.charts._spec import Spec, layer, quantitative
from runoff.display.strips import strip
from runoff.phrases import counted

WRITTEN: Final = 8
"""With at most so many ranks the probabilities are written into the cells."""
SEEN: Final = 0.005
"""Ranks that no shown run has with this probability are left out on the right."""


@dataclass(frozen=True, eq=False)
class RankHeatMap(Matrix):
    """The probability of every rank of every run over bootstrap samples of the queries.

    Craswell et al. 2021, Figure 3, https://doi.org/10.1145/3404835.3462804

    most  how many runs are shown, the best ones
    """

    name: ClassVar = "rank_heat_map"
    description: ClassVar = "How likely each run is at each rank when the queries of the board are sampled again."
    column_title: ClassVar = "Rank"
    tips: ClassVar = (("name", "Run"), ("column", "Rank", "d"), ("p", "Probability", ".1%"))

    stability: StabilityResult
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def _places(self) -> tuple[int, ...]:
        return self.stability.order[: self.most]

    @property
    def title(self) -> str:
        shown = first_of(len(self._places), len(self.stability.runs), "runs", "best")
        return f"How sure are the ranks? {self.stability.measure}{shown}"

    @property
    def subtitle(self) -> str:
        result = self.stability
        return f"Probability of each rank over {result.trials:,} bootstrap samples of {result.queries:,} queries"

    def text_alternative(self) -> str:
        result = self.stability
        leaders = []
        for place in self._places[:5]:
            low, high = result.rank_intervals[place].tolist()
            ranks = f"rank {low}" if low == high else f"ranks {low} to {high}"
            name, first = shown_name(result.runs[place]), result.p_first[place]
            leaders.append(f"{name}: {ranks} in 95% of them, first in {first:.1%}")
        rest = len(result.runs) - len(leaders)
        more = f" {counted(rest, 'more run')} {'follows' if rest == 1 else 'follow'}." if rest else ""
        return f"Ranks by {result.measure} over {result.trials:,} bootstrap samples. {'; '.join(leaders)}.{more}"

    def text_lines(self, width: int) -> list[str]:
        names = [shown_name(name) for name in self.rows()]
        column = names_column(names, width)
        chances = self.stability.rank_probabilities[list(self._places)].tolist()
        room = max(width - column - 2, 1)
        return [f"{fit(name, column)}  {strip(row, width=room)}" for name, row in zip(names, chances, strict=True)]

    def text_notes(self) -> list[str]:
        return ["Ranks from the first to the last: · ░ ▒ ▓ █ from rarely to almost always there."]

    def rows(self) -> Sequence[str]:
        return [self.stability.runs[place] for place in self._places]

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        """The probabilities of the shown runs, to the last rank that is likely for any of them."""
        chances = self.stability.rank_probabilities[list(self._places)]
        likely = np.flatnonzero((chances >= SEEN).any(axis=0))
        return chances[:, : max(int(likely[-1]) + 1 if len(likely) else 1, len(chances))]

    def columns(self) -> Sequence[int]:
        return range(1, self._chances.shape[1] + 1)

    def cell(self, row: int, column: int) -> Spec | None:
        chance = float(self._chances[row, column])
        return {"p": chance} if chance > 0.0 else None

    def cell_size(self, labels: tuple[str, ...], columns: int) -> tuple[float, float]:
        width, height = super().cell_size(labels, columns)
        room = self.style.plot_width(*labels) / columns
        return (min(room, height * 2.4) if columns <= WRITTEN else width), height

    def colour(self) -> Spec:
        legend = {"orient": "bottom", "format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "gradientLength": 200}
        scale = {"domain": [0, 0.02, 0.1, 0.4, 1], "range": list(self.style.palette.ramp)}
        return quantitative("p", "Probability", scale=scale, legend=legend)

    def texts(self, axes: Spec, cell: tuple[float, float]) -> list[Spec]:
        font = self.style.sheet.font
        if len(self.columns()) > WRITTEN or cell[0] < 3 * font:
            return []
        on_dark, on_light = ("#15181d", "#e4e7ec") if self.style.dark else ("#ffffff", "#1d2127")
        letters = {"condition": {"test": {"field": "p", "gt": 0.35}, "value": on_dark}, "value": on_light}
        encoding = {**axes, "text": quantitative("p", format=".0%"), "color": letters}
        likely = {"transform": [{"filter": {"field": "p", "gte": SEEN}}]}
        return [layer("text", encoding, fontSize=font - 1) | likely]
