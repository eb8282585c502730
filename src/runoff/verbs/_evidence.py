"""Gather what a board has beside its own queries, judgments of people and private queries, and show all evidence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.reading.boards import board_inputs, read_board_inputs
from runoff.reading.judgments import ratios_of
from runoff.reading.sources import ReadOptions
from runoff.results.board import BoardResult
from runoff.results.evidence import BoardEvidenceResult, Which
from runoff.tables.board import PRIVATE
from runoff.tables.scores import Scores
from runoff.verbs._board_evidence import DEFAULT_TOP, board_evidence


@dataclass(frozen=True, kw_only=True)
class EvidenceSources:
    """Where evidence is found beside a board's own scores.

    described          the board.toml of the board: its runs are scored on the private queries too, if it has them
    labels, query_set  what the board itself was scored with
    runs               else the run files, in the order of the board's runs
    judgments          files of judged pairs
    """

    described: str | os.PathLike[str] | None = None
    labels: str | None = None
    query_set: str | None = None
    runs: Sequence[Any] = ()
    judgments: Sequence[Any] = ()


def evidence_of_board(
    board: BoardResult,
    beside: EvidenceSources | None = None,
    *,
    which: Which = "first",
    top: int = DEFAULT_TOP,
    reading: ReadOptions | None = None,
) -> BoardEvidenceResult:
    """All evidence about the top runs of a board, with its private queries and the judgments of people."""
    known = beside or EvidenceSources()
    ratios = None
    if known.judgments:
        sources = (
            [run.path for run in board.data.runs if run.path is not None] if known.described is not None else known.runs
        )
        if not sources:
            raise UsageError(
                "judgments are about documents, and scores have none; expected runs or a board.toml; name them"
            )
        names, queries = board.data.scores.runs, board.data.scores.query_ids
        ratios = ratios_of(list(known.judgments), sources, names, queries, reading=reading)
    elsewhere, why_not = _private(known, reading)
    found = board_evidence(board, which=which, top=top, elsewhere=elsewhere, ratios=ratios)
    return replace(found, remarks=(*found.remarks, *why_not))


def _private(known: EvidenceSources, reading: ReadOptions | None) -> tuple[tuple[str, Scores] | None, tuple[str, ...]]:
    """The scores on the private queries, or why a board that has such queries has no line about them."""
    if known.described is None or known.query_set == PRIVATE or PRIVATE not in read_board(known.described).queries:
        return None, ()
    try:
        found = read_board_inputs(
            board_inputs(known.described, labels=known.labels, query_set=PRIVATE), reading=reading
        )
    except UsageError as error:  # the labels hold none of these queries, for example
        return None, (f"There is no line about the private queries: {error}.",)
    return (PRIVATE, found.scores), ()
