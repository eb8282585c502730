"""Compare a challenger with a champion: is it better, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runoff.comparisons.options import DEFAULT_MEASURE, CompareOptions
from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.reading.judgments import ratios_of, votes_of
from runoff.reading.runs import Scoring, read_runs, scratch_of
from runoff.reading.sources import Progress, ReadOptions, as_labels
from runoff.results.comparison import Comparison
from runoff.results.fit import check_serps
from runoff.results.multi_comparison import MultiComparison
from runoff.tables.scores import Scores
from runoff.verbs._comparing import judged, multi_comparison, numbers_of_scores, stored, whole_numbers_of
from runoff.verdicts import Policy


def compare(
    champion: Any,
    challenger: Any,
    qrels: Any,
    *,
    measure: str | Measure | None = None,
    depth: int | None = None,
    question: CompareOptions | None = None,
    policy: Policy | None = None,
    reading: ReadOptions | None = None,
) -> Comparison:
    """Compare a challenger with a champion.

    champion, challenger   files, frames, dicts, tuples or Run objects
    qrels                  a file, frame, dict, tuples or Qrels
    measure, depth         the chosen measure (RR@100), and the ranks that outcomes and IPSO look at
    question               these and more, in one value; then give neither of them
    policy                 level, correction and tests of the verdict
    reading                tie rule and size limit

    >>> qrels = {f"q{i}": {"d": 1} for i in range(8)}
    >>> late, early = {"x": 3.0, "y": 2.0, "d": 1.0}, {"d": 2.0, "x": 1.0}
    >>> comparison = compare({q: late for q in qrels}, {q: early for q in qrels}, qrels, measure="RR@10")
    >>> comparison.outcomes.both, comparison.verdict.do_no_harm, round(comparison.means.difference, 3)
    (8, 'better', 0.667)
    """
    if question is not None and (measure is not None or depth is not None):
        raise UsageError("a question and a measure or depth are given; expected either; put them into the question")
    asked = question or CompareOptions(measure=measure or DEFAULT_MEASURE, depth=depth)
    compared = compare_all(champion, [challenger], qrels, question=asked, policy=policy, reading=reading)
    return compared.comparisons[0]


def compare_all(
    champion: Any,
    challengers: Sequence[Any],
    qrels: Any,
    *,
    question: CompareOptions | None = None,
    policy: Policy | None = None,
    judgments: Any = (),
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> MultiComparison:
    """Compare several challengers with one champion; p-values behind the verdicts are corrected over all of them.

    judgments  files of judged pairs: what people preferred is one more line of evidence
    """
    asked, decide = question or CompareOptions(), policy or Policy()
    if not challengers:
        raise UsageError("no challenger; expected at least one run beside the champion; name one")
    chosen = asked.chosen_measure()
    runs = [champion, *challengers]
    labels, depth = as_labels(qrels, runs, reading=reading), asked.needed_depth(chosen)
    serps = read_runs(
        runs, Scoring(labels=labels, keep_serps=True), depth=depth, reading=reading, progress=progress
    ).serps
    scratch = scratch_of(serps[0].grades, reading)
    check_serps(serps, labels, depth=depth, each=True)
    computed = (whole_numbers_of(serps[0], challenger, asked, decide) for challenger in serps[1:])
    pairs = list(computed if scratch is None else (stored(pair, scratch) for pair in computed))
    if judgments:
        names = [run.run for run in serps]
        ratios = ratios_of(judgments, runs, names, serps[0].query_ids, reading=reading)
        pairs = [
            replace(pair, more=replace(pair.more, votes=votes_of(ratios, pair.champion, pair.challenger)))
            for pair in pairs
        ]
    return multi_comparison(judged(pairs, decide, asked))


def compare_scores(
    scores: Scores,
    champion: str,
    challengers: Sequence[str],
    *,
    question: CompareOptions | None = None,
    policy: Policy | None = None,
) -> MultiComparison:
    """Compare runs by a matrix of per-query scores; outcomes and IPSO need ranked lists and are left out.

    Where the scores are named after a measure of runoff, that measure says whether low or high is better, and which
    tests its scale permits; else high is better.
    """
    asked, decide = question or CompareOptions(), policy or Policy()
    if not challengers:
        raise UsageError("no challenger; expected at least one run beside the champion; name one")
    if len({champion, *challengers}) <= len(challengers):
        raise UsageError("a run is named twice; expected a different one for each; drop one")
    pairs = [numbers_of_scores(scores, champion, challenger, asked, decide) for challenger in challengers]
    return multi_comparison(judged(pairs, decide, asked))
