"""Labels and query lists that somebody sent: counted, split, and their faults told under the sender's names."""

from __future__ import annotations

import pytest

from runoff.errors import InputError, LimitError
from runoff.server.cases.uploads.labels import LabelCounts, count_labels, count_queries, split_sets
from runoff.server.cases.uploads.limited_process import LimitedReader
from tests.server.cases.reading_here import HERE

LABELS = "q1 0 d1 1\nq1 0 d2 0\nz1 0 d1 1\nq2 0 d1 2\n"


@pytest.mark.parametrize("reader", [HERE, LimitedReader()], ids=["here", "apart"])
def test_they_are_counted(tmp_path, reader):
    (tmp_path / "qrels").write_text(LABELS)
    expected = LabelCounts(queries=3, judged=4)
    assert count_labels(tmp_path / "qrels", called="a", reader=reader) == expected
    assert count_labels(LABELS.encode(), called="a", reader=reader) == expected
    assert count_queries(b"q1\nq2\n", called="a", reader=reader) == 2


def test_faults_have_the_name_that_was_sent(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d\n")
    for source in (tmp_path / "qrels", b"q1 0 d1 1\nq1 0 d\n"):
        with pytest.raises(InputError, match=r"^mine\.txt:2: 3 fields; expected 4"):
            count_labels(source, called="mine.txt", reader=HERE)
    with pytest.raises(InputError, match=r"^mine\.txt: the file is empty"):
        count_queries(b"", called="mine.txt", reader=HERE)


def test_too_much_is_refused_unread(monkeypatch):
    monkeypatch.setattr("runoff.server.cases.uploads.labels.LARGEST_LABELS", 5)
    with pytest.raises(LimitError, match=r"^mine: 6 bytes; expected 5 at most"):
        count_labels(b"123456", called="mine", reader=LimitedReader())


def test_what_is_private_is_in_files_of_its_own(tmp_path):
    for name, text in {"qrels": LABELS, "private": "z1\n", "development": "q2\n"}.items():
        (tmp_path / name).write_text(text)
    queries = {name: tmp_path / name for name in ("private", "development")}
    sets = split_sets({"dev": tmp_path / "qrels"}, queries, tmp_path, called="T", reader=HERE)
    (labels,) = sets.labels
    assert labels.open is not None
    assert labels.sealed is not None
    assert (labels.name, labels.open.queries, labels.open.judged) == ("dev", 2, 3)
    assert (labels.sealed.queries, labels.sealed.judged) == (1, 1)
    assert labels.open.path.read_text() == "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n"
    assert labels.sealed.path.read_text() == "z1 0 d1 1\n"
    lists = {name: (path.read_text(), number) for name, (path, number) in sets.queries.items()}
    assert lists == {"private": ("z1\n", 1), "development": ("q2\n", 1), "public": ("q1\n", 1)}


def test_without_private_queries_all_is_open(tmp_path):
    (tmp_path / "qrels").write_text(LABELS)
    sets = split_sets({"dev": tmp_path / "qrels"}, {}, tmp_path, called="T", reader=HERE)
    assert sets.labels[0].sealed is None
    assert sets.queries["public"][0].read_text() == "q1\nz1\nq2\n"
