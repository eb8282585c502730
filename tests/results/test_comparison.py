"""A comparison as programs and people read it: keys, verdict first, one screen, notes that explain every mark."""

import json
import math

import numpy as np
import pytest

from runoff import CompareOptions
from runoff.choices import TESTS
from runoff.comparisons import BreakEven, BreakEvenResult
from runoff.display import FORMAT_NAMES, render
from runoff.results.comparison import break_even_sentences
from tests.verbs.comparisons import (
    clear_comparison,
    compare,
    comparison_of,
    comparison_of_several,
    qrels_of,
    run_of,
    trade_off,
)

HOSTILE = [
    "<b>&\"'</b>",
    "50%_of $x^2 #{~}\\",
    "[red]x[/red]",
    "\x1b[2Jgone\nnext\u202e",
    "検索-søk-🔍",
    "x" * 130,
    "a  b",
]


def test_the_promised_keys():
    content = json.loads(clear_comparison(measures="RR@10").to_json())
    assert list(content)[:13] == [
        "champion", "challenger", "queries", "missing_queries", "depth", "measure", "measure_note", "means", "tests",
        "outcomes",
        "facets", "ipso", "verdict",
    ]  # fmt: skip
    assert content["missing_queries"] == {"champion": 0, "challenger": 0}
    assert {"champion", "challenger", "difference"} == set(content["means"])
    assert list(content["tests"])[:6] == ["t", "signed_rank", "rank_sum", "sign", "randomization", "bootstrap"]
    assert list(content["tests"]) == list(TESTS)
    assert all({"statistic", "p"} <= set(test) for test in content["tests"].values())
    outcomes = content["outcomes"]
    assert {"neither", "champion_only", "challenger_only", "both", "binomial_p", "esl", "rr"} <= set(outcomes)
    assert {"shares", "queries_more", "unanswerable"} <= set(outcomes)
    assert list(outcomes["queries_more"]) == ["champion", "challenger"]
    for facet in ("esl", "rr"):
        assert list(outcomes[facet]) == ["champion", "challenger", "signed_rank_p", "t_p"]
    assert list(content["ipso"])[:6] == [
        "champion_favoured", "equal", "challenger_favoured", "nonseparable", "sign_p", "sign_p_range",
    ]  # fmt: skip
    assert len(content["ipso"]["sign_p_range"]) == 2
    assert list(content["facets"]) == ["measure", "more", "sooner"]
    for facet in content["facets"].values():
        assert list(facet) == ["direction", "p", "p_corrected", "difference", "ci95"]
        assert facet["direction"] in (-1, 0, 1)
        assert facet["ci95"][0] <= facet["difference"] <= facet["ci95"][1]
        assert facet["p"] <= facet["p_corrected"]
    verdict = content["verdict"]
    assert list(verdict)[:4] == ["overall", "how", "strict", "do_no_harm"]
    assert {"marks", "alpha", "correction", "sentence"} <= set(verdict)
    assert (verdict["overall"], verdict["how"]) == ("better", ["more", "sooner"])
    assert content["break_even"] == []


def test_facets_in_json():
    """10 queries more of 20; the other 10 at rank 2 instead of 5."""
    facets = json.loads(clear_comparison(measures="RR@10").to_json())["facets"]
    assert [facet["direction"] for facet in facets.values()] == [1, 1, 1]
    assert [facet["difference"] for facet in facets.values()] == pytest.approx([0.65, 0.5, 3.0])
    assert (facets["more"]["p"], facets["sooner"]["p"]) == pytest.approx((2 / 2**10, 2 / 2**10))
    assert facets["more"]["p_corrected"] == pytest.approx(2 * 2 / 2**10)  # the measure's is the smallest of three
    assert facets["measure"]["p_corrected"] == pytest.approx(3 * facets["measure"]["p"])


