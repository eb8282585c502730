"""The break-even of a trade-off in words."""

from __future__ import annotations

from runoff.comparisons import BreakEven, BreakEvenResult


def break_even_sentences(found: BreakEvenResult) -> tuple[str, ...]:
    """For whom each run is the better choice."""
    if not found.changes:
        better = found.challenger if found.saved.sum() > 0 else found.champion
        readers = f"users who give up after any number of results up to {found.depth:,}"
        return (f"There is no break-even: {better} is better for {readers}.",)
    return tuple(_sentence(found, change) for change in found.changes)


def _sentence(found: BreakEvenResult, change: BreakEven) -> str:
    low, high = change.ci95
    about = f"{round(change.results):,}"
    interval = (
        f"{low:,} to {high:,}"
        if low is not None and high is not None
        else f"at least {low:,}"
        if low is not None
        else f"at most {high:,}"
        if high is not None
        else "the interval is open at both ends"
    )
    above = found.challenger if change.challenger_above else found.champion
    return f"{above} is better for users who read more than about {about} results ({interval})."
