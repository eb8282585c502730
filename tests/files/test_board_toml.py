"""Boards in TOML."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import InputError
from runoff.files import board_of_toml, read_board
from runoff.files._toml_lines import line_of, lines_of_keys
from runoff.files.board_text import render_board
from runoff.files.board_toml import BOARD_KEYS
from runoff.tables import Board, BoardRun
from tests.files.samples import problems_of

GOOD = """
title = "Demo"
measure = "RR@10"
depth = 100
relevance_level = 2
gains = [0, 0.5, 1]
alpha = 0.01
correction = "bonferroni"
record_rule = "holm"

[queries.public]
path = "public.txt"

[labels.sparse]
path = "qrels.txt"

[[runs]]
path = "runs/bm25.trec.gz"
team = "organisers"
baseline = true

[[runs]]
name = "dense"
path = "runs/dense.trec"
team = "A"
date = 2021-02-10
description = "a dense retriever"

[[runs]]
name = "dense 2"
team = "A"
date = "2021-03-01"
variant_of = "dense"
scores = { public = 0.5, private = 1 }
"""
KEYS = ", ".join(BOARD_KEYS)
LABEL_KEYS = "path, relevance_level"
RUN_KEYS = "path, name, team, date, description, baseline, variant_of, scores, costs"


@pytest.fixture
def folder(tmp_path):
    for name in ("public.txt", "qrels.txt", "runs/bm25.trec.gz", "runs/dense.trec"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("prefix, ending", [("", "\n"), ("\ufeff", "\r\n")])
def test_a_board(folder, prefix, ending):
    file = folder / "board.toml"
    file.write_bytes((prefix + GOOD.replace("\n", ending)).encode())
    assert read_board(file) == Board(
        title="Demo",
        measure="RR@10",
        depth=100,
        relevance_level=2,
        gains=(0.0, 0.5, 1.0),
        alpha=0.01,
        correction="bonferroni",
        record_rule="holm",
        queries={"public": folder / "public.txt"},
        labels={"sparse": folder / "qrels.txt"},
        runs=(
            BoardRun(name="bm25.trec", path=folder / "runs/bm25.trec.gz", team="organisers", baseline=True),
            BoardRun(
                name="dense",
                path=folder / "runs/dense.trec",
                team="A",
                date=date(2021, 2, 10),
                description="a dense retriever",
            ),
            BoardRun(
                name="dense 2",
                team="A",
                date=date(2021, 3, 1),
                variant_of="dense",
                scores={"public": 0.5, "private": 1.0},
            ),
        ),
    )


def test_defaults():
    board = board_of_toml('title = "t"\nmeasure = "RR"\n[[runs]]\nname = "a"\nscores.private = 0.5')
    assert (board.depth, board.relevance_level, board.alpha) == (None, 1, 0.05)
    assert (board.correction, board.record_rule) == ("holm", "fallback")


@pytest.mark.parametrize("text", ["[]", "1", "[1, 2]", "[0, 1, 0.5]", "[0, -1]", '[0, "x"]', "[0, nan]", "[0, inf]"])
def test_gains_that_cannot_be_added_up(text):
    with pytest.raises(InputError) as caught:
        board_of_toml(f'title = "t"\nmeasure = "RR"\ngains = {text}\n[[runs]]\nname = "a"\nscores.private = 0.5')
    assert str(caught.value).startswith("<board>:3: gains is ")
    assert "expected the gain of each grade, 0 for grade 0 and none below that of the grade before" in str(caught.value)


def test_the_relevance_level_is_found_by_its_short_name():
    with pytest.raises(InputError, match="unknown key 'level'; did you mean 'relevance_level'\\?"):
        board_of_toml('title = "t"\nmeasure = "RR"\nlevel = 2\n[[runs]]\nname = "a"\nscores.private = 0.5')


def test_every_fault_at_once(tmp_path):
    text = '''tittle = "x"
measure = 3
depth = 0
alpha = 1.5
correction = "holms"
note = """
[[runs]]
name = "not a run"
"""
[queries.public]
path = "pub.txt"
[labels]
sparse = "q.txt"
[labels.other]
file = "q.txt"
[[runs]]
path = "a.run"
date = "2021-02-30"
baseline = "yes"
[[runs]]
name = "b"
variant_of = "a.rum"
date = 2021-02-10T10:00:00
[[runs]]
name = "b"
scores = { public = "x" }
variant_of = "b"
'''
    found = problems_of(lambda data: board_of_toml(data, name="board.toml", folder=tmp_path), text.encode())
    run_file = "expected a file, its path relative to this one; check the path"
    no_table = 'expected a table with the path of a file; write [labels.sparse] and a line path = "FILE"'
    another = "expected the name of another run; fix or remove it"
    itself = "expected the name of an earlier run; fix or remove it"
    assert found == [
        "board.toml: no key 'title'; expected the name of the board, between quotes; add it",
        f"board.toml:1: unknown key 'tittle'; did you mean 'title'? expected one of {KEYS}; rename or remove it",
        "board.toml:2: measure is 3; expected a measure such as RR@10, between quotes; fix it",
        "board.toml:3: depth is 0; expected a whole number from 1 to 1,000,000; fix it",
        "board.toml:4: alpha is 1.5; expected a number between 0 and 1; fix it",
        "board.toml:5: correction is 'holms'; expected one of none, bonferroni, holm, benjamini_hochberg; fix it",
        f"board.toml:6: unknown key 'note'; expected one of {KEYS}; rename or remove it",
        f"board.toml:11: path of [queries.public]: there is no file 'pub.txt'; {run_file}",
        f"board.toml:13: labels.sparse is 'q.txt'; {no_table}",
        "board.toml:14: no key 'path' of [labels.other]; expected the path of a file; add it",
        f"board.toml:15: unknown key 'file' of [labels.other]; expected one of {LABEL_KEYS}; rename or remove it",
        f"board.toml:17: path of run 1: there is no file 'a.run'; {run_file}",
        "board.toml:18: date of run 1 is '2021-02-30'; expected a date such as 2021-02-10; fix it",
        "board.toml:19: baseline of run 1 is 'yes'; expected true or false; fix it",
        "board.toml:20: no key 'path' of run 2; expected the path of a file, or scores; add one",
        f"board.toml:22: run 'b' is a variant of 'a.rum', which is not on this board; did you mean 'a.run'? {another}",
        "board.toml:23: date of run 2 is 2021-02-10 10:00:00; expected a date such as 2021-02-10; fix it",
        "board.toml:25: run 'b' is listed twice, first in line 21; expected every name once; rename one",
        "board.toml:26: public in the scores of run 3 is 'x'; expected a finite number such as 0.42; fix it",
        f"board.toml:27: run 'b' is a variant of itself, through 'b'; {itself}",
    ]


def test_costs_are_amounts_and_every_fault_is_told():
    text = HEAD.decode() + '[[runs]]\nname = "a"\nscores.private = 0.5\ncosts = { ms = -1, usd = "free", kg = 2 }\n'
    expected = "expected a finite number of 0 or more such as 35; fix it"
    assert problems_of(board_of_toml, text.encode()) == [
        f"<board>:6: ms in the costs of run 1 is -1; {expected}",
        f"<board>:6: usd in the costs of run 1 is 'free'; {expected}",
    ]
    (run,) = board_of_toml(text.replace("-1", "1").replace('"free"', "0")).runs
    assert dict(run.costs) == {"ms": 1.0, "usd": 0.0, "kg": 2.0}


HEAD = b'title = "t"\nmeasure = "RR"\n'


@pytest.mark.parametrize(
    "text, message",
    [
        (b"title = \n", '<board>:1: not TOML (Invalid value); expected lines such as title = "Demo"; fix the line'),
        (b"\xff", "<board>: bytes that are not UTF-8; expected TOML; convert the file"),
        (b"a = " + b"[" * 9000, "<board>: brackets nested too deep; expected a board; check the file"),
        (HEAD, "<board>: no runs; expected at least one entry [[runs]]; add one"),
        (HEAD + b"runs = 3", "<board>:3: runs is 3; expected at least one entry [[runs]]; add one"),
        (HEAD + b"runs = []", "<board>:3: no runs; expected at least one entry [[runs]]; add one"),
        (HEAD + b"runs = [\n  7,\n]", "<board>:3: run 1 is 7; expected a table; write it as [[runs]]"),
        (
            HEAD + b'[[runs]]\npath = "x"',
            "<board>: no labels; expected a qrels file to score the runs with; add [labels.NAME] with its path",
        ),
        (
            HEAD + b"[[runs]]\nscores.private = 0.5",
            "<board>:3: no key 'name' of run 1; expected the name of the run, since no file gives it one; add it",
        ),
        (
            HEAD + b"runs = [\n  { name = 'a', scores = { private = 0 } },\n  { name = 'b', rank = 1 },\n]",
            "<board>:3: no key 'path' of run 2; expected the path of a file, or scores; add one",
        ),
        (
            HEAD + b'[[runs]]\nname = "a"\nmodel = "x"\nscores.private = 1',
            f"<board>:5: unknown key 'model' of run 1; expected one of {RUN_KEYS}; rename or remove it",
        ),
        (HEAD + b"labels = 1", "<board>:3: labels is 1; expected tables such as [labels.NAME]; fix it"),
    ],
)
def test_a_fault(text, message):
    assert message in problems_of(lambda data: board_of_toml(data, check_files=False), text)


def test_variants_in_a_ring():
    runs = "".join(f'[[runs]]\nname = "{a}"\nvariant_of = "{b}"\nscores.x = 1\n' for a, b in ("ab", "bc", "cb"))
    assert problems_of(board_of_toml, HEAD + runs.encode()) == [
        f"<board>:{line}: run '{one}' is a variant of itself, through '{other}'; expected the name of an earlier run; "
        "fix or remove it"
        for line, one, other in ((9, "b", "c"), (13, "c", "b"))
    ]


def test_no_such_file():
    with pytest.raises(InputError, match="no such file; expected a readable file; check the path"):
        read_board("nowhere/board.toml")


def test_lines_of_keys():
    text = (
        "a.b = 1\n\"x y\" = '''\nq = 2\n'''\n[t.u] # [v]\n'k' = \"\"\"one\"\"\"\nz = '#'\n"
        "[[r]]\n[[r]]\nd = 1\n[r.s]\nd = 2\n"
    )
    lines = lines_of_keys(text)
    assert {place: line for place, line in lines.items() if place} == {
        ("a", "b"): 1,
        ("x y",): 2,
        ("t", "u"): 5,
        ("t", "u", "k"): 6,
        ("t", "u", "z"): 7,
        ("r", 0): 8,
        ("r", 1): 9,
        ("r", 1, "d"): 10,
        ("r", 1, "s"): 11,
        ("r", 1, "s", "d"): 12,
    }
    assert [line_of(lines, place) for place in [("a",), ("r", 1, "q"), ("r", 7, "d"), ("none",)]] == [1, 9, 8, 0]


KEY = st.sampled_from(
    ["title", "measure", "depth", "alpha", "correction", "record_rule", "queries", "labels", "runs", "path", "name",
     "team", "date", "baseline", "variant_of", "scores", "queries.public", "labels.a.path", '"x y"', "''", "1", "nmae"]
)  # fmt: skip
VALUE = st.sampled_from(
    ['"a"', "'b'", "1", "-1", "0.5", "nan", "inf", "true", "2021-02-10", "2021-02-30", "10:00:00",
     "2021-02-10T10:00:00Z", "[]", "{}", "[1]", "{ path = 'a' }", "{ public = 0.5 }", "[{ name = 'a' }]",
     '"""\n[x]\n"""', "'\\u0000'", '"\\u0000"',
     "9" * 400, "1e400", "9" * 5000, '""', "", '"2021-02-10"', "[[runs]]"]
)  # fmt: skip
LINE = st.one_of(
    st.tuples(KEY, VALUE).map(" = ".join),
    KEY.map("[{}]".format),
    KEY.map("[[{}]]".format),
    st.just("[[runs]]"),
    st.text(max_size=8),
)


@given(st.lists(LINE, max_size=12).map("\n".join), st.booleans())
def test_any_text_gives_a_board_or_an_explanation(text, check_files):
    try:
        assert isinstance(board_of_toml(text, folder=Path("nowhere"), check_files=check_files), Board)
    except InputError as error:
        assert error.problems  # noqa: PT017  # either is right
        assert all(problem.startswith("<board>:") for problem in error.problems)  # noqa: PT017


@given(st.binary(max_size=60))
def test_a_file_that_breaks_off_is_explained(data):
    with pytest.raises(InputError):
        board_of_toml(HEAD + data + b"\n[[runs")


def test_a_label_set_can_have_its_own_level(folder):
    text = GOOD.replace('path = "qrels.txt"', 'path = "qrels.txt"\nrelevance_level = 3')
    board = board_of_toml(text, folder=folder)
    assert (board.relevance_level, board.level_of(), board.level_of("sparse")) == (2, 3, 3)
    assert board_of_toml(render_board(board, folder=folder), folder=folder) == board
    assert board.overruled(level=1).level_of("sparse") == 1


@pytest.mark.parametrize(
    "line, problem",
    [
        (
            "relevance_level = 0",
            "relevance_level of [labels.sparse] is 0; expected a whole number from 1 to 127; fix it",
        ),
        (
            "level = 2",
            (
                f"unknown key 'level' of [labels.sparse]; did you mean 'relevance_level'? expected one of {LABEL_KEYS};"
                " rename or remove it"
            ),
        ),
    ],
)
def test_the_level_of_a_label_set_is_checked(folder, line, problem):
    text = GOOD.replace('path = "qrels.txt"', f'path = "qrels.txt"\n{line}')
    assert problems_of(board_of_toml, text, folder=folder) == [f"<board>:16: {problem}"]