def test_the_numbers_behind_the_keys_are_at_full_precision():
    comparison = comparison_of([0, 3, 2, 0, 3], [1, 2, 0, 0, 1], measures="RR@10")
    content = json.loads(comparison.to_json())
    assert content["means"] == {
        "champion": comparison.means.champion, "challenger": comparison.means.challenger,
        "difference": comparison.means.difference,
    }  # fmt: skip
    assert content["means"]["champion"] == pytest.approx((1 / 3 + 1 / 2 + 1 / 3) / 5, abs=1e-16)
    counts = [content["outcomes"][name] for name in ("neither", "champion_only", "challenger_only", "both")]
    assert counts == [1, 1, 1, 2]
    assert content["outcomes"]["esl"]["champion"] == 3.0
    assert content["outcomes"]["rr"]["challenger"] == 0.75
    assert [content["ipso"][name] for name in ("equal", "champion_favoured", "challenger_favoured")] == [1, 1, 3]
    assert content["tests"]["sign"]["p"] == comparison.tests[3].p


def test_undefined_and_infinite_numbers_are_null():
    content = json.loads(comparison_of([0], [1]).to_json())
    assert content["outcomes"]["esl"] == {"champion": None, "challenger": None, "signed_rank_p": None, "t_p": None}
    assert "NaN" not in json.dumps(content)
    assert "Infinity" not in json.dumps(content)


def test_attributes_as_in_the_interface():
    comparison = clear_comparison()
    assert (comparison.champion, comparison.challenger, comparison.queries, comparison.depth) == (
        "champion",
        "challenger",
        20,
        10,
    )
    assert comparison.outcomes.challenger_only == 10
    assert comparison.outcomes.queries_more == (0, 10)
    assert (comparison.outcome, comparison.verdict.overall, comparison.is_better) == ("better", "better", True)
    assert comparison.verdict.sentence.startswith("challenger is better than champion: more, sooner. On 20 queries, ")
    assert comparison.to_html() in comparison._repr_html_()
    assert comparison.to_frame().columns == [column.name for column in comparison.grid().columns]


def test_the_heading_has_the_verdict_and_how():
    assert clear_comparison().heading == "challenger against champion: better (more, sooner) †‡"
    half = comparison_of([0] * 10 + [3] * 10, [1] * 10 + [3] * 10)
    assert half.heading == "challenger against champion: better (more) †‡"
    assert comparison_of([1], [1]).heading == "challenger against champion: inconclusive"
    assert trade_off(measures="nDCG@10").heading == "challenger against champion: trade-off (more, later)"


def test_the_rules_of_the_paper_are_named_where_they_differ():
    assert "Lin et al." not in clear_comparison().verdict.sentence
    half = comparison_of([0] * 10 + [3] * 10, [1] * 10 + [3] * 10).verdict
    assert (half.overall, half.do_no_harm, half.strict) == ("better", "better", "inconclusive")
    assert "By Lin et al.'s strict rule it is inconclusive" in half.sentence


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_the_verdict_comes_first_and_nothing_is_wider_than_the_page(width):
    text = clear_comparison().to_text(width)
    lines = text.splitlines()
    assert lines[0] == "challenger against champion: better (more, sooner) †‡"
    assert max(map(len, lines)) <= width
    assert "\x1b" not in text
    assert text.index("than champion: more") < text.index("Queries answered to rank 10") < text.index("Means")


def test_a_comparison_is_one_screen():
    assert clear_comparison().to_text(100).count("\n") <= 50
    # A trade-off has its break-even besides.
    assert comparison_of([0] * 20 + [1] * 20, [1] * 20 + [3] * 20).to_text(100).count("\n") <= 53
    assert trade_off().to_text(100).count("\n") <= 53


def test_the_bar_is_told_apart_without_colour_and_pages_have_its_numbers():
    comparison = clear_comparison()
    bar = comparison.to_text(100).split("Queries answered to rank 10\n")[1].splitlines()
    assert bar[0] == "▓" * 36 + "█" * 36
    assert bar[1] == "░ neither 0 (0%)   ▒ only champion 0 (0%)   ▓ only challenger 10 (50%)   █ both 10 (50%)"
    assert (
        "Queries answered to rank 10: neither 0 (0%), only champion 0 (0%), only challenger 10 (50%), both 10 (50%)."
    ) in comparison.to_html()


