"""What the result of a board says: its keys, its rows and its words."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from runoff import UsageError
from runoff.reading.boards import board_data_of_scores
from runoff.results.board import STRIP_WIDTH, rank_range
from runoff.tables import Scores
from runoff.tables.board import BoardRun
from runoff.verbs.board import BoardOptions, board_of
from tests.verbs.boards import data_of

VALUES = np.array([[1.0, 0.9, 0.1]] * 20 + [[0.5, 0.6, 0.0]] * 20)
SCORES = Scores(measure="RR@10", query_ids=tuple(map(str, range(40))), runs=("a", "b", "c"), values=VALUES)


FACTS = (
    BoardRun(name="a", date=date(2021, 1, 3)),
    BoardRun(name="b", team="X", date=date(2021, 1, 2)),
    BoardRun(name="c", baseline=True),
)


def result_of(scores, runs=None, trials=200):
    data = board_data_of_scores(scores, title="Test board")
    return board_of(replace(data, runs=runs) if runs else data, trials=trials)


@pytest.fixture
def result():
    return result_of(SCORES, FACTS)


@pytest.fixture
def judged():
    return board_of(data_of({"trade": [1] * 12 + [0] * 18, "steady": [4] * 30, "weak": [9] * 30}), trials=50)


def test_keys(result):
    content = json.loads(result.to_json())
    assert {"measure", "queries", "trials", "seed", "runs", "rank_probabilities", "history"} <= content.keys()
    keys = {"run", "team", "date", "mean", "ci95", "expected_rank", "rank_interval", "rank_set", "p_first", "group"}
    keys |= {"could_be_best", "verdict", "how", "marks", "p", "copeland", "seen_from", "needed_queries"}
    keys |= {"missing_queries"}
    assert {"winner", "resolution"} <= content.keys()
    assert "best_set" not in content
    assert all(run.keys() == keys for run in content["runs"])
    (record,) = content["history"]
    assert (record["date"], record["run"], record["team"], record["displaced"]) == ("2021-01-02", "b", "X", None)
    assert record["mean"] == pytest.approx(0.75)
    for run, chances in content["rank_probabilities"].items():
        assert sum(chances) == pytest.approx(1), run


def test_keys_of_the_claims(judged):
    first, second, third = json.loads(judged.to_json())["runs"]
    assert [run["run"] for run in (first, second, third)] == ["trade", "steady", "weak"]
    assert (first["verdict"], first["how"], first["p"]) == (None, [], None)
    assert (second["verdict"], second["how"], second["could_be_best"]) == ("inconclusive", [], True)
    assert (third["verdict"], third["how"], third["could_be_best"]) == ("worse", ["later", "but more"], False)
    assert first["rank_set"] == [1, 2]
    assert [run["missing_queries"] for run in (first, second, third)] == [0, 0, 0]


def test_the_opening_says_who_leads_and_how_sure_that_is(result):
    assert result.opening(80)[0].startswith(
        "a and b tie for the lead on 40 queries with a mean RR@10 of 0.7500. 2 of the 3 runs could be the best, with "
        "95% confidence: a and b. a is first in "
    )
    clear = Scores(measure="RR@10", query_ids=SCORES.query_ids, runs=("a", "c"), values=VALUES[:, [0, 2]])
    assert result_of(clear, trials=50).opening(80)[0] == (
        "a leads on 40 queries with a mean RR@10 of 0.7500. Only a could be the best of the 2 runs, with 95% "
        "confidence. a is first in 100.0% of 50 bootstrap samples of the queries."
    )
    alike = Scores(measure="RR@10", query_ids=SCORES.query_ids, runs=("a", "b"), values=VALUES[:, :2])
    assert "Any of the 2 runs could be the best, with 95% confidence. a is first" in result_of(alike).opening(80)[0]
    alone = Scores(measure="RR@10", query_ids=SCORES.query_ids, runs=("a",), values=VALUES[:, :1])
    assert result_of(alone).opening(80)[0] == "a leads on 40 queries with a mean RR@10 of 0.7500; it is the only run."


def test_many_that_could_be_best_are_not_all_named():
    values = np.random.default_rng(6).random((30, 12))
    values[:, 0] -= 5.0
    names = tuple(f"r{place:02}" for place in range(12))
    many = Scores(measure="AP", query_ids=tuple(map(str, range(30))), runs=names, values=values)
    assert "11 of the 12 runs could be the best, with 95% confidence: r" in result_of(many).opening(80)[0]
    assert " and 3 more. r" in result_of(many).opening(80)[0]


def test_a_run_that_is_first_more_often_than_the_leader_is_named():
    """The paper's lucky leader: the best mean by few queries, which most samples have less of."""
    skewed = np.exp(np.arange(12.0))
    values = np.column_stack([skewed / skewed.mean(), np.full(12, 0.999)])
    lucky = Scores(measure="AP", query_ids=tuple(map(str, range(12))), runs=("lucky", "steady"), values=values)
    found = result_of(lucky)
    lead, other = found.rows
    assert (lead.run, lead.p_first < other.p_first) == ("lucky", True)
    assert found.opening(80)[0].endswith(
        f"lucky is first in {lead.p_first:.1%} of 200 bootstrap samples of the queries; steady is first more often, in "
        f"{other.p_first:.1%}: lucky may lead by luck."
    )


