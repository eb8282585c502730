"""Upkeep of labels in files."""

import pytest

from runoff.errors import UsageError
from runoff.workflows.maintain import maintain


def test_versions_name_their_parents_and_the_same_judgments_make_no_new_one(tmp_path):
    labels, votes, newer = tmp_path / "l.qrels", tmp_path / "v.txt", tmp_path / "l2.qrels"
    labels.write_text("q 0 a 1\nr 0 x 1\n")
    votes.write_text("q n a n\n")
    first = maintain([{"q": {"n": 1.0}, "r": {"y": 1.0}}], labels, judgments=[votes, votes])
    assert (first.version, first.pairs) == (2, (("r", "y", "x"),))
    assert list(first.pair_lines()) == ["r y x\n"]
    newer.write_text("".join(first.label_lines()))
    second = maintain([], newer, judgments=[votes])
    assert (second.version, second.labels.parent) == (2, first.labels.digest)
    assert "".join(second.label_lines()) == newer.read_text()
    assert "counted once" in str(first)
    assert "stands" in str(second)
    assert len(first.grids()) == 2


def test_failed_tasks_change_no_label():
    votes = b"query,left,right,preferred,assessor,task,expected\nq,n,a,n,ann,t,\nq,a,off,off,ann,t,a\n"
    assert maintain([], {"q": {"a": 1}}, judgments=votes).updated.replaced == ()


def test_nothing_to_do():
    with pytest.raises(UsageError, match="neither runs nor judgments"):
        maintain([], {"q": {"a": 1}})
