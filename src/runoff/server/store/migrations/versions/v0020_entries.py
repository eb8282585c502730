"""Which run stands for a team on a board."""

import sqlalchemy as sa
from alembic import op

revision = "v0020"
down_revision = "v0019"


def upgrade() -> None:
    """Make the table of choices."""
    op.create_table(
        "entry",
        sa.Column("id", sa.Integer(), primary_key=True),
        *(
            sa.Column(name, sa.Integer(), sa.ForeignKey(f"{target}.id", name=f"fk_entry_{name}"), nullable=False)
            for name, target in {
                "board_id": "board", "team_id": "team", "run_id": "run", "chosen_by": "person",
            }.items()
        ),
        sa.Column("chosen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_entry"),
    )  # fmt: skip
    op.create_index("ix_entry_board_id_team_id", "entry", ["board_id", "team_id"])
