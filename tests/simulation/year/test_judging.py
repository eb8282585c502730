"""The judgments of a year: pools, tasks, test pairs, the error of the careful, one careless assessor."""

import numpy as np
import pytest

from runoff.preferences import quality
from runoff.simulation.year import YearConfig, simulate_year
from runoff.simulation.year.judging import CARELESS, ERROR, assessor_name, judge_year, pooled_runs
from runoff.tables.preferences import LEFT

YEAR = simulate_year(YearConfig(public=100, private=150, deep=5, judged=120, seed=2))
TABLE = judge_year(YEAR)
VALUE = {
    f"D{document}": value
    for document, value in zip(YEAR.questions.documents.ravel().tolist(), YEAR.questions.value.ravel(), strict=True)
}


def test_every_pair_of_every_pool_is_judged_three_times():
    query_ids = YEAR.questions.query_ids
    wanted = set()
    for row in YEAR.judged.tolist():
        pool = {int(YEAR.ranked[name][row, 0]) for name in pooled_runs(YEAR)} | {int(YEAR.questions.label[row])}
        docs = sorted(f"D{YEAR.questions.documents[row, one]}" for one in pool)
        wanted |= {(query_ids[row], a, b) for place, a in enumerate(docs) for b in docs[place + 1 :]}
    real = [(row.query_id, *sorted((row.left, row.right))) for row in TABLE if row.expected is None]
    assert set(real) == wanted
    assert len(real) == 3 * len(wanted)


def test_the_careful_err_as_often_as_said():
    docs = list(TABLE.docs)
    careful = ~TABLE.is_test & (TABLE.row_assessor != CARELESS)
    left, right = (np.array([VALUE[docs[one]] for one in side]) for side in (TABLE.left, TABLE.right))
    prefers_better = (TABLE.choice == LEFT) == (left > right)
    assert 1 - prefers_better[careful].mean() == pytest.approx(ERROR, abs=0.025)


def test_test_pairs_are_on_topic_against_off_topic_and_catch_the_careless_alone():
    checked = quality(TABLE, assessors_per_task=3)
    assert checked.excluded == (assessor_name(CARELESS),)
    of_query = {f"D{one}": row for row, docs in enumerate(YEAR.questions.documents.tolist()) for one in docs}
    rows = {query_id: row for row, query_id in enumerate(YEAR.questions.query_ids)}
    for row in TABLE:
        if row.expected is not None:
            wrong = row.right if row.expected == row.left else row.left
            assert of_query[row.expected] == rows[row.query_id] != of_query[wrong]


def test_the_same_seed_gives_the_same_judgments():
    assert list(judge_year(YEAR)) == list(TABLE)


@pytest.mark.proof
def test_runs_that_were_not_pooled_look_better_on_the_queries_that_were_judged():
    """By true values: how often a first document is better than the label, where it was judged and on all queries."""
    year = simulate_year()
    label, value = year.questions.label, year.questions.value
    more = []
    for name in set(year.ranked) - set(pooled_runs(year)):
        rows = [row for row in year.judged.tolist() if year.ranked[name][row, 0] != label[row]]
        is_better = np.array([value[row, year.ranked[name][row, 0]] > value[row, label[row]] for row in rows])
        judged = [
            any(year.ranked[name][row, 0] == year.ranked[other][row, 0] for other in pooled_runs(year)) for row in rows
        ]
        more.append(is_better[judged].mean() - is_better.mean())
    said = f"{np.mean(more):+.1%} on average, {np.min(more):+.1%} to {np.max(more):+.1%}"
    print(f"\n{len(more)} runs that were not pooled: {said}")  # noqa: T201
    assert min(more) > 0
