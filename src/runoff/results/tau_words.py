"""Kendall's tau in words and in JSON, with what it can be compared with."""

from __future__ import annotations

from runoff.boards.kendall import HalfReference, SplitReference, TauReference
from runoff.phrases import p_text


def reference_words(reference: TauReference, *, alpha: float = 0.05) -> str:
    """What a tau can be compared with, in a sentence or two."""
    if isinstance(reference, SplitReference):
        low, high = reference.range95
        if reference.p <= alpha:
            verdict = "The order of the runs, or the difficulty of the queries, differs between the two sets."
        else:
            verdict = "That is what the luck of the queries alone could do."
        return (
            f"Random splits of the same queries have a median tau of {reference.median:.2f} ({low:.2f} to {high:.2f} "
            f"in 95% of {reference.trials:,}; {p_text(reference.p, alpha)}). {verdict}"
        )
    if isinstance(reference, HalfReference):
        one, other = reference.within
        return (
            f"Between disjoint halves of the queries tau is {reference.across:.2f} across the two on average, and "
            f"{one:.2f} and {other:.2f} within each."
        )
    return f"There is nothing to compare it with: {reference.why}."


def reference_keys(reference: TauReference | None) -> dict[str, object] | None:
    """The JSON of a reference; None without one, as with a single run."""
    if isinstance(reference, SplitReference):
        return {
            "kind": "splits",
            "trials": reference.trials,
            "median": reference.median,
            "range95": list(reference.range95),
            "p": reference.p,
        }
    if isinstance(reference, HalfReference):
        return {
            "kind": "halves",
            "trials": reference.trials,
            "across": reference.across,
            "within": list(reference.within),
        }
    return None if reference is None else {"kind": "none", "why": reference.why}
