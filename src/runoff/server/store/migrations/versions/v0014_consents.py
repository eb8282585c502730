"""The text that assessors consented to; the order in which the documents of a query are compared."""

import sqlalchemy as sa
from alembic import op

revision = "v0014"
down_revision = "v0013"

# As it was computed until now: labels first, then what most runs brought.
_NUMBER = """
    UPDATE pool_item SET place = numbered.place
    FROM (
        SELECT campaign_id, query_id, doc_id, row_number() OVER (
            PARTITION BY campaign_id, query_id ORDER BY labelled DESC, runs DESC, doc_id
        ) AS place
        FROM pool_item
    ) AS numbered
    WHERE numbered.campaign_id = pool_item.campaign_id AND numbered.query_id = pool_item.query_id
        AND numbered.doc_id = pool_item.doc_id"""


def upgrade() -> None:
    """Make the table of consent texts; which text earlier consents were to is not known."""
    op.create_table(
        "consent_text",
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", name=op.f("pk_consent_text")),
    )
    op.add_column("campaign_assessor", sa.Column("consent_hash", sa.String(length=64), nullable=True))
    op.add_column("pool_item", sa.Column("place", sa.Integer(), server_default="0", nullable=False))
    op.execute(_NUMBER)
