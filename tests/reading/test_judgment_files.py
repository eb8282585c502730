"""Several files of judgments."""

import pytest

from runoff.errors import UsageError
from runoff.reading.judgment_files import digests, read_judgment_files
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
    with pytest.raises(UsageError, match="a dict is no judgments"):
        read_judgment_files([{}])
