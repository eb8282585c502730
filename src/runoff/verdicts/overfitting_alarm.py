"""The overfitting alarm: whether a team's gain on public queries carries over to private ones less than others' do."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.boards.overfitting import OverfittingResult, TeamChange
from runoff.phrases import p_text
from runoff.significance import Family, correct
from runoff.verdicts.policy import Policy


@dataclass(frozen=True, kw_only=True)
class OverfittingAlarm:
    """A decision about one team.

    fired        whether the corrected p is below the level
    p_corrected  Holm over all teams that can be judged; None where this one cannot
    """

    team: str
    fired: bool
    p_corrected: float | None
    sentence: str


def overfitting_alarms(result: OverfittingResult, *, alpha: float = 0.05) -> tuple[OverfittingAlarm, ...]:
    """Which teams seem to have fitted the public queries, in the order of the teams.

    A false alarm for any clean team has probability alpha at most, as far as gains carry over alike for all teams.
    """
    level = Policy(alpha=alpha).alpha
    judged = {team.team: team.p for team in result.teams if team.p is not None}
    adjusted: dict[str, float] = {}
    if judged:
        family = Family("teams that can be judged", len(judged))
        correction = correct(list(judged.values()), correction="holm", family=family)
        adjusted = dict(zip(judged, correction.p.tolist(), strict=True))
    alarms = []
    for team in result.teams:
        p = adjusted.get(team.team)
        fired = p is not None and p < level
        alarms.append(
            OverfittingAlarm(
                team=team.team, fired=fired, p_corrected=p, sentence=_sentence(team, result, p, len(judged), level)
            )
        )
    return tuple(alarms)


def _sentence(change: TeamChange, result: OverfittingResult, p: float | None, teams: int, alpha: float) -> str:
    who = change.team or "The team"
    facts = (
        f"From {change.first} to {change.last}, {who} changed its mean {result.measure} by {change.change_public:+.4f} "
        f"on {result.public_queries:,} public and by {change.change_private:+.4f} on {result.private_queries:,} "
        "private queries"
    )
    if p is None or change.expected_private is None:
        return f"{facts}. Whether it overfitted cannot be judged: {change.unjudged}."
    facts += f". At the other teams' rate {change.expected_private:+.4f} would be expected on private queries"
    test = f"{p_text(p, alpha)}, Holm-corrected over {teams:,} {'team' if teams == 1 else 'teams'}"
    if p < alpha:
        short = change.expected_private - change.change_private
        return f"{facts}: the shortfall of {short:.4f} is more than chance explains ({test})."
    return f"{facts}: no overfitting is shown ({test})."
