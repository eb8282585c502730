"""The sequential way: the best known answer meets the others in turn, and the winner stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.store.campaign_plans import load_tasks
from runoff.store.campaign_pools import PoolItem
from runoff.workflows.judging.next_pairs import QueryState, load_steps, majority_of, query_states, save_due_tasks
from runoff.workflows.judging.results import load_figures, load_results
from runoff.workflows.judging.votes import load_counted


def state(votes, docs=("a", "b", "c")):
    return QueryState(query_id="q", docs=docs, votes=votes)


@pytest.mark.parametrize(
    "votes, expected",
    [
        ({}, ("a", ("a", "b"), 2, 2)),
        ({("a", "b"): (1, 1)}, ("a", ("a", "b"), 1, 2)),
        ({("a", "b"): (0, 2)}, ("b", ("b", "c"), 2, 1)),
        ({("a", "b"): (2, 0)}, ("a", ("a", "c"), 2, 1)),
        ({("a", "b"): (2, 0), ("a", "c"): (1, 2)}, ("c", None, 0, 0)),
        ({("a", "b"): (0, 2), ("b", "c"): (0, 3)}, ("c", None, 0, 0)),
        # A ring: c beats b beats a, and a, which lost once, is not asked again.
        ({("a", "b"): (0, 2), ("b", "c"): (0, 2), ("a", "c"): (2, 0)}, ("c", None, 0, 0)),
    ],
)
def test_majority_of_three(votes, expected):
    found = majority_of(state(votes), 3)
    assert (found.best, found.pair, found.wanted, found.waiting) == expected


def test_an_even_split_leaves_the_best_where_it_is():
    assert majority_of(state({("a", "b"): (1, 1)}), 2).pair == ("a", "c")


@given(st.permutations("abcdefg"), st.sampled_from([1, 2, 3, 5]))
def test_with_sure_assessors_the_best_is_found_by_one_comparison_a_candidate(docs, judgments):
    votes: dict[tuple[str, str], tuple[int, int]] = {}
    asked = 0
    while (step := majority_of(state(votes, tuple(docs)), judgments)).pair is not None:
        first, second = sorted(step.pair)
        one, other = votes.get((first, second), (0, 0))
        votes[first, second] = (one, other + step.wanted)  # the later letter is the better
        asked += step.wanted
    assert step.best == "g"
    assert len(votes) == len(docs) - 1
    assert asked == (len(docs) - 1) * (judgments // 2 + 1)


def test_the_label_comes_first_then_what_most_runs_brought():
    items = [
        PoolItem(query_id="q", doc_id="x", runs=1, labelled=False),
        PoolItem(query_id="q", doc_id="y", runs=3, labelled=False),
        PoolItem(query_id="q", doc_id="z", runs=0, labelled=True),
    ]
    assert query_states(items, {})[0].docs == ("z", "y", "x")


def test_a_sequential_campaign_finds_the_best_of_every_pool_with_fewer_judgments(campaigned):
    campaign = campaigned.opened(way="sequential", judgments_per_pair=3, depth=2)
    actors = [campaigned.assessor(campaign) for _ in range(4)]
    assert campaigned.read(load_tasks, campaign.id) == ()
    campaigned.judge_all(campaign, actors)
    steps = campaigned.read(load_steps, campaign)
    counted = campaigned.read(load_counted, campaign)
    assert all(step.pair is None for step in steps.values())
    found = campaigned.read(load_results, campaigned.files, campaign, actor=campaigned.organiser)
    pools: dict[str, list[str]] = {}
    for query, votes in counted.items():
        pools[query] = sorted({doc for pair in votes for doc in pair})
    assert {query: best for query, (best,) in found.best if query in pools} == {
        query: docs[-1] for query, docs in pools.items()
    }
    assert all(sum(votes) == 2 for votes in counted["q0"].values()), "two who agree are a majority of three"
    people = [(row.query_id, row.left, row.right, row.assessor) for row in found.tally.quality.kept]
    pairs = [(query, *sorted((left, right)), who) for query, left, right, who in people]
    assert len(set(pairs)) == len(pairs), "nobody judged a pair twice"
    figures = campaigned.read(load_figures, campaign)
    assert figures.saved_judgments > 0
    assert figures.expected_judgments == figures.progress.judgments_done < figures.full_judgments
    assert campaigned.offer(campaign, actors[0]).state == "nothing"


def test_while_others_are_at_work_few_pairs_wait(campaigned):
    campaign = campaigned.opened(way="sequential", pairs_per_task=100, judgments_per_pair=1)
    first, second = campaigned.assessor(campaign), campaigned.assessor(campaign)
    assert campaigned.offer(campaign, first).state == "given"
    assert campaigned.offer(campaign, second).state == "wait"
    assert campaigned.database.write(lambda c: save_due_tasks(c, campaign.id)) == 0
    campaigned.do(campaign, first)
    assert campaigned.offer(campaign, second).state == "given"
