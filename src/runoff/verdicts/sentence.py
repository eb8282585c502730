"""The sentence of a verdict: who, on how many queries, in what way, how sure, and what it does not show."""

from __future__ import annotations

from runoff.comparisons import OutcomesResult
from runoff.significance.corrections import spoken_correction
from runoff.verdicts.facet import Facet
from runoff.verdicts.pair_verdict import PairEvidence, VerdictResult


def p_text(p: float, level: float = 0.05) -> str:
    """A p-value as it stands in a sentence: four decimals, or as many as keep it on its side of the level.

    >>> p_text(0.04988), p_text(0.049996), p_text(0.00000123), p_text(0.9999), p_text(0.999999)
    ('p = 0.0499', 'p = 0.049996', 'p < 0.0001', 'p = 0.9999', 'p = 1')
    """
    if p > 0.99995:
        return "p = 1"
    if p < 0.0001 < level:
        return "p < 0.0001"
    texts = (f"{p:.{digits}f}" for digits in range(4, 20))
    return f"p = {next((text for text in texts if (float(text) < level) == (p < level)), p)}"


def sentence_of(evidence: PairEvidence, verdict: VerdictResult) -> str:
    """Two or three sentences: the verdict with its reasons, the measure, and what is not shown."""
    where, limits = _where(evidence, verdict), _limits(evidence, verdict)
    if evidence.outcomes is None or verdict.answered is None or verdict.earlier is None:
        whose, than_whose = f" of {evidence.challenger}", f" that of {evidence.champion}"
        return f"{where}, the {_measure(evidence, verdict, whose, than_whose)}. {limits}"
    outcomes = _outcomes(evidence, evidence.outcomes, verdict, verdict.answered, verdict.earlier)
    return f"{where}, {outcomes}. The {_measure(evidence, verdict)}. {limits}"


def _where(evidence: PairEvidence, verdict: VerdictResult) -> str:
    text = f"On {evidence.queries:,} {'query' if evidence.queries == 1 else 'queries'}, at level {verdict.alpha:g}"
    if verdict.family_size > 1 and verdict.correction != "none":
        text += f" ({spoken_correction(verdict.correction)}, {verdict.family_size} challengers)"
    return text


def _outcomes(
    evidence: PairEvidence, found: OutcomesResult, verdict: VerdictResult, answered: Facet, earlier: Facet
) -> str:
    who, whom = evidence.challenger, evidence.champion
    if found.neither == found.queries:
        return f"neither {who} nor {whom} answers any query"
    if found.champion_only == found.challenger_only == 0 and _has_same_ranks(found):
        return f"{who} and {whom} answer the same queries at the same ranks"
    only, ranks = _only(found, answered, verdict.alpha), _ranks(found, earlier, verdict.alpha)
    if verdict.do_no_harm == "trade-off":
        up, down = (only, ranks) if answered.is_ahead else (ranks, only)
        return f"{who} against {whom} is a trade-off: {up}, but {down}; which of the two matters more, no test can say"
    if verdict.do_no_harm in ("better", "worse"):
        shown, other = (only, ranks) if answered.significant else (ranks, only)
        both = answered.significant and earlier.significant
        opposite = "worse" if verdict.do_no_harm == "better" else "better"
        how = "" if both else f" in one way and not shown to be {opposite} in the other"
        return f"{who} is {verdict.do_no_harm} than {whom}{how}: {shown}, and {other}"
    return f"{who} is not shown to answer better or worse than {whom}: {only}, and {ranks}"


def _has_same_ranks(found: OutcomesResult) -> bool:
    return bool((found.champion_ranks == found.challenger_ranks)[found.in_both].all())


def _only(found: OutcomesResult, facet: Facet, level: float) -> str:
    mine, theirs = found.challenger_only, found.champion_only
    if mine == theirs == 0:
        return "both answer the same queries"
    counts = f"{mine:,} that only it answers against {theirs:,}; {p_text(facet.p, level)}"
    if not facet.significant:
        return f"it is not shown to answer more or fewer queries ({counts})"
    return f"it answers {'more' if facet.is_ahead else 'fewer'} queries ({counts})"


def _ranks(found: OutcomesResult, facet: Facet, level: float) -> str:
    if not found.both:
        return "no query is answered by both"
    if _has_same_ranks(found):
        return "where both answer, they answer at the same ranks"
    means = f"mean rank {found.esl.challenger:.2f} against {found.esl.champion:.2f}; {p_text(facet.p, level)}"
    if facet.significant:
        return f"where both answer, its answers come {'earlier' if facet.is_ahead else 'later'} ({means})"
    if not facet.agrees and facet.p < level:
        return f"where both answer, the mean rank and the test do not agree on who is earlier ({means})"
    return f"where both answer, its answers are not shown to come earlier or later ({means})"


def _measure(evidence: PairEvidence, verdict: VerdictResult, whose: str = "", than_whose: str = "") -> str:
    champion, challenger = evidence.means
    facet, name = verdict.measure, f"mean {evidence.measure}{whose}"
    means = f"{challenger:.4f} against {champion:.4f}, {challenger - champion:+.4f}; "
    means += f"{verdict.policy.measure_test} test, {p_text(facet.p, verdict.alpha)}"
    if not facet.significant and not facet.agrees and facet.p < verdict.alpha:
        return f"{name} and its test do not agree on which run is better ({means})"
    if not facet.significant:
        return f"{name} is not shown to differ{than_whose and f' from{than_whose}'} ({means})"
    text = f"{name} is {'better' if facet.is_ahead else 'worse'}{than_whose and f' than{than_whose}'} ({means})"
    if verdict.marks.endswith("‡"):
        return f"{text}, and the queries on which every measure must agree vote the same way"
    if verdict.ipso is not None and verdict.ipso.significant:
        return f"{text}, but the queries on which every measure must agree vote the other way"
    opposite = {"better": facet.is_behind, "worse": facet.is_ahead}.get(verdict.do_no_harm or "", False)
    return f"{text}, which points the other way" if opposite else text


def _limits(evidence: PairEvidence, verdict: VerdictResult) -> str:
    if not verdict.measure.significant and verdict.do_no_harm in ("inconclusive", None):
        return "There may still be a difference: not shown is not the same as not there."
    if evidence.outcomes is None:
        return "Scores alone do not tell whether the number of answers or their ranks make the difference."
    return "This is about these labels and queries like these."
