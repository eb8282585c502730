"""Who leads, and how sure is that."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from runoff.display.grid import Grid
from runoff.phrases import listed
from runoff.reports.sections._base import Content, ReportInputs, Section, without


def _content(inputs: ReportInputs) -> Content:
    ranks, board = inputs.ranks, inputs.board
    first, *more = board.opening(0)
    place, several = ranks.order[0], len(ranks.runs) > 1
    leader, share = ranks.runs[place], float(ranks.p_first[place])
    tie = f"{listed(ranks.leaders, most=3)} tie" if len(ranks.leaders) > 1 else ""
    grids = [without(board.grid(), "ranks"), *board.grids()[1:]]
    notes = [note for note in grids[0].notes if not note.startswith("Ranks, from the first")]
    return Content(
        answer=tie or (f"{leader}, first in {share:.1%} of the redraws" if several else leader),
        sentence=first,
        paragraphs=tuple(more),
        charts=tuple(chart for chart in board.charts() if chart.name != "unjudged") if several else (),
        tables=(replace(grids[0], notes=notes), *grids[1:], *_tables_of_records(inputs)),
    )


def _tables_of_records(inputs: ReportInputs) -> tuple[Grid, ...]:
    """Lin et al.'s Tables 1 and 2 over the records, which say so in their titles."""
    if inputs.records is None:
        return ()
    return tuple(replace(grid, title=f"Records: {grid.title}") for grid in inputs.records.paper_grids()[1:])


LEADER: Final = Section(
    name="leader",
    label="Leader",
    question="Who leads, and how sure is that?",
    method=(
        (
            "The queries of a board are a sample. To see how much the order owes to this sample, as many queries "
            "are drawn again from it, with replacement, and all runs are ranked on them; this is done many times "
            "(the bootstrap)."
        ),
        (
            "The share of the redraws in which a run is at a rank shows how much the order owes to luck. Claims are "
            "another matter: possible ranks, groups and verdicts follow from one decision about all pairs of runs at "
            "once. Runs of one group are not shown to be worse than the first of the group."
        ),
        (
            "A record is a run that beats all dated runs before it. Each is compared with the first record and with "
            "the one that it displaced; column A names which."
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
)
