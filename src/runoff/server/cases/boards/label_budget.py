"""The budget of a board with hidden labels: how many bits of them each team could have learnt at most, for organisers.

A bound, not an estimate: whatever runs a team sends and however it decodes what it sees, the answers that it could get
are no more than two to the power of these bits. It holds for a team that reads only what is shown about its own runs,
and does not know the lists of other teams' runs; teams that work together have the sum of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runoff.errors import NotFoundError, UsageError
from runoff.measures import ExternalMeasure
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.views.protected import LabelBits
from runoff.server.cases.views.serp_arrays import measure_of, needed_depth
from runoff.server.cases.views.stored_board import condition_of, hides_labels, newest, open_sets, shown_labels
from runoff.server.store.boards import StoredBoard
from runoff.server.store.label_sets import load_label_sets, load_query_sets
from runoff.server.store.people import load_people, load_teams
from runoff.server.store.scores import load_scores
from runoff.server.store.submissions import StoredRun, load_run_members, load_runs
from runoff.tables.board import DEVELOPMENT

if TYPE_CHECKING:
    from sqlalchemy import Connection

BITS_OF_QUERY: Final = 1
"""That labels hold at least: whether one document of the query is relevant."""


@dataclass(frozen=True, kw_only=True)
class BudgetLine:
    """What a team, or a person in all their teams together, could have learnt at most.

    runs      scored runs
    released  those of them whose scores the team sees
    pairs     pairs of runs that can be compared, of which one is theirs
    numbers   bits of the means and intervals of these runs, and of whether each was released
    whole     the same with all pairs, and all words of the board since the first of these runs, decided again each time
    """

    name: str
    is_person: bool
    runs: int
    released: int
    pairs: int
    numbers: float
    whole: float


@dataclass(frozen=True, kw_only=True)
class LabelBudget:
    """The budget of a board: `queries` are those of the public scores, `lines` the teams, those that know most first.

    views  on how many sets of open labels and queries each run is scored and shown
    """

    queries: int
    views: int
    lines: tuple[BudgetLine, ...]

    @property
    def held(self) -> int:
        """The bits that the labels hold at least."""
        return self.queries * BITS_OF_QUERY


def load_label_budget(connection: Connection, board: StoredBoard, *, actor: Actor) -> LabelBudget | None:
    """What each team could have learnt of hidden labels; None where nothing is hidden, or there is no bound.

    Measures of other libraries have no known range, so their means have no bound.
    """
    require(actor, "manage board")
    bits = label_bits(board)
    if bits is None or not hides_labels(board):
        return None
    try:
        labels, queries = open_sets(connection, board)
    except (NotFoundError, UsageError):
        return None
    scores = load_scores(connection, board.id, condition=condition_of(board, labels, queries))
    open_labels = shown_labels(load_label_sets(connection, board.id)).values()
    open_queries = newest(load_query_sets(connection, board.id)).values()
    views = sum(not version.sealed for version in open_labels)
    views *= sum(not version.sealed and version.name != DEVELOPMENT for version in open_queries)
    runs = load_runs(connection, board.id, state="scored")
    members = load_run_members(connection, board.id)
    teams = {team.id: team.name for team in load_teams(connection)}
    own: dict[tuple[str, bool], list[StoredRun]] = {}
    by_person: dict[int, list[StoredRun]] = {}
    for run in runs:
        if not run.baseline:
            own.setdefault((teams[run.team_id], False), []).append(run)
        for person in members.get(run.id, ()):
            by_person.setdefault(person, []).append(run)
    names = {person.id: person.display_name for person in load_people(connection)}
    for person, sent in by_person.items():
        if len({run.team_id for run in sent}) > 1:
            own.setdefault((names[person], True), []).extend(sent)
    lines = [
        _line(name, sent, runs, bits, is_person=is_person, views=views, ladder=board.release == "ladder")
        for (name, is_person), sent in own.items()
    ]
    lines.sort(key=lambda line: (-line.whole, line.name))
    return LabelBudget(queries=scores[0].queries if scores else queries.queries, views=views, lines=tuple(lines))


def label_bits(board: StoredBoard) -> LabelBits | None:
    """How much the numbers and words of a board can tell; None where its measure has no known range."""
    measure = measure_of(board)
    low, high = measure.value_range
    if not math.isfinite(high) and not isinstance(measure, ExternalMeasure):
        # A rank: no more than the ranks that are read.
        high = needed_depth(board) or math.inf
    if not math.isfinite(high - low):
        return None
    return LabelBits(digits=board.digits, low=low, high=high)


def _line(
    name: str,
    sent: Sequence[StoredRun],
    runs: Sequence[StoredRun],
    bits: LabelBits,
    *,
    is_person: bool,
    views: int,
    ladder: bool,
) -> BudgetLine:
    """One team or person.

    sent  their scored runs; `runs` all scored runs of the board, in the order of submission
    """
    ids = {run.id for run in sent}
    visible = [run for run in runs if not run.held]
    released = sum(run.id in ids for run in visible)
    others = len(visible) - released
    pairs = released * (released - 1) // 2 + released * others
    # What the release rule says of each run is a bit, too.
    numbers = released * views * bits.of_run() + (len(sent) if ladder else 0)
    first = next((place for place, run in enumerate(visible) if run.id in ids), len(visible))
    # The board says a few words of each of its runs, and decides all of them again with every run that is added.
    words = sum(count * bits.of_row(count) for count in range(first + 1, len(visible) + 1))
    day = sum(bits.of_day(place + 1) for place, run in enumerate(visible) if run.id in ids)
    whole = numbers + views * (pairs * bits.of_pair() + words) + day
    return BudgetLine(
        name=name,
        is_person=is_person,
        runs=len(sent),
        released=released,
        pairs=pairs,
        numbers=numbers,
        whole=whole,
    )
