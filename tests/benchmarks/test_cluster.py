"""The benchmark of clusters: tiny, to see that it works; its answers are those of one machine."""

import sys

import pytest

from benchmarks import cluster

pytestmark = pytest.mark.cluster


def test_a_tiny_table(tmp_path, monkeypatch, capsys):
    options = ["--millions", "0.04", "--workers", "1", "--verbs", "evaluate", "board"]
    monkeypatch.setattr(sys, "argv", ["cluster", str(tmp_path), *options])
    cluster.main()
    lines = [line.split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 6
    assert all(len(line) == len(cluster.TITLES) for line in [lines[0], *lines[2:]])
    evaluated, board, evaluated_there, board_there = (line[-1] for line in lines[2:])
    assert (evaluated, board) == (evaluated_there, board_there)
    assert evaluated != board
