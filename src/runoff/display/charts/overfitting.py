"""Each team's changes on public and on private queries, and how far the second stays behind what others let expect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from runoff.boards.overfitting import OverfittingResult, TeamChange
from runoff.display.charts._base import Chart, Spec, check_most
from runoff.display.charts._labels import fit, names_column, short_labels, shown_name
from runoff.display.tracks import track
from runoff.errors import UsageError


@dataclass(frozen=True, eq=False)
class Overfitting(Chart):
    """The change from first to last submission on public and on private queries, and the excess with its interval.

    The excess is how far the change on private queries stays behind what the change on public queries is worth at the
    other teams' rate; teams that cannot be judged have none.

    Craswell et al. 2021, section 3.3, https://doi.org/10.1145/3404835.3462804

    most  how many teams are shown, those with the largest excess
    """

    name: ClassVar = "overfitting"
    description: ClassVar = "Each team's change on public and on private queries, and how far the second falls short."

    result: OverfittingResult
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.result.teams:
            raise UsageError("there are no teams to show; expected one with two submissions at least")

    @property
    def _shown(self) -> list[TeamChange]:
        def order(one: TeamChange) -> tuple[bool, float, str]:
            return one.excess is None, -(one.change_public if one.excess is None else one.excess), one.team

        return sorted(self.result.teams, key=order)[: self.most]

    @property
    def title(self) -> str:
        """The measure, and how many teams are shown."""
        teams = len(self.result.teams)
        part = f", the {self.most:,} of {teams:,} teams with the largest shortfall" if teams > self.most else ""
        return f"Do gains on public queries carry over to private ones? {self.result.measure}{part}"

    @property
    def subtitle(self) -> str:
        """Queries, and what the excess is."""
        one = self.result
        said = f"First to last submission, {one.public_queries:,} public and {one.private_queries:,} private queries."
        if not any(team.excess_ci95 for team in one.teams):
            return f"{said} No team can be judged."
        return f"{said} Shortfall at the other teams' rate, with uncorrected 95% intervals."

    def text_alternative(self) -> str:
        """The teams with the largest excess, and whose interval lies above 0."""
        said = []
        for one in self._shown[:5]:
            excess = "cannot be judged"
            if one.excess_ci95 is not None:
                low, high = one.excess_ci95
                excess = f"shortfall {one.excess:+.4f} ({low:+.4f} to {high:+.4f})"
            changes = f"{one.change_public:+.4f} on public and {one.change_private:+.4f} on private"
            said.append(f"{shown_name(one.team)} {changes}, {excess}")
        above = sum(one.excess_ci95 is not None and one.excess_ci95[0] > 0 for one in self.result.teams)
        teams = len(self.result.teams)
        return (
            f"Changes in {self.result.measure} of {teams:,} {'team' if teams == 1 else 'teams'}, the largest "
            f"shortfall first: {'; '.join(said)}. The uncorrected interval lies above 0 for {above:,}."
        )

    def text_lines(self, width: int) -> list[str]:
        """Changes, excess and its interval, a line per team."""
        shown = self._shown
        names = [shown_name(one.team) for one in shown]
        column = max(names_column(names, width), 4)
        room = max(width - column - 29, 1)
        head = f"{fit('Team', column)}  {'Public':>7}  {'Private':>7}  {'Short':>7}"
        lines = []
        for name, one in zip(names, shown, strict=True):
            numbers = f"{one.change_public:>+7.4f}  {one.change_private:>+7.4f}"
            if one.excess is not None and one.excess_ci95 is not None:
                low, high = one.excess_ci95
                numbers += f"  {one.excess:>+7.4f}  {track(low, one.excess, high, span=self._span, width=room)}"
            lines.append(f"{fit(name, column)}  {numbers}".rstrip())
        return [head, *lines]

    def text_notes(self) -> list[str]:
        """The ends of the scale."""
        if not self._intervals:
            return ["No team can be judged."]
        low, high = self._span
        return [f"Short: the shortfall, on a scale from {low:+.4f} to {high:+.4f}; intervals are uncorrected."]

    @property
    def _intervals(self) -> list[tuple[float, float]]:
        return [one.excess_ci95 for one in self._shown if one.excess_ci95 is not None]

    @property
    def _span(self) -> tuple[float, float]:
        return min(low for low, _ in self._intervals), max(high for _, high in self._intervals)

    def view(self) -> Spec:
        """Two panels: the two changes, and the shortfall where a team can be judged."""
        style, palette, shown = self.style, self.style.palette, self._shown
        labels = short_labels([one.team for one in shown], style.sheet.label)
        values: list[dict[str, Any]] = []
        points: list[dict[str, Any]] = []
        for label, one in zip(labels, shown, strict=True):
            row = {"team": label, "name": shown_name(one.team), "first": shown_name(one.first),
                   "last": shown_name(one.last), "submissions": len(one.submissions)}  # fmt: skip
            low, high = one.excess_ci95 or (None, None)
            values.append({
                **row, "public": one.change_public, "private": one.change_private, "excess": one.excess, "low": low,
                "high": high,
            })  # fmt: skip
            points += [{**row, "queries": "private", "change": one.change_private},
                       {**row, "queries": "public", "change": one.change_public}]  # fmt: skip
        rows = {"field": "team", "type": "nominal", "title": None, "scale": {"domain": list(labels)}}
        colour = {"field": "queries", "type": "nominal", "title": "Change on",
                  "scale": {"domain": ["private", "public"], "range": [palette.second, palette.first]},
                  "legend": {"orient": "top", "direction": "horizontal", "symbolOpacity": 1}}  # fmt: skip
        shape = {"field": "queries", "type": "nominal", "title": "Change on",
                 "scale": {"domain": ["private", "public"], "range": ["circle", "diamond"]}}  # fmt: skip
        axis = {"format": "+.3~f", "tickCount": 4}
        change = {"type": "quantitative", "title": "Change of the mean", "axis": axis,
                  "scale": {"zero": True, "nice": False, "padding": 8}}  # fmt: skip
        excess = {**change, "title": "Shortfall on private"}
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Team"},
            {"field": "first", "type": "nominal", "title": "First"},
            {"field": "last", "type": "nominal", "title": "Last"},
            {"field": "submissions", "type": "quantitative", "title": "Submissions"},
        ]
        thick = 1.0 if style.size != "print" else 0.6
        size = 60 if style.size != "print" else 22
        height = style.row_height(len(shown)) * len(shown)
        room = style.plot_width(*labels)
        left: Spec = {
            "width": round(room * 0.5),
            "height": height,
            "layer": [
                _zero(change, palette.soft),
                {
                    "data": {"values": values},
                    "mark": {"type": "rule", "color": palette.neutral, "strokeWidth": 2},
                    "encoding": {"y": rows, "x": {"field": "private", **change}, "x2": {"field": "public"}},
                },
                {
                    "data": {"values": points},
                    "mark": {"type": "point", "filled": True, "opacity": 1, "size": size},
                    "encoding": {
                        "y": rows, "x": {"field": "change", **change}, "color": colour, "shape": shape,
                        "tooltip": [*tooltip, {"field": "queries", "type": "nominal", "title": "Queries"},
                                    {"field": "change", "type": "quantitative", "title": "Change", "format": "+.4f"}],
                    },
                },
            ],
        }  # fmt: skip
        judged = [row for row in values if row["excess"] is not None]
        if not judged:
            return {**left, "width": room}
        bare = {**rows, "axis": None}
        right: Spec = {
            "width": round(room * 0.42),
            "height": height,
            "layer": [
                _zero(excess, palette.soft),
                {
                    "data": {"values": judged},
                    "mark": {"type": "rule", "strokeWidth": 3 * thick, "color": palette.accent},
                    "encoding": {"y": bare, "x": {"field": "low", **excess}, "x2": {"field": "high"}},
                },
                {
                    "data": {"values": judged},
                    "mark": {"type": "point", "filled": True, "opacity": 1, "color": palette.accent, "size": size},
                    "encoding": {
                        "y": bare, "x": {"field": "excess", **excess},
                        "tooltip": [*tooltip, *({"field": field, "type": "quantitative", "title": title,
                                                 "format": "+.4f"} for field, title in (
                            ("excess", "Shortfall"), ("low", "95% from"), ("high", "to")))],
                    },
                },
            ],
        }  # fmt: skip
        return {"hconcat": [left, right], "spacing": 16}


def _zero(scale: Spec, colour: str) -> Spec:
    """The line of no change."""
    mark = {"type": "rule", "color": colour, "strokeDash": [3, 3]}
    return {"data": {"values": [{}]}, "mark": mark, "encoding": {"x": {**scale, "datum": 0}}}
