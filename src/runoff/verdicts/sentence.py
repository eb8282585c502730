"""The sentence of a verdict: who is better, in what way, how sure that is, and what it does not show."""

from __future__ import annotations

import math
from dataclasses import dataclass

from runoff.comparisons import OutcomesResult
from runoff.phrases import counted, p_text
from runoff.verdicts.facet import Facet, spoken
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult


def sentence_of(evidence: PairEvidence, verdict: VerdictResult) -> str:
    """The verdict, the facets behind it, how p-values were corrected, Lin et al.'s rules where they differ, limits."""
    facets = [_measure(evidence, verdict)]
    if evidence.outcomes is not None and verdict.more is not None and verdict.sooner is not None:
        more = _more(evidence.outcomes, verdict.more, verdict.policy.alpha)
        facets = [more, _sooner(evidence.outcomes, verdict, verdict.sooner), *facets]
    limits = [corrected_over(verdict)]
    if any(facet.has_interval for facet in facets):
        limits.append("intervals are 95%, not corrected" if limits[0] else "Intervals are 95%")
    limits = list(filter(None, limits))
    sentences = [
        _headline(evidence, verdict),
        f"On {counted(evidence.queries, 'query', 'queries')}, {'; '.join(facet.text for facet in facets)}.",
        *_ipso(evidence, verdict),
        f"{'; '.join(limits)}." if limits else "",
        *_rules(verdict),
        _limits(verdict),
    ]
    return " ".join(filter(None, sentences))


def _headline(evidence: PairEvidence, verdict: VerdictResult) -> str:
    who, whom, how = evidence.challenger, evidence.champion, ", ".join(verdict.how)
    if verdict.overall == "trade-off":
        return f"{who} against {whom} is a trade-off: {how}."
    if verdict.overall != "inconclusive":
        return f"{who} is {spoken(f'{verdict.overall} than {whom}', verdict.how)}."
    facets = verdict.facets.values()
    against = [_PLAIN.get(facet.name, facet.name) for facet in facets if facet.uncorrected(verdict.policy.alpha)]
    # Then another one points the other way, without the correction; on a board the measure alone decides.
    if any(facet.shown for facet in facets) and not verdict.is_of_board:
        return f"It is not shown whether {who} is better or worse than {whom}: {' and '.join(against)} disagree."
    return f"{who} is not shown to be better or worse than {whom}."


_PLAIN = {"more": "how much it finds", "sooner": "how soon"}


@dataclass(frozen=True)
class _Said:
    """What is said of a facet, and whether that has an interval in it."""

    text: str
    has_interval: bool = False


def _more(outcomes: OutcomesResult, facet: Facet, level: float) -> _Said:
    theirs, mine = outcomes.queries_more
    if mine == theirs == 0:
        return _Said("both find the same number of relevant documents for every query")
    counts = f"more on {counted(mine, 'query', 'queries')}, fewer on {theirs:,}; {p_text(facet.p, level)}"
    if facet.significant:
        return _Said(f"it finds {'more' if facet.shown > 0 else 'fewer'} relevant documents ({counts})")
    low, high = facet.ci95
    not_shown = "it is not shown to find more or fewer relevant documents"
    return _Said(f"{not_shown} ({counts}; {low:+.1%} to {high:+.1%} of queries)", has_interval=True)


def _sooner(outcomes: OutcomesResult, verdict: VerdictResult, facet: Facet) -> _Said:
    by_rank = verdict.policy.sooner == "ranks"
    both = outcomes.in_both
    if not both.any():
        return _Said("for no query do both find a relevant document")
    if (outcomes.champion_ranks[both] == outcomes.challenger_ranks[both]).all():
        return _Said("what both find is at the same ranks")
    means = outcomes.esl if by_rank else outcomes.rr
    digits, quantity = (2, "mean search length") if by_rank else (4, "mean reciprocal rank")
    numbers = f"{quantity} {means.challenger:.{digits}f} against {means.champion:.{digits}f}; "
    numbers += p_text(facet.p, verdict.policy.alpha)
    if facet.significant:
        return _Said(f"it finds {'sooner' if facet.shown > 0 else 'later'} what both find ({numbers})")
    if not facet.agrees and facet.p < verdict.policy.alpha:
        return _Said(f"the {quantity} of what both find and its test disagree on which run is sooner ({numbers})")
    if _is_known(facet):
        unit = ("ranks sooner", "ranks later") if by_rank else ("higher", "lower")
        numbers += f"; {_either_way(facet.ci95, digits, unit)}"
    return _Said(f"it is not shown to find sooner or later what both find ({numbers})", _is_known(facet))


