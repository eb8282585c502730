"""Tasks: pools or pairs dealt out to assessors, with the texts that they read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from runoff.arguments import checks_arguments
from runoff.display import Column, Grid, Shown
from runoff.display.grid import Value
from runoff.errors import UsageError
from runoff.files.judging.label_studio import CONFIG, render_label_studio
from runoff.files.judging.mturk import most_pairs, render_mturk_csv, render_mturk_page
from runoff.files.judging.task_table import render_task_jsonl, render_task_sheet, render_tasks
from runoff.files.judging.texts import read_texts
from runoff.files.streams import Source
from runoff.preferences import JudgingCost, Pools, TaskPlan, draw_known_pairs, judging_cost, make_tasks, pools_of_pairs
from runoff.preferences.tasks import FEE, PAY, known_pairs_needed
from runoff.reading.sources import QrelsSource, ReadOptions, RunSources, as_qrels
from runoff.results.fit import dropped_notes
from runoff.tables.preferences import Preferences
from runoff.tables.tasks import Tasks
from runoff.verbs.pool import PoolOptions, pool

Known = Sequence[tuple[str, str, str]]


@dataclass(frozen=True, kw_only=True, eq=False)
class TasksResult(Shown):
    """Tasks that are ready to be given out.

    pairs    different pairs that were asked for; left_out: those among them that have enough judgments already
    written  (what, file) of everything that was written
    remarks  what a reader should know of the runs
    """

    tasks: Tasks
    plan: TaskPlan
    pairs: int
    left_out: int
    cost: JudgingCost
    written: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The lines of the task file."""
        return render_tasks(self.tasks)

    def grid(self) -> Grid:
        """The tasks, in numbers."""
        rows: list[list[Value]] = [
            ["tasks", len(self.tasks)],
            ["pairs to judge", self.tasks.real_pairs],
            ["test pairs", len(self.tasks.pairs) - self.tasks.real_pairs],
            ["pairs with enough judgments, left out", self.left_out],
        ]
        notes = [
            f"{len(self.tasks):,} tasks cost {self.cost.total:,.2f} ({self.cost.pay:.2f} + {self.cost.fee:.2f} each).",
            *self.remarks,
            *(f"{what}: {file}" for what, file in self.written),
        ]
        columns = [Column("what", "What"), Column("number", "Number", "count")]
        return Grid(title=f"Tasks, seed {self.plan.seed}", columns=columns, rows=rows, notes=notes)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff tasks --format json`."""
        return {
            "tasks": len(self.tasks),
            "pairs": self.tasks.real_pairs,
            "test_pairs": len(self.tasks.pairs) - self.tasks.real_pairs,
            "left_out": self.left_out,
            "cost": self.cost.total,
            "seed": self.plan.seed,
            "task_ids": list(self.tasks.by_task),
            "files": [{"what": what, "file": file} for what, file in self.written],
        }


@checks_arguments
def tasks(
    runs: RunSources,
    qrels: QrelsSource,
    *,
    options: PoolOptions | None = None,
    plan: TaskPlan | None = None,
    queries: Sequence[str] | None = None,
    judged: Preferences | None = None,
    known: Known | None = None,
    reading: ReadOptions | None = None,
) -> TasksResult:
    """Pool some runs and deal all pairs of the pools, or of a sample of them, out into tasks.

    judged  judgments that are there already; pairs with enough of them are left out
    known   test pairs of your own, (query, right answer, wrong answer); drawn from the qrels if None

    >>> run, qrels = {"q": {"a": 1.0}, "r": {"c": 1.0}}, {"q": {"b": 1}, "r": {"d": 1}}
    >>> made = tasks([run], qrels, plan=TaskPlan(tests_per_task=1))
    >>> len(made.tasks), made.tasks.real_pairs, made.tasks.known_answers[0][0] in {"q", "r"}
    (1, 2, True)
    """
    found = pool(runs, qrels, options=options, queries=queries, reading=reading)
    made = _made(found.chosen.pairs(), found.chosen, qrels, plan, judged, known, reading)
    return replace(made, remarks=tuple(dropped_notes(found.fits)))


def tasks_of_pairs(
    pairs: Known,
    qrels: QrelsSource | None = None,
    *,
    plan: TaskPlan | None = None,
    judged: Preferences | None = None,
    known: Known | None = None,
    reading: ReadOptions | None = None,
) -> TasksResult:
    """Deal some pairs, (query, document, document) each, out into tasks; the qrels are for test pairs."""
    return _made(pairs, pools_of_pairs(pairs), qrels, plan, judged, known, reading)


def _made(
    pairs: Known,
    pools: Pools,
    qrels: QrelsSource | None,
    plan: TaskPlan | None,
    judged: Preferences | None,
    known: Known | None,
    reading: ReadOptions | None,
) -> TasksResult:
    asked = plan or TaskPlan()
    if known is None:
        number = known_pairs_needed(len(pairs), asked)
        if qrels is None and number:
            raise UsageError("no qrels to draw test pairs from; expected qrels, or test pairs; give one of the two")
        known = ()
        if number and qrels is not None:
            number = min(number, 3 * max(len(pools.query_ids), asked.tests_per_task))
            known = draw_known_pairs(pools, as_qrels(qrels, reading=reading), number, seed=asked.seed)
    made = make_tasks(pairs, known, plan=asked, judged=judged)
    return result_of(made, plan=asked, pairs=len(set(pairs)))


def result_of(made: Tasks, *, plan: TaskPlan, pairs: int | None = None) -> TasksResult:
    """The result that shows some tasks."""
    different = len({row.pair for row in made if row.expected is None})
    tasks_cost = judging_cost(len(made), pairs_per_task=1, pay=PAY, fee=FEE)
    asked = different if pairs is None else pairs
    return TasksResult(tasks=made, plan=plan, pairs=asked, left_out=asked - different, cost=tasks_cost)


@dataclass(frozen=True, kw_only=True)
class TaskTexts:
    """Tasks with the texts of their queries and documents, as files for those who judge; none holds right answers."""

    tasks: Tasks
    queries: dict[str, str]
    docs: dict[str, str]

    def sheet(self) -> str:
        """CSV with a pair in each row, to be filled in."""
        return "".join(render_task_sheet(self.tasks, self.queries, self.docs))

    def jsonl(self) -> str:
        """JSON lines with a pair on each."""
        return "".join(render_task_jsonl(self.tasks, self.queries, self.docs))

    def mturk(self) -> tuple[str, str]:
        """CSV with a task in each row, and the page that shows it."""
        page = "".join(render_mturk_page(most_pairs(self.tasks)))
        return "".join(render_mturk_csv(self.tasks, self.queries, self.docs)), page

    def label_studio(self) -> tuple[str, str]:
        """JSON to import into Label Studio, and its labeling configuration."""
        return "".join(render_label_studio(self.tasks, self.queries, self.docs)), CONFIG


def with_texts(made: Tasks, query_texts: Source, doc_texts: Source, *, reading: ReadOptions | None = None) -> TaskTexts:
    """Look up the texts of all queries and documents of some tasks; a missing one is an error that names it.

    query_texts, doc_texts  collections: TSV, JSON lines or Parquet, however large; see `runoff.files.read_texts`
    """
    limit = (reading or ReadOptions()).max_bytes
    queries = read_texts(query_texts, (row.query_id for row in made), part="queries", max_bytes=limit)
    queries.require_all("query")
    docs = read_texts(doc_texts, (doc for row in made for doc in (row.left, row.right)), max_bytes=limit)
    docs.require_all("document")
    return TaskTexts(tasks=made, queries=queries.by_id, docs=docs.by_id)
