"""Runs from which labels could be worked out: refused, if the board says so, and listed for organisers.

What the sender of a run may know follows from their own files and the open queries alone. What organisers see besides
comes from the files of others, and is not shown to teams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from runoff.boards.suspicious import (
    FEW_CHANGED,
    LEAST_COVERED,
    LEAST_FIELD,
    LEAST_KNOWN,
    MOST_DOCUMENTS,
    MOST_RANKS,
    Fingerprints,
    changed_queries,
    is_few_changed,
    known_shares,
)
from runoff.display.grid import Column, Grid, Value
from runoff.server.cases.views.serp_arrays import needed_depth
from runoff.server.cases.views.stored_board import VisibleRun, newest
from runoff.server.store.label_sets import load_query_sets
from runoff.server.store.run_lists import load_run_lists
from runoff.server.store.submissions import StoredRun, load_run_members, load_runs
from runoff.tables.board import DEVELOPMENT

MOST_NAMED: Final = 5

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.store.boards import StoredBoard


@dataclass(frozen=True, kw_only=True)
class SuspiciousRun:
    """A run of the board, and why it is looked at."""

    visible: VisibleRun
    why: str


def list_depth(connection: Connection, board: StoredBoard) -> int:
    """The ranks to which the runs of a board are compared."""
    most = MOST_DOCUMENTS // max(1, load_public_count(connection, board))
    return max(1, min(needed_depth(board) or MOST_RANKS, MOST_RANKS, most))


def load_public_count(connection: Connection, board: StoredBoard) -> int:
    """How many queries are public, those for development not among them; 0 where no list is open."""
    sets = newest(load_query_sets(connection, board.id)).values()
    return sum(queries.queries for queries in sets if not queries.sealed and queries.name != DEVELOPMENT)


def find_suspicions(
    connection: Connection,
    board: StoredBoard,
    lists: Fingerprints,
    *,
    called: str,
    team_id: int,
    people: frozenset[int],
    run_id: int | None = None,
) -> tuple[str, ...]:
    """Why a run is suspicious, as problems of a file, as far as its sender may know; empty if it is not.

    called           the name of the file
    team_id, people  whose it is: it is compared with the earlier runs of the team and of each of them
    run_id           its number, if it was saved already
    """
    public, problems = load_public_count(connection, board), []
    if _covers_few(lists, public):
        problems.append(
            f"{called}: has {len(lists):,} of the {public:,} public queries; expected at least half; send a run with "
            "results for all"
        )
    members = load_run_members(connection, board.id)
    earlier = [
        run
        for run in load_runs(connection, board.id)
        if run.id != run_id
        and run.state != "rejected"
        and not run.baseline
        and (run.team_id == team_id or members.get(run.id, frozenset()) & people)
    ]
    stored = load_run_lists(connection, [run.id for run in earlier])
    alike = _closest(lists, [(run, stored[run.id]) for run in earlier if run.id in stored])
    if alike is not None:
        run, changed = alike
        name = repr(run.name) if run.team_id == team_id else "a run that one of you sent for another team"
        problems.append(
            f"{called}: differs from {name} in {_of(changed, public, lists)} alone; expected a difference in more than "
            f"{FEW_CHANGED:.0%} of them; send a run that is not nearly the same"
        )
    return tuple(problems)


def _covers_few(lists: Fingerprints, public: int) -> bool:
    return len(lists) < LEAST_COVERED * public


def _of(changed: int, public: int, lists: Fingerprints) -> str:
    return f"{changed:,} of {public or len(lists):,} public queries"


def _closest(lists: Fingerprints, earlier: Sequence[tuple[StoredRun, Fingerprints]]) -> tuple[StoredRun, int] | None:
    """The run that differs in the fewest queries, and in how many, if these are few; not one without a difference."""
    few = [
        (run, changed) for run, other in earlier if is_few_changed(changed := changed_queries(lists, other), len(lists))
    ]
    return min(few, key=lambda pair: pair[1]) if few else None


def suspicious_runs(
    connection: Connection, board: StoredBoard, runs: Sequence[VisibleRun]
) -> tuple[SuspiciousRun, ...]:
    """The runs of a board that organisers should look at, in the order of submission."""
    members = load_run_members(connection, board.id)
    tables = load_run_lists(connection, [visible.run.id for visible in runs])
    listed = [visible for visible in runs if visible.run.id in tables]
    public = load_public_count(connection, board)
    owners = _owners(listed, members)
    shares = known_shares([tables[visible.run.id] for visible in listed], owners)
    suspicious = []
    for place, visible in enumerate(listed):
        run, lists = visible.run, tables[visible.run.id]
        if run.baseline:
            continue
        reasons = []
        if _covers_few(lists, public):
            reasons.append(f"covers {len(lists):,} of {public:,} public queries")
        earlier = [other.run for other, owner in zip(listed[:place], owners, strict=False) if owner == owners[place]]
        alike = _closest(lists, [(other, tables[other.id]) for other in earlier])
        if alike is not None:
            reasons.append(f"differs from {alike[0].name} in {_of(alike[1], public, lists)}")
        field = sum(owner != owners[place] for owner in owners)
        if field >= LEAST_FIELD and not shares[place] >= LEAST_KNOWN:
            share = 0.0 if np.isnan(shares[place]) else shares[place]
            reasons.append(f"{share:.0%} of its first ten documents are in any run of others")
        if reasons:
            suspicious.append(SuspiciousRun(visible=visible, why="; ".join(reasons)))
    return tuple(suspicious)


def suspicious_words(runs: Sequence[SuspiciousRun]) -> str:
    """What the audit says of them."""
    many, names = len(runs) != 1, ", ".join(run.visible.name for run in runs[:MOST_NAMED])
    more = f" and {len(runs) - MOST_NAMED:,} more" if len(runs) > MOST_NAMED else ""
    return (
        f"{len(runs):,} {'runs look as if they were' if many else 'run looks as if it was'} made to read labels: "
        f"{names}{more}; the table says why."
    )


def suspicious_grid(runs: Sequence[SuspiciousRun]) -> Grid:
    """A row for each of them."""
    rows: list[list[Value]] = [
        [run.visible.name, run.visible.team, f"{run.visible.run.submitted_at:%Y-%m-%d}", run.why] for run in runs
    ]
    columns = [Column("run", "Run"), Column("team", "Team"), Column("date", "Date"), Column("why", "Why")]
    return Grid(title="Suspicious runs", columns=columns, rows=rows)


def _owners(runs: Sequence[VisibleRun], members: Mapping[int, frozenset[int]]) -> list[int]:
    """A number for each run, the same for runs of one team and of teams with one of the same people."""
    owners: dict[str, int] = {}
    numbers = []
    for visible in runs:
        run = visible.run
        keys = [f"baseline {run.id}"] if run.baseline else [f"team {run.team_id}"]
        keys += [] if run.baseline else [f"person {person}" for person in sorted(members.get(run.id, frozenset()))]
        number = min((owners[key] for key in keys if key in owners), default=len(owners))
        before = {owners[key] for key in keys if key in owners}
        owners.update({key: number for key, owner in owners.items() if owner in before})
        owners.update(dict.fromkeys(keys, number))
        numbers.append(number)
    return [
        owners[f"baseline {visible.run.id}" if visible.run.baseline else f"team {visible.run.team_id}"]
        for visible in runs
    ]
