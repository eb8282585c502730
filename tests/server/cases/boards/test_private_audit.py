"""The organisers' audit from stored arrays: the same numbers as from the files, and nothing per query."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.errors import NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.private_audit import _audit, audit_stored_board
from runoff.server.cases.views.public import public_audit
from runoff.verbs.audit import AuditOptions, audit
from tests.server.cases.public_parts import forbidden_parts
from tests.server.cases.served import NOW, PRIVATE, Served, write_with_development
from tests.server.store.backends import both_databases


@pytest.fixture
def served(database, tmp_path):
    """A board on which two teams have two runs each, beside a baseline."""
    return Served.made_in(database, tmp_path, runs=5)


def asked(served, actor=None):
    organiser = actor or Actor(id=served.organiser.id, role="organiser")
    with served.database.read() as connection:
        return audit_stored_board(connection, served.board, actor=organiser, now=NOW, trials=200)


def computed(served):
    """The result behind what organisers see."""
    organiser = Actor(id=served.organiser.id, role="organiser")
    with served.database.read() as connection:
        return _audit(connection, served.board, organiser, NOW, 200)


@both_databases
def test_it_equals_the_audit_of_the_files(served):
    assert asked(served) is None
    served.work()
    found = computed(served)
    plain = audit(served.toml, options=AuditOptions(trials=200, rule=served.board.rule))
    assert plain.monitor is not None
    assert plain.orders is not None
    assert [(one.change, one.alarm) for one in found.monitor.teams] == [
        (one.change, one.alarm) for one in plain.monitor.teams
    ]
    assert found.orders.generalization is not None
    for ours, theirs in zip(found.orders.stabilities, plain.orders.stabilities, strict=True):
        assert list(ours.order) == list(theirs.order)
        np.testing.assert_allclose(ours.means, theirs.means)
        np.testing.assert_allclose(ours.expected_ranks, theirs.expected_ranks)
    shown = asked(served)
    assert [chart.name for chart in shown.charts] == ["conditions", "overfitting"]
    assert shown.charts == public_audit(plain, digits=served.board.digits).charts


def test_nothing_per_query_leaves_it(served):
    served.work()
    found = asked(served)
    assert found.tables
    assert forbidden_parts(found) == []
    assert not any(query in repr(found) for query in PRIVATE)
    assert "zzsealedzz" not in repr(found)


def test_development_queries_are_a_condition_of_their_own(database, tmp_path):
    served = Served.made_in(database, tmp_path, runs=5, write=write_with_development)
    served.work()
    found = computed(served)
    assert [one.query_set for one in found.scored.conditions] == ["public", "private", "development"]
    assert [len(one.scores.query_ids) for one in found.scored.conditions] == [16, 24, 8]
    plain = audit(served.toml, options=AuditOptions(trials=200, rule=served.board.rule))
    assert [one.query_set for one in plain.scored.conditions] == ["public", "private", "development"]
    for ours, theirs in zip(found.scored.conditions, plain.scored.conditions, strict=True):
        np.testing.assert_allclose(ours.scores.means, theirs.scores.means)
    assert plain.monitor is not None
    assert found.monitor.result == plain.monitor.result


def test_members_are_refused(served):
    with pytest.raises(NotAllowedError):
        asked(served, served.actor)
