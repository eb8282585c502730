"""IPSO over a board: the same as pair by pair, whatever the order of the runs, and the paper's Table 3."""

import itertools
import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runoff
from runoff import Policy, UsageError, ipso
from runoff.measures import AP, RR, Rprec
from runoff.reading.sources import as_qrels, as_run
from runoff.verbs._ipso_board import DEFAULT_MEASURES, PAIR_TESTS
from runoff.verbs.ipso import IpsoOptions
from tests.verbs.comparisons import GRADED, compare_ipso
from tests.verbs.ipso_boards import boards, content_of, ipso_board, qrels_of, random_board, run_of_serps, slow_pairs

ALPHA = 0.05
BOARD, QRELS = random_board(5, 60), qrels_of(60)


def word(measure_yes, ipso_yes, same):
    if measure_yes and ipso_yes:
        return "both_yes" if same else "opposite"
    return "measure_only" if measure_yes else "ipso_only" if ipso_yes else "both_no"


def check_pair_by_pair(runs, qrels, question, test, measure, alpha=ALPHA):
    """Every number of a board of one depth, one measure and one test against slow loops."""
    depth, qrels = question.depths[0], as_qrels(qrels)
    content = content_of(ipso(runs, qrels, options=question, policy=Policy(alpha=alpha, correction="none")))
    slow = slow_pairs(runs, qrels, depth=depth, measure=measure, test=test)
    assert len(content["pairs"]) == len(slow) == content["pair_count"]
    words = []
    for row in content["pairs"]:
        pair = slow[frozenset((row["first"], row["second"]))]
        assert (row["equal"], row["nonseparable"]) == (pair["equal"], pair["nonseparable"])
        assert (row["ni"], row["ns"]) == (pair["favoured"][row["first"]], pair["favoured"][row["second"]])
        assert row["sign_p"] == pair["sign_p"]
        (line,) = row["tests"]
        assert line["p"] == pytest.approx(pair["p"], rel=1e-7, abs=1e-12)
        lead = pair["lead"] if pair["pair"] == (row["first"], row["second"]) else -pair["lead"]
        assert line["difference"] == pytest.approx(lead, abs=1e-12)
        votes = pair["favoured"]
        by_ipso = max(votes, key=votes.get) if len(set(votes.values())) > 1 else None
        if abs(pair["p"] - alpha) < 1e-6:
            words.append(line["agreement"])
            continue
        words.append(word(pair["p"] < alpha, pair["sign_p"] < alpha, line["favours"] == by_ipso))
        assert line["agreement"] == words[-1]
        if test == "t" and abs(lead) > 1e-12:
            assert line["favours"] == (row["second"] if lead > 0 else row["first"])
    (shares,) = content["agreement"]
    assert {name: shares[name] for name in sorted(set(words))} == pytest.approx(
        {name: words.count(name) / len(words) for name in sorted(set(words))}
    )
    cases = len(slow) * content["topics"]
    (table,) = content["shares"]
    assert table["equal"] == pytest.approx(sum(pair["equal"] for pair in slow.values()) / cases)
    assert table["nonseparable"] == pytest.approx(sum(pair["nonseparable"] for pair in slow.values()) / cases)
    assert table["ipso_yes"] == pytest.approx(np.mean([pair["sign_p"] < alpha for pair in slow.values()]))
    return words


@pytest.mark.parametrize("test", PAIR_TESTS)
@pytest.mark.parametrize("measure", ["P", "RR", "AP", "nDCG"])
def test_a_board_pair_by_pair(test, measure):
    question = IpsoOptions(depths=[6], measures=[measure], tests=[test])
    words = check_pair_by_pair(BOARD, QRELS, question, test, f"{measure}@6")
    assert len(set(words)) > 1


@settings(max_examples=40)
@given(boards(), st.sampled_from(["rank_sum", "signed_rank", "sign"]), st.sampled_from([0.05, 0.3]))
def test_boards_with_many_ties_pair_by_pair(board, test, alpha):
    runs, queries = board
    question = IpsoOptions(depths=[4], measures=["AP"], tests=[test])
    check_pair_by_pair(runs, qrels_of(queries), question, test, "AP@4", alpha)


