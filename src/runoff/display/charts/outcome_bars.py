"""Which of two runs finds more of the relevant documents: a bar per pair of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.comparisons import OutcomesResult
from runoff.display.bars import share_bar
from runoff.display.charts._base import Chart, Spec, check_most
from runoff.display.charts._labels import fit, short_labels, shorten, shown_name
from runoff.errors import UsageError

ONLY: Final = "only "


@dataclass(frozen=True, eq=False)
class OutcomeBars(Chart):
    """The outcomes of one or several pairs: what neither, only the champion, only the challenger or both runs find.

    Shares are of the relevant documents that could be found, averaged over queries. They count how many a run finds,
    not which: two runs that find one document each have one in common here, also if it is not the same. With one
    relevant document per query they are shares of the queries.
    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    most  how many pairs are shown, the first ones
    """

    name: ClassVar = "outcome_bars"
    description: ClassVar = "The share of relevant documents that neither, one or both of two runs find."

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
        return f"Which run finds more? {who}{part}"

    @property
    def subtitle(self) -> str:
        """Queries and depth."""
        one = self.outcomes[0]
        sizes = {_queries(each) for each in self.outcomes}
        queries = _counted(sizes.pop()) if len(sizes) == 1 else "the queries of each pair"
        if self._are_queries:
            return f"Shares of {queries}, by which run finds a relevant document {_within(one.cutoff)}"
        return (
            f"Shares of the relevant documents that could be found {_within(one.cutoff)} (how many, not which), "
            f"averaged over {queries}"
        )

    @property
    def _are_queries(self) -> bool:
        """Whether there is one relevant document at most to be found of any query, so that shares are of queries."""
        return all(one.is_single for one in self.outcomes)

    def text_alternative(self) -> str:
        """The counts or shares of the first pairs."""
        said = [_sentence(one) for one in self._shown[:3]]
        rest = len(self.outcomes) - len(said)
        more = f"{rest:,} more {'pair follows' if rest == 1 else 'pairs follow'}."
        return " ".join([*said, *([more] if rest else [])])

    def text_lines(self, width: int) -> list[str]:
        """A bar per pair."""
        lines: list[str] = []
        for one in self._shown:
            limit = max(width - 24, 8)
            first, second = (_short(name, limit) for name in (one.champion, one.challenger))
            words = {"champion_only": f"{ONLY}{first}", "challenger_only": f"{ONLY}{second}"}
            sizes: Mapping[str, float] = one.counts if one.is_single else one.shares
            bar = share_bar([(words.get(key, key), size) for key, size in sizes.items()], width=width)
            lines += [bar or "no queries", ""]
        return "\n".join(lines[:-1]).split("\n")

    def text_notes(self) -> list[str]:
        """What the shares are of."""
        return [f"{self.subtitle}."]

    def _words(self) -> dict[str, str]:
        """What the parts are called: by the names of the runs, where these are the same in every bar."""
        champion = self._one_champion
        names = (
            "champion" if champion is None else shown_name(champion),
            shown_name(self.outcomes[0].challenger) if len(self.outcomes) == 1 else "challenger",
        )
        first, second = short_labels([f"{ONLY}{name}" for name in names], self.style.sheet.label + len(ONLY))
        return {"neither": "neither", "champion_only": first, "challenger_only": second, "both": "both"}

    def _columns(self, words: Sequence[str], width: int) -> int:
        """How many columns the legend has room for."""
        beside = round(2.2 * self.style.sheet.font)  # its symbol, and the gap to the next one
        widths = [self.style.text_width(word) + beside for word in words]
        return next((count for count in (4, 2) if sum(max(widths[at::count]) for at in range(count)) <= width), 1)

    def view(self) -> Spec:
        """Stacked bars, with counts or shares where they have room."""
        style, palette = self.style, self.style.palette
        single = self._one_champion is not None
        names = [one.challenger if single else f"{one.challenger} / {one.champion}" for one in self._shown]
        labels = short_labels(names, style.sheet.label if single else round(style.sheet.label * 1.3))
        width = style.plot_width(*labels)
        words = self._words()
        values = []
        for label, one in zip(labels, self._shown, strict=True):
            start = 0.0
            for key, count in one.counts.items():
                share = one.shares[key]
                text = f"{count:,}" if one.is_single else f"{share:.0%}"
                values.append({
                    "pair": label, "champion": shown_name(one.champion), "challenger": shown_name(one.challenger),
                    "outcome": words[key], "count": count, "share": share, "from": start, "to": start + share,
                    "middle": start + share / 2, "label": style.if_fits(text, share * width),
                })  # fmt: skip
                start += share
        colours = [palette.neutral, palette.first, palette.second, palette.strong]
        # Letters on a light part are dark and on a dark one light, in both themes.
        letters = ["#e4e7ec", "#1d2127", "#15181d", "#15181d"] if style.dark else ["#1d2127", "#1d2127", "#fff", "#fff"]
        domain = list(words.values())
        of, what = ("queries", "Queries") if self._are_queries else ("relevant documents", "Documents")
        ticks = [0, 0.2, 0.4, 0.6, 0.8, 1] if style.size == "page" else [0, 0.5, 1]
        y = {"field": "pair", "type": "nominal", "title": None, "scale": {"domain": list(labels), "padding": 0.2}}
        x = {"type": "quantitative", "title": f"Share of the {of}", "scale": {"domain": [0, 1]},
             "axis": {"format": ".0%", "values": ticks}}  # fmt: skip
        tooltip = [
            {"field": "champion", "type": "nominal", "title": "Champion"},
            {"field": "challenger", "type": "nominal", "title": "Challenger"},
            {"field": "outcome", "type": "nominal", "title": "Found by"},
            {"field": "count", "type": "quantitative", "title": what, "format": ","},
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
                        "color": {"field": "outcome", "type": "nominal", "title": "Found by",
                                  "scale": {"domain": domain, "range": colours},
                                  "legend": {"orient": "top", "direction": "horizontal",
                                             "columns": self._columns(domain, width)}},
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


def _sentence(one: OutcomesResult) -> str:
    """What each run finds."""
    champion, challenger = shown_name(one.champion), shown_name(one.challenger)
    if one.is_single:
        return (
            f"Of {_counted(_queries(one))}, {one.both:,} {'is' if one.both == 1 else 'are'} answered by both "
            f"{champion} and {challenger}, {one.champion_only:,} only by {champion}, {one.challenger_only:,} only by "
            f"{challenger} and {one.neither:,} by neither."
        )
    both, first, second, neither = (
        f"{one.shares[key]:.1%}" for key in ("both", "champion_only", "challenger_only", "neither")
    )
    theirs, mine = one.queries_more
    return (
        f"Of the relevant documents that could be found, averaged over {_counted(_queries(one))}, both {champion} and "
        f"{challenger} find {both}, {champion} another {first}, {challenger} another {second} and neither the other "
        f"{neither}. {champion} finds more on {_counted(theirs)}, {challenger} on {mine:,}."
    )


def _queries(one: OutcomesResult) -> int:
    """The queries that can be answered, which is what shares are of."""
    return one.queries - one.unanswerable


def _counted(queries: int) -> str:
    return f"{queries:,} {'query' if queries == 1 else 'queries'}"


def _short(name: str, limit: int) -> str:
    """A name of at most so many places of a terminal."""
    return fit(shown_name(name), limit).rstrip()


def _within(cutoff: int | None) -> str:
    return "anywhere in the list" if cutoff is None else f"to rank {cutoff:,}"
