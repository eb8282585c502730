"""One pair per query: the paper's section 3 from a run to its tables."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from runoff.cli.main import runoff as cli
from runoff.errors import UsageError
from runoff.files.judging.judged_pairs import read_pairs
from runoff.preferences.impact import perfect_run
from runoff.reading.sources import as_run
from runoff.results.tally_tables import TallyOptions
from runoff.tables import Preferences
from runoff.verbs.pool import one_pair
from runoff.verbs.tally import tally

QUERIES = [f"q{number}" for number in range(6980)]
LABELS = {query: {"label": 1} for query in QUERIES}
RUN = {query: {"label": 2.0, "second": 1.0} if number < 1868 else {"top": 2.0} for number, query in enumerate(QUERIES)}
"""As in Table 1 of Arabzadeh et al. 2021: 1,868 queries in category A, 5,112 in B."""
QUICK = TallyOptions(trials=5, bradley_terry=False)


def published_votes():
    """The judgments of Table 2: the label in 1,228 of A and in 2,116 of B."""
    made = one_pair(RUN, LABELS)
    rows = []
    for number, (query, first, other) in enumerate(made.pairs):
        prefers_first = number < 1228 if number < 1868 else number - 1868 < 2996
        rows.append((query, first, other, first if prefers_first else other))
    return Preferences.of(rows)


def test_categories_and_cost():
    made = one_pair(RUN, LABELS)
    assert (made.agrees, made.differs, made.lone, made.no_top, len(made.pairs)) == (1868, 5112, 0, 0, 6980)
    assert made.grid().values("queries") == (1868, 5112, 6980)
    assert [round(100 * float(str(one)), 2) for one in made.grid().values("share")] == [26.76, 73.24, 100.0]
    assert (made.cost.tasks, made.cost.total) == (698, 1675.2)  # $1,720 with pilot tests in the paper


def test_queries_that_cannot_be_compared_are_counted():
    made = one_pair({"q": {"a": 1.0}, "r": {"x": 1.0}}, {"q": {"a": 1}, "r": {"b": 1}, "s": {"c": 1}, "t": {"d": 0}})
    assert (made.agrees, made.differs, made.lone, made.no_top, made.pairs) == (1, 1, 1, 1, (("r", "x", "b"),))
    assert made.to_dict()["queries"] == 3


def test_tables_1_and_2_and_the_error_of_judges():
    result: Any = tally(published_votes(), one_pair=RUN, qrels=LABELS, options=QUICK)
    first, second = result.grids()[:2]
    assert first.values("queries") == (1868, 5112, 6980)
    assert (second.values("a"), second.values("b")) == ((1228, 640, 0, 0, 1868), (2116, 2996, 0, 0, 5112))
    said = " ".join(result.opening(0))
    assert "1,228 of 1,868 queries (65.7%) (A), and to the label in 2,996 of 5,112 queries (58.6%) (B)" in said
    assert "judges err in 34.3% of pairs (32.1% to 36.5%)" in said
    assert "better than the label in 77.3% of B (72.1% to 83.7%)" in said
    keys: Any = result.to_dict()
    error, corrected = keys["one_pair"]["judge_error"], keys["one_pair"]["b_corrected"]
    assert error["error"] == pytest.approx(640 / 1868)
    raw = 2996 / 5112
    assert corrected["share"] == pytest.approx((raw - error["error"]) / (1 - 2 * error["error"]))
    (cell,) = [cell for cell in keys["win_ratio_cells"] if cell["row"] == "perfect ranking"]
    assert (cell["column"], cell["ratio"], cell["queries"]) == ("run 1", raw, 5112)
    assert cell["corrected"] == {"ratio": corrected["share"], "ci95": corrected["ci95"]}


def test_a_run_that_is_named_twice_is_one(tmp_path):
    file = tmp_path / "new.run"
    file.write_text("".join(f"{query} Q0 {doc} 1 {score} t\n" for query in RUN for doc, score in RUN[query].items()))
    votes = published_votes()
    other = replace(perfect_run(tally(votes, qrels=LABELS, options=QUICK).qrels), name="best")
    once: Any = tally(votes, runs=[other, file], one_pair=str(file), qrels=LABELS, options=QUICK)
    assert once.board.one_pair.run == "new.run"
    assert len(once.board.ratios.runs) == 3
    added: Any = tally(votes, runs=[other], one_pair=as_run(RUN, name="new.run"), qrels=LABELS, options=QUICK)
    np.testing.assert_array_equal(added.board.corrected.ratios[0, 2], once.board.corrected.ratios[0, 2])


def test_judges_who_may_be_coins_correct_nothing():
    votes = Preferences.of([("q0", "label", "second", "label"), ("q6000", "top", "label", "top")])
    result: Any = tally(votes, one_pair=RUN, qrels=LABELS, options=QUICK)
    assert "not shown to be better than chance" in " ".join(result.opening(0))
    assert result.to_dict()["one_pair"]["b_corrected"] == {"share": None, "ci95": [None, None]}
    assert not any("corrected" in grid.title for grid in result.grids())


def test_labels_are_needed():
    with pytest.raises(UsageError, match="one pair per query and no qrels"):
        tally(published_votes(), one_pair=RUN)


def test_commands(tmp_path):
    run, qrels, pairs, tasks, votes = (
        tmp_path / name for name in ("a.run", "qrels", "pairs", "tasks.csv", "votes.csv")
    )
    some = [*QUERIES[1800:1900]]
    run.write_text("".join(f"{query} Q0 {doc} 1 {score} t\n" for query in some for doc, score in RUN[query].items()))
    qrels.write_text("".join(f"{query} 0 label 1\n" for query in some[:-1]) + f"{some[-1]} 0 other 1\n")

    def call(*arguments):
        return CliRunner().invoke(cli, list(map(str, arguments)))

    done = call("pool", run, "--one-pair", "--qrels", qrels, "--pairs-out", pairs)
    assert "a.run has 100 pairs, one per query." in done.output
    assert tuple(read_pairs(pairs)) == one_pair(run, qrels).pairs
    made = call(
        "tasks", run, "--one-pair", "--qrels", qrels, "--tests-per-task", 0, "--tasks-out", tasks,
        "--simulate-judgments", 0.1, "--judgments-out", votes,
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    told = call("tally", votes, "--tasks", tasks, "--one-pair", run, "--qrels", qrels, "--trials", 5)
    assert "the first document of a.run is the label in 68 of 100 queries" in " ".join(told.output.split())
    for refused in (("pool", run, run), ("pool", run, "--sample", 5), ("tasks", run, "--depth", 2)):
        assert call(*refused, "--one-pair", "--qrels", qrels).exit_code == 2
