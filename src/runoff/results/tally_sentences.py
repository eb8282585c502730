"""What a tally found, in sentences that claim no more than the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from runoff.phrases import counted
from runoff.preferences import (
    PERFECT,
    BetterThanPerfectResult,
    CorrectedRatios,
    ImpactResult,
    PreferredShare,
    RunOrder,
)
from runoff.preferences.win_ratios import NOT_POOLED, POOLED
from runoff.results.fit import dropped_notes, fit_counts
from runoff.results.tally_tables import DEPTH, PreferenceBoard, TallyParts
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import tau_sentence

MOST_NAMED = 3


def findings(result: TallyParts) -> Iterator[str]:
    """Quality first, then the best documents, then the runs."""
    yield _counts(result)
    if result.quality.tests:
        yield _tests(result)
    elif result.tasks is None:
        yield "No test pairs are known, so the assessors were not checked; name the task file with --tasks."
    yield _agreement(result)
    yield _labels(result)
    if result.board:
        if result.board.one_pair and result.board.one_pair_share:
            yield from _one_pair(result.board.one_pair, result.board.one_pair_share)
        missing = fit_counts(result.board.fits)
        if missing:
            yield f"Judged queries that runs lack: {missing} (of {len(result.tournament.query_ids):,})."
        yield from dropped_notes(result.board.fits)
        yield from _runs(result.board)
        yield from _order(result.board.order)
        if result.board.impact:
            yield from _impact(result.board.impact)


def _counts(result: TallyParts) -> str:
    kept, queries = len(result.quality.kept), len(result.tournament.query_ids)
    copies = [file.name for file in result.files if file.same_as]
    pairs = f"{counted(result.agreement.pairs, 'pair')} for {counted(queries, 'query', 'queries')}"
    text = f"{counted(kept, 'judgment')} of {pairs} {'was' if kept == 1 else 'were'} counted."
    if copies:
        names = ", ".join(copies[:MOST_NAMED])
        text += f" {counted(len(copies), 'file')} had the same content as an earlier one and counted once ({names})."
    if result.table.repeated:
        text += f" {counted(result.table.repeated, 'row')} that an assessor gave twice in a task counted once."
    return text


def _tests(result: TallyParts) -> str:
    checked = result.quality
    whose = " (all of an assessor who failed one)" if checked.discarded and checked.exclude == "assessor" else ""
    text = (
        f"{checked.failed_tests:,} of {counted(checked.tests, 'test pair')} failed: "
        f"{counted(checked.discarded, 'judgment')} discarded{whose}, {counted(len(checked.excluded), 'assessor')} "
        f"excluded, {counted(len(checked.reissue), 'task')} to issue again"
    )
    missing = sum(task.missing for task in checked.reissue)
    if missing != len(checked.reissue):
        text += f" to {counted(missing, 'assessor')} in all ({checked.assessors_per_task} per task)"
    return f"{text}."


def _agreement(result: TallyParts) -> str:
    found, sides = result.agreement, result.sides.left
    parts = []
    if found.repeated:
        parts.append(
            f"two judgments of the same pair agree in {found.agreement:.1%} of cases (alpha {found.alpha:.2f}, "
            f"{counted(found.repeated, 'pair')})"
        )
    else:
        parts.append("no pair was judged twice, so agreement is not known")
    parts.append(f"the left side was preferred in {_share(sides)}")
    if result.timing.overall.timed:
        parts.append(
            f"the median time for a pair was {result.timing.overall.median:.1f} seconds, and "
            f"{result.timing.overall.too_fast:.1%} took less than {result.timing.below:g}"
        )
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _labels(result: TallyParts) -> str:
    found = result.tournament
    several, cycles = int((found.is_cycle | found.is_even).sum()), int(found.is_cycle.sum())
    single = counted(len(found.query_ids) - several, "query", "queries")
    text = f"{counted(len(found.winner_query), 'best document')}: one in {single}"
    text += f", several in {several:,}" if several else ""
    text += f" ({counted(cycles, 'cycle')})." if cycles else "."
    if result.pairings and not math.isnan(result.pairings.share):
        new, old = result.new_pairings.share, result.pairings.share
        text += f" They win {new:.1%} of their pairings, the original labels {old:.1%}."
    if result.second_opinion is not None:
        differing = len(result.second_opinion)
        text += f" Bradley-Terry names another best document in {counted(differing, 'query', 'queries')}."
    return text


def _runs(board: PreferenceBoard) -> Iterator[str]:
    marks, ratios = board.marks, board.ratios
    others = [run for run, pooled in zip(ratios.runs, ratios.is_pooled.tolist(), strict=True) if not pooled]
    if ratios.family is None:
        yield (
            f"No two runs were pooled for these judgments: fewer than {POOLED:.0%} of their top documents were judged. "
            "Win ratios therefore rest on few queries and are not tested."
        )
        return
    significant = int(marks.is_preferred.sum())
    text = (
        f"{significant:,} of {counted(ratios.family.size, 'pair')} of runs "
        f"{'differs' if significant == 1 else 'differ'} significantly (binomial test at {marks.alpha:g}, "
        f"{spoken_correction(ratios.correction)} over {ratios.family})."
    )
    if others:
        text += (
            f" {len(others):,} of {len(ratios.runs):,} {'was' if len(others) == 1 else 'were'} not pooled "
            f"({NOT_POOLED}): fewer than {POOLED:.0%} of {'its' if len(others) == 1 else 'their'} top documents were "
            "judged, so their win ratios rest on fewer queries and are not tested."
        )
    yield text
    if not board.better_than_perfect:
        return
    better = marks.better_than_perfect
    if better:
        names = ", ".join(better[:MOST_NAMED]) + (", ..." if len(better) > MOST_NAMED else "")
        yield (
            f"{counted(len(better), 'run is', 'runs are')} significantly preferred to the labels ({names}): better "
            "than perfect. A higher score under these labels need not be a better run."
        )
    else:
        yield "No run is significantly preferred to the labels."


def _one_pair(found: BetterThanPerfectResult, truly: CorrectedRatios) -> Iterator[str]:
    """The paper's section 3: both categories, the error of judges, and what it makes of B."""
    a, b, error = found.agrees, found.differs, found.judge_error
    total = a.queries + b.queries + found.no_top
    yield (
        f"One pair per query: the first document of {found.run} is the label in {a.queries:,} of {total:,} queries "
        f"({_part(a.queries, total)}, category A) and another document in {b.queries:,} ({_part(b.queries, total)}, "
        f"B). Assessors prefer it to its second document in {_of(a.preferred)} (A), and to the label in "
        f"{_of(b.preferred)} (B)."
    )
    if not error.counted:
        return
    low, high = error.ci95
    text = (
        f"If the label is the better document in A, judges err in {error.error:.1%} of pairs ({low:.1%} to {high:.1%})"
    )
    if not error.is_below_half:
        yield f"{text}: they are not shown to be better than chance, so nothing can be corrected."
        return
    if b.preferred.counted:
        text += (
            f". Corrected for this, the first document is better than the label in {float(truly.ratios):.1%} of B "
            f"({float(truly.low):.1%} to {float(truly.high):.1%})"
        )
    yield (
        f"{text}. This assumes the same error for all pairs. If the label is sometimes the worse document, judges err "
        "less, and corrected ratios are closer to 50%."
    )


