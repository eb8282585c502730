"""Kendall's tau in JSON, with what it can be compared with."""

from __future__ import annotations

from typing import Final

from runoff.boards.kendall import HalfReference, NoReference, SplitReference, TauReference
from runoff.display.rows import row_dict

_KINDS: Final = {SplitReference: "splits", HalfReference: "halves", NoReference: "none"}


def reference_keys(reference: TauReference | None) -> dict[str, object] | None:
    """The JSON of a reference; None without one, as with a single run."""
    return None if reference is None else {"kind": _KINDS[type(reference)], **row_dict(reference)}
