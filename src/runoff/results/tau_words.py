"""Kendall's tau in JSON, with what it can be compared with."""

from __future__ import annotations

from runoff.boards.kendall import HalfReference, SplitReference, TauReference


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
