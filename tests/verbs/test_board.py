"""What board promises: the right scores, ranks from bootstrap samples, and the choices of a board.toml."""

import json
from dataclasses import replace

import numpy as np
import pytest

import runoff
from runoff import Policy, RunoffError, UsageError, board, evaluate
from runoff.reading.sources import as_run
from runoff.verbs._published_board import PublishedBoardResult
from runoff.verbs.board import BoardOptions
from tests.verbs.boards import board_of_file
from tests.verbs.comparisons import run_of

QRELS = {f"q{i}": {"d": 1} for i in range(30)}


def run_at(rank):
    documents = {f"x{place}": 100.0 - place for place in range(1, rank)} | {"d": 100.0 - rank}
    return dict.fromkeys(QRELS, documents)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 d 1\n" for query in QRELS))
    (tmp_path / "other.txt").write_text("".join(f"{query} 0 x1 1\n" for query in QRELS))
    (tmp_path / "public.txt").write_text("".join(f"q{i}\n" for i in range(20)))
    (tmp_path / "private.txt").write_text("".join(f"q{i}\n" for i in range(20, 30)))
    for name, rank in (("one", 1), ("two", 2), ("three", 3)):
        rows = (f"{q} Q0 {doc} 0 {score} t\n" for q, docs in run_at(rank).items() for doc, score in docs.items())
        (tmp_path / f"{name}.run").write_text("".join(rows))
    runs = "".join(
        f'[[runs]]\npath = "{name}.run"\nname = "{name}"\nteam = "T"\ndate = 2021-01-0{day}\n'
        for day, name in enumerate(("three", "two", "one"), start=1)
    )
    text = 'title = "Board"\nmeasure = "RR@10"\n[queries.public]\npath = "public.txt"\n[queries.private]\n'
    text += 'path = "private.txt"\n[labels.sparse]\npath = "qrels.txt"\n[labels.other]\npath = "other.txt"\n'
    (tmp_path / "board.toml").write_text(text + runs)
    return tmp_path


def test_means_are_those_of_evaluate():
    runs = [as_run(run_at(rank), name=f"rank {rank}") for rank in (3, 1, 2)]
    result, scores = board(runs, QRELS, trials=50), evaluate(runs, QRELS, measures=["RR@10"])
    assert [row.run for row in result.rows] == list(scores.runs) == ["rank 1", "rank 2", "rank 3"]
    assert [row.mean for row in result.rows] == pytest.approx([1, 1 / 2, 1 / 3])
    assert result.records is None


def test_verdicts_rank_sets_and_groups_follow_from_all_pairs():
    ranks = {"first": [1] * 25 + [2] * 5, "second": [3, 4] * 15, "third": [8, 9, 10] * 10}
    result = board([run_of(name, ranks[name]) for name in ("third", "first", "second")], QRELS, trials=50)
    assert [(row.run, row.verdict, row.how) for row in result.rows] == [
        ("first", None, ()), ("second", "worse", ("later",)), ("third", "worse", ("later",)),
    ]  # fmt: skip
    assert [(row.rank_set, row.group) for row in result.rows] == [((1, 1), 1), ((2, 2), 2), ((3, 3), 3)]
    assert [row.could_be_best for row in result.rows] == [True, False, False]
    assert [comparison.outcome for comparison in result.comparisons] == ["worse", "worse"]


def test_a_board_without_lists_has_the_same_rows_and_notes_but_no_double_dagger():
    ranks = {"first": [1] * 25 + [2] * 5, "second": [3, 4] * 15, "third": [8, 9, 10] * 6 + [0] * 12}
    runs = [run_of(name, ranks[name]) for name in ("third", "first", "second")]
    whole = board(runs, QRELS, trials=50)
    short = board(runs, QRELS, trials=50, options=BoardOptions(detail="verdict"))
    assert short.grid() == whole.grid()
    assert short.rows == tuple(replace(row, marks=row.marks.replace("‡", "")) for row in whole.rows)
    assert [row.marks for row in whole.rows] == ["", "†‡", "†‡"]
    assert [row.how for row in short.rows] == [(), ("later",), ("fewer", "later")]
    assert {comparison.ipso for comparison in short.comparisons} == {None}


