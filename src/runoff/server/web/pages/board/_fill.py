"""The results of a board as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from runoff.display.rounding import rounded_grid, rounded_text
from runoff.phrases import lead_text
from runoff.reports.page.tables import table
from runoff.results.fit import fit_notes
from runoff.results.stability_table import first_sentence
from runoff.server.cases.views.serp_arrays import is_partial
from runoff.server.store.scores import StoredVerdict
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.frame.numbers import interval_on, number
from runoff.server.web.pages.board._context import Line, Results
from runoff.verdicts.facet import spoken

if TYPE_CHECKING:
    from runoff.results.board_rows import BoardRow
    from runoff.server.web.analyses import Analysis

SHOWN_CHARTS: Final = ("rank_heat_map", "timeline", "rank_intervals")
PARTS: Final = frozenset({"team", "runs", "since", "until"})
"""Filters that leave runs out."""


def results_of(
    analysis: Analysis,
    *,
    verdicts: Mapping[int, StoredVerdict],
    private: Mapping[int, Mapping[str, float]],
    choice: Mapping[str, str],
) -> Results:
    """Everything of the page that depends on the filters.

    verdicts  the verdict of each run on its day, by number of the run
    private   rounded means on private labels by number of the run and name; empty before they are shown
    choice    the filters, as an address holds them
    """
    result, board = analysis.result, analysis.board
    columns = tuple(dict.fromkeys(name for means in private.values() for name in means))
    rows = result.rows
    ends = [round(end, board.digits) for row in rows for end in row.ci95]
    scale = min(ends), max(ends)
    lines, certified = [], _certified(analysis)
    for rank, row in enumerate(rows, start=1):
        begins = rank == 1 or row.group != rows[rank - 2].group
        lines.append(_line(analysis, row, rank, begins, scale, certified, verdicts, private, columns))
    records = result.records
    later = records is not None and records.records
    return Results(
        sentence=_sentence(analysis),
        more=records.opening(0) if later and records else (),
        caption=f"{len(rows):,} {'run' if len(rows) == 1 else 'runs'} on {result.ranks.queries:,} queries, by mean "
        f"{result.ranks.measure}",
        measure=result.ranks.measure,
        private=columns,
        lines=tuple(lines),
        notes=_notes(analysis, has_private=bool(columns), is_part=not PARTS.isdisjoint(choice)),
        charts=tuple(
            chart_view(analysis.charts[name], f"/boards/{board.slug}/charts", choice)
            for name in SHOWN_CHARTS
            if name in analysis.charts
        ),
        records=table(rounded_grid(records.grid(), board.digits), "records") if later and records else None,
    )


def _line(  # noqa: PLR0913, PLR0917
    analysis: Analysis,
    row: BoardRow,
    rank: int,
    begins: bool,  # noqa: FBT001
    scale: tuple[float, float],
    certified: Mapping[str, bool],
    verdicts: Mapping[int, StoredVerdict],
    private: Mapping[int, Mapping[str, float]],
    columns: tuple[str, ...],
) -> Line:
    board, one = analysis.board, analysis.run_of(row.run)
    digits, slug = board.digits, board.slug
    first = analysis.run_of(analysis.result.leader.run).run
    verdict = verdicts.get(one.run.id)
    means = private.get(one.run.id, {})
    pair = urlencode({"champion": first.id, "challenger": one.run.id})
    return Line(
        rank=rank,
        run=row.run,
        href=f"/boards/{slug}/runs/{one.run.id}",
        compare="" if one.run.id == first.id else f"/boards/{slug}/compare?{pair}",
        team="organisers" if one.run.baseline else row.team or "anonymous",
        date=row.date or "",
        mean=number(row.mean, digits),
        low=number(row.ci95[0], digits),
        high=number(row.ci95[1], digits),
        # Of the rounded numbers: the place of a dot tells as much as digits do.
        interval=interval_on(*(round(value, digits) for value in (*row.ci95, row.mean)), scale=scale),
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


def _certified(analysis: Analysis) -> dict[str, bool]:
    """Whether each record is certified; the first one has nothing to be tested against."""
    records = analysis.result.records
    if records is None:
        return {}
    known = records.certified.certified if records.certified else ()
    return {
        record.name: bool(place and place <= len(known) and known[place - 1])
        for place, record in enumerate(records.records)
    }


def _sentence(analysis: Analysis) -> str:
    result = analysis.result
    first, found = result.leader, result.ranks
    text = f"{lead_text(found.leaders)} with a mean {found.measure} of {number(first.mean, analysis.board.digits)}"
    if len(result.rows) == 1:
        return f"{text}. It is the only run."
    best = sum(row.could_be_best for row in result.rows)
    who = "It alone could be the best" if best == 1 else f"{best:,} of the {len(result.rows):,} runs could be the best"
    sure = f"with {1 - result.decided.decisions.alpha:.0%} confidence"
    return f"{text}. {who}, {sure}. {rounded_text(first_sentence(found), analysis.board.digits)}"


def _seen_note(analysis: Analysis) -> list[str]:
    """What an inconclusive verdict could have missed; nothing where queries are left out of what the public sees."""
    found = [row.seen_from for row in analysis.result.rows if row.seen_from]
    if is_partial(analysis.kernel) or not found:
        return []
    middle = sorted(found)[len(found) // 2]
    below = number(middle, analysis.board.digits)
    return [f"Inconclusive is not equal: differences to the leader below {below} usually go undetected (80% power)."]


def _notes(analysis: Analysis, *, has_private: bool, is_part: bool) -> tuple[str, ...]:
    result = analysis.result
    found, policy = result.ranks, analysis.data.policy
    notes = [
        f"Intervals are 95%, over {found.trials:,} bootstrap samples of the queries (seed {found.seed}).",
        (
            f"Possible ranks, groups and verdicts follow from one decision about all pairs of runs at once, right for "
            f"all of them with {1 - policy.alpha:.0%} confidence. Runs of one group are not shown to be worse than the "
            "first of it."
        ),
    ]
    if result.comparisons:
        notes.append(
            "Against the leader: worse or inconclusive by the measure; fewer, later and their opposites say how the "
            "run differs, and do not make the verdict."
        )
        notes += _seen_note(analysis)
    notes.append("On its day: the verdict against the record of the day of submission; it is never decided again.")
    every = analysis.data.queries.queries
    if analysis.board.choice and is_partial(analysis.kernel):
        notes.append(
            f"{every - found.queries:,} of the {every:,} queries are left out of every number on them. Which ones is a "
            "secret of the organisers, so that nobody can work out labels from scores."
        )
    elif analysis.board.choice:
        notes.append(
            "You are an organiser: these numbers are over all queries. Teams and visitors see numbers over a part of "
            "them; verdicts on the day of submission are over that part for you too."
        )
    notes += fit_notes(analysis.data.fits, found.queries)
    if is_part:
        notes.append("A part of the runs: ranks, verdicts against the first and records are among those shown.")
    if has_private:
        notes.append("Means on private labels are all that is shown of them; nothing per query leaves the server.")
    return tuple(notes)
