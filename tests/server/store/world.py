"""A small world for tests: an organiser, a team with one member, an assessor, a board, a label set and a query set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from runoff.server.store.boards import StoredBoard, save_board
from runoff.server.store.database import Database
from runoff.server.store.label_sets import LabelSet, NewVersion, QuerySet, save_label_set, save_query_set
from runoff.server.store.people import Person, Team, save_person, save_team
from runoff.server.store.submissions import NewRun
from runoff.tables.settings import BoardSettings

if TYPE_CHECKING:
    from sqlalchemy import Connection

NOW = datetime(2026, 3, 15, 12, 30, tzinfo=UTC)
SETTINGS = BoardSettings(slug="passages", title="Passages", measure="RR@10")


def later(**span: float) -> datetime:
    return NOW + timedelta(**span)


@dataclass(frozen=True, kw_only=True)
class World:
    """What is in the database, and the database."""

    database: Database
    organiser: Person
    member: Person
    assessor: Person
    team: Team
    board: StoredBoard
    labels: LabelSet
    queries: QuerySet

    @classmethod
    def made_in(cls, database: Database) -> World:
        """Fill a database that has tables and nothing in them."""
        return database.write(lambda connection: cls._filled(database, connection))

    @classmethod
    def _filled(cls, database: Database, connection: Connection) -> World:
        people: dict[str, Any] = {
            role: save_person(
                connection, email=f"{role}@example.org", display_name=role, role=role, actor=None, now=NOW
            )
            for role in ("organiser", "member", "assessor")
        }
        actor = people["organiser"].id
        board = save_board(connection, SETTINGS, actor=actor, now=NOW)
        new = NewVersion(board_id=board.id, name="public", queries=3, content_hash="ab" * 32)
        return cls(
            database=database,
            team=save_team(connection, slug="trees", name="Trees", founder=people["member"].id, now=NOW),
            board=board,
            labels=save_label_set(connection, new, judged=5, actor=actor, now=NOW),
            queries=save_query_set(connection, new, actor=actor, now=NOW),
            **people,
        )

    def run(self, number: int, **changes: Any) -> NewRun:
        """A run to submit, each number with a name and content of its own."""
        row: dict[str, Any] = {
            "board_id": self.board.id,
            "team_id": self.team.id,
            "submitted_by": self.member.id,
            "submission_key": f"key {number}",
            "name": f"run {number}",
            "content_hash": f"{number:064x}",
            "size": 1000,
        }
        return NewRun(**(row | changes))
