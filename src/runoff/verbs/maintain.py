"""Upkeep of labels: what a new run makes it necessary to judge, and the best known answers after the judgments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from runoff.arguments import checks_arguments
from runoff.display import Column, Grid, Shown
from runoff.display.rows import row_dict
from runoff.errors import UsageError
from runoff.files.judging.judged_pairs import render_pairs
from runoff.files.qrels import LabelVersion
from runoff.phrases import counted
from runoff.preferences import (
    JudgingCost,
    NeededPairs,
    SequentialPlan,
    SequentialResult,
    UpdatedLabels,
    candidates_of,
    judging_cost,
    needed_pairs,
    sequential,
    settled_labels,
    updated_labels,
)
from runoff.reading.judgments import JudgmentSources, digests
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, RunSources, optional_runs
from runoff.results.fit import Fit, dropped_notes, fit_counts, fits_of_runs
from runoff.tables.preferences import JudgmentFile
from runoff.verbs._label_changes import LabelChangesResult, label_changes
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

__all__ = [
    "LabelChangesResult",
    "MaintainOptions",
    "MaintainResult",
    "SettleResult",
    "label_changes",
    "maintain",
    "maintain_sequentially",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class _LabelsResult(Shown):
    """Labels before and after some judgments.

    labels   the version that was given
    files    the judgments
    updated  the best known answers after the judgments
    """

    labels: LabelVersion
    files: tuple[JudgmentFile, ...]
    updated: UpdatedLabels

    @property
    def version(self) -> int:
        """The version of the labels after the judgments; that of the old ones if nothing changed."""
        return version_of(self.labels, self.updated)

    @property
    @abstractmethod
    def is_waiting(self) -> bool:
        """Whether anything is to be judged."""

    def label_lines(self) -> Iterator[str]:
        """The lines of a file with the new version; of the old one, if nothing changed."""
        return label_lines_of(self.labels, self.updated, self.files)

    def grids(self) -> tuple[Grid, ...]:
        """What is to be judged, and what changed."""
        return (self.grid(), *([replaced_grid(self.updated)] if self.is_waiting and self.updated.replaced else []))

    def _keys(self) -> dict[str, object]:
        """The keys of the labels in JSON."""
        return {"version": self.version, "parent": self.labels.digest, "judgments": list(digests(self.files))}

    def _replaced(self) -> list[dict[str, object]]:
        return [{"query": query_id, "old": list(old), "new": list(new)} for query_id, old, new in self.updated.replaced]


@dataclass(frozen=True, kw_only=True, eq=False)
class MaintainResult(_LabelsResult):
    """Labels after some judgments, and what new runs still need.

    changes  what the judgments change, in a sentence or two
    needed   per run, in order; a pair that an earlier run needs is not listed again
    fits     how the runs fit the labels
    """

    changes: str
    needed: tuple[NeededPairs, ...]
    cost: JudgingCost
    fits: tuple[Fit, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Whether runs were looked at, which may need judgments."""
        return bool(self.needed)

    @property
    def pairs(self) -> tuple[tuple[str, str, str], ...]:
        """Everything that is to be judged."""
        return tuple(pair for one in self.needed for pair in one.pairs)

    def pair_lines(self) -> Iterator[str]:
        """The lines of a file with the pairs, for `runoff tasks --pairs`."""
        return render_pairs(self.pairs)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What changed and what is to be done."""
        said = self.changes
        again = sum(one.same_as is not None for one in self.files)
        if again:
            said += f" {again:,} of the files had the content of an earlier one and counted once."
        found = [said]
        if self.needed:
            found.append(
                f"To be judged: {counted(len(self.pairs), 'pair')} in {counted(self.cost.tasks, 'task')}, for "
                f"{self.cost.total:,.2f} "
                f"({self.cost.pay:.2f} + {self.cost.fee:.2f} each)."
            )
        missing = fit_counts([Fit(run=one.run, missing_queries=one.no_top) for one in self.needed])
        if missing:
            queries = len(self.updated.labels.query_ids)
            found.append(f"Missing queries, for which nothing is to be judged: {missing} (of {queries:,}).")
        return (*found, *dropped_notes(self.fits))

    def grid(self) -> Grid:
        """What each run needs; without runs, what changed."""
        if not self.needed:
            return replaced_grid(self.updated)
        return Grid(
            title="What the runs need",
            columns=[
                Column("run", "Run"),
                Column("pairs", "Pairs to judge", "count"),
                Column("known", "Best known on top", "count"),
                Column("compared", "Compared before", "count"),
                Column("no_top", "Nothing retrieved", "count"),
            ],
            rows=[[one.run, len(one.pairs), one.known, one.compared, one.no_top] for one in self.needed],
        )

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff maintain --format json`."""
        return {
            **self._keys(),
            "queries": len(self.updated.labels.query_ids),
            "rows": len(self.updated.labels),
            "keeps_grades": self.updated.keeps_rows,
            "single_answers": self.updated.made_single,
            "replaced": self._replaced(),
            "rings": list(self.updated.rings),
            "runs": [
                {
                    "run": one.run,
                    "pairs": [list(pair) for pair in one.pairs],
                    **row_dict(one, "known", "compared", "no_top"),
                    "missing_queries": one.no_top,
                }
                for one in self.needed
            ],
            "pairs": len(self.pairs),
            "tasks": self.cost.tasks,
            "cost": self.cost.total,
        }


