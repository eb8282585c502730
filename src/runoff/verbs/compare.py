"""Compare challengers with a champion: are they better, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.reading.judgments import JudgmentSources, as_judgments, ratios_of, votes_of
from runoff.reading.runs import Scoring, read_runs, scratch_of
from runoff.reading.sources import (
    MeasureSource,
    Progress,
    QrelsSource,
    ReadOptions,
    RunSource,
    RunSources,
    as_labels,
    as_measures,
    as_runs,
)
from runoff.results.comparison import Comparison
from runoff.results.fit import check_labels
from runoff.results.multi_comparison import MultiComparison
from runoff.tables.scores import Scores
from runoff.verbs._comparing import judged, multi_comparison, numbers_of_scores, stored, whole_numbers_of
from runoff.verdicts import Policy


def compare(
    champion: RunSource,
    challenger: RunSource,
    qrels: QrelsSource | None = None,
    *,
    scores: Scores | None = None,
    measures: MeasureSource | None = None,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    options: CompareOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
) -> Comparison:
    """Compare a challenger with a champion.

    champion, challenger  the two runs; see `RunSource`. With `scores`, the names of two of its columns
    qrels                 the relevance judgments; see `QrelsSource`
    scores                a matrix of per-query scores instead: no outcomes and no IPSO, which need ranked lists
    measures              the measure that decides; nDCG@10 or RR@10 by the labels if None. Others add smallest
                          detectable differences
    depth                 the ranks that outcomes and IPSO look at; by default the measure's cutoff, or 100
    queries               the queries to compare on; all of the qrels' if None
    options               measures, depth and more in one value; then give neither of them
    policy                level, correction and tests of the verdict
    reading               tie rule, limits, and the engine that scores

    >>> qrels = {f"q{i}": {"d": 1} for i in range(8)}
    >>> late, early = {"x": 3.0, "y": 2.0, "d": 1.0}, {"d": 2.0, "x": 1.0}
    >>> comparison = compare({q: late for q in qrels}, {q: early for q in qrels}, qrels, measures="RR@10")
    >>> comparison.outcomes.both, comparison.verdict.do_no_harm, round(comparison.means.difference, 3)
    (8, 'better', 0.667)
    """
    return compare_all(
        champion,
        [challenger],
        qrels,
        scores=scores,
        measures=measures,
        depth=depth,
        queries=queries,
        options=options,
        policy=policy,
        reading=reading,
    ).comparisons[0]


def compare_all(
    champion: RunSource,
    challengers: RunSources,
    qrels: QrelsSource | None = None,
    *,
    scores: Scores | None = None,
    measures: MeasureSource | None = None,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    options: CompareOptions | None = None,
    policy: Policy | None = None,
    judgments: JudgmentSources = (),
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> MultiComparison:
    """Compare several challengers with one champion; the p-values of all verdicts are corrected together.

    judgments  files of judged pairs of documents: what people preferred is one more line of evidence

    See `compare` for the other arguments.
    """
    if options is not None and (measures is not None or depth is not None):
        raise UsageError("options and a measure or depth; expected one or the other; put them into the options")
    if options is None:
        options = CompareOptions(measures=None if measures is None else as_measures(measures), depth=depth)
    policy = policy or Policy()
    if scores is not None and qrels is None:
        return _compare_scores(scores, champion, challengers, options, policy)
    if qrels is None or scores is not None:
        raise UsageError("expected either qrels, to compare runs, or scores, to compare their columns; give one")
    runs, names = as_runs(champion, challengers)
    if len(runs) < 2 or len(as_runs(champion)[0]) > 1:
        raise UsageError("no challenger; expected at least one run beside one champion; name one")
    labels = as_labels(qrels, runs, queries=queries, reading=reading)
    options = options.for_labels(labels)
    depth = options.needed_depth()
    read = read_runs(
        runs, Scoring(labels=labels, keep_serps=True), depth=depth, names=names, reading=reading, progress=progress
    )
    serps = read.serps
    scratch = scratch_of(serps[0].grades, reading)
    check_labels([run.facts for run in read.scored[0]], serps[0].query_ids, labels, depth=depth, each=True)
    computed = (whole_numbers_of(serps[0], challenger, options, policy) for challenger in serps[1:])
    pairs = list(computed if scratch is None else (stored(pair, scratch) for pair in computed))
    if as_judgments(judgments):
        ratios = ratios_of(judgments, runs, names, serps[0].query_ids, reading=reading)
        pairs = [
            replace(pair, more=replace(pair.more, votes=votes_of(ratios, pair.champion, pair.challenger)))
            for pair in pairs
        ]
    return multi_comparison(judged(pairs, policy, options))


def _compare_scores(
    scores: Scores, champion: object, challengers: object, options: CompareOptions, policy: Policy
) -> MultiComparison:
    """Compare columns of a matrix.

    Where the scores are named after a measure of runoff, that measure says whether low or high is better, and which
    tests its scale permits; else high is better.
    """
    listed = list(challengers) if isinstance(challengers, (list, tuple)) else [challengers]
    names = [name for name in (champion, *listed) if isinstance(name, str)]
    if len(names) <= len(listed):
        raise UsageError("a run beside a matrix of scores; expected the names of its columns; give these")
    if not listed:
        raise UsageError("no challenger; expected at least one run beside the champion; name one")
    if len(set(names)) < len(names):
        raise UsageError("a run is named twice; expected a different one for each; drop one")
    pairs = [numbers_of_scores(scores, names[0], challenger, options, policy) for challenger in names[1:]]
    return multi_comparison(judged(pairs, policy, options))
