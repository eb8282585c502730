"""Reading once: the same SERPs and scores as read for each label set by itself, and checksums."""

import hashlib

import numpy as np
import pytest

from runoff import InputError
from runoff.files import read_board, read_serps
from runoff.measures import parse_measure
from runoff.reading.conditions import read_label_sets
from runoff.reading.report_inputs import input_files, read_runs_once
from tests.verbs.audited import write_audited


def test_the_same_as_each_label_set_by_itself(tmp_path):
    board = read_board(write_audited(tmp_path))
    sets = read_label_sets(board)
    calls = []
    measure = parse_measure("RR@10")
    read = read_runs_once(board.runs, sets, [measure], depth=10, top=3, progress=lambda *done: calls.append(done))
    assert calls == [(number, 7) for number in range(1, 8)]
    for run, found in zip(board.runs, read, strict=True):
        assert np.diff(found.top.bounds).max() == 3
        for labels in sets:
            alone = read_serps(str(run.path), labels.qrels, depth=10)
            np.testing.assert_array_equal(found.scored[labels.name].values[0], measure.values(alone))
        assert found.scored["sparse"].serps is not None
        assert found.scored["deep"].serps is None


def test_checksums(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"abc")
    (found,) = input_files([("run a", file), ("run a", file)], tmp_path)
    assert (found.role, found.path, found.size) == ("run a", "a.txt", 3)
    assert found.sha256 == hashlib.sha256(b"abc").hexdigest()
    (outside,) = input_files([("run a", file)], None)
    assert outside.path == str(file)
    with pytest.raises(InputError, match="cannot be read"):
        input_files([("run b", tmp_path / "absent")], None)


def test_a_folder_of_shards_has_one_digest(tmp_path):
    first = tmp_path / "run"
    first.mkdir()
    for number in (10, 9):
        (first / f"part-{number}.parquet").write_bytes(f"{number}".encode())
    (found,) = input_files([("run", first)], tmp_path)
    sums = "".join(hashlib.sha256(one).hexdigest() for one in (b"9", b"10"))
    assert (found.path, found.size) == ("run", 3)
    assert found.sha256 == hashlib.sha256(sums.encode()).hexdigest()
