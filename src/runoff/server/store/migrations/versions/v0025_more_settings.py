"""Settings without a column of their own are kept together; the gains of grades are a list."""

import json

import sqlalchemy as sa
from alembic import op

revision = "v0025"
down_revision = "v0024"

_BOARD = sa.table("board", sa.column("id", sa.Integer), sa.column("gains", sa.JSON(none_as_null=True)))


def upgrade() -> None:
    """Add the columns, and write gains that were stored by grade as a list from grade 0."""
    for table in ("board", "campaign_settings"):
        op.add_column(table, sa.Column("more_settings", sa.JSON(none_as_null=True)))
    connection = op.get_bind()
    for board_id, gains in connection.execute(sa.select(_BOARD.c.id, _BOARD.c.gains)).all():
        by_grade = json.loads(gains) if isinstance(gains, str) else gains
        if isinstance(by_grade, dict):
            listed = [by_grade[grade] for grade in sorted(by_grade, key=int)]
            # Others were never used: comparisons refuse them.
            is_usable = listed[:1] == [0] and listed == sorted(listed)
            connection.execute(
                _BOARD.update().where(_BOARD.c.id == board_id).values(gains=listed if is_usable else None)
            )
