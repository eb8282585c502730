"""A tally under stable keys."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runoff.preferences import ImpactResult, OrderShare, PreferredShare
from runoff.preferences.better_than_perfect import Category
from runoff.results.fit import missing_of
from runoff.results.tally_parts import PreferenceBoard, TallyParts
from runoff.results.tau_words import reference_keys


def tally_keys(result: TallyParts, findings: Sequence[str]) -> dict[str, object]:
    """The keys of `runoff tally --format json`."""
    found, board = result.tournament, result.board
    winners = dict(zip(found.query_ids, map(list, found.winners), strict=True))
    return {
        "queries": len(found.query_ids),
        "judgments": len(result.quality.kept),
        "findings": list(findings),
        "files": [vars(one) for one in result.files],
        "quality": _quality(result),
        "agreement": _agreement(result),
        "side_bias": _share(result.sides.left),
        "timing": {
            "timed": result.timing.overall.timed,
            "median": number(result.timing.overall.median),
            "below": result.timing.below,
            "too_fast": number(result.timing.overall.too_fast),
        },
        "missing_queries": missing_of(board.fits) if board else None,
        "win_ratios": _ratios(board) if board else None,
        "wins": dict(zip(board.ratios.runs, board.ratios.run_wins.tolist(), strict=True)) if board else None,
        "significant": _significant(board) if board else None,
        "win_ratio_cells": _cells(board) if board else None,
        "pooled": dict(zip(board.ratios.runs, board.ratios.is_pooled.tolist(), strict=True)) if board else None,
        "one_pair": _one_pair(board),
        "order": [{"run": one.run, "both": _order(one.both), "any": _order(one.any)} for one in board.order]
        if board
        else None,
        "preference_qrels": winners,
        "cycles": list(found.cycles),
        "even": [found.query_ids[place] for place in np.flatnonzero(found.is_even).tolist()],
        "bradley_terry": None
        if result.second_opinion is None
        else {"differing": list(result.second_opinion.differing(found))},
        "better_than_perfect": [
            {"run": one.run, "a": _category(one.agrees), "b": _category(one.differs), "no_top": one.no_top}
            for one in board.better_than_perfect
        ]
        if board
        else None,
        "impact": _impact(board.impact) if board and board.impact else None,
    }


def number(value: float) -> float | None:
    """A number, None for NaN."""
    return None if math.isnan(value) else value


def _ratios(board: PreferenceBoard) -> dict[str, dict[str, float | None]]:
    """{column: {row: how often the column's document is preferred to the row's}}."""
    values, runs = board.ratios.ratios, board.ratios.runs
    return {
        run: {other: number(float(values[row, column])) for row, other in enumerate(runs) if row != column}
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
            "ratio": number(float(ratios.ratios[row, column])),
            "ci95": [float(ratios.low[row, column]), float(ratios.high[row, column])],
            "queries": int(ratios.counted[row, column]),
            "wins": int(ratios.wins[row, column]),
            "losses": int(ratios.losses[row, column]),
            "even": int(ratios.even[row, column]),
            "unjudged": int(ratios.unjudged[row, column]),
            "p": number(float(ratios.p[row, column])),
            "significant": bool(board.marks.is_significant[row, column]),
        }
        if corrected is not None:
            values = (corrected.ratios, corrected.low, corrected.high)
            ratio, low, high = (number(float(part[row, column])) for part in values)
            cell["corrected"] = {"ratio": ratio, "ci95": [low, high]}
        cells.append(cell)
    return cells


def _one_pair(board: PreferenceBoard | None) -> dict[str, object] | None:
    if board is None or board.one_pair is None or board.one_pair_share is None:
        return None
    found, truly = board.one_pair, board.one_pair_share
    error = found.judge_error
    ratio, low, high = (number(float(share)) for share in (truly.ratios, truly.low, truly.high))
    return {
        "run": found.run,
        "a": _category(found.agrees),
        "b": _category(found.differs),
        "no_top": found.no_top,
        "judge_error": {"error": number(error.error), "ci95": list(error.ci95), "queries": error.counted},
        "b_corrected": {"share": ratio, "ci95": [low, high]},
    }


def _order(found: OrderShare) -> dict[str, object]:
    return {
        "pairs": found.pairs,
        "queries": found.queries,
        "agree": found.agree,
        "share": number(found.share),
        "ci95": list(found.ci95),
    }


def _share(found: PreferredShare) -> dict[str, object]:
    return {
        "wins": found.wins,
        "losses": found.losses,
        "even": found.even,
        "share": number(found.share),
        "ci95": list(found.ci95),
        "p": found.p,
    }


def _category(found: Category) -> dict[str, object]:
    return {"queries": found.queries, "unjudged": found.unjudged, "missing": found.missing, **_share(found.preferred)}


def _quality(result: TallyParts) -> dict[str, object]:
    checked = result.quality
    return {
        "exclude": checked.exclude,
        "assessors_per_task": checked.assessors_per_task,
        "discarded": checked.discarded,
        "tests": checked.tests,
        "failed_tests": checked.failed_tests,
        "unplaced": checked.unplaced,
        "excluded": list(checked.excluded),
        "reissue": [
            {"task": one.task, "missing": one.missing, "done_by": list(one.done_by)} for one in checked.reissue
        ],
        "assessors": [vars(one) for one in checked.assessors],
    }


def _agreement(result: TallyParts) -> dict[str, object]:
    found = result.agreement
    return {
        "pairs": found.pairs,
        "repeated": found.repeated,
        "unanimous": found.unanimous,
        "even": found.even,
        "agreement": number(found.agreement),
        "alpha": number(found.alpha),
    }


def _impact(found: ImpactResult) -> dict[str, object]:
    runs = []
    for place, run in enumerate(found.runs):
        entry: dict[str, object] = {"run": run}
        for name, one in (("original", found.original), ("preference", found.preference)):
            entry[name] = {
                "mean": float(one.means[place]),
                "ci95": one.mean_ci95[place].tolist(),
                "rank": float(one.ranks[place]),
            }
        entry["left_out"] = {
            key: value for key, value in vars(found.left_out[place]).items() if key != "run"
        } if found.left_out else None  # fmt: skip
        runs.append(entry)
    return {
        "measure": found.measure,
        "queries": found.queries,
        "unlabelled": found.unlabelled,
        "tau": number(found.tau),
        "tau_reference": reference_keys(found.tau_reference),
        "perfect_ranking": {
            "mean": float(found.perfect.means[0]),
            "ci95": found.perfect.mean_ci95[0].tolist(),
            "original": float(found.perfect_original.means[0]),
        },
        "runs": runs,
    }
