"""What the workflow of IPSO adds: keys, words, tables, and the lines of Figure 5."""

import json

import pytest

import runoff
from runoff import UsageError
from runoff.comparisons import GROUPS, ipso_theory
from runoff.display.charts.relations import DEEPEST
from runoff.measures import ESL
from runoff.reading.sources import as_run
from runoff.results.ipso import readable_depths
from runoff.significance import BY_NAME
from runoff.verbs._ipso_board import TOPIC_MEASURES
from runoff.verbs.ipso import DRAWN, theory
from tests.verbs.comparisons import GRADED, compare, compare_ipso, qrels_of, run_of


def run(name, *serps):
    """A run of SERPs such as 0110: the n-th relevant document is called r1, r2, ..."""
    table = {}
    for place, serp in enumerate(serps):
        docs = [f"r{serp[:at].count('1') + 1}" if sign == "1" else f"x{at}" for at, sign in enumerate(serp)]
        table[f"q{place}"] = {doc: float(-at) for at, doc in enumerate(docs)}
    return as_run(table, name=name)


QRELS = {f"q{place}": {f"r{number}": 1 for number in range(1, 7)} for place in range(5)}
FIRST = run("a", "1011001000", "1100010000", "0000100000", "0100000000", "0110000000")
SECOND = run("b", "1010011011", "1010000000", "0001000000", "0100000000", "1000000000")


def test_the_promised_keys():
    content = json.loads(compare_ipso(FIRST, SECOND, QRELS, depth=10).to_json())
    promised = {"topics", "unanswerable", "depth", "groups", "sign_p", "sign_p_range", "sign_p_ends", "by_depth"}
    assert promised | {"per_topic", "remarks"} <= set(content)
    assert (content["topics"], content["unanswerable"], content["depth"]) == (5, 0, 10)
    assert list(content["groups"]) == ["nonseparable_ns", "ns", "equal", "ni", "nonseparable_ni"] == list(GROUPS)
    assert list(content["groups"].values()) == [1, 1, 1, 1, 1]
    assert list(content["by_depth"][0]) == ["depth", "ns", "equal", "ni", "nonseparable", "sign_p"]
    assert [row["depth"] for row in content["by_depth"]] == list(range(1, 11))
    assert content["sign_p"] == content["by_depth"][-1]["sign_p"] == 1.0
    assert content["sign_p_range"] == [0.625, 0.625]
    assert content["sign_p_ends"] == [
        {"first": 3, "second": 1, "p": 0.625, "favours": "a"},
        {"first": 1, "second": 3, "p": 0.625, "favours": "b"},
    ]


def test_the_keys_of_theory():
    content = json.loads(theory(20).to_json())
    assert list(content) == ["depth", "equal", "separable", "nonseparable"]
    assert content["separable"] == ipso_theory(20).separable
    assert sum(content[name] for name in ("equal", "separable", "nonseparable")) == pytest.approx(1, abs=1e-15)
    # Moffat & Mackenzie 2024, Table 2, where they are exact.
    assert [f"{theory(depth).theory.separable:.2%}" for depth in (5, 10, 15)] == ["83.98%", "67.08%", "55.97%"]
    assert "48.95%" in str(theory(20))


def test_the_lines_of_figure_5():
    topics = compare_ipso(FIRST, SECOND, QRELS, depth=10).per_topic()
    lines = [" ".join(map(str, row[:5])) for row in topics.grid().rows]
    assert lines == [
        "q4 nonseparable_ns 0110000000 1000000000 nsns" + "**" * 8,
        "q2 ns 0000100000 0001000000 ======" + "ns" * 7,
        "q3 equal 0100000000 0100000000 " + "==" * 10,
        "q1 ni 1100010000 1010000000 ==" + "ni" * 9,
        "q0 nonseparable_ni 1011001000 1010011011 ======ninininini****",  # the paper's Figure 4
    ]
    assert topics.to_dict() == compare_ipso(FIRST, SECOND, QRELS, depth=10).to_dict()
    assert [column.heading for column in topics.grid().columns][2:4] == ["a", "b"]
    assert topics.opening(80) == compare_ipso(FIRST, SECOND, QRELS, depth=10).opening(80)