@checks_arguments
def maintain(
    runs: RunSources,
    labels: LabelSource,
    *,
    judgments: JudgmentSources = (),
    tasks: TaskSources = None,
    options: MaintainOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> MaintainResult:
    """Update the best known answers by some judgments, and list the pairs that new runs make necessary.

    runs       new runs; may be empty
    labels     the best known answers: any qrels, or a version that was written before
    judgments  all judgments so far, files or `Preferences`; those of failed tasks do not count
    tasks      the task file or files, which know the right answers of test pairs
    options    how deep runs are looked at, what a failed test pair discards, and what becomes of graded labels

    Arabzadeh et al. 2021, section 6, https://arxiv.org/abs/2109.00062

    >>> from runoff.tables import Preferences
    >>> votes = Preferences.of([("q1", "b", "a", "b")])
    >>> found = maintain([{"q1": {"b": 1.0}, "q2": {"d": 1.0}}], {"q1": {"a": 1}, "q2": {"c": 1}}, judgments=votes)
    >>> found.updated.replaced, found.pairs, found.version
    ((('q1', ('a',), ('b',)),), (('q2', 'd', 'c'),), 2)
    """
    reading, options = reading or ReadOptions(), options or MaintainOptions()
    version = as_labels(labels, reading)
    kept, files = counted_judgments(judgments, tasks, options.exclude, reading)
    sources, names = optional_runs(runs, [labels])
    if not sources and not files:
        raise UsageError("neither runs nor judgments; expected one of them; name a new run, or judgments to take in")
    updated = updated_labels(version.qrels, kept, single_answers=options.single_answers)
    tops = (
        read_runs(sources, top=options.depth, names=names, reading=reading, progress=progress).tops if sources else ()
    )
    fits = fits_of_runs(tops, updated.labels.query_ids, version.qrels.name)
    needed = needed_pairs(tops, updated.labels, kept, depth=options.depth)
    return MaintainResult(
        labels=version,
        files=files,
        updated=updated,
        changes=changes_said(version, updated),
        needed=needed,
        cost=judging_cost(sum(len(one.pairs) for one in needed)),
        fits=fits,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class SettleResult(_LabelsResult):
    """How far the search for the best documents has come.

    updated  the best known answers after the decided matches
    queries  of the labels, in their order
    """

    plan: SequentialPlan
    queries: tuple[SequentialResult, ...]

    @property
    def due(self) -> tuple[tuple[str, str, str, int], ...]:
        """(query, candidate, best known answer, judgments) of every pair that is to be judged now."""
        return tuple(
            (query.query_id, query.due.candidate, query.due.best, query.due.due)
            for query in self.queries
            if query.due is not None
        )

    def pair_lines(self) -> Iterator[str]:
        """The lines of a file for `runoff tasks --pairs`: each pair as often as it is to be judged."""
        return render_pairs(
            (query_id, candidate, best) for query_id, candidate, best, times in self.due for _ in range(times)
        )

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What is to be judged now, and what has been spared."""
        final, judgments = sum(query.is_final for query in self.queries), sum(times for *_, times in self.due)
        sentences = [f"{final:,} of {len(self.queries):,} queries have their best document."]
        if self.due:
            pairs = "1 pair is" if len(self.due) == 1 else f"{len(self.due):,} pairs are"
            sentences[0] += f" {pairs} to be judged next, {judgments:,} judgments in all."
        used, full = self._used(), self._full_pairing()
        sentences.append(f"{used:,} judgments were used so far; all pairs, judged once, would take {full:,}.")
        if self.updated.keeps_rows or self.updated.made_single:
            sentences.append(changes_said(self.labels, self.updated))
        return tuple(sentences)

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

    @property
    def is_waiting(self) -> bool:
        """Whether anything is to be judged now."""
        return bool(self.due)

    def _used(self) -> int:
        return sum(query.used for query in self.queries)

    def _full_pairing(self) -> int:
        return sum(query.full_pairing() for query in self.queries)

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff maintain --sequential --format json`."""
        return {
            **self._keys(),
            "queries": len(self.queries),
            "final": sum(query.is_final for query in self.queries),
            "due": [
                {"query": query_id, "candidate": candidate, "best": best, "judgments": times}
                for query_id, candidate, best, times in self.due
            ],
            "replaced": self._replaced(),
            "used": self._used(),
            "full_pairing": self._full_pairing(),
            "plan": {
                **row_dict(self.plan, "keep_lead", "replace_lead", "most_judgments"),
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

    runs       in the order in which they came; a new query last, and all of them each time
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
    counted_votes, files = counted_judgments(judgments, tasks, options.exclude, reading)
    sources, names = optional_runs(runs, [labels])
    tops = (
        read_runs(sources, top=options.depth, names=names, reading=reading, progress=progress).tops if sources else ()
    )
    queries = sequential(candidates_of(version.qrels, tops, depth=options.depth), counted_votes, plan=plan)
    updated = settled_labels(version.qrels, queries, single_answers=options.single_answers)
    return SettleResult(labels=version, files=files, plan=plan, queries=queries, updated=updated)