def test_with_several_relevant_documents_the_bar_has_shares():
    """Each query counts once, however many relevant documents it has."""
    comparison = comparison_of_several([[1]] * 4, [[1, 2]] * 4, relevant=[2, 4, 4, 8])
    shares = {"neither": (0 + 2 / 4 + 2 / 4 + 6 / 8) / 4, "challenger": (1 / 2 + 1 / 4 + 1 / 4 + 1 / 8) / 4}
    text = (
        f"Relevant documents found to rank 10: neither {shares['neither']:.0%}, only champion 0%, only challenger "
        f"{shares['challenger']:.0%}, both {shares['challenger']:.0%}."
    )
    assert text in comparison.to_html()


def test_a_page_and_a_paper_are_named_after_the_runs():
    page = render(clear_comparison(), "html")
    assert "<title>Means of challenger against champion on 20 queries</title>" in page
    assert page.index("<p>challenger against champion: better (more, sooner) †‡</p>") < page.index("<table")


def test_remarks_stand_below_the_last_table():
    comparison = comparison_of([1, 2], [2, 1])
    assert [bool(grid.notes) for grid in comparison.screen_grids()] == [False, False, True]
    assert comparison.screen_grids()[-1].notes == comparison.remarks
    assert comparison.grids()[-1].notes[-len(comparison.remarks) :] == comparison.remarks
    assert comparison.to_dict()["remarks"] == list(comparison.remarks)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_any_name_of_a_run_in_any_format(name, format_name):
    pair = run_of(name, [1, 2, 0]), run_of("b" + name, [2, 1, 1])
    text = render(compare(*pair, qrels_of(3)), format_name, width=80)
    if format_name == "json":
        assert json.loads(text)["champion"] == name
    if format_name in ("json", "csv"):  # programs read every name as it is
        return
    assert "\x1b" not in text
    assert "\u202e" not in text
    if format_name == "html":
        assert "<b>&" not in text
    if format_name == "table":
        lines = text.splitlines()
        assert max(map(len, lines)) <= 80
        assert not any(line.startswith("next") for line in lines)  # a name cannot begin a line of its own


def test_long_names_wrap_between_the_labels_of_the_bar():
    pair = run_of("c" * 30, [1, 2, 0]), run_of("d" * 30, [2, 1, 1])
    text = compare(*pair, qrels_of(3)).to_text(60)
    assert f"░ neither 0 (0%)\n▒ only {'c' * 30} 0 (0%)\n▓ only {'d' * 30} 1 (33%)\n█ both 2 (67%)\n" in text


def test_means_of_nothing():
    comparison = comparison_of([0, 1], [1, 0])
    assert math.isnan(comparison.outcomes.esl.champion)
    row = comparison.grid().rows[1]  # the ranks of what both find
    assert all(value is None or math.isnan(value) for value in row[1:])
    assert comparison.to_csv().splitlines()[2].endswith(",,,,,")


def test_nobody_can_answer_anything():
    qrels = {f"q{place}": {"d": 1} for place in range(4)}
    comparison = compare(run_of("a", [1, 2, 0, 0]), run_of("b", [2, 1, 0, 0]), qrels, options=CompareOptions(level=2))
    assert (comparison.outcomes.unanswerable, comparison.outcome) == (4, "inconclusive")
    assert list(comparison.to_dict()["outcomes"]["shares"].values()) == [0.0] * 4
    assert "NaN" not in comparison.to_json()
    assert "rank 10: ." not in comparison.to_html()


