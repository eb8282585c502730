"""How often two lists are equal, separable or non-separable: those of the runs beside random ones, by depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from runoff.comparisons import ipso_theory
from runoff.display.charts._base import Chart, Spec
from runoff.display.charts._kinds import Kind, colour_of, signs_note, stack_layers, stack_rows, stack_text
from runoff.display.charts._style import Palette
from runoff.errors import UsageError


class RelationShares(NamedTuple):
    """The shares of the relations between lists to one depth; the three add to 1."""

    depth: int
    equal: float
    separable: float
    nonseparable: float


@dataclass(frozen=True, eq=False)
class IpsoShares(Chart):
    """The shares of pairs of lists that every measure must score alike, must order alike, or may order either way.

    Moffat & Mackenzie 2024, Tables 2 and 3, https://doi.org/10.1002/asi.24874

    shares  of the runs, an entry per depth
    of      what the shares are of, for the subtitle
    """

    name: ClassVar = "ipso_shares"
    description: ClassVar = "How often two lists are equal, separable or not by depth, beside two random lists."

    shares: Sequence[RelationShares]
    of: str = ""

    def __post_init__(self) -> None:
        if not self.shares:
            raise UsageError("there are no depths to show; expected the shares of one at least")

    @property
    def title(self) -> str:
        """What is asked."""
        return "How often must all measures agree about two lists?"

    @property
    def subtitle(self) -> str:
        """What the shares are of."""
        of = f"Shares of {self.of}. " if self.of else ""
        return f"{of}Random: every rank is relevant with probability 1/2; exact"

    def _random(self) -> list[RelationShares]:
        found = [ipso_theory(row.depth) for row in self.shares]
        return [RelationShares(row.depth, row.equal, row.separable, row.nonseparable) for row in found]

    def text_alternative(self) -> str:
        """Non-separable lists at the first and the last depth, beside random ones."""
        random = self._random()
        said = [
            f"at depth {row.depth}, {row.nonseparable:.1%} of the pairs of lists are non-separable, "
            f"{row.separable:.1%} separable and {row.equal:.1%} equal, where random lists would be non-separable in "
            f"{other.nonseparable:.1%}"
            for row, other in zip(self.shares, random, strict=True)
        ]
        text = "; ".join(dict.fromkeys([said[0], said[-1]]))
        return f"{text[0].upper()}{text[1:]}."

    def text_lines(self, width: int) -> list[str]:
        """Two bars per depth."""
        kinds = relation_kinds(self.style.palette)
        digits = max(len(str(row.depth)) for row in self.shares)
        room = max(width - digits - 10, 1)
        lines = []
        for row, other in zip(self.shares, self._random(), strict=True):
            lines.append(f"{row.depth:>{digits}}  runs    {stack_text(kinds, row[1:], room)}")
            lines.append(f"{'':>{digits}}  random  {stack_text(kinds, other[1:], room)}")
        return lines

    def text_notes(self) -> list[str]:
        """The signs."""
        return [signs_note(relation_kinds(self.style.palette))]

    def view(self) -> Spec:
        """Two panels of stacked bars, the runs and random lists."""
        style, kinds = self.style, relation_kinds(self.style.palette)
        labels = [f"k = {row.depth:,}" for row in self.shares]
        is_wide = style.size == "page"
        room = style.plot_width(*labels)
        width = round(room * 0.47) if is_wide else room
        rows = self.shares, self._random()
        panels: list[Spec] = []
        for name, found in zip(("The runs", "Random lists"), rows, strict=True):
            values = [
                part
                for label, row in zip(labels, found, strict=True)
                for part in stack_rows({"depth": label, "lists": name}, kinds, row[1:], style=style, width=width)
            ]
            y: Spec = {"field": "depth", "type": "nominal", "title": None, "scale": {"domain": labels, "padding": 0.2}}
            x: Spec = {"type": "quantitative", "title": "Share of the pairs of lists", "scale": {"domain": [0, 1]},
                 "axis": {"format": ".0%", "tickCount": 5 if style.size == "page" else 2}}  # fmt: skip
            is_first = not panels
            if is_wide and not is_first:
                y["axis"] = None
            if not is_wide and is_first:
                x["title"] = None
            tooltip = [{"field": "lists", "type": "nominal", "title": "Lists"},
                       {"field": "depth", "type": "nominal", "title": "Depth"}]  # fmt: skip
            colour = colour_of(kinds, style, below=True)
            panels.append({
                "data": {"values": values}, "width": width, "height": round(style.sheet.row * len(labels) * 1.4),
                "title": {"text": name, "fontSize": style.sheet.font, "fontWeight": "normal",
                          "color": style.palette.soft, "frame": "group", "offset": 6},
                **stack_layers(y, x, kinds, colour=colour if is_first == is_wide else {**colour, "legend": None},
                               tooltip=tooltip, style=style),
            })  # fmt: skip
        return {"hconcat": panels, "spacing": 22} if is_wide else {"vconcat": panels, "spacing": 10}


def relation_kinds(palette: Palette) -> tuple[Kind, ...]:
    """Equal, separable and non-separable lists."""
    return (
        Kind("equal", palette.neutral, "·"),
        Kind("separable", palette.second, "▒"),
        Kind("non-separable", palette.accent, "█"),
    )
