"""The best document of each query, found in sequence: what is to be judged next, and the labels so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from runoff.display import Column, Grid, Shown
from runoff.files.judging.judged_pairs import render_pairs
from runoff.files.qrels import LabelVersion
from runoff.preferences import (
    SequentialPlan,
    SequentialResult,
    UpdatedLabels,
    candidates_of,
    sequential,
    settled_labels,
)
from runoff.reading.judgments import JudgmentSources, digests
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, RunSources, optional_runs
from runoff.tables.preferences import JudgmentFile
from runoff.verbs._labels import (
    MOST_ROWS,
    LabelSource,
    MaintainOptions,
    TaskSources,
    as_labels,
    changes_said,
    counted_judgments,
    label_lines_of,
    replaced_grid,
    rows_left_out,
    version_of,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SettleResult(Shown):
    """How far the search for the best documents has come.

    labels   the version that was given; updated: the best known answers after the decided matches
    queries  of the labels, in their order
    """

    labels: LabelVersion
    files: tuple[JudgmentFile, ...]
    plan: SequentialPlan
    queries: tuple[SequentialResult, ...]
    updated: UpdatedLabels

    @property
    def version(self) -> int:
        """The version of the labels after the decided matches; that of the old ones if nothing changed."""
        return version_of(self.labels, self.updated)

    @property
    def due(self) -> tuple[tuple[str, str, str, int], ...]:
        """(query, candidate, best known answer, judgments) of every pair that is to be judged now."""
        return tuple(
            (one.query_id, one.due.candidate, one.due.best, one.due.due) for one in self.queries if one.due is not None
        )

    def pair_lines(self) -> Iterator[str]:
        """The lines of a file for `runoff tasks --pairs`: each pair as often as it is to be judged."""
        return render_pairs((query_id, one, other) for query_id, one, other, times in self.due for _ in range(times))

    def label_lines(self) -> Iterator[str]:
        """The lines of a file with the new version; of the old one, if nothing changed."""
        return label_lines_of(self.labels, self.updated, self.files)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What is to be judged now, and what has been spared."""
        final, asked = sum(one.is_final for one in self.queries), sum(times for *_, times in self.due)
        found = [f"{final:,} of {len(self.queries):,} queries have their best document."]
        if self.due:
            pairs = "1 pair is" if len(self.due) == 1 else f"{len(self.due):,} pairs are"
            found[0] += f" {pairs} to be judged next, {asked:,} judgments in all."
        used, full = self._used(), self._full_pairing()
        found.append(f"{used:,} judgments were used so far; all pairs, judged once, would take {full:,}.")
        if self.updated.keeps_rows or self.updated.made_single:
            found.append(changes_said(self.labels, self.updated))
        return tuple(found)

    def grid(self) -> Grid:
        """The pairs that are to be judged now; without any, the answers that changed."""
        if not self.due:
            return replaced_grid(self.updated)
        return Grid(
            title="To be judged next",
            columns=[
                Column("query", "Query"),
                Column("candidate", "Candidate"),
                Column("best", "Best known answer"),
                Column("due", "Judgments", "count"),
            ],
            rows=[list(row) for row in self.due[:MOST_ROWS]],
            notes=rows_left_out(len(self.due), "pairs"),
        )

    def grids(self) -> tuple[Grid, ...]:
        """What is due, and what changed."""
        return (self.grid(), *([replaced_grid(self.updated)] if self.due and self.updated.replaced else []))

    def _used(self) -> int:
        return sum(one.used for one in self.queries)

    def _full_pairing(self) -> int:
        return sum(one.full_pairing() for one in self.queries)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff maintain --sequential --format json`."""
        return {
            "version": self.version,
            "parent": self.labels.digest,
            "judgments": list(digests(self.files)),
            "queries": len(self.queries),
            "final": sum(one.is_final for one in self.queries),
            "due": [
                {"query": query_id, "candidate": candidate, "best": best, "judgments": times}
                for query_id, candidate, best, times in self.due
            ],
            "replaced": [
                {"query": query_id, "old": list(old), "new": list(new)} for query_id, old, new in self.updated.replaced
            ],
            "used": self._used(),
            "full_pairing": self._full_pairing(),
            "plan": {
                "keep_lead": self.plan.keep_lead,
                "replace_lead": self.plan.replace_lead,
                "most_judgments": self.plan.most_judgments,
            },
        }


def maintain_sequentially(
    runs: RunSources,
    labels: LabelSource,
    *,
    judgments: JudgmentSources = (),
    tasks: TaskSources = None,
    plan: SequentialPlan | None = None,
    options: MaintainOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> SettleResult:
    """Let the top documents of some runs meet the best known answers in turn: what is due next, and the labels so far.

    runs       in the order in which they came; a new one last, and all of them each time
    labels     the best known answers at the beginning: the same each time, until the search is over
    judgments  all judgments so far, files or `Preferences`; those of failed tasks do not count
    tasks      the task files of all rounds, which know the right answers of test pairs
    options    its depth is how many top documents of each run are candidates; the same each time

    >>> from runoff.tables import Preferences
    >>> run, label = {"q1": {"b": 1.0}, "q2": {"d": 1.0}}, {"q1": {"a": 1}, "q2": {"c": 1}}
    >>> maintain_sequentially([run], label).due
    (('q1', 'b', 'a', 2), ('q2', 'd', 'c', 2))
    >>> judgments = Preferences.of([("q1", "a", "b", "b")] * 3 + [("q2", "c", "d", "c")])
    >>> result = maintain_sequentially([run], label, judgments=judgments)
    >>> result.due, result.updated.replaced
    ((('q2', 'd', 'c', 1),), (('q1', ('a',), ('b',)),))
    """
    reading, plan, options = reading or ReadOptions(), plan or SequentialPlan(), options or MaintainOptions()
    version = as_labels(labels, reading)
    kept, files = counted_judgments(judgments, tasks, options.exclude, reading)
    sources, names = optional_runs(runs)
    tops = (
        read_runs(sources, top=options.depth, names=names, reading=reading, progress=progress).tops if sources else ()
    )
    found = sequential(candidates_of(version.qrels, tops, depth=options.depth), kept, plan=plan)
    updated = settled_labels(version.qrels, found, single_answers=options.single_answers)
    return SettleResult(labels=version, files=files, plan=plan, queries=found, updated=updated)
