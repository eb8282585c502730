"""Upkeep of labels in files."""

from typing import Any

import pytest

from runoff.errors import UsageError
from runoff.files import read_qrels
from runoff.tables import Preferences
from runoff.verbs.maintain import MaintainOptions, maintain


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


def test_graded_labels_keep_grades_and_zeros_unless_single_answers_are_asked_for(tmp_path):
    labels, votes, newer = tmp_path / "l.qrels", tmp_path / "v.txt", tmp_path / "l2.qrels"
    labels.write_text("q 0 a 3\nq 0 b 1\nq 0 z 0\nr 0 x 2\nr 0 y 0\n")
    votes.write_text("q n a n\n")
    first = maintain([], labels, judgments=[votes])
    assert "".join(first.label_lines()).endswith("q 0 a 3\nq 0 b 1\nq 0 z 0\nq 0 n 3\nr 0 x 2\nr 0 y 0\n")
    assert "all 5 rows stay, 1 are new" in " ".join(str(first).split())
    newer.write_text("".join(first.label_lines()))
    assert maintain([], newer, judgments=[votes]).version == first.version == 2
    single = maintain([], labels, judgments=[votes], options=MaintainOptions(single_answers=True))
    assert "".join(single.label_lines()).endswith("q 0 n 1\nr 0 x 1\n")
    assert "5 graded rows are made into 2 answers of grade 1" in " ".join(str(single).split())
    assert (single.version, single.to_dict()["single_answers"], first.to_dict()["keeps_grades"]) == (2, True, True)


def test_single_answers_alone_are_a_new_version():
    votes = Preferences.of([("q", "a", "n", "a")])
    question = MaintainOptions(single_answers=True)
    assert maintain([], {"q": {"a": 2, "b": 1}}, judgments=votes, options=question).version == 2
    assert maintain([], {"q": {"a": 1}}, judgments=votes, options=question).version == 1


def test_all_of_an_assessor_who_failed_goes_if_that_is_asked_for():
    votes = b"query,left,right,preferred,assessor,task,expected\nq,n,a,n,ann,t1,\nq,a,off,off,ann,t2,a\n"
    assert maintain([], {"q": {"a": 1}}, judgments=votes).updated.replaced
    strict = MaintainOptions(exclude="assessor")
    assert maintain([], {"q": {"a": 1}}, judgments=votes, options=strict).updated.replaced == ()


def test_nothing_to_do():
    with pytest.raises(UsageError, match="neither runs nor judgments"):
        maintain([], {"q": {"a": 1}})


def test_labels_of_a_track_stay_whole(shared_data):
    """NIST's labels of TREC DL 2021 and 11,681 judged pairs of its questions."""
    labels, votes = shared_data / "dl21" / "qrels.nist.txt.gz", shared_data / "preferences" / "judgments.txt"
    old = {(query, doc): grade for query, doc, grade in read_qrels(labels)}
    found = maintain([], labels, judgments=votes)
    new = {(query, doc): grade for query, doc, grade in found.updated.labels}
    assert (len(old), sum(grade == 0 for grade in old.values())) == (10828, 4338)
    assert new.keys() >= old.keys()
    assert all(new[row] >= grade for row, grade in old.items())
    raised = {query for (query, doc), grade in new.items() if grade != old.get((query, doc))}
    assert raised == {query for query, _, _ in found.updated.replaced}
    assert len(raised) == 11
    single = maintain([], labels, judgments=votes, options=MaintainOptions(single_answers=True))
    assert {grade for _, _, grade in single.updated.labels} == {1}
    assert len(single.updated.labels) == 762


def test_a_table_names_what_changed_and_not_every_answer_of_a_grade():
    labels = {"q": {**{f"d{number}": 2 for number in range(9)}, "z": 1}}  # graded: all rows stay
    judged = Preferences.of([("q", new, "d0", new) for new in "abcde"])
    result = maintain([], labels, judgments=judged)
    (row,) = result.grids()[-1].rows
    assert row[:2] == ("q", None)
    assert row[2] == "a b c and 2 more"
    keys: Any = result.to_dict()
    assert keys["replaced"][0]["new"] == [*(f"d{number}" for number in range(9)), *"abcde"]
