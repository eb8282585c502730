"""Several files of judgments."""

import pytest
from scipy import stats

from runoff.errors import UsageError
from runoff.reading.judgments import digests, ratios_of, read_judgment_files, votes_of
from runoff.tables import Preferences


def test_the_same_file_counts_once_and_equal_rows_are_judgments(tmp_path):
    one, copy, other = tmp_path / "one.txt", tmp_path / "copy.txt", tmp_path / "other.txt"
    one.write_text("q a b a\nq a b a\n")
    copy.write_text("q a b a\nq a b a\n")
    other.write_text("q a b a\n")
    table, files = read_judgment_files([one, copy, other])
    assert len(table) == 3
    assert [one.same_as for one in files] == [None, str(one), None]
    assert len(digests(files)) == 2


def test_what_an_assessor_says_in_two_files_counts_once():
    table, _ = read_judgment_files([b"q a b a ann\n", b"q a b a ann\nq c b b ann\n"])
    assert (len(table), table.repeated) == (2, 1)


def test_tables_are_taken_as_they_are():
    votes = Preferences.of([("q", "a", "b", "a")])
    assert read_judgment_files(votes)[0] is votes


def test_what_is_no_judgments():
    with pytest.raises(UsageError, match="no judgments; expected"):
        read_judgment_files([])
    with pytest.raises(UsageError, match="a dict is not a file of judgments"):
        read_judgment_files([{}])  # type: ignore[list-item]


FIRST = {"q1": {"a": 1.0}, "q2": {"a": 1.0}, "q3": {"a": 1.0}, "q4": {"a": 1.0}, "q5": {"x": 1.0}}
SECOND = {"q1": {"b": 1.0}, "q2": {"b": 1.0}, "q3": {"b": 1.0}, "q4": {"b": 1.0}, "q5": {"x": 1.0}}


def test_votes_by_hand():
    table = Preferences.of([
        ("q1", "a", "b", "b"), ("q2", "a", "b", "b"), ("q3", "a", "b", "a"), ("q5", "x", "b", "x"),
    ])  # fmt: skip
    ratios = ratios_of([table], [FIRST, SECOND], ["old", "new"], ["q1", "q2", "q3", "q4", "q5"])
    votes = votes_of(ratios, "old", "new")
    assert (votes.challenger, votes.champion, votes.even, votes.asked) == (2, 1, 0, 4)
    assert votes.p == pytest.approx(stats.binomtest(2, 3).pvalue)
    assert votes_of(ratios, "new", "old").challenger == 1


def test_tasks_with_a_failed_test_pair_do_not_count():
    rows = [("q1", "a", "b", "b", "ann", "t1"), ("q2", "a", "b", "b", "bob", "t2"), ("q3", "a", "b", "a", "bob", "t2")]
    tests = [("q4", "a", "off", "off", "bob", "t2", None, "a"), ("q4", "a", "off", "a", "ann", "t1", None, "a")]
    table = Preferences.of([*rows, *tests])
    votes = votes_of(ratios_of([table], [FIRST, SECOND], ["old", "new"], list(FIRST)), "old", "new")
    assert (votes.challenger, votes.champion, votes.asked) == (1, 0, 4)