def test_the_sentence_on_the_best_is_true_of_simulated_boards():
    """Of boards whose first run is truly best, the named ones hold it in 95% at least."""
    rng = np.random.default_rng(3)
    held = []
    for _ in range(120):
        values = rng.normal(size=(80, 6)) - 0.05 * np.arange(6)
        scores = Scores(measure="AP", query_ids=tuple(map(str, range(80))), runs=tuple("abcdef"), values=values)
        held.append(next(row for row in result_of(scores, trials=2).rows if row.run == "a").could_be_best)
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 120)


def test_text_has_the_board_the_strip_and_the_records(result):
    text = result.to_text(100)
    assert "Test board" in text
    assert "Records" in text
    assert "The first record had to beat the baseline c (0.0500)." in text
    row = next(line for line in text.splitlines() if line.startswith("a  ") and line.endswith("·"))
    assert len(row.split()[-1]) == 3


def test_latex_has_no_blocks_that_its_fonts_lack(result):
    assert "█" in result.to_text(100)
    assert not set("░▒▓█·") & set(result.to_latex())
    assert "Ranks" not in result.to_latex()


def test_the_verdict_order(judged):
    ordered = board_of(judged.data, trials=50, options=BoardOptions(order="verdict"))
    assert [(row.run, row.copeland) for row in ordered.rows] == [("steady", 1), ("trade", 0), ("weak", -1)]
    assert (judged.order, ordered.order) == ("mean", "verdict")
    assert ordered.leader.run == "trade"
    assert ordered.opening(80)[1] == (
        "By the verdict order steady is first (Copeland score +1 of at most +2), and trade is not."
    )
    assert "copeland" in [column.name for column in ordered.grid().columns]
    assert any(
        note.endswith("ties by the mean. Each pair is decided at 0.05 by itself.") for note in ordered.grid().notes
    )
    assert "trade leads" in ordered.opening(80)[0]


def test_scores_alone_have_verdicts_but_no_how(result):
    assert result.comparisons == ()
    assert [(row.run, row.verdict, row.how) for row in result.rows] == [
        ("a", None, ()), ("b", "inconclusive", ()), ("c", "worse", ()),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="expected ranked lists"):
        board_of(result.data, trials=50, options=BoardOptions(order="verdict"))


def test_charts_are_of_the_ranks_and_of_the_records(result):
    assert [chart.name for chart in result.charts()] == ["rank_heat_map", "rank_intervals", "timeline"]
    assert result.chart().name == "rank_heat_map"
    assert "b has held the record of RR@10" in result.chart("timeline").summary
    with pytest.raises(UsageError, match="this result has no chart 'pie'; expected one of rank_heat_map, rank_int"):
        result.chart("pie")
    assert [chart.name for chart in result.rank_charts()] == ["rank_heat_map", "rank_intervals", "timeline"]
    undated = result_of(SCORES)
    assert [chart.name for chart in undated.charts()] == ["rank_heat_map", "rank_intervals"]


def test_charts_of_verdicts_and_of_unjudged_documents(judged):
    assert [chart.name for chart in judged.charts()] == ["rank_heat_map", "rank_intervals", "unjudged"]
    ordered = board_of(judged.data, trials=50, options=BoardOptions(order="verdict"))
    assert [chart.name for chart in ordered.charts()] == [
        "rank_heat_map", "rank_intervals", "verdict_matrix", "unjudged",
    ]  # fmt: skip
    assert ordered.chart("verdict_matrix").summary.startswith("steady is better than 1")
    assert ordered.chart("unjudged").summary.startswith("Unjudged documents of 3 runs: steady")
    assert judged.chart("unjudged").summary.startswith("Unjudged documents of 3 runs: trade")


@pytest.mark.parametrize("queries, is_said", [(99, True), (100, False)])
def test_few_queries_are_said_to_lower_the_confidence(queries, is_said):
    values = np.random.default_rng(0).random((queries, 3))
    ids = tuple(map(str, range(queries)))
    found = result_of(Scores(measure="AP", query_ids=ids, runs=("a", "b", "c"), values=values))
    assert any(note.startswith("On fewer than 100 queries") for note in found.grid().notes) == is_said


