"""The overfitting alarm: whether a team's excess on the public queries is more than luck and picking explain."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.boards.overfitting import OverfittingResult


@dataclass(frozen=True, kw_only=True)
class OverfittingAlarm:
    """A decision about one team.

    fired         whether both intervals of the excess lie above 0
    from_picking  whether only the plain interval does: what picking the best of several submissions can explain
    """

    team: str
    fired: bool
    from_picking: bool
    sentence: str


def overfitting_alarm(result: OverfittingResult) -> OverfittingAlarm:
    """Whether a team seems to have fitted the public queries; intervals decide, at 95%."""
    plain, safe = result.excess_ci95[0] > 0.0, result.simultaneous_ci95[0] > 0.0
    fired = plain and safe
    return OverfittingAlarm(
        team=result.team, fired=fired, from_picking=plain and not safe, sentence=_sentence(result, plain, fired=fired)
    )


def _sentence(result: OverfittingResult, plain: bool, *, fired: bool) -> str:  # noqa: FBT001
    who = result.team or "The team"
    if result.best == result.first:
        return f"{who} has not improved on the public queries since {result.first}: there is nothing to explain."
    low, high = result.simultaneous_ci95
    facts = (
        f"From {result.first} to {result.best}, the best on public of {len(result.submissions)} submissions, {who} "
        f"changed its mean {result.measure} by {result.change_public:+.4f} on {result.public_queries:,} public and by "
        f"{result.change_private:+.4f} on {result.private_queries:,} private queries"
    )
    interval = f"excess {result.excess:+.4f}, 95% interval {low:+.4f} to {high:+.4f} over all its submissions"
    if fired:
        return f"{facts}: it gains more on the public queries than luck explains ({interval})."
    if plain:
        return f"{facts}: the excess is no more than picking the best of its submissions can explain ({interval})."
    return f"{facts}: it is not shown to gain more on the public queries ({interval})."
