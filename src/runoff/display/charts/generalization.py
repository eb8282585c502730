"""Charts of generalisation: ranks under other conditions, and gains on private queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal

from runoff.boards.generalization import GeneralizationResult
from runoff.boards.overfitting import OverfittingResult, TeamChange
from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Words, rank_ticks
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._labels import fit, short_labels, shown_name
from runoff.display.charts._spec import Spec
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
    number: ClassVar = ".4g"

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

    def words(self) -> Words:
        result, is_ranks = self.generalization, self.values == "ranks"
        names, shown, runs = list(map(visible, result.conditions)), [], len(result.runs)
        for run in self._places:
            values = [self._ends(condition, run)[1] for condition in range(len(names))]
            (low, at_low), (high, at_high) = (
                (f"{pick(values):{self._number}}", names[values.index(pick(values))]) for pick in (min, max)
            )
            where = f"from {low} ({at_low}) to {high} ({at_high})" if low != high else f"{low} in all"
            shown.append(f"{shown_name(result.runs[run])} {where}")
        grey = "; grey: the other runs" if runs > len(shown) and is_ranks else ""
        return Words(
            f"Do the {self.values} hold under other conditions? {len(shown)} of {runs:,} runs",
            f"{'Expected ranks' if is_ranks else 'Means'} under {len(names)} conditions: {'; '.join(shown)}.",
            f"95% intervals over {result.trials:,} bootstrap samples of each condition's queries{grey}",
            ("95% intervals.",),
        )

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

    def view(self) -> Spec:
        result, style, is_ranks = self.generalization, self.style, self.values == "ranks"
        names = short_labels(result.conditions, style.sheet.label)
        labels = short_labels([result.runs[run] for run in self._places], style.sheet.label)
        label_of = dict(zip(self._places, labels, strict=True))
        shown, others = [], []
        for run, at in ((run, at) for run in range(len(result.runs)) for at in range(len(names))):
            low, value, high = map(vl.finite, self._ends(at, run))
            row: Spec = {"condition": names[at], "name": shown_name(result.runs[run]), "value": value}
            if run in label_of:
                full = visible(result.conditions[at])
                shown.append({**row, "run": label_of[run], "low": low, "high": high, "full": full})
            elif is_ranks:
                others.append({**row, "key": run})
        width = style.sheet.width - 5 * style.sheet.font
        is_narrow = max(map(style.text_width, names)) >= width / len(names)
        x = vl.nominal("condition", sort=None, scale={"domain": list(names), "padding": 0.25})
        x["axis"] = {"labelAngle": -35 if is_narrow else 0, "domain": False, "ticks": False}
        y = vl.numbers("Mean", vl.NOT_FROM_ZERO, tickCount=6)
        if is_ranks:
            last = math.ceil(max([*(row["high"] for row in shown), *(row["value"] for row in others)]))
            scale = vl.exactly(0.5, last + 0.5, reverse=True)
            y = vl.numbers("Expected rank", scale, values=rank_ticks(last), format="d")
        look = vl.series("run", labels, style)
        offset = {"field": "run", "type": "nominal", "scale": {"domain": list(labels)}}
        tips = vl.tooltip(
            ("name", "Run"), ("full", "Condition"), ("value", "Expected", self._number), *vl.ends_tips(None)
        )
        encoding = {"x": x, "xOffset": offset, "color": look["color"]}
        middle = {"y": {"field": "value", **y}}
        interval = {"y": {"field": "low", **y}, "y2": {"field": "high"}, "tooltip": tips}
        return vl.panel(
            width,
            style.sheet.width * 0.5,
            *vl.grey_lines({"x": x, **middle}, others, style, runs=len(result.runs)),
            vl.layer("line", encoding | middle, shown, strokeWidth=1.5, opacity=0.55),
            vl.layer("rule", encoding | interval, shown, strokeWidth=2),
            vl.points(encoding | middle | {"shape": look["shape"], "tooltip": tips}, style, shown, 70),
        )


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
        super().__post_init__()
        if not self.result.teams:
            raise UsageError("there are no teams to show; expected at least one with two submissions")

    @property
    def _shown(self) -> list[TeamChange]:
        def order(team: TeamChange) -> tuple[bool, float, str]:
            return team.excess is None, -(team.change_public if team.excess is None else team.excess), team.team

        return sorted(self.result.teams, key=order)[: self.most]

    def words(self) -> Words:
        result, sentences = self.result, []
        for team in self._shown[:5]:
            excess = "cannot be judged"
            if team.excess_ci95 is not None:
                low, high = team.excess_ci95
                excess = f"shortfall {team.excess:+.4f} ({low:+.4f} to {high:+.4f})"
            changes = f"{team.change_public:+.4f} on public and {team.change_private:+.4f} on private"
            sentences.append(f"{shown_name(team.team)} {changes}, {excess}")
        above = sum(team.excess_ci95 is not None and team.excess_ci95[0] > 0 for team in result.teams)
        teams = len(result.teams)
        part = f", the {self.most:,} of {teams:,} teams with the largest shortfall" if teams > self.most else ""
        queries = f"{result.public_queries:,} public and {result.private_queries:,} private queries"
        is_judged = any(team.excess_ci95 for team in result.teams)
        judged = "Shortfall at the other teams' rate, with uncorrected 95% intervals."
        nobody = "No team can be judged."
        return Words(
            f"Do gains on public queries carry over to private ones? {result.measure}{part}",
            f"Changes in {result.measure} of {counted(teams, 'team')}, the largest shortfall first: "
            f"{'; '.join(sentences)}. The uncorrected interval is above 0 for {above:,}.",
            f"First to last submission, {queries}. {judged if is_judged else nobody}",
            ("Short: the shortfall, with uncorrected intervals." if is_judged else nobody,),
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
        change = vl.numbers("Change of the mean", vl.NOT_FROM_ZERO | {"zero": True}, format="+.3~f", tickCount=4)
        rows = vl.nominal("row", scale={"domain": list(labels)})
        colours, legend = [palette.second, palette.first], vl.legend_above(symbolOpacity=1)
        dots = {
            "y": rows,
            "x": {"field": "change", **change},
            "color": vl.words_as("queries", SIDES, colours, "Change on", legend=legend),
            "shape": vl.words_as("queries", SIDES, ["circle", "diamond"], "Change on"),
            "tooltip": vl.tooltip(*TIPS, ("queries", "Queries"), ("change", "Change", "+.4f")),
        }
        joined = {"y": rows, "x": {"field": "private", **change}, "x2": {"field": "public"}}
        room, zero = style.plot_width(*labels), {"strokeDash": [3, 3]}
        left = vl.panel(
            room * 0.5,
            self.rows_height(labels),
            vl.zero_line("x", change, palette.soft, **zero),
            vl.layer("rule", joined, values, color=palette.neutral, strokeWidth=2),
            vl.points(dots, style, changes, 60),
        )
        judged = [row for row in values if row["excess"] is not None]
        if not judged:
            return {**left, "width": room}
        tips = vl.tooltip(*TIPS, ("excess", "Shortfall", "+.4f"), *vl.ends_tips("+.4f"))
        look = {"tooltip": tips, "color": {"value": palette.accent}, "zero": zero}
        x, size = {**change, "title": "Shortfall on private"}, (room * 0.42, left["height"])
        right = self.panel(self.rows(labels, named=False), judged, x, ("low", "excess", "high"), size, **look)
        return {"hconcat": [left, right], "spacing": 16}
