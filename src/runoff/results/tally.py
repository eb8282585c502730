"""The result of a tally."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from runoff.boards.stability import StabilityResult
from runoff.display import Grid, Shown
from runoff.display.rows import plain, row_dict
from runoff.files.judging.task_table import csv_lines
from runoff.files.qrels import render_qrels
from runoff.preferences import BetterThanPerfectResult, ImpactResult
from runoff.results import tally_sentences as sentences
from runoff.results import tally_tables as tables
from runoff.results.fit import missing_of
from runoff.results.tally_tables import DEPTH, PreferenceBoard, TallyParts
from runoff.results.tau_words import reference_keys
from runoff.tables.qrels import Qrels

if TYPE_CHECKING:
    from runoff.display.charts import Chart


def tally_keys(result: TallyParts, findings: Sequence[str]) -> dict[str, object]:
    """The keys of `runoff tally --format json`."""
    found, board = result.tournament, result.board
    winners = dict(zip(found.query_ids, map(list, found.winners), strict=True))
    return {
        "queries": len(found.query_ids),
        "judgments": len(result.quality.kept),
        "findings": list(findings),
        "files": plain(result.files),
        "quality": row_dict(result.quality, without=("kept",)),
        "agreement": row_dict(result.agreement, without=("judgments", "assessors")),
        "side_bias": row_dict(result.sides.left),
        "timing": {
            **row_dict(result.timing.overall, "timed", "median"),
            "below": result.timing.below,
            "too_fast": result.timing.overall.too_fast,
        },
        "missing_queries": missing_of(board.fits) if board else None,
        "win_ratios": _ratios(board) if board else None,
        "wins": dict(zip(board.ratios.runs, board.ratios.run_wins.tolist(), strict=True)) if board else None,
        "significant": _significant(board) if board else None,
        "win_ratio_cells": _cells(board) if board else None,
        "pooled": dict(zip(board.ratios.runs, board.ratios.is_pooled.tolist(), strict=True)) if board else None,
        "one_pair": _one_pair(board),
        "order": plain(board.order) if board else None,
        "preference_qrels": winners,
        "cycles": list(found.cycles),
        "even": [found.query_ids[place] for place in np.flatnonzero(found.is_even).tolist()],
        "bradley_terry": None if result.second_opinion is None else {"differing": list(result.second_opinion)},
        "better_than_perfect": list(map(_categories, board.better_than_perfect)) if board else None,
        "impact": _impact(board.impact) if board and board.impact else None,
    }


def _ratios(board: PreferenceBoard) -> dict[str, dict[str, float | None]]:
    """{column: {row: how often the column's document is preferred to the row's}}."""
    values, runs = board.ratios.ratios, board.ratios.runs
    return {
        run: {other: plain(values[row, column]) for row, other in enumerate(runs) if row != column}
        for column, run in enumerate(runs)
    }


def _significant(board: PreferenceBoard) -> list[dict[str, object]]:
    ratios = board.ratios
    return [
        {
            "run": ratios.runs[column],
            "against": ratios.runs[row],
            "ratio": float(ratios.ratios[row, column]),
            "wins": int(ratios.wins[row, column]),
            "losses": int(ratios.losses[row, column]),
            "p": float(ratios.p[row, column]),
        }
        for row, column in np.argwhere(board.marks.is_preferred).tolist()
    ]


def _cells(board: PreferenceBoard) -> list[dict[str, object]]:
    """Everything about every cell: the run of the column against that of the row."""
    ratios, corrected = board.ratios, board.corrected
    cells: list[dict[str, object]] = []
    for column, row in np.argwhere(~np.eye(len(ratios.runs), dtype=np.bool_)).tolist():
        cell: dict[str, object] = {
            "column": ratios.runs[column],
            "row": ratios.runs[row],
            "ratio": plain(ratios.ratios[row, column]),
            "ci95": [float(ratios.low[row, column]), float(ratios.high[row, column])],
            "queries": int(ratios.counted[row, column]),
            "wins": int(ratios.wins[row, column]),
            "losses": int(ratios.losses[row, column]),
            "even": int(ratios.even[row, column]),
            "unjudged": int(ratios.unjudged[row, column]),
            "p": plain(ratios.p[row, column]),
            "significant": bool(board.marks.is_significant[row, column]),
        }
        if corrected is not None:
            ends = plain([corrected.low[row, column], corrected.high[row, column]])
            cell["corrected"] = {"ratio": plain(corrected.ratios[row, column]), "ci95": ends}
        cells.append(cell)
    return cells


def _one_pair(board: PreferenceBoard | None) -> dict[str, object] | None:
    if board is None or board.one_pair is None or board.one_pair_share is None:
        return None
    pair, share = board.one_pair, board.one_pair_share
    return {
        **_categories(pair),
        "judge_error": {**row_dict(pair.judge_error, "error", "ci95"), "queries": pair.judge_error.counted},
        "b_corrected": {"share": plain(share.ratios), "ci95": plain([share.low, share.high])},
    }


def _categories(found: BetterThanPerfectResult) -> dict[str, object]:
    a, b = (
        {**row_dict(category, without=("preferred",)), **row_dict(category.preferred)}
        for category in (found.agrees, found.differs)
    )
    return {"run": found.run, "a": a, "b": b, "no_top": found.no_top}


def _impact(found: ImpactResult) -> dict[str, object]:
    alone = found.left_out or (None,) * len(found.runs)
    return {
        **row_dict(found, "measure", "queries", "unlabelled", "tau"),
        "tau_reference": reference_keys(found.tau_reference),
        "perfect_ranking": {
            "mean": float(found.perfect.means[0]),
            "ci95": found.perfect.mean_ci95[0].tolist(),
            "original": float(found.perfect_original.means[0]),
        },
        "runs": [
            {
                "run": run,
                "original": _ranked(found.original, place),
                "preference": _ranked(found.preference, place),
                "left_out": left_out and row_dict(left_out, without=("run",)),
            }
            for place, (run, left_out) in enumerate(zip(found.runs, alone, strict=True))
        ],
    }


def _ranked(found: StabilityResult, place: int) -> dict[str, object]:
    values = {"mean": found.means[place], "ci95": found.mean_ci95[place], "rank": found.ranks[place]}
    return {name: plain(value) for name, value in values.items()}


@dataclass(frozen=True, kw_only=True, eq=False)
class TallyResult(TallyParts, Shown):
    """A tally of judgments, to be shown; its fields are those of `TallyParts`."""

    @cached_property
    def qrels(self) -> Qrels:
        """The preference qrels."""
        return self.tournament.qrels()

    def qrels_lines(self) -> Iterator[str]:
        """The lines of a file with the preference qrels."""
        return render_qrels(self.qrels)

    def reissue_lines(self) -> Iterator[str]:
        """The lines of a CSV file with the tasks to issue again: task, missing assessors, who must not get it."""
        rows: list[tuple[str, ...] | list[object]] = [("task", "missing", "done_by")]
        rows += [[one.task, one.missing, ";".join(one.done_by)] for one in self.quality.reissue]
        return csv_lines(rows)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What was found, in a few sentences."""
        return tuple(sentences.findings(self))

    def grid(self) -> Grid:
        """The win ratios, or one pair per query; without runs, the assessors."""
        return self.grids()[0]

    def grids(self) -> tuple[Grid, ...]:
        """Every table that has something to say."""
        grids: list[Grid] = []
        board = self.board
        if board:
            if board.one_pair:
                grids += tables.one_pair_grids(board.one_pair)
            grids.append(tables.ratio_grid(board.ratios, board.marks))
            error = board.one_pair.judge_error if board.one_pair else None
            error = error if error and error.is_below_half else None
            if board.corrected and error:
                grids.append(tables.corrected_grid(board.ratios, board.corrected, error))
            if board.better_than_perfect:
                grids.append(tables.better_grid(board.better_than_perfect, board.ratios, board.shares, error))
            grids.append(tables.order_grid(board.order, DEPTH))
            if board.impact:
                grids.append(tables.impact_grid(board.impact, board.ratios))
        if self.quality.assessors:
            grids.append(tables.assessor_grid(self))
        grids.append(tables.file_grid(self.files))
        return tuple(grids)

    def charts(self) -> tuple[Chart, ...]:
        """Arabzadeh et al.'s Table 4 and Figure 6, where there are runs and labels; how many documents were judged."""
        from runoff.display.charts import LabelImpact, PoolSizes, WinRatioMatrix

        sizes = PoolSizes(self.tournament.pool_sizes.tolist())
        if self.board is None:
            return (sizes,)
        ratios = self.board.ratios
        most = max(tables.MOST_COLUMNS, int(ratios.is_pooled.sum()) + 1)
        matrix = WinRatioMatrix(ratios, self.board.marks, most)
        found = self.board.impact
        if found is None:
            return matrix, sizes
        changes = LabelImpact.of(found)
        return matrix, changes, sizes

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff tally --format json`."""
        return tally_keys(self, self.opening(0))
