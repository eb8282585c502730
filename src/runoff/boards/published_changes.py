"""Changes of published means: what a board without run files can say about public and private queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runoff.boards.overfitting import FEWEST_OTHERS, TeamChange
from runoff.boards.submissions import TeamSubmissions

ONLY_MEANS: Final = "only means are published, and these do not tell how far luck moves them"


def published_changes(
    teams: Sequence[TeamSubmissions], *, public: str = "public", private: str = "private", best_is_low: bool = False
) -> tuple[TeamChange, ...]:
    """The changes of each team with two or more submissions that have both means; the largest excess first.

    The same changes as those of `overfitting`, but without scores per query nobody knows how far luck moves them: there
    is no p, and so no alarm. There is no excess with fewer than 3 other teams, or if they gained nothing together.

    >>> from datetime import date
    >>> from runoff.boards.submissions import submissions
    >>> from runoff.tables.board import BoardRun
    >>> ends = {"A": (0.75, 0.25), "B": (0.5, 0.5), "C": (0.5, 0.5), "D": (0.5, 0.5)}
    >>> runs = [BoardRun(name=f"{team}1", team=team, date=date(2021, 1, 1), scores={"public": 0.25, "private": 0.25})
    ...         for team in ends]
    >>> runs += [BoardRun(name=f"{team}2", team=team, date=date(2021, 2, 1), scores={"public": one, "private": two})
    ...          for team, (one, two) in ends.items()]
    >>> found = published_changes(submissions(runs).teams)[0]
    >>> found.last, found.change_public, found.change_private, found.excess
    ('A2', 0.5, 0.0, 0.5)
    """
    sign = -1.0 if best_is_low else 1.0
    sent = {team.team: [run for run in team.runs if public in run.scores and private in run.scores] for team in teams}
    sent = {team: runs for team, runs in sent.items() if len(runs) > 1}
    changes = {
        team: tuple(sign * (runs[-1].scores[name] - runs[0].scores[name]) for name in (public, private))
        for team, runs in sent.items()
    }
    found = []
    for team, (x, y) in changes.items():
        rest = [change for other, change in changes.items() if other != team]
        gain = sum(one for one, _ in rest)
        ratio = sum(two for _, two in rest) / gain if len(rest) >= FEWEST_OTHERS and gain > 0.0 else None
        found.append(
            TeamChange(
                team=team,
                first=sent[team][0].name,
                last=sent[team][-1].name,
                submissions=tuple(run.name for run in sent[team]),
                change_public=x,
                change_private=y,
                others=len(rest),
                ratio=ratio,
                expected_private=None if ratio is None else ratio * x,
                excess=None if ratio is None else ratio * x - y,
                unjudged=ONLY_MEANS,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.excess is None, -(one.excess or 0.0))))