@pytest.mark.parametrize(
    "ranks",
    [
        (1, 2, 3),
        (1, 4, 9),
    ],
)
def test_of_a_difference_that_is_the_same_on_every_query_nothing_is_claimed(ranks):
    """Flipped signs cannot tell how large a constant difference could be by chance."""
    runs = [as_run(run_at(rank), name=f"rank {rank}") for rank in ranks]
    result = board(runs, QRELS, trials=50)
    assert result.decided.decisions.is_constant.sum() == 6
    assert [row.verdict for row in result.rows] == [None, "inconclusive", "inconclusive"]
    assert {(row.rank_set, row.group, row.could_be_best) for row in result.rows} == {((1, 3), 1, True)}


def test_the_policy_decides():
    ranks = {"first": [1] * 20 + [3] * 10, "second": [2] * 12 + [1] * 18, "third": [8, 9, 10] * 10}
    runs = [run_of(name, one) for name, one in ranks.items()]
    plain = board(runs, QRELS, trials=50)
    p = {row.run: row.p for row in plain.rows}
    assert (p["third"] or 1.0) < 0.05 < (p["first"] or 0.0)  # the second run leads by its mean
    loose = board(runs, QRELS, trials=50, policy=Policy(alpha=0.9))
    assert {row.run: row.p for row in loose.rows} == p
    for shown, alpha in ((plain, 0.05), (loose, 0.9)):
        assert [row.verdict for row in shown.rows[1:]] == [
            "worse" if (row.p or 0.0) < alpha else "inconclusive" for row in shown.rows[1:]
        ]


def test_the_correction_is_about_how_and_not_about_verdicts():
    runs = [
        run_of("first", [1] * 20 + [3] * 10),
        run_of("second", [1] * 12 + [4] * 18),
        run_of("third", [8, 0, 9] * 10),
    ]
    shown = [board(runs, QRELS, trials=50, policy=Policy(correction=one)) for one in ("holm", "none")]
    first, second = ([(row.verdict, row.p, row.rank_set) for row in one.rows] for one in shown)
    assert first == second
    families = [one.decided.facets.family for one in shown if one.decided.facets is not None]
    assert str(families[0]) == "more and sooner of 3 pairs (6 p-values)"
    assert families[1:] == [None]


@pytest.mark.parametrize(
    "ranks", [{"one": [1] * 30, "two": [2] * 30}, {"steep": [1] + [10] * 29, "flat": [9] * 14 + [10] * 16}]
)
def test_on_a_board_facets_do_not_disagree_with_a_verdict(ranks):
    (comparison,) = board([run_of(name, one) for name, one in ranks.items()], QRELS, trials=50).comparisons
    assert comparison.outcome == "inconclusive"
    assert "disagree" not in comparison.verdict.sentence.split(". ")[0]


def test_queries_that_a_run_lacks_are_counted():
    short = {query: documents for query, documents in run_at(2).items() if query not in {"q1", "q5", "q7"}}
    result = board([as_run(short, name="short"), as_run(run_at(3), name="whole")], QRELS, trials=50)
    missing = {run["run"]: run["missing_queries"] for run in json.loads(result.to_json())["runs"]}
    assert missing == {"short": 3, "whole": 0}


def test_identical_runs_share_their_ranks():
    runs = [as_run(run_at(2), name=name) for name in "ab"]
    result = board(runs, QRELS, trials=50)
    assert [row.p_first for row in result.rows] == [0.5, 0.5]
    assert {row.group for row in result.rows} == {1}


