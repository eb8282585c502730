"""Verdicts where the truth is known: how often they are right, and how often a run is called better that is not.

`make proof` runs the long form; `.venv/bin/python -m pytest tests/verdicts/test_simulation.py -m proof -s` prints the
rates that docs/method/calibration.md reports.
"""

import pytest

from runoff.simulation import RankLaw
from runoff.verdicts import Policy
from studies.comparison import true_signs
from tests.verdicts.cases import EVEN, TRUTHS, any_better, rates, simulated, upper_bound

ALPHA = 0.05
RULES = ("overall", "do_no_harm", "strict")
each_truth = pytest.mark.parametrize("truth", TRUTHS)

# A facet without a difference is called significant in alpha of the simulations, whatever the power: half of them
# ahead, half behind. Each of these makes some verdict wrong: the share of right verdicts that no power can exceed.
# Overall needs no facet to be down at the uncorrected level; where nothing is true, the correction leaves alpha in all.
CEILING = {
    ("more, later", "overall"): 1.0,
    ("more, later", "do_no_harm"): 1.0,
    ("more, later", "strict"): 1.0,
    ("sooner", "overall"): 1 - ALPHA / 2,
    ("sooner", "do_no_harm"): 1 - ALPHA / 2,
    ("sooner", "strict"): 1 - ALPHA,
    ("more", "overall"): 1 - ALPHA / 2,
    ("more", "do_no_harm"): 1 - ALPHA / 2,
    ("more", "strict"): 1 - ALPHA,
    ("more, sooner", "overall"): 1.0,
    ("more, sooner", "do_no_harm"): 1.0,
    ("more, sooner", "strict"): 1.0,
    ("fewer, later", "overall"): 1.0,
    ("fewer, later", "do_no_harm"): 1.0,
    ("fewer, later", "strict"): 1.0,
    ("neither", "overall"): 1 - ALPHA,
    ("neither", "do_no_harm"): (1 - ALPHA) ** 2,
    ("neither", "strict"): 1 - ALPHA**2,
}

# The expected ESL of EVEN, 19.28, from other ranks: none beyond 46, where EVEN is mostly early and sometimes very late.
NARROW = RankLaw(answered=0.8, steepness=0.356115, depth=46)


def shown(label, simulations, rule):
    """Print the rates as a row of the table in the documentation."""
    found = rates(simulations, rule)
    cells = " | ".join(f"{100 * found[verdict]:.2f}" for verdict in ("better", "worse", "trade-off", "inconclusive"))
    print(f"\n| {label} | {rule} | {cells} |", end="")  # noqa: T201
    return found


def check_truth(truth, count, first_seed):
    law, harmless, strictly = TRUTHS[truth]
    expected = harmless, harmless, strictly
    simulations = simulated((law,), Policy(), count=count, queries=2000, first_seed=first_seed)[0]
    for rule, right in zip(RULES, expected, strict=True):
        found = shown(truth, simulations, rule)
        ceiling = CEILING[truth, rule]
        # Where the ceiling allows it at least 95% are right; below it, the ceiling within Monte Carlo error.
        assert found[right] >= min(0.95, 1 - upper_bound(1 - ceiling, count)), (truth, rule, found)


@each_truth
def test_the_right_verdict_is_given(truth):
    check_truth(truth, 60, first_seed=0)


@pytest.mark.proof
@each_truth
def test_the_right_verdict_is_given_at_length(truth):
    check_truth(truth, 2000, first_seed=10_000)


@each_truth
def test_the_right_verdicts_are_those_of_the_truth(truth):
    law, do_no_harm, strict = TRUTHS[truth]
    signs = true_signs(EVEN, law)
    pair = {signs.answered, signs.earlier}
    if pair == {1, -1}:
        assert (do_no_harm, strict) == ("trade-off", "trade-off")
    elif pair == {0}:
        assert (do_no_harm, strict) == ("inconclusive", "inconclusive")
    else:
        side = "better" if 1 in pair else "worse"
        assert (do_no_harm, strict) == (side, side if len(pair) == 1 else "inconclusive")


def check_null(queries, count, first_seed):
    policies = Policy(), Policy(esl_test="t")
    results = simulated((EVEN,), *policies, count=count, queries=queries, first_seed=first_seed)
    for policy, simulations in zip(policies, results, strict=True):
        for rule in RULES:
            found = shown(f"no difference, {queries:,} queries, {policy.esl_test}", simulations, rule)
            assert found["better"] <= upper_bound(ALPHA, count)
            assert found["worse"] <= upper_bound(ALPHA, count)
            if rule == "overall":  # any claim, of any facet
                assert 1 - found["inconclusive"] <= upper_bound(ALPHA, count)


