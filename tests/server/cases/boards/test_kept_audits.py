"""The audit that organisers see is computed once per state of the board."""

from __future__ import annotations

import pytest

from runoff.errors import NotAllowedError
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from tests.server.web.world import NOW


def test_it_is_kept_until_something_changes(small):
    olga = Actor(id=small.organiser.id, role="organiser")

    def audit(actor: Actor = olga):
        with small.site.database.read() as connection:
            return small.site.views.audit(connection, small.board, actor=actor, now=NOW)

    key, first = audit()
    assert audit() == (key, first)
    assert first is not None
    assert any("at most 10 small variations" in text for text in first.findings), first.findings
    small.site.database.write(lambda connection: connection.exec_driver_sql("UPDATE board SET version = 2"))
    assert audit()[0] != key
    with pytest.raises(NotAllowedError):
        audit(ANONYMOUS)