def test_the_same_seed_gives_the_same_result():
    rng = np.random.default_rng(0)
    ranks = rng.integers(1, 5, size=(3, len(QRELS)))
    runs = [
        as_run({q: run_at(int(rank))[q] for q, rank in zip(QRELS, row, strict=True)}, name=f"r{place}")
        for place, row in enumerate(ranks)
    ]
    first, again, other = (board(runs, QRELS, trials=100, seed=seed).to_json() for seed in (1, 1, 2))
    assert first == again != other


def test_a_board_file_names_runs_labels_queries_and_records(folder):
    result = board_of_file(folder / "board.toml", trials=50)
    assert (result.title, result.ranks.queries) == ("Board", 20)
    assert [row.run for row in result.rows] == ["one", "two", "three"]
    assert result.records is not None
    assert [record.name for record in result.records.records] == ["three", "two", "one"]
    assert board_of_file(folder / "board.toml", query_set="private", trials=50).ranks.queries == 10
    other = board_of_file(folder / "board.toml", labels="other", trials=50)
    assert [row.run for row in other.rows] == ["three", "two", "one"]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"labels": "deep"}, "no label set is called 'deep'; expected one of sparse, other"),
        ({"query_set": "secret"}, "no query set is called 'secret'; expected one of public, private"),
    ],
)
def test_unknown_names_are_explained(folder, options, message):
    with pytest.raises(UsageError, match=message):
        board(folder / "board.toml", **options)


def test_measures_that_cannot_rank_a_board_are_refused():
    with pytest.raises(UsageError, match="ESL@2 is undefined for 30 of 30 queries"):
        board([run_at(3), run_at(2)], QRELS, measures="ESL@2")


def test_a_measure_of_ir_measures_can_rank_a_board():
    runs = [as_run(run_at(rank), name=f"rank {rank}") for rank in (4, 1)]
    result = board(runs, QRELS, measures="SetP", trials=20)
    assert [(row.run, row.mean) for row in result.rows] == [("rank 1", 1.0), ("rank 4", 0.25)]


def test_lower_is_better_for_esl():
    runs = [as_run(run_at(rank), name=f"rank {rank}") for rank in (3, 1)]
    assert [row.run for row in board(runs, QRELS, measures="ESL@10", trials=50).rows] == ["rank 1", "rank 3"]


def test_a_board_of_published_means_has_these_alone(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text('title = "T"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\nscores.private = 0.4\n')
    result = board(file)
    assert isinstance(result, PublishedBoardResult)
    assert [run.name for run in result.runs] == ["a"]
    with pytest.raises(UsageError, match=r"no run of .* has a file"):
        board(file, QRELS)


def test_a_board_without_labels(tmp_path):
    file = tmp_path / "board.toml"
    (tmp_path / "a.run").write_text("q Q0 d 1 1 t\n")
    file.write_text('title = "T"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\npath = "a.run"\n')
    with pytest.raises(RunoffError, match="no labels; expected a qrels file"):
        board(file)


def test_what_a_board_is_made_of():
    with pytest.raises(UsageError, match="runs without qrels; expected relevance judgments"):
        board(["a.run", "b.run"])  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="label sets and query sets are those of a board"):
        board({"q": {"d": 1.0}}, {"q": {"d": 1}}, labels="deep")


def test_a_board_of_scores_has_verdicts_by_the_measure_alone():
    rng = np.random.default_rng(4)
    values = rng.random((40, 3)) * 0.3 + np.array([0.1, 0.6, 0.57])
    scores = runoff.Scores(measure="AP", query_ids=tuple(map(str, range(40))), runs=("a", "b", "c"), values=values)
    result = board(scores, trials=50)
    assert [(row.run, row.verdict, row.how) for row in result.rows] == [
        ("b", None, ()), ("c", "inconclusive", ()), ("a", "worse", ()),
    ]  # fmt: skip
    assert [row.rank_set for row in result.rows] == [(1, 2), (1, 2), (3, 3)]
    assert result.decided.facets is None
    assert {run["missing_queries"] for run in json.loads(result.to_json())["runs"]} == {None}
