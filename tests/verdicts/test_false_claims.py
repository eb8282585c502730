"""How often verdicts claim what is not so, and find what is: lists of `ranked_lists`, whose truth is known.

The null hypotheses are those of the specification: *more*, that neither run is likelier to find more of a query;
*sooner*, that differences of ranks are symmetric about 0; the measure, that its means are the same. `make proof` runs
the long form; `.venv/bin/python -m pytest tests/verdicts/test_false_claims.py -m proof -s` prints the rates.
"""

from itertools import product

import numpy as np
import pytest

from runoff.verdicts import Policy
from tests.verdicts.ranked_lists import Law, board_verdicts, drawn, scored, verdicts_on

ALPHA = 0.05
FACETS = ("measure", "more", "sooner")
NULL = Law()
MORE, SOONER = Law(finds=0.7), Law(early=1.25)
BOTH = Law(finds=0.7, early=1.25)
TRADE_OFF = Law(finds=0.75, early=0.7)
TRUTHS = {
    "more": (MORE, {"more": 1, "sooner": 0, "measure": 1}),
    "sooner": (SOONER, {"more": 0, "sooner": 1, "measure": 1}),
    "both": (BOTH, {"more": 1, "sooner": 1, "measure": 1}),
    "trade-off": (TRADE_OFF, {"more": 1, "sooner": -1}),  # of the measure nothing is known
}
"""The challenger's law against NULL, and what is true of each facet."""
KINDS = {
    "levels": lambda rng, queries, several, runs: drawn(rng, [NULL] * runs, queries=queries, several=several),
    "levels, near ties": lambda rng, queries, several, runs: drawn(
        rng, [NULL] * runs, queries=queries, several=several, alike=0.97
    ),
    "scores": lambda rng, queries, several, runs: scored(rng, runs, queries=queries, several=several),
    "scores, near ties": lambda rng, queries, several, runs: scored(
        rng, runs, queries=queries, several=several, own=0.03
    ),
}
"""Runs of which none is better in any way."""


def bound(count, rate=ALPHA):
    """A rate plus three Monte Carlo errors."""
    return rate + 3 * (rate * (1 - rate) / count) ** 0.5


def said(label, **shares):
    """Print some shares in per cent, as a row of a table."""
    cells = " | ".join(f"{name} {100 * share:.2f}" for name, share in shares.items())
    print(f"\n| {label} | {cells} |", end="")  # noqa: T201


def label_of(kind, queries, several, *more):
    return ", ".join((kind, f"{queries:,} queries", "many relevant" if several else "1 relevant", *more))


def check_equal_runs(kind, *, queries, several, challengers, count, seed):
    """Of runs that are all the same: any claim of the overall verdict, and of any facet, of any challenger."""
    claims = np.zeros((count, 1 + len(FACETS)), dtype=bool)
    for place in range(count):
        rng = np.random.default_rng([seed, place])
        verdicts = verdicts_on(*KINDS[kind](rng, queries, several, challengers + 1))
        claims[place, 0] = any(verdict.overall != "inconclusive" for verdict in verdicts)
        for column, name in enumerate(FACETS, start=1):
            claims[place, column] = any(verdict.facets[name].shown for verdict in verdicts)
    any_facet = claims[:, 1:].any(axis=1).mean()
    rates = dict(zip(("overall", *FACETS), claims.mean(axis=0).tolist(), strict=True))
    said(
        label_of(kind, queries, several, f"{challengers} challenger{'s' * (challengers > 1)}"),
        any_facet=any_facet,
        **rates,
    )
    assert rates["overall"] <= any_facet <= bound(count)


def check_truth(truth, *, queries, several, count, seed):
    """Claims of a facet that does not differ, or in the wrong direction; the share of each verdict."""
    law, known = TRUTHS[truth]
    wrong, words, t_test = 0, [], 0
    for place in range(count):
        rng = np.random.default_rng([seed, place])
        verdict = verdicts_on(*drawn(rng, [NULL, law], queries=queries, several=several))[0]
        wrong += any(verdict.facets[name].shown not in (0, side) for name, side in known.items())
        words.append((verdict.overall, verdict.do_no_harm))
        t_test += verdict.measure.uncorrected(ALPHA) == 1
    rates = {name: np.mean([one == name for one, _ in words]) for name in ("better", "worse", "trade-off")}
    harmless = np.mean([one == "better" for _, one in words])
    said(label_of(truth, queries, several), wrong=wrong / count, **rates, t=t_test / count, do_no_harm=harmless)
    assert wrong / count <= bound(count)
    return rates, t_test / count


def check_family(*, queries, several, count, seed):
    """One challenger that is better, and four that are not: any claim about these, and whether the one is found."""
    laws = [NULL, BOTH, *[NULL] * 4]
    claims, found = 0, 0
    for place in range(count):
        rng = np.random.default_rng([seed, place])
        verdicts = verdicts_on(*drawn(rng, laws, queries=queries, several=several))
        claims += any(facet.shown for verdict in verdicts[1:] for facet in verdict.facets.values())
        found += verdicts[0].overall == "better"
    said(label_of("one better of 5", queries, several), any_false=claims / count, found=found / count)
    assert claims / count <= bound(count)


