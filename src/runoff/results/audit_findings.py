"""What an audit found, in sentences that claim no more than the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from runoff.boards.kendall import SplitReference
from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.submissions import SubmissionRule, SubmissionsResult, Violation
from runoff.phrases import counted, is_or_are
from runoff.results.audit_parts import Monitor, Orders, ScoredConditions, TwoOrders
from runoff.results.fit import dropped_notes, fit_notes
from runoff.tables.board import DEVELOPMENT, BoardRun
from runoff.verdicts import tau_sentence

MOST_TEAMS = 3
"""Teams that a sentence names."""


def board_words(runs: Sequence[BoardRun], scored: ScoredConditions) -> str:
    """What was looked at."""
    how_many = counted(len(runs), "run")
    if not scored.conditions:
        return how_many
    parts = [
        counted(len({getattr(condition, key) for condition in scored.conditions}), word)
        for key, word in (("query_set", "query set"), ("labels", "label set"), ("asked", "measure"))
    ]
    return f"{how_many} under {counted(len(scored.conditions), 'condition')} ({', '.join(parts)})"


def order_sentences(orders: Orders) -> Iterator[str]:
    """Who leads, how sure that is, and whether it is the same under other conditions."""
    first = orders.stabilities[0]
    leader = orders.runs[0]
    place = first.order[0]
    alike = orders.not_worse(0)
    share = f"is first in {first.p_first[place]:.1%} of {first.trials:,} bootstrap samples of the queries"
    lucky = first.first_more_often
    if lucky is not None:
        share += f", {first.runs[lucky]} more often ({first.p_first[lucky]:.1%}), so it may lead by luck"
    apart = f"; {counted(alike, 'other run')} {is_or_are(alike)} not shown to be worse" if alike else ""
    if orders.generalization is None:
        yield (
            f"{leader} leads {counted(len(orders.runs), 'run')} and {share}{apart}. There is only one condition "
            f"({orders.conditions[0].name}), so nothing can be said about other queries, labels or measures."
        )
        return
    ranks = [float(stability.expected_ranks[place]) for stability in orders.stabilities]
    yield (
        f"{leader} {where_it_leads(orders)}; its expected rank is {_range(ranks)}. Under "
        f"'{orders.conditions[0].name}' it {share}{apart}."
    )
    yield from _tau_sentences(orders)


def _tau_sentences(orders: Orders) -> Iterator[str]:
    """The two conditions whose orders are the least alike, and the least alike of those that can be tested."""
    pairs, alpha = orders.pairs(), orders.decisions[0].alpha
    lowest = pairs[0]
    if lowest.tau == 1.0:
        yield "The means rank the runs in the same order under all conditions."
        return
    most = " most" if len(pairs) > 1 else ""
    tau = f"Kendall's tau {lowest.tau:.2f}. {tau_sentence(lowest.reference, alpha=alpha)}"
    yield f"The orders of {_named(lowest)} differ{most}: {tau}"
    tested = [pair for pair in pairs[1:] if isinstance(pair.reference, SplitReference)]
    if tested and not isinstance(lowest.reference, SplitReference):
        yield (
            f"Of the conditions with different queries, but the same labels and measure, {_named(tested[0])} differ "
            f"most: tau {tested[0].tau:.2f}. {tau_sentence(tested[0].reference, alpha=alpha)}"
        )


def _named(pair: TwoOrders) -> str:
    """The names of two conditions."""
    return f"'{pair.first}' and '{pair.second}'"


def where_it_leads(orders: Orders) -> str:
    """Under how many conditions the first run leads, shares the lead, and who leads elsewhere."""
    total, leader = len(orders.conditions), orders.runs[0]
    tops = [orders.leaders(number) for number in range(total)]
    alone, first = (sum(len(top) <= most and leader in top for top in tops) for most in (1, len(orders.runs)))
    if alone == total:
        return f"leads under all {total} conditions"
    lead = f"leads under {alone} of {total} conditions"
    if first > alone:
        tied = f"ties for the lead under {first - alone}"
        lead = f"{lead} and {tied}" if alone else f"{tied} of {total} conditions"
    others = Counter(_joined(top) for top in tops if leader not in top)
    elsewhere = ", ".join(f"{names} under {count}" for names, count in others.most_common(3))
    return f"{lead} ({elsewhere})" if elsewhere else lead


def _joined(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} others"


def _range(ranks: Sequence[float]) -> str:
    low, high = f"{min(ranks):.1f}", f"{max(ranks):.1f}"
    return low if low == high else f"from {low} to {high}"


def rule_words(rule: SubmissionRule) -> str:
    """The rule in a few words."""
    return (
        f"at most {rule.most} in any {rule.days} days, at most {counted(rule.variants, 'small variation')} among them"
    )


def submission_sentence(sent: SubmissionsResult) -> str:
    """Whether teams kept to the rule."""
    if not sent.teams:
        return "No run has a team and a date, so the rule for submissions cannot be checked."
    total = counted(sum(len(team.runs) for team in sent.teams), "submission")
    of = f"{total} by {counted(len(sent.teams), 'team')}"
    if not sent.violations:
        return f"Of {of}, none breaks the rule ({rule_words(sent.rule)})."
    by_team = Counter(team for team, _ in {(violation.team, violation.name) for violation in sent.violations})
    broke = sum(by_team.values())
    teams = sorted(by_team.items(), key=lambda item: (-item[1], item[0]))
    listed = ", ".join(f"{team} ({count})" for team, count in teams[:MOST_TEAMS])
    more = f" and {counted(len(teams) - MOST_TEAMS, 'more team')}" if len(teams) > MOST_TEAMS else ""
    return (
        f"Of {of}, {broke:,} {'breaks' if broke == 1 else 'break'} the rule ({rule_words(sent.rule)}): {listed}{more}."
    )


def violation_count(violation: Violation, rule: SubmissionRule) -> tuple[int, int, str]:
    """How many there are in the window, how many are allowed, and of what."""
    limits = {"submissions": (rule.most, "submissions"), "variants": (rule.variants, "small variations")}
    return len(violation.names), *limits[violation.kind]


def violation_sentence(violation: Violation, rule: SubmissionRule) -> str:
    """What one submission broke."""
    number, allowed, noun = violation_count(violation, rule)
    return (
        f"With {violation.name} on {violation.date.isoformat()}, {violation.team} has {number:,} {noun} in {rule.days} "
        f"days, but only {allowed:,} {is_or_are(allowed)} allowed: {', '.join(violation.names)}."
    )


def duplicate_sentence(alike: NearDuplicatesResult, runs: Mapping[str, BoardRun]) -> str:
    """How many pairs of runs are nearly the same."""
    share = f"overlap by {alike.threshold:.0%} or more in the top {alike.depth}"
    if not alike.pairs:
        return f"No two of {counted(len(alike.runs), 'run')} {share}."
    teams = [(runs[pair.first].team, runs[pair.second].team) for pair in alike.pairs]
    apart = sum(bool(first) and bool(second) and first != second for first, second in teams)
    share = share.replace("overlap", "overlaps", 1) if len(alike.pairs) == 1 else share
    more = (", by" if len(alike.pairs) == 1 else f"; {apart:,} of them by") + " different teams" if apart else ""
    return f"{counted(len(alike.pairs), 'pair')} of runs {share}{more}."


def monitor_sentences(monitor: Monitor, leading: str) -> Iterator[str]:
    """Which teams got an alarm, and why; `leading` is the team of the run that leads."""
    if not monitor.teams:
        yield "No team has two submissions to compare, so overfitting cannot be judged."
        return
    judged, unjudged = len(monitor.judged), [team.change for team in monitor.teams if team.change.unjudged]
    watched = f"{counted(judged, 'team')} with two or more submissions"
    among = any(team.change.team == leading for team in monitor.fired)
    leads = f" The leader's team, {leading}, is {'' if among else 'not '}among them." if leading else ""
    if monitor.fired:
        yield f"Overfitting alarm for {len(monitor.fired):,} of {watched}.{leads}"
        yield from (team.alarm.sentence for team in monitor.fired)
    elif judged:
        yield f"No overfitting alarm for {watched}; that does not prove that none overfitted."
    for why in dict.fromkeys(change.unjudged for change in unjudged):
        teams = [change.team for change in unjudged if change.unjudged == why]
        yield f"Whether {_listed(teams)} overfitted cannot be judged: {why}."
    last = monitor.field[-1] if monitor.field else None
    if last is not None and last.teams > 1:
        yield (
            f"On average the {counted(last.teams, 'team')} changed by {last.change_public:+.4f} on public and by "
            f"{last.change_private:+.4f} on private queries. This gap is not an alarm: one set may simply be harder."
        )


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many their number."""
    if len(names) > MOST_TEAMS:
        return counted(len(names), "team")
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else "".join(names)


