"""Which of two runs finds more of the relevant documents: a bar per pair of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.comparisons import OutcomesResult
from runoff.display.charts._base import check_most, first_of
from runoff.display.charts._labels import fit, short_labels, shorten, shown_name
from runoff.display.charts._spec import Kind
from runoff.display.charts._stacked_bars import Bar, Bars, StackedBars
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

    outcomes: Sequence[OutcomesResult]
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.outcomes:
            raise UsageError("there are no outcomes to show; expected those of at least one pair")

    @property
    def _shown(self) -> Sequence[OutcomesResult]:
        return self.outcomes[: self.most]

    @property
    def _one_champion(self) -> str | None:
        names = {pair.champion for pair in self.outcomes}
        return next(iter(names)) if len(names) == 1 else None

    @property
    def title(self) -> str:
        pair, champion = self.outcomes[0], self._one_champion
        if len(self.outcomes) == 1:
            who = f"{shorten(pair.challenger, 40)} against {shorten(pair.champion, 40)}"
        else:
            who = "pairs of runs" if champion is None else f"challengers of {shorten(champion, 40)}"
        return f"Which run finds more? {who}{first_of(len(self._shown), len(self.outcomes), 'pairs')}"

    @property
    def subtitle(self) -> str:
        cutoff = self.outcomes[0].cutoff
        where = "anywhere in the list" if cutoff is None else f"to rank {cutoff:,}"
        sizes = {_answerable(pair) for pair in self.outcomes}
        queries = sizes.pop() if len(sizes) == 1 else "the queries of each pair"
        if self._are_queries:
            return f"Shares of {queries}, by which run finds a relevant document {where}"
        documents = f"relevant documents that could be found {where} (how many, not which)"
        return f"Shares of the {documents}, averaged over {queries}"

    @property
    def _are_queries(self) -> bool:
        """Whether there is one relevant document at most to be found of any query, so that shares are of queries."""
        return all(pair.is_single for pair in self.outcomes)

    @property
    def axis_title(self) -> str:
        return f"Share of the {'queries' if self._are_queries else 'relevant documents'}"

    def text_alternative(self) -> str:
        sentences = [_sentence(pair) for pair in self._shown[:3]]
        rest = len(self.outcomes) - len(sentences)
        more = [f"{rest:,} more {'pair follows' if rest == 1 else 'pairs follow'}."] if rest else []
        return " ".join([*sentences, *more])

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

    def text_notes(self) -> list[str]:
        return [f"{self.subtitle}."]

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
