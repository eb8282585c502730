"""The result of IPSO over a board: keys, words and tables."""

import pytest

from runoff import Policy, ipso
from runoff.comparisons import ipso_theory
from runoff.verbs.ipso import IpsoOptions
from runoff.verdicts import AGREEMENTS
from tests.verbs.ipso_boards import content_of, ipso_board, qrels_of, random_board

BOARD, QRELS = random_board(5, 60), qrels_of(60)
ONE = ipso_board(BOARD, QRELS, depths=[6], measures=["P", "RR"], tests=["t", "sign"])
SEVERAL = ipso_board(BOARD, QRELS, depths=[2, 6], measures=["P", "RR"], tests=["t", "sign"])


def test_the_promised_keys():
    content = content_of(SEVERAL)
    assert {"depths", "shares", "agreement", "pairs"} <= set(content)
    assert (content["depths"], content["topics"], content["pair_count"]) == ([2, 6], 60, 10)
    assert (content["alpha"], content["correction"], content["family"]) == (0.05, "none", None)
    assert [row["depth"] for row in content["shares"]] == [2, 6]
    assert list(content["shares"][0]) == [
        "depth", "equal", "separable", "nonseparable", "unjudged", "ipso_yes", "theory",
    ]  # fmt: skip
    assert content["shares"][1]["theory"]["separable"] == ipso_theory(6).separable
    assert list(content["agreement"][0]) == ["depth", "measure", "test", *AGREEMENTS]
    assert len(content["agreement"]) == 8
    assert len(content["pairs"]) == 20
    assert list(content["pairs"][0]["tests"][0]) == ["measure", "test", "difference", "p", "favours", "agreement"]
    assert [(row["depth"], row["measure"]) for row in content["orders"]] == [
        (2, "P@2"), (2, "RR@2"), (6, "P@6"), (6, "RR@6"),
    ]  # fmt: skip
    for row in content["orders"]:
        assert row["means"] == sorted(row["means"], reverse=True)
        assert sorted(row["runs"]) == sorted(content["runs"])


def test_the_counts_of_a_pair_add_up():
    for row in content_of(SEVERAL)["pairs"]:
        assert row["ns"] + row["equal"] + row["ni"] + row["nonseparable"] == 60


def test_the_csv_has_every_kind_at_every_depth():
    lines = SEVERAL.to_csv().splitlines()
    assert lines[0] == "depth,measure,test,both_yes,both_no,measure_only,ipso_only,opposite"
    assert [line.split(",")[:3] for line in lines[1:4]] == [
        ["2", "P@2", "t test"],
        ["2", "P@2", "sign test"],
        ["2", "RR@2", "t test"],
    ]
    assert len(lines) == 9
    assert SEVERAL.to_frame().height == 8


def test_words():
    text = " ".join(ONE.opening(80))
    share = ONE.shares[0].nonseparable
    assert text.startswith("5 runs, 10 pairs, 60 queries. To depth 6, measures are free to disagree about two lists in")
    assert f"{share:.1%} of the cases" in text
    agree = sorted(line.agree for line in ONE.lines)
    assert f"IPSO and a measure's own test agree on {agree[0]:.1%} of pairs (" in text
    assert f" test) to {agree[-1]:.1%} (" in text
    assert "In 0 of 40 cases both are significant for different runs." in text
    assert "To the depths 2 and 6, measures are free" in SEVERAL.opening(80)[0]
    assert "(depth 2) to" in SEVERAL.opening(80)[0]


def test_tables_of_one_depth_and_of_several():
    assert [len(grid.rows) for grid in ONE.grids()] == [1, 4]
    assert [len(grid.rows) for grid in SEVERAL.grids()] == [2, 4, 4, 4]
    assert [len(grid.rows) for grid in SEVERAL.paper_grids()] == [2, 8]
    shares = SEVERAL.shares_grid()
    assert shares.values("random_separable") == (ipso_theory(2).separable, ipso_theory(6).separable)
    assert shares.values("ipso_yes") == SEVERAL.ipso_yes
    assert shares.notes[0] == "Shares of 600 pairs of lists: 10 pairs of runs, 60 queries."
    assert max(map(len, SEVERAL.to_text(80).splitlines())) <= 80


def test_the_notes_say_whether_p_values_are_corrected():
    assert "not corrected for the number of pairs, as in the paper; --correction does it" in ONE.grid().notes[0]
    question = IpsoOptions(depths=[6], measures=["P"], tests=["t"])
    corrected = ipso(BOARD, QRELS, options=question, policy=Policy(alpha=0.01))
    family = "each test on all 10 pairs (10 p-values)"
    assert corrected.grid().notes[0] == (
        f"Significant is p < 0.01. p-values are corrected by Holm; the family is {family}."
    )
    assert "own test agree on" in corrected.opening(80)[1]
    assert " to " not in corrected.opening(80)[1]


def test_the_share_of_ipso_is_the_same_in_every_line():
    for line in SEVERAL.lines:
        shares = line.result.shares
        yes = shares["both_yes"] + shares["ipso_only"] + shares["opposite"]
        assert yes == pytest.approx(SEVERAL.ipso_yes[SEVERAL.depths.index(line.depth)])


def test_unjudged_documents_are_counted():
    judged = sum(line.means.sum() for line in ONE.lines if (line.label, line.test) == ("P@k", "t"))
    assert ONE.shares[0].unjudged == pytest.approx(1 - judged / 5)  # here all that is judged is relevant


def test_charts_are_of_the_same_numbers():
    assert [chart.name for chart in SEVERAL.charts()] == ["agreement_bars", "agreement_triangle", "ipso_shares"]
    best = max(line.agree for line in SEVERAL.lines)
    assert f"agree on {best:.1%} of 10 pairs of runs" in SEVERAL.chart().summary
    first = SEVERAL.lines[0]
    triangle = SEVERAL.chart("agreement_triangle")
    assert triangle.title == "Where do IPSO and the test agree? P@2, t test, depth 2"
    assert f"{SEVERAL.runs[first.order[0]]}, the best by its mean" in triangle.summary
    assert SEVERAL.chart("ipso_shares").subtitle.startswith("Shares of 600 pairs of lists.")
    assert f"{SEVERAL.shares[0].nonseparable:.1%} of the pairs of lists" in SEVERAL.chart("ipso_shares").summary
    assert SEVERAL.per_pair().chart().title == triangle.title