def _either_way(ends: tuple[float, float], digits: int, words: tuple[str, str]) -> str:
    """An interval in words that say which way each end points.

    >>> _either_way((-0.25, 1.5), 2, ("sooner", "later")), _either_way((-2.0, -0.5), 1, ("sooner", "later"))
    ('0.25 later to 1.50 sooner', '0.5 to 2.0 later')
    """
    low, high = ends
    up, down = words
    if low >= 0.0:
        return f"{low:.{digits}f} to {high:.{digits}f} {up}"
    if high <= 0.0:
        return f"{-high:.{digits}f} to {-low:.{digits}f} {down}"
    return f"{-low:.{digits}f} {down} to {high:.{digits}f} {up}"


def _measure(evidence: PairEvidence, verdict: VerdictResult) -> _Said:
    champion, challenger = evidence.means.champion, evidence.means.challenger
    facet, name = verdict.measure, f"its mean {evidence.measure}"
    means = f"{challenger:.4f} against {champion:.4f}, {challenger - champion:+.4f}; "
    means += "" if verdict.is_of_board else f"{verdict.policy.measure_label}, "
    means += p_text(facet.p, verdict.policy.alpha)
    if facet.significant:
        return _Said(f"{name} is {'better' if facet.shown > 0 else 'worse'} ({means})")
    if not facet.agrees and facet.p < verdict.policy.alpha:
        return _Said(f"{name} and its test disagree on which run is better ({means})")
    low, high = facet.ci95
    interval = f"; {low:+.4f} to {high:+.4f}" if _is_known(facet) else ""
    return _Said(f"{name} is not shown to differ ({means}{interval})", _is_known(facet))


def _ipso(evidence: PairEvidence, verdict: VerdictResult) -> list[str]:
    """For whom the queries vote on which every measure must agree, after a significant measure."""
    vote = verdict.ipso
    if vote is None or not vote.shown or not verdict.measure.shown or evidence.unbound:
        return []
    winner = evidence.challenger if vote.shown > 0 else evidence.champion
    ending = " too" if vote.shown == verdict.measure.shown else ", however"
    return [f"The queries on which every measure must agree vote for {winner}{ending}."]


def corrected_over(verdict: VerdictResult) -> str:
    """What p-values are corrected over, in words; the measure and the other facets of a board have different families.

    Empty where nothing is corrected.
    """
    families = list(dict.fromkeys(facet.family for facet in verdict.facets.values()))
    if max(family.size for family in families) < 2:
        return ""
    by = verdict.policy.correction_label
    if verdict.is_of_board:
        corrects = len(families) > 1 and verdict.policy.correction != "none"
        others = f", the others by {by} over {families[1].name}" if corrects else ""
        return f"p-values of the measure are corrected over {families[0].name}{others}"
    return f"p-values are corrected by {by} over {families[0].name}"


def _rules(verdict: VerdictResult) -> list[str]:
    """Lin et al.'s two rules, where they say something else than the verdict, and why."""
    if verdict.rule_facets is None or verdict.is_of_board or verdict.do_no_harm == verdict.strict == verdict.overall:
        return []
    more, sooner = verdict.rule_facets
    if verdict.do_no_harm == verdict.overall:
        words = ("fewer", "later") if verdict.overall == "worse" else ("more", "sooner")
        missing = " and ".join(word for word, facet in zip(words, (more, sooner), strict=True) if not facet.shown)
        return [f"By Lin et al.'s strict rule it is {verdict.strict}, because {missing} is not shown."]
    both = verdict.do_no_harm == verdict.strict
    harm, whole = (f"{'a ' if rule == 'trade-off' else ''}{rule}" for rule in (verdict.do_no_harm, verdict.strict))
    rules = f"{harm} (do no harm{' and strict' if both else f'), {whole} (strict'})"
    if verdict.overall == "inconclusive":
        why = "which test more and sooner alone, not corrected over facets"
    elif not (more.shown or sooner.shown):
        why = "which leave the measure out"
    else:
        why = "which leave the measure out, and do not correct over facets"
    return [f"It is {rules} by Lin et al.'s rules, {why}."]


def _limits(verdict: VerdictResult) -> str:
    if verdict.measure.ci95 == (0.0, 0.0):
        return "The two runs score the same on every query."
    if verdict.overall == "inconclusive":
        return "There may still be a difference: not shown is not the same as not there."
    if verdict.more is None:
        return "Scores alone do not tell whether it finds more, or finds sooner."
    return "This is about these labels and queries like these."


def _is_known(facet: Facet) -> bool:
    """Whether there is an interval worth showing: one query has none, and scores that are all the same need none."""
    return all(map(math.isfinite, facet.ci95)) and facet.ci95 != (0.0, 0.0)
