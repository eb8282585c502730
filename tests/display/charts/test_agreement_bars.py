import itertools
from dataclasses import replace

import pytest

from runoff.display.charts import AgreementBars, AgreementCase
from runoff.display.charts._style import DARK, LIGHT
from runoff.display.charts.ipso_agreement import WORDS, agreement_kinds
from runoff.errors import UsageError
from runoff.significance import Family
from runoff.verdicts import AGREEMENTS, Policy
from tests.display.charts.agreements import agreement_of, cases_of
from tests.display.charts.test_style import DEUTAN, NORMAL, PROTAN, distance
from tests.display.charts.values import tables


def test_parts_are_the_shares():
    cases = cases_of(12, (5, 20))
    panels = tables(AgreementBars(cases).spec())
    assert [len(panel) for panel in panels] == [30, 30]
    rows = [row for panel in panels for row in panel]
    for at, case in enumerate(cases):
        own = rows[5 * at : 5 * at + 5]
        assert {(row["measure"], row["test"], row["depth"]) for row in own} == {(case.measure, case.test, case.depth)}
        assert [row["kind"] for row in own] == [WORDS[name] for name in AGREEMENTS]
        assert [row["share"] for row in own] == list(case.result.shares.values())
        assert own[-1]["to"] == pytest.approx(1)
        assert all(one["to"] == other["from"] for one, other in itertools.pairwise(own))


def test_the_legend_stands_once():
    spec = AgreementBars(cases_of(8, (5, 10, 20))).spec()
    legends = [panel["layer"][0]["encoding"]["color"]["legend"] for panel in spec["vconcat"]]
    assert [legend is None for legend in legends] == [True, True, False]
    assert [panel["title"]["text"] for panel in spec["vconcat"]] == ["To depth 5", "To depth 10", "To depth 20"]
    alone = AgreementBars(cases_of(8, (5,))).spec()
    assert alone["layer"][0]["encoding"]["color"]["legend"]["orient"] == "top"


def test_titles():
    cases = cases_of(8, (5, 10))
    assert AgreementBars(cases[:6]).title == "Do IPSO and the measures' tests agree? To depth 5"
    assert AgreementBars(cases).title == "Do IPSO and the measures' tests agree? To 2 depths"
    assert AgreementBars(cases, most=7).title.endswith("To 2 depths, the first 7 of 12 measures and tests")
    assert AgreementBars(cases).subtitle == "Shares of 28 pairs of runs; yes is p < 0.05, not corrected"


def test_all_72_lines_of_figure_7_are_shown():
    names = ("P", "RR", "RBP(p=0.5)", "RBP(p=0.8)", "AP", "nDCG")
    cases = [
        AgreementCase(f"{name}@{depth}", test, depth, agreement_of(4, seed=depth))
        for depth in (5, 10, 20, 50)
        for name in names
        for test in ("t", "signed_rank", "sign")
    ]
    chart = AgreementBars(cases)
    assert len(cases) == 72
    assert chart.title == "Do IPSO and the measures' tests agree? To 4 depths"
    bars = {(row["depth"], row["bar"]) for panel in tables(chart.spec()) for row in panel}
    assert len(bars) == 72
    assert sum(line.endswith("%") for line in chart.text_lines(80)) == 72


def test_words():
    first, second = (AgreementCase("AP@10", test, 10, agreement_of(6)) for test in ("t", "signed_rank"))
    share = first.result.shares["both_yes"] + first.result.shares["both_no"]
    assert first.agree == share
    assert AgreementBars([first]).summary == (
        f"IPSO and the t test of AP@10 at depth 10 agree on {share:.1%} of 15 pairs of runs. Both are "
        "significant for different runs in 0 of 15 cases."
    )
    assert "; IPSO and the signed rank test of AP@10 at depth 10 on" in AgreementBars([first, second]).summary


def test_text_has_a_heading_per_depth():
    lines = AgreementBars(cases_of(8, (5, 10))).text_lines(60)
    assert [line for line in lines if line.startswith("To depth")] == ["To depth 5", "To depth 10"]
    assert lines[0] == "To depth 5"
    assert len(lines) == 15
    alone = AgreementBars(cases_of(8, (5,)))
    assert alone.text_lines(60)[0].startswith("P@5, t")
    assert alone.text_lines(60)[0].endswith(f"{alone.cases[0].agree:.1%}")


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("vision", [NORMAL, PROTAN, DEUTAN])
def test_kinds_can_be_told_apart(palette, vision):
    for one, other in itertools.combinations(agreement_kinds(palette), 2):
        assert distance(one.colour, other.colour, vision) > 10, (one, other)


def test_nothing_to_show_is_refused():
    with pytest.raises(UsageError, match="there are no measures and tests to show"):
        AgreementBars([])
    with pytest.raises(UsageError, match="most=0"):
        AgreementBars(cases_of(4, (5,)), most=0)


def test_a_correction_is_named():
    result = agreement_of(6)
    corrected = replace(result, policy=Policy(correction="holm"), family=Family("each test", 15))
    assert AgreementBars([AgreementCase("P@5", "t", 5, corrected)]).subtitle.endswith("corrected by Holm")
