"""The tally: judgments into best documents, win ratios and their impact on the board, once their quality is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.arguments import checks_arguments
from runoff.errors import InputError, MissingExtraError, UsageError
from runoff.files.judging.task_table import read_tasks
from runoff.preferences import (
    BetterThanPerfectResult,
    QualityResult,
    TopDocs,
    TournamentResult,
    agreement,
    better_than_perfect,
    bradley_terry,
    corrected_ratios,
    corrected_share,
    impact,
    mark_test_pairs,
    order_agreement,
    pairings_won,
    quality,
    side_bias,
    timing,
    tournament,
    win_ratios,
)
from runoff.preferences.impact import perfect_run
from runoff.reading.judgments import JudgmentSources, read_judgment_files
from runoff.reading.runs import read_runs
from runoff.reading.sources import (
    Progress,
    QrelsSource,
    ReadOptions,
    RunSource,
    RunSources,
    as_qrels,
    as_runs,
    is_same_run,
    optional_runs,
)
from runoff.results.fit import fits_of_runs
from runoff.results.tally import TallyResult
from runoff.results.tally_tables import DEPTH, PreferenceBoard, TallyOptions
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run
from runoff.tables.tasks import Tasks
from runoff.verbs._labels import TaskSource
from runoff.verdicts.preference_verdicts import win_ratio_marks

MOST_QUERIES: Final = 1000
"""Bradley-Terry scores of more queries are slow, so they are made only if asked for."""


@checks_arguments
def tally(
    judgments: JudgmentSources,
    *,
    runs: RunSources = (),
    qrels: QrelsSource | None = None,
    tasks: TaskSource | None = None,
    one_pair: RunSource | None = None,
    options: TallyOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> TallyResult:
    """Count preference judgments: quality, agreement, best documents; with runs and qrels what follows for a board.

    judgments  a file or `Preferences`, or several; a file whose content was given before counts once
    runs       their win ratios, with the perfect ranking as one more; and with qrels the impact on their scores
    qrels      the original labels
    tasks      the task file or `Tasks`, which knows the right answers of test pairs
    one_pair   one of the runs, or one more: its one pair per query (the paper's section 3), the error of judges that it
               implies, and win ratios corrected for it

    Arabzadeh et al. 2021, https://arxiv.org/abs/2109.00062

    >>> votes = Preferences.of([("q1", "a", "b", "b"), ("q2", "c", "d", "d")])
    >>> qrels = {"q1": {"a": 1}, "q2": {"c": 1}}
    >>> result = tally(votes, runs=[{"q1": {"b": 1.0}, "q2": {"d": 1.0}}], qrels=qrels)
    >>> result.tournament.winners, result.board.ratios.runs, result.board.impact.perfect.means.tolist()
    ((('b',), ('d',)), ('run 1', 'perfect ranking'), [0.0])
    """
    asked = options or TallyOptions()
    sources, names, place = _with_one_pair(runs, one_pair, qrels)
    if one_pair is not None and qrels is None:
        raise UsageError(
            "one pair per query and no qrels; expected the labels that the pairs were made with; give them"
        )
    if len(sources) == 1 and qrels is None:
        raise UsageError("one run and no qrels; expected qrels, or another run to compare with; give one of them")
    table, files = read_judgment_files(judgments, reading=reading)
    known = None if tasks is None else tasks if isinstance(tasks, Tasks) else read_tasks(tasks)
    if known is not None:
        table = mark_test_pairs(table, known.known_answers)
    checked = quality(table, exclude=asked.exclude, assessors_per_task=asked.assessors_per_task)
    if not len(checked.kept):
        problem = (
            f"no judgment counts: of {len(table):,} that were read, {checked.discarded:,} are discarded for a failed "
            "test pair; expected some that pass; issue the tasks again"
        )
        raise InputError([problem])
    found = tournament(checked.kept)
    labels = None if qrels is None else as_qrels(qrels, reading=reading)
    if labels is not None and not any(query_id in labels.query_places for query_id in found.query_ids):
        problem = (
            f"none of the {len(found.query_ids):,} judged queries, such as '{found.query_ids[0]}', is in "
            f"{labels.name}; expected labels of the queries that were judged; give others, or none"
        )
        raise InputError([problem])
    tops = read_runs(sources, top=DEPTH, names=names, reading=reading, progress=progress).tops if sources else ()
    return TallyResult(
        options=asked,
        files=files,
        table=table,
        tasks=known,
        quality=checked,
        agreement=agreement(checked.kept),
        sides=side_bias(checked.kept),
        timing=timing(table, below=asked.too_fast),
        tournament=found,
        second_opinion=_second_opinion(checked.kept, found, asked),
        pairings=None if labels is None else pairings_won(checked.kept, labels),
        new_pairings=pairings_won(checked.kept, found.qrels()),
        board=_board(checked, found, tops, labels, asked, place) if tops else None,
    )


def _with_one_pair(
    runs: RunSources, one_pair: RunSource | None, labels: QrelsSource | None
) -> tuple[list[RunSource], list[str], int | None]:
    """The runs with the one whose pairs are counted, their names, and its place; a file named twice is one run."""
    sources, names = optional_runs(runs, [labels])
    if one_pair is None:
        return sources, names, None

    place = next((place for place, run in enumerate(sources) if is_same_run(run, one_pair)), len(sources))
    if place == len(sources):
        others = [dict(zip(names, sources, strict=True))] if sources else []
        sources, names = as_runs(*others, one_pair)
    return sources, names, place


def _second_opinion(table: Preferences, found: TournamentResult, asked: TallyOptions) -> tuple[str, ...] | None:
    if asked.bradley_terry is False or (asked.bradley_terry is None and len(found.query_ids) > MOST_QUERIES):
        return None
    try:
        return bradley_terry(table).differing(found)
    except MissingExtraError:
        if asked.bradley_terry:
            raise
        return None


def _board(
    checked: QualityResult,
    found: TournamentResult,
    tops: Sequence[Run],
    labels: Qrels | None,
    asked: TallyOptions,
    place: int | None,
) -> PreferenceBoard:
    """What the judgments say about the runs; `place` is that of the run whose one pair per query is looked at."""
    fits = fits_of_runs(tops, found.query_ids, "the judgments")
    shown, ranked = [TopDocs.of_runs(tops, found.query_ids)], list(tops)
    compared: tuple[BetterThanPerfectResult, ...] = ()
    if labels is not None:
        judged = labels.only([query_id for query_id in found.query_ids if query_id in labels.query_places])
        shown.append(TopDocs.perfect(labels, found.query_ids))
        ranked.append(perfect_run(judged))
        compared = tuple(better_than_perfect(checked.kept, run, judged) for run in tops)
    ratios = win_ratios(checked.kept, TopDocs.joined(shown))
    pairs = None if place is None or labels is None else better_than_perfect(checked.kept, tops[place], labels)
    error = None if pairs is None else pairs.judge_error
    shares = {one.run: corrected_share(one.differs.preferred, error) for one in compared} if error else {}
    return PreferenceBoard(
        ratios=ratios,
        marks=win_ratio_marks(ratios, asked.policy),
        fits=fits,
        better_than_perfect=compared,
        order=order_agreement(checked.kept, ranked, depth=DEPTH),
        impact=None
        if labels is None
        else impact(checked.kept, tops, labels, found, trials=asked.trials, seed=asked.seed),
        one_pair=pairs,
        corrected=None if pairs is None else corrected_ratios(ratios, pairs.judge_error),
        shares=shares,
        one_pair_share=None if pairs is None else corrected_share(pairs.differs.preferred, pairs.judge_error),
    )
