from __future__ import annotations

import numpy as np
import pytest

from runoff.simulation.query_set import MOST_RELEVANT, doc_id, draw_queries


def draw(count, mean=1.07, seed=0):
    return draw_queries(count, mean, np.random.default_rng(seed))


def test_query_ids_are_distinct_numbers_in_order():
    numbers = list(map(int, draw(5000).query_ids))
    assert numbers == sorted(set(numbers))
    assert numbers[0] >= 1


@pytest.mark.parametrize("mean", [1.0, 1.07, 1.5, 2.0])
def test_labels_are_as_sparse_as_asked(mean):
    relevant = draw(40_000, mean).relevant
    assert relevant.min() >= 1
    assert relevant.max() <= MOST_RELEVANT
    assert relevant.mean() == pytest.approx(mean, abs=0.015)


def test_hardness_is_standard_normal():
    hardness = draw(40_000).hardness
    assert abs(hardness.mean()) < 0.02
    assert hardness.std() == pytest.approx(1, abs=0.02)


def test_documents_of_a_query_differ():
    queries = draw(300)
    documents = queries.documents(np.arange(1000)[None, :])
    assert documents.shape == (300, 1000)
    assert all(len(set(row)) == 1000 for row in documents.tolist())
    assert documents.min() >= 1_000_000
    assert documents.max() <= 9_999_999


def test_ids_sort_as_numbers_do():
    documents = draw(50).documents(np.arange(20)[None, :]).ravel().tolist()
    assert [doc_id(document) for document in sorted(documents)] == sorted(map(doc_id, documents))


def test_more_queries_than_usual_numbers():
    assert len(set(draw(700_000).query_ids)) == 700_000
