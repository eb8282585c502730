"""What pages and the API get of a comparison, a board or an audit: words, tables and pictures, ready to be shown.

A result holds the lists and scores of its runs query by query. Nothing of that is in these types, so it cannot be shown
by mistake: whatever they hold, its viewer may see, with as many digits as the board shows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from runoff.display.json_text import render_json
from runoff.display.rounding import rounded_data, rounded_grid, rounded_text
from runoff.display.rows import row_dict
from runoff.phrases import lead_text
from runoff.results.board_parts import first_sentence
from runoff.results.fit import fit_notes
from runoff.server.cases.views.protected import HIDDEN, PROTECTED_CHARTS, protected_grid, protected_pair

if TYPE_CHECKING:
    from runoff.display.charts import Chart, DrawableChart
    from runoff.display.grid import Grid
    from runoff.results.audit import AuditResult
    from runoff.results.board import BoardResult
    from runoff.results.board_parts import BoardRow
    from runoff.results.comparison import Comparison
    from runoff.results.records import RecordsResult
    from runoff.server.cases.views.stored_board import StoredBoardData, VisibleRun
    from runoff.server.store.boards import StoredBoard
    from runoff.server.store.label_sets import LabelSet, QuerySet

Theme = Literal["light", "dark"]
ChartSize = Literal["page", "phone"]
TEXT_WIDTH: Final = 96
"""Characters on a line of a chart in text."""
STYLES: Final[tuple[tuple[Theme, ChartSize], ...]] = (
    ("light", "page"),
    ("dark", "page"),
    ("light", "phone"),
    ("dark", "phone"),
)


@dataclass(frozen=True, kw_only=True)
class PublicChart:
    """A chart without the numbers behind it: its words, and a picture for each theme and width.

    summary  the text alternative
    text     the chart in characters
    """

    name: str
    title: str
    summary: str
    text: str
    pictures: Mapping[tuple[Theme, ChartSize], DrawableChart]


@dataclass(frozen=True, kw_only=True)
class PublicComparison:
    """A comparison as its page and the API show it.

    verdict    the verdict with how the runs differ, in words
    sentences  what the comparison says before its tables
    answer     the body of the API's answer
    """

    champion: str
    challenger: str
    verdict: str
    marks: str
    sentences: tuple[str, ...]
    tables: tuple[Grid, ...]
    charts: tuple[PublicChart, ...]
    answer: bytes


@dataclass(frozen=True, kw_only=True)
class PublicRecords:
    """The records of a board over time; `certified` says of each record by name whether it is certified."""

    sentences: tuple[str, ...]
    table: Grid
    certified: Mapping[str, bool]


@dataclass(frozen=True, kw_only=True)
class PublicRow:
    """A run of a board: its mean and interval, the ranks that it could have, and its verdict against the leader.

    seen_from  the smallest difference to the leader that is usually detected; None where that is not shown
    """

    run: str
    team: str
    date: str | None
    mean: float
    ci95: tuple[float, float]
    rank_set: tuple[int, int]
    could_be_best: bool
    group: int
    verdict: str | None
    how: tuple[str, ...]
    seen_from: float | None


@dataclass(frozen=True, kw_only=True)
class PublicBoard:
    """A board as its page shows it; `key` holds everything that it depends on.

    is_partial      whether queries are left out
    is_protected    whether labels are hidden, and little is shown that is made from them
    runs            the stored run behind each name
    listed          the runs that are listed, of a protected board that was filtered; None for all
    leads           who leads, in words; `stability` how often in bootstrap samples, where that is shown
    alpha           the level of the decision about all pairs of runs
    has_lists       whether runs are compared by their ranked lists
    fit_notes       what runs lack of the labels
    """

    key: Hashable
    board: StoredBoard
    is_partial: bool
    is_protected: bool
    labels: LabelSet
    query_set: QuerySet
    runs: Mapping[str, VisibleRun]
    rows: tuple[PublicRow, ...]
    leader: str
    leads: str
    stability: str
    measure: str
    queries: int
    trials: int
    seed: int
    alpha: float
    has_lists: bool
    records: PublicRecords | None
    fit_notes: tuple[str, ...]
    charts: Mapping[str, PublicChart]
    listed: frozenset[str] | None = None

    @property
    def listed_rows(self) -> tuple[PublicRow, ...]:
        """The runs that are listed, the best first."""
        return tuple(row for row in self.rows if self.listed is None or row.run in self.listed)


@dataclass(frozen=True, kw_only=True)
class PublicAudit:
    """The audit of a board as organisers see it: nothing per query, neither of open nor of private labels."""

    findings: tuple[str, ...]
    tables: tuple[Grid, ...]
    charts: tuple[PublicChart, ...]


def public_comparison(comparison: Comparison, *, digits: int, protected: bool) -> PublicComparison:
    """What may be shown of a comparison; on hidden labels, with `protected`, little."""
    if protected:
        pair = protected_pair(comparison, digits=digits)
        return PublicComparison(
            champion=pair.champion,
            challenger=pair.challenger,
            verdict=comparison.verdict.spoken,
            marks=pair.marks,
            sentences=(HIDDEN,),
            tables=(pair.grid(digits),),
            charts=(),
            answer=pair.answer(),
        )
    return PublicComparison(
        champion=comparison.champion,
        challenger=comparison.challenger,
        verdict=comparison.verdict.spoken,
        marks=comparison.verdict.marks,
        # The first one is the heading.
        sentences=tuple(rounded_text(text, digits) for text in comparison.opening(0)[1:]),
        tables=tuple(rounded_grid(grid, digits) for grid in comparison.grids()),
        charts=_charts(comparison.charts(), digits),
        answer=api_answer(comparison.to_dict(), digits),
    )


def public_board(
    result: BoardResult, data: StoredBoardData, *, board: StoredBoard, key: Hashable, protected: bool
) -> PublicBoard:
    """What may be shown of a board that was computed from `data`; on hidden labels, with `protected`, little."""
    digits, ranks = board.digits, result.ranks
    # Not all charts: some need who could be best, which takes three times as long as the board itself.
    charts = [chart for chart in result.rank_charts() if not protected or chart.name in PROTECTED_CHARTS]
    return PublicBoard(
        key=key,
        board=board,
        is_partial=data.is_partial,
        is_protected=protected,
        labels=data.labels,
        query_set=data.queries,
        runs={visible.name: visible for visible in data.visible},
        rows=tuple(_public_row(row, digits, protected=protected) for row in result.rows),
        leader=result.leader.run,
        leads=lead_text(ranks.leaders),
        stability="" if protected else rounded_text(first_sentence(ranks), digits),
        measure=ranks.measure,
        queries=ranks.queries,
        trials=ranks.trials,
        seed=ranks.seed,
        alpha=result.decided.decisions.alpha,
        has_lists=bool(result.comparisons),
        records=None if result.records is None else _records(result.records, digits, protected=protected),
        fit_notes=() if protected else tuple(fit_notes(data.fits, ranks.queries)),
        charts={chart.name: chart for chart in _charts(charts, digits)},
    )


def _public_row(row: BoardRow, digits: int, *, protected: bool) -> PublicRow:
    low, high = row.ci95
    seen_from = None if protected or row.seen_from is None else round(row.seen_from, digits)
    return PublicRow(
        run=row.run,
        team=row.team,
        date=row.date,
        mean=round(row.mean, digits) + 0.0,
        ci95=(round(low, digits) + 0.0, round(high, digits) + 0.0),
        rank_set=row.rank_set,
        could_be_best=row.could_be_best,
        group=row.group,
        verdict=row.verdict,
        how=row.how,
        seen_from=seen_from,
    )


def _records(records: RecordsResult, digits: int, *, protected: bool) -> PublicRecords | None:
    if not records.records:
        return None
    if records.certified:
        # The record test allows for records being chosen by their means; verdicts pair by pair do not, and the board
        # shows those of the day of submission. Two answers to one question would only confuse.
        records = replace(records, against_first=(), against_displaced=())
    # The first record has nothing to be tested against.
    certified = (False, *(records.certified.certified if records.certified else ()))
    return PublicRecords(
        sentences=records.opening(0),
        table=rounded_grid(protected_grid(records.grid()) if protected else records.grid(), digits),
        certified={
            record.name: place < len(certified) and bool(certified[place])
            for place, record in enumerate(records.records)
        },
    )


def public_audit(result: AuditResult, *, digits: int) -> PublicAudit:
    """What organisers may see of an audit."""
    return PublicAudit(
        # The heading is the page's own.
        findings=tuple(text for text in result.opening(0) if not text.startswith("Audit of")),
        tables=tuple(rounded_grid(grid, digits) for grid in result.grids() if grid.rows),
        charts=_charts(result.charts(), digits),
    )


def api_answer(keys: Mapping[str, Any], digits: int) -> bytes:
    """The body of an answer of the API, numbers with the digits of the board."""
    return render_json(rounded_data(keys, digits)).encode()


def protected_answer(board: PublicBoard) -> bytes:
    """The body of the API's answer about a board whose labels are hidden: what its page shows of every run."""
    keys = {
        "title": board.board.title,
        **row_dict(board, "measure", "queries", "trials", "seed", "alpha"),
        "correction": board.board.correction,
        "runs": [row_dict(row, without=("seen_from",)) for row in board.listed_rows],
    }
    return render_json(keys).encode()


def _charts(charts: Iterable[Chart], digits: int) -> tuple[PublicChart, ...]:
    return tuple(public_chart(chart.with_digits(digits)) for chart in charts)


def public_chart(chart: Chart) -> PublicChart:
    """A chart without the numbers behind it."""
    return PublicChart(
        name=chart.name,
        title=chart.title,
        summary=chart.summary,
        text=chart.to_text(TEXT_WIDTH),
        pictures={(theme, size): chart.in_style(dark=theme == "dark", size=size).drawable() for theme, size in STYLES},
    )