@settings(max_examples=30)
@given(boards(), st.randoms(use_true_random=False))
def test_the_order_of_the_runs_changes_nothing_and_shares_add_to_1(board, random):
    runs, queries = board
    question = IpsoOptions(depths=[2, 5], measures=["P", "RR@1"], tests=["sign", "t"])
    policy = Policy(correction="none")
    one = ipso(runs, qrels_of(queries), options=question, policy=policy)
    other = ipso(random.sample(runs, len(runs)), qrels_of(queries), options=question, policy=policy)
    assert one.to_json() == other.to_json()
    for row in one.shares:
        assert row.equal + row.separable + row.nonseparable == pytest.approx(1)
        assert min(row.equal, row.separable, row.nonseparable) >= 0
    for line in one.lines:
        assert sum(line.result.shares.values()) == pytest.approx(1)
    assert one.shares[0].equal >= one.shares[1].equal
    assert one.shares[0].nonseparable <= one.shares[1].nonseparable


def test_depths_measures_and_tests_come_in_order():
    measures = ["AP", RR(), "P@3", Rprec()]
    result = ipso_board(BOARD, QRELS, depths=[5, 2, 5], measures=measures, tests=["sign", "t"])
    assert result.depths == (2, 5)
    assert [(line.depth, line.measure, line.test) for line in result.lines] == list(
        itertools.chain.from_iterable(
            [
                (depth, measure, test)
                for measure in (f"AP@{depth}", f"RR@{depth}", "P@3", "Rprec")
                for test in ("t", "sign")
            ]
            for depth in (2, 5)
        )
    )
    assert [line.label for line in result.lines[:8:2]] == ["AP@k", "RR@k", "P@3", "Rprec"]


def test_the_paper_is_the_default():
    result = ipso_board(BOARD, QRELS)
    assert result.depths == (10,)
    assert [line.measure for line in result.lines[::3]] == [f"{name}@10" for name in DEFAULT_MEASURES]
    assert [line.test for line in result.lines[:3]] == ["t", "signed_rank", "sign"]
    assert (result.policy.alpha, result.policy.correction) == (0.05, "none")
    assert result.runs == tuple(sorted(result.runs, key=lambda run: -float(run[-1])))  # the best first


def test_two_runs_are_a_board_of_one_pair():
    result = ipso(BOARD[:2], QRELS, options=IpsoOptions(depths=[8]), policy=Policy(correction="none"))
    single = compare_ipso(BOARD[1], BOARD[0], QRELS, depth=8).ipso.at_depth
    assert result.runs == ("run 1", "run 0")
    assert (result.shares[0].equal, result.shares[0].nonseparable) == (single.equal / 60, single.nonseparable / 60)


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "benjamini_hochberg"])
def test_a_correction_is_over_the_pairs_of_each_test(correction):
    plain, corrected = (
        ipso(BOARD, QRELS, options=IpsoOptions(depths=[6]), policy=Policy(correction=name))
        for name in ("none", correction)
    )
    for one, other in zip(plain.lines, corrected.lines, strict=True):
        assert (other.result.measure_p >= one.result.measure_p).all()
        assert (other.result.ipso_p >= one.result.ipso_p).all()
        assert other.result.counts["both_no"] >= one.result.counts["both_no"]
    if correction == "bonferroni":
        assert corrected.lines[0].result.ipso_p == pytest.approx(np.minimum(plain.lines[0].result.ipso_p * 10, 1))
    assert corrected.to_dict()["family"] == "each test on all 10 pairs (10 p-values)"
    assert plain.to_dict()["family"] is None


def graded(name, order):
    return as_run({query: {doc: float(-at) for at, doc in enumerate(order)} for query in GRADED}, name=name)


def test_graded_labels_need_gains_or_a_level():
    runs = [graded("a", "edn"), graded("b", "den"), graded("c", "ned")]
    with pytest.raises(UsageError, match="the labels have grades up to 2, and grades cannot be added up"):
        ipso(runs, GRADED)
    with pytest.raises(UsageError, match="gains and a relevance level are both given"):
        ipso(runs, GRADED, options=IpsoOptions(gains=(0, 0.5, 1), level=1))
    by_gains = ipso_board(runs, GRADED, gains=(0, 0.5, 1))
    assert by_gains.shares[0].separable == 1
    assert "IPSO adds up the gains 0, 0.5, 1; measures are as typed." in by_gains.shares_grid().notes[2]


@pytest.mark.parametrize("level", [1, 2])
def test_a_level_makes_the_labels_binary_for_ipso_and_the_measures(level):
    runs = [graded("a", "edn"), graded("b", "den"), graded("c", "ned")]
    binary = {query: {doc: int(grade >= level) for doc, grade in docs.items()} for query, docs in GRADED.items()}
    found = content_of(ipso_board(runs, GRADED, level=level))
    expected = content_of(ipso_board(runs, binary))
    assert {name: found[name] for name in ("shares", "agreement", "orders", "pairs")} == {
        name: expected[name] for name in ("shares", "agreement", "orders", "pairs")
    }