def test_charts_are_of_what_is_known():
    comparison = clear_comparison(measures="RR@10")
    assert [chart.name for chart in comparison.charts()] == ["outcome_bars", "ipso_strips", "differences"]
    assert "challenger against champion" in comparison.chart().title
    assert [chart.name for chart in trade_off(measures="nDCG@10").charts()] == [
        "outcome_bars", "break_even_curve", "ipso_strips", "differences",
    ]  # fmt: skip


def result(*changes, saved=(0.0, -1.0, 1.0)):
    return BreakEvenResult(
        champion="old",
        challenger="new",
        queries=50,
        saved=np.array(saved),
        error=np.ones(len(saved)),
        ci95=np.column_stack([np.array(saved) - 2, np.array(saved) + 2]),
        changes=changes,
    )


def change(results, ci95, *, above=True):
    return BreakEven(results=results, ci95=ci95, challenger_above=above)


@pytest.mark.parametrize(
    "ci95, words",
    [
        ((11, 20), "11 to 20"),
        ((11, None), "at least 11"),
        ((None, 20), "at most 20"),
        ((None, None), "the interval is open at both ends"),
        ((1100, 2000), "1,100 to 2,000"),
    ],
)
def test_an_interval_may_be_open(ci95, words):
    assert break_even_sentences(result(change(15.2, ci95))) == (
        f"new is better for users who read more than about 15 results ({words}).",
    )


def test_the_better_run_of_patient_users_is_named():
    (said,) = break_even_sentences(result(change(15.2, (11, 20), above=False)))
    assert said.startswith("old is better for users who read more than about 15 results")


def test_several_changes_are_one_sentence_that_does_not_contradict_itself():
    changes = [change(4, (3, 5)), change(40.2, (30, None), above=False)]
    (sentence,) = break_even_sentences(result(*changes))
    assert sentence == (
        "old is better for users who read fewer than about 4 results (3 to 5), new from there to about 40 (at least "
        "30), and old beyond."
    )
    (sentence,) = break_even_sentences(result(*changes, change(60, (None, None))))
    assert sentence.endswith("old from there to about 60 (the interval is open at both ends), and new beyond.")


@pytest.mark.parametrize("saved, better", [((0.0, 0.5, 1.0), "new"), ((0.0, -0.5, -1.0), "old")])
def test_no_break_even_is_said(saved, better):
    (said,) = break_even_sentences(result(saved=saved))
    assert said.startswith(f"There is no break-even: {better} is better for users")


def test_a_trade_off_says_for_whom():
    """The curve by the definition: a user who gives up after c results pays c for what is not found by then."""
    early, late = [[1, 2], [2, 3], [1, 3]] * 12, [[11, 12, 13, 14], [10, 12, 14, 15], [11, 13, 14, 16]] * 12
    comparison = comparison_of_several(early, late, relevant=4, length=30, measures="nDCG@30")
    assert comparison.outcome == "trade-off"
    saved = []
    for c in range(1, 31):
        old, new = (
            np.mean([sum(min(rank, c) for rank in ranks) + (4 - len(ranks)) * c for ranks in lists])
            for lists in (early, late)
        )
        saved.append(float(old - new))
    assert comparison.break_even.saved == pytest.approx(saved)
    last = max(c for c in range(1, 31) if saved[c - 1] < 0)
    (found,) = comparison.break_even.changes
    assert last <= found.results <= last + 1
    assert found.challenger_above
    (sentence,) = break_even_sentences(comparison.break_even)
    assert sentence.startswith(
        f"challenger is better for users who read more than about {round(found.results)} results"
    )
    assert sentence in " ".join(comparison.to_text(100).split())


def test_where_it_is_said():
    assert sum("is better for users who read more" in part for part in trade_off(measures="nDCG@10").opening(80)) == 1
    leaning = comparison_of([1, 2, 0], [2, 3, 1])  # one finds more, the other sooner, and neither is shown
    assert leaning.outcome == "inconclusive"
    assert not any("for users" in part for part in leaning.opening(80))
    assert "break_even_curve" not in [chart.name for chart in leaning.charts()]
