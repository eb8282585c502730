"""What was planted in the demo and what was found, each with the number that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from runoff.display.rows import row_dict
from runoff.phrases import counted
from runoff.preferences import PERFECT
from runoff.results.audit_findings import violation_sentence
from runoff.simulation.year import SimulatedYear
from runoff.simulation.year.cast import COPIED
from runoff.simulation.year.judging import CARELESS, assessor_name
from runoff.verbs._demo_analysis import DemoAnalysis
from runoff.verdicts import better_than_labels


@dataclass(frozen=True, kw_only=True)
class Planted:
    """One planted thing.

    key       its stable name
    who       the run, team or assessor
    story     what is true
    found     whether runoff found it
    evidence  what runoff says, in a sentence or two
    shown     the number that shows it, in a few words; numbers: the same at full precision
    """

    key: str
    who: str
    story: str
    found: bool
    evidence: str
    shown: str
    numbers: Mapping[str, float]


def findings_of(year: SimulatedYear, analysis: DemoAnalysis) -> tuple[Planted, ...]:
    """Everything that was planted, in the order in which it is reported."""
    makers = (_lucky, _overfitted, _trade_off, _better_than_labels, _one_too_many, _copy, _careless)
    return tuple(make(year, analysis) for make in makers)


def flagged_besides(year: SimulatedYear, analysis: DemoAnalysis) -> tuple[str, ...]:
    """What was flagged although nobody planted it: false alarms."""
    watched, sent, alike = analysis.audit.monitor, analysis.audit.submissions, analysis.audit.near_duplicates
    team, broken, pair = year.plan("overfitted").team, year.plan("one_too_many").name, {COPIED, year.plan("copy").name}
    return (
        *(f"{watch.change.team} is clean and got an alarm. {watch.alarm.sentence}"
          for watch in (watched.fired if watched else ()) if watch.change.team != team),
        *(violation_sentence(violation, sent.rule) for violation in sent.violations if violation.name != broken),
        *(f"{pair_of_runs.first} and {pair_of_runs.second} overlap by {pair_of_runs.overlap:.1%}."
          for pair_of_runs in (alike.pairs if alike else ()) if {pair_of_runs.first, pair_of_runs.second} != pair),
        *(f"{name} is careful and was excluded."
          for name in analysis.labels.checked.excluded if name != assessor_name(CARELESS)),
    )  # fmt: skip


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _lucky(year: SimulatedYear, analysis: DemoAnalysis) -> Planted:
    name = year.plan("lucky").name
    row = next(row for row in analysis.board.rows if row.run == name)
    place = [row.run for row in analysis.board.rows].index(name) + 1
    alike = sum(other.group == row.group for other in analysis.board.rows) - 1
    private = private_ranks(analysis)[name]
    true = true_ranks(year)[name]
    low, high = row.rank_set
    comparison = next(
        comparison for comparison in analysis.multi_comparison.comparisons if comparison.challenger.startswith(name)
    )
    return Planted(
        key="lucky",
        who=name,
        story=f"{name} is lucky on the public queries: on infinitely many queries it would be {_ordinal(true)}.",
        found=place == 1 and alike > 0 and private > 1,
        evidence=(
            f"It is {_ordinal(place)} of {len(analysis.board.rows)} on the public queries, but its possible ranks are "
            f"{low} to {high}, it is first in only {row.p_first:.1%} of the bootstrap samples, and "
            f"{counted(alike, 'other run')} {'is' if alike == 1 else 'are'} not shown to be worse; on the private "
            f"queries it is {_ordinal(private)}. Against {year.plan('champion').name}, the truly best run, the verdict "
            f"is: {comparison.outcome}."
        ),
        shown=f"possible ranks {low} to {high}; {_ordinal(private)} on private",
        numbers={
            "rank_public": place,
            "rank_private": private,
            "true_rank": true,
            "rank_from": low,
            "rank_to": high,
            "p_first": row.p_first,
            "not_worse": alike,
        },
    )


def _overfitted(year: SimulatedYear, analysis: DemoAnalysis) -> Planted:
    team = year.plan("overfitted").team
    plans = [plan for plan in year.cast if plan.team == team]
    learnt = max(plan.memorised for plan in plans)
    watch = next(
        watch for watch in (analysis.audit.monitor.teams if analysis.audit.monitor else ()) if watch.change.team == team
    )
    change = watch.change
    return Planted(
        key="overfitted",
        who=team,
        story=(
            f"{team} tuned {len(plans)} submissions to the public queries: it sent the best of many tries that are "
            f"not on the board, and found out up to {learnt:.0%} of the public labels from their scores. It never got "
            "better."
        ),
        found=watch.alarm.fired,
        evidence=watch.alarm.sentence,
        shown="cannot be judged" if change.excess is None else f"shortfall {change.excess:+.4f}",
        numbers={
            key: value
            for key, value in {
                **row_dict(change, "change_public", "change_private", "expected_private", "excess", "p"),
                "p_corrected": watch.alarm.p_corrected,
            }.items()
            if value is not None
        },
    )


def _trade_off(year: SimulatedYear, analysis: DemoAnalysis) -> Planted:
    name, champion = year.plan("trade_off").name, year.plan("champion").name
    comparison = next(
        comparison for comparison in analysis.multi_comparison.comparisons if comparison.challenger.startswith(name)
    )
    outcomes = comparison.outcomes
    more, fewer = (outcomes.challenger_only, outcomes.champion_only) if outcomes else (0, 0)
    later, earlier = (outcomes.esl.challenger, outcomes.esl.champion) if outcomes else (float("nan"), float("nan"))
    return Planted(
        key="trade_off",
        who=name,
        story=f"{name} finds more documents than {champion} but ranks them worse: more, later.",
        found=comparison.outcome == "trade-off",
        evidence=comparison.verdict.sentence.replace(".run", ""),
        shown=f"more on {more}, fewer on {fewer}; mean rank {later:.2f} against {earlier:.2f}",
        numbers={
            "challenger_only": more,
            "champion_only": fewer,
            "esl_champion": earlier,
            "esl_challenger": later,
        },
    )


def _better_than_labels(year: SimulatedYear, analysis: DemoAnalysis) -> Planted:
    name = year.plan("better_than_labels").name
    labels = analysis.labels
    ratios = labels.ratios
    run, perfect = ratios.runs.index(name), ratios.runs.index(PERFECT)
    ratio, p = float(ratios.ratios[perfect, run]), float(ratios.p[perfect, run])
    share = labels.differs.differs.preferred
    verdict = better_than_labels(name, share, p)
    rank = [row.run for row in analysis.board.rows].index(name) + 1
    truth = year.truth[name].best_first
    others = max(other.best_first for run_name, other in year.truth.items() if run_name != name)
    return Planted(
        key="better_than_labels",
        who=name,
        story=(
            f"{name} has the truly best document on top in {truth:.0%} of all queries, no other run in more than "
            f"{others:.0%}; the labels are the best document in only {year.label_is_best:.0%}, so they penalise it."
        ),
        found=verdict.better,
        evidence=f"By the labels it is {_ordinal(rank)} on the public queries. {verdict.sentence}",
        shown=f"win ratio {ratio:.1%} against the labels",
        numbers={"win_ratio": ratio, "p": p, "category_b": share.share, "rank_public": rank, "best_first": truth},
    )


def _one_too_many(year: SimulatedYear, analysis: DemoAnalysis) -> Planted:
    plan = year.plan("one_too_many")
    sent = analysis.audit.submissions
    broken = [violation for violation in sent.violations if violation.name == plan.name]
    sentences = " ".join(violation_sentence(violation, sent.rule) for violation in broken)
    number = len(broken[0].names) if broken else 0
    return Planted(
        key="one_too_many",
        who=plan.name,
        story=f"{plan.team} submitted {plan.name} too soon after two others.",
        found=bool(broken),
        evidence=sentences or "No submission of that team breaks the rule.",
        shown=f"{counted(number, 'submission')} in {sent.rule.days} days",
        numbers={"submissions": number, "days": sent.rule.days},
    )


def _copy(year: SimulatedYear, analysis: DemoAnalysis) -> Planted:
    plan = year.plan("copy")
    alike = analysis.audit.near_duplicates
    pairs = alike.pairs if alike else ()
    hits = [pair for pair in pairs if {pair.first, pair.second} == {COPIED, plan.name}]
    overlap = 0.0
    if alike:
        overlap = float(alike.overlaps[alike.runs.index(COPIED), alike.runs.index(plan.name)])
    verdict = "They are near-duplicates" if hits else "They are not near enough to be called near-duplicates"
    return Planted(
        key="copy",
        who=plan.name,
        story=f"{plan.team}'s {plan.name} is {COPIED} of another team with a little noise.",
        found=bool(hits),
        evidence=f"{verdict}: their top 10 documents overlap by {overlap:.1%} on average.",
        shown=f"overlap {overlap:.1%}",
        numbers={"overlap": overlap},
    )


def _careless(year: SimulatedYear, analysis: DemoAnalysis) -> Planted:  # noqa: ARG001  # all makers are alike
    name = assessor_name(CARELESS)
    checked = analysis.labels.checked
    assessor = next((assessor for assessor in checked.assessors if assessor.assessor == name), None)
    tests, failed, tasks, lost = (
        (assessor.tests, assessor.failed_tests, assessor.failed_tasks, assessor.discarded) if assessor else (0, 0, 0, 0)
    )
    caught = name in checked.excluded
    what_failed = f"{name} failed {failed:,} of {counted(tests, 'test pair')}"
    rest = (
        f": excluded, and {lost:,} judgments of {counted(tasks, 'task')} discarded"
        if caught
        else " and is not excluded"
    )
    return Planted(
        key="careless",
        who=name,
        story=f"{name} prefers either side at random; all others err in 33% of the pairs.",
        found=caught,
        evidence=f"{what_failed}{rest}.",
        shown=f"{failed:,} of {tests:,} tests failed",
        numbers={"tests": tests, "failed_tests": failed, "discarded": lost},
    )


def private_ranks(analysis: DemoAnalysis) -> dict[str, int]:
    """The rank of every run on the private queries under sparse labels."""
    wanted = ("private", "sparse", analysis.audit.measure)
    scores = next(
        condition.scores
        for condition in analysis.audit.scored.conditions
        if (condition.query_set, condition.labels, condition.measure) == wanted
    )
    order = np.argsort(-scores.means, kind="stable").tolist()
    return {scores.runs[place]: rank for rank, place in enumerate(order, start=1)}


def true_ranks(year: SimulatedYear) -> dict[str, int]:
    """The true rank of every run; equally good ones share the better rank."""
    means = np.array([year.truth[plan.name].rr for plan in year.cast])
    return {plan.name: 1 + int((means > mean).sum()) for plan, mean in zip(year.cast, means, strict=True)}
