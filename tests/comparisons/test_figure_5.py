"""The paper's Figure 5: groups, onsets, order of the rows, and the printed differences of its six measures."""

from dataclasses import replace

import numpy as np
import pytest

from runoff.comparisons import ipso, ipso_differences
from runoff.measures import parse_measure
from runoff.measures._example import serps_from
from runoff.verbs._ipso_board import TOPIC_MEASURES
from tests.comparisons.figure_5 import RELEVANT, TOPICS


@pytest.fixture
def systems():
    by_number = sorted(TOPICS)
    names = tuple(topic[0] for topic in by_number)
    first = serps_from(*(topic[1] for topic in by_number), run="A", relevant=RELEVANT)
    second = serps_from(*(topic[2] for topic in by_number), run="B", relevant=RELEVANT)
    return [replace(one, query_ids=names) for one in (first, second)]


def test_groups_onsets_and_order(systems):
    result = ipso(*systems, depth=10)
    assert [(t.query_id, t.first, t.second, t.group, t.onset or 0) for t in result.per_topic] == [
        topic[:5] for topic in TOPICS
    ]
    assert result.groups == {"nonseparable_ns": 2, "ns": 4, "equal": 5, "ni": 13, "nonseparable_ni": 1}


MEASURES = [parse_measure(f"{name}@10") for name in TOPIC_MEASURES]


def test_printed_differences(systems):
    first, second = systems
    found = ipso_differences(ipso(first, second, depth=10), first, second, MEASURES)
    assert [one.measure for one in found] == ["RR@10", "P@10", "RBP(p=0.5)@10", "RBP(p=0.8)@10", "AP@10", "nDCG@10"]
    for column, one in enumerate(found):
        printed = np.array([topic[5][column] for topic in sorted(TOPICS)])
        shown = np.trunc(10 * one.values) / 10 if one.measure == "nDCG@10" else one.values
        assert np.abs(shown - printed).max() <= 0.005 + 1e-9
        assert (np.sign(one.values) == one.favours).all()


def test_whole_relations_of_some_rows(systems):
    relations = {topic.query_id: topic.relations for topic in ipso(*systems, depth=10).per_topic}
    assert relations["302"] == "==" + "ns" * 2 + "**" * 7
    assert relations["317"] == "==" * 5 + "ns" * 4 + "**"
    assert relations["325"] == "==" * 2 + "ni" * 3 + "**" * 5
    assert relations["304"] == "ni" * 10


def test_measures_keep_the_sign_in_separable_groups(systems):
    result = ipso(*systems, depth=10)
    favour = np.sign(result.group - 2) * np.isin(result.group, [1, 2, 3])
    for column in range(6):
        printed = np.array([topic[5][column] for topic in sorted(TOPICS)])
        assert (printed * favour >= 0).all()
