import numpy as np
import pytest

from runoff.errors import NotFoundError, UsageError
from runoff.store.audit import load_audit
from runoff.store.label_sets import NewVersion, load_label_set
from runoff.store.scores import Condition
from runoff.store.sealed import (
    HiddenShare,
    load_hidden_share,
    load_sealed_analysis,
    load_sealed_labels,
    load_sealed_queries,
    save_hidden_share,
    save_sealed_analysis,
    save_sealed_labels,
    save_sealed_queries,
)
from runoff.store.submissions import save_run
from tests.store.world import NOW

QRELS = b"secret-query 0 secret-document 1\n"


@pytest.fixture
def new(world):
    return NewVersion(board_id=world.board.id, name="private", queries=1, content_hash=None)


def test_private_labels_and_queries_come_back(world, new):
    labels = world.database.write(lambda c: save_sealed_labels(c, new, QRELS, judged=1, actor=None, now=NOW))
    queries = world.database.write(lambda c: save_sealed_queries(c, new, b"secret-query\n", actor=None, now=NOW))
    with world.database.read() as connection:
        assert load_sealed_labels(connection, labels.id) == QRELS
        assert load_sealed_queries(connection, queries.id) == b"secret-query\n"
        assert load_label_set(connection, labels.id) == labels
        assert "secret" not in str(load_audit(connection))
        with pytest.raises(NotFoundError, match="label_set_id 1 has no sealed content"):
            load_sealed_labels(connection, world.labels.id)
    assert labels.sealed
    assert labels.content_hash is None


def test_a_sealed_version_must_not_have_a_hash(world):
    new = NewVersion(board_id=world.board.id, name="private", queries=1, content_hash="ab" * 32)
    with pytest.raises(UsageError, match="a hash could be tried out"):
        world.database.write(lambda c: save_sealed_labels(c, new, QRELS, judged=1, actor=None, now=NOW))


def test_arrays_on_private_labels_are_kept_here(world, new):
    labels = world.database.write(lambda c: save_sealed_labels(c, new, QRELS, judged=1, actor=None, now=NOW))
    run = world.database.write(lambda c: save_run(c, world.run(1), now=NOW))
    condition = Condition(run_id=run.id, label_set_id=labels.id, query_set_id=world.queries.id, kernel="1")
    for _ in range(2):
        world.database.write(lambda c: save_sealed_analysis(c, condition, "RR@10", np.array([0.5, 1.0]), now=NOW))
    with world.database.read() as connection:
        found = load_sealed_analysis(connection, condition, "RR@10")
        assert found is not None
        assert found.tolist() == [0.5, 1.0]
        assert load_sealed_analysis(connection, condition, "serps") is None


def test_the_hidden_share_can_be_set_anew_and_the_log_does_not_tell_it(world):
    number = world.board.id
    for seed in (1, 77_777):
        hidden = HiddenShare(share=0.25, seed=seed)
        world.database.write(lambda c, hidden=hidden: save_hidden_share(c, number, hidden, actor=None, now=NOW))
    with world.database.read() as connection:
        assert load_hidden_share(connection, number) == hidden
        assert load_hidden_share(connection, 99) is None
        assert "77777" not in str(load_audit(connection))
    with pytest.raises(UsageError, match="share=1 cannot be used"):
        HiddenShare(share=1, seed=0)