def test_words_and_table():
    result = compare_ipso(FIRST, SECOND, QRELS, depth=10)
    assert result.opening(80)[0] == (
        "To depth 10, every reasonable measure must agree on 3 of 5 queries: 1 for a, 1 for b, 1 equal. Sign test of 1 "
        "against 1: p = 1. If both non-separable queries favoured a, the vote would be 3 to 1 for a (p = 0.6250); if "
        "they favoured b, 3 to 1 for b (p = 0.6250). Split between the runs, they could bring it to p = 1."
    )
    assert "not a test of all measures" in result.opening(80)[1]
    assert [column.heading for column in result.grid().columns] == [
        "Depth", "For a (ni)", "Equal (==)", "For b (ns)", "Non-separable (**)", "p (sign)",
    ]  # fmt: skip
    assert result.grid().rows[9][:5] == (10, 1, 1, 1, 2)
    assert result.to_frame().height == 10


def test_without_non_separable_queries_there_is_no_range_to_tell():
    result = compare_ipso(run_of("a", [1, 2]), run_of("b", [2, 3]), qrels_of(2), depth=5)
    assert "non-separable" not in result.opening(80)[0]
    assert "2 for a, 0 for b, 0 equal" in result.opening(80)[0]


def test_the_numbers_of_the_paper_in_words():
    # 81 against 109 with 36 non-separable queries: from 81:145 to 117:109.
    shapes = [("011", "100", 20), ("010", "100", 81), ("010", "010", 23), ("100", "010", 109), ("100", "011", 16)]
    first, second = (
        run(name, *(shape[side] for shape in shapes for _ in range(shape[2]))) for side, name in enumerate("AB")
    )
    qrels = {f"q{place}": {"r1": 1, "r2": 1} for place in range(249)}
    assert compare_ipso(first, second, qrels, depth=3).opening(80)[0] == (
        "To depth 3, every reasonable measure must agree on 213 of 249 queries: 109 for A, 81 for B, 23 equal. Sign "
        "test of 109 against 81: p = 0.0499. If all 36 non-separable queries favoured A, the vote would be 145 to 81 "
        "for A (p < 0.0001); if they favoured B, 117 to 109 for B (p = 0.6416). Split between the runs, they could "
        "bring it to p = 1."
    )


def test_one_non_separable_query_and_an_even_vote():
    qrels = {f"q{place}": {"r1": 1, "r2": 1} for place in range(2)}
    result = compare_ipso(run("a", "100", "010"), run("b", "011", "100"), qrels, depth=3)
    assert (
        "If the non-separable query favoured a, the vote would be 1 to 1 (p = 1); if it favoured b, 2 to 0 for b"
        in (result.opening(80)[0])
    )
    assert [end.favours for end in result.ipso.sign_p_ends] == ["b", None]


def test_differences_of_measures_stand_beside_the_relations():
    topics = compare_ipso(FIRST, SECOND, QRELS, depth=10, measures=["RR", "P@2", ESL(), "Rprec"]).per_topic()
    columns = [column.name for column in topics.grid().columns]
    assert columns[5:] == ["rr_10", "p_2", "esl_10", "rprec"]
    shown = {row[0]: row[5:] for row in topics.grid().rows}
    assert shown["q4"] == (-0.5, 0.0, 1.0, pytest.approx(1 / 6))
    assert [column.heading for column in topics.grids()[0].columns][4:] == ["RR", "P@2", "ESL", "Rprec"]
    content = json.loads(topics.to_json())["per_topic"][0]
    assert (content["query_id"], list(content["differences"])) == ("q4", ["RR@10", "P@2", "ESL@10", "Rprec"])
    assert topics.grids()[0].notes[0] == (
        "Measures: the score of a less that of b, where no cutoff is named to rank 10."
    )
    favours = {one.measure: one.favours.tolist() for one in topics.comparison.differences}
    assert favours["RR@10"][4] == favours["ESL@10"][4] == -1  # of ESL the lower is better


def test_the_measures_are_those_of_the_paper():
    result = compare_ipso(FIRST, SECOND, QRELS, depth=10)
    assert [one.measure for one in result.differences] == [f"{name}@10" for name in TOPIC_MEASURES]
    without = compare_ipso(FIRST, SECOND, QRELS, depth=10, measures=())
    assert (without.differences, without.per_topic().grids()[0].notes) == ((), without.remarks)
    with pytest.raises(UsageError, match="AP@10 is asked for twice"):
        compare_ipso(FIRST, SECOND, QRELS, depth=10, measures=["AP", "AP@10"])


