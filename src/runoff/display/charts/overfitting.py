"""Each team's changes on public and on private queries, and how far the second falls short of the other teams' rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.boards.overfitting import OverfittingResult, TeamChange
from runoff.display.charts._base import check_most
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import short_labels, shown_name
from runoff.display.charts._spec import Spec, layer, nominal, points, tooltip, zero_line
from runoff.errors import UsageError
from runoff.phrases import counted

TIPS: Final = (("name", "Team"), ("first", "First"), ("last", "Last"), ("submissions", "Submissions", None))
SIDES: Final = ("private", "public")


@dataclass(frozen=True, eq=False)
class Overfitting(Intervals):
    """The change from first to last submission on public and on private queries, and the excess with its interval.

    The excess is how far the change on private queries stays behind what the change on public queries is worth at the
    other teams' rate; teams that cannot be judged have none.

    Craswell et al. 2021, section 3.3, https://doi.org/10.1145/3404835.3462804

    most  how many teams are shown, those with the largest excess
    """

    name: ClassVar = "overfitting"
    description: ClassVar = "Each team's change on public and on private queries, and how far the second falls short."
    head: ClassVar = ("Team", "Public", "Private", "Short", "", "")
    align: ClassVar = "<>>>"
    number: ClassVar = "+.4f"

    result: OverfittingResult
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.result.teams:
            raise UsageError("there are no teams to show; expected at least one with two submissions")

    @property
    def _shown(self) -> list[TeamChange]:
        def order(team: TeamChange) -> tuple[bool, float, str]:
            return team.excess is None, -(team.change_public if team.excess is None else team.excess), team.team

        return sorted(self.result.teams, key=order)[: self.most]

    @property
    def title(self) -> str:
        teams = len(self.result.teams)
        part = f", the {self.most:,} of {teams:,} teams with the largest shortfall" if teams > self.most else ""
        return f"Do gains on public queries carry over to private ones? {self.result.measure}{part}"

    @property
    def subtitle(self) -> str:
        result = self.result
        queries = f"{result.public_queries:,} public and {result.private_queries:,} private queries"
        shortfall = "Shortfall at the other teams' rate, with uncorrected 95% intervals."
        judged = shortfall if any(team.excess_ci95 for team in result.teams) else "No team can be judged."
        return f"First to last submission, {queries}. {judged}"

    def text_alternative(self) -> str:
        teams = []
        for team in self._shown[:5]:
            excess = "cannot be judged"
            if team.excess_ci95 is not None:
                low, high = team.excess_ci95
                excess = f"shortfall {team.excess:+.4f} ({low:+.4f} to {high:+.4f})"
            changes = f"{team.change_public:+.4f} on public and {team.change_private:+.4f} on private"
            teams.append(f"{shown_name(team.team)} {changes}, {excess}")
        above = sum(team.excess_ci95 is not None and team.excess_ci95[0] > 0 for team in self.result.teams)
        return (
            f"Changes in {self.result.measure} of {counted(len(self.result.teams), 'team')}, the largest shortfall "
            f"first: {'; '.join(teams)}. The uncorrected interval is above 0 for {above:,}."
        )

    def intervals(self) -> Sequence[IntervalLine]:
        intervals = []
        for team in self._shown:
            ends, short = None, ""
            if team.excess is not None and team.excess_ci95 is not None:
                low, high = team.excess_ci95
                ends, short = (low, team.excess, high), f"{team.excess:+.4f}"
            changes = f"{team.change_public:+.4f}", f"{team.change_private:+.4f}"
            intervals.append(IntervalLine((shown_name(team.team), *changes, short), ends))
        return intervals

    def text_notes(self) -> list[str]:
        if not any(team.excess_ci95 for team in self._shown):
            return ["No team can be judged."]
        (scale,) = super().text_notes()
        return [f"Short: the shortfall. {scale.removesuffix('.')}; intervals are uncorrected."]

    def view(self) -> Spec:
        style, palette, shown = self.style, self.style.palette, self._shown
        labels = short_labels([team.team for team in shown], style.sheet.label)
        values: list[Spec] = []
        changes: list[Spec] = []
        for label, team in zip(labels, shown, strict=True):
            low, high = team.excess_ci95 or (None, None)
            both = {"public": team.change_public, "private": team.change_private}
            who = {"row": label, "team": label, "name": shown_name(team.team)}
            when = {
                "first": shown_name(team.first),
                "last": shown_name(team.last),
                "submissions": len(team.submissions),
            }
            values.append({**who, **when, **both, "excess": team.excess, "low": low, "high": high})
            changes += [{**who, **when, "queries": side, "change": both[side]} for side in SIDES]
        scale = {"zero": True, "nice": False, "padding": 8}
        change: Spec = {"type": "quantitative", "title": "Change of the mean", "scale": scale}
        change["axis"] = {"format": "+.3~f", "tickCount": 4}
        rows = nominal("row", scale={"domain": list(labels)})
        colours = {"domain": list(SIDES), "range": [palette.second, palette.first]}
        legend = {"orient": "top", "direction": "horizontal", "symbolOpacity": 1}
        dots = {
            "y": rows,
            "x": {"field": "change", **change},
            "color": nominal("queries", "Change on", scale=colours, legend=legend),
            "shape": nominal("queries", "Change on", scale={"domain": list(SIDES), "range": ["circle", "diamond"]}),
            "tooltip": tooltip(*TIPS, ("queries", "Queries"), ("change", "Change", "+.4f")),
        }
        joined = {"y": rows, "x": {"field": "private", **change}, "x2": {"field": "public"}}
        room = style.plot_width(*labels)
        left: Spec = {
            "width": round(room * 0.5),
            "height": style.row_height(len(shown)) * len(shown),
            "layer": [
                zero_line("x", change, palette.soft, strokeDash=[3, 3]),
                layer("rule", joined, values, color=palette.neutral, strokeWidth=2),
                points(dots, style, changes, 60),
            ],
        }
        judged = [row for row in values if row["excess"] is not None]
        if not judged:
            return {**left, "width": room}
        short = {**change, "title": "Shortfall on private"}
        excess = ("excess", "Shortfall", "+.4f"), ("low", "95% from", "+.4f"), ("high", "to", "+.4f")
        encoding = {"y": rows | {"axis": None}, "tooltip": tooltip(*TIPS, *excess)}
        drawn = self.interval_layers(encoding, short, ("low", "excess", "high"), colour=palette.accent)
        right: Spec = {
            "data": {"values": judged},
            "width": round(room * 0.42),
            "height": left["height"],
            "layer": [zero_line("x", short, palette.soft, strokeDash=[3, 3]), *drawn],
        }
        return {"hconcat": [left, right], "spacing": 16}
