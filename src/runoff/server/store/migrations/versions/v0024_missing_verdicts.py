"""A run that was compared with nothing has no verdict; it had one of "inconclusive"."""

from alembic import op

revision = "v0024"
down_revision = "v0023"

_SQLITE = (
    "CREATE TABLE verdict_before AS SELECT * FROM verdict",
    "DROP TABLE verdict",
    """
    CREATE TABLE verdict (
        id INTEGER NOT NULL, run_id INTEGER NOT NULL, champion_id INTEGER, label_set_id INTEGER NOT NULL,
        query_set_id INTEGER NOT NULL, strict VARCHAR(20), do_no_harm VARCHAR(20), sentence TEXT NOT NULL,
        policy JSON NOT NULL, kernel VARCHAR(60) NOT NULL, decided_at DATETIME NOT NULL,
        CONSTRAINT pk_verdict PRIMARY KEY (id),
        CONSTRAINT uq_verdict_run_id_label_set_id_query_set_id UNIQUE (run_id, label_set_id, query_set_id),
        CONSTRAINT ck_verdict_against_another CHECK (champion_id <> run_id),
        CONSTRAINT fk_verdict_run_id FOREIGN KEY(run_id) REFERENCES run (id),
        CONSTRAINT fk_verdict_champion_id FOREIGN KEY(champion_id) REFERENCES run (id),
        CONSTRAINT fk_verdict_label_set_id FOREIGN KEY(label_set_id) REFERENCES label_set (id),
        CONSTRAINT fk_verdict_query_set_id FOREIGN KEY(query_set_id) REFERENCES query_set (id)
    )
    """,
    """
    INSERT INTO verdict (id, run_id, champion_id, label_set_id, query_set_id, strict, do_no_harm, sentence, policy,
        kernel, decided_at)
    SELECT id, run_id, champion_id, label_set_id, query_set_id, strict, do_no_harm, sentence, policy, kernel, decided_at
    FROM verdict_before
    """,
    "DROP TABLE verdict_before",
)


def upgrade() -> None:
    """Let verdicts be missing, and empty those of runs that were compared with nothing."""
    if op.get_bind().dialect.name == "sqlite":
        # SQLite changes no column: the table is made again, with its rows; nothing refers to it.
        for statement in _SQLITE:
            op.execute(statement.strip())
    else:
        op.alter_column("verdict", "strict", nullable=True)
        op.alter_column("verdict", "do_no_harm", nullable=True)
    op.execute("UPDATE verdict SET strict = NULL, do_no_harm = NULL WHERE champion_id IS NULL")