def test_a_measure_whose_best_end_is_low_is_turned_around():
    runs = [run_of_serps("late", ["001"] * 9), run_of_serps("early", ["100"] * 9)]
    options = IpsoOptions(depths=[3], measures=["ESL"], tests=["sign"])
    result = ipso(runs, qrels_of(9), options=options, policy=Policy(correction="none"))
    assert result.runs == ("early", "late")
    assert result.lines[0].result.counts["both_yes"] == 1
    assert content_of(result)["pairs"][0]["tests"][0]["favours"] == "early"


@pytest.mark.parametrize(
    "options, message",
    [
        ({"tests": ["tukey"]}, "the test 'tukey' is not made on all pairs; expected one or more of t, signed_rank"),
        ({"tests": []}, "no test is asked for"),
        ({"depths": []}, "0 depths and 6 measures; expected at least one of each"),
        ({"measures": []}, "1 depths and 0 measures"),
        ({"depths": [0]}, "depth 0 cannot be used; expected a whole number from 1 to 1,000,000"),
        ({"depths": ["x"]}, "depths=\\['x'\\] cannot be used; expected a list of whole numbers"),
        ({"measures": ["AP", "AP@10"]}, "AP@10 is asked for twice"),
        ({"measures": ["AP(rel=2)"], "level": 1}, "AP\\(rel=2\\)@10 and a relevance level are both given"),
        ({"measures": ["Frobnicate"]}, "no measure is called 'Frobnicate'"),
        ({"level": 0}, "relevance level 0 cannot be used"),
        ({"measures": ["ESL"]}, "ESL@10 is undefined for .* queries; expected a measure that is defined for all"),
    ],
)
def test_questions_that_cannot_be_answered(options, message):
    with pytest.raises(runoff.RunoffError, match=message):
        ipso(BOARD, QRELS, options=IpsoOptions(**options))


def test_one_run_or_different_tie_rules():
    with pytest.raises(UsageError, match="one run; expected two or more to compare"):
        ipso(BOARD[:1], QRELS)
    other = as_run({"q0": {"r1": 1.0}}, name="c", reading=runoff.ReadOptions(tie_rule="file"))
    with pytest.raises(UsageError, match="the runs have the tie rules file and trec_eval"):
        ipso([*BOARD, other], QRELS)


def test_remarks_on_runs_that_lack_queries_or_end_early():
    lacking = as_run({"q0": {"r1": 1.0}}, name="lack\ning")
    result = ipso([*BOARD, lacking], QRELS, options=IpsoOptions(depths=[2, 8]))
    assert result.remarks == (
        "Missing queries, which score 0: lack\\ning 59 (of 60).",
        "Lists of 1 of the 6 runs end before rank 8, and find nothing beyond: lack\\ning.",
    )
    assert "run 0, run" not in ipso(BOARD, QRELS, options=IpsoOptions(depths=[8])).to_text(100)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d 2\nq2 0 d 1\nq3 0 d 2\n")
    (tmp_path / "other.txt").write_text("q1 0 x 1\nq2 0 d 1\n")
    (tmp_path / "two.txt").write_text("q1\nq2\n")
    for name, docs in (("one", "dxy"), ("two", "xdy"), ("three", "xyd")):
        rows = (f"q{query} Q0 {doc} 0 {-at} t\n" for query in (1, 2, 3) for at, doc in enumerate(docs))
        (tmp_path / f"{name}.run").write_text("".join(rows))
    text = 'title = "Mine"\nmeasure = "RR@10"\nalpha = 0.3\ndepth = 2\nrelevance_level = 2\ncorrection = "bonferroni"\n'
    text += '[queries.few]\npath = "two.txt"\n[labels.all]\npath = "qrels.txt"\n[labels.other]\npath = "other.txt"\n'
    runs = "".join(f'[[runs]]\npath = "{name}.run"\nname = "{name.upper()}"\n' for name in ("three", "two", "one"))
    (tmp_path / "board.toml").write_text(text + runs)
    return tmp_path


