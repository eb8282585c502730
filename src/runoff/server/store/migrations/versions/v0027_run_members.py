"""A run counts for everybody who was in its team when it was sent."""

import sqlalchemy as sa
from alembic import op

revision = "v0027"
down_revision = "v0026"


def upgrade() -> None:
    """Make the table; runs from before count for who sent them and for who is in their team now."""
    op.create_table(
        "run_member",
        sa.Column("run_id", sa.Integer, sa.ForeignKey("run.id", name="fk_run_member_run_id"), nullable=False),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id", name="fk_run_member_person_id"), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "person_id", name="pk_run_member"),
    )
    op.create_index("ix_run_member_person_id", "run_member", ["person_id"])
    op.execute(
        """
        INSERT INTO run_member (run_id, person_id)
        SELECT involved.run_id, involved.person_id FROM (
            SELECT run.id AS run_id, run.submitted_by AS person_id FROM run
            UNION SELECT run.id, team_member.person_id FROM run JOIN team_member ON team_member.team_id = run.team_id
        ) AS involved
        JOIN person ON person.id = involved.person_id
        WHERE person.email <> 'import@runoff.invalid'
        """
    )
