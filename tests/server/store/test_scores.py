from dataclasses import asdict, replace

import numpy as np
import pytest

from runoff.errors import ConflictError, UsageError
from runoff.server.store.audit import load_audit
from runoff.server.store.label_sets import NewVersion, save_label_set, save_query_set
from runoff.server.store.scores import (
    MeanScore,
    ScoreCondition,
    StoredVerdict,
    load_analysis,
    load_scored_counts,
    load_scores,
    load_verdicts,
    save_analysis,
    save_score,
    save_verdict,
)
from runoff.server.store.submissions import save_run, save_run_state
from tests.server.store.world import NOW


@pytest.fixture
def condition(world):
    return ScoreCondition(label_set_id=world.labels.id, query_set_id=world.queries.id, computation_version="1")


@pytest.fixture
def run_id(world):
    runs = [world.database.write(lambda c, n=n: save_run(c, world.run(n), now=NOW)) for n in (1, 2)]
    return runs[0].id


def test_an_array_is_kept_per_run_and_condition(world, condition, run_id):
    array = np.array([[1, -1], [0, 2]], dtype=np.int8)
    for _ in range(2):
        world.database.write(lambda c: save_analysis(c, condition, run_id, array, now=NOW))
    with world.database.read() as connection:
        found = load_analysis(connection, condition, run_id)
        assert found is not None
        assert found.tolist() == array.tolist()
        assert load_analysis(connection, condition, run_id + 1) is None
        assert load_analysis(connection, replace(condition, computation_version="2"), run_id) is None


def test_sealed_labels_or_queries_are_refused(world, condition, run_id):
    new = NewVersion(board_id=world.board.id, name="private", queries=3, content_hash=None)
    labels = world.database.write(lambda c: save_label_set(c, new, judged=5, actor=None, now=NOW))
    queries = world.database.write(lambda c: save_query_set(c, new, actor=None, now=NOW))
    for change in ({"label_set_id": labels.id}, {"query_set_id": queries.id}):
        with pytest.raises(UsageError, match="is sealed or missing; what is sealed is kept per query in the sealed"):
            world.database.write(
                lambda c, change=change: save_analysis(c, replace(condition, **change), run_id, np.zeros(3), now=NOW)
            )


def test_a_run_is_scored_once(world, condition, run_id):
    score = MeanScore(**asdict(condition), run_id=run_id, measure="RR@10", mean=0.25, queries=3, missing_queries=1)
    world.database.write(lambda c: save_score(c, score, now=NOW))
    with pytest.raises(ConflictError, match="has a mean RR@10 on these labels and queries already"):
        world.database.write(lambda c: save_score(c, replace(score, mean=0.5), now=NOW))
    other = replace(score, run_id=run_id + 1)
    world.database.write(lambda c: save_score(c, other, now=NOW))
    with world.database.read() as connection:
        assert load_scores(connection, world.board.id) == (score, other)
        assert load_scores(connection, world.board.id, run_id=other.run_id) == (other,)
        assert load_scores(connection, 99) == ()
        assert load_scored_counts(connection, world.board.id) == (0, 0), "a mean alone makes no scored run"
    for state in ("scoring", "scored"):
        world.database.write(lambda c, state=state: save_run_state(c, other.run_id, state, now=NOW))
    another = replace(condition, computation_version="2")
    with world.database.read() as connection:
        assert load_scores(connection, world.board.id, condition=condition) == (score, other)
        assert load_scores(connection, world.board.id, condition=another) == ()
        assert load_scored_counts(connection, world.board.id, condition) == (1, 1)
        assert load_scored_counts(connection, world.board.id, another) == (1, 0)
        assert load_scored_counts(connection, 99, condition) == (0, 0)


def test_a_verdict_is_decided_once_and_noted(world, condition, run_id):
    verdict = StoredVerdict(
        **asdict(condition),
        run_id=run_id,
        champion_id=run_id + 1,
        strict="inconclusive",
        do_no_harm="better",
        sentence="It is better.",
        policy={"alpha": 0.05},
        decided_at=NOW,
    )
    with pytest.raises(ConflictError, match="cannot be compared with itself"):
        world.database.write(lambda c: save_verdict(c, replace(verdict, champion_id=verdict.run_id)))
    world.database.write(lambda c: save_verdict(c, verdict))
    with pytest.raises(ConflictError, match="has its verdict on these labels and queries already"):
        world.database.write(lambda c: save_verdict(c, replace(verdict, strict="worse")))
    with world.database.read() as connection:
        assert load_verdicts(connection, world.board.id) == (verdict,)
        assert load_verdicts(connection, world.board.id, run_id=verdict.run_id) == (verdict,)
        assert load_verdicts(connection, world.board.id, run_id=verdict.run_id + 1) == ()
        *_, entry = load_audit(connection, thing="run")
    assert entry.details == {"champion": verdict.champion_id, "overall": "better"}


def test_a_verdict_of_former_days_is_that_under_do_no_harm(condition):
    former = StoredVerdict(
        **asdict(condition), run_id=1, champion_id=None, strict="worse", do_no_harm="trade-off", sentence="", policy={},
        decided_at=NOW,
    )  # fmt: skip
    assert (former.overall, former.how) == ("trade-off", ())
    now = replace(former, policy={"overall": "worse", "how": ["fewer"]})
    assert (now.overall, now.how) == ("worse", ("fewer",))


def test_a_verdict_that_is_missing_is_not_inconclusive(world, condition, run_id):
    missing = StoredVerdict(
        **asdict(condition),
        run_id=run_id,
        champion_id=None,
        strict=None,
        do_no_harm=None,
        sentence="It is the first.",
        policy={},
        decided_at=NOW,
    )
    world.database.write(lambda c: save_verdict(c, missing))
    with world.database.read() as connection:
        (stored,) = load_verdicts(connection, world.board.id)
    assert (stored, stored.overall, stored.spoken) == (missing, None, "")
    assert replace(missing, champion_id=run_id + 1).spoken == "not compared"
    compared = replace(missing, champion_id=run_id + 1, policy={"overall": "worse", "how": ["fewer"]})
    assert compared.spoken == "worse: fewer"
