"""Kendall's tau in JSON, with what it can be compared with."""

from __future__ import annotations

from runoff.boards.kendall import HalfReference, SplitReference, TauReference
from runoff.display.rows import keys_of


def reference_keys(reference: TauReference | None) -> dict[str, object] | None:
    """The JSON of a reference; None without one, as with a single run."""
    if isinstance(reference, SplitReference):
        return {"kind": "splits", **keys_of(reference, "trials median range95 p")}
    if isinstance(reference, HalfReference):
        return {"kind": "halves", **keys_of(reference, "trials across within")}
    return None if reference is None else {"kind": "none", "why": reference.why}
