"""The leader under every condition, beside decisions about all pairs that are looked up by hand."""

import numpy as np
import pytest

from runoff import audit
from runoff.results.audit_leaders import leader_grid, leader_sentences, leader_tests
from runoff.verbs.audit import AuditOptions
from tests.results.test_audit_parts import QUERIES, orders_of, steps
from tests.verbs.audited import write_audited


def turned():
    return steps(4)[:, ::-1]


def test_against_the_leaders_there_and_the_baselines():
    orders = orders_of(steps(4), turned(), baselines=("r02",))
    found = [[(one.run, one.against, one.verdict) for one in leader_tests(orders, number)] for number in (0, 1)]
    assert found == [
        [("r00", "r02", "better")],
        [("r00", "r03", "worse"), ("r00", "r02", "worse")],
    ]
    for number, decided in enumerate(orders.decisions):
        for one in leader_tests(orders, number):
            pair = orders.place(one.run), orders.place(one.against)
            worse, better = sorted(pair, key=lambda run: orders.conditions[number].scores.means[run])
            assert one.p == decided.p[worse, better]


def test_a_leader_that_is_a_baseline_is_not_tested_against_itself():
    orders = orders_of(steps(3), steps(3), baselines=("r00",))
    assert leader_tests(orders, 0) == ()
    assert leader_grid(orders) is None
    assert list(leader_sentences(orders)) == []


def test_all_leaders_that_tie_have_rows():
    tied = steps(3)
    tied[:, 1] = tied[:, 0]
    orders = orders_of(tied, steps(3), baselines=("r02",))
    grid = leader_grid(orders)
    assert grid is not None
    assert grid.values("run") == ("r00", "r00", "r01", "r01")
    assert grid.values("rank") == (1.5, 1.0, 1.5, 2.0)
    assert grid.values("against_leader")[:3] == ("ties with r01", "leads", "ties with r00")
    assert str(grid.values("against_leader")[3]).startswith("worse than r00 (p")
    assert [column.heading for column in grid.columns][-1] == "Against r02"


def test_more_baselines_than_columns_share_one():
    close = np.random.default_rng(0).random((len(QUERIES), 6)) - np.array([0, 0.01, 5, 5, 5, 5])
    orders = orders_of(close, steps(6), baselines=("r01", "r02", "r03", "r04"))
    grid = leader_grid(orders)
    assert grid is not None
    said = grid.values("against_4_baselines")
    assert str(said[0]).startswith("better than 3 of 4; inconclusive against r01 (p")
    assert said[1] == "better than all 4"
    assert grid.notes[-1] == "Baselines: r01, r02, r03, r04."


def test_sentences():
    orders = orders_of(steps(4), turned(), steps(4), baselines=("r02", "r03"))
    assert list(leader_sentences(orders)) == [
        "r00 is significantly worse than the leader under the one condition that other runs lead ('c1').",
        "r00 is significantly better than the baseline r02 under 2 of 3 conditions (worse under 'c1').",
        "r00 is significantly better than the baseline r03 under 2 of 3 conditions (worse under 'c1').",
    ]
    everywhere = orders_of(steps(4), steps(4), baselines=("r02", "r03"))
    assert list(leader_sentences(everywhere)) == [
        "r00 is significantly better than the baselines r02 and r03 under both conditions."
    ]


def test_a_level_for_each_label_set(tmp_path):
    """Grade 1 counts under the first labels and not under the second, where the level is 2."""
    file = write_audited(tmp_path)
    deep = (tmp_path / "deep.txt").read_text().splitlines()
    (tmp_path / "deep.txt").write_text("".join(f"{line[:-1]}{1 + place % 2}\n" for place, line in enumerate(deep)))
    text = file.read_text()
    file.write_text(text.replace('path = "deep.txt"\n', 'path = "deep.txt"\nrelevance_level = 2\n'))
    asked = AuditOptions(measures=["RR(rel=2)@10"], trials=10)
    found = audit(file, options=asked).scored
    assert [(one.labels, one.measure, one.level) for one in found.conditions] == [
        ("sparse", "RR@10", 1), ("sparse", "RR(rel=2)@10", 1), ("sparse", "RR@10", 1), ("sparse", "RR(rel=2)@10", 1),
        ("deep", "RR(rel=2)@10", 2),
    ]  # fmt: skip
    lower = audit(write_audited(tmp_path, labels=("deep",)), options=AuditOptions(trials=10)).scored.conditions[0]
    values = found.conditions[-1].scores.values
    assert (values[::2] == 0).all()
    np.testing.assert_array_equal(values[1::2], lower.scores.values[1::2])


@pytest.mark.parametrize("level, measure", [(1, "RR@10"), (2, "RR(rel=2)@10")])
def test_the_level_of_the_first_labels_is_the_boards(tmp_path, level, measure):
    file = write_audited(tmp_path)
    text = file.read_text()
    file.write_text(text.replace('path = "sparse.txt"\n', f'path = "sparse.txt"\nrelevance_level = {level}\n'))
    assert audit(file, options=AuditOptions(trials=10)).measure == measure