def test_an_undefined_difference_is_nothing():
    result = compare_ipso(run_of("a", [1]), run_of("b", [0]), qrels_of(1), measures=["ESL"]).per_topic()
    assert result.grid().rows[0][5] is None
    assert json.loads(result.to_json())["per_topic"][0]["differences"] == {"ESL@10": None}
    assert result.comparison.differences[0].favours.tolist() == [0]


def test_a_level_makes_labels_binary_for_measures_too():
    table = {"q0": {"e": 2.0, "d": 1.0}}
    runs = as_run(table, name="a"), as_run({"q0": {"d": 1.0}}, name="b")
    result = compare_ipso(*runs, {"q0": {"d": 2, "e": 1}}, depth=2, level=2, measures=["P", "nDCG"])
    assert [float(one.values[0].round(4)) for one in result.differences] == [0.0, -0.3691]


def test_remarks_on_runs_and_labels():
    lacking = as_run({"q0": {"d": 1.0}, "other": {"x": 1.0}}, name="b")
    labels = {**qrels_of(2), "nothing": {"x": 0}}
    result = compare_ipso(run_of("a", [1, 2]), lacking, labels, depth=5)
    ignored, short, ties = (
        "1 other query ignored",
        "1 list ends before rank 5",
        "no list cut by the tie rule trec_eval.",
    )
    assert result.remarks == (
        "1 of 3 queries has no relevant document in the labels, so nobody can answer it; it is left out.",
        "No query has more than one relevant document in the labels, so the IPSO vote is the sign test of RR@5.",
        f"a: 1 of 3 queries missing, where nothing is found; 80.0% unjudged to rank 5; {ties}",
        f"b: 2 of 3 queries missing, where nothing is found; {ignored}; 0.0% unjudged to rank 5; {short}; {ties}",
    )
    assert result.to_dict()["remarks"] == list(result.remarks)
    assert result.grids()[0].notes == result.remarks
    assert (result.ipso.topics, result.to_dict()["unanswerable"]) == (2, 1)


@pytest.mark.parametrize(
    "asked, what, rr",
    [
        ({"level": 1}, "relevant document", "RR@10"),
        ({"level": 2}, "document of grade 2 or above", "RR(rel=2)@10"),
        ({"gains": (0, 0, 1)}, "document with a gain", "RR(rel=2)@10"),
    ],
)
def test_one_relevant_document_makes_it_the_sign_test_of_rr(asked, what, rr):
    ranks = [1, 2, 0, 4, 1, 1, 2], [3, 2, 1, 5, 2, 2, 4]
    first, second = (run_of(name, found) for name, found in zip("ab", ranks, strict=True))
    grade = 2 if asked != {"level": 1} else 1
    qrels = {query: {"d": grade} for query in qrels_of(7)}
    result = compare_ipso(first, second, qrels, depth=10, **asked)
    said = f"No query has more than one {what} in the labels, so the IPSO vote is the sign test of {rr}."
    assert result.remarks[0] == said
    comparison = runoff.evaluate([first, second], qrels, measures=["RR@10"]).scores[0].values.T
    assert result.ipso.sign_p == BY_NAME["sign"].compare(*comparison).p


def test_labels_that_nobody_can_answer_are_refused():
    with pytest.raises(UsageError, match="none of the 2 queries has a document of grade 3 or above in the labels"):
        compare_ipso(run_of("a", [1, 2]), run_of("b", [2, 3]), qrels_of(2), level=3)


def test_swapping_the_runs_mirrors_the_groups():
    one, other = (compare_ipso(*pair, QRELS, depth=10).ipso for pair in ((FIRST, SECOND), (SECOND, FIRST)))
    assert list(one.groups.values()) == list(other.groups.values())[::-1]
    assert (one.sign_p, one.sign_p_range) == (other.sign_p, other.sign_p_range)


def test_compare_says_the_same():
    comparison = compare(FIRST, SECOND, QRELS, measures="RR@10")
    assert comparison.ipso.by_depth == compare_ipso(FIRST, SECOND, QRELS, depth=10).ipso.by_depth


