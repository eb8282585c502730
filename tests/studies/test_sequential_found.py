"""The best document in sequence as often as by all pairs, with half of the judgments; docs/method/preferences.md."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.files import read_judgments, read_qrels, read_run
from runoff.preferences import SequentialPlan, make_pools, sequential, tournament
from runoff.tables import Preferences
from studies.best_found import best_found
from studies.sequential_found import (
    JudgingError,
    SearchOutcome,
    averaged,
    found_by_all_pairs,
    found_in_sequence,
)
from tests.studies.other_rules import by_evidence, with_a_second_look

SAME = JudgingError()
CLOSE = JudgingError(error=0.15, closeness=0.75)
"""0.41 for neighbours in the true order, 0.35 two places apart, 0.23 five places apart."""
MODELS = {"33% for every pair": SAME, "41% for neighbours, less for others": CLOSE}
PLANS = {
    1: SequentialPlan(keep_lead=1, replace_lead=2, most_judgments=4),
    3: SequentialPlan(),
    5: SequentialPlan(keep_lead=2, replace_lead=4, most_judgments=15),
}
"""By the judgments per pair of the full pairing that each is to equal."""
MOST_SHARE = {1: 0.52, 3: 0.5, 5: 0.5}
"""Of the judgments of full pairing; with one for each pair and small pools, half of them is not quite enough."""
POOLS = range(2, 13)
SIZES = {
    "finalists": {4: 1, 5: 15, 6: 13, 7: 5, 8: 6, 9: 10},  # 50 questions of Yan et al. 2022
    "first documents": {3: 4, 4: 7, 5: 7, 6: 13, 7: 16, 8: 11, 9: 17, 10: 11, 11: 7, 12: 7},  # 12 runs, 100 topics
    "2 to 12": dict.fromkeys(POOLS, 1),
}
"""The runs are those of TREC 2003 Robust; its one pool of 13 documents counts as one of 12."""


def match_chance(plan, chance):
    """Exactly: how often a candidate that each judgment prefers with some chance replaces the best known answer."""

    @cache
    def replaced(kept, lost):
        outcome = plan.outcome(kept, lost)
        if outcome != "open":
            return float(outcome == "replaced")
        return chance * replaced(kept, lost + 1) + (1 - chance) * replaced(kept + 1, lost)

    return replaced(0, 0)


def exactly_found(pool, plan, error=0.33):
    """If every pair has the same error: the best one comes in and then stays, wherever it stands in the order."""
    comes, stays = match_chance(plan, 1 - error), 1 - match_chance(plan, error)
    return (stays ** (pool - 1) + sum(comes * stays ** (pool - place) for place in range(2, pool + 1))) / pool


def both_ways(judgments, errs, sizes, queries, seed=0):
    """In sequence, and by all pairs, over some pool sizes."""
    plan = PLANS[judgments]
    one = {pool: found_in_sequence(pool, plan, errs=errs, queries=queries, seed=seed) for pool in sizes}
    all_pairs = {pool: found_by_all_pairs(pool, judgments, errs=errs, queries=queries, seed=seed) for pool in sizes}
    return one, all_pairs


def said(found):
    return f"{100 * found.found:.1f} ({found.judgments:.1f})"


def test_pool_sizes_are_real(shared_data):
    judged = read_judgments(shared_data / "preferences" / "judgments.txt").take(np.arange(9713, 10697))
    assert Counter(tournament(judged).pool_sizes.tolist()) == SIZES["finalists"]
    runs = [read_run(file) for file in sorted((shared_data / "robust03").glob("input.*"))]
    graded = read_qrels(shared_data / "robust03" / "qrels.txt.gz")
    # the first relevant document of each query, whatever its grade
    pools = make_pools(runs, replace(graded, relevance=np.minimum(graded.relevance, 1)))
    assert Counter(np.minimum(pools.sizes, 12).tolist()) == SIZES["first documents"]


@pytest.mark.parametrize("plan", PLANS.values())
@pytest.mark.parametrize("pool", [2, 5, 9])
def test_equals_the_exact_chance(pool, plan):
    found = found_in_sequence(pool, plan, queries=4000)
    assert found.found == pytest.approx(exactly_found(pool, plan), abs=4 * found.found_se)


def test_equals_the_rule_played_judgment_by_judgment():
    plan, pool, queries = SequentialPlan(), 4, 600
    rng = np.random.default_rng(1)
    order = {f"q{place}": [f"d{rank}" for rank in rng.permutation(pool)] for place in range(queries)}
    rows: list[tuple[str, str, str, str]] = []
    while due := [(one.query_id, one.due) for one in sequential(order, Preferences.of(rows), plan=plan) if one.due]:
        for query_id, match in due:
            better, worse = sorted((match.best, match.candidate))
            rows += [(query_id, better, worse, worse if rng.random() < 0.33 else better) for _ in range(match.due)]
    played = sequential(order, Preferences.of(rows), plan=plan)
    quick = found_in_sequence(pool, plan, queries=4000)
    assert all(one.used == one.judgments for one in played)
    assert np.mean([one.best == "d0" for one in played]) == pytest.approx(quick.found, abs=0.08)
    assert np.mean([one.used for one in played]) == pytest.approx(quick.judgments, rel=0.06)


@pytest.mark.parametrize("pool, judgments", [(3, 1), (4, 2), (6, 3)])
def test_all_pairs_equal_the_tournament(pool, judgments):
    (slow,) = best_found([pool], [judgments], queries=2000)
    quick = found_by_all_pairs(pool, judgments, queries=8000)
    assert quick.found == pytest.approx(slow.drawn, abs=0.04)
    assert quick.judgments == judgments * pool * (pool - 1) / 2
    assert quick.judgments_se == 0


def test_the_same_seed_finds_the_same_and_closeness_makes_it_harder():
    one, again, other = (found_in_sequence(3, PLANS[3], queries=500, seed=seed) for seed in (0, 0, 1))
    assert one == again != other
    assert found_in_sequence(3, PLANS[3], errs=CLOSE, queries=2000).found < one.found - 0.05


def test_averages_weigh_pool_sizes():
    few = SearchOutcome(queries=10, found=0.8, found_se=0.03, judgments=4.0, judgments_se=0.3)
    many = SearchOutcome(queries=10, found=0.4, found_se=0.04, judgments=8.0, judgments_se=0.4)
    even = averaged({2: few, 5: many}, {2: 1, 5: 1})
    assert (even.queries, even.judgments, even.judgments_se) == (20, 6.0, 0.25)
    assert [even.found, even.found_se] == pytest.approx([0.6, 0.025])
    assert averaged({2: few, 5: many}, {2: 3, 5: 1}).judgments == 5.0


@pytest.mark.parametrize("change", [{"error": 0.6}, {"closeness": -0.1}])
def test_impossible_errors(change):
    with pytest.raises(UsageError, match="expected 0 to"):
        JudgingError(**change)


@pytest.mark.parametrize("errs", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("judgments", PLANS)
def test_as_good_as_all_pairs_with_half_of_the_judgments(judgments, errs):
    sizes = SIZES["finalists"]
    one, all_pairs = (averaged(found, sizes) for found in both_ways(judgments, errs, sizes, 3000))
    assert one.found > all_pairs.found - 2 * np.hypot(one.found_se, all_pairs.found_se)
    assert one.judgments <= MOST_SHARE[judgments] * all_pairs.judgments


@pytest.mark.proof
@pytest.mark.parametrize("errs", MODELS.values(), ids=MODELS)
def test_figures(errs, capsys):
    lines = ["", "| pool | " + " | ".join(f"all pairs, {m} | {p}" for m, p in PLANS.items()) + " |"]
    found = {judgments: both_ways(judgments, errs, POOLS, 60_000) for judgments in PLANS}
    for pool in POOLS:
        cells = [f"{said(found[m][1][pool])} | {said(found[m][0][pool])}" for m in PLANS]
        lines.append(f"| {pool} | {' | '.join(cells)} |")
    for name, sizes in SIZES.items():
        cells = []
        for judgments in PLANS:
            one, all_pairs = (averaged(part, sizes) for part in found[judgments])
            error = np.hypot(one.found_se, all_pairs.found_se)
            share = one.judgments / all_pairs.judgments
            cells.append(f"{said(all_pairs)} | {said(one)} {100 * (one.found - all_pairs.found):+.1f} +- "
                         f"{100 * error:.1f}, {share:.0%}")  # fmt: skip
            assert one.found > all_pairs.found + error
            assert share <= MOST_SHARE[judgments]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201


@pytest.mark.proof
@pytest.mark.parametrize(
    "judgments, pool, plan",
    [(1, 6, (1, 2, 2)), (1, 8, (1, 2, 4)), (3, 4, (1, 3, 15)), (3, 5, (1, 4, 15)), (3, 12, (1, 4, 15)),
     (5, 3, (2, 2, 9)), (5, 4, (2, 3, 9)), (5, 12, (2, 4, 15))],
)  # fmt: skip
def test_the_aim_at_one_size(judgments, pool, plan):
    """The smallest pools at which half of the judgments are enough, and large ones, each with a plan of its own."""
    one = found_in_sequence(pool, _plan(*plan), queries=200_000)
    all_pairs = found_by_all_pairs(pool, judgments, queries=200_000)
    assert one.found > all_pairs.found
    assert one.judgments <= all_pairs.judgments / 2


@pytest.mark.proof
def test_other_rules(capsys):
    """The rules that were tried, over the pools of the finalists: found in percent, judgments per query."""
    leads = [(9, 9, 1), (9, 9, 3), (9, 9, 5), (9, 9, 7), (2, 2, 9), (3, 3, 15), (1, 2, 3), (1, 2, 4), (1, 3, 9),
             (1, 4, 15), (2, 3, 9), (2, 4, 9), (2, 3, 15), (2, 4, 15)]  # fmt: skip
    rules = {
        f"keep {keep}, replace {replace}, most {most}": lambda pool, errs, plan=(keep, replace, most): _of(
            found_in_sequence(pool, _plan(*plan), errs=errs, queries=20_000)
        )
        for keep, replace, most in leads
    }
    for first, final in (((1, 2, 5), (2, 3, 9)), ((2, 2, 9), (3, 3, 9)), ((2, 3, 9), (3, 4, 15))):
        rules[f"{first}, then a second look {final}"] = lambda pool, errs, plans=(first, final): with_a_second_look(
            pool, _plan(*plans[0]), _plan(*plans[1]), errs=errs, queries=20_000
        )
    for sure in (0.4, 0.5, 0.6, 0.7):
        rules[f"evidence to {sure}"] = lambda pool, errs, sure=sure: by_evidence(pool, sure, errs=errs, queries=20_000)
    for judgments in (1, 3, 5, 7):
        rules[f"all pairs, {judgments}"] = lambda pool, errs, judgments=judgments: _of(
            found_by_all_pairs(pool, judgments, errs=errs, queries=20_000)
        )
    weights = np.array(list(SIZES["finalists"].values())) / 50
    with capsys.disabled():
        print()  # noqa: T201
        for name, rule in rules.items():
            cells = [weights @ [rule(pool, errs) for pool in SIZES["finalists"]] for errs in MODELS.values()]
            print(f"| {name} | " + " | ".join(f"{100 * hit:.1f} ({cost:.1f})" for hit, cost in cells) + " |")  # noqa: T201


@pytest.mark.parametrize("judgments, comes, stays", [(1, 0.548, 0.867), (3, 0.774, 0.875), (5, 0.768, 0.936)])
def test_how_often_the_best_document_comes_in_last_and_stays(judgments, comes, stays):
    plan = PLANS[judgments]
    assert match_chance(plan, 0.67) == pytest.approx(comes, abs=0.0005)
    assert 1 - match_chance(plan, 0.33) == pytest.approx(stays, abs=0.0005)


def _plan(keep, replace, most):
    return SequentialPlan(keep_lead=keep, replace_lead=replace, most_judgments=most)


def _of(found):
    return found.found, found.judgments
