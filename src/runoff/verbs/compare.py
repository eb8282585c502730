"""Compare challengers with a champion: are they better, and how; and the table of all systems under all measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, overload

from runoff.arguments import checks_arguments
from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.reading.given_scores import ScoresSource, as_scores, runs_named
from runoff.reading.judgments import JudgmentSources, as_judgments, ratios_of, votes_of
from runoff.reading.runs import Scoring, read_runs, scores_of, scratch_of
from runoff.reading.sources import (
    MeasureSource,
    Progress,
    QrelsSource,
    ReadOptions,
    RunSource,
    RunSources,
    are_several,
    as_labels,
    as_measures,
    grouped_runs,
)
from runoff.results.comparison import Comparison
from runoff.results.fit import check_labels
from runoff.results.multi_comparison import MultiComparison
from runoff.tables.systems import scores_of_systems, systems_of
from runoff.verbs._comparing import (
    SEVERAL_RUNS,
    judged,
    multi_comparison,
    numbers_of_scores,
    stored,
    whole_numbers_of,
)
from runoff.verbs._systems_table import systems_table
from runoff.verdicts import PairEvidence, Policy

OneOf = TypeVar("OneOf", bound=RunSource)


@overload
def compare(  # type: ignore[overload-overlap]  # a list of dicts is a list of runs where they are runs
    champion: RunSources,
    challenger: list[OneOf] | tuple[OneOf, ...] | Mapping[str, RunSource],
    qrels: QrelsSource | None = None,
    *,
    scores: ScoresSource | None = None,
    measures: MeasureSource | None = None,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    options: CompareOptions | None = None,
    policy: Policy | None = None,
    judgments: JudgmentSources = (),
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> MultiComparison: ...
@overload
def compare(
    champion: RunSources,
    challenger: RunSource,
    qrels: QrelsSource | None = None,
    *,
    scores: ScoresSource | None = None,
    measures: MeasureSource | None = None,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    options: CompareOptions | None = None,
    policy: Policy | None = None,
    judgments: JudgmentSources = (),
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> Comparison: ...
@checks_arguments
def compare(
    champion: RunSources,
    challenger: RunSources,
    qrels: QrelsSource | None = None,
    *,
    scores: ScoresSource | None = None,
    measures: MeasureSource | None = None,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    options: CompareOptions | None = None,
    policy: Policy | None = None,
    judgments: JudgmentSources = (),
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> Comparison | MultiComparison:
    """Compare a challenger, or several, with a champion; the p-values of all verdicts are corrected together.

    champion    the run to beat; see `RunSource`. With a list of runs the others are further baselines, of which only
                the table of systems makes use. With `scores`, names of their runs
    challenger  a run; or a list or a dict of runs, for a `MultiComparison`, among which the champion and the baselines
                are left out. Runs that are called `name#1`, `name#2` and so on are seeds of one system, and compared
                by their mean for each query
    qrels       the relevance judgments; see `QrelsSource`
    scores      per-query scores instead, see `ScoresSource`: no outcomes and no IPSO, which need ranked lists
    measures    the measure that decides, nDCG@10 or RR@10 by the labels if None; others are columns of the table of
                systems
    depth       the ranks that outcomes and IPSO look at; by default the measure's cutoff, or 100
    queries     the queries to compare on; all of the qrels' if None
    options     measures, depth and more in one value; then give neither of them
    policy      level, correction and tests
    judgments   files of judged pairs of documents: what people preferred is one more line of evidence
    reading     tie rule, limits, and the engine that scores

    >>> qrels = {f"q{i}": {"d": 1} for i in range(8)}
    >>> late, early = {"x": 3.0, "y": 2.0, "d": 1.0}, {"d": 2.0, "x": 1.0}
    >>> comparison = compare({q: late for q in qrels}, {q: early for q in qrels}, qrels, measures="RR@10")
    >>> comparison.outcomes.both, comparison.verdict.do_no_harm, round(comparison.means.difference, 3)
    (8, 'better', 0.667)
    """
    if options is not None and (measures is not None or depth is not None):
        raise UsageError("options and a measure or depth; expected one or the other; put them into the options")
    policy = policy or Policy()
    if scores is not None and qrels is None:
        named = measures if options is None else options.measures
        options = options or CompareOptions(depth=depth)
        result = _compare_scores(scores, champion, challenger, named, options, policy)
    elif qrels is not None and scores is None:
        named = None if measures is None else as_measures(measures)
        result = _compare_runs(
            champion,
            challenger,
            qrels,
            options or CompareOptions(measures=named, depth=depth),
            policy,
            queries=queries,
            judgments=judgments,
            reading=reading,
            progress=progress,
        )
    else:
        raise UsageError("expected either qrels, to compare runs, or scores, to compare their columns; give one")
    if are_several(challenger):
        return result
    if len(result.comparisons) > 1:
        many = len(result.comparisons)
        raise UsageError(f"{challenger!r} holds {many:,} runs; expected one; to compare them all, put it into a list")
    return result.comparisons[0]


def _compare_runs(
    champion: RunSources,
    challengers: RunSources,
    qrels: QrelsSource,
    options: CompareOptions,
    policy: Policy,
    *,
    queries: Sequence[str] | None,
    judgments: JudgmentSources,
    reading: ReadOptions | None,
    progress: Progress | None,
) -> MultiComparison:
    """Compare runs by their ranked lists, query by query."""
    runs, names, (champions, _) = grouped_runs(champion, challengers, labels=[qrels])
    systems, baselines = _systems(names, names[:champions])
    labels = as_labels(qrels, runs, queries=queries, reading=reading)
    options = options.for_labels(labels)
    depth = options.needed_depth()
    scoring = Scoring(labels=labels, measures=(options.measure, *options.also), keep_serps=True)
    read = read_runs(runs, scoring, depth=depth, names=names, reading=reading, progress=progress)
    facts = [run.facts for run in read.scored[0]]
    query_ids, serps = read.serps[0].query_ids, dict(zip(names, read.serps, strict=True))
    check_labels(facts, query_ids, labels, depth=depth, each=True)
    scratch = scratch_of(read.serps[0].grades, reading)
    scores = scores_of(read.scored[0], scoring.measures, reading)
    of_systems = [scores_of_systems(each, systems) for each in scores]

    def numbers(champion: str, challenger: str) -> PairEvidence:
        if champion in serps and challenger in serps:
            return whole_numbers_of(serps[champion], serps[challenger], options, policy, scores=of_systems)
        return numbers_of_scores(of_systems, champion, challenger, options, policy, why=SEVERAL_RUNS)

    computed = (numbers(baselines[0], system) for system in systems if system not in baselines)
    pairs = list(computed if scratch is None else (stored(pair, scratch) for pair in computed))
    if as_judgments(judgments):
        ratios = ratios_of(judgments, runs, names, query_ids, reading=reading)
        pairs = [
            replace(pair, more=replace(pair.more, votes=votes_of(ratios, pair.champion, pair.challenger)))
            if {pair.champion, pair.challenger} <= serps.keys()
            else pair
            for pair in pairs
        ]
    table = None
    if len(names) > 2 or options.also:  # else the comparison itself says all of it
        table = systems_table(scores, of_systems, systems, baselines, options=options, policy=policy, fits=facts)
    return multi_comparison(judged(pairs, policy, options), table)


def _compare_scores(
    source: ScoresSource,
    champion: object,
    challengers: object,
    measures: MeasureSource | None,
    options: CompareOptions,
    policy: Policy,
) -> MultiComparison:
    """Compare columns of per-query scores.

    Where the scores are named after a measure of runoff, that measure says whether low or high is better, and which
    tests its scale permits; else high is better.
    """
    groups = [list(group) if isinstance(group, (list, tuple)) else [group] for group in (champion, challengers)]
    named = [[name for name in group if isinstance(name, str)] for group in groups]
    if named != groups:
        raise UsageError("a run beside a matrix of scores; expected the names of its columns; give these")
    tables = as_scores(source, measures)
    first, others = (runs_named(tables[0], group) for group in named)
    others = [name for name in others if name not in first]
    if len({*first, *others}) < len(first) + len(others):
        raise UsageError("a run is named twice; expected a different one for each; drop one")
    systems, baselines = _systems([*first, *others], first)
    of_systems = [scores_of_systems(each, systems) for each in tables]
    pairs = [
        numbers_of_scores(of_systems, baselines[0], system, options, policy)
        for system in systems
        if system not in baselines
    ]
    table = None
    if len(tables[0].runs) > 2 or len(tables) > 1:
        table = systems_table(tables, of_systems, systems, baselines, options=options, policy=policy)
    return multi_comparison(judged(pairs, policy, options), table)


def _systems(names: Sequence[str], champions: Sequence[str]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The systems of some runs, and those of them to be beaten; others must be left."""
    systems = systems_of(names)
    baselines = tuple(system for system, runs in systems.items() if not set(runs).isdisjoint(champions))
    if not baselines:
        raise UsageError("no champion; expected the run to beat; name one")
    if len(baselines) == len(systems):
        seeds = "; name#1, name#2 and so on are one system" if len(names) > len(systems) else ""
        raise UsageError(f"no challenger; expected at least one run beside the champion; name one{seeds}")
    return systems, baselines
