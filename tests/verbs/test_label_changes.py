"""Two versions of labels."""

from typing import Any

import pytest

from runoff.errors import UsageError
from runoff.files.qrels import digest_of, read_labels, render_labels
from runoff.verbs._label_changes import label_changes

OLD = {f"q{n}": {"a": 1} for n in range(40)}
ODD = {query: {"x": 1.5} if place % 2 else {} for place, query in enumerate(OLD)}
# The better document first, the other one second or third: a difference that is the same everywhere shows nothing.
GOOD = {query: {"a": 2.0, "b": 1.0, **ODD[query]} for query in OLD}
OTHER = {query: {"b": 2.0, "a": 1.0, **ODD[query]} for query in OLD}


def test_ranks_and_verdicts_turn_round():
    new = {query: {"b": 1} for query in OLD} | {"more": {"z": 1}}
    found: Any = label_changes([GOOD, OTHER], OLD, new, trials=50)
    assert (found.leader, len(found.changed), found.added, found.removed) == ("run 1", 40, 1, 0)
    by_run = {one.run: one for one in found.runs}
    assert (by_run["run 2"].old_verdict, by_run["run 2"].new_verdict) == ("worse", "better")
    assert (by_run["run 1"].old_verdict, by_run["run 1"].new_verdict) == (None, None)
    assert (by_run["run 2"].old_mean, by_run["run 2"].new_mean) == (pytest.approx((1 / 2 + 1 / 3) / 2), 1.0)
    assert found.tau == -1.0
    assert found.to_dict()["runs"][0]["run"] == "run 2"


def test_parents_are_checked(tmp_path):
    old, new = b"q 0 a 1\n", tmp_path / "new"
    for parent, is_child in ((digest_of(old), True), (f"sha256:{'0' * 64}", False)):
        new.write_text("".join(render_labels(read_labels(old).qrels, version=2, parent=parent, judgments=[])))
        found = label_changes([{"q": {"a": 1.0}}], old, new, trials=10)
        assert found.is_child is is_child
        assert ("another parent" in str(found)) is not is_child
        assert found.tau is None


def test_labels_of_other_queries():
    with pytest.raises(UsageError, match="share no query"):
        label_changes([GOOD], OLD, {"x": {"a": 1}})


def test_a_change_of_grades_is_a_change():
    runs = [{"q": {"a": 2.0, "b": 1.0}, "r": {"c": 1.0}}]
    found = label_changes(runs, {"q": {"a": 2, "b": 1}, "r": {"c": 1}}, {"q": {"a": 2, "b": 0}, "r": {"c": 1}})
    assert (found.changed, found.relabelled) == ((), ("q",))
    assert "the best known answers of 0 of 2 queries change, and other labels of 1 more;" in " ".join(found.opening(0))


def test_the_measure_follows_from_the_old_labels():
    graded = {query: {"a": 2, "b": 1} for query in OLD}
    found = label_changes([GOOD, OTHER], graded, OLD, trials=20)
    note = "No measure was named, so nDCG@10 was chosen: the labels have 2 grades above 0."
    assert (found.measure, found.to_dict()["measure_note"], found.grid().notes[-1]) == ("nDCG@10", note, note)
    named = label_changes([GOOD, OTHER], graded, OLD, measures="RR@10", trials=20)
    assert (named.measure, named.measure_note) == ("RR@10", "")
