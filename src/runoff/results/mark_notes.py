"""What the marks † and ‡ beside verdicts mean, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.verdicts import NO_PROMISE, VerdictResult

_VOTE: Final = "‡ also, the same way, where all measures must agree (IPSO)."


def mark_notes(verdicts: Sequence[VerdictResult], measure: str) -> tuple[str, ...]:
    """What the marks of some verdicts mean, and what they do not promise; nothing where there are none."""
    marks = {mark for verdict in verdicts for mark in verdict.marks}
    if not marks:
        return ()
    test = f"† {measure} differs significantly ({verdicts[0].policy.measure_label})"
    if "‡" not in marks:
        return (f"{test}.",)
    return (
        f"{test}; {_VOTE}",
        NO_PROMISE,
    )
