"""Charts of generalisation: ranks under other conditions, and gains on private queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal

from runoff.boards.generalization import GeneralizationResult
from runoff.boards.overfitting import OverfittingResult, TeamChange
from runoff.display.charts._base import check_most, rank_ticks
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import fit, short_labels, shown_name
from runoff.display.charts._spec import Spec, finite, grey_lines, layer, nominal, points, series, tooltip, zero_line
from runoff.display.charts._style import SHAPES
from runoff.display.grid import visible
from runoff.errors import UsageError
from runoff.phrases import counted

MOST: Final = len(SHAPES)
"""Runs that have a colour and a shape of their own."""


@dataclass(frozen=True, eq=False)
class Conditions(Intervals):
    """Expected ranks, or means, of chosen runs under each condition with their 95% intervals.

    Craswell et al. 2021, Figure 4, https://doi.org/10.1145/3404835.3462804

    chosen  names of runs, at most 7; by default the leaders of every condition
    values  `ranks` or `means`; means of different measures can share no axis, so ranks are the default
    """

    name: ClassVar = "conditions"
    description: ClassVar = "The expected rank of chosen runs under each condition, with 95% intervals."

    generalization: GeneralizationResult
    chosen: Sequence[str] = ()
    values: Literal["ranks", "means"] = "ranks"

    def __post_init__(self) -> None:
        runs = self.generalization.runs
        unknown = [name for name in self.chosen if name not in runs]
        if unknown:
            raise UsageError(f"no run '{unknown[0]}' on this board; expected one of its {len(runs):,} runs; choose one")
        if len(set(self.chosen)) > MOST:
            raise UsageError(
                f"{len(self.chosen)} runs are chosen; expected at most {MOST}, one per colour; leave some out"
            )
        if self.values not in {"ranks", "means"}:
            raise UsageError(f"values={self.values!r} cannot be used; expected 'ranks' or 'means'")

    @property
    def title(self) -> str:
        runs, shown = len(self.generalization.runs), len(self._places)
        return f"Do the {self.values} hold under other conditions? {shown} of {runs:,} runs"

    @property
    def subtitle(self) -> str:
        samples = f"95% intervals over {self.generalization.trials:,} bootstrap samples of each condition's queries"
        others = len(self.generalization.runs) > len(self._places) and self.values == "ranks"
        return f"{samples}; grey: the other runs" if others else samples

    @cached_property
    def _places(self) -> tuple[int, ...]:
        result = self.generalization
        if self.chosen:
            return tuple(result.runs.index(name) for name in dict.fromkeys(self.chosen))
        leaders = [
            [run for run in board.order if board.ranks[run] == board.ranks[board.order[0]]]
            for board in result.stabilities
        ]
        first = [*(tied[0] for tied in leaders), *(run for tied in leaders for run in tied)]
        return tuple(dict.fromkeys(first))[:MOST]

    def _ends(self, condition: int, run: int) -> tuple[float, float, float]:
        board = self.generalization.stabilities[condition]
        if self.values == "ranks":
            low, high = board.rank_intervals[run].tolist()
            return float(low), float(board.expected_ranks[run]), float(high)
        low, high = board.mean_ci95[run].tolist()
        return low, float(board.means[run]), high

    @property
    def _number(self) -> str:
        return ".1f" if self.values == "ranks" else ".4f"

    def text_alternative(self) -> str:
        result = self.generalization
        names = [visible(name) for name in result.conditions]
        runs = []
        for run in self._places:
            values = [self._ends(condition, run)[1] for condition in range(len(names))]
            (low, at_low), (high, at_high) = (
                (f"{pick(values):{self._number}}", names[values.index(pick(values))]) for pick in (min, max)
            )
            where = f"from {low} ({at_low}) to {high} ({at_high})" if low != high else f"{low} in all"
            runs.append(f"{shown_name(result.runs[run])} {where}")
        what = "Expected ranks" if self.values == "ranks" else "Means"
        return f"{what} under {len(names)} conditions: {'; '.join(runs)}."

    def intervals(self) -> Sequence[IntervalLine]:
        return [
            IntervalLine((f"  {visible(name)}", f"{self._ends(at, run)[1]:{self._number}}"), self._ends(at, run))
            for run in self._places
            for at, name in enumerate(self.generalization.conditions)
        ]

    def text_lines(self, width: int) -> list[str]:
        """A block per run and a line per condition."""
        lines, size = super().text_lines(width), len(self.generalization.conditions)
        blocks: list[str] = []
        for at, run in enumerate(self._places):
            name = fit(shown_name(self.generalization.runs[run]), width).rstrip()
            blocks += ["", name, *lines[at * size : (at + 1) * size]]
        return blocks[1:]

    def text_notes(self) -> list[str]:
        (low, high), digits = self.span(), 0 if self.values == "ranks" else 4
        return [f"The scale is from {low:.{digits}f} to {high:.{digits}f}; intervals are of 95%."]

    def view(self) -> Spec:
        result, style, is_ranks = self.generalization, self.style, self.values == "ranks"
        names = short_labels(result.conditions, style.sheet.label)
        labels = short_labels([result.runs[run] for run in self._places], style.sheet.label)
        label_of = dict(zip(self._places, labels, strict=True))
        shown, others = [], []
        for run, at in ((run, at) for run in range(len(result.runs)) for at in range(len(names))):
            low, value, high = map(finite, self._ends(at, run))
            row: Spec = {"condition": names[at], "name": shown_name(result.runs[run]), "value": value}
            if run in label_of:
                full = visible(result.conditions[at])
                shown.append({**row, "run": label_of[run], "low": low, "high": high, "full": full})
            elif is_ranks:
                others.append({**row, "key": run})
        width = style.sheet.width - 5 * style.sheet.font
        is_narrow = max(map(style.text_width, names)) >= width / len(names)
        x = nominal("condition", sort=None, scale={"domain": list(names), "padding": 0.25})
        x["axis"] = {"labelAngle": -35 if is_narrow else 0, "domain": False, "ticks": False}
        scale: Spec = {"zero": False, "nice": False, "padding": 8}
        axis: Spec = {"tickCount": 6}
        if is_ranks:
            last = math.ceil(max([*(row["high"] for row in shown), *(row["value"] for row in others)]))
            scale = {"reverse": True, "nice": False, "domain": [0.5, last + 0.5]}
            axis = {"values": rank_ticks(last), "format": "d"}
        y = {"type": "quantitative", "title": "Expected rank" if is_ranks else "Mean", "scale": scale, "axis": axis}
        look = series("run", labels, style)
        offset = {"field": "run", "type": "nominal", "scale": {"domain": list(labels)}}
        tips = tooltip(
            ("name", "Run"),
            ("full", "Condition"),
            ("value", "Expected", self._number),
            ("low", "95% from", None),
            ("high", "to", None),
        )
        encoding = {"x": x, "xOffset": offset, "color": look["color"]}
        middle = {"y": {"field": "value", **y}}
        interval = {"y": {"field": "low", **y}, "y2": {"field": "high"}, "tooltip": tips}
        dots = points(encoding | middle | {"shape": look["shape"], "tooltip": tips}, style, shown, 70)
        grey = [grey_lines({"x": x, **middle}, others, style, runs=len(result.runs))] if others else []
        return {
            "width": width,
            "height": round(style.sheet.width * 0.5),
            "layer": [
                *grey,
                layer("line", encoding | middle, shown, strokeWidth=1.5, opacity=0.55),
                layer("rule", encoding | interval, shown, strokeWidth=2),
                dots,
            ],
        }


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