def check_board(*, queries, several, runs, count, seed, trials):
    """A board of runs that are all the same: any decision, which is a verdict against the first where it is that."""
    decided, worse, facets = 0, 0, 0
    for place in range(count):
        rng = np.random.default_rng([seed, place])
        lists = scored(rng, runs, queries=queries, several=several)
        decisions, how, verdicts = board_verdicts(*lists, trials=trials, seed=place)
        decided += bool(decisions.above.any())
        facets += bool(how.more.any() or how.sooner.any())
        worse += any(verdict.overall != "inconclusive" for verdict in verdicts)
    rates = decided / count, worse / count, facets / count
    said(label_of(f"board of {runs}", queries, several), **dict(zip(("decided", "worse", "how"), rates, strict=True)))
    assert worse <= decided
    assert decided / count <= bound(count)
    assert facets / count <= bound(count)


# The fast form.


@pytest.mark.parametrize("kind", ["levels", "scores"])
@pytest.mark.parametrize("several", [False, True], ids=["one relevant", "many relevant"])
@pytest.mark.parametrize("queries, count", [(50, 100), (500, 50)])
def test_runs_that_are_the_same_are_seldom_told_apart(kind, queries, several, count):
    check_equal_runs(kind, queries=queries, several=several, challengers=1, count=count, seed=1)


@pytest.mark.parametrize("several", [False, True], ids=["one relevant", "many relevant"])
def test_trade_offs_are_found_and_nothing_false_is_said(several):
    rates, _ = check_truth("trade-off", queries=800, several=several, count=20, seed=2)
    assert rates["trade-off"] >= 0.5
    assert rates["better"] + rates["worse"] <= 0.5


def test_of_five_challengers_only_the_better_one_is_claimed():
    check_family(queries=100, several=True, count=40, seed=3)


def test_a_board_of_equal_runs_is_seldom_decided():
    check_board(queries=50, several=True, runs=5, count=40, seed=4, trials=200)


def test_the_laws_are_what_they_say():
    rng = np.random.default_rng(5)
    for several in (False, True):
        for law, known in TRUTHS.values():
            (first, second), relevant = drawn(rng, [NULL, law], queries=12_000, several=several)
            numbers = [grades.sum(axis=1) for grades in (first, second)]
            more = np.sign(numbers[1] - numbers[0])
            ranks = [np.where(grades, np.arange(1, 21), 99) for grades in (first, second)]
            levels = np.minimum(*numbers)
            both = np.arange(20) < levels[:, None]
            gaps = (np.sort(ranks[0], axis=1) - np.sort(ranks[1], axis=1)) * both
            sooner = gaps.sum(axis=1)[levels > 0] / levels[levels > 0]
            for name, sides in (("more", more), ("sooner", sooner)):
                z = sides.mean() / (sides.std() / len(sides) ** 0.5)
                assert np.sign(z) == known[name] if known[name] else abs(z) < 4, (name, z)
            assert (numbers[0] <= relevant).all()


# The long form.


@pytest.mark.proof
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("several", [False, True], ids=["one relevant", "many relevant"])
@pytest.mark.parametrize("queries, count", [(50, 4000), (500, 2000), (5000, 500)])
def test_one_challenger_at_length(kind, queries, several, count):
    check_equal_runs(kind, queries=queries, several=several, challengers=1, count=count, seed=11)


@pytest.mark.proof
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("several", [False, True], ids=["one relevant", "many relevant"])
@pytest.mark.parametrize("queries, count", [(50, 2000), (500, 1000), (5000, 200)])
def test_five_challengers_at_length(kind, queries, several, count):
    check_equal_runs(kind, queries=queries, several=several, challengers=5, count=count, seed=12)


@pytest.mark.proof
@pytest.mark.parametrize("several", [False, True], ids=["one relevant", "many relevant"])
@pytest.mark.parametrize("queries, count", [(50, 2000), (500, 1000), (5000, 300)])
def test_one_better_challenger_of_five_at_length(queries, several, count):
    check_family(queries=queries, several=several, count=count, seed=13)


@pytest.mark.proof
@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("several", [False, True], ids=["one relevant", "many relevant"])
@pytest.mark.parametrize("queries, count", [(50, 2000), (500, 1000), (5000, 300)])
def test_truths_are_found_at_length(truth, queries, several, count):
    rates, t_test = check_truth(truth, queries=queries, several=several, count=count, seed=14)
    right = "trade-off" if truth == "trade-off" else "better"
    if queries == 5000:
        # Better takes no facet that is down at the uncorrected level: a facet without a difference is, in alpha / 2.
        assert rates[right] >= 1 - bound(count, ALPHA / 2)
    if truth != "trade-off":
        # Three facets share the level, so that each has less of it; but any of them will do.
        assert rates[right] >= t_test - 0.25


@pytest.mark.proof
@pytest.mark.parametrize("several", [False, True], ids=["one relevant", "many relevant"])
@pytest.mark.parametrize("queries, runs, count", [(50, 5, 1500), (50, 20, 500), (500, 20, 300)])
def test_boards_of_equal_runs_at_length(queries, runs, several, count):
    check_board(queries=queries, several=several, runs=runs, count=count, seed=15, trials=1000)


@pytest.mark.proof
def test_without_a_correction_claims_would_be_more():
    claims = {"holm": 0, "none": 0}
    for place, policy in product(range(1000), (Policy(), Policy(correction="none"))):
        lists, relevant = drawn(np.random.default_rng([16, place]), [NULL] * 2, queries=500, several=True)
        verdict = verdicts_on(lists, relevant, policy)[0]
        claims[policy.correction] += any(facet.shown for facet in verdict.facets.values())
    said("any facet, 500 queries, many relevant", **{name: count / 1000 for name, count in claims.items()})
    assert claims["holm"] / 1000 <= bound(1000) < claims["none"] / 1000
