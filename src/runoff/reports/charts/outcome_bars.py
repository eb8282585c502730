"""Which run answers which share of the queries: a bar per pair of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.comparisons import OutcomesResult
from runoff.errors import UsageError
from runoff.reports.bars import share_bar
from runoff.reports.charts._base import Chart, Spec, check_most
from runoff.reports.charts._labels import short_labels, shorten, shown_name

WORDS: Final = {
    "neither": "neither",
    "champion_only": "only champion",
    "challenger_only": "only challenger",
    "both": "both",
}


@dataclass(frozen=True, eq=False)
class OutcomeBars(Chart):
    """The outcomes of one or several pairs: neither, only the champion, only the challenger or both find an answer.

    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    most  how many pairs are shown, the first ones
    """

    name: ClassVar = "outcome_bars"
    description: ClassVar = "The share of queries that neither, only the champion, only the challenger or both answer."

    outcomes: Sequence[OutcomesResult]
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.outcomes:
            raise UsageError("there are no outcomes to show; expected those of one pair at least")

    @property
    def _shown(self) -> Sequence[OutcomesResult]:
        return self.outcomes[: self.most]

    @property
    def _one_champion(self) -> str | None:
        names = {one.champion for one in self.outcomes}
        return next(iter(names)) if len(names) == 1 else None

    @property
    def title(self) -> str:
        """Who is compared, and how many pairs are shown."""
        one = self.outcomes[0]
        champion = self._one_champion
        if len(self.outcomes) == 1:
            who = f"{shorten(one.challenger, 40)} against {shorten(one.champion, 40)}"
        else:
            who = "pairs of runs" if champion is None else f"challengers of {shorten(champion, 40)}"
        cut = len(self.outcomes) > self.most
        part = f", the first {self.most:,} of {len(self.outcomes):,} pairs" if cut else ""
        return f"Which run answers? {who}{part}"

    @property
    def subtitle(self) -> str:
        """Queries and depth."""
        one = self.outcomes[0]
        sizes = {each.queries for each in self.outcomes}
        queries = f"{one.queries:,} queries" if len(sizes) == 1 else "the queries of each pair"
        return f"Shares of {queries} with a relevant document {_within(one.cutoff)}"

    def text_alternative(self) -> str:
        """The counts of the first pairs."""
        said = []
        for one in self._shown[:3]:
            champion, challenger = shown_name(one.champion), shown_name(one.challenger)
            said.append(
                f"Of {one.queries:,} queries, {one.both:,} are answered by both {champion} and {challenger}, "
                f"{one.champion_only:,} only by {champion}, {one.challenger_only:,} only by {challenger} and "
                f"{one.neither:,} by neither."
            )
        rest = len(self.outcomes) - len(said)
        return " ".join([*said, *([f"{rest:,} more pairs follow."] if rest else [])])

    def text_lines(self, width: int) -> list[str]:
        """A bar per pair."""
        lines: list[str] = []
        for one in self._shown:
            limit = max(width - 24, 8)
            names = {"champion_only": f"only {shorten(one.champion, limit)}",
                     "challenger_only": f"only {shorten(one.challenger, limit)}"}  # fmt: skip
            bar = share_bar([(names.get(key, WORDS[key]), count) for key, count in one.counts.items()], width=width)
            lines += [bar or "no queries", ""]
        return "\n".join(lines[:-1]).split("\n")

    def view(self) -> Spec:
        """Stacked bars, with counts where they have room."""
        style, palette = self.style, self.style.palette
        single = self._one_champion is not None
        names = [one.challenger if single else f"{one.challenger} / {one.champion}" for one in self._shown]
        labels = short_labels(names, style.sheet.label if single else round(style.sheet.label * 1.3))
        width = style.plot_width(*labels)
        values = []
        for label, one in zip(labels, self._shown, strict=True):
            start = 0.0
            for key, count in one.counts.items():
                share = one.shares[key]
                values.append({
                    "pair": label, "champion": shown_name(one.champion), "challenger": shown_name(one.challenger),
                    "outcome": WORDS[key], "count": count, "share": share, "from": start, "to": start + share,
                    "middle": start + share / 2, "label": style.if_fits(f"{count:,}", share * width),
                })  # fmt: skip
                start += share
        colours = [palette.neutral, palette.first, palette.second, palette.strong]
        # Letters on a light part are dark and on a dark one light, in both themes.
        letters = ["#e4e7ec", "#1d2127", "#15181d", "#15181d"] if style.dark else ["#1d2127", "#1d2127", "#fff", "#fff"]
        domain = list(WORDS.values())
        y = {"field": "pair", "type": "nominal", "title": None, "scale": {"domain": list(labels), "padding": 0.2}}
        x = {"type": "quantitative", "title": "Share of the queries", "scale": {"domain": [0, 1]},
             "axis": {"format": ".0%", "tickCount": 5}}  # fmt: skip
        tooltip = [
            {"field": "champion", "type": "nominal", "title": "Champion"},
            {"field": "challenger", "type": "nominal", "title": "Challenger"},
            {"field": "outcome", "type": "nominal", "title": "Answered by"},
            {"field": "count", "type": "quantitative", "title": "Queries", "format": ","},
            {"field": "share", "type": "quantitative", "title": "Share", "format": ".1%"},
        ]
        rows = len(labels)
        return {
            "data": {"values": values},
            "width": width,
            "height": round(style.row_height(rows) * rows * (1.6 if rows <= 12 else 1.2)),
            "layer": [
                {
                    "mark": {"type": "bar", "stroke": palette.paper, "strokeWidth": 0.5},
                    "encoding": {
                        "y": y, "x": {"field": "from", **x}, "x2": {"field": "to"}, "tooltip": tooltip,
                        "color": {"field": "outcome", "type": "nominal", "title": "Answered by",
                                  "scale": {"domain": domain, "range": colours},
                                  "legend": {"orient": "top", "direction": "horizontal",
                                             "columns": 4 if style.size == "page" else 2}},
                    },
                },
                {
                    "mark": {"type": "text", "fontSize": style.sheet.font - 1},
                    "encoding": {
                        "y": y, "x": {"field": "middle", **x}, "text": {"field": "label", "type": "nominal"},
                        "color": {"field": "outcome", "type": "nominal", "legend": None,
                                  "scale": {"domain": domain, "range": letters}},
                    },
                },
            ],
            "resolve": {"scale": {"color": "independent"}},
        }  # fmt: skip


def _within(cutoff: int | None) -> str:
    return "anywhere in the list" if cutoff is None else f"to rank {cutoff:,}"
