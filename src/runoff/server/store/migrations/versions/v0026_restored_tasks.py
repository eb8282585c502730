"""A task may count twice: who was barred by a bad test pair gets back answers to what somebody else did meanwhile."""

from alembic import op

revision = "v0026"
down_revision = "v0025"


def upgrade() -> None:
    """Let only the tasks that somebody holds have one holder."""
    op.execute("DROP INDEX one_holder")
    op.execute("CREATE UNIQUE INDEX one_holder ON assignment (task_id) WHERE state = 'given'")
