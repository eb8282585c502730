from runoff.server.store.campaign_plans import PlannedPair, load_tasks
from runoff.server.store.judgments import (
    ImportedAnswer,
    ImportedTask,
    load_assigned,
    load_imported,
    load_judgments,
    save_imported,
)
from tests.server.store.judged import Judging
from tests.server.store.world import NOW

REAL = PlannedPair(query_id="q1", left_doc="d2", right_doc="d1")
KNOWN = PlannedPair(query_id="q1", left_doc="off topic", right_doc="good", expected="right")


def imported(name, real, known):
    answers = (
        ImportedAnswer(pair=KNOWN, preferred=known, seconds=1.0),
        ImportedAnswer(pair=REAL, preferred=real, seconds=2.0),
    )
    return ImportedTask(assessor=name, task="t", content_hash="a" * 64, answers=answers, failed=known != KNOWN.expected)


def test_a_task_from_elsewhere_is_a_batch_of_its_own_or_takes_a_place_of_the_plan(world):
    judging = Judging(world)
    own = judging.read(load_tasks, judging.campaign)[0]

    def save(new, person, task):
        return judging.database.write(
            lambda c: save_imported(c, judging.campaign, new, judging.people[person], task=task, now=NOW)
        )

    save(imported("ann", "left", "left"), 0, own)
    assert judging.progress() == {"open": 8, "given": 0, "done": 0}, "a failed task of the plan is open again"
    save(imported("bob", "left", "right"), 1, own)
    save(imported("cy", "tie", "right"), 2, None)
    save(imported("di", "left", "left"), 3, None)
    assert judging.progress() == {"open": 7, "given": 0, "done": 3}
    rows = judging.read(load_judgments, judging.campaign)
    assert [(row.left_doc, row.preferred, row.expected, row.batch) for row in rows] == [
        ("good", "left", "left", own.batch),
        ("d1", "right", None, own.batch),
        ("off topic", "right", "right", 4),
        ("d2", "tie", None, 4),
    ]
    assert set(judging.read(load_imported, judging.campaign)) == {(name, "t") for name in ("ann", "bob", "cy", "di")}
    assert len(judging.read(load_assigned, judging.campaign)) == 4
