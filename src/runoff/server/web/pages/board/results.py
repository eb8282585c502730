"""The results of a board as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from runoff.display.rounding import rounded_text
from runoff.reports.page.tables import table
from runoff.server.cases.reads import StoredVerdict
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.numbers import interval_on, number
from runoff.verdicts.facet import spoken

if TYPE_CHECKING:
    from runoff.results.board_parts import BoardRow
    from runoff.server.cases.views.public import PublicBoard

SHOWN_CHARTS: Final = ("rank_heat_map", "timeline", "rank_intervals")
PARTS: Final = frozenset({"team", "runs", "since", "until"})
"""Filters that leave runs out."""


def results_of(
    shown: PublicBoard,
    *,
    verdicts: Mapping[int, StoredVerdict],
    private: Mapping[int, Mapping[str, float]],
    choice: Mapping[str, str],
) -> Row:
    """Everything of the page that depends on the filters.

    verdicts  the verdict of each run on its day, by number of the run
    private   rounded means on private labels by number of the run and name; empty before they are shown
    choice    the filters, as an address holds them
    """
    board, rows, records = shown.board, shown.rows, shown.records
    columns = tuple(dict.fromkeys(name for means in private.values() for name in means))
    ends = [end for row in rows for end in row.ci95]
    scale = min(ends), max(ends)
    lines = []
    for rank, row in enumerate(rows, start=1):
        begins = rank == 1 or row.group != rows[rank - 2].group
        lines.append(_line(shown, row, rank, begins, scale, verdicts, private, columns))
    return Row(
        sentence=_sentence(shown),
        more=records.sentences if records else (),
        caption=f"{len(rows):,} {'run' if len(rows) == 1 else 'runs'} on {shown.queries:,} queries, by mean "
        f"{shown.measure}",
        measure=shown.measure,
        private=columns,
        lines=tuple(lines),
        notes=_notes(shown, has_private=bool(columns), is_part=not PARTS.isdisjoint(choice)),
        charts=tuple(
            chart_view(shown.charts[name], f"/boards/{board.slug}/charts", choice)
            for name in SHOWN_CHARTS
            if name in shown.charts
        ),
        records=table(records.table, "records") if records else None,
    )


def _line(
    shown: PublicBoard,
    row: BoardRow,
    rank: int,
    begins: bool,  # noqa: FBT001
    scale: tuple[float, float],
    verdicts: Mapping[int, StoredVerdict],
    private: Mapping[int, Mapping[str, float]],
    columns: tuple[str, ...],
) -> Row:
    board, one = shown.board, shown.runs[row.run]
    digits, slug = board.digits, board.slug
    first = shown.runs[shown.leader].run
    certified = shown.records.certified if shown.records else {}
    verdict = verdicts.get(one.run.id)
    means = private.get(one.run.id, {})
    pair = urlencode({"champion": first.id, "challenger": one.run.id})
    return Row(
        rank=rank,
        run=row.run,
        href=f"/boards/{slug}/runs/{one.run.id}",
        compare="" if one.run.id == first.id else f"/boards/{slug}/compare?{pair}",
        team="organisers" if one.run.baseline else row.team or "anonymous",
        date=row.date or "",
        mean=number(row.mean, digits),
        low=number(row.ci95[0], digits),
        high=number(row.ci95[1], digits),
        interval=interval_on(*row.ci95, row.mean, scale=scale),
        first_rank=row.rank_set[0],
        last_rank=row.rank_set[1],
        group=row.group,
        begins_group=begins,
        verdict=spoken(row.verdict, row.how) if row.verdict else "",
        on_its_day=_day_verdict(verdict),
        on_its_day_sentence="" if verdict is None else rounded_text(verdict.sentence, digits),
        is_record=row.run in certified,
        is_certified=certified.get(row.run, False),
        is_baseline=one.run.baseline,
        is_chosen=one.is_chosen,
        private=tuple(number(means[name], digits) if name in means else "–" for name in columns),
    )


def _day_verdict(verdict: StoredVerdict | None) -> str:
    """The verdict on the day of submission, or that it was the first run; empty while there is none."""
    if verdict is None:
        return ""
    return verdict.spoken or "first"


def _sentence(shown: PublicBoard) -> str:
    leader = next(row for row in shown.rows if row.run == shown.leader)
    text = f"{shown.leads} with a mean {shown.measure} of {number(leader.mean, shown.board.digits)}"
    if len(shown.rows) == 1:
        return f"{text}. It is the only run."
    best = sum(row.could_be_best for row in shown.rows)
    who = "It alone could be the best" if best == 1 else f"{best:,} of the {len(shown.rows):,} runs could be the best"
    return f"{text}. {who}, with {1 - shown.alpha:.0%} confidence. {shown.stability}"


def _seen_note(shown: PublicBoard) -> list[str]:
    """What an inconclusive verdict could have missed; nothing where queries are left out of what the public sees."""
    smallest = sorted(row.seen_from for row in shown.rows if row.seen_from)
    if shown.is_partial or not smallest:
        return []
    below = number(smallest[len(smallest) // 2], shown.board.digits)
    return [f"Inconclusive is not equal: differences to the leader below {below} usually go undetected (80% power)."]


def _notes(shown: PublicBoard, *, has_private: bool, is_part: bool) -> tuple[str, ...]:
    notes = [
        f"Intervals are 95%, over {shown.trials:,} bootstrap samples of the queries (seed {shown.seed}).",
        (
            f"Possible ranks, groups and verdicts follow from one decision about all pairs of runs at once, right for "
            f"all of them with {1 - shown.alpha:.0%} confidence. Runs of one group are not shown to be worse than the "
            "first of it."
        ),
    ]
    if shown.has_lists:
        notes.append(
            "Against the leader: worse or inconclusive by the measure; fewer, later and their opposites say how the "
            "run differs, and do not make the verdict."
        )
        notes += _seen_note(shown)
    notes.append("On its day: the verdict against the record of the day of submission; it is never decided again.")
    every = shown.query_set.queries
    if shown.board.hidden_subset and shown.is_partial:
        notes.append(
            f"{every - shown.queries:,} of the {every:,} queries are left out of every number on them. Which ones is a "
            "secret of the organisers, so that nobody can work out labels from scores."
        )
    elif shown.board.hidden_subset:
        notes.append(
            "You are an organiser: these numbers are over all queries. Teams and visitors see numbers over a part of "
            "them; verdicts on the day of submission are over that part for you too."
        )
    notes += shown.fit_notes
    if is_part:
        notes.append("A part of the runs: ranks, verdicts against the first and records are among those shown.")
    if has_private:
        notes.append("Means on private labels are all that is shown of them; nothing per query leaves the server.")
    return tuple(notes)