def test_rows_are_best_first_and_equal_the_stability():
    result = result_of(SCORES, FACTS)
    assert [row.run for row in result.rows] == ["a", "b", "c"]
    found = result.ranks
    for row in result.rows:
        place = found.runs.index(row.run)
        assert row.mean == found.means[place]
        assert row.p_first == found.p_first[place] == row.rank_probabilities[0]
        assert row.rank_interval == tuple(found.rank_intervals[place])
        assert row.ci95[0] <= row.mean <= row.ci95[1]


def test_ranks_that_a_run_could_have_are_those_of_all_pairs():
    result = result_of(SCORES, FACTS)
    decisions = result.decided.decisions
    groups = decisions.groups(result.ranks.order)
    for row in result.rows:
        place = decisions.runs.index(row.run)
        first, last = row.rank_set
        assert first == 1 + sum(decisions.above[place])
        assert last == len(decisions.runs) - sum(decisions.above[:, place])
        assert row.could_be_best == (first == 1)
        assert row.group == groups[place]


def test_every_run_is_judged_against_the_first():
    judged = board_of(data_of({"trade": [1] * 12 + [0] * 18, "steady": [4] * 30, "weak": [9] * 30}), trials=50)
    # Both find 18 documents more than the first, and later: that says how they differ, and the mean decides.
    assert [(row.run, row.verdict, row.how) for row in judged.rows] == [
        ("trade", None, ()), ("steady", "inconclusive", ()), ("weak", "worse", ("later", "but more")),
    ]  # fmt: skip
    assert judged.rows[0].p is None
    assert [comparison.verdict.measure.p for comparison in judged.comparisons] == [row.p for row in judged.rows[1:]]
    assert [comparison.outcome for comparison in judged.comparisons] == [row.verdict for row in judged.rows[1:]]
    assert {str(comparison.verdict.measure.family) for comparison in judged.comparisons} == {
        "all pairs of 3 runs (6 p-values)"
    }


def test_without_teams_and_dates_there_are_no_such_columns():
    plain = result_of(SCORES)
    names = [column.name for column in plain.grid().columns]
    assert "team" not in names
    assert "date" not in names
    assert len(plain.grids()) == 1
    assert plain.to_dict()["history"] == []


def test_possible_ranks_and_verdicts_are_columns():
    ranks = {"b": [3, 4] * 15, "a": [1, 2] * 15, "c": [2] * 12 + [0] * 18, "d": [2, 1] * 14 + [2, 2]}
    judged = board_of(data_of({**ranks, "e": [9] * 12 + [0] * 18}), trials=50)
    grid = judged.grid()
    headings = {column.name: column.heading for column in grid.columns}
    assert (headings["rank_set"], headings["verdict"]) == ("Possible ranks", "Against the leader")
    assert grid.values("run") == ("a", "d", "b", "c", "e")
    assert grid.values("rank_set") == ("1 to 2", "1 to 2", "3 to 4", "3 to 4", "5")
    assert grid.values("verdict") == (None, "inconclusive", "worse: later", "worse: fewer", "worse: fewer, later")
    assert grid.values("p") == tuple(row.p for row in judged.rows)
    assert any("(95% confidence for all runs together; " in note for note in grid.notes)


def test_one_possible_rank_is_one_number():
    assert [rank_range(ranks) for ranks in ((1, 1), (2, 5), (12, 12))] == ["1", "2 to 5", "12"]


def test_what_needs_ranked_lists_is_there_with_these_alone():
    judged = board_of(data_of({"a": [1] * 12 + [0] * 18, "b": [4] * 30}), trials=50)
    for board, has_lists in ((judged, True), (result_of(SCORES, FACTS), False)):
        grid = board.grid()
        names = [column.name for column in grid.columns]
        assert "verdict" in names
        assert ("seen_from" in names) == has_lists
        assert any(note.startswith("Against ") for note in grid.notes) == has_lists
        assert all(len(row) == len(grid.columns) for row in grid.rows)
        assert all(1 <= len(str(row[-1])) <= STRIP_WIDTH for row in grid.rows)


def test_the_family_behind_how_is_named():
    judged = board_of(data_of({"a": [1, 2] * 15, "b": [3, 4] * 15, "c": [9, 8] * 15}), trials=50)
    (note,) = (note for note in judged.grid().notes if note.startswith("Against a"))
    assert "corrected by Holm over more and sooner of 3 pairs (6 p-values)" in note


def test_pairs_of_which_nothing_can_be_claimed_are_counted():
    for ranks, words in (
        ({"a": [1] * 30, "b": [2] * 30}, "1 pair of runs differs by the same amount on every query"),
        ({"a": [1] * 30, "b": [2] * 30, "c": [3] * 30}, "3 pairs of runs differ by the same amount on every query"),
        ({"a": [1, 2] * 15, "b": [3, 9] * 15}, ""),
    ):
        notes = [note for note in board_of(data_of(ranks), trials=50).grid().notes if "on every query" in note]
        assert [note.split(":")[0] for note in notes] == ([words] if words else [])
