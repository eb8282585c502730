"""What an audit found, in sentences that claim no more than the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from runoff.boards.near_duplicates import NearDuplicatesResult
from runoff.boards.submissions import SubmissionRule, SubmissionsResult, Violation
from runoff.tables.board import BoardRun
from runoff.workflows.audit_conditions import ScoredConditions
from runoff.workflows.audit_parts import Monitor, Orders


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def order_sentences(orders: Orders) -> Iterator[str]:
    """Who leads, how sure that is, and whether it is the same under other conditions."""
    first = orders.stabilities[0]
    leader = orders.runs[0]
    place = first.order[0]
    alike = int((first.groups == first.groups[place]).sum()) - 1
    share = f"is first in {first.p_first[place]:.1%} of {first.trials:,} bootstrap samples of the queries"
    apart = f"; {counted(alike, 'run')} cannot be told apart from it" if alike else ""
    if orders.generalization is None:
        yield (
            f"{leader} leads {counted(len(orders.runs), 'run')} and {share}{apart}. There is one condition only "
            f"({orders.conditions[0].name}), so nothing can be said about other queries, labels or measures."
        )
        return
    leaders = Counter(found.runs[found.order[0]] for found in orders.stabilities)
    total = len(orders.conditions)
    others = ", ".join(f"{run} under {count}" for run, count in leaders.most_common() if run != leader)
    ahead = f"all {total} conditions" if not others else f"{leaders[leader]} of {total} conditions ({others})"
    yield f"{leader} leads under {ahead}. Under {orders.conditions[0].name} it {share}{apart}."
    one, other, tau, low, high = orders.pairs()[0]
    yield (
        f"The orders of {one} and {other} are the least alike: Kendall's tau {tau:.2f}, {low:.2f} to {high:.2f} when "
        "the queries are drawn again."
    )


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
    by_team = Counter(team for team, _ in {(one.team, one.name) for one in sent.violations})
    broke = sum(by_team.values())
    teams = sorted(by_team.items(), key=lambda item: (-item[1], item[0]))
    listed = ", ".join(f"{team} ({count})" for team, count in teams[:5])
    more = f" and {counted(len(teams) - 5, 'more team')}" if len(teams) > 5 else ""
    return (
        f"Of {of}, {broke:,} {'breaks' if broke == 1 else 'break'} the rule ({rule_words(sent.rule)}): {listed}{more}."
    )


def violation_words(one: Violation, rule: SubmissionRule) -> str:
    """What one submission broke."""
    if one.kind == "submissions":
        what, most = f"submission {len(one.names)}", rule.most
    else:
        what, most = f"small variation {len(one.names)}", rule.variants
    before = ", ".join(one.names[:-1])
    behind = f", after {before} since {one.since.isoformat()}" if before else ""
    return f"{what} in {rule.days} days, {most} allowed{behind}"


def violation_sentence(one: Violation, rule: SubmissionRule) -> str:
    """The same as a sentence of its own."""
    return f"{one.name} of {one.team} on {one.date.isoformat()} is {violation_words(one, rule)}."


def duplicate_sentence(alike: NearDuplicatesResult, runs: Mapping[str, BoardRun]) -> str:
    """How many pairs of runs are nearly the same."""
    share = f"overlap by {alike.threshold:.0%} or more in the top {alike.depth}"
    if not alike.pairs:
        return f"No two of {counted(len(alike.runs), 'run')} {share}."
    teams = [(runs[pair.first].team, runs[pair.second].team) for pair in alike.pairs]
    apart = sum(bool(one) and bool(other) and one != other for one, other in teams)
    share = share.replace("overlap", "overlaps", 1) if len(alike.pairs) == 1 else share
    more = f"; {apart:,} of them by different teams" if apart else ""
    return f"{counted(len(alike.pairs), 'pair')} of runs {share}{more}."


def monitor_sentences(monitor: Monitor) -> Iterator[str]:
    """Which teams got an alarm, and why."""
    if not monitor.teams:
        yield "No team has two submissions to compare, so the overfitting monitor has nothing to look at."
        return
    watched = f"{counted(len(monitor.teams), 'team')} with two or more submissions"
    if not monitor.fired:
        yield f"No alarm of overfitting among {watched}."
        return
    yield f"Alarm of overfitting for {len(monitor.fired):,} of {watched}."
    yield from (one.alarm.sentence for one in monitor.fired)


def scoring_notes(scored: ScoredConditions, runs: Mapping[str, BoardRun]) -> Iterator[str]:
    """What was left out of the conditions, and what runs lack."""
    without = len(runs) - len(scored.runs)
    if scored.runs and without:
        yield f"Left out: {counted(without, 'run')} without a file."
    for query_set, labels in scored.left_out:
        yield f"Left out: query set {query_set} with labels {labels}, which share no query."
    for labels, counts in scored.missing_queries.items():
        most = counted(max(counts.values()), "query", "queries")
        yield (f"A query that a run lacks scores 0: {counted(len(counts), 'run')} under labels {labels}, up to {most}.")
