"""The paper's Figure 5: groups, onsets, order of the rows, and the printed differences of four measures."""

from dataclasses import replace

import numpy as np
import pytest

from runoff.comparisons import ipso
from runoff.comparisons._example import serps_from
from runoff.measures import parse_measure
from tests.comparisons.figure_5 import TOPICS


@pytest.fixture
def systems():
    by_number = sorted(TOPICS)
    names = tuple(topic[0] for topic in by_number)
    first = serps_from(*(topic[1] for topic in by_number), run="A")
    second = serps_from(*(topic[2] for topic in by_number), run="B")
    return [replace(one, query_ids=names) for one in (first, second)]


def test_groups_onsets_and_order(systems):
    result = ipso(*systems, depth=10)
    assert [(t.query_id, t.first, t.second, t.group, t.onset or 0) for t in result.per_topic] == [
        topic[:5] for topic in TOPICS
    ]
    assert result.groups == {"nonseparable_ns": 2, "ns": 4, "equal": 5, "ni": 13, "nonseparable_ni": 1}


@pytest.mark.parametrize("column, name", [*enumerate(["RR@10", "P@10", "RBP(p=0.5)@10", "RBP(p=0.8)@10"])])
def test_printed_differences(systems, column, name):
    measure = parse_measure(name)
    first, second = (measure.values(one) for one in systems)
    printed = {topic[0]: topic[5][column] for topic in TOPICS}
    differences = dict(zip(systems[0].query_ids, (first - second).tolist(), strict=True))
    assert max(abs(differences[topic] - printed[topic]) for topic in printed) <= 0.005 + 1e-9


def test_whole_relations_of_some_rows(systems):
    relations = {topic.query_id: topic.relations for topic in ipso(*systems, depth=10).per_topic}
    assert relations["302"] == "==" + "ns" * 2 + "**" * 7
    assert relations["317"] == "==" * 5 + "ns" * 4 + "**"
    assert relations["325"] == "==" * 2 + "ni" * 3 + "**" * 5
    assert relations["304"] == "ni" * 10


def test_measures_keep_the_sign_in_separable_groups(systems):
    result = ipso(*systems, depth=10)
    favour = np.sign(result.group - 2) * np.isin(result.group, [1, 2, 3])
    for column in range(4):
        printed = np.array([topic[5][column] for topic in sorted(TOPICS)])
        assert (printed * favour >= 0).all()
