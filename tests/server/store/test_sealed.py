import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import NotFoundError, UsageError
from runoff.server.store.audit import load_audit
from runoff.server.store.label_sets import NewVersion, load_label_set
from runoff.server.store.scores import ScoreCondition
from runoff.server.store.sealed import (
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
from runoff.server.store.submissions import save_run
from tests.server.store.world import NOW

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
    with pytest.raises(UsageError, match="a hash could be guessed by trial"):
        world.database.write(lambda c: save_sealed_labels(c, new, QRELS, judged=1, actor=None, now=NOW))


def test_arrays_on_private_labels_are_kept_here(world, new):
    labels = world.database.write(lambda c: save_sealed_labels(c, new, QRELS, judged=1, actor=None, now=NOW))
    run = world.database.write(lambda c: save_run(c, world.run(1), now=NOW))
    condition = ScoreCondition(label_set_id=labels.id, query_set_id=world.queries.id, computation_version="1")
    for _ in range(2):
        world.database.write(lambda c: save_sealed_analysis(c, condition, run.id, np.array([0.5, 1.0]), now=NOW))
    with world.database.read() as connection:
        found = load_sealed_analysis(connection, condition, run.id)
        assert found is not None
        assert found.tolist() == [0.5, 1.0]
        assert load_sealed_analysis(connection, condition, run.id + 1) is None


def test_the_hidden_share_can_be_set_anew_and_the_log_does_not_tell_it(world):
    number = world.board.id
    seen = [world.board]
    for share in (0.25, 0.77777, 0, 0.77777):
        hidden = HiddenShare(share=share, secret="5e" * 32)
        seen.append(
            world.database.write(lambda c, hidden=hidden: save_hidden_share(c, number, hidden, actor=None, now=NOW))
        )
    # Each hidden subset has a number of its own, so nothing that an earlier one gave is taken for the new one.
    assert [board.hidden_subset for board in seen] == [0, 1, 2, 0, 4]
    assert [board.version for board in seen] == [1, 2, 3, 4, 5]
    with world.database.read() as connection:
        assert load_hidden_share(connection, number) == hidden
        assert load_hidden_share(connection, 99) is None
        assert "77777" not in str(load_audit(connection))
        assert "5e5e" not in str(load_audit(connection)) + repr(hidden)
    with pytest.raises(UsageError, match="share=1 cannot be used"):
        HiddenShare(share=1, secret="5e" * 32)
    with pytest.raises(UsageError, match="32 bytes"):
        HiddenShare(share=0.1, secret="5e")


QUERIES = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=40, unique=True)


@given(QUERIES, st.floats(0, 0.99), st.binary(min_size=32, max_size=32), st.randoms())
def test_a_query_is_left_out_whatever_its_neighbours_and_their_order(queries, share, secret, draw):
    hidden = HiddenShare(share=share, secret=secret.hex())
    found = hidden.left_out(queries)
    assert bool(found) == (share > 0)
    assert hidden.left_out(draw.sample(queries, len(queries))) == found
    more = HiddenShare(share=min(share + 0.2, 0.99), secret=secret.hex()).left_out(queries)
    assert found <= more
    if len(found) > 1:
        assert hidden.left_out([*queries, "a query that came later"]) - {"a query that came later"} == found


def test_the_share_is_the_share_and_each_secret_makes_another_choice():
    queries = [str(number) for number in range(5000)]
    choices = [HiddenShare(share=0.2, secret=f"{seed:064x}").left_out(queries) for seed in range(1, 21)]
    # 5,000 throws of 0.2 have a standard deviation of 28.3.
    assert all(abs(len(choice) - 1000) < 5 * 28.3 for choice in choices)
    both = [len(one & two) for one, two in itertools.pairwise(choices)]
    assert all(abs(count - 200) < 5 * 14 for count in both)