def test_a_board_file_names_its_own(folder):
    result = ipso(folder / "board.toml")
    assert (result.runs, result.depths, result.level, result.topics) == (("ONE", "TWO", "THREE"), (2,), 2, 2)
    assert result.to_dict()["unanswerable"] == 1
    what = "document of grade 2 or above in the labels"
    assert result.remarks[:2] == (
        f"1 of 3 queries has no {what}, so nobody can answer it; it is left out.",
        f"No query has more than one {what}, so IPSO is the sign test of RR(rel=2) at every depth.",
    )
    assert (result.policy.alpha, result.policy.correction) == (0.3, "none")
    assert result.title == "Mine: IPSO over all pairs of runs"
    files = [folder / f"{name}.run" for name in ("one", "two", "three")]
    plain = ipso(files, folder / "qrels.txt", options=IpsoOptions(depths=[2], level=2), policy=result.policy)
    assert plain.to_dict()["agreement"] == result.to_dict()["agreement"]


def test_a_board_file_is_overruled_by_what_is_asked(folder):
    question = IpsoOptions(depths=[1, 3], gains=(0, 1, 2), measures=["P"])
    result = ipso(
        folder / "board.toml", query_set="few", options=question, policy=Policy(alpha=0.01, correction="holm")
    )
    assert (result.depths, result.level, result.gains, result.topics) == ((1, 3), None, (0, 1, 2), 2)
    assert (result.policy.alpha, result.policy.correction) == (0.01, "holm")
    with pytest.raises(UsageError, match="none of the 2 queries has a document of grade 2 or above in the labels"):
        ipso(folder / "board.toml", labels="other")
    assert ipso(folder / "board.toml", labels="other", options=IpsoOptions(level=1)).topics == 2
    with pytest.raises(UsageError, match="no label set is called 'none'"):
        ipso(folder / "board.toml", labels="none")


def test_measures_deeper_than_ipso_see_their_ranks():
    result = ipso_board(BOARD, QRELS, depths=[1], measures=["P@8", AP()], tests=["t"])
    scores = runoff.evaluate(BOARD, QRELS, measures=["P@8"])
    assert dict(zip(result.runs, result.lines[0].means, strict=True)) == {
        run: scores.mean(run, "P@8") for run in result.runs
    }


@pytest.fixture(scope="module")
def robust(shared_data):
    """Twelve runs of TREC Robust 2003 at the depths of the paper."""
    folder = shared_data / "robust03"
    runs = [runoff.read_run(file) for file in sorted(folder.glob("input.*.gz"))]
    qrels = runoff.read_qrels(folder / "qrels.txt.gz")
    question = IpsoOptions(depths=[5, 10, 15, 20, 50, 100], level=1)
    return cache(lambda alpha: ipso(runs, qrels, options=question, policy=Policy(correction="none", alpha=alpha)))


# Moffat & Mackenzie 2024, Table 3: 110 runs of Robust 2004, 249 topics; equal, separable and non-separable in %.
TABLE_3 = {
    5: (20.40, 74.49, 5.12),
    10: (8.33, 74.66, 17.01),
    15: (4.91, 69.91, 25.18),
    20: (3.55, 66.01, 30.44),
    50: (1.54, 55.88, 42.58),
    100: (0.92, 50.44, 48.64),
}


def test_the_papers_table_3_on_runs_of_the_year_before(robust):
    result = robust(0.05)
    for row in result.shares:
        assert [100 * row.equal, 100 * row.separable, 100 * row.nonseparable] == pytest.approx(
            TABLE_3[row.depth], abs=3
        )
    agree = {(line.label, line.test, line.depth): line.agree for line in result.lines}
    assert all(agree["nDCG@k", "t", depth] > 0.75 for depth in TABLE_3)  # three quarters or more, as in Figure 7
    assert min(agree, key=agree.__getitem__)[0] == "RR@k"
    assert [
        result.lines[0].result.counts["opposite"],
        sum(line.result.counts["opposite"] for line in result.lines),
    ] == [0, 5]
    assert [line.label for line in result.lines if line.result.counts["opposite"]] == ["RBP(p=0.5)@k"] * 2 + [
        "RBP(p=0.8)@k"
    ] * 3
    json.loads(result.to_json())


def test_a_lower_alpha_moves_pairs_from_both_yes_to_both_no(robust):
    by_alpha = [robust(alpha) for alpha in (0.001, 0.01, 0.05)]
    for lines in zip(*(result.lines for result in by_alpha), strict=True):
        counts = [line.result.counts for line in lines]
        assert [one["both_yes"] for one in counts] == sorted(one["both_yes"] for one in counts)
        assert [one["both_no"] for one in counts] == sorted((one["both_no"] for one in counts), reverse=True)
