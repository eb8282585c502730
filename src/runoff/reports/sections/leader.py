"""The board: who leads, the ranks that each run could have, and the records over time."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from runoff.display.grid import Column, Grid
from runoff.phrases import listed
from runoff.reports.sections._base import Content, ReportInputs, Section, excerpt
from runoff.results.board import RANKS_NOTE

MOST: Final = 10
"""Runs of the board that are shown at once."""
COLUMNS: Final = ("run", "rank", "team", "mean", "interval", "rank_set", "verdict")
"""Columns of the board that are shown at once; p is left to the whole board, where it is explained."""


def _content(inputs: ReportInputs) -> Content:
    ranks, board = inputs.ranks, inputs.board
    opening, *more = board.opening(0)
    place, several = ranks.order[0], len(ranks.runs) > 1
    leader, share = ranks.runs[place], float(ranks.p_first[place])
    tie = f"{listed(ranks.leaders, most=3)} tie" if len(ranks.leaders) > 1 else ""
    whole, *others = board.grids()
    columns = [column.name for column in whole.columns if column.name != "ranks"]
    notes = [note for note in whole.notes if note != RANKS_NOTE]
    left_out = ("unjudged",) if inputs.full else ("unjudged", "rank_heat_map")  # the labels have the first of them
    charts = [chart for chart in board.charts() if chart.name not in left_out] if several else []
    return Content(
        answer=tie or (f"{leader}, first in {share:.1%} of the bootstrap samples" if several else leader),
        sentence=_best_sentence(inputs) if several else opening,
        excerpt=first_runs(whole),
        paragraphs=(opening, *more) if several else tuple(more),
        charts=tuple(charts),
        tables=(replace(excerpt(whole, columns), notes=notes), *others, *_tables_of_records(inputs)),
    )


def first_runs(board: Grid) -> Grid:
    """The first runs of a board, with the columns that everybody looks for; the interval is in one of them."""
    runs = len(board.rows)
    title = f"The first {MOST} of {runs:,} runs" if runs > MOST else "All runs"
    names = [column.name for column in board.columns]
    if "low" in names:
        low, high = names.index("low"), names.index("high")
        board = replace(
            board,
            columns=[*board.columns[:low], Column("interval", "95% interval"), *board.columns[high + 1 :]],
            rows=[[*row[:low], f"{row[low]:.4f} to {row[high]:.4f}", *row[high + 1 :]] for row in board.rows],
        )
    shown = excerpt(board, COLUMNS, MOST, title)
    return replace(shown, columns=[replace(column, help="") for column in shown.columns])


def _best_sentence(inputs: ReportInputs) -> str:
    """Which runs could be the best."""
    rows, confidence = inputs.board.rows, f"{1.0 - inputs.board.decided.decisions.alpha:.0%} confidence"
    best = [row.run for row in rows if row.could_be_best]
    if len(best) == 1:
        return f"Only {best[0]} could be the best run ({confidence})."
    if len(best) == len(rows):
        return f"Any of the {len(rows):,} runs could be the best ({confidence})."
    return f"{len(best):,} of the {len(rows):,} runs could be the best ({confidence}): {listed(best)}."


def _tables_of_records(inputs: ReportInputs) -> tuple[Grid, ...]:
    """Lin et al.'s Tables 1 and 2 over the records, which say so in their titles."""
    records = inputs.board.records
    if records is None or not inputs.full:
        return ()
    return tuple(replace(grid, title=f"Records: {grid.title}") for grid in records.paper_grids()[1:])


LEADER: Final = Section(
    name="leader",
    label="Board",
    question="How do the runs rank?",
    method=(
        (
            "Possible ranks, groups and verdicts follow from one decision about all pairs of runs at once. Runs of "
            "one group are not significantly worse than the first of the group."
        ),
        (
            "The queries of a board are a sample. To see how much the order depends on this sample, as many queries "
            "are drawn from it with replacement, and all runs are ranked again; this is done many times (the "
            "bootstrap). How often a run is first then shows how much the order owes to chance; it is not a claim "
            "about which run is better, and can be small for a run whose possible ranks include 1."
        ),
        (
            "A record is a run that beats all dated runs before it. Each is compared with the first record and with "
            "the one that it displaced."
        ),
    ),
    sources=(
        (
            "Craswell, Mitra, Yilmaz, Campos & Lin 2021, MS MARCO: Benchmarking ranking models in the large-data "
            "regime, section 3.1. DOI 10.1145/3404835.3462804"
        ),
        (
            "Lin, Campos, Craswell, Mitra & Yilmaz 2021, Significant improvements over the state of the art? Figure 1, "
            "Tables 1 and 2. DOI 10.48550/arXiv.2102.12887"
        ),
        "Efron & Tibshirani 1993, An introduction to the bootstrap. DOI 10.1201/9780429246593",
    ),
    content=_content,
    is_open=True,
)
