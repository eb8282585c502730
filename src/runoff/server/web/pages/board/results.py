"""The results of a board as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from runoff.reports.page.tables import table
from runoff.server.cases.reads import StoredVerdict
from runoff.server.web.frame.charts import chart_view
from runoff.server.web.frame.context import Row
from runoff.server.web.frame.numbers import interval_on, number
from runoff.verdicts.facet import spoken

if TYPE_CHECKING:
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
    rows, records = shown.rows, shown.records
    columns = tuple(dict.fromkeys(name for means in private.values() for name in means))
    ends = [end for row in rows for end in row.ci95]
    certified = records.certified if records else {}
    lines = [
        Row(
            rank=rank,
            row=row,
            visible=shown.runs[row.run],
            is_leader=row.run == shown.leader,
            interval=interval_on(*row.ci95, row.mean, scale=(min(ends), max(ends))),
            begins_group=rank == 1 or row.group != rows[rank - 2].group,
            verdict=spoken(row.verdict, row.how) if row.verdict else "",
            on_its_day=_day_verdict(verdicts.get(shown.runs[row.run].run.id)),
            record="" if row.run not in certified else "certified record" if certified[row.run] else "record",
            private=[private.get(shown.runs[row.run].run.id, {}).get(name) for name in columns],
        )
        for rank, row in enumerate(rows, start=1)
        if shown.listed is None or row.run in shown.listed
    ]
    return Row(
        board=shown.board,
        leader=shown.runs[shown.leader].run,
        sentence=_sentence(shown),
        more=records.sentences if records else (),
        caption=f"{len(lines):,} {'run' if len(lines) == 1 else 'runs'} on {shown.queries:,} queries, by mean "
        f"{shown.measure}",
        measure=shown.measure,
        private=columns,
        lines=lines,
        notes=_notes(shown, has_private=bool(columns), is_part=not PARTS.isdisjoint(choice)),
        charts=[
            chart_view(shown.charts[name], f"/boards/{shown.board.slug}/charts", choice)
            for name in SHOWN_CHARTS
            if name in shown.charts
        ],
        records=table(records.table, "records") if records else None,
    )


def _day_verdict(verdict: StoredVerdict | None) -> str:
    """The verdict on the day of submission, or that it was the first run; empty while there is none."""
    return "" if verdict is None else verdict.spoken or "first run"


def _sentence(shown: PublicBoard) -> str:
    leader = next(row for row in shown.rows if row.run == shown.leader)
    text = f"{shown.leads} with a mean {shown.measure} of {number(leader.mean, shown.board.digits)}"
    if len(shown.rows) == 1:
        return f"{text}. It is the only run."
    best = sum(row.could_be_best for row in shown.rows)
    who = "It alone could be the best" if best == 1 else f"{best:,} of the {len(shown.rows):,} runs could be the best"
    return f"{text}. {who}, with {1 - shown.alpha:.0%} confidence. {shown.stability}".strip()


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
            "Possible ranks, groups and verdicts come from one decision about all pairs of runs at once, right for all "
            f"of them with {1 - shown.alpha:.0%} confidence. Runs of a group are not significantly worse than its "
            "first run; a run with a lower mean can still be in the group above, if its scores vary more."
        ),
    ]
    if shown.has_lists:
        notes.append(
            "Against the leader: the measure decides between worse and inconclusive. Fewer, later and their opposites "
            "say how the run differs; they do not change the verdict."
        )
        notes += _seen_note(shown)
    notes.append("On its day: the verdict against the record at the time of submission. It is never decided again.")
    every = shown.query_set.queries
    if shown.board.hidden_subset and shown.is_partial:
        notes.append(
            f"{every - shown.queries:,} of the {every:,} queries are left out of every number here. Which ones is "
            "secret, so that labels cannot be worked out from scores."
        )
    elif shown.board.hidden_subset:
        notes.append(
            "You are an organiser: these numbers are over all queries. Teams and visitors see numbers over a part "
            "of them; verdicts on the day of submission are over that part for you too."
        )
    if shown.is_protected:
        notes.append("Labels are hidden: numbers are rounded, and nothing is shown by query or by rank.")
    notes += shown.fit_notes
    if is_part and shown.is_protected:
        notes.append("Only some of the runs are listed: ranks, verdicts and records are among all of them.")
    elif is_part:
        notes.append("Only some of the runs: ranks, verdicts against the leader and records are among those shown.")
    if has_private:
        notes.append("Of private labels only means are shown; nothing per query leaves the server.")
    return tuple(notes)
