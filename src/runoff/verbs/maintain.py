"""Upkeep of labels: what a new run makes it necessary to judge, and the best known answers after the judgments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from runoff.display import Column, Grid, Shown
from runoff.errors import UsageError
from runoff.files.judging.judged_pairs import render_pairs
from runoff.files.qrels import LabelVersion
from runoff.phrases import counted
from runoff.preferences import (
    JudgingCost,
    NeededPairs,
    UpdatedLabels,
    judging_cost,
    needed_pairs,
    updated_labels,
)
from runoff.reading.judgments import JudgmentSources, digests
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, RunSources, optional_runs
from runoff.results.fit import Fit, dropped_notes, fit_counts, fits_of_runs
from runoff.tables.preferences import JudgmentFile
from runoff.verbs._label_changes import LabelChangesResult, label_changes
from runoff.verbs._labels import (
    LabelSource,
    MaintainOptions,
    TaskSources,
    as_labels,
    changes_said,
    counted_judgments,
    label_lines_of,
    replaced_grid,
    version_of,
)
from runoff.verbs._sequential import SettleResult, maintain_sequentially

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
class MaintainResult(Shown):
    """Labels after some judgments, and what new runs still need.

    labels   the version that was given; updated: the best known answers after the judgments
    changes  what the judgments change, in a sentence or two
    version  the number of the new version; that of the old one if nothing changed
    needed   per run, in order; a pair that an earlier run needs is not listed again
    fits     how the runs fit the labels
    """

    labels: LabelVersion
    files: tuple[JudgmentFile, ...]
    updated: UpdatedLabels
    changes: str
    needed: tuple[NeededPairs, ...]
    cost: JudgingCost
    fits: tuple[Fit, ...] = ()

    @property
    def version(self) -> int:
        """The version of the labels after the judgments."""
        return version_of(self.labels, self.updated)

    @property
    def pairs(self) -> tuple[tuple[str, str, str], ...]:
        """Everything that is to be judged."""
        return tuple(pair for one in self.needed for pair in one.pairs)

    def pair_lines(self) -> Iterator[str]:
        """The lines of a file with the pairs, for `runoff tasks --pairs`."""
        return render_pairs(self.pairs)

    def label_lines(self) -> Iterator[str]:
        """The lines of a file with the new version; of the old one, if nothing changed."""
        return label_lines_of(self.labels, self.updated, self.files)

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

    def grids(self) -> tuple[Grid, ...]:
        """What runs need, and what changed."""
        if not self.needed:
            return (replaced_grid(self.updated),)
        return (self.grid(), *([replaced_grid(self.updated)] if self.updated.replaced else []))

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff maintain --format json`."""
        return {
            "version": self.version,
            "parent": self.labels.digest,
            "judgments": list(digests(self.files)),
            "queries": len(self.updated.labels.query_ids),
            "rows": len(self.updated.labels),
            "keeps_grades": self.updated.keeps_rows,
            "single_answers": self.updated.made_single,
            "replaced": [
                {"query": query_id, "old": list(old), "new": list(new)} for query_id, old, new in self.updated.replaced
            ],
            "rings": list(self.updated.rings),
            "runs": [
                {
                    "run": one.run,
                    "pairs": [list(pair) for pair in one.pairs],
                    "known": one.known,
                    "compared": one.compared,
                    "no_top": one.no_top,
                    "missing_queries": one.no_top,
                }
                for one in self.needed
            ],
            "pairs": len(self.pairs),
            "tasks": self.cost.tasks,
            "cost": self.cost.total,
        }


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
    sources, names = optional_runs(runs)
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
