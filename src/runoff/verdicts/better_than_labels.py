"""Better than the labels: whether people prefer what a run shows first to what the labels call relevant."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.phrases import p_text
from runoff.preferences import PreferredShare
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True)
class LabelsVerdict:
    """A decision about one run.

    better  its top document is preferred to the label significantly more often than not, where they differ
    worse   significantly less often
    """

    run: str
    better: bool
    worse: bool
    sentence: str


def better_than_labels(run: str, differs: PreferredShare, p: float, policy: Policy | None = None) -> LabelsVerdict:
    """Whether a run is better than the perfect ranking, which has the label of every query on top.

    differs  how often its top document is preferred to the label, over the queries in which they differ
    p        the p-value of that share, corrected over all that were looked at

    >>> better_than_labels("dense", PreferredShare.of(130, 70), 0.0003).better
    True
    """
    level = (policy or Policy()).alpha
    shown = p < level
    better, worse = shown and differs.wins > differs.losses, shown and differs.wins < differs.losses
    said = (
        f"Where the first document of {run} is not the label, assessors prefer it to the label in {differs.share:.1%} "
        f"of {differs.counted:,} queries ({p_text(p)})"
    )
    if better:
        sentence = f"{said}: it is better than the labels, which cannot tell."
    elif worse:
        sentence = f"{said}: it is worse than the labels."
    else:
        sentence = f"{said}: it is not shown to be better or worse than the labels."
    return LabelsVerdict(run=run, better=better, worse=worse, sentence=sentence)
