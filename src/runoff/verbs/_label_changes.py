"""Two versions of the labels side by side: which ranks and verdicts change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.boards.generalization import generalization
from runoff.boards.kendall import TauReference
from runoff.boards.rank_sets import rank_sets
from runoff.boards.stability import StabilityResult, stability
from runoff.comparisons.options import CompareOptions
from runoff.display import Column, Grid, Shown
from runoff.display.rows import row_dict
from runoff.errors import UsageError
from runoff.files.qrels import LabelVersion
from runoff.measures import Measure, NamedMeasure, score
from runoff.preferences.maintenance import best_known
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, RunSources, as_runs
from runoff.results.tau_words import reference_keys
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verbs._labels import LabelSource, as_labels
from runoff.verdicts import Policy, rank_verdict, tau_sentence

DEPTH = 100


@dataclass(frozen=True, kw_only=True)
class RunChange:
    """One run under both versions; verdicts are against the leader under the old labels, None for the leader itself."""

    run: str
    old_mean: float
    new_mean: float
    old_rank: float
    new_rank: float
    old_verdict: str | None
    new_verdict: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelChangesResult(Shown):
    """What a new version of the labels changes, over the queries that both have.

    measure_note        why the measure was chosen, if nobody named one
    changed             queries whose best known answers differ; added, removed: queries that only one version has
    relabelled          queries of which any label differs, documents or grades
    is_child            whether the new version names the old one as its parent; None if it names none
    tau, tau_reference  Kendall's tau-b of the two orders, and what it can be compared with; None with one run
    """

    old: LabelVersion
    new: LabelVersion
    measure: str
    measure_note: str
    queries: int
    changed: tuple[str, ...]
    relabelled: tuple[str, ...]
    added: int
    removed: int
    leader: str
    runs: tuple[RunChange, ...]
    tau: float | None
    tau_reference: TauReference | None

    @property
    def is_child(self) -> bool | None:
        """Whether the new version names the old one as its parent; None if it names none."""
        return None if self.new.parent is None else self.new.parent == self.old.digest

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What changes, in a few sentences."""
        ranks = sum(one.old_rank != one.new_rank for one in self.runs)
        verdicts = sum(one.old_verdict != one.new_verdict for one in self.runs)
        more = len(set(self.relabelled) - set(self.changed))
        others = f", and other labels of {more:,} more" if more else ""
        answers = (
            f"From version {self.old.version} to {self.new.version} the best known answers of {len(self.changed):,} of "
            f"{self.queries:,} queries change{others}; {self.added:,} queries are new and {self.removed:,} are gone."
        )
        board = (
            f"{ranks:,} of {len(self.runs):,} runs change their rank by {self.measure}, and {verdicts:,} their verdict "
            f"against {self.leader}, the leader under the old labels."
        )
        said = [answers, board]
        if self.tau is not None and self.tau_reference is not None:
            alike = "" if self.tau == 1.0 else f" {tau_sentence(self.tau_reference)}"
            said.append(f"Kendall's tau of the two orders is {self.tau:.3f}.{alike}")
        if self.is_child is False:
            said.append("The new version names another parent than these old labels: it was not made from them.")
        return tuple(said)

    def grid(self) -> Grid:
        """A row per run, best under the new labels first."""
        return Grid(
            title=f"{self.measure} under two versions of the labels, {self.queries:,} queries",
            columns=[
                Column("run", "Run"),
                Column("old_mean", "Old", "number"),
                Column("new_mean", "New", "number"),
                Column("old_rank", "Old rank", "number", digits=1),
                Column("new_rank", "New rank", "number", digits=1),
                Column("old_verdict", "Old verdict"),
                Column("new_verdict", "New verdict"),
            ],
            rows=[[*vars(one).values()] for one in self.runs],
            notes=[
                f"Verdicts against {self.leader}, decided for all pairs of runs at once.",
                *([self.measure_note] if self.measure_note else []),
            ],
        )

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff maintain --old --new --format json`."""
        return {
            "old_version": self.old.version,
            "new_version": self.new.version,
            **row_dict(self, "is_child", "measure", "measure_note", "queries"),
            "changed": list(self.changed),
            "relabelled": list(self.relabelled),
            **row_dict(self, "added", "removed", "leader", "tau"),
            "tau_reference": reference_keys(self.tau_reference),
            "runs": [vars(one) for one in self.runs],
        }


def label_changes(
    runs: RunSources,
    old: LabelSource,
    new: LabelSource,
    *,
    measures: NamedMeasure | None = None,
    trials: int = 1000,
    seed: int = 0,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> LabelChangesResult:
    """Compare two versions of the labels: the answers that differ, and what that does to the runs.

    measures  the measure of the runs, nDCG@10 or RR@10 by the old labels if None

    >>> runs = [{"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 2.0, "a": 1.0}}]
    >>> found = label_changes(runs, {"q": {"a": 1}}, {"q": {"b": 1}})
    >>> [(one.run, one.old_rank, one.new_rank) for one in found.runs], found.changed
    ([('run 2', 2.0, 1.0), ('run 1', 1.0, 2.0)], ('q',))
    """
    reading = reading or ReadOptions()
    versions = as_labels(old, reading), as_labels(new, reading)
    both = shared_queries(*versions)
    compared = CompareOptions(measures=measures, seed=seed).for_labels(versions[0].qrels)
    depth = compared.measure.cutoff or DEPTH
    sources, names = as_runs(runs, labels=[old, new])
    tops = read_runs(sources, top=depth, names=names, reading=reading, progress=progress).tops
    serps = [[run.serps(one.qrels.only(both), depth=depth) for run in tops] for one in versions]
    return changes_of(versions, serps, compared=compared, trials=trials)


def shared_queries(old: LabelVersion, new: LabelVersion) -> list[str]:
    """The queries with a known answer in both versions; that there is none is an error."""
    answers = [best_known(one.qrels) for one in (old, new)]
    both = [query_id for query_id in answers[0] if query_id in answers[1]]
    if not both:
        raise UsageError("the two label sets share no query; expected versions of the same labels; check the files")
    return both


def changes_of(
    versions: tuple[LabelVersion, LabelVersion],
    serps: Sequence[Sequence[Serps]],
    *,
    compared: CompareOptions,
    policy: Policy | None = None,
    trials: int = 1000,
) -> LabelChangesResult:
    """What a new version changes, from the SERPs of the runs under the old and under the new one, on shared queries."""
    answers, rows = [best_known(one.qrels) for one in versions], [_rows(one) for one in versions]
    both = serps[0][0].query_ids
    measure = compared.measure
    scores = [score(lists, [measure])[0] for lists in serps]
    boards, tau, reference = _boards(scores, measure, trials, compared.seed)
    names = [one.run for one in serps[0]]
    leader = boards[0].order[0]
    verdicts = [_verdicts(one, leader, measure, policy or Policy(), compared.seed) for one in scores]
    changes = [
        RunChange(
            run=name,
            old_mean=float(boards[0].means[place]),
            new_mean=float(boards[1].means[place]),
            old_rank=float(boards[0].ranks[place]),
            new_rank=float(boards[1].ranks[place]),
            old_verdict=verdicts[0].get(place),
            new_verdict=verdicts[1].get(place),
        )
        for place, name in enumerate(names)
    ]
    return LabelChangesResult(
        old=versions[0],
        new=versions[1],
        measure=str(measure),
        measure_note=compared.measure_note,
        queries=len(both),
        changed=tuple(query_id for query_id in both if set(answers[0][query_id]) != set(answers[1][query_id])),
        relabelled=tuple(query_id for query_id in both if rows[0][query_id] != rows[1][query_id]),
        added=len(answers[1]) - len(both),
        removed=len(answers[0]) - len(both),
        leader=names[leader],
        runs=tuple(sorted(changes, key=lambda one: (one.new_rank, one.run))),
        tau=tau,
        tau_reference=reference,
    )


def _rows(version: LabelVersion) -> dict[str, set[tuple[str, float]]]:
    """The labels of each query: documents with their grades."""
    found: dict[str, set[tuple[str, float]]] = {}
    for query_id, doc_id, grade in version.qrels:
        found.setdefault(query_id, set()).add((doc_id, grade))
    return found


def _verdicts(scores: Scores, leader: int, measure: Measure, policy: Policy, seed: int) -> dict[int, str]:
    """The verdict on every other run against the leader, from the decisions about all pairs."""
    decisions = rank_sets(scores, alpha=policy.alpha, seed=seed, best_is_low=measure.best == "low")
    return {run: rank_verdict(decisions, run, leader) for run in range(len(scores.runs)) if run != leader}


def _boards(
    scores: Sequence[Scores], measure: Measure, trials: int, seed: int
) -> tuple[tuple[StabilityResult, ...], float | None, TauReference | None]:
    low = measure.best == "low"
    if len(scores[0].runs) == 1:
        return tuple(stability(one, trials=trials, seed=seed, best_is_low=low) for one in scores), None, None
    names = ("old", "new")
    found = generalization(
        dict(zip(names, scores, strict=True)), trials=trials, seed=seed, best_is_low=names if low else ()
    )
    return found.stabilities, float(found.taus[0, 1]), found.references[0, 1]