@pytest.mark.parametrize("queries", [200, 1000])
def test_no_difference_is_seldom_called_better(queries):
    check_null(queries, 300, first_seed=20_000)


@pytest.mark.proof
@pytest.mark.parametrize("queries", [50, 200, 1000])
def test_no_difference_is_seldom_called_better_at_length(queries):
    check_null(queries, 10_000, first_seed=30_000)


def check_family(challengers, queries, count, first_seed):
    """How often some challenger is called better that is not, with Holm and without; the rates of do no harm."""
    policies = Policy(), Policy(correction="none")
    results = simulated(challengers, *policies, count=count, queries=queries, first_seed=first_seed)
    false = [place for place, law in enumerate(challengers) if law == EVEN]
    label = f"{len(false)} of {len(challengers)} challengers no better, {queries:,} queries"
    found = [[any_better(simulations, rule, false) for simulations in results] for rule in RULES]
    for rule, (corrected, raw) in zip(RULES, found, strict=True):
        print(f"\n| {label} | {rule} | {100 * corrected:.2f} | {100 * raw:.2f} |", end="")  # noqa: T201
        assert corrected <= upper_bound(ALPHA, count)
    return found[RULES.index("do_no_harm")]


CLEARLY_BETTER = RankLaw(answered=0.9, steepness=1.4, depth=100)


@pytest.mark.parametrize("first", [EVEN, CLEARLY_BETTER], ids=["all even", "one better"])
def test_of_several_none_is_called_better_by_chance(first):
    check_family((first, *[EVEN] * 4), 200, 100, first_seed=40_000)


@pytest.mark.proof
@pytest.mark.parametrize("first", [EVEN, CLEARLY_BETTER], ids=["all even", "one better"])
@pytest.mark.parametrize("queries", [200, 1000])
def test_of_several_none_is_called_better_by_chance_at_length(first, queries):
    _, raw = check_family((first, *[EVEN] * 4), queries, 4000, first_seed=50_000)
    assert raw > 2 * ALPHA  # without a correction it would not hold


@pytest.mark.proof
@pytest.mark.parametrize("queries", [200, 1000])
def test_the_marks_are_as_seldom_as_the_level(queries):
    simulations = simulated((EVEN,), Policy(), count=4000, queries=queries, first_seed=60_000, with_ipso=True)[0]
    marks = [verdicts[0].marks for verdicts in simulations]
    dagger = sum("†" in mark for mark in marks) / len(marks)
    double = sum("‡" in mark for mark in marks) / len(marks)
    print(f"\n| no difference, {queries:,} queries | {100 * dagger:.2f} | {100 * double:.2f} |", end="")  # noqa: T201
    assert double <= dagger <= upper_bound(ALPHA, len(marks))


@pytest.mark.proof
@pytest.mark.parametrize("laws", [(EVEN, NARROW), (NARROW, EVEN)], ids=["narrow", "wide"])
def test_signed_rank_is_no_test_of_means(laws):
    # The same expected ESL from other ranks: `t` holds its level, `signed_rank` answers another question, and where its
    # answer and the mean differ, nothing is shown.
    champion, challenger = laws
    assert abs(champion.expected_esl(100) - challenger.expected_esl(100)) < 1e-4
    assert not true_signs(champion, challenger).symmetric
    policies = Policy(), Policy(esl_test="t")
    results = simulated((challenger,), *policies, count=4000, queries=1000, first_seed=70_000, champion=champion)
    kind = "narrow" if challenger == NARROW else "wide"
    signed_rank, t = (
        shown(f"equal mean ESL, {kind} ranks, {policy.esl_test}", simulations, "do_no_harm")
        for policy, simulations in zip(policies, results, strict=True)
    )
    assert max(t["better"], t["worse"]) <= upper_bound(ALPHA, 4000)
    assert max(signed_rank["better"], signed_rank["worse"]) > 2 * ALPHA


@pytest.mark.proof
def test_a_small_harm_is_not_seen():
    # Truly a trade-off: sooner, and one document in a hundred fewer. Do no harm means that no harm is shown.
    law = RankLaw(answered=0.79, steepness=1.15, depth=100)
    simulations = simulated((law,), Policy(), count=2000, queries=1000, first_seed=80_000)[0]
    for rule in ("overall", "do_no_harm"):
        found = shown("sooner, a little fewer, 1,000 queries", simulations, rule)
        assert found["better"] > found["trade-off"]
    for verdicts in simulations:
        verdict = verdicts[0]
        assert verdict.more is not None
        undecided = "it is not shown to find more or fewer relevant documents (" in verdict.sentence
        assert undecided == (not verdict.more.significant)
