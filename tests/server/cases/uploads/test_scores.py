"""Scores of a stranger's run: the same wherever it is read, and private labels stay private."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from runoff.errors import InputError, ReadingEndedError
from runoff.files.qrels import read_qrels
from runoff.files.runs import read_serps
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import ScoringLabels, score_apart
from runoff.tables.settings import BoardSettings
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import PRIVATE, PUBLIC, run_text

BOARD = BoardSettings(slug="trees", title="Trees", measure="RR@10", depth=10)
OPEN = "".join(f"{query} 0 d 1\n{query} 0 x1-1 2\n" for query in PUBLIC).encode()
SEALED = "".join(f"{query} 0 d 1\n" for query in PRIVATE).encode()


@pytest.fixture
def score(tmp_path):
    run, labels = tmp_path / "run", tmp_path / "labels"
    run.write_text(run_text(1))
    labels.write_bytes(OPEN)

    def work(*more, reader=HERE):
        sets = [ScoringLabels(name="open", source=labels, board=BOARD), *more]
        return score_apart(run, sets, name="mine", called="a.run", reader=reader)

    return work


def test_the_process_scores_as_this_one_does(score, tmp_path):
    private = ScoringLabels(name="sealed", source=SEALED, board=replace(BOARD, relevance_level=2, measure="nDCG@5"))
    apart, here = score(private, reader=LimitedReader()), score(private)
    for one, two in zip(apart, here, strict=True):
        assert one.query_ids == two.query_ids
        assert one.missing_queries == two.missing_queries == 0
        assert np.array_equal(one.values, two.values, equal_nan=True)
        assert one.serps is not None
        assert two.serps is not None
        for name in ("grades", "retrieved", "judged", "depth_tied"):
            assert np.array_equal(getattr(one.serps, name), getattr(two.serps, name)), name
    expected = read_serps(tmp_path / "run", read_qrels(tmp_path / "labels"), depth=10)
    assert (apart[0].serps.grades == expected.grades).all()
    assert apart[0].serps.extra_queries == expected.extra_queries == len(PRIVATE)


def test_labels_that_cannot_be_read_are_not_told_to_the_sender(score):
    broken = ScoringLabels(name="sealed", source=b"zzsealedzz9 0 d many\n", board=BOARD)
    with pytest.raises(ReadingEndedError) as found:
        score(broken, reader=LimitedReader())
    assert "zzsealed" not in str(found.value)
    assert str(found.value).startswith("a.run: reading it ended early (RuntimeError in run.py:")


def test_a_measure_of_another_program_has_values_alone(score):
    pytest.importorskip("ir_measures")
    board = replace(BOARD, measure="SetP")
    found = score(ScoringLabels(name="sealed", source=SEALED, board=board))
    assert (found[1].serps is None, len(found[1].values)) == (True, len(PRIVATE))


@pytest.mark.parametrize("change", [
    {"arrays": {"values": np.zeros(3)}},
    {"arrays": {"values": np.zeros(24, dtype=np.int64)}},
    {"arrays": {"values": [0.0] * 24}},
    {"arrays": {"grades": np.zeros((2, 10), dtype=np.int8)}},
    {"arrays": {"more": np.zeros(24)}},
    {"arrays": {}},
    {"query_ids": ["q1"]},
    {"serps": {}},
    {"serps": {"extra_queries": None}},
    {"missing_queries": "many"},
])  # fmt: skip
def test_scores_of_another_form_are_refused(score, change):
    class Changing(LimitedReader):
        """Changes the answer, as a process that a file has taken over could."""

        def read(self, work, request, *, called, into):
            (answer,) = HERE.read(work, request, called=called, into=list)
            for key, value in change.items():
                answer[key] = {**answer[key], **value} if isinstance(value, dict) and value else value
            return into([answer])

    assert score()[0].missing_queries == 0
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        score(reader=Changing())


def test_scores_of_other_labels_are_refused(score):
    class Fewer(LimitedReader):
        def read(self, work, request, *, called, into):
            return into([])

    with pytest.raises((ValueError, InputError), match="scores of other labels"):
        score(reader=Fewer())