def _order(found: Sequence[RunOrder]) -> Iterator[str]:
    runs = [run for run in found if run.run != PERFECT and run.both.pairs]
    if not runs:
        return
    first, *others = sorted(runs, key=lambda run: run.both.share)
    ends = [first, *others[-1:]]
    shares = " to ".join(f"{run.both.share:.1%} ({run.run}, {counted(run.both.pairs, 'pair')})" for run in ends)
    yield f"Of the judged pairs that a run has in its top {DEPTH}, it ranks {shares} as assessors prefer."


def _impact(found: ImpactResult) -> Iterator[str]:
    # Ends a rounding error below 0 would be read as -0.
    low, high = (round(end, 4) + 0.0 for end in found.perfect.mean_ci95[0].tolist())
    text = (
        f"Under the preference qrels the perfect ranking scores {found.perfect.means[0]:.4f} ({low:.4f} to {high:.4f}) "
        f"on {counted(found.queries, 'query', 'queries')}."
    )
    if found.tau_reference is not None:
        changed = int((found.original.ranks != found.preference.ranks).sum())
        text += (
            f" {changed:,} of {len(found.runs):,} runs change their rank; Kendall's tau of the two orders is "
            f"{found.tau:.3f}. {tau_sentence(found.tau_reference)}"
        )
    yield text


def _share(found: PreferredShare) -> str:
    if not found.counted:
        return "no judgment"
    low, high = found.ci95
    return f"{found.share:.1%} (95% interval {low:.1%} to {high:.1%})"


def _part(number: int, total: int) -> str:
    return f"{number / total:.1%}" if total else "0%"


def _of(found: PreferredShare) -> str:
    if not found.counted:
        return "no judged query"
    return f"{found.wins:,} of {counted(found.counted, 'query', 'queries')} ({found.share:.1%})"
