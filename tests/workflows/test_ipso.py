"""What the workflow of IPSO adds: keys, words, tables, and the lines of Figure 5."""

import json

import pytest

import runoff
from runoff import UsageError, compare_ipso
from runoff.comparisons import GROUPS, ipso_theory
from runoff.workflows.ipso import readable_depths, theory
from tests.workflows.duels import GRADED, compare, qrels_of, run_of


def run(name, *serps):
    """A run of SERPs such as 0110: the n-th relevant document is called r1, r2, ..."""
    table = {}
    for place, serp in enumerate(serps):
        docs = [f"r{serp[:at].count('1') + 1}" if sign == "1" else f"x{at}" for at, sign in enumerate(serp)]
        table[f"q{place}"] = {doc: float(-at) for at, doc in enumerate(docs)}
    return runoff.as_run(table, name=name)


QRELS = {f"q{place}": {f"r{number}": 1 for number in range(1, 7)} for place in range(5)}
FIRST = run("a", "1011001000", "1100010000", "0000100000", "0100000000", "0110000000")
SECOND = run("b", "1010011011", "1010000000", "0001000000", "0100000000", "1000000000")


def test_the_promised_keys():
    content = json.loads(compare_ipso(FIRST, SECOND, QRELS, depth=10).to_json())
    promised = {"topics", "depth", "groups", "sign_p", "sign_p_range", "by_depth", "per_topic"}
    assert promised <= set(content)
    assert (content["topics"], content["depth"]) == (5, 10)
    assert list(content["groups"]) == ["nonseparable_ns", "ns", "equal", "ni", "nonseparable_ni"] == list(GROUPS)
    assert list(content["groups"].values()) == [1, 1, 1, 1, 1]
    assert list(content["by_depth"][0]) == ["depth", "ns", "equal", "ni", "nonseparable", "sign_p"]
    assert [row["depth"] for row in content["by_depth"]] == list(range(1, 11))
    assert content["sign_p"] == content["by_depth"][-1]["sign_p"] == 1.0
    assert len(content["sign_p_range"]) == 2


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
    lines = [" ".join(map(str, row)) for row in topics.grid().rows]
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
        "against 1: p = 1. If the 2 non-separable queries all voted one way or the other: p = 0.6250 or p = 0.6250; "
        "split, as high as p = 1."
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


def test_swapping_the_runs_mirrors_the_groups():
    one, other = (compare_ipso(*pair, QRELS, depth=10).ipso for pair in ((FIRST, SECOND), (SECOND, FIRST)))
    assert list(one.groups.values()) == list(other.groups.values())[::-1]
    assert (one.sign_p, one.sign_p_range) == (other.sign_p, other.sign_p_range)


def test_compare_says_the_same():
    duel = compare(FIRST, SECOND, QRELS, measure="RR@10")
    assert duel.ipso.by_depth == compare_ipso(FIRST, SECOND, QRELS, depth=10).ipso.by_depth


def test_graded_labels():
    tables = [{query: {doc: float(-at) for at, doc in enumerate(docs)} for query in GRADED} for docs in ("ed", "de")]
    one, two = (runoff.as_run(table, name=name) for table, name in zip(tables, "ab", strict=True))
    with pytest.raises(UsageError, match="the labels have grades up to 2, and grades cannot be added up"):
        compare_ipso(one, two, GRADED)
    assert compare_ipso(one, two, GRADED, gains=(0, 0.5, 1)).ipso.groups["ns"] == 12
    assert compare_ipso(one, two, GRADED, gains=(0, 1, 1)).ipso.groups["equal"] == 12
    assert compare_ipso(one, two, GRADED, level=2).ipso.per_topic[0].first == "0100000000"
    with pytest.raises(UsageError, match="gains and a relevance level are both given"):
        compare_ipso(one, two, GRADED, gains=(0, 0.5, 1), level=2)


def test_runs_of_different_tie_rules_are_refused():
    other = runoff.as_run({"q0": {"r1": 1.0}}, name="c", reading=runoff.Reading(tie_rule="file"))
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
    assert result.grids()[0].notes == ("All 100 depths: --format csv or json.",)
    assert result.grids()[0].rows[4] == result.grid().rows[9]
    assert len(result.to_csv().splitlines()) == 101
    assert len(json.loads(result.to_json())["by_depth"]) == 100
    assert result.showing((4, 7)).grids()[0].values("depth") == (4, 7)
    assert result.showing((7,)).grids() == result.grids()
    assert compare_ipso(FIRST, SECOND, QRELS, depth=10).grids()[0].notes == ()


def test_the_chart_is_of_the_same_relations():
    result = compare_ipso(FIRST, SECOND, QRELS, depth=10)
    assert result.chart().text_alternative() == result.per_topic().chart().text_alternative()


def test_the_charts_of_the_theory_are_of_few_lists():
    assert [chart.name for chart in theory(3).charts()] == ["hasse", "relation_grid"]
    assert theory(6).chart().title == "The order of the lists of 6 that all measures share"
    with pytest.raises(UsageError, match="this result has no chart"):
        theory(7).chart()
