"""The sequential search in files, from the first pair to the labels."""

import numpy as np

from runoff.files.judging.judged_pairs import read_pairs
from runoff.files.judging.task_table import read_tasks
from runoff.preferences import SequentialPlan, TaskPlan
from runoff.simulation.panel import simulate_answers
from runoff.tables import Preferences
from runoff.verbs.maintain import MaintainOptions, maintain, maintain_sequentially
from runoff.verbs.tasks import tasks_of_pairs

QUERIES = [f"q{number}" for number in range(6)]
LABELS = {query: {"d0": 1} for query in QUERIES}


def run_of(seed):
    rng = np.random.default_rng(seed)
    return {query: {f"d{rng.integers(5)}": 1.0} for query in QUERIES}


def judged_to_the_end(runs, worth, rows=()):
    """Judge what is due, without errors, until nothing is."""
    table, rounds = Preferences.of(rows), 0
    while (found := maintain_sequentially(runs, LABELS, judgments=table)).due:
        pairs = read_pairs("".join(found.pair_lines()).encode())
        dealt = tasks_of_pairs(pairs, plan=TaskPlan(tests_per_task=0, seed=rounds))  # or task ids could repeat
        assert dealt.tasks.real_pairs == sum(times for *_, times in found.due)
        table = Preferences.joined([table, simulate_answers(dealt.tasks, error=0.0, worth=worth)])
        rounds += 1
    return found, table, rounds


def test_the_loop_of_files_ends_with_the_best_documents():
    rng = np.random.default_rng(3)
    worth = {(query, f"d{number}"): rng.normal() for query in QUERIES for number in range(5)}
    runs = [run_of(seed) for seed in range(4)]
    found, table, rounds = judged_to_the_end(runs, worth)
    for one in found.queries:
        shown = {"d0", *(next(iter(run[one.query_id])) for run in runs)}
        assert one.best == max(shown, key=lambda doc: worth[one.query_id, doc])
    assert rounds <= 12
    assert found.updated.replaced
    assert list(maintain([], LABELS, judgments=table).updated.labels) == list(found.updated.labels)
    later, _, _ = judged_to_the_end([*runs, run_of(9)], worth, rows=list(table))
    before = [one.matches for one in found.queries]
    assert [one.matches[: len(old)] for one, old in zip(later.queries, before, strict=True)] == before
    assert later.to_dict()["used"] == sum(one.used for one in later.queries)


def test_what_is_shown(tmp_path):
    labels, votes = tmp_path / "l.qrels", tmp_path / "v.txt"
    labels.write_text("q 0 a 1\nr 0 x 1\ns 0 s 1\n")
    votes.write_text("q n a n\n" * 3)
    run = {"q": {"n": 1.0}, "r": {"y": 1.0}, "s": {"s": 1.0}}
    found = maintain_sequentially([run], labels, judgments=[votes])
    assert found.due == (("r", "y", "x", 2),)
    assert list(found.pair_lines()) == ["r y x\n"] * 2
    assert found.opening(80) == (
        "2 of 3 queries have their best document. 1 pair is to be judged next, 2 judgments in all.",
        "3 judgments were used so far; all pairs, judged once, would take 2.",
    )
    assert [grid.title for grid in found.grids()] == ["To be judged next", "Best known answers that changed"]
    assert found.to_dict()["due"] == [{"query": "r", "candidate": "y", "best": "x", "judgments": 2}]
    assert (found.to_dict()["final"], found.to_dict()["used"], found.to_dict()["full_pairing"]) == (2, 3, 2)
    newer = "".join(found.label_lines())
    assert newer.startswith("# runoff labels\n# version 2\n# parent sha256:")
    assert newer.endswith("q 0 n 1\nr 0 x 1\ns 0 s 1\n")


def test_nothing_due_and_nothing_changed(tmp_path):
    labels = tmp_path / "l.qrels"
    labels.write_text("q 0 a 1\n")
    found = maintain_sequentially([{"q": {"a": 1.0}}], labels)
    assert (found.due, found.version, list(found.pair_lines())) == ((), 1, [])
    assert [grid.title for grid in found.grids()] == ["Best known answers that changed"]
    assert "".join(found.label_lines()).startswith("# runoff labels\n# version 1\n")


def test_failed_tasks_do_not_count():
    votes = b"query,left,right,preferred,assessor,task,expected\n" + b"q,n,a,n,ann,t,\nq,a,off,off,ann,t,a\n"
    plan = SequentialPlan(keep_lead=1, replace_lead=1)
    assert maintain_sequentially([{"q": {"n": 1.0}}], {"q": {"a": 1}}, judgments=votes, plan=plan).due == (
        ("q", "n", "a", 1),
    )


def test_long_lists_are_cut():
    many = {f"q{number}": {"n": 1.0} for number in range(40)}
    assert maintain_sequentially([many], {query: {"a": 1} for query in many}).grid().notes == (
        "30 of 40 pairs; JSON has all.",
    )


def test_the_task_file_knows_the_test_pairs():
    known = [("q", "a", "off")]
    made = tasks_of_pairs([("q", "n", "a")], plan=TaskPlan(tests_per_task=1), known=known)
    tasks = read_tasks("".join(made.lines()).encode())
    votes = Preferences.of(
        [(row.query_id, row.left, row.right, "off" if row.expected else "n", "ann", row.task) for row in tasks]
    )
    assert (
        maintain_sequentially([{"q": {"n": 1.0}}], {"q": {"a": 1}}, judgments=votes, tasks=tasks).queries[0].used == 0
    )
    other = tasks_of_pairs([("r", "n", "a")], plan=TaskPlan(tests_per_task=0)).tasks
    assert (
        maintain_sequentially([{"q": {"n": 1.0}}], {"q": {"a": 1}}, judgments=votes, tasks=[other, tasks])
        .queries[0]
        .used
        == 0
    )
    assert maintain_sequentially([{"q": {"n": 1.0}}], {"q": {"a": 1}}, judgments=votes).queries[0].used == 1


def test_graded_labels_keep_grades_and_zeros():
    labels = {"q": {"a": 3, "z": 0}, "r": {"b": 2}}
    votes = Preferences.of([("q", "a", "n", "n")] * 3)
    kept = maintain_sequentially([{"q": {"n": 1.0}}], labels, judgments=votes)
    assert list(kept.updated.labels) == [("q", "a", 3), ("q", "z", 0), ("q", "n", 3), ("r", "b", 2)]
    assert "all 3 rows stay" in " ".join(str(kept).split())
    single = maintain_sequentially(
        [{"q": {"n": 1.0}}], labels, judgments=votes, options=MaintainOptions(single_answers=True)
    )
    assert list(single.updated.labels) == [("q", "n", 1), ("r", "b", 1)]
