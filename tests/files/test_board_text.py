"""Boards written as TOML."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import UsageError
from runoff.files import board_of_toml, read_board, render_board, write_board
from runoff.tables import Board, BoardRun

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
paths = st.lists(st.sampled_from(["runs", "a b", "é", 'q"', "x.gz"]), min_size=1, max_size=3).map(
    lambda parts: Path("home", *parts)
)
scores = st.dictionaries(words, st.floats(allow_nan=False, allow_infinity=False), max_size=3)


@st.composite
def boards(draw):
    names = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    runs = []
    for place, name in enumerate(names):
        path = draw(st.none() | paths)
        runs.append(
            BoardRun(
                name=name,
                path=path,
                team=draw(st.just("") | words),
                date=draw(st.none() | st.dates()),
                description=draw(st.just("") | words),
                baseline=draw(st.booleans()),
                variant_of=draw(st.none() | st.sampled_from(names[:place])) if place else None,
                scores=draw(scores) if path else {"private": 0.5, **draw(scores)},
                costs=draw(st.dictionaries(words, st.floats(0, 1e6), max_size=2)),
            )
        )
    return Board(
        title=draw(words),
        measure=draw(words),
        depth=draw(st.none() | st.integers(1, 1000)),
        relevance_level=draw(st.integers(1, 127)),
        gains=draw(st.none() | st.lists(st.floats(0, 1), max_size=3).map(lambda gains: (0.0, *sorted(gains)))),
        alpha=draw(st.floats(0.001, 0.999)),
        correction=draw(st.sampled_from(["none", "holm"])),
        record_rule=draw(st.sampled_from(["fallback", "holm"])),
        queries=draw(st.dictionaries(words, paths, max_size=2)),
        labels={"sparse": Path("home/qrels.txt"), **draw(st.dictionaries(words, paths, max_size=2))},
        runs=tuple(runs),
    )


@given(boards())
def test_what_is_written_is_read_back(board):
    assert board_of_toml(render_board(board, folder="home"), folder="home", check_files=False) == board


@pytest.mark.parametrize(
    "path, folder, written",
    [
        ("home/runs/a", "home", "runs/a"),
        ("runs/a", "home", "../runs/a"),
        ("/data/a", "home", "/data/a"),
        ("/data/a", "/data", "a"),
    ],
)
def test_paths_are_relative_to_the_folder(path, folder, written):
    text = render_board(Board(title="t", measure="RR", runs=(BoardRun(name="a", path=Path(path)),)), folder=folder)
    assert f'path = "{written}"' in text.splitlines()


def test_a_file_is_written_once(tmp_path):
    board = Board(title="t", measure="RR", runs=(BoardRun(name="a", scores={"private": 0.1}),))
    write_board(board, tmp_path / "board.toml")
    assert read_board(tmp_path / "board.toml") == board
    with pytest.raises(UsageError, match="is there already; expected a new file; name another or move it away"):
        write_board(board, tmp_path / "board.toml")
    with pytest.raises(UsageError, match="cannot be written"):
        write_board(board, tmp_path / "no" / "board.toml")
