"""Two runs on the same queries: which finds more of the relevant documents, and what changes query by query."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import OutcomesResult
from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart, Words, first_of, more_of
from runoff.display.charts._labels import TextRow, block_bar, fit, short_labels, shorten, shown_name, text_rows
from runoff.display.charts._spec import Kind, Spec
from runoff.display.charts._stacked_bars import Bar, Bars, StackedBars
from runoff.display.grid import visible
from runoff.display.text_pictures import share_bar
from runoff.errors import UsageError
from runoff.phrases import counted

ONLY: Final = "only "


@dataclass(frozen=True, eq=False)
class OutcomeBars(StackedBars):
    """The outcomes of one or several pairs: what neither, only the champion, only the challenger or both runs find.

    Shares are of the relevant documents that could be found, averaged over queries. They count how many a run finds,
    not which: two runs that find one document each have one in common here, also if it is not the same. With one
    relevant document per query they are shares of the queries.
    Lin et al. 2021, https://doi.org/10.48550/arXiv.2102.12887

    most  how many pairs are shown, the first ones
    """

    name: ClassVar = "outcome_bars"
    description: ClassVar = "The share of relevant documents that neither, one or both of two runs find."
    legend: ClassVar = "Found by"
    tips: ClassVar = (("champion", "Champion"), ("challenger", "Challenger"))
    part_tips: ClassVar = (("kind", "Found by"), ("count", "Count", ","), ("share", "Share", ".1%"))
    empty: ClassVar = "there are no outcomes to show; expected those of at least one pair"

    outcomes: Sequence[OutcomesResult]
    most: int = 40

    @property
    def _shown(self) -> Sequence[OutcomesResult]:
        return self.outcomes[: self.most]

    @property
    def _one_champion(self) -> str | None:
        names = {pair.champion for pair in self.outcomes}
        return next(iter(names)) if len(names) == 1 else None

    def words(self) -> Words:
        pair, champion, pairs = self.outcomes[0], self._one_champion, len(self.outcomes)
        who = "Pairs of runs" if champion is None else f"Challengers of {shorten(champion, 40)}"
        if pairs == 1:
            who = f"{shorten(pair.challenger, 40)} against {shorten(pair.champion, 40)}"
        where = "anywhere in the list" if pair.cutoff is None else f"to rank {pair.cutoff:,}"
        sizes = {_answerable(pair) for pair in self.outcomes}
        queries = sizes.pop() if len(sizes) == 1 else "the queries of each pair"
        documents = f"relevant documents that could be found {where} (how many, not which)"
        subtitle = f"Shares of the {documents}, averaged over {queries}"
        if self._are_queries:
            subtitle = f"Shares of {queries}, by which run finds a relevant document {where}"
        sentences = [_sentence(pair) for pair in self._shown[:3]]
        return Words(
            f"Which run finds more? {who}{first_of(len(self._shown), pairs, 'pairs')}",
            f"{' '.join(sentences)}{more_of(pairs - len(sentences), 'pair')}",
            subtitle,
            (f"{subtitle}.",),
        )

    def key(self) -> tuple[str, ...]:
        return ()

    @property
    def _are_queries(self) -> bool:
        """Whether there is one relevant document at most to be found of any query, so that shares are of queries."""
        return all(pair.is_single for pair in self.outcomes)

    @property
    def axis_title(self) -> str:
        return f"Share of the {'queries' if self._are_queries else 'relevant documents'}"

    def text_lines(self, width: int) -> list[str]:
        """A bar per pair, with its own legend below it."""
        lines: list[str] = []
        for pair in self._shown:
            first, second = (
                fit(shown_name(name), max(width - 24, 8)).rstrip() for name in (pair.champion, pair.challenger)
            )
            words = {"champion_only": f"{ONLY}{first}", "challenger_only": f"{ONLY}{second}"}
            sizes: Mapping[str, float] = pair.counts if pair.is_single else pair.shares
            bar = share_bar([(words.get(key, key), size) for key, size in sizes.items()], width=width)
            lines += [bar or "no queries", ""]
        return "\n".join(lines[:-1]).split("\n")

    def kinds(self) -> Sequence[Kind]:
        """Parts by the names of the runs, where these are the same in every bar."""
        names = (
            "champion" if self._one_champion is None else shown_name(self._one_champion),
            shown_name(self.outcomes[0].challenger) if len(self.outcomes) == 1 else "challenger",
        )
        first, second = short_labels([f"{ONLY}{name}" for name in names], self.style.sheet.label + len(ONLY))
        palette = self.style.palette
        return (
            Kind("neither", palette.neutral),
            Kind(first, palette.first),
            Kind(second, palette.second),
            Kind("both", palette.strong),
        )

    def panels(self) -> Sequence[Bars]:
        single = self._one_champion is not None
        bars = []
        for pair in self._shown:
            fields = {"champion": shown_name(pair.champion), "challenger": shown_name(pair.challenger)}
            parts = [
                {"count": count, "text": f"{count:,}" if pair.is_single else f"{pair.shares[key]:.0%}"}
                for key, count in pair.counts.items()
            ]
            label = pair.challenger if single else f"{pair.challenger} / {pair.champion}"
            bars.append(Bar(label, list(pair.shares.values()), fields, parts))
        return [Bars(bars)]


def _sentence(pair: OutcomesResult) -> str:
    """What each run finds."""
    champion, challenger, queries = shown_name(pair.champion), shown_name(pair.challenger), _answerable(pair)
    if pair.is_single:
        return (
            f"Of {queries}, {pair.both:,} {'is' if pair.both == 1 else 'are'} answered by both {champion} and "
            f"{challenger}, {pair.champion_only:,} only by {champion}, {pair.challenger_only:,} only by {challenger} "
            f"and {pair.neither:,} by neither."
        )
    both, first, second, neither = (
        f"{pair.shares[key]:.1%}" for key in ("both", "champion_only", "challenger_only", "neither")
    )
    theirs, mine = pair.queries_more
    return (
        f"Of the relevant documents that could be found, averaged over {queries}, both {champion} and {challenger} "
        f"find {both}, {champion} another {first}, {challenger} another {second} and neither the other {neither}. "
        f"{champion} finds more on {counted(theirs, 'query', 'queries')}, {challenger} on {mine:,}."
    )


def _answerable(pair: OutcomesResult) -> str:
    """The queries that can be answered, which is what shares are of."""
    return counted(pair.queries - pair.unanswerable, "query", "queries")


BARS: Final = 100
"""With at most this many queries each has a bar; with more, there is an area."""
STEPS: Final = 600
"""Steps of the area; of more queries, neighbours share one with their mean."""


@dataclass(frozen=True, eq=False)
class Differences(Chart):
    """Challenger minus champion for every query, from the largest gain to the largest loss.

    query_ids             the queries
    champion, challenger  float64, queries: the scores of each run; a query that one lacks (NaN) is left out
    names                 what the two runs are called, the champion first
    measure               what the scores are of
    most                  queries to name on either side
    best_is_low           whether a low score is good, as with ESL; then a gain is below 0
    """

    name: ClassVar = "differences"
    description: ClassVar = "How much the challenger gains or loses on each query, and on which it changes most."

    query_ids: Sequence[str]
    champion: NDArray[np.float64]
    challenger: NDArray[np.float64]
    names: tuple[str, str] = ("champion", "challenger")
    measure: str = "score"
    most: int = 5
    best_is_low: bool = False

    def __post_init__(self) -> None:
        shape = (len(self.query_ids),)
        super().__post_init__()
        if self.champion.shape != shape or self.challenger.shape != shape:
            raise UsageError(
                f"{len(self.query_ids):,} queries with scores of shapes {self.champion.shape} and "
                f"{self.challenger.shape}; expected one score per query and run; give both runs on the same queries"
            )
        if not np.isfinite(self.challenger - self.champion).any():
            raise UsageError("no query has a score of both runs; expected at least one")

    @property
    def _sorted(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The places of the queries, the largest gain first, and their differences, in the order of the queries."""
        difference = self.challenger - self.champion
        good = -difference if self.best_is_low else difference
        order = np.lexsort((np.arange(len(good)), -good))
        return order[np.isfinite(good[order])], difference

    @property
    def _ends(self) -> list[int]:
        """The queries that changed most: gains from the largest, then losses to the largest; none that stayed."""
        order, difference = self._sorted
        changed = order[difference[order] != 0]
        good = -difference[changed] if self.best_is_low else difference[changed]
        gains, losses = changed[good > 0][: self.most], changed[good < 0]
        return [*gains.tolist(), *losses[max(len(losses) - self.most, 0) :].tolist()]

    @property
    def _counts(self) -> tuple[int, int, int]:
        order, difference = self._sorted
        signs = np.sign(difference[order]) * (-1 if self.best_is_low else 1)
        return int((signs > 0).sum()), int((signs == 0).sum()), int((signs < 0).sum())

    def words(self) -> Words:
        (up, same, down), (order, difference) = self._counts, self._sorted
        champion, challenger = (shorten(name, 40) for name in self.names)
        summary = (
            f"{shown_name(self.names[1])} scores better than {shown_name(self.names[0])} on {up:,}, equal on {same:,} "
            f"and worse on {down:,} queries; the mean difference in {visible(self.measure)} is "
            f"{difference[order].mean():+.4f}."
        )
        for at, word, is_any in ((order[0], "gain", up), (order[-1], "loss", down)):
            if is_any:
                summary += f" The largest {word} is {difference[at]:+.4f} on query {shown_name(self.query_ids[at])}."
        subtitle = f"Better on {up:,}, equal on {same:,}, worse on {down:,} of {up + same + down:,} queries"
        title = f"What changes query by query? {challenger} minus {champion}, {self.measure}"
        return Words(title, summary, subtitle, (f"{subtitle}.",))

    def text_lines(self, width: int) -> list[str]:
        """A bar per named query, from the middle to the right or left."""
        _, difference = self._sorted
        values = [(shown_name(self.query_ids[at]), float(difference[at])) for at in self._ends]
        longest = max((abs(value) for _, value in values), default=1.0)

        def bar(value: float, room: int) -> str:
            half = max((room - 1) // 2, 1)
            drawn = block_bar(abs(value), longest)(half)
            return f"{drawn.rjust(half)}│" if value < 0 else f"{' ' * half}│{drawn}"

        rows = [TextRow((name,), partial(bar, value), f"{value:+.4f}") for name, value in values]
        return text_rows(rows, width)

    def _curve(self) -> list[Spec]:
        """The sorted differences as steps over the number of queries; a step of one query has its name."""
        order, difference = self._sorted
        values = difference[order]
        edges = np.unique(np.linspace(0, len(values), min(len(values), STEPS) + 1).astype(np.int64)).tolist()
        return [
            {
                "from": start,
                "to": end,
                "difference": float(values[start:end].mean()),
                "name": shown_name(self.query_ids[order[start]]) if end == start + 1 else f"{end - start:,} queries",
            }
            for start, end in itertools.pairwise(edges)
        ]

    def view(self) -> Spec:
        """The sorted curve, and beside it the queries that changed most."""
        style, palette = self.style, self.style.palette
        _, difference = self._sorted
        labels = short_labels([self.query_ids[at] for at in self._ends], style.sheet.label // 2)
        sign = -1 if self.best_is_low else 1
        curve = [{**bar, "side": _side(sign * bar["difference"])} for bar in self._curve()]
        named = []
        for label, at in zip(labels, self._ends, strict=True):
            change = float(difference[at])
            row = {"query": label, "name": shown_name(self.query_ids[at]), "difference": change}
            scores = {"champion": float(self.champion[at]), "challenger": float(self.challenger[at])}
            named.append({**row, **scores, "side": _side(sign * change)})
        colours = palette.second, palette.neutral, palette.first
        colour = vl.words_as("side", ["better", "equal", "worse"], colours, legend=None)
        limit = float(np.nanmax(np.abs(difference))) or 1.0
        scale = vl.exactly(-limit, limit)
        axis = {"grid": False, "tickCount": 4, "tickMinStep": 1, "format": ",d"}
        x = vl.quantitative("from", "Queries, the largest gain first", axis=axis, scale=vl.exactly(0, curve[-1]["to"]))
        y = vl.quantitative(
            "difference", f"Difference in {visible(self.measure)}", scale=scale, axis={"format": "+.2~f"}
        )
        marks = (_bars if len(self.query_ids) <= BARS else _areas)(curve, {"x": x, "y": y, "color": colour})
        left_width, height = round(style.sheet.width * 0.42), round(style.sheet.width * 0.36)
        left = vl.panel(left_width if named else left_width * 2, height, *marks, vl.zero_line("y", y, palette.soft))
        if not named:
            return left
        across = vl.quantitative("difference", "Difference", scale=scale, axis={"format": "+.2~f", "tickCount": 4})
        tips = ("champion", "Champion", ".4f"), ("challenger", "Challenger", ".4f")
        bars = {
            "y": vl.nominal("query", scale={"domain": list(labels), "padding": 0.25}),
            "x": across,
            "color": colour,
            "tooltip": vl.tooltip(("name", "Query"), ("difference", "Difference", "+.4f"), *tips),
        }
        room = style.plot_width(*labels, beside=left_width + 6 * style.sheet.font)
        title = vl.panel_title("Changed most", style, anchor="middle", offset=6)
        right = vl.panel(
            room, height, vl.layer("bar", bars), vl.zero_line("x", across, palette.soft), values=named, title=title
        )
        if style.size == "page":
            return {"hconcat": [left, right], "spacing": 18}
        left["width"] = style.sheet.width - 5 * style.sheet.font
        right["width"] = style.plot_width(*labels)
        return {"vconcat": [left, right], "spacing": 14}


def _side(value: float) -> str:
    return "better" if value > 0 else "worse" if value < 0 else "equal"


def _bars(curve: list[Spec], encoding: Spec, **look: Any) -> list[Spec]:
    tips = {"tooltip": vl.tooltip(("name", "Query"), ("difference", "Difference", "+.4f"))}
    ends = {"x2": {"field": "to"}, "y2": {"datum": 0}}
    return [vl.layer("bar", encoding | ends | tips, curve, binSpacing=0, **look)]


def _areas(curve: list[Spec], encoding: Spec) -> list[Spec]:
    """Gains and losses as two areas: hundreds of narrow bars would show seams."""
    layers = []
    for side in ("better", "worse"):
        steps = [bar for bar in curve if bar["side"] == side]
        if steps:
            end = {**steps[-1], "from": steps[-1]["to"]}
            look: Spec = {"interpolate": "step-after", "opacity": 1, "line": False}
            layers.append(vl.layer("area", encoding | {"y2": {"datum": 0}}, [*steps, end], **look))
    # An area has one tooltip for the whole of it: bars that are not seen say which queries are where.
    return [*layers, *_bars(curve, encoding, opacity=0)]