def why_no_monitor(lacking: Sequence[str], *, has_means: bool) -> str:
    """Why no team can be judged at all: what the board has not."""
    if lacking:
        return f"This board has no {' and no '.join(lacking)} queries, so overfitting cannot be judged."
    if has_means:
        return "Only means are published, not scores per query, so overfitting cannot be judged."
    return "Overfitting cannot be judged: that needs runs with files, and labels for public and private queries."


def scoring_notes(scored: ScoredConditions, runs: Mapping[str, BoardRun]) -> Iterator[str]:
    """What was left out of the conditions, and what runs lack."""
    without = len(runs) - len(scored.runs)
    if scored.runs and without:
        yield f"Left out: {counted(without, 'run')} without a file."
    for query_set, labels in scored.left_out:
        yield f"Left out: query set {query_set} with labels {labels}, which share no query."
    by_set: dict[str, set[str]] = {}
    for condition in scored.conditions:
        by_set.setdefault(condition.query_set, set()).update(condition.scores.query_ids)
    held = by_set.pop(DEVELOPMENT, set())
    for name, queries in by_set.items():
        if both := len(queries & held):
            shared = counted(both, f"{name} query is", f"{name} queries are")
            yield f"{shared} also in {DEVELOPMENT}, for which teams have the labels."
    for labels, scored_by in scored.fits.items():
        yield from fit_notes(scored_by.fits, scored_by.queries, f" in labels {labels}" if len(scored.fits) > 1 else "")
    if scored.fits:  # the runs are the same, whatever the labels
        yield from dropped_notes(next(iter(scored.fits.values())).fits)