def test_graded_labels():
    tables = [{query: {doc: float(-at) for at, doc in enumerate(docs)} for query in GRADED} for docs in ("ed", "de")]
    one, two = (as_run(table, name=name) for table, name in zip(tables, "ab", strict=True))
    with pytest.raises(UsageError, match="the labels have grades up to 2, and grades cannot be added up"):
        compare_ipso(one, two, GRADED)
    assert compare_ipso(one, two, GRADED, gains=(0, 0.5, 1)).ipso.groups["ns"] == 12
    assert compare_ipso(one, two, GRADED, gains=(0, 1, 1)).ipso.groups["equal"] == 12
    assert compare_ipso(one, two, GRADED, level=2).ipso.per_topic[0].first == "0100000000"
    with pytest.raises(UsageError, match="gains and a relevance level are both given"):
        compare_ipso(one, two, GRADED, gains=(0, 0.5, 1), level=2)


def test_runs_of_different_tie_rules_are_refused():
    other = as_run({"q0": {"r1": 1.0}}, name="c", reading=runoff.ReadOptions(tie_rule="file"))
    with pytest.raises(UsageError, match="the runs have the tie rules file and trec_eval"):
        compare_ipso(FIRST, other, QRELS)


def test_names_cannot_make_lines():
    pair = run_of("a\nb", [1]), run_of("c\x1b[2J", [0])
    text = compare_ipso(*pair, qrels_of(1)).to_text(200)
    assert "\x1b" not in text
    assert not any(line.startswith("b") for line in text.splitlines())


@pytest.mark.parametrize(
    "deepest, depths",
    [
        (1, (1,)),
        (12, tuple(range(1, 13))),
        (13, (1, 2, 3, 5, 10, 13)),
        (100, (1, 2, 3, 5, 10, 20, 50, 100)),
        (1000, (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)),
        (1001, (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 1001)),
    ],
)
def test_a_readable_selection_of_depths(deepest, depths):
    assert readable_depths(deepest) == depths


def test_people_see_some_depths_and_files_have_all():
    result = compare_ipso(FIRST, SECOND, QRELS, depth=100)
    assert result.grids()[0].values("depth") == (1, 2, 3, 5, 10, 20, 50, 100)
    assert result.grids()[0].notes == ("All 100 depths: --format csv or json.", *result.remarks)
    assert result.grids()[0].rows[4] == result.grid().rows[9]
    assert len(result.to_csv().splitlines()) == 101
    assert len(json.loads(result.to_json())["by_depth"]) == 100
    assert result.showing((4, 7)).grids()[0].values("depth") == (4, 7)
    assert result.showing((7,)).grids() == result.grids()
    assert len(compare_ipso(FIRST, SECOND, QRELS, depth=10).grids()[0].notes) == 2  # a remark on each run


def test_the_chart_is_of_the_same_relations():
    result = compare_ipso(FIRST, SECOND, QRELS, depth=10)
    assert result.chart().summary == result.per_topic().chart().summary


def test_the_charts_of_the_theory_are_of_few_lists():
    assert [chart.name for chart in theory(3).charts()] == ["hasse", "relation_grid", "relation_orders"]
    assert theory(6).chart().title == "The order of the lists of 6 that all measures share"
    assert DRAWN == DEEPEST
    with pytest.raises(UsageError, match="this result has no chart"):
        theory(7).chart()


def test_the_orders_of_figure_3():
    result = theory(6)
    panes = json.loads(result.to_json())["orders"]
    assert [f"{pane['tau']:.3f}" for pane in panes] == [
        "1.000",
        "0.796",
        "0.786",
        "0.976",
    ]
    assert [row[:2] for row in result.grids()[1].rows] == [
        ("RBP(p=0.5)", "RBP(p=0.5)"), ("RBP(p=0.5)", "nDCG"), ("AP", "RBP(p=0.5)"), ("AP", "nDCG"),
    ]  # fmt: skip
    assert "0.796" in str(result)
    assert (len(theory(7).grids()), "orders" in theory(7).to_dict()) == (1, False)
    assert result.to_csv().splitlines()[0] == "depth,equal,separable,nonseparable"
